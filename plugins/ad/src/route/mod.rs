//! The choice of an engine for each derivative, in one place for the library and the command alike.
//!
//! - ROUTE1 an engine is chosen by whether its transformation can be built, before anything runs. The outcome
//!   of the run is the answer, even if it is a failure: no program runs again because its first run failed.
//! - ROUTE2 the source transformation is preferred, since it costs a few times what the function costs.
//!   Functions that it refuses are left to a tape, in forward mode to dual numbers.

mod gradients;
mod jacobian;
mod products;
mod sweeps;

use overdub_context::engine::{Engine, Layers};
use overdub_context::ir::{LoadError, Ty, TyKind};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Span, Symbol};

use crate::TapeBound;
use crate::codes;
use crate::custom::ActiveRules;
use crate::flatten::floats;
use crate::float_pair::is_float;
use crate::strategy::Strategy;
use crate::tape::{TAPE_LIMIT, record_active, record_in};
use crate::transform::is_final;
use crate::transform::reverse::{TapeReport, Transformed};
use crate::value_pullback::ValuePullback;
pub(crate) use gradients::gradients;
pub(crate) use jacobian::jacobian;
pub use products::{HvpRoute, JvpRoute};
pub use sweeps::{CotangentSweep, CurvatureSweep, TangentSweep};

/// The gradient of a function, by the engine that was chosen.
#[derive(Debug)]
pub struct GradientRoute {
    engine: Engine,
    func: Symbol,
    ret: Ty,
    transformed: Option<Transformed>,
    /// A mistake of the program, which a tape would hide.
    mistake: Option<LoadError>,
    strategy: Strategy,
    bound: TapeBound,
    /// Those in whose scope it was made, for what is not transformed.
    rules: ActiveRules,
}

impl GradientRoute {
    /// Chooses an engine for the gradient of a function with respect to the arguments in `wrt`. `ret` is the
    /// type of the function's own result, without the last values of `&mut` parameters.
    pub fn new(
        engine: &Engine,
        func: impl Into<Symbol>,
        ret: Ty,
        wrt: &dyn Fn(usize) -> bool,
    ) -> GradientRoute {
        GradientRoute::within(engine, func, ret, wrt, TapeBound::Unbounded)
    }

    /// As [`GradientRoute::new`], with a bound on what is kept for the reverse sweep.
    pub fn within(
        engine: &Engine,
        func: impl Into<Symbol>,
        ret: Ty,
        wrt: &dyn Fn(usize) -> bool,
        bound: TapeBound,
    ) -> GradientRoute {
        let func = func.into();
        let transformation = match is_float(ret) {
            true => Transformed::gradient_within(engine, func, wrt, bound),
            false => Err(not_a_float(ret)),
        };
        let mistake = transformation.as_ref().err().filter(|refusal| is_final(refusal.code)).cloned();
        let (transformed, strategy) = match transformation {
            Ok(transformed) => (Some(transformed), Strategy::Transformation),
            Err(refusal) => (None, Strategy::recording(refusal)),
        };
        let rules = ActiveRules::current();
        GradientRoute { engine: engine.clone(), func, ret, transformed, mistake, strategy, bound, rules }
    }

    /// The engine that was chosen, and why.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The transformed function, if that is the engine chosen.
    pub(crate) fn transformed(&self) -> Option<&Transformed> {
        self.transformed.as_ref()
    }

    /// What the function returns, and the derivatives of its result in the shape of its arguments.
    ///
    /// # Errors
    /// If the program fails, a function has no derivative, or the result is no float.
    pub fn run<'a>(&self, args: Vec<Value<'a>>) -> Result<(Value<'a>, Vec<Value<'static>>), Failure> {
        self.run_in(args, &|_| true)
    }

    /// As [`GradientRoute::run`], with any value for arguments that are not wanted.
    ///
    /// # Errors
    /// As [`GradientRoute::run`].
    pub fn run_for<'a>(
        &self,
        args: Vec<Value<'a>>,
        is_wanted: &dyn Fn(usize) -> bool,
    ) -> Result<(Value<'a>, Vec<Value<'static>>), Failure> {
        match &self.transformed {
            Some(transformed) if is_float(payload(self.ret)) => transformed.run_for(args, is_wanted),
            _ => self.run(args),
        }
    }

    /// The bytes that the gradient records at these arguments, by source line; a tape reports all of them at
    /// the function's own line.
    ///
    /// # Errors
    /// As [`GradientRoute::run`].
    ///
    /// ```
    /// use overdub_ad::GradientRoute;
    /// use overdub_context::ir::Ty;
    /// use overdub_context::value::Value;
    ///
    /// let source = "pub fn f(x: f64, n: usize) -> f64 {\n    let mut y = x;\n    for _ in 0..n { y = y.sin(); }\n    y\n}";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let route = GradientRoute::new(&loaded.engine(), loaded.function("f")?.symbol, Ty::f64(), &|_| true);
    /// let report = route.tape_report(vec![Value::F64(0.5), Value::from(100_usize)])?;
    /// assert_eq!(report.bytes, 800);
    /// assert!(report.by_line[0].0.ends_with("f.rs:3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tape_report(&self, args: Vec<Value<'_>>) -> Result<TapeReport, Failure> {
        if let Some(transformed) = &self.transformed {
            return transformed.tape_report(args);
        }
        self.mistake.clone().map_or(Ok(()), Err)?;
        let args = args.into_iter().map(Value::into_owned).collect();
        let record = || record_active(&self.engine, self.func, args, TAPE_LIMIT, &|_| true);
        let recorded = self.rules.during(record)?;
        let func = self.engine.program().func(self.func).ok().flatten();
        let span = func.map_or(Span::unknown(), |func| func.span);
        Ok(TapeReport::of_func(span, recorded.pullback.tape_bytes()))
    }

    /// As [`GradientRoute::run`]. A tape treats the floats that are not `active` as constants; they are numbered through
    /// all arguments.
    pub(crate) fn run_in<'a>(
        &self,
        args: Vec<Value<'a>>,
        active: &dyn Fn(usize) -> bool,
    ) -> Result<(Value<'a>, Vec<Value<'static>>), Failure> {
        if !is_float(payload(self.ret)) {
            return Err(no_float(self.func, self.ret));
        }
        if let Some(transformed) = &self.transformed {
            return transformed.run(args);
        }
        self.mistake.clone().map_or(Ok(()), Err)?;
        let args = args.into_iter().map(Value::into_owned).collect();
        let limit = self.bound.bytes().unwrap_or(TAPE_LIMIT);
        let record = || record_active(&self.engine, self.func, args, limit, active);
        let recorded = self.rules.during(record)?;
        let mut seeds = vec![0.0; recorded.pullback.outputs()];
        let result_floats = floats(&result_without_outs(&recorded.value, self.ret)).len();
        if let Some(seed) = seeds.first_mut().filter(|_| result_floats == 1) {
            *seed = 1.0;
        }
        let cotangents = recorded.pullback.pull(&seeds)?;
        Ok((recorded.value, cotangents))
    }
}

/// The properties that a pullback should have.
pub(crate) struct PullbackRequest<'r> {
    pub(crate) func: Symbol,
    /// The arguments for which the pullback returns cotangents, by number.
    pub(crate) wrt: &'r dyn Fn(usize) -> bool,
    /// What may be kept for the pullback.
    pub(crate) bound: TapeBound,
}

/// Runs a function under contexts that see the calls of its forward and its reverse sweep. `read` turns its
/// result and its pullback into what the contexts return.
pub(crate) fn pullback<O: Layers, X>(
    engine: &Engine,
    enclosing: &O,
    of: &PullbackRequest<'_>,
    args: Vec<Value<'static>>,
    read: impl FnOnce(Value<'static>, ValuePullback) -> Result<X, Failure>,
) -> Result<O::Of<X>, Failure> {
    let transformation = Transformed::pullback_within(engine, of.func, of.wrt, of.bound);
    let transformation =
        transformation.and_then(|transformed| Ok((transformed.prepare_in(enclosing)?, transformed)));
    match transformation {
        Ok((_prepared, transformed)) => transformed.split_in(enclosing, args, |value, pullback| {
            if let TapeBound::Limit(limit) = of.bound
                && pullback.tape_bytes() > limit
            {
                return Err(too_much(engine.root(of.func), pullback.tape_bytes(), limit));
            }
            let outputs = floats(&value).len();
            read(value, ValuePullback::transformed(pullback, outputs))
        }),
        Err(mistake) if is_final(mistake.code) => Err(mistake.into()),
        Err(refusal) => {
            let limit = of.bound.bytes().unwrap_or(TAPE_LIMIT);
            record_in(engine, enclosing, (of.func, args), limit, &|_| true, |recorded| {
                read(recorded.value, ValuePullback::recorded(recorded.pullback, Strategy::recording(refusal)))
            })
        }
    }
}

/// The floats that are differentiated.
pub(crate) struct Selected {
    /// Their numbers among the floats of all arguments.
    pub(crate) numbers: Vec<usize>,
    /// For each argument, whether it holds one.
    pub(crate) args: Vec<bool>,
}

impl Selected {
    pub(crate) fn of(args: &[Value<'static>], active: &dyn Fn(usize) -> bool) -> Selected {
        let mut selected = Selected { numbers: Vec::new(), args: Vec::with_capacity(args.len()) };
        let mut next = 0;
        for arg in args {
            let before = selected.numbers.len();
            let end = next + floats(arg).len();
            selected.numbers.extend((next..end).filter(|&number| active(number)));
            selected.args.push(selected.numbers.len() > before);
            next = end;
        }
        selected
    }
}

/// The type of the value in an `Option` or an `Ok`, at any depth; any other type is returned unchanged.
fn payload(ty: Ty) -> Ty {
    match (ty.as_option(), ty.as_result()) {
        (Some(inner), _) | (_, Some((inner, _))) => payload(inner),
        _ => ty,
    }
}

/// A function's own result, without the last values of its `&mut` parameters.
fn result_without_outs(value: &Value<'_>, ret: Ty) -> Value<'static> {
    match value.as_composite() {
        Some(composite) if composite.ty.is_none() && !matches!(ret.kind(), TyKind::Tuple(_)) => {
            composite.parts.first().cloned().map_or(Value::Unit, Value::into_owned)
        }
        _ => value.clone().into_owned(),
    }
}

#[cold]
fn not_a_float(ret: Ty) -> LoadError {
    let message = format!("it returns `{}`, which is no float", ret.in_rust());
    LoadError { code: codes::NO_FLOAT, message, span: Span::unknown(), help: None }
}

#[cold]
fn no_float(func: Symbol, ret: Ty) -> Failure {
    let message = format!("`{func}` returns `{}`, and only a float has a gradient", ret.in_rust());
    let help = "take the Jacobian, or the pullback of a cotangent, of a function that returns more or less";
    Failure::new(FailureKind::Type, message).coded(codes::NO_FLOAT).with_help(Some(help.to_owned()))
}

#[cold]
fn too_much(func: Symbol, bytes: usize, limit: usize) -> Failure {
    let message = format!("the pullback of `{func}` keeps {bytes} bytes, its limit is {limit} bytes");
    let help = "allow more, or recompute a part of the program: `checkpoint(f, args)`";
    Failure::new(FailureKind::MemoryLimit, message).with_help(Some(help.to_owned()))
}
