//! Forward mode by source transformation: a function becomes one that takes tangents beside its arguments, and gives
//! its result's.
//!
//! A tangent is of the type of a cotangent: an array's is an array of its own. So what goes through arrays of floats
//! stays arrays of floats, and gradients by [`reverse`](crate::reverse) go forward as they are: products with a Hessian.
//!
//! What the transformation does not follow is refused with a reason; dual numbers take it.

mod context;
mod curved;
mod insts;
mod make;
mod ruled;

pub use context::Tangent;
pub use curved::Curved;
pub(crate) use make::Maker;
