//! Contexts whose rules are for functions themselves, not for names.

use overdub_context::Symbol;
use overdub_context::engine::{Ctx, Outcome};
use overdub_context::value::IntoValue;

use super::{Callable, Error, Target};

/// Rules of a [`ctx`](overdub_context::engine::ctx) for functions of Rust: rustc checks that they fit, and each holds for
/// that function only, with the types that it is given with.
///
/// ```
/// use overdub_context::engine::ctx;
/// use overdub_lower::api::{ByFunction, overdub};
///
/// use overdub_macros::dub;
///
/// mod plane {
///     #[overdub_macros::dub(crate = ::overdub_lower)]
///     pub fn norm(x: f64, y: f64) -> f64 { x.hypot(y) }
/// }
/// #[dub(crate = ::overdub_lower)]
/// fn norm(x: f64, y: f64) -> f64 { 10.0 * (x + y) }
/// #[dub(crate = ::overdub_lower)]
/// fn taxicab(x: f64, y: f64) -> f64 { x.abs() + y.abs() }
/// #[dub(crate = ::overdub_lower)]
/// fn both(x: f64, y: f64) -> f64 { plane::norm(x, y) + norm(x, y) }
///
/// fn main() -> Result<(), overdub_lower::api::Error> {
///     // By its name, `norm` would be both functions.
///     assert_eq!(overdub(ctx().replace_function(plane::norm, taxicab)?, both, (3.0, 4.0))?, 77.0);
///     assert_eq!(overdub(ctx().constant_function(norm, 1.0)?, both, (3.0, 4.0))?, 6.0);
///     Ok(())
/// }
/// ```
///
/// A function of the standard library is given by its name: `ctx().replace("sin", "cos")`.
pub trait ByFunction: Sized {
    /// Replaces calls of `func` by calls of `other` under the context: see [`Ctx::replace`].
    ///
    /// # Errors
    /// If overdub does not know the source of one of them.
    fn replace_function<Args, F, G>(self, func: F, other: G) -> Result<Self, Error>
    where
        F: Callable<Args>,
        G: Callable<Args, Output = F::Output>;

    /// Replaces calls of `func` by calls of `other` outside the context, so that `other` itself may call `func`: see
    /// [`Ctx::wrap`].
    ///
    /// # Errors
    /// If overdub does not know the source of one of them.
    fn wrap_function<Args, F, G>(self, func: F, other: G) -> Result<Self, Error>
    where
        F: Callable<Args>,
        G: Callable<Args, Output = F::Output>;

    /// Replaces the result of calls of `func` by this value: see [`Ctx::constant`].
    ///
    /// # Errors
    /// If overdub does not know its source.
    fn constant_function<Args, F>(self, func: F, value: F::Output) -> Result<Self, Error>
    where
        F: Callable<Args, Output: IntoValue<'static>>;
}

/// The name of a function in the program.
fn name_of(target: Target) -> Result<Symbol, Error> {
    let symbol = target.function.symbol;
    if target.is_under_contexts() || !target.captures.is_empty() {
        return Err(Error::new(format!(
            "`{symbol}` is no function of its own here, but a closure or under a context"
        ))
        .with_help("give an annotated function"));
    }
    Ok(symbol)
}

impl<M: Send + 'static, O: Outcome<M> + 'static> ByFunction for Ctx<M, O> {
    fn replace_function<Args, F, G>(self, func: F, other: G) -> Result<Self, Error>
    where
        F: Callable<Args>,
        G: Callable<Args, Output = F::Output>,
    {
        Ok(self.replace_func(name_of(func.target()?)?, name_of(other.target()?)?))
    }

    fn wrap_function<Args, F, G>(self, func: F, other: G) -> Result<Self, Error>
    where
        F: Callable<Args>,
        G: Callable<Args, Output = F::Output>,
    {
        Ok(self.wrap_func(name_of(func.target()?)?, name_of(other.target()?)?))
    }

    fn constant_function<Args, F>(self, func: F, value: F::Output) -> Result<Self, Error>
    where
        F: Callable<Args, Output: IntoValue<'static>>,
    {
        Ok(self.constant_func(name_of(func.target()?)?, value.into_value()))
    }
}
