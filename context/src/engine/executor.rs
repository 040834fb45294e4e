//! Executors: the interface to the backends that run the functions of an engine.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Batch, BatchForm, PreparedCall};
use crate::Symbol;
use crate::failure::Failure;
use crate::interp::{Codes, Interpreter, Output};
use crate::ir::{Func, Module};
use crate::limits::Limits;
use crate::value::Value;

/// Runs functions of a module, within the [`Budget`](crate::limits::Budget) of the current thread:
/// [`Limits::run`] specifies the resources of a run.
pub trait Executor: Send + Sync {
    /// Runs the function of this name.
    ///
    /// # Errors
    /// If the program fails.
    fn run<'a>(&self, module: &Arc<Module>, func: Symbol, args: Vec<Value<'a>>)
    -> Result<Value<'a>, Failure>;

    /// Calls a closure or function value.
    ///
    /// # Errors
    /// If the program fails.
    fn call<'a>(
        &self,
        module: &Arc<Module>,
        callee: &Value<'a>,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure>;

    /// Frees what is cached for functions of these names, which are not called again unless they are
    /// specialised again.
    fn forget(&self, _funcs: &[Symbol]) {}

    /// The function that the executor runs in place of this one, if it replaces operations by others whose results differ:
    /// who runs a function elsewhere, such as in lanes, runs that one.
    fn replaced(&self, _func: &Func) -> Option<Func> {
        None
    }

    /// The limits of each run, besides those of the code around it.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// A prepared call of the function of this name. `None` if the executor has none, or has not compiled it yet.
    fn prepared_call(&self, _module: &Arc<Module>, _func: Symbol) -> Option<Box<dyn PreparedCall>> {
        None
    }

    /// A call of the function of this name for many elements. `None` if the executor never has one; whether it has compiled
    /// this one is known when it runs.
    fn batch(&self, _module: &Arc<Module>, _func: Symbol, _form: &BatchForm) -> Option<Box<dyn Batch>> {
        None
    }
}

/// The destination of the output of interpreted programs.
pub type Sink = Arc<Mutex<dyn FnMut(&str) + Send>>;

/// Runs functions in the interpreter; compiled functions are cached.
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

    /// Sets the limits of each run.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Interpreting {
        Interpreting { limits, ..self }
    }

    /// Sends the program's output to this function.
    #[must_use]
    pub fn printing(self, sink: Sink) -> Interpreting {
        Interpreting { sink: Some(sink), ..self }
    }

    /// Sends the output of `eprintln!` and `dbg!` to this function.
    #[must_use]
    pub fn printing_errors(self, sink: Sink) -> Interpreting {
        Interpreting { errors: Some(sink), ..self }
    }

    fn interpreter<'m>(&self, module: &'m Module) -> Interpreter<'m> {
        let interp = Interpreter::sharing(module, self.codes.clone()).with_limits(self.limits.clone());
        interp.with_output(output(self.sink.clone())).with_errors(output(self.errors.clone()))
    }
}

/// The output that writes to a sink, or to the standard output if there is none.
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

    fn limits(&self) -> Limits {
        self.limits.clone()
    }
}

impl fmt::Debug for Interpreting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interpreting").field("limits", &self.limits).finish_non_exhaustive()
    }
}
