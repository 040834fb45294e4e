//! Identifiers with the marks added by macro expansion.

use overdub_context::Symbol;

/// Separates an identifier from the number of the expansion it belongs to; it cannot begin a name that people
/// write.
pub(crate) const MARK: char = 'ː';

/// An identifier without marks and without `r#`.
pub(crate) fn unmarked_name(name: &str) -> Symbol {
    let name = name.strip_prefix("r#").unwrap_or(name);
    Symbol::new(name.find(MARK).map_or(name, |at| &name[..at]))
}

/// The text of tokens without marks, for `stringify!` and messages.
pub(crate) fn unmarked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == MARK {
            while chars.next_if(char::is_ascii_digit).is_some() {}
        } else {
            out.push(c);
        }
    }
    out
}
