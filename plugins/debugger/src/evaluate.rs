//! Rust expressions over the variables of a call, lowered by the front end as functions of the program.
//!
//! - EVAL1 an expression becomes a function at the root of the source whose parameters are the variables that
//!   it names, with their types; so it can call whatever the root of the source can name.

use std::sync::Arc;

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::interp::{Codes, Interpreter};
use overdub_context::limits::{Budget, Limits};
use overdub_context::value::Value;
use overdub_lower::Loaded;

use crate::error::DebugError;
use crate::frames::{self, Variable};
use crate::source::Source;

/// The greatest number of instructions of an expression.
const MAX_STEPS: u64 = 20_000_000;

/// The greatest memory of an expression, in bytes.
const MAX_BYTES: usize = 1 << 30;

/// The number of expressions that are kept lowered.
const MAX_CACHED: usize = 256;

/// The name of the function that an expression becomes.
const NAME: &str = "__evaluated";

/// The replacement of `self`, which only methods may use.
const SELF: &str = "__self";

/// Evaluates expressions; each is lowered once.
pub(crate) struct Evaluator {
    source: Source,
    known: HashMap<String, Result<Arc<Compiled>, String>>,
}

struct Compiled {
    loaded: Loaded,
    symbol: Symbol,
    /// Compiled code is kept, since a condition may be evaluated at each of a million hits.
    codes: Codes,
}

/// The purpose of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UseOfValue {
    /// Its value is shown.
    Value,
    /// It decides whether to stop.
    Condition,
}

impl Evaluator {
    pub(crate) fn new(source: Source) -> Evaluator {
        Evaluator { source, known: HashMap::new() }
    }

    /// The value of an expression.
    pub(crate) fn evaluate(
        &mut self,
        variables: &[Variable],
        text: &str,
        purpose: UseOfValue,
    ) -> Result<Value<'static>, DebugError> {
        // A variable's name alone need not be lowered, and works for any type.
        if let Some(variable) = variables.iter().rev().find(|variable| &*variable.name == text.trim()) {
            return Ok(variable.value.clone());
        }
        let ret = match purpose {
            UseOfValue::Value => "impl Sized",
            UseOfValue::Condition => "bool",
        };
        let text = with_parts(variables, text);
        let (params, args) = params(variables, &text, None);
        let item = format!("fn {NAME}({params}) -> {ret} {{ {} }}", renamed(&text));
        self.call(&item, args).map_err(|error| match frames::missing(variables, &text) {
            only @ DebugError::OnlyParts { .. } => only,
            _ => error,
        })
    }

    /// The value of a variable after an assignment to it or to a part of it, `path`.
    pub(crate) fn assigned(
        &mut self,
        variables: &[Variable],
        variable: &Variable,
        path: &str,
        text: &str,
    ) -> Result<Value<'static>, DebugError> {
        let name = param_name(&variable.name);
        let (path, text) = (with_parts(variables, path), with_parts(variables, text));
        let (params, args) = params(variables, &format!("{path} {text} {name}"), Some(variable.name));
        let ret = owned_ty(&variable.ty);
        let assign = format!("{name}{} = {}", renamed(&path), renamed(&text));
        let item = format!("fn {NAME}({params}) -> {ret} {{ {assign}; {name} }}");
        self.call(&item, args)
    }

    fn call(&mut self, item: &str, args: Vec<Value<'static>>) -> Result<Value<'static>, DebugError> {
        // Front ends evaluate many expressions, each of which keeps a program.
        if self.known.len() >= MAX_CACHED && !self.known.contains_key(item) {
            self.known.clear();
        }
        let source = &self.source;
        let known = self.known.entry(item.to_owned()).or_insert_with(|| compile(source, item).map(Arc::new));
        let compiled = known.clone().map_err(DebugError::Expression)?;
        let limits = Limits { steps: Some(MAX_STEPS), memory: Some(MAX_BYTES), ..Limits::default() };
        let (module, codes) = (compiled.loaded.module(), compiled.codes.clone());
        let mut interp = Interpreter::sharing(module, codes).with_limits(limits);
        Budget::suspended(|| interp.run(compiled.symbol, args))
            .map_err(|failure| DebugError::Failed(failure.report().message.clone()))
    }
}

fn compile(source: &Source, item: &str) -> Result<Compiled, String> {
    let program = source.program(item).map_err(|error| error.to_string())?;
    let loaded = Loaded::new(program);
    let function = loaded.function(NAME).map_err(|error| error.to_string())?;
    // Lowering the body reports its errors now, not when it runs.
    let lowered = loaded.module().func(function.symbol);
    lowered.map_err(|error| error.message)?;
    Ok(Compiled { symbol: function.symbol, loaded, codes: Codes::default() })
}

/// The parameters for the variables that a text names, and their arguments; one of them may be assigned.
fn params(variables: &[Variable], text: &str, assigned: Option<Symbol>) -> (String, Vec<Value<'static>>) {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let (mut params, mut args) = (Vec::new(), Vec::new());
    for variable in variables {
        let name = param_name(&variable.name);
        if !words.contains(&&*variable.name) && !words.contains(&&*name) {
            continue;
        }
        if assigned == Some(variable.name) {
            params.push(format!("mut {name}: {}", owned_ty(&variable.ty)));
        } else {
            params.push(format!("{name}: {}", shared_ty(&variable.ty)));
        }
        args.push(variable.value.clone());
    }
    (params.join(", "), args)
}

/// A type whose values are those of the variable: a unique reference is read through a shared one.
fn shared_ty(ty: &str) -> String {
    match ty.strip_prefix("&mut ") {
        Some(referent) => format!("&{referent}"),
        None => ty.to_owned(),
    }
}

/// The owned form of the type that a variable refers to.
fn owned_ty(ty: &str) -> String {
    let mut ty = ty;
    while let Some(inner) = ty.strip_prefix("&mut ").or_else(|| ty.strip_prefix('&')) {
        ty = inner;
    }
    match ty.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        Some(elem) if !elem.contains(';') => format!("Vec<{elem}>"),
        _ if ty == "str" => "String".to_owned(),
        _ => ty.to_owned(),
    }
}

/// The name of the parameter for a variable, or for a captured part such as `p.x`.
fn param_name(variable: &str) -> String {
    renamed(variable).replace('.', "__")
}

/// The text with the names of parameters for captured parts of variables.
fn with_parts(variables: &[Variable], text: &str) -> String {
    let mut text = text.to_owned();
    for variable in variables.iter().filter(|variable| variable.name.contains('.')) {
        let mut out = String::with_capacity(text.len());
        let mut rest = &text[..];
        while let Some(at) = rest.find(&*variable.name) {
            let (before, after) = (&rest[..at], &rest[at + variable.name.len()..]);
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let is_whole = !after.starts_with(is_part) && !before.ends_with(|c| is_part(c) || c == '.');
            out.push_str(before);
            out.push_str(&if is_whole { param_name(&variable.name) } else { variable.name.to_string() });
            rest = after;
        }
        out.push_str(rest);
        text = out;
    }
    text
}

/// The text with `self` replaced by a name that functions may use.
fn renamed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars().chain(std::iter::once('\0')) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        out.push_str(if word == "self" { SELF } else { &word });
        word.clear();
        if c != '\0' {
            out.push(c);
        }
    }
    out
}
