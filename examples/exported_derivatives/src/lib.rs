//! Models and their derivatives, which the build script writes, or the compiler where an attribute stands: the program
//! contains nothing of overdub.

pub mod model;
pub mod spring;

/// The derivatives of [`model`].
#[allow(clippy::all)] // As is usual for what a build script writes.
pub mod derivatives {
    include!(concat!(env!("OUT_DIR"), "/derivatives.rs"));
}
