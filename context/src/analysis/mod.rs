//! Read-only analyses of functions.

mod liveness;

pub use liveness::Liveness;
