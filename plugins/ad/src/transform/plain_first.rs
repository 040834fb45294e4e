//! Runs of a transformed function by plain products, and again with strong zeros where one is NaN (ZEROS2).

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use overdub_context::engine::{Engine, Layers, OutSlot, Prepared, PreparedCall, PreparedCalls};
use overdub_context::ir::LoadError;
use overdub_context::value::{Arg, Value};
use overdub_context::{Failure, Symbol};

use super::products::Products;

/// A function under contexts that multiply derivatives, ready to run.
#[derive(Debug)]
pub(crate) struct PlainFirst<L: Layers> {
    engine: Engine,
    func: Symbol,
    /// The contexts with strong zeros.
    cx: L,
    /// The function under them, prepared when it is first needed.
    strong: OnceLock<Prepared<L>>,
    strong_calls: PreparedCalls,
    plain: Option<Plain<L>>,
}

/// The function with plain products.
#[derive(Debug)]
struct Plain<L: Layers> {
    prepared: Prepared<L>,
    calls: PreparedCalls,
    /// Whether a derivative was NaN: from then on, the function with strong zeros is run at once.
    met_nan: AtomicBool,
}

impl<L: Layers> PlainFirst<L> {
    /// A function under the contexts that `cx` makes for these products.
    ///
    /// # Errors
    /// If the contexts refuse the function.
    pub(crate) fn new(
        engine: &Engine,
        func: Symbol,
        cx: impl Fn(Products) -> L,
    ) -> Result<PlainFirst<L>, LoadError> {
        let prepared = engine.prepare(&cx(Products::Plain), func);
        let made = PlainFirst::with_strong_zeros(engine, func, cx(Products::StrongZero));
        if prepared.func().is_err() {
            made.strong().func()?;
            return Ok(made);
        }
        let plain = Plain { prepared, calls: PreparedCalls::default(), met_nan: AtomicBool::new(false) };
        Ok(PlainFirst { plain: Some(plain), ..made })
    }

    /// A function under contexts with strong zeros, which is not made yet.
    pub(crate) fn with_strong_zeros(engine: &Engine, func: Symbol, cx: L) -> PlainFirst<L> {
        let strong = OnceLock::new();
        let strong_calls = PreparedCalls::default();
        PlainFirst { engine: engine.clone(), func, cx, strong, strong_calls, plain: None }
    }

    /// The function with strong zeros.
    pub(crate) fn strong(&self) -> &Prepared<L> {
        self.strong.get_or_init(|| self.engine.prepare(&self.cx, self.func))
    }

    /// The contexts with strong zeros.
    pub(crate) fn cx(&self) -> &L {
        &self.cx
    }

    /// The function with plain products, unless one was NaN, or a redefinition of the function refuses them.
    fn plain(&self) -> Option<&Plain<L>> {
        let unmet = |plain: &&Plain<L>| !plain.met_nan.load(Ordering::Relaxed);
        self.plain.as_ref().filter(unmet).filter(|plain| plain.prepared.func().is_ok())
    }

    /// Runs the function by `run`, which may run twice; `holds_nan` tells whether a derivative is NaN.
    ///
    /// # Errors
    /// As `run`.
    pub(crate) fn run<R>(
        &self,
        mut run: impl FnMut(&Prepared<L>) -> Result<R, Failure>,
        holds_nan: impl Fn(&R) -> bool,
    ) -> Result<R, Failure> {
        if let Some(plain) = self.plain() {
            let found = run(&plain.prepared)?;
            if !holds_nan(&found) {
                return Ok(found);
            }
            plain.met_nan.store(true, Ordering::Relaxed);
        }
        run(self.strong())
    }

    /// Calls the function, perhaps twice, if the executor has a prepared call of it now; its derivatives are the slots after
    /// the first `values` ones.
    pub(crate) fn call(
        &self,
        args: &[Arg<'_>],
        outs: &mut [OutSlot<'_>],
        values: usize,
    ) -> Option<Result<(), Failure>> {
        let holds_nan = |outs: &&mut [OutSlot<'_>]| outs.iter().skip(values).any(slot_holds_nan);
        self.call_by(outs, |caller, outs| Some(caller.call(args, outs)), holds_nan)
    }

    /// Makes a call of the function by `call`, perhaps twice, if the executor has a prepared call of it now, and `call` can
    /// use it; `holds_nan` tells whether a derivative is NaN.
    #[inline]
    pub(crate) fn call_by<O>(
        &self,
        mut outs: O,
        mut call: impl FnMut(&mut dyn PreparedCall, &mut O) -> Option<Result<(), Failure>>,
        holds_nan: impl FnOnce(&O) -> bool,
    ) -> Option<Result<(), Failure>> {
        if let Some(plain) = self.plain.as_ref().filter(|plain| !plain.met_nan.load(Ordering::Relaxed)) {
            let prepared = &plain.prepared;
            let result = plain.calls.with(
                prepared.epoch(),
                || prepared.func().ok().and_then(|_| prepared.prepared_call()),
                |caller| call(caller, &mut outs),
            )??;
            if result.is_err() || !holds_nan(&outs) {
                return Some(result);
            }
            plain.met_nan.store(true, Ordering::Relaxed);
        }
        let strong = self.strong();
        self.strong_calls.with(strong.epoch(), || strong.prepared_call(), |caller| call(caller, &mut outs))?
    }
}

/// Whether a float in a value is NaN.
pub(crate) fn holds_nan(value: &Value<'_>) -> bool {
    match value {
        Value::F64(x) => x.is_nan(),
        Value::F32(x) => x.is_nan(),
        Value::Array(array) => match array.as_f64s() {
            Some(floats) => any_nan(floats),
            None => array.iter().any(|elem| holds_nan(&elem)),
        },
        Value::Composite(composite) => composite.parts.iter().any(holds_nan),
        _ => false,
    }
}

fn slot_holds_nan(out: &OutSlot<'_>) -> bool {
    match out {
        OutSlot::F64(x) => x.is_nan(),
        OutSlot::F64s(floats) => any_nan(floats),
        OutSlot::Int(_) | OutSlot::Bool(_) | OutSlot::Unwanted => false,
    }
}

/// Whether one of these floats is NaN.
///
/// Many are tested by a loop that can be vectorised. Few are tested one by one: they were just stored that way, and a load of
/// several waits until all these stores have reached the cache.
#[inline]
pub(crate) fn any_nan(floats: &[f64]) -> bool {
    const FEW: usize = 16;
    match floats.len() {
        ..=FEW => floats.iter().any(|x| x.is_nan()),
        _ => floats.iter().fold(false, |any, x| any | x.is_nan()),
    }
}
