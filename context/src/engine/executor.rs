//! What runs the code that the engine makes.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::PreparedCall;
use crate::Symbol;
use crate::failure::Failure;
use crate::interp::{Codes, Interpreter, Output};
use crate::ir::Module;
use crate::limits::Limits;
use crate::value::Value;

/// Runs functions of a module, within the [`Budget`](crate::limits::Budget) that it finds on its thread:
/// [`Limits::run`] says what a run may use.
pub trait Executor: Send + Sync {
    /// Runs the function of this name.
    ///
    /// # Errors
    /// Where the program fails.
    fn run<'a>(&self, module: &Arc<Module>, func: Symbol, args: Vec<Value<'a>>)
    -> Result<Value<'a>, Failure>;

    /// Calls a closure or function value.
    ///
    /// # Errors
    /// Where the program fails.
    fn call<'a>(
        &self,
        module: &Arc<Module>,
        callee: &Value<'a>,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure>;

    /// Frees what is kept of functions of these names, which are not called again unless they are made anew.
    fn forget(&self, _funcs: &[Symbol]) {}

    /// What calls the function of this name without allocating, if this executor has such now: it may not, or not yet.
    fn prepared_call(&self, _module: &Arc<Module>, _func: Symbol) -> Option<Box<dyn PreparedCall>> {
        None
    }
}

/// Where interpreted programs print to.
pub type Sink = Arc<Mutex<dyn FnMut(&str) + Send>>;

/// Runs functions by the interpreter; what it made ready to run stays so.
#[derive(Clone, Default)]
pub struct Interpreting {
    limits: Limits,
    sink: Option<Sink>,
    errors: Option<Sink>,
    codes: Codes,
}

impl Interpreting {
    /// The interpreter with the default limits, printing to the standard output.
    pub fn new() -> Interpreting {
        Interpreting::default()
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Interpreting {
        Interpreting { limits, ..self }
    }

    /// The same, printing into this function.
    #[must_use]
    pub fn printing(self, sink: Sink) -> Interpreting {
        Interpreting { sink: Some(sink), ..self }
    }

    /// Sends what `eprintln!` and `dbg!` write to this function.
    #[must_use]
    pub fn printing_errors(self, sink: Sink) -> Interpreting {
        Interpreting { errors: Some(sink), ..self }
    }

    fn interpreter<'m>(&self, module: &'m Module) -> Interpreter<'m> {
        let interp = Interpreter::sharing(module, self.codes.clone()).with_limits(self.limits.clone());
        interp.with_output(output(self.sink.clone())).with_errors(output(self.errors.clone()))
    }
}

/// Where a program prints to, if this is where.
fn output(sink: Option<Sink>) -> Output {
    match sink {
        Some(sink) => Output::To(Box::new(move |text: &str| {
            let mut sink = sink.lock().unwrap_or_else(PoisonError::into_inner);
            sink(text);
        })),
        None => Output::default(),
    }
}

impl Executor for Interpreting {
    fn run<'a>(
        &self,
        module: &Arc<Module>,
        func: Symbol,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure> {
        self.interpreter(module).run(func, args)
    }

    fn call<'a>(
        &self,
        module: &Arc<Module>,
        callee: &Value<'a>,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure> {
        self.interpreter(module).call(callee, args)
    }

    fn forget(&self, funcs: &[Symbol]) {
        self.codes.forget(funcs);
    }
}

impl fmt::Debug for Interpreting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interpreting").field("limits", &self.limits).finish_non_exhaustive()
    }
}
