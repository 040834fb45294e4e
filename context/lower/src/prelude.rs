//! The text of our `std`.

/// Paths inside `prelude/` and texts, the root first.
pub(crate) const FILES: &[(&str, &str)] = &[];
