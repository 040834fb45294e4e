//! Rust values that denote a function whose source is known.

use std::sync::Arc;

use overdub_context::engine::{Engine, FuncGuard};
use overdub_context::value::Value;

use super::run::check;
use super::seal::Seal;
use super::within::Names;
use super::{Arguments, Error, TransferredArgs};
use crate::loaded::Function;
use crate::registry;

/// A function that takes `Args`, a tuple, and whose source is known.
///
/// This is the case for functions annotated with `#[dub]`, those of crates with `overdub::source!(crate)`,
/// and the closures created by `dub!`. Only these implement the trait; it is used in bounds:
///
/// ```
/// use overdub_lower::api::{Callable, Error, run};
///
/// /// What any function of a slice gives at a point and one step beside it.
/// fn step<F>(f: F, x: &mut [f64], by: f64) -> Result<[f64; 2], Error>
/// where
///     F: for<'x> Callable<(&'x [f64],), Output = f64> + Copy,
/// {
///     let here = run(f, (&x[..],))?;
///     x.iter_mut().for_each(|x| *x += by);
///     Ok([here, run(f, (&x[..],))?])
/// }
///
/// #[overdub_macros::dub(crate = ::overdub_lower)]
/// fn bowl(x: &[f64]) -> f64 { x.iter().map(|x| x * x).sum() }
///
/// assert_eq!(step(bowl, &mut [1.0, -2.0], 1.0)?, [5.0, 5.0]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not take the arguments `{Args}`",
    label = "does not take these arguments",
    note = "arguments are given as a tuple, also when there is one: `run(f, (2.0,))`",
    note = "a slice is given as `&xs[..]`, not `&xs`"
)]
pub trait Callable<Args> {
    /// The return type.
    type Output;

    /// The function that is run.
    ///
    /// # Errors
    /// If its source is not known, or its signature cannot be lowered.
    fn target(&self) -> Result<Target, Error>;

    /// Calls the function as compiled by rustc. `None` if that is not what it stands for: its type is erased, or it is
    /// under a context.
    ///
    /// ```
    /// use overdub_lower::api::{Callable, Erased, Error};
    ///
    /// #[overdub_macros::dub(crate = ::overdub_lower)]
    /// fn double(x: f64) -> f64 { 2.0 * x }
    ///
    /// assert_eq!(double.call_compiled((3.0,)), Some(6.0));
    /// assert_eq!(Erased::<fn(f64) -> f64>::new(double)?.call_compiled((3.0,)), None);
    /// # Ok::<(), Error>(())
    /// ```
    fn call_compiled(&self, args: Args) -> Option<Self::Output>;

    #[doc(hidden)]
    fn sealed(_: Seal);
}

/// The function that runs when a Rust value is called, with its captures and contexts.
#[derive(Clone, Debug)]
pub struct Target {
    /// The function as seen by its caller; for a closure, its code.
    pub function: Arc<Function>,
    /// The captured values of a closure, which its code takes before the arguments.
    pub captures: Vec<Value<'static>>,
    /// The contexts that the function always runs under, the innermost first.
    pub(super) contexts: Vec<Arc<dyn Names>>,
    /// Keeps alive the contexts for which the function is specialised.
    _guards: Vec<FuncGuard>,
}

impl Target {
    /// A function, and for a closure its captured values.
    pub fn new(function: Arc<Function>, captures: Vec<Value<'static>>) -> Target {
        Target { function, captures, contexts: Vec::new(), _guards: Vec::new() }
    }

    /// The function in an engine, in which a function under contexts has a separate name.
    #[must_use]
    pub fn in_engine(self, engine: &Engine) -> Target {
        if self.contexts.is_empty() {
            return self;
        }
        let mut symbol = self.function.symbol;
        let names = self.contexts.iter().map(|cx| {
            let guard = cx.name(engine, symbol);
            symbol = guard.name();
            guard
        });
        let guards = names.collect();
        let function = Arc::new(Function { symbol, ..Function::clone(&self.function) });
        Target { function, contexts: Vec::new(), _guards: guards, ..self }
    }

    /// Whether the function is under contexts, so that it can only run in an engine.
    pub fn is_under_contexts(&self) -> bool {
        !self.contexts.is_empty()
    }

    /// Converts arguments and checks that they fit the function.
    ///
    /// # Errors
    /// If an argument does not have the type of its parameter.
    pub fn transfer<'a>(&self, args: impl Arguments<'a>) -> Result<TransferredArgs<'a>, Error> {
        let transferred = args.transfer();
        check(&self.function.params, &transferred.values)?;
        Ok(transferred)
    }

    /// All values that the function takes: captures and arguments.
    pub fn values<'a>(&self, args: Vec<Value<'a>>) -> Vec<Value<'a>> {
        if self.captures.is_empty() {
            return args;
        }
        self.captures.iter().cloned().chain(args).collect()
    }
}

macro_rules! callables {
    ($($($arg:ident $at:tt)*;)*) => {$(
        impl<Func, Ret, $($arg),*> Callable<($($arg,)*)> for Func
        where
            Func: Fn($($arg),*) -> Ret + 'static,
        {
            type Output = Ret;

            fn target(&self) -> Result<Target, Error> {
                Ok(Target::new(registry::function_of::<Func>()?, Vec::new()))
            }

            #[allow(non_snake_case)]
            fn call_compiled(&self, ($($arg,)*): ($($arg,)*)) -> Option<Ret> {
                Some(self($($arg),*))
            }

            fn sealed(_: Seal) {}
        }
    )*};
}

callables! { ; }
overdub_context::for_each_tuple!(callables);
