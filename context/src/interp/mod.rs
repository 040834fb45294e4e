//! The interpreter: the reference for all other executors.
//!
//! - It runs verified functions; on others it fails with kind `Type` and never panics.
//! - Calls use the interpreter's own stack, so a limit determines how deeply a program may recurse.
//! - One step is one instruction; the owner of an [`Execution`] decides when to run the next one.

mod callbacks;
mod calls;
mod cell_copies;
mod code;
mod compile;
mod counted;
mod delegate;
mod inspect;
mod journal;
mod machine;
mod memory;
mod operation_services;
mod pausing;
mod quicken;
mod superinstructions;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use hashbrown::HashMap;

use crate::failure::Failure;
use crate::ir::{Func, LoadError, Module};
pub use crate::limits::Limits;
use crate::value::Value;
use crate::{Span, Symbol};
use code::Code;
pub use counted::counted;
pub use delegate::{Delegate, Delegated};
pub use inspect::FrameView;
pub use journal::Journal;
use machine::Machine;
pub use memory::bytes_of;
pub use pausing::{Mark, Marks, Pause, Paused};

/// The destination of a program's output, or of its standard error.
#[derive(Default)]
pub enum Output {
    /// The standard output, or standard error, of the process.
    #[default]
    Stdout,
    /// Nowhere.
    Discard,
    /// This function.
    To(Box<dyn FnMut(&str) + Send>),
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Output::Stdout => "Stdout",
            Output::Discard => "Discard",
            Output::To(_) => "To(..)",
        })
    }
}

/// Runs the functions of a module.
///
/// It caches the compiled form of functions; a function that the module redefines is compiled again.
///
/// ```
/// use overdub_context::interp::Interpreter;
/// use overdub_context::ir::{FuncBuilder, Module, Ty};
/// use overdub_context::{ops, value::Value};
/// let add = ops::by_name("add").expect("there is an operation `add`");
/// let mut build = FuncBuilder::new("twice", Ty::f64());
/// let x = build.param("x", Ty::f64());
/// let y = build.op(add, [x, x])?;
/// build.ret(y)?;
/// let module = Module::new();
/// module.define(build.finish()?);
/// let y = Interpreter::new(&module).run("twice", vec![Value::F64(1.5)])?;
/// assert_eq!(y.as_f64(), Some(3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Interpreter<'m> {
    module: &'m Module,
    limits: Limits,
    output: Output,
    errors: Output,
    codes: HashMap<Symbol, Arc<Code>>,
    shared: Codes,
    epoch: u64,
    marks: Option<Marks>,
    journal: Option<Journal>,
    pauses_in_callbacks: bool,
    delegate: Option<Arc<dyn Delegate>>,
    /// Distinguishes the interpreter from others, and from itself with other marks.
    id: u64,
}

/// Compiled functions, shared by interpreters.
#[derive(Clone, Default)]
pub struct Codes(Arc<RwLock<HashMap<Symbol, Arc<Code>>>>);

impl fmt::Debug for Codes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Codes").finish_non_exhaustive()
    }
}

impl Codes {
    /// The compiled form of this function object.
    fn get(&self, func: &Arc<Func>) -> Option<Arc<Code>> {
        let codes = self.0.read().unwrap_or_else(PoisonError::into_inner);
        codes.get(&func.name).filter(|code| Arc::ptr_eq(&code.func, func)).cloned()
    }

    /// Forgets functions of these names.
    pub(crate) fn forget(&self, funcs: &[Symbol]) {
        let mut codes = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for name in funcs {
            codes.remove(name);
        }
    }

    fn insert(&self, code: Arc<Code>) {
        let mut codes = self.0.write().unwrap_or_else(PoisonError::into_inner);
        codes.insert(code.func.name, code);
    }
}

fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl<'m> Interpreter<'m> {
    /// An interpreter for `module` with the default limits, printing to the standard output.
    pub fn new(module: &'m Module) -> Interpreter<'m> {
        Interpreter::sharing(module, Codes::default())
    }

    /// An interpreter that shares compiled functions with others.
    pub fn sharing(module: &'m Module, shared: Codes) -> Interpreter<'m> {
        Interpreter {
            module,
            limits: Limits::default(),
            output: Output::default(),
            errors: Output::default(),
            codes: HashMap::new(),
            shared,
            epoch: module.epoch(),
            marks: None,
            journal: None,
            pauses_in_callbacks: false,
            delegate: None,
            id: next_id(),
        }
    }

    /// Sets the limits of each run.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Redirects the program's standard error, which `eprintln!` and `dbg!` write to.
    #[must_use]
    pub fn with_errors(mut self, errors: Output) -> Self {
        self.errors = errors;
        self
    }

    /// Redirects the program's standard output.
    #[must_use]
    pub fn with_output(mut self, output: Output) -> Self {
        self.output = output;
        self
    }

    /// Runs the function `name` to its end.
    ///
    /// # Errors
    /// If the program fails, exceeds a limit, or calls a function that cannot be loaded; the failure has the
    /// message, location and call stack.
    pub fn run<'a>(&mut self, name: impl Into<Symbol>, args: Vec<Value<'a>>) -> Result<Value<'a>, Failure> {
        let limits = self.limits.clone();
        limits.run(|grant| {
            let mut machine = Machine::new(self, grant);
            machine.enter(name.into(), args)?;
            machine.run()
        })
    }

    /// Calls a closure or function value.
    ///
    /// # Errors
    /// As for [`Interpreter::run`].
    pub fn call<'a>(&mut self, callee: &Value<'a>, args: Vec<Value<'a>>) -> Result<Value<'a>, Failure> {
        let limits = self.limits.clone();
        limits.run(|grant| crate::ops::Machine::call(&mut Machine::new(self, grant), callee, args))
    }

    /// Starts a run of the function `name` that is stepped from outside.
    ///
    /// # Errors
    /// If the function cannot be loaded.
    pub fn start<'a>(
        &mut self,
        name: impl Into<Symbol>,
        args: Vec<Value<'a>>,
    ) -> Result<Execution<'_, 'm, 'a>, Failure> {
        let grant = self.limits.grant();
        let mut machine = Machine::new(self, grant);
        machine.enter(name.into(), args)?;
        Ok(Execution { machine })
    }

    /// The compiled function of this name.
    fn code(&mut self, name: Symbol) -> Result<Arc<Code>, Failure> {
        let epoch = self.module.epoch();
        if epoch != self.epoch {
            self.codes.clear();
            self.epoch = epoch;
        }
        if let Some(code) = self.codes.get(&name) {
            return Ok(code.clone());
        }
        let func = match self.module.func(name) {
            Ok(Some(func)) => func,
            Ok(None) => return Err(LoadError::missing(name).into()),
            Err(error) => return Err(error.into()),
        };
        let code = match self.shared.get(&func) {
            Some(code) => code,
            None => {
                let code = Arc::new(compile::compile(func)?);
                self.shared.insert(code.clone());
                code
            }
        };
        let code = self.marked(code);
        self.codes.insert(name, code.clone());
        Ok(code)
    }
}

impl fmt::Debug for Interpreter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interpreter").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// A run that is stepped from outside, for debuggers.
#[derive(Debug)]
pub struct Execution<'i, 'm, 'a> {
    machine: Machine<'i, 'm, 'a>,
}

/// The result of a step.
#[derive(Debug)]
pub enum Progress<'a> {
    /// There is a next step.
    Running,
    /// The run has ended with this value.
    Done(Value<'a>),
}

impl<'a> Execution<'_, '_, 'a> {
    /// Runs one instruction or terminator of the innermost function.
    ///
    /// # Errors
    /// If it fails. A run that has failed or ended stays so: further steps return `Done(())`.
    pub fn step(&mut self) -> Result<Progress<'a>, Failure> {
        match self.machine.grant().resume(|_| self.machine.step())? {
            Some(value) => Ok(Progress::Done(value)),
            None => Ok(Progress::Running),
        }
    }

    /// Runs to the end.
    ///
    /// # Errors
    /// As for [`Interpreter::run`].
    pub fn finish(mut self) -> Result<Value<'a>, Failure> {
        self.machine.grant().resume(|_| self.machine.run())
    }

    /// The open calls, the innermost first.
    pub fn frames(&self) -> impl Iterator<Item = FrameView<'_, 'a>> {
        self.machine.frames()
    }

    /// The source location of the next step.
    pub fn span(&self) -> Option<Span> {
        self.frames().next().map(|frame| frame.span())
    }
}
