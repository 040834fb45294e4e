//! Derivatives of ordinary Rust functions.
//!
//! - A1 one table of [`rules`] says what each operation's derivative is; every mode goes by it.
//! - A2 zero, non-differentiable and unknown are three things: an operation without a row is an error that names it.
//! - A3 a zero tangent or cotangent contributes zero, whatever it is multiplied by: what does not depend on an
//!   argument cannot spoil its derivative by being infinite.

mod bits;
mod call;
pub mod calls;
mod carried;
#[cfg(feature = "check")]
pub mod check;
pub mod custom;
mod dense;
pub mod expr;
mod expr_display;
pub mod forward;
pub mod graph;
mod inside;
pub mod marks;
mod matrix;
mod nd;
pub mod reverse;
pub mod rules;
mod sorted;
pub mod tangent;
mod texts;
mod transform;
pub mod whole;

pub use dense::{Hessian, Jacobian, gradient, hessian, jacobian};
pub use expr::Expr;
pub use expr_display::Shown;
