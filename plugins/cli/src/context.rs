//! Contexts by name, and the functions that they generate.

use std::io::Write;
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
use serde_json::json;

use crate::args::Contexts;
use crate::report::Failed;

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

/// A row of the table of contexts.
struct NamedRow {
    /// Its name, as it is written with its argument.
    form: &'static str,
    does: &'static str,
    /// The context for the text after `:`, if it takes one.
    of: fn(Option<&str>) -> Option<NamedContext>,
}

/// All contexts that a command line can name.
const CONTEXTS: &[NamedRow] = &[
    NamedRow {
        form: "trace",
        does: "a hook before and after every call, for a tree of calls",
        of: |arg| arg.is_none().then_some(NamedContext::Trace),
    },
    NamedRow {
        form: "count",
        does: "a hook before every call, for counts and floating-point operations",
        of: |arg| arg.is_none().then_some(NamedContext::Count),
    },
    NamedRow {
        form: "nan",
        does: "a hook after calls that may make a NaN or an infinity",
        of: |arg| arg.is_none().then_some(NamedContext::Nan),
    },
    NamedRow {
        form: "slice",
        does: "what is printed is kept for later",
        of: |arg| arg.is_none().then_some(NamedContext::Slice),
    },
    NamedRow {
        form: "forward",
        does: "floats with their tangents: forward mode by dual numbers",
        of: |arg| arg.is_none().then_some(NamedContext::Forward),
    },
    NamedRow {
        form: "reverse",
        does: "a forward and a reverse sweep: the transposed derivative applied to a cotangent",
        of: |arg| arg.is_none().then_some(NamedContext::Reverse),
    },
    NamedRow {
        form: "memoize:FUNCTION",
        does: "calls of a function with the same arguments are made once",
        of: |arg| Some(NamedContext::Memoize(arg?.to_owned())),
    },
    NamedRow {
        form: "swap:CALLED=INSTEAD",
        does: "calls of one function are calls of another one",
        of: |arg| {
            let (called, instead) = arg?.split_once('=')?;
            Some(NamedContext::Swap { called: called.to_owned(), instead: instead.to_owned() })
        },
    },
];

/// Prints the table of contexts.
pub(crate) fn print(args: &Contexts, out: &mut dyn Write) -> Result<(), Failed> {
    if args.json {
        let rows: Vec<_> = CONTEXTS.iter().map(|row| json!({"name": row.form, "does": row.does})).collect();
        return Ok(writeln!(out, "{}", json!({ "contexts": rows }))?);
    }
    let width = CONTEXTS.iter().map(|row| row.form.len()).max().unwrap_or(0);
    for row in CONTEXTS {
        writeln!(out, "{:width$}  {}", row.form, row.does)?;
    }
    Ok(())
}

/// A text names no context.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownContext {
    /// There is none with this name.
    #[error("there is no context `{0}`; there are {known}", known = known())]
    Name(String),
    /// There is none with this name, and lanes would be shown as well.
    #[error("there is no context `{0}`; there are {known}, lanes", known = known())]
    Shown(String),
    /// There is one, which is written in another form.
    #[error("`{text}` is not complete, or has too much: the context is written `{form}`")]
    Form {
        /// The text.
        text: String,
        /// The form.
        form: &'static str,
    },
}

fn known() -> String {
    CONTEXTS.iter().map(|row| row.form).collect::<Vec<_>>().join(", ")
}

impl FromStr for NamedContext {
    type Err = UnknownContext;

    fn from_str(text: &str) -> Result<NamedContext, UnknownContext> {
        let (name, arg) = text.split_once(':').map_or((text, None), |(name, arg)| (name, Some(arg)));
        let row = CONTEXTS.iter().find(|row| row.form.split(':').next() == Some(name));
        let row = row.ok_or_else(|| UnknownContext::Name(text.to_owned()))?;
        (row.of)(arg).ok_or_else(|| UnknownContext::Form { text: text.to_owned(), form: row.form })
    }
}

/// How `overdub ir` shows a function: under a context, or as the program that lanes run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ShownContext {
    /// `lanes`
    Lanes,
    /// Any other.
    Named(NamedContext),
}

impl FromStr for ShownContext {
    type Err = UnknownContext;

    fn from_str(text: &str) -> Result<ShownContext, UnknownContext> {
        match text.parse() {
            _ if text == "lanes" => Ok(ShownContext::Lanes),
            Ok(named) => Ok(ShownContext::Named(named)),
            Err(UnknownContext::Name(name)) => Err(UnknownContext::Shown(name)),
            Err(error) => Err(error),
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
