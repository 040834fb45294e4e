//! Products of cotangents with Jacobians, one product at a time.

use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

use super::in_place::{Seeds, Transformed};
use super::{active, fits, inputs, put, tangents};
use crate::TapeBound;
use crate::cotangent::cotangent;
use crate::custom::ActiveRules;
use crate::flatten::floats;
use crate::route::{PullbackRequest, pullback};
use crate::transform::plain_first::PlainFirst;
use crate::transform::reverse::{ReverseOutput, ReverseTransform, primal_func, refused};

/// Products of cotangents with the Jacobian of a function, one product at a time.
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
    /// The transformed function, and the type of the result's cotangent.
    transformed: Option<(Transformed<ReverseTransform>, Ty)>,
    /// Those in whose scope it was made, for what is not transformed.
    rules: ActiveRules,
}

impl CotangentSweep {
    /// Computes cotangents of the arguments in `wrt` that hold floats.
    pub fn new(engine: &Engine, func: impl Into<Symbol>, wrt: &dyn Fn(usize) -> bool) -> CotangentSweep {
        let func = func.into();
        let primal = primal_func(engine, func);
        let wrt = primal.as_ref().map(|func| active(func, wrt)).unwrap_or_default();
        let transformed = primal.and_then(|primal| {
            let dty = cotangent(primal.ret).map_err(|cause| refused(&primal, cause.to_string()))?;
            let cx = ReverseTransform::new(ReverseOutput::Vjp).with_respect_to(wrt.clone());
            let tangents = tangents(&primal, &wrt)?;
            let ready = PlainFirst::new(engine, func, |products| cx.clone().by_products(products))?;
            let transformed = Transformed::new(ready, Vec::new(), &[primal.ret], &tangents);
            Ok((transformed.with_more(Some(dty)), dty))
        });
        let (transformed, rules) = (transformed.ok(), ActiveRules::current());
        CotangentSweep { engine: engine.clone(), func, wrt, transformed, rules }
    }

    /// The product of each cotangent with the Jacobian (MANY1): as many as fit into `products`.
    ///
    /// # Errors
    /// If the program fails, or a cotangent has fewer numbers than the result has floats.
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
            let result =
                each.try_for_each(|(dy, place)| match transformed.call_shaped(args, dy, &none, place) {
                    Some(Ok(())) => Ok(()),
                    other => Err(other),
                });
            match result {
                Ok(()) => return Ok(()),
                Err(Some(failed)) => return failed,
                Err(None) => {}
            }
        }
        let of = PullbackRequest { func: self.func, wrt: &|at| self.wrt[at], bound: TapeBound::Unbounded };
        let read = |value, pullback| Ok((value, pullback));
        let pull = || pullback(&self.engine, &(), &of, args.to_vec(), read);
        let (value, value_pullback) = self.rules.during(pull)?;
        fits(floats(&value).len() == outputs || cotangents.is_empty())?;
        for (dy, place) in cotangents.chunks(outputs).zip(products.chunks_mut(inputs)) {
            let pulled = value_pullback.pull(dy)?;
            let active = pulled.iter().zip(&self.wrt).filter(|(_, wrt)| **wrt).flat_map(|(dx, _)| floats(dx));
            put(&active.collect::<Vec<_>>(), place)?;
        }
        Ok(())
    }
}
