//! Prevents other crates from implementing traits that may be extended.

/// A type that no other crate can name, used in the signature of a required method.
#[derive(Clone, Copy, Debug)]
pub struct Seal(());
