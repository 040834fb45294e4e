//! Hessian-vector products along several directions in one sweep.

use overdub_context::engine::{Engine, Prepared};
use overdub_context::ir::{Func, LoadError, Ty};
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

use super::in_place::{self, Seeds, Transformed};
use super::{active, fits, inputs, put, tangents};
use crate::cotangent::cotangent;
use crate::custom::ActiveRules;
use crate::flatten::{count_floats, floats};
use crate::float_pair::is_float;
use crate::route::HvpRoute;
use crate::strategy::Strategy;
use crate::tape::record_over_duals;
use crate::transform::forward::ForwardTransform;
use crate::transform::is_final;
use crate::transform::plain_first::{PlainFirst, holds_nan};
use crate::transform::products::Products;
use crate::transform::reverse::{
    ReverseOutput, ReverseTransform, all_shaped, cotangent_of, parts_of_value, primal_func, refused,
};

/// Hessian-vector products of a function along several directions at once. For a function with several
/// results, the Hessian is that of their weighted sum, as for a Lagrangian.
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
    /// The type that the function returns, including the last values of `&mut` parameters.
    ret: Ty,
    wrt: Vec<bool>,
    width: usize,
    curvature: Curvature,
    strategy: Strategy,
    /// Those in whose scope it was made, for what is not transformed.
    rules: ActiveRules,
}

/// The Hessian-vector product along a direction of all floats of the arguments.
type Product<'p> = dyn Fn(&[f64]) -> Result<Vec<f64>, Failure> + 'p;

#[derive(Debug)]
enum Curvature {
    Transformed(Transformed<(ForwardTransform, ReverseTransform)>),
    Taped(HvpRoute),
    WeightedTape,
}

impl CurvatureSweep {
    /// Prepares products along `directions` directions of the arguments in `wrt` that hold floats, with the
    /// Hessian of a function that returns a float: each sweep computes an equal share of them
    /// ([`CurvatureSweep::width`]). `ret` is as in [`GradientRoute::new`](crate::GradientRoute::new).
    ///
    /// # Errors
    /// If the function returns no float.
    pub fn new(
        engine: &Engine,
        func: impl Into<Symbol>,
        ret: Ty,
        wrt: &dyn Fn(usize) -> bool,
        directions: usize,
    ) -> Result<CurvatureSweep, Failure> {
        let func = func.into();
        let primal = primal_func(engine, func)?;
        let active = active(&primal, wrt);
        let width = CurvatureSweep::width_for(directions, &primal, &active);
        let (curvature, strategy) =
            match CurvatureSweep::transform(engine, &primal, ReverseOutput::Gradient, &active, width) {
                Ok(curvature) if is_float(ret) => {
                    (Curvature::Transformed(curvature), Strategy::ForwardOverReverse)
                }
                _ => {
                    let route = HvpRoute::new(engine, func, ret, wrt)?;
                    let strategy = route.strategy().clone();
                    (Curvature::Taped(route), strategy)
                }
            };
        Ok(CurvatureSweep {
            engine: engine.clone(),
            func,
            ret: primal.ret,
            wrt: active,
            width,
            curvature,
            strategy,
            rules: ActiveRules::current(),
        })
    }

    /// Prepares products along `directions` directions with the Hessian of the weighted sum of the floats
    /// that the function returns; the weights are passed to [`CurvatureSweep::along_weighted`] after the
    /// arguments.
    ///
    /// # Errors
    /// If there is no such function.
    pub fn weighted(
        engine: &Engine,
        func: impl Into<Symbol>,
        wrt: &dyn Fn(usize) -> bool,
        directions: usize,
    ) -> Result<CurvatureSweep, Failure> {
        let func = func.into();
        let primal = primal_func(engine, func)?;
        let wrt = active(&primal, wrt);
        let width = CurvatureSweep::width_for(directions, &primal, &wrt);
        let (curvature, strategy) =
            match CurvatureSweep::transform(engine, &primal, ReverseOutput::Vjp, &wrt, width) {
                Ok(curvature) => (Curvature::Transformed(curvature), Strategy::ForwardOverReverse),
                Err(mistake) if is_final(mistake.code) => return Err(mistake.into()),
                Err(refusal) => (Curvature::WeightedTape, Strategy::recording_over_duals(refusal)),
            };
        let (engine, ret, rules) = (engine.clone(), primal.ret, ActiveRules::current());
        Ok(CurvatureSweep { engine, func, ret, wrt, width, curvature, strategy, rules })
    }

    fn width_for(directions: usize, primal: &Func, wrt: &[bool]) -> usize {
        in_place::width(directions, &tangents(primal, wrt).unwrap_or_default())
    }

    fn transform(
        engine: &Engine,
        primal: &Func,
        output: ReverseOutput,
        wrt: &[bool],
        width: usize,
    ) -> Result<Transformed<(ForwardTransform, ReverseTransform)>, LoadError> {
        let tangents = tangents(primal, wrt)?;
        let dty = cotangent(primal.ret).map_err(|cause| refused(primal, cause.to_string()))?;
        let mut is_active = wrt.to_vec();
        // The weights are constant.
        is_active.extend((output == ReverseOutput::Vjp).then_some(false));
        let inner = ReverseTransform::new(output).with_respect_to(wrt.to_vec());
        // The result is the tuple of value and gradient; only the gradient's tangents are wanted.
        let outer = ForwardTransform::new().with_respect_to(is_active).along(width).tangents_of_part(1);
        let cx =
            |products: Products| (outer.clone().by_products(products), inner.clone().by_products(products));
        let ready = PlainFirst::new(engine, primal.name, cx)?;
        let weights = (output == ReverseOutput::Vjp).then_some(dty);
        Ok(Transformed::new(ready, tangents.clone(), &[], &tangents).with_more(weights))
    }

    /// The number of directions of a sweep.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The engine that was chosen, and why.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The tangent of the gradient along each direction of the floats of the arguments (MANY1).
    ///
    /// # Errors
    /// If the program fails, or the numbers of directions and products are not those of the width.
    pub fn along(
        &self,
        args: &[Value<'static>],
        directions: &[f64],
        products: &mut [f64],
    ) -> Result<(), Failure> {
        let inputs = inputs(args, &self.wrt);
        fits(directions.len() == inputs * self.width && products.len() == directions.len())?;
        match &self.curvature {
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
    /// As [`CurvatureSweep::along`], or if there are fewer weights than floats of the result.
    pub fn along_weighted(
        &self,
        args: &[Value<'static>],
        weights: &[f64],
        directions: &[f64],
        products: &mut [f64],
    ) -> Result<(), Failure> {
        let inputs = inputs(args, &self.wrt);
        fits(directions.len() == inputs * self.width && products.len() == directions.len())?;
        match &self.curvature {
            Curvature::Transformed(transformed) if transformed.more.is_some() => {
                self.transformed(transformed, args, weights, (directions, inputs), products)
            }
            Curvature::WeightedTape => self.each(args, directions, products, &|direction| {
                let record = || record_over_duals(&self.engine, self.func, args.to_vec(), direction);
                let recorded = self.rules.during(record)?;
                // Each float of the result is followed by its tangents.
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
        if let Some(outcome) = transformed.call_shaped(args, weights, &seeds, products) {
            return outcome;
        }
        let mut all = args.to_vec();
        if transformed.more.is_some() {
            let result = self.engine.run(self.func, args.to_vec())?;
            all.push(cotangent_of(&result, self.ret, &mut weights.iter().copied())?);
        }
        all.extend(transformed.seeds(args, &seeds)?);
        let run = |prepared: &Prepared<_>| Ok(parts_of_value(prepared.run(all.clone())?));
        let found = transformed.ready.run(run, |found| found.iter().any(holds_nan))?;
        fits(found.len() == self.width)?;
        for (change, place) in found.into_iter().zip(products.chunks_mut(inputs.max(1))) {
            put_active(args, &self.wrt, change, place)?;
        }
        Ok(())
    }

    /// Computes one product at a time, each along a direction of all floats of the arguments.
    fn each(
        &self,
        args: &[Value<'static>],
        directions: &[f64],
        products: &mut [f64],
        product: &Product<'_>,
    ) -> Result<(), Failure> {
        let floats = args.iter().zip(&self.wrt);
        let is_active: Vec<bool> =
            floats.flat_map(|(arg, wrt)| std::iter::repeat_n(*wrt, count_floats(arg))).collect();
        let inputs = (directions.len() / self.width).max(1);
        for (direction, place) in directions.chunks(inputs).zip(products.chunks_mut(inputs)) {
            let mut direction = direction.iter();
            let component = |wrt: &bool| if *wrt { direction.next().copied().unwrap_or(0.0) } else { 0.0 };
            let all: Vec<f64> = is_active.iter().map(component).collect();
            let active = product(&all)?.into_iter().zip(&is_active).filter(|(_, wrt)| **wrt);
            put(&active.map(|(product, _)| product).collect::<Vec<_>>(), place)?;
        }
        Ok(())
    }
}

fn put_active(
    args: &[Value<'static>],
    wrt: &[bool],
    products: Value<'static>,
    place: &mut [f64],
) -> Result<(), Failure> {
    let shaped = all_shaped(args, wrt, products)?;
    let active = shaped.iter().zip(wrt).filter(|(_, wrt)| **wrt).flat_map(|(dx, _)| floats(dx));
    put(&active.collect::<Vec<_>>(), place)
}
