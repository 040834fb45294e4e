//! Reverse mode: a function's value, and its pullback there.

use std::fmt;

use overdub_context::FailureKind;
use overdub_context::engine::{Engine, Layers};
use overdub_context::value::{Floats, FromValue, Home, Mismatch, Value};
use overdub_lower::api::{Arguments, Callable, Error, Handed, Takes, Target, Under, finish};

use super::composed::{Composed, Inner, failed};
use super::engine::engine;
use super::strategy::{Strategy, gradient_of};
use super::{check_shape, own};
use crate::api::by_value::{no_float, payload};
use crate::flatten::floats;
use crate::tape::{self, TAPE_LIMIT, vjp_in, vjp_of};
use crate::transform::reverse::{TransformPullback, Transformed};

/// The context of reverse mode: `overdub(Reverse, f, args)` gives the value of the function and its [`Pullback`].
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::Reverse;
///
/// #[dub]
/// fn f(a: f64, b: f64) -> f64 { a / (a + b * b) }
///
/// let (y, pullback) = overdub(Reverse, f, (2.0, 3.0))?;
/// let (da, db) = pullback.call(1.0)?;
/// assert_eq!(y, 2.0 / 11.0);
/// assert!((da - 9.0 / 121.0).abs() < 1e-15 && (db + 12.0 / 121.0).abs() < 1e-15);
/// # Ok::<(), overdub::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reverse;

/// Reverse mode with a limit to what its tape takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limited {
    bytes: usize,
}

impl Reverse {
    /// Reverse mode with a tape of so many bytes at most: a function that needs more is an error.
    pub fn with_tape_limit(bytes: usize) -> Limited {
        Limited { bytes }
    }
}

impl<Args> Takes<Args> for Reverse {
    type Args = Args;
}

impl<Args> Takes<Args> for Limited {
    type Args = Args;
}

impl<'a, Args, R> Under<Args, R> for Reverse
where
    Args: Arguments<'a> + Floats,
    R: FromValue + Floats,
{
    type Of = (R, Pullback<R::Of, Args::Of>);

    fn run_in<O: Layers>(
        self,
        around: &O,
        engine: &Engine,
        target: &Target,
        given: Args,
    ) -> Result<O::Of<Self::Of>, Error> {
        pulled(engine, (around, &()), target, given, None)
    }
}

impl<'a, Args, R, B> Under<Args, R> for Composed<Reverse, B>
where
    Args: Arguments<'a> + Floats,
    R: FromValue + Floats,
    B: Layers,
{
    type Of = (B::Of<R>, Pullback<R::Of, Args::Of>);

    fn run_in<O: Layers>(
        self,
        around: &O,
        engine: &Engine,
        target: &Target,
        given: Args,
    ) -> Result<O::Of<Self::Of>, Error> {
        pulled(engine, (around, &self.inner), target, given, None)
    }
}

impl<'a, Args, R> Under<Args, R> for Limited
where
    Args: Arguments<'a> + Floats,
    R: FromValue + Floats,
{
    type Of = (R, Pullback<R::Of, Args::Of>);

    fn run_in<O: Layers>(
        self,
        around: &O,
        engine: &Engine,
        target: &Target,
        given: Args,
    ) -> Result<O::Of<Self::Of>, Error> {
        pulled(engine, (around, &()), target, given, Some(self.bytes))
    }
}

impl<'a, Args, R, B> Under<Args, R> for Composed<Limited, B>
where
    Args: Arguments<'a> + Floats,
    R: FromValue + Floats,
    B: Layers,
{
    type Of = (B::Of<R>, Pullback<R::Of, Args::Of>);

    fn run_in<O: Layers>(
        self,
        around: &O,
        engine: &Engine,
        target: &Target,
        given: Args,
    ) -> Result<O::Of<Self::Of>, Error> {
        pulled(engine, (around, &self.inner), target, given, Some(self.mode.bytes))
    }
}

/// From the floats of `R` to those of `Args`.
type PullbackOf<R, Args> = Pullback<<R as Floats>::Of, <Args as Floats>::Of>;

/// What a function gives under contexts, and its pullback.
type Pulled<B, R, Args> = (<B as Layers>::Of<R>, PullbackOf<R, Args>);

/// The result of a function under `inner`, and its pullback, as contexts around give both.
fn pulled<'a, O, B, Args, R>(
    engine: &Engine,
    (around, inner): (&O, &B),
    target: &Target,
    given: Args,
    limit: Option<usize>,
) -> Result<O::Of<Pulled<B, R, Args>>, Error>
where
    O: Layers,
    B: Layers,
    Args: Arguments<'a> + Floats,
    R: FromValue + Floats,
{
    let Handed { values, homes } = target.hand_over(given)?;
    let all = own(target, values);
    let inner = Inner::of(inner, engine, target);
    let (args, open) = inner.open(all.clone());
    // L1
    let constants = args.len() - all.len() + target.captures.len();
    let made = Transformed::pullback(engine, inner.func, &|at| at >= constants, limit);
    let strategy = Strategy::of(&made);
    let pullback = |way: Engine_, result: Value<'static>| {
        let pull = Pull { way, constants, result, strategy: strategy.clone() };
        Pullback { pull, write: R::value_of, read: Args::floats_of }
    };
    // Taken by the run that gives the result.
    let mut ending = Some((homes, open));
    if let Ok(rewritten) = made {
        let ran = rewritten.split_in(around, args, |value, back| {
            let Some((homes, open)) = ending.take() else { return Err(failed(ended_twice())) };
            if limit.is_some_and(|limit| back.tape_bytes() > limit) {
                let limit = limit.unwrap_or(TAPE_LIMIT);
                return Err(failed(too_much(target, back.tape_bytes(), limit)));
            }
            let (result, outs) = target.function.split(value.clone());
            let outputs = [&result].into_iter().chain(&outs).map(|value| floats(value).len()).sum();
            let y = inner.close(open, value, |value| finish(&target.function, value, homes))?;
            Ok((y, pullback(Engine_::Transformed { back, outputs }, result)))
        });
        match ran {
            Ok(given) => return Ok(given),
            Err(failure) if ending.is_none() => return Err(failure.into()),
            Err(failure) if failure.kind() == FailureKind::MemoryLimit && limit.is_some() => {
                return Err(failure.into());
            }
            Err(failure) if failure.limit().is_some_and(|limit| !limit.is_of_calls()) => {
                return Err(failure.into());
            }
            // S1
            Err(_) => {}
        }
    }
    // Metadata that a run has changed are not those of another.
    let (args, open) = inner.open(all);
    let Some((homes, _)) = ending else { return Err(ended_twice()) };
    let limit = limit.unwrap_or(TAPE_LIMIT);
    Ok(vjp_in(engine, around, (inner.func, args), limit, &|_| true, |recorded| {
        let (result, _) = target.function.split(recorded.value.clone());
        let y = inner.close(open, recorded.value, |value| finish(&target.function, value, homes))?;
        Ok((y, pullback(Engine_::TapeRun(recorded.pullback), result)))
    })?)
}

#[cold]
fn ended_twice() -> Error {
    Error::new("a run ended twice")
}

#[cold]
fn too_much(target: &Target, bytes: usize, limit: usize) -> Error {
    let name = target.function.symbol;
    Error::new(format!(
        "what is kept of `{name}` for its pullback takes {bytes} bytes, its limit is {limit} bytes"
    ))
    .with_help("allow more, or recompute a part of the program: `checkpoint(f, args)`")
}

/// A run that was recorded.
pub(super) struct TapeRun {
    value: Value<'static>,
    pub(super) pull: Pull,
}

impl TapeRun {
    /// Runs a function; of its floats those are differentiated that are wanted, numbered through all that it takes.
    pub(super) fn new(
        engine: &Engine,
        target: &Target,
        values: Vec<Value<'_>>,
        limit: usize,
        wrt: &dyn Fn(usize) -> bool,
    ) -> Result<TapeRun, Error> {
        let recorded = vjp_of(engine, target.function.symbol, own(target, values), limit, wrt)?;
        let (result, _) = target.function.split(recorded.value.clone());
        let pull = Pull {
            way: Engine_::TapeRun(recorded.pullback),
            constants: target.captures.len(),
            result,
            strategy: Strategy::Recording { because: "it was asked for".to_owned() },
        };
        Ok(TapeRun { value: recorded.value, pull })
    }

    /// The function's result; the last values of `&mut` parameters go home.
    pub(super) fn home<R: FromValue>(self, target: &Target, homes: Vec<Home<'_>>) -> Result<R, Error> {
        finish(&target.function, self.value, homes)
    }
}

/// A pullback of values.
#[derive(Clone)]
pub(super) struct Pull {
    way: Engine_,
    /// How many arguments come before those that there are cotangents for.
    constants: usize,
    result: Value<'static>,
    strategy: Strategy,
}

/// What takes cotangents back.
#[derive(Clone)]
enum Engine_ {
    TapeRun(tape::TapePullback),
    Transformed {
        back: TransformPullback,
        /// How many floats there are cotangents for.
        outputs: usize,
    },
}

impl Pull {
    /// The cotangents of the arguments.
    fn call(&self, dy: &Value<'_>) -> Result<Vec<Value<'static>>, Error> {
        check_shape("the cotangent of the result", &self.result, dy)?;
        let mut seeds = floats(dy);
        // K2: what `&mut` parameters hold at last.
        let mut cotangents = match &self.way {
            Engine_::TapeRun(pullback) => {
                seeds.resize(pullback.outputs(), 0.0);
                pullback.pull(&seeds)?
            }
            Engine_::Transformed { back, outputs } => {
                seeds.resize(*outputs, 0.0);
                back.pull(&seeds)?
            }
        };
        Ok(cotangents.split_off(self.constants))
    }

    /// The same for a result of one float whose cotangent is 1.
    pub(super) fn of_one(&self, target: &Target) -> Result<Vec<Value<'static>>, Error> {
        let (func, ret) = (target.function.symbol, target.function.ir_ret);
        if !crate::augment::is_float(payload(ret)) {
            return Err(no_float(func, ret).into());
        }
        let one = crate::flatten::with_floats(&self.result, &mut std::iter::repeat(1.0))?;
        self.call(&one)
    }
}

/// Takes a cotangent of a function's result to those of its arguments, at the point at which it was made. It is called
/// as often as one likes, from as many threads as one likes.
pub struct Pullback<Dy, Dx> {
    pull: Pull,
    write: fn(Dy) -> Value<'static>,
    read: fn(Value<'_>) -> Result<Dx, Mismatch>,
}

impl<Dy, Dx> Pullback<Dy, Dx> {
    /// One cotangent for each argument, for one of the result.
    ///
    /// # Errors
    /// Where the cotangent does not have the shape of the result.
    pub fn call(&self, dy: Dy) -> Result<Dx, Error> {
        let cotangents = self.pull.call(&(self.write)(dy))?;
        (self.read)(Value::tuple(cotangents)).map_err(|error| Error::new(error.to_string()))
    }

    /// The bytes that are kept of the run.
    pub fn tape_bytes(&self) -> usize {
        match &self.pull.way {
            Engine_::TapeRun(pullback) => pullback.tape_bytes(),
            Engine_::Transformed { back, .. } => back.tape_bytes(),
        }
    }

    /// Which of the two reverse modes found it.
    pub fn strategy(&self) -> &Strategy {
        &self.pull.strategy
    }
}

impl<Dy, Dx> Clone for Pullback<Dy, Dx> {
    fn clone(&self) -> Self {
        Pullback { pull: self.pull.clone(), write: self.write, read: self.read }
    }
}

impl<Dy, Dx> fmt::Debug for Pullback<Dy, Dx> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pullback").field("tape_bytes", &self.tape_bytes()).finish_non_exhaustive()
    }
}

/// The derivative of a function that returns a float in each of its arguments, in their shapes.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::gradient;
///
/// #[dub]
/// fn norm(xs: &[f64], p: f64) -> f64 { xs.iter().map(|x| x.powf(p)).sum::<f64>() }
///
/// let (dxs, dp): (Vec<f64>, f64) = gradient(norm, (&[3.0, 1.0][..], 2.0))?;
/// assert_eq!(dxs, [6.0, 2.0]);
/// assert!((dp - 9.0 * 3.0_f64.ln()).abs() < 1e-12);
/// # Ok::<(), overdub::Error>(())
/// ```
///
/// Annotated functions, and loaded programs, take gradients of their own functions so, and are differentiated in turn:
///
/// ```
/// # use overdub::prelude::*;
/// #[dub]
/// fn energy(x: f64, k: f64) -> f64 { 0.5 * k * x * x }
///
/// #[dub]
/// fn force(x: f64, k: f64) -> f64 {
///     let (dx, _) = gradient(energy, (x, k)).expect("it has one");
///     -dx
/// }
///
/// assert_eq!(force(3.0, 2.0), -6.0);
/// assert_eq!(gradient(force, (3.0, 2.0))?, (-2.0, -3.0));
/// # Ok::<(), overdub::Error>(())
/// ```
///
/// # Errors
/// Where the function panics, returns something else than a float, or has no derivative.
pub fn gradient<'a, F, Args>(func: F, args: Args) -> Result<Args::Of, Error>
where
    F: Callable<Args>,
    F::Output: FromValue,
    Args: Arguments<'a> + Floats,
{
    value_and_gradient(func, args).map(|(_, gradient)| gradient)
}

/// What a function returns, and its [`gradient`], in one run.
///
/// # Errors
/// As [`gradient`].
pub fn value_and_gradient<'a, F, Args>(func: F, args: Args) -> Result<(F::Output, Args::Of), Error>
where
    F: Callable<Args>,
    F::Output: FromValue,
    Args: Arguments<'a> + Floats,
{
    differentiated(&func.target()?.in_engine(engine()), args)
}

/// The value and the gradient of a function that was found.
pub(super) fn differentiated<'a, R, Args>(target: &Target, args: Args) -> Result<(R, Args::Of), Error>
where
    R: FromValue,
    Args: Arguments<'a> + Floats,
{
    let rewritten = gradient_of(target, &|_| true).ok();
    let (y, cotangents) = cotangents(rewritten.as_ref(), target, args, &|_| true)?;
    let gradient =
        Args::floats_of(Value::tuple(cotangents)).map_err(|error| Error::new(error.to_string()))?;
    Ok((y, gradient))
}

/// The value of a function, and the derivatives in its arguments; those floats that are not wanted, numbered through
/// all that it takes, count as constant where a recording has to do.
pub(super) fn cotangents<'a, R: FromValue>(
    rewritten: Option<&Transformed>,
    target: &Target,
    args: impl Arguments<'a>,
    wrt: &dyn Fn(usize) -> bool,
) -> Result<(R, Vec<Value<'static>>), Error> {
    let Handed { values, homes } = target.hand_over(args)?;
    if let Some(rewritten) = rewritten
        && let Ok((value, mut cotangents)) = rewritten.run(target.values(values.clone()))
    {
        let y = finish(&target.function, value, homes)?;
        return Ok((y, cotangents.split_off(target.captures.len())));
    }
    let recorded = TapeRun::new(engine(), target, values, TAPE_LIMIT, wrt)?;
    let cotangents = recorded.pull.of_one(target)?;
    Ok((recorded.home(target, homes)?, cotangents))
}

/// What a function returns, and the cotangents of its arguments for one of the result: a vector-Jacobian product.
///
/// # Errors
/// As [`Reverse`], and where the cotangent does not have the shape of the result.
pub fn vjp<'a, F, Args>(
    func: F,
    args: Args,
    dy: <F::Output as Floats>::Of,
) -> Result<(F::Output, Args::Of), Error>
where
    F: Callable<Args>,
    F::Output: FromValue + Floats,
    Args: Arguments<'a> + Floats,
{
    let target = func.target()?.in_engine(engine());
    let (y, pullback): (F::Output, Pullback<_, Args::Of>) = Reverse.run(engine(), &target, args)?;
    Ok((y, pullback.call(dy)?))
}
