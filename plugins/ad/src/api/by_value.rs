//! Gradients, Jacobians and Hessians of loaded functions.

use overdub_context::engine::Engine;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Symbol};

use crate::augment::is_float;
use crate::flatten::floats;
use crate::tape::{vjp, vjp_of_jvp};
use crate::transform::forward::Hvp;
use crate::transform::reverse;

/// What a function returns, and its derivatives in the shape of its arguments.
///
/// The function returns one float, or an `Option` or `Result` with one in it. The last results, those of `&mut`
/// parameters, are not differentiated.
///
/// # Errors
/// Where the program fails, a function has no derivative, or the result is no float.
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
    let func = func.into();
    if !is_float(payload(ret)) {
        return Err(no_float(func, ret));
    }
    // Where the fast way does not go, the other one finds its way or says why there is none.
    if let Some(found) = reverse::gradient(engine, func, &args)? {
        return Ok(found);
    }
    let recorded = vjp(engine, func, args)?;
    let mut seeds = vec![0.0; recorded.pullback.outputs()];
    let own = floats(&result(&recorded.value, ret)).len();
    if let Some(seed) = seeds.first_mut().filter(|_| own == 1) {
        *seed = 1.0;
    }
    let cotangents = recorded.pullback.pull(&seeds)?;
    Ok((recorded.value, cotangents))
}

/// What a `Some` or an `Ok` holds.
pub(crate) fn payload(ty: Ty) -> Ty {
    match ty.kind() {
        TyKind::Enum(nominal) => match (nominal.name().as_str(), nominal.args()) {
            ("Option", [inner]) | ("Result", [inner, _]) => payload(*inner),
            _ => ty,
        },
        _ => ty,
    }
}

/// A function's own result, without what its `&mut` parameters hold at last.
fn result(value: &Value<'static>, ret: Ty) -> Value<'static> {
    match value.as_composite() {
        Some(composite) if composite.ty.is_none() && !matches!(ret.kind(), TyKind::Tuple(_)) => {
            composite.parts.first().cloned().unwrap_or(Value::Unit)
        }
        _ => value.clone(),
    }
}

#[cold]
pub(crate) fn no_float(func: Symbol, ret: Ty) -> Failure {
    let message = format!("`{func}` returns `{ret}`, and only a float has a gradient");
    let help = "take the Jacobian, or the pullback of a cotangent, of a function that returns more or less";
    Failure::new(FailureKind::Type, message).with_help(Some(help.to_owned()))
}

/// The derivative of each float of a result in each float of the arguments.
#[derive(Clone, Debug)]
pub struct Jacobian {
    /// What the function returned.
    pub value: Value<'static>,
    /// A row for each float of the result, a column for each of the arguments.
    pub rows: Vec<Vec<f64>>,
}

/// The Jacobian of a function.
///
/// # Errors
/// Where the program fails or a function has no derivative.
pub fn jacobian(
    engine: &Engine,
    func: impl Into<Symbol>,
    args: Vec<Value<'static>>,
) -> Result<Jacobian, Failure> {
    let func = func.into();
    let recorded = vjp(engine, func, args)?;
    let outputs = recorded.pullback.outputs();
    let row = |k: usize| {
        let mut seeds = vec![0.0; outputs];
        seeds[k] = 1.0;
        recorded.pullback.pull_floats(&seeds)
    };
    Ok(Jacobian { rows: (0..outputs).map(row).collect::<Result<_, _>>()?, value: recorded.value })
}

/// The second derivatives of a function that returns one float.
#[derive(Clone, Debug)]
pub struct Hessian {
    /// What the function returned.
    pub value: Value<'static>,
    /// Its derivative in each float of the arguments.
    pub gradient: Vec<f64>,
    /// The derivative of each of them in each.
    pub rows: Vec<Vec<f64>>,
}

/// The Hessian of a function that returns one float: reverse over forward, or the other way round, a run for each row.
///
/// # Errors
/// As [`gradient`].
pub fn hessian(
    engine: &Engine,
    func: impl Into<Symbol>,
    args: Vec<Value<'static>>,
    ret: Ty,
) -> Result<Hessian, Failure> {
    let func = func.into();
    let (value, gradient) = gradient(engine, func, args.clone(), ret)?;
    let gradient: Vec<f64> = gradient.iter().flat_map(floats).collect();
    let recorded = |direction: &[f64]| {
        let recorded = vjp_of_jvp(engine, func, args.clone(), direction)?;
        // The first float of the result and its change.
        let mut seeds = vec![0.0; recorded.pullback.outputs()];
        if let Some(seed) = seeds.get_mut(1) {
            *seed = 1.0;
        }
        recorded.pullback.pull_floats(&seeds)
    };
    let row = |k: usize| {
        let mut direction = vec![0.0; gradient.len()];
        direction[k] = 1.0;
        // What numbers that carry something do not go through, the transformation may.
        recorded(&direction).or_else(|failure| {
            let Ok(curved) = Hvp::new(engine, func, &|_| true) else { return Err(failure) };
            let products = curved.run(args.clone(), &mut direction.iter().copied());
            products.map(|products| products.iter().flat_map(floats).collect()).map_err(|_| failure)
        })
    };
    let rows = (0..gradient.len()).map(row).collect::<Result<Vec<_>, Failure>>()?;
    Ok(Hessian { value, gradient, rows })
}
