//! Forward mode by source transformation: a function becomes one that also takes tangents of its arguments
//! and returns that of its result.
//!
//! A tangent has the type of a cotangent, so the tangent of an array is itself an array. Programs over arrays
//! of floats remain so, and transformed gradients ([`reverse`](crate::transform::reverse)) are transformed in
//! turn: this is how Hessian-vector products are computed.
//!
//! Functions that the transformation cannot follow are refused with a reason and left to dual numbers.

mod context;
mod custom_rules;
mod directions;
mod hvp;
mod pushforward;
mod transformer;
mod zero_tangents;

pub use context::ForwardTransform;
pub use hvp::Hvp;
pub(crate) use transformer::ForwardTransformer;
