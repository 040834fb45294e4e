//! Forward mode by source transformation: a function becomes one that takes tangents beside its arguments, and gives
//! its result's.
//!
//! A tangent is of the type of a cotangent: an array's is an array of its own. So what goes through arrays of floats
//! stays arrays of floats, and gradients by [`reverse`](crate::transform::reverse) go forward as they are: products with a Hessian.
//!
//! What the transformation does not follow is refused with a reason; dual numbers take it.

mod context;
mod custom_rules;
mod hvp;
mod pushforward;
mod transformer;

pub use context::ForwardTransform;
pub use hvp::Hvp;
pub(crate) use transformer::ForwardTransformer;
