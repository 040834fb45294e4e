//! What a program says about its own derivatives.

use overdub_context::Symbol;
use overdub_context::engine::FuncKey;
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

/// A value as it is; what comes back to it in reverse mode goes through `f`: to clip it, to weigh it, to look at it.
///
/// Forward mode has nothing that comes back, so it refuses.
///
/// ```
/// use overdub::ad::{gradient, replace_gradient};
/// use overdub::prelude::*;
///
/// #[dub]
/// fn f(x: f64) -> f64 {
///     100.0 * replace_gradient(x * x, |dy: f64| dy.clamp(-1.0, 1.0))
/// }
///
/// assert_eq!(gradient(f, (3.0,))?, (6.0,));
/// # Ok::<(), overdub::Error>(())
/// ```
#[dub(crate = ::overdub_lower)]
pub fn replace_gradient<T, F: Fn(T) -> T>(x: T, f: F) -> T {
    let _ = f;
    x
}

/// `f(args)`, of whose inside reverse mode keeps nothing: on the way back it is run once more. For long computations
/// whose steps would not fit; checkpoints may lie in each other.
///
/// ```
/// use overdub::ad::{checkpoint, gradient};
/// use overdub::prelude::*;
///
/// #[dub]
/// fn f(x: f64, k: f64) -> f64 {
///     checkpoint(|y: f64| (y * k).sin(), x * x)
/// }
///
/// let (dx, _) = gradient(f, (0.5, 2.0))?;
/// assert!((dx - 0.5_f64.cos() * 2.0).abs() < 1e-15);
/// # Ok::<(), overdub::Error>(())
/// ```
#[dub(crate = ::overdub_lower)]
pub fn checkpoint<A, R, F: Fn(A) -> R>(f: F, args: A) -> R {
    f(args)
}

// The same in programs that nobody annotated: `use overdub::ad::stop_gradient`.
overdub_lower::provide_crate!(
    "overdub",
    "pub mod ad {
    pub fn stop_gradient<T>(x: T) -> T { x }
    pub fn replace_gradient<T, F: Fn(T) -> T>(x: T, f: F) -> T { let _ = f; x }
    pub fn checkpoint<A, R, F: Fn(A) -> R>(f: F, args: A) -> R { f(args) }
    pub use overdub_inside::{derivative, gradient, value_and_gradient};
}"
);

/// `replace_gradient` in the program.
pub(crate) const REPLACE_GRADIENT: &str = "replace_gradient";
/// `checkpoint` in the program.
pub(crate) const CHECKPOINT: &str = "checkpoint";
/// `stop_gradient` in the program.
pub(crate) const STOP_GRADIENT: &str = "stop_gradient";

/// Whether a function of the program is one of these; what a transformation made of it is not.
pub(crate) fn is_annotation(func: Symbol, mark: &str) -> bool {
    let name = func.as_str();
    let inside =
        ["overdub_ad::annotations::", "overdub::ad::"].iter().find_map(|path| name.strip_prefix(path));
    let rest = inside.and_then(|inside| inside.strip_prefix(mark));
    rest.is_some_and(|rest| !rest.starts_with("::")) && FuncKey::of(func).is_none()
}

/// The value itself, without what it carries.
pub(crate) static STOP: OpDef = OpDef {
    name: "ad.stop",
    arity: Arity::Exactly(1),
    ty: |tys| Ok(tys.args[0]),
    effects: Effects::PURE,
    eval: |_, args| Ok(args.first_mut().map_or(Value::Unit, Value::take)),
    doc: "The value itself, without what it carries.",
};
