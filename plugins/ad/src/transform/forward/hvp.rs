//! Hessian-vector products: the forward transformation of the reverse transformation.

use overdub_context::engine::{Engine, OutSlot, Prepared};
use overdub_context::ir::{LoadError, Ty, TyKind};
use overdub_context::value::{Arg, Value};
use overdub_context::{Failure, FailureKind, Symbol};

use super::ForwardTransform;
use crate::cotangent::{cotangent, seed};
use crate::transform::plain_first::{PlainFirst, holds_nan};
use crate::transform::products::Products;
use crate::transform::reverse::{
    ReverseOutput, ReverseTransform, all_shaped, parts_of_value, primal_func, refused,
};

/// The forward transformation of a function's gradient, ready to run.
#[derive(Debug)]
pub struct Hvp {
    ready: PlainFirst<(ForwardTransform, ReverseTransform)>,
    wrt: Vec<bool>,
    /// The types of the tangents of the active arguments.
    tangents: Vec<Ty>,
}

impl Hvp {
    /// Transforms the gradient, with respect to the arguments in `wrt` that hold floats, of a function that
    /// returns a float, or a tuple that begins with one.
    ///
    /// # Errors
    /// If there is no such function, or a transformation refuses it: the reason and the place.
    ///
    /// ```
    /// use overdub_ad::transform::forward::Hvp;
    /// use overdub_context::value::Value;
    ///
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(x: f64, y: f64) -> f64 { x * x * y }")?;
    /// let hvp = Hvp::new(&loaded.engine(), loaded.function("f")?.symbol, &|_| true)?;
    /// let products = hvp.run([3.0, 5.0].map(Value::F64).into(), &mut [1.0, 0.0].into_iter())?;
    /// assert_eq!(products.iter().map(|product| product.as_f64()).collect::<Vec<_>>(), [Some(10.0), Some(6.0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(engine: &Engine, func: Symbol, wrt: &dyn Fn(usize) -> bool) -> Result<Hvp, LoadError> {
        let primal = primal_func(engine, func)?;
        let float = match primal.ret.kind() {
            TyKind::Tuple(parts) if !parts.is_empty() => parts[0],
            _ => primal.ret,
        };
        if !matches!(float.kind(), TyKind::Float(_)) {
            return Err(refused(&primal, format!("it returns `{}`, which is no float", primal.ret)));
        }
        let (mut all, mut tangents) = (Vec::new(), Vec::new());
        for (at, ty) in primal.param_tys().enumerate() {
            let dty = cotangent(ty).map_err(|cause| refused(&primal, cause.to_string()))?;
            all.push(wrt(at) && dty != Ty::unit());
            tangents.extend(all[at].then_some(dty));
        }
        let inner = ReverseTransform::new(ReverseOutput::Gradient).with_respect_to(all.clone());
        // The tangents of the gradient, which is the second part of what the inner one returns.
        let outer = ForwardTransform::new().with_respect_to(all.clone()).tangents_of_part(1);
        let cx =
            |products: Products| (outer.clone().by_products(products), inner.clone().by_products(products));
        Ok(Hvp { ready: PlainFirst::new(engine, func, cx)?, wrt: all, tangents })
    }

    /// Calls the product in place, if the engine's executor has a prepared call of it now: it takes the arguments, then the
    /// tangents of the active ones, and writes the products, one for each active argument, to the slots. It runs again with
    /// strong zeros if a product is NaN.
    ///
    /// ```
    /// use overdub_ad::transform::forward::Hvp;
    /// use overdub_context::engine::OutSlot;
    /// use overdub_context::value::Arg;
    ///
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(x: f64, y: f64) -> f64 { x * x * y }")?;
    /// let hvp = Hvp::new(&loaded.engine(), loaded.function("f")?.symbol, &|_| true)?;
    /// let (mut hx, mut hy) = (0.0, 0.0);
    /// let called = hvp.call(&[3.0, 5.0, 1.0, 0.0].map(Arg::F64), &mut [&mut hx, &mut hy].map(OutSlot::F64));
    /// // The interpreter has no prepared calls, machine code has them.
    /// assert!(called.is_none() || (hx, hy) == (10.0, 6.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PreparedCall::call`](overdub_context::engine::PreparedCall::call).
    pub fn call(&self, args: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Option<Result<(), Failure>> {
        self.ready.call(args, outs, 0)
    }

    /// The arguments with respect to which there are products.
    pub(crate) fn wrt(&self) -> &[bool] {
        &self.wrt
    }

    /// The tangent of the gradient, in the shape of each argument, along a direction of the arguments, given
    /// as the floats of the active ones in order.
    ///
    /// # Errors
    /// If the program fails, or there are fewer numbers than floats.
    pub fn run(
        &self,
        args: Vec<Value<'static>>,
        direction: &mut dyn Iterator<Item = f64>,
    ) -> Result<Vec<Value<'static>>, Failure> {
        let mut all = args.clone();
        let wrt = args.iter().zip(&self.wrt).filter(|(_, wrt)| **wrt);
        for ((arg, _), dty) in wrt.zip(&self.tangents) {
            all.push(seed(arg, *dty, direction)?);
        }
        let missing = || Failure::new(FailureKind::Type, "a gradient has tangents");
        let run = |prepared: &Prepared<(ForwardTransform, ReverseTransform)>| {
            parts_of_value(prepared.run(all.clone())?).pop().ok_or_else(missing)
        };
        let products = self.ready.run(run, holds_nan)?;
        all_shaped(&args, &self.wrt, products)
    }
}
