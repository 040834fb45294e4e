//! Derivatives of ordinary Rust functions.
//!
//! - AD1 one table of [`rules`] defines each operation's derivative; every engine uses it.
//! - AD2 zero, non-differentiable and unknown are three things: an operation without a row is an error that names it.
//! - AD3 a zero tangent or cotangent contributes zero, whatever it is multiplied by: a value that does not depend on an
//!   argument cannot spoil its derivative by being infinite.

mod activity;
pub mod annotations;
pub mod api;
mod array_ops;
mod augment;
mod bit_provenance;
#[cfg(feature = "check")]
pub mod check;
pub mod codes;
mod cotangent;
mod cotangent_sums;
pub mod custom;
mod domain_call;
pub mod dual;
pub mod expr;
mod expr_display;
pub mod flatten;
mod float_pair;
mod matrix_product;
mod nd;
mod nested;
mod normalize_cfg;
mod refusal;
mod route;
pub mod rules;
mod shape;
mod sort;
mod strategy;
pub mod tape;
mod tape_bound;
mod text_provenance;
mod text_reads;
pub mod transform;
mod value_pullback;
mod wengert_list;

/// Used by the expansion of [`provide_rule`]; not public API.
#[doc(hidden)]
pub mod __private {
    pub use inventory;
}

pub use api::by_value::{
    Hessian, Jacobian, gradient, hessian, hessian_in, jacobian, jacobian_in, vjp, vjp_within,
};
pub use expr::Expr;
pub use expr_display::Shown;
pub use route::{CotangentSweep, CurvatureSweep, GradientRoute, HvpRoute, JvpRoute, TangentSweep};
pub use sort::SCATTER;
pub use strategy::Strategy;
pub use tape_bound::TapeBound;
pub use value_pullback::ValuePullback;
