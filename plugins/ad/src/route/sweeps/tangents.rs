//! Tangents along several directions in one sweep.

use overdub_context::engine::{Engine, Prepared};
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

use super::in_place::{self, Seeds, Transformed};
use super::{active, fits, inputs, put, tangents};
use crate::cotangent::cotangent;
use crate::custom::ActiveRules;
use crate::dual::batched::{Slopes, tangents_along};
use crate::flatten::{count_floats, floats};
use crate::route::products::has_enum;
use crate::strategy::Strategy;
use crate::transform::forward::ForwardTransform;
use crate::transform::plain_first::{PlainFirst, holds_nan};
use crate::transform::reverse::{parts_of_value, primal_func, refused};

/// Tangents of a function along several directions of some of its arguments at once.
///
/// ```
/// use overdub_ad::TangentSweep;
/// use overdub_context::value::Value;
///
/// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(x: f64, y: f64) -> (f64, f64) { (x * y, y) }")?;
/// let sweep = TangentSweep::new(&loaded.engine(), loaded.function("f")?.symbol, &|_| true, 2);
/// let mut tangents = [0.0; 4];
/// sweep.along(&[3.0, 5.0].map(Value::F64), &[1.0, 0.0, 0.0, 1.0], &mut tangents)?;
/// assert_eq!(tangents, [5.0, 0.0, 3.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TangentSweep {
    engine: Engine,
    func: Symbol,
    wrt: Vec<bool>,
    width: usize,
    transformed: Option<Transformed<ForwardTransform>>,
    strategy: Strategy,
    /// Those in whose scope it was made, for what is not transformed.
    rules: ActiveRules,
}

impl TangentSweep {
    /// Prepares tangents along `directions` directions of the arguments in `wrt` that hold floats: one sweep
    /// computes all of them, or each an equal share ([`TangentSweep::width`]).
    pub fn new(
        engine: &Engine,
        func: impl Into<Symbol>,
        wrt: &dyn Fn(usize) -> bool,
        directions: usize,
    ) -> TangentSweep {
        let func = func.into();
        let mut width = in_place::width(directions, &[]);
        let primal = primal_func(engine, func);
        let wrt = primal.as_ref().map(|func| active(func, wrt)).unwrap_or_default();
        let transformed = primal.and_then(|primal| {
            // The floats of a tangent are in the order of the result's only if no enum selects among them.
            if has_enum(primal.ret) {
                return Err(refused(&primal, "it returns an enum".to_owned()));
            }
            let dty = cotangent(primal.ret).map_err(|cause| refused(&primal, cause.to_string()))?;
            width = in_place::width(directions, &[dty]);
            let cx = ForwardTransform::new().with_respect_to(wrt.clone()).along(width).tangents_alone();
            let ready = PlainFirst::new(engine, func, |products| cx.clone().by_products(products))?;
            Ok(Transformed::new(ready, tangents(&primal, &wrt)?, &[], &[dty]))
        });
        let transformed = transformed.ok();
        let strategy = if transformed.is_some() { Strategy::Transformation } else { Strategy::Duals };
        let rules = ActiveRules::current();
        TangentSweep { engine: engine.clone(), func, wrt, width, transformed, strategy, rules }
    }

    /// The number of directions of a sweep.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The engine that was chosen.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The tangents of the floats of the result along each direction of the floats of the arguments (MANY1).
    /// In machine code, a function of scalars and arrays of scalars allocates nothing from the second call
    /// on, except what its own body allocates.
    ///
    /// # Errors
    /// If the program fails, or the numbers of directions and tangents are not those of the width.
    pub fn along(
        &self,
        args: &[Value<'static>],
        directions: &[f64],
        tangents: &mut [f64],
    ) -> Result<(), Failure> {
        let inputs = inputs(args, &self.wrt);
        fits(directions.len() == inputs * self.width && tangents.len().is_multiple_of(self.width))?;
        let Some(transformed) = &self.transformed else { return self.by_duals(args, directions, tangents) };
        let seeds = Seeds { wrt: &self.wrt, floats: directions, inputs, width: self.width };
        if let Some(result) = transformed.call_with_known_lens(args, &seeds, tangents) {
            return result;
        }
        let all = transformed.with_seeds(args, &seeds)?;
        let run = |prepared: &Prepared<_>| Ok(parts_of_value(prepared.run(all.clone())?));
        let found = transformed.ready.run(run, |found| found.iter().any(holds_nan))?;
        transformed.record_lens(&found);
        let outputs = tangents.len() / self.width;
        fits(found.len() == self.width)?;
        found
            .iter()
            .zip(tangents.chunks_mut(outputs.max(1)))
            .try_for_each(|(dy, place)| put(&floats(dy), place))
    }

    fn by_duals(
        &self,
        args: &[Value<'static>],
        directions: &[f64],
        tangents: &mut [f64],
    ) -> Result<(), Failure> {
        let inputs = directions.len() / self.width;
        let mut places = Vec::new();
        let mut next = 0;
        for (arg, wrt) in args.iter().zip(&self.wrt) {
            for _ in 0..count_floats(arg) {
                places.push(wrt.then_some(next));
                next += usize::from(*wrt);
            }
        }
        let component = |number: usize, k: usize| match places.get(number) {
            Some(Some(at)) => directions[k * inputs + at],
            _ => 0.0,
        };
        let of = (self.func, args.to_vec());
        let by_duals = || tangents_along(&self.engine, &(), of, self.width, &component, Ok);
        let (_, columns) = self.rules.during(by_duals)?;
        let outputs = tangents.len() / self.width;
        columns.iter().zip(tangents.chunks_mut(outputs.max(1))).try_for_each(|(dy, place)| put(dy, place))
    }
}

/// The value of a function, and the tangents of its floats along each direction (MANY1), in one run; none if it is not transformed.
pub(crate) fn value_and_tangents(
    (engine, func): (&Engine, Symbol),
    args: &[Value<'static>],
    wrt: &dyn Fn(usize) -> bool,
    (directions, width): (&[f64], usize),
) -> Option<Result<Slopes, Failure>> {
    let primal = primal_func(engine, func).ok()?;
    let wrt = active(&primal, wrt);
    if has_enum(primal.ret) {
        return None;
    }
    let cx = ForwardTransform::new().with_respect_to(wrt.clone()).along(width);
    let ready = PlainFirst::new(engine, func, |products| cx.clone().by_products(products)).ok()?;
    let transformed = Transformed::new(ready, tangents(&primal, &wrt).ok()?, &[], &[]);
    let seeds = Seeds { wrt: &wrt, floats: directions, inputs: inputs(args, &wrt), width };
    Some(transformed.with_seeds(args, &seeds).and_then(|all| {
        let run = |prepared: &Prepared<_>| Ok(parts_of_value(prepared.run(all.clone())?));
        let found = transformed.ready.run(run, |found| found.iter().skip(1).any(holds_nan))?;
        fits(found.len() == width + 1)?;
        let mut found = found.into_iter();
        let value = found.next().unwrap_or(Value::Unit);
        Ok((value, found.map(|tangent| floats(&tangent)).collect()))
    }))
}
