//! Contexts by name, and the functions that they generate.

use std::str::FromStr;
use std::sync::Arc;

use overdub_ad::dual::Duals;
use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform};
use overdub_context::Symbol;
use overdub_context::engine::{Context, Engine, Layers};
use overdub_context::ir::{Func, LoadError};
use overdub_count::Count;
use overdub_memoize::Memoize;
use overdub_nan::Nan;
use overdub_slice::Slice;
use overdub_swap::Swap;
use overdub_trace::Trace;

/// A context that a command line names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Named {
    /// `trace`
    Trace,
    /// `count`
    Count,
    /// `nan`
    Nan,
    /// `slice`
    Slice,
    /// `forward`
    Forward,
    /// `reverse`
    Reverse,
    /// `memoize:FUNCTION`
    Memoize(String),
    /// `swap:CALLED=INSTEAD`
    Swap {
        /// The callee in the program.
        called: String,
        /// Its replacement.
        instead: String,
    },
}

/// There is no context with this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "there is no context `{0}`; there are trace, count, nan, slice, forward, reverse, memoize:FUNCTION, \
     swap:CALLED=INSTEAD"
)]
pub struct UnknownContext(String);

impl FromStr for Named {
    type Err = UnknownContext;

    fn from_str(text: &str) -> Result<Named, UnknownContext> {
        let unknown = || UnknownContext(text.to_owned());
        match text.split_once(':') {
            None => match text {
                "trace" => Ok(Named::Trace),
                "count" => Ok(Named::Count),
                "nan" => Ok(Named::Nan),
                "slice" => Ok(Named::Slice),
                "forward" => Ok(Named::Forward),
                "reverse" => Ok(Named::Reverse),
                _ => Err(unknown()),
            },
            Some(("memoize", function)) => Ok(Named::Memoize(function.to_owned())),
            Some(("swap", pair)) => {
                let (called, instead) = pair.split_once('=').ok_or_else(unknown)?;
                Ok(Named::Swap { called: called.to_owned(), instead: instead.to_owned() })
            }
            Some(_) => Err(unknown()),
        }
    }
}

impl Named {
    /// The name of a function under the context.
    fn name(&self, engine: &Engine, func: Symbol) -> Symbol {
        fn under<C: Context>(cx: &C, engine: &Engine, func: Symbol) -> Symbol {
            cx.specialize(engine, func).0
        }
        match self {
            Named::Trace => under(&Trace::new(), engine, func),
            Named::Count => under(&Count, engine, func),
            Named::Nan => under(&Nan::new(), engine, func),
            Named::Slice => under(&Slice::new(), engine, func),
            Named::Forward => under(&Duals::ONE.context(), engine, func),
            Named::Reverse => under(&ReverseTransform::new(ReverseOutput::Vjp), engine, func),
            Named::Memoize(function) => under(&Memoize::function(function), engine, func),
            Named::Swap { called, instead } => under(&Swap::new().put(instead, called), engine, func),
        }
    }
}

/// The name of a function under nested contexts, the outermost first.
pub fn name_under(engine: &Engine, func: Symbol, contexts: &[Named]) -> Symbol {
    contexts.iter().rev().fold(func, |func, context| context.name(engine, func))
}

/// A function of an engine and all that it calls, in the order of first mention, except callees that cannot
/// be loaded.
///
/// # Errors
/// If the function itself cannot be loaded.
pub fn closure_of(engine: &Engine, name: Symbol) -> Result<Vec<Arc<Func>>, LoadError> {
    let module = engine.module();
    let mut funcs: Vec<Arc<Func>> = module.func(name)?.into_iter().collect();
    let mut seen = vec![name];
    let mut at = 0;
    while let Some(func) = funcs.get(at).cloned() {
        for name in func.mentioned() {
            if !seen.contains(&name) {
                seen.push(name);
                funcs.extend(module.func(name).ok().flatten());
            }
        }
        at += 1;
    }
    Ok(funcs)
}
