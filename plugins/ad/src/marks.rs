//! What a program says about its own derivatives.

use overdub_context::ops::{Arity, Effects, OpDef};
use overdub_context::value::Value;
use overdub_macros::dub;

/// A value whose derivatives end here: to them it is a constant, whatever it was computed from.
///
/// ```
/// use overdub::ad::{gradient, stop_gradient};
/// use overdub::prelude::*;
///
/// #[dub]
/// fn f(x: f64) -> f64 {
///     x * stop_gradient(x * x)
/// }
///
/// assert_eq!(gradient(f, (3.0,))?, (9.0,));
/// # Ok::<(), overdub::Error>(())
/// ```
#[dub(crate = ::overdub_lower)]
pub fn stop_gradient<T>(x: T) -> T {
    x
}

/// What `stop_gradient` is in the program.
pub(crate) const STOP_GRADIENT: &str = "overdub_ad::marks::stop_gradient";

/// The value itself, without what it carries.
pub(crate) static STOP: OpDef = OpDef {
    name: "ad.stop",
    arity: Arity::Exactly(1),
    ty: |tys| Ok(tys.args[0]),
    effects: Effects::PURE,
    eval: |_, args| Ok(args.first_mut().map_or(Value::Unit, Value::take)),
    doc: "The value itself, without what it carries.",
};
