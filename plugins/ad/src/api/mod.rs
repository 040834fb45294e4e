//! Derivatives of functions of Rust, called by their own values: `gradient(f, (2.0, 3.0))`.
//!
//! - K1 what rustc knows, rustc checks: a derivative is of the type of the floats of what it belongs to
//!   ([`Floats`](overdub_context::value::Floats)).
//! - K2 where the function's value is given, the last values of `&mut` parameters come home as in any call; derivatives
//!   are those of what the function returns, with respect to what the parameters held before.
//! - K3 what a closure captured is constant.

mod batched;
mod buffers;
pub(crate) mod by_value;
mod call_pool;
mod composed;
mod engine;
mod forward;
mod higher_order;
mod linear;
mod matrices;
mod prepared;
mod reverse;
mod shape;
mod wrt;

pub use crate::strategy::Strategy;
pub use batched::Batched;
pub use buffers::Buffers;
pub use composed::Composed;
pub use forward::{Forward, jvp};
pub use higher_order::{derivative, derivatives};
pub use linear::{Linear, linearize};
pub use matrices::{hessian, hvp, jacobian};
pub use prepared::{Prepared, prepare};
/// What the context of reverse mode is called where it is asked for first: [`Reverse`].
pub use reverse::Reverse as ADCtx;
pub use reverse::{Limited, Pullback, Reverse, gradient, value_and_gradient, vjp};
pub use wrt::Wrt;

pub(crate) use shape::{check_shape, own, zeros};
