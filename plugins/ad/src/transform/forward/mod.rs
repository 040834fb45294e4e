//! Forward mode by source transformation: a function becomes one that also takes tangents of its arguments and returns
//! that of its result.
//!
//! A tangent has the type of a cotangent, so that of an array is an array of its own. Programs over arrays of floats
//! stay so, and transformed gradients ([`reverse`](crate::transform::reverse)) are transformed in turn: Hessian-vector
//! products.
//!
//! Functions that the transformation cannot follow are refused with a reason; dual numbers take those.

mod context;
mod custom_rules;
mod directions;
mod hvp;
mod pushforward;
mod transformer;

pub use context::ForwardTransform;
pub use hvp::Hvp;
pub(crate) use transformer::ForwardTransformer;
