//! The typed interface: derivatives of Rust functions, called with plain Rust values:
//! `gradient(f, (2.0, 3.0))`.
//!
//! - DERIV1 rustc checks shapes where it can: the type of a derivative is that of the floats of its value
//!   ([`Floats`](overdub_context::value::Floats)).
//! - DERIV2 if the function's value is returned, the last values of `&mut` parameters are written back as in
//!   any call. Derivatives are those of what the function returns, with respect to the parameters' values
//!   before the call.
//! - DERIV3 what a closure captured is constant.

mod batched;
mod buffers;
pub(crate) mod by_value;
mod composed;
mod engine;
mod forward;
mod gradients;
mod higher_order;
mod linear;
mod matrices;
mod prepared;
mod prepared_gradient;
mod prepared_products;
mod reverse;
mod wrt;

pub use crate::strategy::Strategy;
pub use batched::Batched;
pub use buffers::Buffers;
pub use composed::{Composed, InsideMode};
pub use engine::engine;
pub use forward::{Forward, jvp};
pub use gradients::{gradients, value_and_gradients};
pub use higher_order::{derivative, derivatives};
pub use linear::{Linear, linearize};
pub use matrices::{hessian, hvp, jacobian};
pub use prepared::{Prepared, prepare};
/// The name of [`Reverse`] in the prelude.
pub use reverse::Reverse as AdCtx;
/// [`AdCtx`], as spelled in Cassette's examples.
pub use reverse::Reverse as ADCtx;
pub use reverse::{Limited, Pullback, Reverse, WithMemory, gradient, value_and_gradient, vjp};
pub use wrt::Wrt;
