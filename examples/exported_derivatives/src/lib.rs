//! A model and its derivatives, which the build script writes: the program contains nothing of overdub.

pub mod model;

/// The derivatives of [`model`].
#[allow(clippy::all)] // As is usual for what a build script writes.
pub mod derivatives {
    include!(concat!(env!("OUT_DIR"), "/derivatives.rs"));
}
