//! Functions with erased types, for fields of structs and for functions that are chosen at run time.

use std::fmt;
use std::marker::PhantomData;

use super::seal::Seal;
use super::{Callable, Error, Target};

/// A function with the signature `P`, a function pointer type, whose own type is erased.
///
/// ```
/// use overdub_lower::api::{Erased, Error, run};
///
/// #[overdub_macros::dub(crate = ::overdub_lower)]
/// fn bowl(x: &[f64]) -> f64 { x.iter().map(|x| x * x).sum() }
/// #[overdub_macros::dub(crate = ::overdub_lower)]
/// fn ridge(x: &[f64]) -> f64 { x.iter().map(|x| x.abs()).sum() }
///
/// struct Model {
///     loss: Erased<fn(&[f64]) -> f64>,
/// }
///
/// let models = [Erased::new(bowl)?, Erased::new(ridge)?].map(|loss| Model { loss });
/// let losses: Result<Vec<f64>, Error> =
///     models.iter().map(|model| run(model.loss.clone(), (&[3.0, -1.0][..],))).collect();
/// assert_eq!(losses?, [10.0, 4.0]);
/// # Ok::<(), Error>(())
/// ```
pub struct Erased<P> {
    target: Target,
    signature: PhantomData<P>,
}

impl<P> Erased<P> {
    /// Erases the type of a function. A call checks that its arguments and its result are those of `P`.
    ///
    /// `Prepared<Erased<fn(&[f64]) -> f64>>`, for derivatives, can also be the type of a field.
    ///
    /// # Errors
    /// If the function's source is not known.
    pub fn new<Args, F: Callable<Args>>(func: F) -> Result<Erased<P>, Error> {
        Ok(Erased { target: func.target()?, signature: PhantomData })
    }
}

impl<P> Clone for Erased<P> {
    fn clone(&self) -> Erased<P> {
        Erased { target: self.target.clone(), signature: PhantomData }
    }
}

impl<P> fmt::Debug for Erased<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Erased").field(&self.target.function.symbol).finish()
    }
}

macro_rules! callables {
    ($($($arg:ident $at:tt)*;)*) => {$(
        impl<Pointer, Ret, $($arg),*> Callable<($($arg,)*)> for Erased<Pointer>
        where
            Pointer: Fn($($arg),*) -> Ret,
        {
            type Output = Ret;

            fn target(&self) -> Result<Target, Error> {
                Ok(self.target.clone())
            }

            fn call_compiled(&self, _: ($($arg,)*)) -> Option<Ret> {
                None
            }

            fn sealed(_: Seal) {}
        }
    )*};
}

callables! { ; }
overdub_context::for_each_tuple!(callables);
