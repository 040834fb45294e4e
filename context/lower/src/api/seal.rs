//! What keeps other crates from implementing traits that may grow.

/// In the signature of a required method: a type that no other crate can name.
#[derive(Clone, Copy, Debug)]
pub struct Seal(());
