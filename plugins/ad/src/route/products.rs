//! Products of Jacobians and Hessians with directions, under an engine that is chosen once.

use overdub_context::engine::{Engine, Prepared};
use overdub_context::ir::{Ty, TyKind, Visit};
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

use super::{no_float, not_a_float, payload};
use crate::cotangent::{cotangent, seed};
use crate::custom::ActiveRules;
use crate::dual::batched::tangents_along;
use crate::flatten::{floats, with_floats};
use crate::float_pair::is_float;
use crate::strategy::Strategy;
use crate::tape::record_over_duals;
use crate::transform::forward::{ForwardTransform, Hvp};
use crate::transform::is_final;
use crate::transform::plain_first::PlainFirst;
use crate::transform::reverse::parts_of_value;

/// Tangents of a function along directions of its arguments, under the engine that was chosen.
///
/// ```
/// use overdub_context::value::Value;
///
/// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(x: f64, y: f64) -> (f64, f64) { (x * y, y) }")?;
/// let route = overdub_ad::JvpRoute::new(&loaded.engine(), loaded.function("f")?.symbol);
/// assert_eq!(route.along(&[3.0, 5.0].map(Value::F64), &[1.0, 2.0])?, [11.0, 2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct JvpRoute {
    engine: Engine,
    func: Symbol,
    transformed: Option<Forward>,
    strategy: Strategy,
    /// Those in whose scope it was made, for what is not transformed.
    rules: ActiveRules,
}

/// The forward transformation of a function, ready to run.
#[derive(Debug)]
struct Forward {
    ready: PlainFirst<ForwardTransform>,
    /// The types of the arguments' tangents; `()` for an argument without floats.
    tangents: Vec<Ty>,
}

impl JvpRoute {
    /// Chooses an engine for tangents along directions of all arguments.
    pub fn new(engine: &Engine, func: impl Into<Symbol>) -> JvpRoute {
        let func = func.into();
        let transformed = Forward::new(engine, func);
        let strategy = if transformed.is_some() { Strategy::Transformation } else { Strategy::Duals };
        JvpRoute { engine: engine.clone(), func, transformed, strategy, rules: ActiveRules::current() }
    }

    /// The engine that was chosen.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The tangents of the floats of the result, along a direction of the floats of the arguments, all in
    /// order.
    ///
    /// # Errors
    /// If the program fails, or the direction has fewer numbers than there are floats.
    pub fn along(&self, args: &[Value<'static>], direction: &[f64]) -> Result<Vec<f64>, Failure> {
        if let Some(forward) = &self.transformed {
            return forward.along(args, direction);
        }
        let component = |number: usize, _: usize| direction.get(number).copied().unwrap_or(0.0);
        let of = (self.func, args.to_vec());
        let by_duals = || tangents_along(&self.engine, &(), of, 1, &component, Ok);
        let (_, mut columns) = self.rules.during(by_duals)?;
        Ok(columns.pop().unwrap_or_default())
    }
}

impl Forward {
    fn new(engine: &Engine, func: Symbol) -> Option<Forward> {
        let primal = engine.module().func(func).ok()??;
        // The floats of a tangent are in the order of the result's only if no enum selects among them.
        if has_enum(primal.ret) {
            return None;
        }
        let tangents: Vec<Ty> = primal.param_tys().map(cotangent).collect::<Result<_, _>>().ok()?;
        let wrt = tangents.iter().map(|dty| *dty != Ty::unit()).collect();
        let cx = ForwardTransform::new().with_respect_to(wrt);
        let ready = PlainFirst::new(engine, func, |products| cx.clone().by_products(products)).ok()?;
        Some(Forward { ready, tangents })
    }

    fn along(&self, args: &[Value<'static>], direction: &[f64]) -> Result<Vec<f64>, Failure> {
        let mut direction = direction.iter().copied();
        let mut all = args.to_vec();
        for (arg, dty) in args.iter().zip(&self.tangents).filter(|(_, dty)| **dty != Ty::unit()) {
            all.push(seed(arg, *dty, &mut direction)?);
        }
        let run = |prepared: &Prepared<ForwardTransform>| {
            let both = parts_of_value(prepared.run(all.clone())?);
            Ok(both.get(1).map(floats).unwrap_or_default())
        };
        self.ready.run(run, |tangents| tangents.iter().any(|tangent| tangent.is_nan()))
    }
}

/// Whether values of a type may hold an enum, other than in cells, stacks and closures.
pub(super) fn has_enum(ty: Ty) -> bool {
    ty.search(|part| match part.kind() {
        TyKind::Enum(_) => Visit::Found,
        TyKind::Struct(nominal) if nominal.fields().is_none() => Visit::Found,
        TyKind::Tuple(_) | TyKind::Array(_) | TyKind::Struct(_) => Visit::Parts,
        _ => Visit::Skip,
    })
}

/// Hessian-vector products of a function, under the engine that was chosen.
///
/// ```
/// use overdub_context::value::Value;
///
/// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(x: f64, y: f64) -> f64 { x * x * y }")?;
/// let f = loaded.function("f")?;
/// let route = overdub_ad::HvpRoute::new(&loaded.engine(), f.symbol, f.ir_ret, &|_| true)?;
/// assert_eq!(route.along(&[3.0, 5.0].map(Value::F64), &[1.0, 0.0])?, [10.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct HvpRoute {
    engine: Engine,
    func: Symbol,
    transformed: Option<Hvp>,
    strategy: Strategy,
    /// Those in whose scope it was made, for what is not transformed.
    rules: ActiveRules,
}

impl HvpRoute {
    /// Chooses an engine for Hessian-vector products with respect to the arguments in `wrt`; `ret` is as in
    /// [`GradientRoute::new`](super::GradientRoute::new).
    ///
    /// # Errors
    /// If the function returns no float.
    pub fn new(
        engine: &Engine,
        func: Symbol,
        ret: Ty,
        wrt: &dyn Fn(usize) -> bool,
    ) -> Result<HvpRoute, Failure> {
        if !is_float(payload(ret)) {
            return Err(no_float(func, ret));
        }
        let transformation = if is_float(ret) { Hvp::new(engine, func, wrt) } else { Err(not_a_float(ret)) };
        let (transformed, strategy) = match transformation {
            Ok(hvp) => (Some(hvp), Strategy::ForwardOverReverse),
            Err(mistake) if is_final(mistake.code) => return Err(mistake.into()),
            Err(refusal) => (None, Strategy::recording_over_duals(refusal)),
        };
        let rules = ActiveRules::current();
        Ok(HvpRoute { engine: engine.clone(), func, transformed, strategy, rules })
    }

    /// The engine that was chosen, and why.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The transformation, if it was chosen.
    pub(crate) fn transformed(&self) -> Option<&Hvp> {
        self.transformed.as_ref()
    }

    /// The tangent of the gradient along a direction of the floats of the arguments, both in order.
    ///
    /// # Errors
    /// If the program fails, or the direction has fewer numbers than there are floats.
    pub fn along(&self, args: &[Value<'static>], direction: &[f64]) -> Result<Vec<f64>, Failure> {
        let mut direction = direction.iter().copied();
        let tangents =
            args.iter().map(|arg| with_floats(arg, &mut direction)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.run(args, &tangents)?.iter().flat_map(floats).collect())
    }

    /// The tangent of the gradient along tangents of the arguments, in the shape of each argument.
    pub(crate) fn run(
        &self,
        args: &[Value<'static>],
        tangents: &[Value<'static>],
    ) -> Result<Vec<Value<'static>>, Failure> {
        if let Some(hvp) = &self.transformed {
            let active = tangents.iter().zip(hvp.wrt()).filter(|(_, is_active)| **is_active);
            return hvp.run(args.to_vec(), &mut active.flat_map(|(tangent, _)| floats(tangent)));
        }
        let direction: Vec<f64> = tangents.iter().flat_map(floats).collect();
        let record = || record_over_duals(&self.engine, self.func, args.to_vec(), &direction);
        let recorded = self.rules.during(record)?;
        // The first float of the result precedes its tangent.
        let mut seeds = vec![0.0; recorded.pullback.outputs()];
        if let Some(seed) = seeds.get_mut(1) {
            *seed = 1.0;
        }
        let mut products = recorded.pullback.pull_floats(&seeds)?.into_iter();
        args.iter().map(|arg| with_floats(arg, &mut products)).collect()
    }
}
