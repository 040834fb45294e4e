//! Runs of functions and of their gradients whose floats are tracked.

use std::sync::Arc;

use overdub_ad::flatten::floats;
use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform, all_shaped, cotangent_of};
use overdub_context::engine::{Engine, Layers};
use overdub_context::ir::{Func, LoadError, Ty, TyKind};
use overdub_context::value::Value;
use overdub_context::{Failure, Span, Symbol};

use crate::context::{Recording, holds_floats, numbered};
use crate::origins::{Floats, NamedValues, Origins};

/// The default limit of the bytes of a history: enough for some twenty million operations.
pub const HISTORY_LIMIT: usize = 2 << 30;

/// Why the floats of a run cannot be tracked.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BlameError {
    /// The program fails, or its history is longer than the limit.
    #[error("{0}")]
    Program(Failure),
    /// The function does not exist, or cannot be tracked.
    #[error("{}", .0.message)]
    Refused(LoadError),
    /// The gradient of the function is not computed by source transformation, so it cannot be tracked: names
    /// the line that prevents it, and an alternative. The function's value can be tracked.
    #[error("{}", .0.message)]
    NotTransformed(LoadError),
    /// The gradient was requested of a function that does not return a float.
    #[error("`{func}` returns `{}`, which is no float: it has no gradient", ret.in_rust())]
    NoFloat {
        /// The function.
        func: Symbol,
        /// The return type.
        ret: Ty,
    },
    /// The number of arguments is not that of the parameters.
    #[error("`{func}` takes {takes} arguments, got {got}")]
    Arguments {
        /// The function.
        func: Symbol,
        /// The number of parameters.
        takes: usize,
        /// The number of arguments.
        got: usize,
    },
}

/// Runs functions and records where their floats come from.
#[derive(Clone, Debug)]
pub struct Blame<'e> {
    engine: &'e Engine,
    limit: usize,
    library: Option<Symbol>,
}

impl<'e> Blame<'e> {
    /// Uses this engine, with a history of at most [`HISTORY_LIMIT`] bytes.
    pub fn new(engine: &'e Engine) -> Blame<'e> {
        Blame { engine, limit: HISTORY_LIMIT, library: None }
    }

    /// Sets the limit of the history in bytes; a run with a longer one is an error.
    #[must_use]
    pub fn with_limit(self, bytes: usize) -> Blame<'e> {
        Blame { limit: bytes, ..self }
    }

    /// Treats files whose names begin with `prefix` as library code: what is computed there is attributed to
    /// the place where the library is called. For programs of the front end the prefix is
    /// `overdub_lower::PRELUDE`.
    #[must_use]
    pub fn with_library(self, prefix: &str) -> Blame<'e> {
        Blame { library: Some(Symbol::new(prefix)), ..self }
    }

    /// Runs a function. The places of its result begin with `value`.
    ///
    /// # Errors
    /// If the program fails, or computes with floats in a way that cannot be followed: the call and its line.
    pub fn value(&self, func: impl Into<Symbol>, args: Vec<Value<'static>>) -> Result<Origins, BlameError> {
        let func = func.into();
        let (primal, arguments) = self.arguments(func, &args)?;
        let recording = Recording::new(&args, self.limit, self.library);
        let recorded = self.engine.prepare(&recording, func).func().map_err(BlameError::Refused)?;
        let (value, trace) = self.run(&recording, func, &recorded, args)?;
        let (value, floats) = Floats::of(value, primal.ret).map_err(BlameError::Program)?;
        let results = vec![("value".to_owned(), value)];
        Ok(Origins { engine: self.engine.clone(), trace, arguments, results, floats })
    }

    /// Runs the gradient of a function that returns a float. The places of the result begin with `value`, those of the
    /// gradient with the names of the parameters.
    ///
    /// # Errors
    /// As [`Blame::value`], and [`BlameError::NotTransformed`] if the gradient is not computed by source
    /// transformation.
    pub fn gradient(
        &self,
        func: impl Into<Symbol>,
        args: Vec<Value<'static>>,
    ) -> Result<Origins, BlameError> {
        let func = func.into();
        let (primal, arguments) = self.arguments(func, &args)?;
        let ret = match primal.ret.kind() {
            TyKind::Tuple(parts) if !parts.is_empty() => parts[0],
            _ => primal.ret,
        };
        if !matches!(ret.kind(), TyKind::Float(_)) {
            return Err(BlameError::NoFloat { func: self.engine.root(func), ret: primal.ret });
        }
        let wrt: Vec<bool> = primal.param_tys().map(holds_floats).collect();
        // TRACE2
        let seed = match ret == primal.ret {
            true => float(1.0, ret),
            false => {
                let result = self.engine.run(func, args.clone()).map_err(BlameError::Program)?;
                let mut floats = [1.0].into_iter().chain(std::iter::repeat(0.0));
                cotangent_of(&result, primal.ret, &mut floats).map_err(BlameError::Program)?
            }
        };
        let reverse = ReverseTransform::new(ReverseOutput::Vjp).with_respect_to(wrt.clone());
        let gradient = self.engine.prepare(&reverse, func).func();
        let gradient = gradient.map_err(|error| self.not_transformed(func, error))?;
        let mut all = args.clone();
        all.push(seed);
        let layers = (Recording::new(&all, self.limit, self.library), reverse);
        let recorded = self.engine.prepare(&layers, func).func().map_err(BlameError::Refused)?;
        let (both, (mut trace, ())) = self.run(&layers, func, &recorded, all)?;
        trace.seeded_after(args.iter().map(|arg| floats(arg).len()).sum());
        let (stripped, floats) = Floats::of(both, gradient.ret).map_err(BlameError::Program)?;
        let mut parts = parts(stripped).into_iter();
        let (value, cotangents) = (parts.next().unwrap_or(Value::Unit), parts.next().unwrap_or(Value::Unit));
        let shaped = all_shaped(&args, &wrt, cotangents).map_err(BlameError::Program)?;
        let names = arguments.iter().map(|(name, _)| name.clone());
        let results = [("value".to_owned(), value)].into_iter().chain(names.zip(shaped)).collect();
        Ok(Origins { engine: self.engine.clone(), trace, arguments, results, floats })
    }

    /// The error that there is no gradient to track, at the user's line that prevents it.
    fn not_transformed(&self, func: Symbol, error: LoadError) -> BlameError {
        let is_library =
            |span: Span| self.library.is_some_and(|prefix| span.file.starts_with(prefix.as_str()));
        let mut calls = error.span.open_calls(func).map(|(_, span)| span);
        let span = calls.find(|span| span.is_known() && !is_library(*span)).unwrap_or(error.span);
        let help = "ask where the value comes from instead (the entry `value`), or compute here with values and without cells, \
                    statics and functions that are not known by their types: the gradient is made by other engines, which \
                    leave no program to follow";
        let message = format!("the gradient cannot be followed: {}", error.message);
        BlameError::NotTransformed(LoadError { code: error.code, message, span, help: Some(help.to_owned()) })
    }

    /// The function, and the arguments with the names of the parameters.
    fn arguments(
        &self,
        func: Symbol,
        args: &[Value<'static>],
    ) -> Result<(Arc<Func>, NamedValues), BlameError> {
        let missing = || LoadError::missing(func);
        let found = self.engine.module().func(func).and_then(|found| found.ok_or_else(missing));
        let primal = found.map_err(BlameError::Refused)?;
        let takes = primal.params().len();
        if takes != args.len() {
            return Err(BlameError::Arguments { func: self.engine.root(func), takes, got: args.len() });
        }
        let names = primal.params().iter().map(|param| primal.var_label(*param).to_string());
        let named = names.zip(args.iter().cloned()).collect();
        Ok((primal, named))
    }

    /// Runs a function under contexts whose outermost is [`Recording`].
    fn run<L: Layers>(
        &self,
        layers: &L,
        func: Symbol,
        recorded: &Func,
        args: Vec<Value<'static>>,
    ) -> Result<(Value<'static>, L::Metadata), BlameError> {
        // The handles of the contexts precede the arguments.
        let handles = recorded.params().len().saturating_sub(args.len());
        let mut count = 0;
        let mut next = |_: f64| {
            count += 1;
            Ok(count)
        };
        let args = args.into_iter().zip(recorded.param_tys().skip(handles));
        let args = args.map(|(arg, ty)| numbered(arg, ty, &mut next)).collect::<Result<Vec<_>, _>>();
        let (result, metadata) = self.engine.watch(layers, func, args.map_err(BlameError::Program)?);
        Ok((result.map_err(BlameError::Program)?, metadata))
    }
}

fn float(x: f64, ty: Ty) -> Value<'static> {
    if ty == Ty::f64() { Value::F64(x) } else { Value::F32(x as f32) }
}

fn parts(value: Value<'static>) -> Vec<Value<'static>> {
    match value {
        Value::Composite(composite) => Arc::unwrap_or_clone(composite).parts.into_iter().collect(),
        _ => Vec::new(),
    }
}
