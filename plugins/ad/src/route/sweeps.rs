//! Products with several directions in one sweep, written into the caller's memory.
//!
//! - MANY1 directions and products are laid out one after another, each the floats of the arguments that are
//!   differentiated in, or of the result, in order.
//! - MANY2 they do not go through a [`Value`] if each argument and each part of a result is a scalar or an array of scalars
//!   with one axis, and the executor has prepared calls.

mod in_place;

use overdub_context::engine::Engine;
use overdub_context::ir::{Func, LoadError, Ty};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Symbol};

use super::products::has_enum;
use super::{HvpRoute, PullbackRequest, pullback};
use crate::cotangent::cotangent;
use crate::domain_call::not_loaded;
use crate::dual::batched::along;
use crate::flatten::{count_floats, floats};
use crate::float_pair::is_float;
use crate::strategy::Strategy;
use crate::tape::record_over_duals;
use crate::transform::forward::ForwardTransform;
use crate::transform::reverse::{
    ReverseOutput, ReverseTransform, all_shaped, cotangent_of, parts_of_value, plain, refused,
};
use in_place::{Seeds, Transformed};

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
}

/// Products with the Hessian of a function along several directions at once; of a function of several results, with that
/// of their weighted sum, the Hessian of a Lagrangian.
///
/// ```
/// use overdub_ad::CurvatureSweep;
/// use overdub_context::value::Value;
///
/// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(x: f64, y: f64) -> f64 { x * x * y }")?;
/// let f = loaded.function("f")?;
/// let sweep = CurvatureSweep::new(&loaded.engine(), f.symbol, f.ir_ret, &|_| true, 2)?;
/// let mut products = [0.0; 4];
/// sweep.along(&[3.0, 5.0].map(Value::F64), &[1.0, 0.0, 0.0, 1.0], &mut products)?;
/// assert_eq!(products, [10.0, 6.0, 6.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CurvatureSweep {
    engine: Engine,
    func: Symbol,
    /// The type that the function returns, last values of `&mut` parameters included.
    ret: Ty,
    wrt: Vec<bool>,
    width: usize,
    made: Curvature,
    strategy: Strategy,
}

#[derive(Debug)]
enum Curvature {
    Transformed(Transformed<(ForwardTransform, ReverseTransform)>),
    Taped(HvpRoute),
    WeightedTape,
}

/// Products of cotangents with the Jacobian of a function, one after another.
///
/// ```
/// use overdub_ad::CotangentSweep;
/// use overdub_context::value::Value;
///
/// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(x: f64, y: f64) -> (f64, f64) { (x * y, y) }")?;
/// let sweep = CotangentSweep::new(&loaded.engine(), loaded.function("f")?.symbol, &|_| true);
/// let mut products = [0.0; 4];
/// sweep.along(&[3.0, 5.0].map(Value::F64), &[1.0, 0.0, 0.0, 1.0], &mut products)?;
/// assert_eq!(products, [5.0, 3.0, 0.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CotangentSweep {
    engine: Engine,
    func: Symbol,
    wrt: Vec<bool>,
    /// With the type of the result's cotangent.
    transformed: Option<(Transformed<ReverseTransform>, Ty)>,
}

/// Which arguments are differentiated in: those of `wrt` that hold floats.
fn active(func: &Func, wrt: &dyn Fn(usize) -> bool) -> Vec<bool> {
    let holds = |ty: Ty| cotangent(ty).map_or(true, |dty| dty != Ty::unit());
    func.param_tys().enumerate().map(|(at, ty)| wrt(at) && holds(ty)).collect()
}

/// The types of the tangents of the active parameters.
fn tangents(func: &Func, wrt: &[bool]) -> Result<Vec<Ty>, LoadError> {
    let own = func.param_tys().zip(wrt).filter(|(_, wrt)| **wrt);
    own.map(|(ty, _)| cotangent(ty).map_err(|cause| refused(func, cause.to_string()))).collect()
}

impl TangentSweep {
    /// Tangents of the arguments of `wrt` that hold floats, along so many directions in all: a sweep takes them at once, or
    /// an equal share of them ([`TangentSweep::width`]).
    pub fn new(
        engine: &Engine,
        func: impl Into<Symbol>,
        wrt: &dyn Fn(usize) -> bool,
        directions: usize,
    ) -> TangentSweep {
        let func = func.into();
        let mut width = in_place::width(directions, &[]);
        let plain = plain(engine, func);
        let wrt = plain.as_ref().map(|func| active(func, wrt)).unwrap_or_default();
        let transformed = plain.and_then(|plain| {
            // The floats of a tangent are in the order of the result's only where no enum chooses between them.
            if has_enum(plain.ret, &mut Vec::new()) {
                return Err(refused(&plain, "it returns an enum".to_owned()));
            }
            let dty = cotangent(plain.ret).map_err(|cause| refused(&plain, cause.to_string()))?;
            width = in_place::width(directions, &[dty]);
            let cx = ForwardTransform::new().with_respect_to(wrt.clone()).along(width).tangents_alone();
            Transformed::new(engine.prepare(&cx, func), tangents(&plain, &wrt)?, &[], &[dty])
        });
        let transformed = transformed.ok();
        let strategy = if transformed.is_some() { Strategy::Transformation } else { Strategy::Duals };
        TangentSweep { engine: engine.clone(), func, wrt, width, transformed, strategy }
    }

    /// The number of directions of a sweep.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The engine that was chosen.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// How the floats of the result change as those of the arguments do along each direction (MANY1). As machine code, a
    /// function of scalars and arrays of them allocates nothing from the second call on but what its own body does.
    ///
    /// # Errors
    /// Where the program fails, or there are other numbers of directions and tangents than those of the width.
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
        if let Some(done) = transformed.call_learned(args, &seeds, tangents) {
            return done;
        }
        let found = parts_of_value(transformed.prepared.run(transformed.with_seeds(args, &seeds)?)?);
        transformed.learn(&found);
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
        let (_, columns) = along(&self.engine, &(), of, self.width, &component, Ok)?;
        let outputs = tangents.len() / self.width;
        columns.iter().zip(tangents.chunks_mut(outputs.max(1))).try_for_each(|(dy, place)| put(dy, place))
    }
}

impl CurvatureSweep {
    /// Products along so many directions of the arguments of `wrt` that hold floats, with the Hessian of a function that
    /// returns a float: a sweep takes an equal share of them ([`CurvatureSweep::width`]). `ret` is as in [`GradientRoute::new`](super::GradientRoute::new).
    ///
    /// # Errors
    /// Where the function returns no float.
    pub fn new(
        engine: &Engine,
        func: impl Into<Symbol>,
        ret: Ty,
        wrt: &dyn Fn(usize) -> bool,
        directions: usize,
    ) -> Result<CurvatureSweep, Failure> {
        let func = func.into();
        let plain = plain(engine, func).map_err(not_loaded)?;
        let active = active(&plain, wrt);
        let width = CurvatureSweep::width_for(directions, &plain, &active);
        let (made, strategy) =
            match CurvatureSweep::made(engine, &plain, ReverseOutput::Gradient, &active, width) {
                Ok(made) if is_float(ret) => (Curvature::Transformed(made), Strategy::ForwardOverReverse),
                _ => {
                    let route = HvpRoute::new(engine, func, ret, wrt)?;
                    let strategy = route.strategy().clone();
                    (Curvature::Taped(route), strategy)
                }
            };
        Ok(CurvatureSweep {
            engine: engine.clone(),
            func,
            ret: plain.ret,
            wrt: active,
            width,
            made,
            strategy,
        })
    }

    /// Products along so many directions with the Hessian of the sum of the floats that the function returns, each
    /// times a weight: what follows the arguments in [`CurvatureSweep::along_weighted`].
    ///
    /// # Errors
    /// Where there is no such function.
    pub fn weighted(
        engine: &Engine,
        func: impl Into<Symbol>,
        wrt: &dyn Fn(usize) -> bool,
        directions: usize,
    ) -> Result<CurvatureSweep, Failure> {
        let func = func.into();
        let plain = plain(engine, func).map_err(not_loaded)?;
        let wrt = active(&plain, wrt);
        let width = CurvatureSweep::width_for(directions, &plain, &wrt);
        let (made, strategy) = match CurvatureSweep::made(engine, &plain, ReverseOutput::Vjp, &wrt, width) {
            Ok(made) => (Curvature::Transformed(made), Strategy::ForwardOverReverse),
            Err(refusal) => (Curvature::WeightedTape, Strategy::recording_over_duals(refusal)),
        };
        Ok(CurvatureSweep { engine: engine.clone(), func, ret: plain.ret, wrt, width, made, strategy })
    }

    fn width_for(directions: usize, plain: &Func, wrt: &[bool]) -> usize {
        in_place::width(directions, &tangents(plain, wrt).unwrap_or_default())
    }

    fn made(
        engine: &Engine,
        plain: &Func,
        output: ReverseOutput,
        wrt: &[bool],
        width: usize,
    ) -> Result<Transformed<(ForwardTransform, ReverseTransform)>, LoadError> {
        let tangents = tangents(plain, wrt)?;
        let dty = cotangent(plain.ret).map_err(|cause| refused(plain, cause.to_string()))?;
        let mut along = wrt.to_vec();
        // The weights stay.
        along.extend((output == ReverseOutput::Vjp).then_some(false));
        let inner = ReverseTransform::new(output).with_respect_to(wrt.to_vec());
        // Of the value and the gradient, the gradient.
        let outer = ForwardTransform::new().with_respect_to(along).along(width).tangents_of_part(1);
        let prepared = engine.prepare(&(outer, inner), plain.name);
        let weights = (output == ReverseOutput::Vjp).then_some(dty);
        let made = Transformed::new(prepared, tangents.clone(), &[], &tangents)?;
        Ok(made.with_more(weights))
    }

    /// The number of directions of a sweep.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The engine that was chosen, and why.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// How the gradient changes as the floats of the arguments do along each direction (MANY1).
    ///
    /// # Errors
    /// Where the program fails, or there are other numbers of directions and products than those of the width.
    pub fn along(
        &self,
        args: &[Value<'static>],
        directions: &[f64],
        products: &mut [f64],
    ) -> Result<(), Failure> {
        let inputs = inputs(args, &self.wrt);
        fits(directions.len() == inputs * self.width && products.len() == directions.len())?;
        match &self.made {
            Curvature::Transformed(transformed) => {
                fits(transformed.more.is_none())?;
                self.transformed(transformed, args, &[], (directions, inputs), products)
            }
            Curvature::Taped(route) => {
                self.each(args, directions, products, &|direction| route.along(args, direction))
            }
            Curvature::WeightedTape => fits(false),
        }
    }

    /// As [`CurvatureSweep::along`], with a weight for each float of the result.
    ///
    /// # Errors
    /// As [`CurvatureSweep::along`], and where there are fewer weights than floats of the result.
    pub fn along_weighted(
        &self,
        args: &[Value<'static>],
        weights: &[f64],
        directions: &[f64],
        products: &mut [f64],
    ) -> Result<(), Failure> {
        let inputs = inputs(args, &self.wrt);
        fits(directions.len() == inputs * self.width && products.len() == directions.len())?;
        match &self.made {
            Curvature::Transformed(transformed) if transformed.more.is_some() => {
                self.transformed(transformed, args, weights, (directions, inputs), products)
            }
            Curvature::WeightedTape => self.each(args, directions, products, &|direction| {
                let recorded = record_over_duals(&self.engine, self.func, args.to_vec(), direction)?;
                // The floats of the result are each followed by their tangents.
                let mut seeds = vec![0.0; recorded.pullback.outputs()];
                fits(seeds.len() == 2 * weights.len())?;
                seeds.iter_mut().skip(1).step_by(2).zip(weights).for_each(|(seed, weight)| *seed = *weight);
                recorded.pullback.pull_floats(&seeds)
            }),
            _ => fits(false),
        }
    }

    fn transformed(
        &self,
        transformed: &Transformed<(ForwardTransform, ReverseTransform)>,
        args: &[Value<'static>],
        weights: &[f64],
        (directions, inputs): (&[f64], usize),
        products: &mut [f64],
    ) -> Result<(), Failure> {
        let seeds = Seeds { wrt: &self.wrt, floats: directions, inputs, width: self.width };
        if let Some(done) = transformed.call_shaped(args, weights, &seeds, products) {
            return done;
        }
        let mut all = args.to_vec();
        if transformed.more.is_some() {
            let result = self.engine.run(self.func, args.to_vec())?;
            all.push(cotangent_of(&result, self.ret, &mut weights.iter().copied())?);
        }
        all.extend(transformed.seeds(args, &seeds)?);
        let found = parts_of_value(transformed.prepared.run(all)?);
        fits(found.len() == self.width)?;
        for (change, place) in found.into_iter().zip(products.chunks_mut(inputs.max(1))) {
            put_active(args, &self.wrt, change, place)?;
        }
        Ok(())
    }

    /// One product after another, each of a direction of all floats of the arguments.
    fn each(
        &self,
        args: &[Value<'static>],
        directions: &[f64],
        products: &mut [f64],
        product: &dyn Fn(&[f64]) -> Result<Vec<f64>, Failure>,
    ) -> Result<(), Failure> {
        let floats = args.iter().zip(&self.wrt);
        let is_active: Vec<bool> =
            floats.flat_map(|(arg, wrt)| std::iter::repeat_n(*wrt, count_floats(arg))).collect();
        let inputs = (directions.len() / self.width).max(1);
        for (direction, place) in directions.chunks(inputs).zip(products.chunks_mut(inputs)) {
            let mut direction = direction.iter();
            let component = |wrt: &bool| if *wrt { direction.next().copied().unwrap_or(0.0) } else { 0.0 };
            let all: Vec<f64> = is_active.iter().map(component).collect();
            let own = product(&all)?.into_iter().zip(&is_active).filter(|(_, wrt)| **wrt);
            put(&own.map(|(product, _)| product).collect::<Vec<_>>(), place)?;
        }
        Ok(())
    }
}

impl CotangentSweep {
    /// Cotangents of the arguments of `wrt` that hold floats.
    pub fn new(engine: &Engine, func: impl Into<Symbol>, wrt: &dyn Fn(usize) -> bool) -> CotangentSweep {
        let func = func.into();
        let plain = plain(engine, func);
        let wrt = plain.as_ref().map(|func| active(func, wrt)).unwrap_or_default();
        let transformed = plain.and_then(|plain| {
            let dty = cotangent(plain.ret).map_err(|cause| refused(&plain, cause.to_string()))?;
            let cx = ReverseTransform::new(ReverseOutput::Vjp).with_respect_to(wrt.clone());
            let tangents = tangents(&plain, &wrt)?;
            let made = Transformed::new(engine.prepare(&cx, func), Vec::new(), &[plain.ret], &tangents)?;
            Ok((made.with_more(Some(dty)), dty))
        });
        CotangentSweep { engine: engine.clone(), func, wrt, transformed: transformed.ok() }
    }

    /// The product of each cotangent with the Jacobian (MANY1): as many as `products` has room for.
    ///
    /// # Errors
    /// Where the program fails, or there are fewer numbers than cotangents of the result have.
    pub fn along(
        &self,
        args: &[Value<'static>],
        cotangents: &[f64],
        products: &mut [f64],
    ) -> Result<(), Failure> {
        let inputs = inputs(args, &self.wrt).max(1);
        let count = products.len() / inputs;
        if count == 0 {
            return Ok(());
        }
        fits(cotangents.len().is_multiple_of(count) && products.len().is_multiple_of(inputs))?;
        let outputs = (cotangents.len() / count).max(1);
        if let Some((transformed, _)) = &self.transformed {
            let none = Seeds { wrt: &self.wrt, floats: &[], inputs, width: 0 };
            let mut each = cotangents.chunks(outputs).zip(products.chunks_mut(inputs));
            let done =
                each.try_for_each(|(dy, place)| match transformed.call_shaped(args, dy, &none, place) {
                    Some(Ok(())) => Ok(()),
                    other => Err(other),
                });
            match done {
                Ok(()) => return Ok(()),
                Err(Some(failed)) => return failed,
                Err(None) => {}
            }
        }
        let of = PullbackRequest { func: self.func, wrt: &|at| self.wrt[at], limit: None };
        let read = |value, pullback| Ok((value, pullback));
        let (value, back) = pullback(&self.engine, &(), &of, args.to_vec(), read)?;
        fits(floats(&value).len() == outputs || cotangents.is_empty())?;
        for (dy, place) in cotangents.chunks(outputs).zip(products.chunks_mut(inputs)) {
            let pulled = back.pull(dy)?;
            let own = pulled.iter().zip(&self.wrt).filter(|(_, wrt)| **wrt).flat_map(|(dx, _)| floats(dx));
            put(&own.collect::<Vec<_>>(), place)?;
        }
        Ok(())
    }
}

/// The number of floats of the active arguments.
fn inputs(args: &[Value<'static>], wrt: &[bool]) -> usize {
    args.iter().zip(wrt).filter(|(_, wrt)| **wrt).map(|(arg, _)| count_floats(arg)).sum()
}

fn put_active(
    args: &[Value<'static>],
    wrt: &[bool],
    products: Value<'static>,
    place: &mut [f64],
) -> Result<(), Failure> {
    let shaped = all_shaped(args, wrt, products)?;
    let own = shaped.iter().zip(wrt).filter(|(_, wrt)| **wrt).flat_map(|(dx, _)| floats(dx));
    put(&own.collect::<Vec<_>>(), place)
}

fn put(found: &[f64], place: &mut [f64]) -> Result<(), Failure> {
    fits(found.len() == place.len())?;
    place.copy_from_slice(found);
    Ok(())
}

fn fits(holds: bool) -> Result<(), Failure> {
    match holds {
        true => Ok(()),
        false => Err(Failure::new(
            FailureKind::Type,
            "directions and products are not as many floats as the arguments and the result have",
        )),
    }
}
