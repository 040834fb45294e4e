//! Runs of transformed functions: from values to derivatives in the shape of the arguments.

use std::sync::Arc;

use overdub_context::engine::{Engine, FuncGuard, Layers, OutSlot, Prepared, PreparedCall};
use overdub_context::ir::{Func, LoadError, NominalBody, Ty, TyKind};
use overdub_context::value::{Arg, Array, Composite, Value};
use overdub_context::{Failure, FailureKind, Symbol};

use super::Cause;
use super::context::ReverseTransform;
use super::output::{ReverseOutput, few_floats};
use super::tape_report::{self, TapeReport};
use crate::TapeBound;
use crate::codes;
use crate::cotangent::{cotangent, seed};
use crate::custom::is_read;
use crate::flatten;
use crate::transform::plain_first::{PlainFirst, holds_nan};

/// A function with its reverse transformation, ready to run.
#[derive(Debug)]
pub struct Transformed {
    engine: Engine,
    ready: PlainFirst<ReverseTransform>,
    func: Symbol,
    wrt: Vec<bool>,
    /// The type of the result's cotangent.
    seed: Ty,
    /// The numbers that the result consists of: their slots come before those of derivatives.
    values: usize,
}

impl Transformed {
    /// Transforms for the gradient, with respect to the arguments in `wrt` that hold floats, of a function
    /// that returns a float, or a tuple that begins with one.
    ///
    /// # Errors
    /// If there is no such function, or the transformation refuses it: the reason and the place.
    pub fn gradient(
        engine: &Engine,
        func: Symbol,
        wrt: &dyn Fn(usize) -> bool,
    ) -> Result<Transformed, LoadError> {
        Transformed::gradient_within(engine, func, wrt, TapeBound::Unbounded)
    }

    /// As [`Transformed::gradient`], with a bound on what is kept for the reverse sweep.
    ///
    /// # Errors
    /// As [`Transformed::gradient`].
    pub fn gradient_within(
        engine: &Engine,
        func: Symbol,
        wrt: &dyn Fn(usize) -> bool,
        bound: TapeBound,
    ) -> Result<Transformed, LoadError> {
        let primal = primal_func(engine, func)?;
        let seed = match primal.ret.kind() {
            TyKind::Tuple(parts) if !parts.is_empty() => parts[0],
            _ => primal.ret,
        };
        if !matches!(seed.kind(), TyKind::Float(_)) {
            return Err(refused(&primal, format!("it returns `{}`, which is no float", primal.ret)));
        }
        let cx = ReverseTransform::new(ReverseOutput::Gradient).within(bound);
        let wrt = active(&primal, wrt);
        let cx = cx.with_respect_to(wrt.clone());
        let ready = PlainFirst::new(engine, primal.name, |products| cx.clone().by_products(products))?;
        Ok(Transformed { engine: engine.clone(), ready, func: primal.name, wrt, seed, values: 1 })
    }

    /// Transforms for the gradients of all floats of a result, in one reverse sweep, with respect to the arguments in `wrt` that
    /// hold floats: for results of two to 16 floats in tuples and structs. A bound of memory is not kept to.
    ///
    /// ```
    /// use overdub_ad::transform::reverse::Transformed;
    /// use overdub_context::value::Value;
    ///
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(x: f64, y: f64) -> (f64, f64) { (x * y, x + y) }")?;
    /// let f = Transformed::gradients(&loaded.engine(), loaded.function("f")?.symbol, &|_| true, None)?;
    /// let (value, rows) = f.rows([3.0, 5.0].map(Value::F64).into())?;
    /// assert_eq!((value.to_string(), rows.len()), ("(15.0, 8.0)".to_owned(), 2));
    /// assert_eq!((rows[0][0].as_f64(), rows[0][1].as_f64()), (Some(5.0), Some(3.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Transformed::gradient`].
    pub fn gradients(
        engine: &Engine,
        func: Symbol,
        wrt: &dyn Fn(usize) -> bool,
        limit: Option<usize>,
    ) -> Result<Transformed, LoadError> {
        let primal = primal_func(engine, func)?;
        if few_floats(primal.ret).is_none_or(|count| count < 2) {
            return Err(refused(&primal, Cause::FewFloats(primal.ret).to_string()));
        }
        let seed = cotangent(primal.ret).map_err(|cause| refused(&primal, cause.to_string()))?;
        let bound = limit.map_or(TapeBound::Unbounded, TapeBound::Limit);
        let wrt = active(&primal, wrt);
        let cx = ReverseTransform::new(ReverseOutput::Gradients).within(bound).with_respect_to(wrt.clone());
        let ready = PlainFirst::new(engine, primal.name, |products| cx.clone().by_products(products))?;
        let values = scalars_of(primal.ret);
        Ok(Transformed { engine: engine.clone(), ready, func: primal.name, wrt, seed, values })
    }

    /// Transforms for the pullback of a function, for cotangents of its result.
    ///
    /// # Errors
    /// As [`Transformed::gradient`].
    pub fn pullback(
        engine: &Engine,
        func: Symbol,
        wrt: &dyn Fn(usize) -> bool,
        limit: Option<usize>,
    ) -> Result<Transformed, LoadError> {
        Transformed::pullback_within(engine, func, wrt, limit.map_or(TapeBound::Unbounded, TapeBound::Limit))
    }

    /// As [`Transformed::pullback`], with a bound on what is kept for the reverse sweep.
    ///
    /// # Errors
    /// As [`Transformed::gradient`].
    pub fn pullback_within(
        engine: &Engine,
        func: Symbol,
        wrt: &dyn Fn(usize) -> bool,
        bound: TapeBound,
    ) -> Result<Transformed, LoadError> {
        let primal = primal_func(engine, func)?;
        let seed = cotangent(primal.ret).map_err(|cause| refused(&primal, cause.to_string()))?;
        if !is_read(seed) {
            return Err(refused(&primal, format!("it returns `{}`, and may return no float", primal.ret)));
        }
        let cx = ReverseTransform::new(ReverseOutput::Pullback).within(bound);
        let wrt = active(&primal, wrt);
        let ready = PlainFirst::with_strong_zeros(engine, primal.name, cx.with_respect_to(wrt.clone()));
        ready.strong().func()?;
        Ok(Transformed { engine: engine.clone(), ready, func: primal.name, wrt, seed, values: 1 })
    }

    /// The result, and a derivative in the shape of each argument: zero if it is not active.
    ///
    /// # Errors
    /// If the program fails.
    pub fn run<'a>(&self, args: Vec<Value<'a>>) -> Result<(Value<'a>, Vec<Value<'static>>), Failure> {
        self.run_for(args, &|_| true)
    }

    /// As [`Transformed::run`], with unit for arguments that are not wanted: zeros in the shape of a long list take as long as the
    /// list.
    ///
    /// # Errors
    /// If the program fails.
    pub fn run_for<'a>(
        &self,
        args: Vec<Value<'a>>,
        is_wanted: &dyn Fn(usize) -> bool,
    ) -> Result<(Value<'a>, Vec<Value<'static>>), Failure> {
        let run = |prepared: &Prepared<ReverseTransform>| {
            let both = prepared.run(args.clone())?;
            let [value, cotangents] = <[Value<'a>; 2]>::try_from(parts_of_value(both)).map_err(misfit)?;
            Ok((value, shaped_for(&args, &self.wrt, is_wanted, cotangents.into_owned())?))
        };
        self.ready.run(run, |(_, derivatives)| derivatives.iter().any(holds_nan))
    }

    /// The result, and for each float of it a derivative in the shape of each argument, of a function that was transformed for
    /// [`Transformed::gradients`].
    ///
    /// # Errors
    /// If the program fails.
    pub fn rows<'a>(&self, args: Vec<Value<'a>>) -> Result<(Value<'a>, Vec<Vec<Value<'static>>>), Failure> {
        let run = |prepared: &Prepared<ReverseTransform>| {
            let both = prepared.run(args.clone())?;
            let [value, rows] = <[Value<'a>; 2]>::try_from(parts_of_value(both)).map_err(misfit)?;
            let rows =
                parts_of_value(rows).into_iter().map(|row| all_shaped(&args, &self.wrt, row.into_owned()));
            Ok((value, rows.collect::<Result<Vec<_>, _>>()?))
        };
        self.ready.run(run, |(_, rows)| rows.iter().flatten().any(holds_nan))
    }

    /// The bytes that the gradient records at these arguments.
    ///
    /// # Errors
    /// If the program fails.
    pub(crate) fn tape_report(&self, args: Vec<Value<'_>>) -> Result<TapeReport, Failure> {
        // A transformed function counts only under a limit (RECORD1).
        let counting = self.ready.cx().clone().counting();
        let prepared = self.engine.prepare(&counting, self.func);
        let (report, result) = tape_report::by_line(|| prepared.run(args));
        result.map(|_| report)
    }

    /// Which arguments are active.
    pub(crate) fn wrt(&self) -> &[bool] {
        &self.wrt
    }

    /// Calls a gradient in place, if the engine's executor has a prepared call of it now: the result is written to the
    /// first slot, the derivatives with respect to the active arguments to the others. It runs again with strong zeros if
    /// a derivative by plain products is NaN. Of [`Transformed::gradients`], the numbers of the result are written to the first
    /// slots, and then those of each row.
    ///
    /// ```
    /// use overdub_ad::transform::reverse::Transformed;
    /// use overdub_context::engine::OutSlot;
    /// use overdub_context::value::Arg;
    ///
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(x: f64, y: f64) -> f64 { x * x * y }")?;
    /// let f = Transformed::gradient(&loaded.engine(), loaded.function("f")?.symbol, &|_| true)?;
    /// let (mut z, mut dx, mut dy) = (0.0, 0.0, 0.0);
    /// let mut outs = [&mut z, &mut dx, &mut dy].map(OutSlot::F64);
    /// let called = f.call(&[Arg::F64(3.0), Arg::F64(5.0)], &mut outs);
    /// // The interpreter has no prepared calls, machine code has them.
    /// assert!(called.is_none() || (z, dx, dy) == (45.0, 30.0, 9.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PreparedCall::call`](overdub_context::engine::PreparedCall::call).
    pub fn call(&self, args: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Option<Result<(), Failure>> {
        self.ready.call(args, outs, self.values)
    }

    /// As [`Transformed::call`], by `call`, which passes arguments and slots; `holds_nan` tells whether a derivative is NaN.
    #[inline]
    pub(crate) fn call_by<O>(
        &self,
        outs: O,
        call: impl FnMut(&mut dyn PreparedCall, &mut O) -> Option<Result<(), Failure>>,
        holds_nan: impl FnOnce(&O) -> bool,
    ) -> Option<Result<(), Failure>> {
        self.ready.call_by(outs, call, holds_nan)
    }

    /// The result and the pullback.
    ///
    /// # Errors
    /// If the program fails.
    pub fn split(&self, args: Vec<Value<'static>>) -> Result<(Value<'static>, TransformPullback), Failure> {
        self.ready.strong().run_guarded(args.clone(), |both, guard| self.split_result(args, both, guard))
    }

    /// Runs under contexts that see the calls of the forward and the reverse sweep. `read` turns the result
    /// and the pullback into what the contexts return.
    pub(crate) fn split_in<O: Layers, X>(
        &self,
        enclosing: &O,
        args: Vec<Value<'static>>,
        read: impl FnOnce(Value<'static>, TransformPullback) -> Result<X, Failure>,
    ) -> Result<O::Of<X>, Failure> {
        let cx = (enclosing.clone(), self.ready.cx().clone());
        self.engine.overdub_guarded(&cx, self.func, args.clone(), |both, guard| {
            let (value, pullback) = self.split_result(args, both, guard)?;
            read(value, pullback)
        })
    }

    /// The function with contexts around it, made but not run; its code is kept until the returned value is
    /// dropped.
    ///
    /// # Errors
    /// If the transformation refuses what the contexts make of the function.
    pub(crate) fn prepare_in<O: Layers>(
        &self,
        enclosing: &O,
    ) -> Result<Prepared<(O, ReverseTransform)>, LoadError> {
        let prepared = self.engine.prepare(&(enclosing.clone(), self.ready.cx().clone()), self.func);
        prepared.func()?;
        Ok(prepared)
    }

    fn split_result(
        &self,
        args: Vec<Value<'static>>,
        both: Value<'static>,
        guard: FuncGuard,
    ) -> Result<(Value<'static>, TransformPullback), Failure> {
        let [value, closure] = <[Value<'static>; 2]>::try_from(parts_of_value(both)).map_err(misfit)?;
        let pullback = TransformPullback {
            engine: self.engine.clone(),
            closure,
            _guard: guard,
            args,
            wrt: self.wrt.clone(),
            value: value.clone(),
            seed: self.seed,
        };
        Ok((value, pullback))
    }
}

/// The pullback of one run.
#[derive(Clone, Debug)]
pub struct TransformPullback {
    engine: Engine,
    closure: Value<'static>,
    /// Keeps the code of the closure alive.
    _guard: FuncGuard,
    args: Vec<Value<'static>>,
    wrt: Vec<bool>,
    value: Value<'static>,
    seed: Ty,
}

impl TransformPullback {
    /// A derivative in the shape of each argument, for the cotangents of the result's floats in order.
    ///
    /// # Errors
    /// If there are fewer cotangents than floats.
    pub fn pull(&self, cotangents: &[f64]) -> Result<Vec<Value<'static>>, Failure> {
        let seed = seed(&self.value, self.seed, &mut cotangents.iter().copied())?;
        let found = self.engine.call(&self.closure, vec![seed])?;
        all_shaped(&self.args, &self.wrt, found)
    }

    /// The number of bytes that the pullback keeps from the run.
    pub fn tape_bytes(&self) -> usize {
        tape_report::bytes(&self.closure)
    }
}

/// The cotangent of a result of type `ret` with these floats in order: the last argument of a function with
/// [`ReverseOutput::Vjp`].
///
/// # Errors
/// If there are fewer numbers than floats, or values of the type have no cotangents.
pub fn cotangent_of(
    result: &Value<'static>,
    ret: Ty,
    floats: &mut dyn Iterator<Item = f64>,
) -> Result<Value<'static>, Failure> {
    let ty = cotangent(ret).map_err(|cause| Failure::new(FailureKind::Type, cause.to_string()))?;
    seed(result, ty, floats)
}

/// The cotangents that a function under [`ReverseTransform`] returns for the arguments in `wrt` that hold
/// floats, each in the shape of its argument; zeros for the others.
///
/// # Errors
/// If they are not cotangents of these arguments.
pub fn all_shaped(
    args: &[Value<'_>],
    wrt: &[bool],
    cotangents: Value<'static>,
) -> Result<Vec<Value<'static>>, Failure> {
    shaped_for(args, wrt, &|_| true, cotangents)
}

/// As [`all_shaped`], with unit for arguments that are not wanted.
fn shaped_for(
    args: &[Value<'_>],
    wrt: &[bool],
    is_wanted: &dyn Fn(usize) -> bool,
    cotangents: Value<'static>,
) -> Result<Vec<Value<'static>>, Failure> {
    let mut cotangents = parts_of_value(cotangents).into_iter();
    let shaped = args.iter().zip(wrt).enumerate().map(|(at, (arg, wrt))| {
        let cotangent = if *wrt { cotangents.next() } else { None };
        if is_wanted(at) { shaped(arg, cotangent.unwrap_or(Value::Unit)) } else { Ok(Value::Unit) }
    });
    shaped.collect()
}

/// Which of the arguments in `wrt` hold floats. A transformation with respect to others, too, returns the same derivatives, but
/// perhaps other last bits: it differentiates functions that call themselves in another form.
pub fn active(func: &Func, wrt: &dyn Fn(usize) -> bool) -> Vec<bool> {
    let holds = |ty: Ty| cotangent(ty).map_or(true, |dty| dty != Ty::unit());
    func.param_tys().enumerate().map(|(at, ty)| wrt(at) && holds(ty)).collect()
}

pub(crate) fn primal_func(engine: &Engine, func: Symbol) -> Result<Arc<Func>, LoadError> {
    engine.module().func(func)?.ok_or_else(|| LoadError::missing(func))
}

pub(crate) fn refused(func: &Func, message: String) -> LoadError {
    LoadError { code: codes::NO_DERIVATIVE, message, span: func.span, help: None }
}

#[cold]
fn misfit<T>(_: T) -> Failure {
    Failure::new(FailureKind::Type, "a rewritten function gives a result and derivatives")
}

/// The parts of a composite, moved out if it has one owner.
pub(crate) fn parts_of_value(value: Value<'_>) -> Vec<Value<'_>> {
    match value {
        Value::Composite(composite) => Arc::unwrap_or_clone(composite).parts.into_iter().collect(),
        _ => Vec::new(),
    }
}

/// A cotangent in the shape of its value, with zeros for the parts without a cotangent.
fn shaped(value: &Value<'_>, cotangent: Value<'static>) -> Result<Value<'static>, Failure> {
    match (value, cotangent) {
        (Value::F64(_), dx @ Value::F64(_)) | (Value::F32(_), dx @ Value::F32(_)) => Ok(dx),
        (Value::Array(array), Value::Array(dx))
            if dx.shape() == array.shape() && dx.elem_ty() == array.elem_ty() && is_float(dx.elem_ty()) =>
        {
            Ok(Value::Array(dx))
        }
        (Value::Array(array), Value::Array(dx)) if dx.len() == array.len() => {
            let elems = array.iter().zip(dx.iter()).map(|(elem, dx)| shaped(&elem, dx));
            let elems = elems.collect::<Result<Vec<_>, _>>()?;
            let flat = Array::from_values(array.elem_ty(), elems);
            flat.and_then(|flat| flat.reshape(array.shape())).map(Value::from).ok_or_else(|| misfit(()))
        }
        (Value::Composite(composite), Value::Composite(dx)) if dx.parts.len() == composite.parts.len() => {
            let parts = composite.parts.iter().zip(&dx.parts).map(|(part, dx)| shaped(part, dx.clone()));
            let parts = parts.collect::<Result<_, _>>()?;
            Ok(Value::Composite(Arc::new(Composite { ty: composite.ty, tag: composite.tag, parts })))
        }
        (value, _) => zeros(value),
    }
}

fn is_float(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Float(_))
}

/// How many numbers a value of a type without arrays consists of.
fn scalars_of(ty: Ty) -> usize {
    match ty.kind() {
        TyKind::Unit => 0,
        TyKind::Tuple(parts) => parts.iter().map(|part| scalars_of(*part)).sum(),
        TyKind::Struct(nominal) => match nominal.body() {
            Some(NominalBody::Struct(fields)) => fields.iter().map(|field| scalars_of(field.ty)).sum(),
            _ => 1,
        },
        _ => 1,
    }
}

/// The value with its floats replaced by zeros.
fn zeros(value: &Value<'_>) -> Result<Value<'static>, Failure> {
    match value {
        Value::Array(array) if !is_float(array.elem_ty()) && holds_no_float(array.elem_ty()) => {
            Ok(value.clone().into_owned())
        }
        _ => flatten::with_floats(&value.clone().into_owned(), &mut std::iter::repeat(0.0)),
    }
}

/// Whether values of a type are numbers or texts that hold no float.
fn holds_no_float(ty: Ty) -> bool {
    match ty.kind() {
        TyKind::Unit | TyKind::Bool | TyKind::Char | TyKind::Str | TyKind::Int(_) => true,
        TyKind::Struct(nominal) => match nominal.body() {
            Some(NominalBody::Struct(fields)) => fields.iter().all(|field| holds_no_float(field.ty)),
            _ => false,
        },
        _ => false,
    }
}
