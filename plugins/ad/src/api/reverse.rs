//! The typed context of reverse mode: a function's value and its pullback.

use std::fmt;

use overdub_context::engine::{Engine, Layers};
use overdub_context::value::{Floats, FromValue, Mismatch, Value, WriteBack};
use overdub_lower::api::{Arguments, Callable, Error, Takes, Target, TransferredArgs, Under, finish};

use super::composed::{Composed, Inner};
use super::engine::engine;
use crate::TapeBound;
use crate::flatten::floats;
use crate::route::{self, GradientRoute, PullbackRequest};
use crate::shape::{check_shape, owned_values};
use crate::strategy::Strategy;
use crate::value_pullback::ValuePullback;

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

/// Reverse mode with a limit on the size of its tape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limited {
    bytes: usize,
}

impl Reverse {
    /// Reverse mode with a limit on its tape in bytes: a function that needs more is an error.
    pub fn with_tape_limit(bytes: usize) -> Limited {
        Limited { bytes }
    }

    /// Reverse mode within a memory in bytes: long loops are checkpointed, so that what is kept for the reverse sweep fits.
    /// The result and the derivatives are the same, to the bit; the program's steps are recomputed as often as needed.
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::ad::Reverse;
    ///
    /// #[dub]
    /// fn orbit(x: f64, k: f64, n: usize) -> f64 {
    ///     let mut y = x;
    ///     for _ in 0..n {
    ///         y = (k * y).sin() + x;
    ///     }
    ///     y
    /// }
    ///
    /// let args = (0.3, 0.9, 100_000);
    /// assert_eq!(Reverse::with_memory(10_000).gradient(orbit, args)?, gradient(orbit, args)?);
    /// let (y, pullback) = overdub(Reverse::with_memory(10_000), orbit, args)?;
    /// assert_eq!((y, pullback.call(1.0)?), (orbit(0.3, 0.9, 100_000), gradient(orbit, args)?));
    /// # Ok::<(), overdub::Error>(())
    /// ```
    ///
    /// The schedule is that of Griewank and Walther, *Algorithm 799: Revolve* (2000). A memory that no schedule keeps to
    /// is an error, which says how much is needed. What has effects, such as printing, is not run again: what it needs is
    /// stored, and counted.
    pub fn with_memory(bytes: usize) -> WithMemory {
        WithMemory { bytes }
    }
}

/// Reverse mode within a memory: see [`Reverse::with_memory`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WithMemory {
    bytes: usize,
}

impl WithMemory {
    /// The derivative of a function with respect to each of its arguments.
    ///
    /// # Errors
    /// As [`gradient`], and if the memory is too little.
    pub fn gradient<'a, F, Args>(self, func: F, args: Args) -> Result<Args::Of, Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a> + Floats,
    {
        self.value_and_gradient(func, args).map(|(_, gradient)| gradient)
    }

    /// What a function returns, and its gradient.
    ///
    /// # Errors
    /// As [`WithMemory::gradient`].
    pub fn value_and_gradient<'a, F, Args>(self, func: F, args: Args) -> Result<(F::Output, Args::Of), Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a> + Floats,
    {
        differentiated(&func.target()?.in_engine(engine()), args, TapeBound::Memory(self.bytes))
    }
}

impl<Args> Takes<Args, Args> for WithMemory {}

impl<Args> Takes<Args, Args> for Reverse {}

impl<Args> Takes<Args, Args> for Limited {}

/// Runs functions in a mode of differentiation, alone and around other contexts; `$bound` is what it may keep.
macro_rules! under {
    ($($mode:ty: $bound:expr;)*) => {$(
        impl<'a, Args, R> Under<Args, Args, R> for $mode
        where
            Args: Arguments<'a> + Floats,
            R: FromValue + Floats,
        {
            type Of = (R, Pullback<R::Of, Args::Of>);

            fn run_in<O: Layers>(
                self,
                enclosing: &O,
                engine: &Engine,
                target: &Target,
                args: Args,
            ) -> Result<O::Of<Self::Of>, Error> {
                pulled(engine, (enclosing, &()), target, args, $bound(self))
            }
        }

        impl<'a, Args, R, B> Under<Args, Args, R> for Composed<$mode, B>
        where
            Args: Arguments<'a> + Floats,
            R: FromValue + Floats,
            B: Layers,
        {
            type Of = (B::Of<R>, Pullback<R::Of, Args::Of>);

            fn run_in<O: Layers>(
                self,
                enclosing: &O,
                engine: &Engine,
                target: &Target,
                args: Args,
            ) -> Result<O::Of<Self::Of>, Error> {
                pulled(engine, (enclosing, &self.inner), target, args, $bound(self.mode))
            }
        }
    )*};
}

under! {
    Reverse: |_| TapeBound::Unbounded;
    Limited: |mode: Limited| TapeBound::Limit(mode.bytes);
    WithMemory: |mode: WithMemory| TapeBound::Memory(mode.bytes);
}

/// A pullback from the floats of `R` to those of `Args`.
type PullbackOf<R, Args> = Pullback<<R as Floats>::Of, <Args as Floats>::Of>;

/// The value of a function under contexts, and its pullback.
type Pulled<B, R, Args> = (<B as Layers>::Of<R>, PullbackOf<R, Args>);

/// The result of a function under `inner`, and its pullback, as `enclosing` returns both.
fn pulled<'a, O, B, Args, R>(
    engine: &Engine,
    (enclosing, inner): (&O, &B),
    target: &Target,
    all_args: Args,
    bound: TapeBound,
) -> Result<O::Of<Pulled<B, R, Args>>, Error>
where
    O: Layers,
    B: Layers,
    Args: Arguments<'a> + Floats,
    R: FromValue + Floats,
{
    let TransferredArgs { values, write_backs } = target.transfer(all_args)?;
    let all = owned_values(target, values);
    let count = all.len();
    let inner = Inner::of(inner, engine, target);
    let (args, open) = inner.open(all);
    // COMPOSED1
    let constants = args.len() - count + target.captures.len();
    let of = PullbackRequest { func: inner.func, wrt: &|at| at >= constants, bound };
    Ok(route::pullback(engine, enclosing, &of, args, |value, pullback| {
        let (result, _) = target.function.split(value.clone());
        let y = inner.close(open, value, |value| finish(&target.function, value, write_backs))?;
        let pull = Pull { pullback, constants, result };
        Ok((y, Pullback { pull, write: R::value_of, read: Args::floats_of }))
    })?)
}

/// A pullback of values, checked against the shape of the result.
#[derive(Clone)]
struct Pull {
    pullback: ValuePullback,
    /// The number of leading arguments without cotangents: handles and captures.
    constants: usize,
    result: Value<'static>,
}

impl Pull {
    /// The cotangents of the arguments.
    fn call(&self, dy: &Value<'_>) -> Result<Vec<Value<'static>>, Error> {
        check_shape("the cotangent of the result", &self.result, dy)?;
        // DERIV2: the last values of `&mut` parameters have a cotangent of zero.
        let mut cotangents = self.pullback.pull(&floats(dy))?;
        Ok(cotangents.split_off(self.constants))
    }
}

/// Maps a cotangent of a function's result to those of its arguments, at the point at which the pullback was
/// made. It can be called any number of times, from any thread.
pub struct Pullback<Dy, Dx> {
    pull: Pull,
    write: fn(Dy) -> Value<'static>,
    read: fn(Value<'_>) -> Result<Dx, Mismatch>,
}

impl<Dy, Dx> Pullback<Dy, Dx> {
    /// One cotangent for each argument, for a cotangent of the result.
    ///
    /// # Errors
    /// If the cotangent does not have the shape of the result.
    pub fn call(&self, dy: Dy) -> Result<Dx, Error> {
        self.typed(self.cotangents(dy)?)
    }

    /// As [`Pullback::call`], with the cotangents as untyped values.
    pub(super) fn cotangents(&self, dy: Dy) -> Result<Vec<Value<'static>>, Error> {
        self.pull.call(&(self.write)(dy))
    }

    /// Converts cotangents of the arguments to their Rust types.
    pub(super) fn typed(&self, cotangents: Vec<Value<'static>>) -> Result<Dx, Error> {
        (self.read)(Value::tuple(cotangents)).map_err(|error| Error::new(error.to_string()))
    }

    /// The number of bytes kept from the run.
    pub fn tape_bytes(&self) -> usize {
        self.pull.pullback.tape_bytes()
    }

    /// The engine that made the pullback, and why it was chosen.
    pub fn strategy(&self) -> &Strategy {
        self.pull.pullback.strategy()
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

/// The derivative of a function that returns a float with respect to each of its arguments, in their shapes.
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
/// Annotated functions and loaded programs take gradients of their own functions in the same way, and are
/// themselves differentiated in turn:
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
/// If the function panics, returns something other than a float, or has no derivative.
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
    differentiated(&func.target()?.in_engine(engine()), args, TapeBound::Unbounded)
}

/// The engine of a function's gradient with respect to the arguments in `wrt`, by number; captured values are
/// constant (DERIV3).
pub(super) fn gradient_route(
    target: &Target,
    wrt: &dyn Fn(usize) -> bool,
    bound: TapeBound,
) -> GradientRoute {
    let (function, captures) = (&target.function, target.captures.len());
    let wrt = |at: usize| at.checked_sub(captures).is_some_and(wrt);
    GradientRoute::within(engine(), function.symbol, function.ir_ret, &wrt, bound)
}

/// The value of a function and its gradient.
fn differentiated<'a, R, Args>(target: &Target, args: Args, bound: TapeBound) -> Result<(R, Args::Of), Error>
where
    R: FromValue,
    Args: Arguments<'a> + Floats,
{
    let TransferredArgs { values, write_backs } = target.transfer(args)?;
    let transferred = (target.values(values), write_backs);
    let route = gradient_route(target, &|_| true, bound);
    let (y, cotangents) = cotangents(&route, target, transferred, &|_| true)?;
    let gradient =
        Args::floats_of(Value::tuple(cotangents)).map_err(|error| Error::new(error.to_string()))?;
    Ok((y, gradient))
}

/// The value of a function and the derivatives with respect to its arguments, at all values that it takes.
/// `write_backs` are those of its `&mut` arguments. A tape treats the floats that are not `active` as constants;
/// they are numbered through all values that the function takes.
pub(super) fn cotangents<'a, R: FromValue>(
    route: &GradientRoute,
    target: &Target,
    (all, write_backs): (Vec<Value<'a>>, Vec<WriteBack<'a>>),
    active: &dyn Fn(usize) -> bool,
) -> Result<(R, Vec<Value<'static>>), Error> {
    let (value, mut cotangents) = route.run_in(all, active)?;
    let y = finish(&target.function, value, write_backs)?;
    Ok((y, cotangents.split_off(target.captures.len())))
}

/// What a function returns, and the cotangents of its arguments for a cotangent of the result: a
/// vector-Jacobian product.
///
/// # Errors
/// As [`Reverse`], or if the cotangent does not have the shape of the result.
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
