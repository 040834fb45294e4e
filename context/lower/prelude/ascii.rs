//! Bytes as ASCII.

pub use crate::str::Escaped as EscapeDefault;

pub fn escape_default(c: u8) -> EscapeDefault<'static> {
    c.escape_ascii()
}
