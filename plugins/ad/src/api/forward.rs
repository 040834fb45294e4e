//! The typed context of forward mode: a function's value and its tangent.

use overdub_context::engine::{Engine, Layers};
use overdub_context::value::{Floats, FromValue, Value, WriteBack};
use overdub_lower::api::{Arguments, Callable, Error, Takes, Target, TransferredArgs, Under, finish};

use super::composed::{Composed, Inner, failed};
use super::engine::engine;
use crate::dual;
use crate::shape::{check_shape, owned_values, zeros};

/// The context of forward mode: `overdub(Forward, f, (args, tangents))` gives the value of the function and its
/// tangent.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::Forward;
///
/// #[dub]
/// fn f(x: f64, y: f64) -> f64 { x * y.sin() }
///
/// let (y, dy) = overdub(Forward, f, ((2.0, 0.5), (1.0, 0.0)))?;
/// assert_eq!((y, dy), (2.0 * 0.5_f64.sin(), 0.5_f64.sin()));
/// # Ok::<(), overdub::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Forward;

impl<Args, Tangents> Takes<(Args, Tangents), Args> for Forward {}

impl<'a, 't, Args, Tangents, R> Under<(Args, Tangents), Args, R> for Forward
where
    Args: Arguments<'a>,
    Tangents: Arguments<'t>,
    R: FromValue + Floats,
{
    type Of = (R, R::Of);

    fn run_in<O: Layers>(
        self,
        enclosing: &O,
        engine: &Engine,
        target: &Target,
        args_and_tangents: (Args, Tangents),
    ) -> Result<O::Of<Self::Of>, Error> {
        pushed(engine, enclosing, &(), target, args_and_tangents)
    }
}

impl<'a, 't, Args, Tangents, R, B> Under<(Args, Tangents), Args, R> for Composed<Forward, B>
where
    Args: Arguments<'a>,
    Tangents: Arguments<'t>,
    R: FromValue + Floats,
    B: Layers,
{
    type Of = (B::Of<R>, R::Of);

    fn run_in<O: Layers>(
        self,
        enclosing: &O,
        engine: &Engine,
        target: &Target,
        args_and_tangents: (Args, Tangents),
    ) -> Result<O::Of<Self::Of>, Error> {
        pushed(engine, enclosing, &self.inner, target, args_and_tangents)
    }
}

/// The value of a function under contexts, and its tangent.
type Pushed<B, R> = (<B as Layers>::Of<R>, <R as Floats>::Of);

/// The value of a function under `inner`, and its tangent along a direction, as `enclosing` returns both.
fn pushed<'a, 't, O: Layers, B: Layers, R: FromValue + Floats>(
    engine: &Engine,
    enclosing: &O,
    inner: &B,
    target: &Target,
    (args, tangents): (impl Arguments<'a>, impl Arguments<'t>),
) -> Result<O::Of<Pushed<B, R>>, Error> {
    let TransferredArgs { values, write_backs } = target.transfer(args)?;
    let args = owned_values(target, values);
    let tangents = tangents_of(target, &args, tangents.transfer().values)?;
    pushed_values(engine, enclosing, inner, target, (args, write_backs, tangents))
}

/// As [`pushed`], for all values that a function takes, the write_backs of its `&mut` arguments, and the tangents.
pub(super) fn pushed_values<O: Layers, B: Layers, R: FromValue + Floats>(
    engine: &Engine,
    enclosing: &O,
    inner: &B,
    target: &Target,
    (args, write_backs, tangents): (Vec<Value<'static>>, Vec<WriteBack<'_>>, Vec<Value<'static>>),
) -> Result<O::Of<Pushed<B, R>>, Error> {
    let inner = Inner::of(inner, engine, target);
    let (args, open) = inner.open(args);
    Ok(dual::jvp_in(engine, enclosing, (inner.func, args), tangents, |y, dy| {
        let (dy, _) = target.function.split(dy);
        let dy = R::floats_of(dy).map_err(|error| failed(Error::new(error.to_string())))?;
        let y = inner.close(open, y, |y| finish(&target.function, y, write_backs))?;
        Ok((y, dy))
    })?)
}

/// The tangents of all values that a function takes, from those of its arguments; those of captures are zero
/// (DERIV3).
pub(super) fn tangents_of(
    target: &Target,
    args: &[Value<'static>],
    tangents: Vec<Value<'_>>,
) -> Result<Vec<Value<'static>>, Error> {
    let (captures, args) = args.split_at(target.captures.len());
    if args.len() != tangents.len() {
        let message = format!("{} arguments need as many tangents, got {}", args.len(), tangents.len());
        return Err(Error::new(message).with_help("give `()` for an argument without floats"));
    }
    let mut all = captures.iter().map(zeros).collect::<Result<Vec<_>, _>>()?;
    for ((arg, tangent), param) in args.iter().zip(tangents).zip(&target.function.params) {
        check_shape(&format!("the tangent of `{}`", param.name), arg, &tangent)?;
        all.push(tangent.into_owned());
    }
    Ok(all)
}

/// What a function returns, and its tangent along tangents of its arguments: a Jacobian-vector product. A
/// tangent has the shape of its argument.
///
/// # Errors
/// If the function panics or has no derivative, or if a tangent does not have the shape of its argument.
pub fn jvp<'a, 't, F, Args, Tangents>(
    func: F,
    args: Args,
    tangents: Tangents,
) -> Result<(F::Output, <F::Output as Floats>::Of), Error>
where
    F: Callable<Args>,
    F::Output: FromValue + Floats,
    Args: Arguments<'a>,
    Tangents: Arguments<'t>,
{
    Forward.run(engine(), &func.target()?.in_engine(engine()), (args, tangents))
}
