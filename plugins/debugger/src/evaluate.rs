//! Rust expressions over the variables of a call, lowered by the front end as functions of the program.
//!
//! - EVAL1 an expression becomes a function at the root of the source whose parameters are the variables that it names,
//!   by their types; so it can call what the root of the source can name.

use std::sync::Arc;

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::interp::{Codes, Interpreter};
use overdub_context::limits::{Budget, Limits};
use overdub_context::value::Value;
use overdub_lower::Loaded;

use crate::error::DebugError;
use crate::frames::Variable;
use crate::source::Source;

/// How many instructions an expression may take.
const MAX_STEPS: u64 = 20_000_000;

/// What an expression may take, in bytes.
const MAX_BYTES: usize = 1 << 30;

/// How many expressions are kept lowered.
const KEPT: usize = 256;

/// The name of the function that an expression becomes.
const NAME: &str = "__evaluated";

/// What stands for `self`, which only methods may have.
const SELF: &str = "__self";

/// Evaluates expressions; each is lowered once.
pub(crate) struct Evaluator {
    source: Source,
    known: HashMap<String, Result<Arc<Compiled>, String>>,
}

struct Compiled {
    loaded: Loaded,
    symbol: Symbol,
    /// A condition may be evaluated at each of a million hits.
    codes: Codes,
}

/// What an expression is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
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
        purpose: Use,
    ) -> Result<Value<'static>, DebugError> {
        // Where the name alone is asked for, nothing has to be lowered, whatever its type.
        if let Some(variable) = variables.iter().rev().find(|variable| &*variable.name == text.trim()) {
            return Ok(variable.value.clone());
        }
        let ret = match purpose {
            Use::Value => "impl Sized",
            Use::Condition => "bool",
        };
        let (params, args) = params(variables, text, None);
        let item = format!("fn {NAME}({params}) -> {ret} {{ {} }}", renamed(text));
        self.call(&item, args)
    }

    /// What a variable holds after an assignment to it or to a part of it, `path`.
    pub(crate) fn assigned(
        &mut self,
        variables: &[Variable],
        variable: &Variable,
        path: &str,
        text: &str,
    ) -> Result<Value<'static>, DebugError> {
        let name = renamed(&variable.name);
        let (params, args) =
            params(variables, &format!("{path} {text} {}", variable.name), Some(variable.name));
        let ret = owned_ty(&variable.ty);
        let assign = format!("{name}{} = {}", renamed(path), renamed(text));
        let item = format!("fn {NAME}({params}) -> {ret} {{ {assign}; {name} }}");
        self.call(&item, args)
    }

    fn call(&mut self, item: &str, args: Vec<Value<'static>>) -> Result<Value<'static>, DebugError> {
        // A front end asks for many expressions, each of which keeps a program.
        if self.known.len() >= KEPT && !self.known.contains_key(item) {
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
    // What is wrong with the body is found now, not when it is run.
    let lowered = loaded.module().func(function.symbol);
    lowered.map_err(|error| error.message)?;
    Ok(Compiled { symbol: function.symbol, loaded, codes: Codes::default() })
}

/// The parameters for the variables that a text names, and their arguments; one of them may be assigned.
fn params(variables: &[Variable], text: &str, assigned: Option<Symbol>) -> (String, Vec<Value<'static>>) {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let (mut params, mut args) = (Vec::new(), Vec::new());
    for variable in variables.iter().filter(|variable| words.contains(&&*variable.name)) {
        let name = renamed(&variable.name);
        if assigned == Some(variable.name) {
            params.push(format!("mut {name}: {}", owned_ty(&variable.ty)));
        } else {
            params.push(format!("{name}: {}", shared_ty(&variable.ty)));
        }
        args.push(variable.value.clone());
    }
    (params.join(", "), args)
}

/// A type whose values are those of the variable: a unique reference is looked at through a shared one.
fn shared_ty(ty: &str) -> String {
    match ty.strip_prefix("&mut ") {
        Some(referent) => format!("&{referent}"),
        None => ty.to_owned(),
    }
}

/// The type of what a variable of the type leads to, as something that can be owned.
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

/// A text in which `self` has a name that functions may use.
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
