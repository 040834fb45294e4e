//! A function under a context as a value that can be passed wherever a function is expected.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use overdub_context::Symbol;
use overdub_context::engine::{Context, Engine, FuncGuard};

use super::seal::Seal;
use super::{Callable, Error, Target};

/// Names functions under a context.
pub(super) trait Names: Send + Sync + fmt::Debug {
    fn name(&self, engine: &Engine, func: Symbol) -> FuncGuard;
}

/// The names already returned, by engine and function, so that repeated lookups create no new ones. The names
/// are valid as long as this exists, so that contexts created for one call are freed after it.
struct NamesUnder<C> {
    cx: C,
    known: Mutex<Vec<(Engine, Symbol, FuncGuard)>>,
}

impl<C: Context> Names for NamesUnder<C> {
    fn name(&self, engine: &Engine, func: Symbol) -> FuncGuard {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().find(|(of, source, _)| *source == func && of.is_same(engine));
        if let Some((_, _, name)) = found {
            return name.clone();
        }
        let name = engine.nested_guarded(&self.cx, func);
        known.push((engine.clone(), func, name.clone()));
        name
    }
}

impl<C> fmt::Debug for NamesUnder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Named")
    }
}

/// A function under a context: see [`under`].
#[derive(Clone, Debug)]
pub struct UnderContext<F> {
    func: F,
    names: Arc<dyn Names>,
}

/// Returns a function under a context as a function: it is run, differentiated and put under other contexts
/// like `func`. Each run begins with new metadata, and discards them at its end.
///
/// ```
/// use overdub_context::engine::ctx;
/// use overdub_lower::api::{run, under};
///
/// #[overdub_macros::dub(crate = ::overdub_lower)]
/// fn wave(x: f64) -> f64 {
///     x.sin() * 2.0
/// }
///
/// let swapped = under(ctx().replace("sin", "cos"), wave);
/// assert_eq!(run(swapped, (0.5,))?, 0.5_f64.cos() * 2.0);
/// # Ok::<(), overdub_lower::api::Error>(())
/// ```
///
/// If it is used often, it should be created once: a new one may get a new name, and be specialised anew.
pub fn under<C: Context, F>(cx: C, func: F) -> UnderContext<F> {
    UnderContext { func, names: Arc::new(NamesUnder { cx, known: Mutex::default() }) }
}

impl<Args, F: Callable<Args>> Callable<Args> for UnderContext<F> {
    type Output = F::Output;

    fn target(&self) -> Result<Target, Error> {
        let mut target = self.func.target()?;
        target.contexts.push(self.names.clone());
        Ok(target)
    }

    fn call_compiled(&self, _: Args) -> Option<F::Output> {
        None
    }

    fn sealed(_: Seal) {}
}
