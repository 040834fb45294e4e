//! Gradients, pullbacks, Jacobians and Hessians of loaded functions.

use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

use crate::TapeBound;
use crate::flatten::{floats, with_floats};
use crate::route::{self, GradientRoute, HvpRoute, PullbackRequest, Selected};
use crate::strategy::Strategy;
use crate::value_pullback::ValuePullback;

/// What a function returns, and the derivatives of its result in the shape of its arguments.
///
/// The function returns one float, or an `Option` or `Result` with one in it. The last results, those of `&mut`
/// parameters, are not differentiated.
///
/// # Errors
/// If the program fails, a function has no derivative, or the result is no float.
///
/// ```
/// use overdub_context::value::Value;
///
/// let source = "pub fn f(x: &[f64]) -> f64 { x.iter().map(|x| x * x).sum() }";
/// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
/// let f = loaded.function("f")?;
/// let x = Value::floats(vec![1.0, 2.0]);
/// let (y, dx) = overdub_ad::gradient(&loaded.engine(), f.symbol, vec![x], f.ir_ret)?;
/// assert_eq!(y.as_f64(), Some(5.0));
/// assert_eq!(overdub_ad::flatten::floats(&dx[0]), [2.0, 4.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn gradient(
    engine: &Engine,
    func: impl Into<Symbol>,
    args: Vec<Value<'static>>,
    ret: Ty,
) -> Result<(Value<'static>, Vec<Value<'static>>), Failure> {
    GradientRoute::new(engine, func, ret, &|_| true).run(args)
}

/// What a function returns, and its pullback at these arguments.
///
/// # Errors
/// If the program fails or a function has no derivative.
///
/// ```
/// use overdub_context::value::Value;
///
/// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(a: f64, b: f64) -> f64 { a * b }")?;
/// let args = [2.0, 3.0].map(Value::F64).into();
/// let (y, pullback) = overdub_ad::vjp(&loaded.engine(), loaded.function("f")?.symbol, args)?;
/// assert_eq!(y.as_f64(), Some(6.0));
/// assert_eq!(pullback.pull(&[1.0])?.iter().map(|dx| dx.as_f64()).collect::<Vec<_>>(), [Some(3.0), Some(2.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn vjp(
    engine: &Engine,
    func: impl Into<Symbol>,
    args: Vec<Value<'static>>,
) -> Result<(Value<'static>, ValuePullback), Failure> {
    vjp_within(engine, func, args, TapeBound::Unbounded)
}

/// As [`vjp`], with a bound on what is kept for the reverse sweep.
///
/// # Errors
/// As [`vjp`], and if the bound is exceeded.
pub fn vjp_within(
    engine: &Engine,
    func: impl Into<Symbol>,
    args: Vec<Value<'static>>,
    bound: TapeBound,
) -> Result<(Value<'static>, ValuePullback), Failure> {
    let of = PullbackRequest { func: func.into(), wrt: &|_| true, bound };
    route::pullback(engine, &(), &of, args, |value, pullback| Ok((value, pullback)))
}

/// The derivative of each float of a result with respect to each float of the arguments.
#[derive(Clone, Debug)]
pub struct Jacobian {
    /// What the function returned.
    pub value: Value<'static>,
    /// A row for each float of the result, a column for each float of the arguments.
    pub rows: Vec<Vec<f64>>,
    /// The engine that computed it, and why it was chosen.
    pub strategy: Strategy,
}

/// The Jacobian of a function.
///
/// # Errors
/// If the program fails or a function has no derivative.
pub fn jacobian(
    engine: &Engine,
    func: impl Into<Symbol>,
    args: Vec<Value<'static>>,
) -> Result<Jacobian, Failure> {
    jacobian_in(engine, func, args, &|_| true, TapeBound::Unbounded)
}

/// As [`jacobian`], with respect to the floats of the arguments that are `active`, by their numbers: a column for each of
/// them. What is kept is bounded, if it is computed in reverse mode.
///
/// # Errors
/// As [`jacobian`], and if the bound is exceeded.
pub fn jacobian_in(
    engine: &Engine,
    func: impl Into<Symbol>,
    args: Vec<Value<'static>>,
    active: &dyn Fn(usize) -> bool,
    bound: TapeBound,
) -> Result<Jacobian, Failure> {
    let found = route::jacobian(engine, func.into(), args, active, &|value| floats(value).len(), bound)?;
    let rows = found.matrix.rows().into_iter().map(|row| row.to_vec()).collect();
    Ok(Jacobian { value: found.value, rows, strategy: found.strategy })
}

/// The second derivatives of a function that returns one float.
#[derive(Clone, Debug)]
pub struct Hessian {
    /// What the function returned.
    pub value: Value<'static>,
    /// Its derivative with respect to each float of the arguments.
    pub gradient: Vec<f64>,
    /// The derivative of each entry of the gradient with respect to each float.
    pub rows: Vec<Vec<f64>>,
    /// The engine that computed the rows, and why it was chosen.
    pub strategy: Strategy,
}

/// The Hessian of a function that returns one float. Each row is a Hessian-vector product, which takes one
/// run.
///
/// # Errors
/// As [`gradient`].
pub fn hessian(
    engine: &Engine,
    func: impl Into<Symbol>,
    args: Vec<Value<'static>>,
    ret: Ty,
) -> Result<Hessian, Failure> {
    hessian_in(engine, func, args, ret, &|_| true)
}

/// As [`hessian`], with respect to the floats of the arguments that are `active`, by their numbers: the gradient, the rows and
/// the columns have an entry for each of them.
///
/// # Errors
/// As [`gradient`].
pub fn hessian_in(
    engine: &Engine,
    func: impl Into<Symbol>,
    args: Vec<Value<'static>>,
    ret: Ty,
    active: &dyn Fn(usize) -> bool,
) -> Result<Hessian, Failure> {
    let func = func.into();
    let Selected { numbers, args: is_active } = Selected::of(&args, active);
    let is_active = |at: usize| is_active.get(at).copied().unwrap_or(false);
    let (value, found) = GradientRoute::new(engine, func, ret, &is_active).run(args.clone())?;
    let of_all: Vec<f64> = found.iter().flat_map(floats).collect();
    // Derivatives have the floats of the arguments, active or not.
    let chosen = |all: &[f64]| numbers.iter().map(|number| all[*number]).collect::<Vec<f64>>();
    let route = HvpRoute::new(engine, func, ret, &is_active)?;
    let row = |&k: &usize| {
        let mut direction = (0..).map(|at| if at == k { 1.0 } else { 0.0 });
        let tangents =
            args.iter().map(|arg| with_floats(arg, &mut direction)).collect::<Result<Vec<_>, _>>()?;
        let products: Vec<f64> = route.run(&args, &tangents)?.iter().flat_map(floats).collect();
        Ok(chosen(&products))
    };
    let rows = numbers.iter().map(row).collect::<Result<Vec<_>, Failure>>()?;
    let gradient = chosen(&of_all);
    Ok(Hessian { value, gradient, rows, strategy: route.strategy().clone() })
}
