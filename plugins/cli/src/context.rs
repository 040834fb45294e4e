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
pub enum NamedContext {
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

impl FromStr for NamedContext {
    type Err = UnknownContext;

    fn from_str(text: &str) -> Result<NamedContext, UnknownContext> {
        let unknown = || UnknownContext(text.to_owned());
        match text.split_once(':') {
            None => match text {
                "trace" => Ok(NamedContext::Trace),
                "count" => Ok(NamedContext::Count),
                "nan" => Ok(NamedContext::Nan),
                "slice" => Ok(NamedContext::Slice),
                "forward" => Ok(NamedContext::Forward),
                "reverse" => Ok(NamedContext::Reverse),
                _ => Err(unknown()),
            },
            Some(("memoize", function)) => Ok(NamedContext::Memoize(function.to_owned())),
            Some(("swap", pair)) => {
                let (called, instead) = pair.split_once('=').ok_or_else(unknown)?;
                Ok(NamedContext::Swap { called: called.to_owned(), instead: instead.to_owned() })
            }
            Some(_) => Err(unknown()),
        }
    }
}

impl NamedContext {
    /// The name of a function under the context.
    fn name(&self, engine: &Engine, func: Symbol) -> Symbol {
        fn under<C: Context>(cx: &C, engine: &Engine, func: Symbol) -> Symbol {
            cx.specialize(engine, func).0
        }
        match self {
            NamedContext::Trace => under(&Trace::new(), engine, func),
            NamedContext::Count => under(&Count, engine, func),
            NamedContext::Nan => under(&Nan::new(), engine, func),
            NamedContext::Slice => under(&Slice::new(), engine, func),
            NamedContext::Forward => under(&Duals::ONE.context(), engine, func),
            NamedContext::Reverse => under(&ReverseTransform::new(ReverseOutput::Vjp), engine, func),
            NamedContext::Memoize(function) => under(&Memoize::function(function), engine, func),
            NamedContext::Swap { called, instead } => under(&Swap::new().put(instead, called), engine, func),
        }
    }
}

/// The name of a function under nested contexts, the outermost first.
pub fn name_under(engine: &Engine, func: Symbol, contexts: &[NamedContext]) -> Symbol {
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
