//! Annotations by which a program changes its own derivatives.

use overdub_context::Symbol;
use overdub_context::engine::FuncKey;
use overdub_context::ops::{Arity, Effects, OpDef};
use overdub_context::value::Value;
use overdub_macros::dub;

/// The value as a constant: derivatives do not flow through it.
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

/// Returns the value itself; its cotangent passes through `f`, which may clip, scale or print it.
///
/// Forward mode has no cotangents, so it refuses.
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

/// `f(args)` without recording its intermediate values: the reverse sweep runs it a second time. For long
/// computations whose records would not fit in memory; checkpoints may be nested.
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

/// Returns the value itself, and names it for [`checkpoint_saving`]. The name is a literal.
///
/// ```
/// use overdub::ad::{checkpoint_name, gradient};
/// use overdub::prelude::*;
///
/// #[dub]
/// fn f(x: f64) -> f64 {
///     let hidden = checkpoint_name(x * x, "hidden");
///     hidden * x
/// }
///
/// assert_eq!(gradient(f, (3.0,))?, (27.0,));
/// # Ok::<(), overdub::Error>(())
/// ```
#[dub(crate = ::overdub_lower)]
pub fn checkpoint_name<T>(x: T, name: &str) -> T {
    let _ = name;
    x
}

/// As [`checkpoint`], but the values with these names, given by [`checkpoint_name`], are kept: the second run reads them, and does not
/// run what only serves to compute them. Derivatives are the same whatever is kept. The names are literals, an array of them.
///
/// ```
/// use overdub::ad::{checkpoint_name, checkpoint_saving, gradient};
/// use overdub::prelude::*;
///
/// #[dub]
/// fn layer(x: f64, w: f64) -> f64 {
///     let hidden = checkpoint_name((x * w).tanh(), "hidden");
///     (hidden * w).sin()
/// }
///
/// #[dub]
/// fn f(x: f64, w: f64) -> f64 {
///     // The second run computes no hyperbolic tangent.
///     checkpoint_saving(|x: f64| layer(x, w), x, ["hidden"])
/// }
///
/// assert_eq!(gradient(f, (0.5, 2.0))?, gradient(layer, (0.5, 2.0))?);
/// # Ok::<(), overdub::Error>(())
/// ```
///
/// # Errors
/// A gradient fails if the names are no literals, if nothing in the checkpoint has one of them, or if a named value is a reference to a
/// variable, which may change before the second run. Values in functions that call themselves, and in checkpoints within the
/// checkpoint, cannot be kept. A gradient that is recorded, since its function cannot be transformed, runs all of the checkpoint
/// again; and in a loop that is itself checkpointed, to fit into a memory, a checkpoint is an ordinary call.
#[dub(crate = ::overdub_lower)]
pub fn checkpoint_saving<A, R, F: Fn(A) -> R, const N: usize>(f: F, args: A, names: [&str; N]) -> R {
    let _ = names;
    f(args)
}

// The same functions for programs that are not annotated: `use overdub::ad::stop_gradient`.
overdub_lower::provide_crate!(
    "overdub",
    "pub mod ad {
    pub fn stop_gradient<T>(x: T) -> T { x }
    pub fn replace_gradient<T, F: Fn(T) -> T>(x: T, f: F) -> T { let _ = f; x }
    pub fn checkpoint<A, R, F: Fn(A) -> R>(f: F, args: A) -> R { f(args) }
    pub fn checkpoint_name<T>(x: T, name: &str) -> T { let _ = name; x }
    pub fn checkpoint_saving<A, R, F: Fn(A) -> R, const N: usize>(f: F, args: A, names: [&str; N]) -> R {
        let _ = names;
        f(args)
    }
    pub use overdub_inside::{derivative, gradient, value_and_gradient};
}"
);

/// The name of `replace_gradient` in the program.
pub(crate) const REPLACE_GRADIENT: &str = "replace_gradient";
/// The name of `checkpoint` in the program.
pub(crate) const CHECKPOINT: &str = "checkpoint";
/// The name of `checkpoint_name` in the program.
pub(crate) const CHECKPOINT_NAME: &str = "checkpoint_name";
/// The name of `checkpoint_saving` in the program.
pub(crate) const CHECKPOINT_SAVING: &str = "checkpoint_saving";
/// The name of `stop_gradient` in the program.
pub(crate) const STOP_GRADIENT: &str = "stop_gradient";

/// Whether a function of the program is this annotation; specializations of it are not.
pub(crate) fn is_annotation(func: Symbol, mark: &str) -> bool {
    let name = func.as_str();
    let inside =
        ["overdub_ad::annotations::", "overdub::ad::"].iter().find_map(|path| name.strip_prefix(path));
    let rest = inside.and_then(|inside| inside.strip_prefix(mark));
    let goes_on =
        |rest: &str| rest.starts_with("::") || rest.starts_with(|c: char| c == '_' || c.is_alphanumeric());
    rest.is_some_and(|rest| !goes_on(rest)) && FuncKey::of(func).is_none()
}

/// The value itself, as a constant.
pub(crate) static STOP: OpDef = OpDef {
    name: "ad.stop",
    arity: Arity::Exactly(1),
    ty: |tys| Ok(tys.args[0]),
    effects: Effects::PURE,
    eval: |_, args| Ok(args.first_mut().map_or(Value::Unit, Value::take)),
    doc: "The value without its attachments.",
};

/// A value computed again, and the same value as it was kept: the value is the kept one, the cotangent that of the computed one.
pub(crate) static RESTORED: OpDef = OpDef {
    name: "ad.restored",
    arity: Arity::Exactly(2),
    ty: |tys| Ok(tys.args[0]),
    effects: Effects::PURE,
    eval: |_, args| Ok(args.get_mut(1).map_or(Value::Unit, Value::take)),
    doc: "A value that was kept, in place of the one computed again.",
};
