//! The text of our `std`, as the build script lists it.

/// Paths inside `prelude/` and texts, the root first.
pub(crate) const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/prelude.rs"));
