//! Derivatives of functions of Rust, called by their own values: `gradient(f, (2.0, 3.0))`.
//!
//! - K1 what rustc knows, rustc checks: a derivative is of the type of the floats of what it belongs to
//!   ([`Floats`](overdub_context::value::Floats)).
//! - K2 where the function's value is given, the last values of `&mut` parameters come home as in any call; derivatives
//!   are those of what the function returns, with respect to what the parameters held before.
//! - K3 what a closure captured is constant.

mod at_once;
mod backward;
mod buffers;
mod callers;
mod chunks;
mod engine;
mod forward;
mod inside;
mod linear;
mod matrices;
mod prepared;
mod repeated;
mod shape;
mod strategy;
mod wanted;

pub use at_once::AtOnce;
/// What the context of reverse mode is called where it is asked for first: [`Reverse`].
pub use backward::Reverse as ADCtx;
pub use backward::{Limited, Pullback, Reverse, gradient, value_and_gradient, vjp};
pub use buffers::Buffers;
pub use forward::{Forward, jvp};
pub use inside::Inside;
pub use linear::{Linear, linearize};
pub use matrices::{hessian, hvp, jacobian};
pub use prepared::{Prepared, prepare};
pub use repeated::{derivative, derivatives};
pub use strategy::Strategy;
pub use wanted::Wanted;

pub(crate) use shape::{check_shape, own, zeros};
