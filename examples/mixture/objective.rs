//! The objective, from an independent source file, as a problem for the minimiser.

use std::path::Path;
use std::sync::Arc;

use argmin::core::{CostFunction, Error, Gradient};
use overdub::context::engine::{Engine, Executor, Prepared};
use overdub::context::value::{Composite, Value};
use overdub::lower::{Function, Loaded};
use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform};

use super::data::Mixture;

/// The executor.
#[cfg(not(feature = "native"))]
pub(crate) const BY: &str = "the interpreter";
#[cfg(feature = "native")]
pub(crate) const BY: &str = "machine code";

#[cfg(not(feature = "native"))]
fn executor() -> impl Executor {
    overdub::passes::Optimised::new(overdub::context::engine::Interpreting::new())
}

#[cfg(feature = "native")]
fn executor() -> impl Executor {
    overdub::native::Native::new()
}

/// The function `negative_log_posterior` of a file, at the points of a mixture.
pub(crate) struct Objective {
    engine: Engine,
    function: Function,
    gradient: Prepared<ReverseTransform>,
    fixed: Vec<Value<'static>>,
}

impl Objective {
    /// Loads the file, and makes the gradient of the function with respect to its first argument.
    pub(crate) fn open(path: &Path, mixture: &Mixture) -> Result<Objective, Box<dyn std::error::Error>> {
        let loaded = Loaded::open(path)?;
        let function = loaded.function("negative_log_posterior")?;
        let prior = vec![Value::F64(mixture.prior.0), Value::from(mixture.prior.1)];
        let fixed = vec![
            Value::floats(mixture.points.clone()),
            Value::from(mixture.d),
            Value::from(mixture.k),
            Value::Composite(Arc::new(Composite {
                ty: Some(function.params[4].ir_ty),
                tag: 0,
                parts: prior.into(),
            })),
        ];
        let engine = loaded.engine_builder().executor(executor()).build();
        let first = [true, false, false, false, false];
        let reverse_sweep = ReverseTransform::new(ReverseOutput::Gradient).with_respect_to(first.to_vec());
        engine.overdubbed(&reverse_sweep, function.symbol)?;
        let gradient = engine.prepare(&reverse_sweep, function.symbol);
        Ok(Objective { engine, function, gradient, fixed })
    }

    /// The negative logarithm of the posterior.
    pub(crate) fn value(&self, params: &[f64]) -> Result<f64, Error> {
        let value = self.engine.run(self.function.symbol, self.args(params))?;
        value.as_f64().ok_or_else(|| Error::msg("the objective is no float"))
    }

    /// Its derivative with respect to each parameter of the mixture.
    pub(crate) fn gradient(&self, params: &[f64]) -> Result<Vec<f64>, Error> {
        let both = self.gradient.run(self.args(params))?;
        let gradient = both.as_composite().and_then(|both| both.parts.get(1));
        Ok(overdub_ad::flatten::floats(gradient.ok_or_else(|| Error::msg("the way back gives two"))?))
    }

    /// The greatest deviation from central differences, relative to the largest derivative.
    pub(crate) fn largest_difference(&self, params: &[f64]) -> Result<f64, Error> {
        let gradient = self.gradient(params)?;
        let size = gradient.iter().fold(0.0, |size: f64, slope| size.max(slope.abs()));
        let mut largest: f64 = 0.0;
        for (j, slope) in gradient.iter().enumerate() {
            let step = 1e-5 * params[j].abs().max(1.0);
            let at = |step: f64| {
                let mut moved = params.to_vec();
                moved[j] += step;
                self.value(&moved)
            };
            let difference = (at(step)? - at(-step)?) / (2.0 * step);
            largest = largest.max((slope - difference).abs() / size);
        }
        Ok(largest)
    }

    fn args(&self, params: &[f64]) -> Vec<Value<'static>> {
        let mut args = vec![Value::floats(params.to_vec())];
        args.extend(self.fixed.iter().cloned());
        args
    }
}

impl CostFunction for Objective {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, params: &Vec<f64>) -> Result<f64, Error> {
        self.value(params)
    }
}

impl Gradient for Objective {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, params: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Objective::gradient(self, params)
    }
}
