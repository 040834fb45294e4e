//! The reverse transformation as a context.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::engine::{Body, Context, Key, NeedsHandle, Pass, PassError, ValueOnly};
use overdub_context::ir::{Func, Ty};

use super::Refusal;
use super::output::ReverseOutput;
use super::recomputation::Recomputation;
use super::transformer::ReverseTransformer;
use crate::TapeBound;
use crate::custom::{self, ActiveRules, formula_for};
use crate::transform::Names;
use crate::transform::products::Products;

/// The context of reverse mode by transformation of a function's optimised body.
///
/// ```
/// use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform};
/// use overdub_context::value::Value;
///
/// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(a: f64, b: f64) -> f64 { a / (a + b * b) }")?;
/// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
/// let both = engine.overdub(&ReverseTransform::new(ReverseOutput::Pullback), f, [2.0, 3.0].map(Value::F64).into())?;
/// let parts = both.as_composite().expect("the result and the pullback").parts.clone();
/// let cotangents = engine.call(&parts[1], vec![Value::F64(1.0)])?;
/// let da = cotangents.as_composite().expect("one for each argument").parts[0].as_f64();
/// assert!((da.unwrap() - 9.0 / 121.0).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ReverseTransform {
    output: ReverseOutput,
    wrt: Option<Vec<bool>>,
    bound: TapeBound,
    counts: bool,
    products: Products,
    rules: ActiveRules,
}

impl ReverseTransform {
    /// With respect to all arguments that hold floats.
    pub fn new(output: ReverseOutput) -> ReverseTransform {
        let (bound, rules) = (TapeBound::Unbounded, ActiveRules::current());
        ReverseTransform { output, wrt: None, bound, counts: false, products: Products::default(), rules }
    }

    /// With respect to these arguments only.
    #[must_use]
    pub fn with_respect_to(self, wrt: Vec<bool>) -> ReverseTransform {
        ReverseTransform { wrt: Some(wrt), ..self }
    }

    /// With a limit on the tape in bytes: a function that records more fails.
    #[must_use]
    pub fn with_tape_limit(self, bytes: usize) -> ReverseTransform {
        self.within(TapeBound::Limit(bytes))
    }

    /// Counting the bytes that it records and keeps, which takes time.
    #[must_use]
    pub(super) fn counting(self) -> ReverseTransform {
        let bound = match self.bound {
            TapeBound::Unbounded => TapeBound::Limit(i64::MAX as usize),
            bound => bound,
        };
        ReverseTransform { bound, counts: true, ..self }
    }

    /// With these products; plain ones are refused in some functions (ZEROS3).
    #[must_use]
    pub(crate) fn by_products(self, products: Products) -> ReverseTransform {
        ReverseTransform { products, ..self }
    }

    /// Multiplies derivatives as floats are multiplied, so that zero times infinity is NaN. Derivatives none of which is NaN are those
    /// with strong zeros, to the bit (ZEROS2). A function in which that does not hold is refused, and so is one whose derivative has no
    /// such products.
    ///
    /// ```
    /// use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform};
    ///
    /// let source = "pub fn f(a: f64, b: f64) -> f64 { a * a * b }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
    /// let gradient = ReverseTransform::new(ReverseOutput::Gradient);
    /// let products = |cx: ReverseTransform| engine.prepare(&cx, f).func().map(|func| func.to_string());
    /// assert!(products(gradient.clone())?.contains("mul.zero"));
    /// assert!(!products(gradient.with_plain_products())?.contains("mul.zero"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_plain_products(self) -> ReverseTransform {
        self.by_products(Products::Plain)
    }

    /// With a bound on what the reverse sweep keeps.
    #[must_use]
    pub fn within(self, bound: TapeBound) -> ReverseTransform {
        ReverseTransform { bound, ..self }
    }
}

/// The name of the function that returns the result of `func` and its gradient with respect to these
/// parameters, and all generated functions.
pub(crate) fn direct_gradient(
    names: Names<'_>,
    func: &Arc<Func>,
    wrt: &[bool],
    recomputation: Recomputation,
) -> Result<(Symbol, Vec<Arc<Func>>), Refusal> {
    let transformer = ReverseTransformer { recomputation, ..ReverseTransformer::new(names) };
    let reversed = transformer.all(func, wrt, &[ReverseOutput::Gradient])?;
    Ok(((names.name)(func.name, &ReverseOutput::Gradient.label(wrt)), reversed.funcs))
}

/// Whether a library function has a formula for its derivative.
pub(crate) fn is_of_library(func: &Func) -> bool {
    let params: Vec<Ty> = func.param_tys().collect();
    formula_for(func.name, &params, func.ret).is_some()
}

impl Context for ReverseTransform {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn key(&self) -> Key {
        custom::keyed(Key::of::<ReverseTransform>().with(self), &self.rules)
    }

    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::No
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        let transform = |names: Names<'_>, func: &Arc<Func>, wrt: &[bool]| {
            let name = (names.name)(func.name, &self.output.label(wrt));
            let transformer = ReverseTransformer {
                bound: self.bound,
                counts: self.counts,
                ..ReverseTransformer::new(names)
            };
            let reversed = transformer.all(func, wrt, &[self.output])?;
            Ok((name, reversed.funcs))
        };
        let otherwise = "take the reverse mode that records: it follows derivatives anywhere";
        self.rules.during(|| self.products.pass(body, self.wrt.as_ref(), &transform, otherwise))
    }
}
