//! A run: the state that compiled code reads and changes, and through which operations reach the machine.
//!
//! - RUN1 compiled code gets a pointer to the run as its first argument and passes it to every libcall.
//! - RUN2 (H18) a libcall returns 0, or 1 with a failure or a panic parked here; compiled code then returns
//!   frame by frame.
//! - RUN3 (H19, H20) a panic of host code resumes when the outermost run ends. Compiled code is not told of a
//!   panic in the `Clone` or `Drop` of a host value, and what it computes after that is discarded.

use std::any::Any;
use std::io::Write;
use std::sync::{Arc, PoisonError};

use overdub_context::ir::Module;
use overdub_context::limits::{Budget, Grant, Limit, count_steps};
use overdub_context::ops::{self, OpCx};
use overdub_context::value::{Closure, Code, HostFn, Value};
use overdub_context::{Failure, FailureKind, Symbol};

use crate::abi::layout::Layout;
use crate::abi::run_state::RunState;
use crate::buffer_pool::BufferPool;
use crate::compiled::Compiled;
use crate::runtime::failure_trace::FailureTrace;
use crate::runtime::host_types::{Holes, type_of};
use crate::runtime::memory::Memory;
use crate::runtime::parked_panics::take_parked;
use crate::runtime::settings::Settings;
use crate::side_tables::FailSite;
use crate::values::tape::Tapes;
use crate::values::{self, Packing, mistyped};

/// The fuel that code with interrupt checks is given at a time.
const FUEL: u64 = 1 << 16;

/// Compiled code continues on a new stack segment if less than this is left; libcalls run in the rest.
const STACK_LEFT: usize = 256 << 10;
const STACK_PIECE: usize = 4 << 20;

/// Compiles functions when they are first called.
pub(crate) trait LazyCompiler: Send + Sync {
    /// The compiled function of this name.
    fn compiled(&self, module: &Module, name: Symbol) -> Result<Arc<Compiled>, Failure>;
}

/// A run. Compiled code relies on its state being first.
#[repr(C)]
pub(crate) struct Run {
    pub(crate) state: RunState,
    /// The fuel when the budget was last updated.
    fuel_reported: i64,
    grant: Grant,
    pub(crate) module: Arc<Module>,
    /// The program, which owns the code (CODE1).
    pub(crate) program: Arc<dyn LazyCompiler>,
    settings: Settings,
    failure: Option<Failure>,
    panic: Option<Box<dyn Any + Send>>,
    trace: FailureTrace,
    reentries: usize,
    memory: Memory,
    /// The buffers of earlier calls.
    pub(crate) buffers: BufferPool,
    pub(crate) tapes: Tapes,
    globals: ops::Globals,
}

impl Run {
    pub(crate) fn new(
        module: Arc<Module>,
        program: Arc<dyn LazyCompiler>,
        settings: Settings,
        grant: Grant,
    ) -> Run {
        Run {
            state: RunState { max_depth: grant.depth.left as u64, ..RunState::default() },
            fuel_reported: 0,
            grant,
            module,
            program,
            settings,
            failure: None,
            panic: None,
            trace: FailureTrace::default(),
            reentries: 0,
            memory: Memory::default(),
            buffers: BufferPool::default(),
            tapes: Tapes::default(),
            globals: ops::Globals::new(),
        }
    }

    /// Begins another call with these limits.
    pub(crate) fn begin(&mut self, grant: Grant) {
        self.state.max_depth = grant.depth.left as u64;
        (self.state.fuel, self.fuel_reported) = (0, 0);
        self.memory.resident_before = None;
        self.grant = grant;
    }

    /// Updates the budget with the steps since the last update.
    fn update_budget(&mut self) {
        if let Some(budget) = self.grant.budget.as_ref().filter(|budget| budget.counts_steps()) {
            budget.take_steps(u64::try_from(self.fuel_reported.saturating_sub(self.state.fuel)).unwrap_or(0));
        }
        self.fuel_reported = self.state.fuel;
    }

    /// Ends the run.
    pub(crate) fn end(&mut self) {
        self.update_budget();
        self.report_counted();
    }

    /// Reports the steps that the program has counted itself.
    #[inline]
    pub(crate) fn report_counted(&mut self) {
        if self.state.counted != 0 {
            count_steps(std::mem::take(&mut self.state.counted));
        }
    }

    /// Refills the fuel, as far as the limits allow.
    pub(crate) fn refuel(&mut self) -> Result<(), Failure> {
        self.update_budget();
        let Some(budget) = &self.grant.budget else { return Ok(()) };
        if let Some(limit) = budget.passed_steps() {
            return Err(Failure::of_limit(Limit::Steps(limit)));
        }
        budget.check()?;
        let left = budget.steps_left().map_or(FUEL, |steps| steps.left.min(FUEL));
        self.state.fuel = i64::try_from(left).unwrap_or(i64::MAX);
        self.fuel_reported = self.state.fuel;
        Ok(())
    }

    /// Updates the budget before host code runs, which may begin runs of its own (H24).
    pub(crate) fn report_before_host(&mut self) {
        if self.grant.budget.is_some() {
            self.update_budget();
            let depth = usize::try_from(self.state.depth).unwrap_or(usize::MAX);
            self.grant.report_open(depth, self.reentries, self.memory.reserved);
        }
    }

    /// Updates the fuel after host code has run.
    pub(crate) fn refresh_fuel(&mut self) {
        self.update_budget();
        if let Some(steps) = self.grant.budget.as_ref().and_then(Budget::steps_left) {
            self.state.fuel = i64::try_from(steps.left.min(FUEL)).unwrap_or(i64::MAX);
            self.fuel_reported = self.state.fuel;
        }
    }

    /// Calls a function from host code.
    pub(crate) fn enter(
        &mut self,
        name: Symbol,
        args: Vec<Value<'static>>,
    ) -> Result<Value<'static>, Failure> {
        let compiled = self.program.compiled(&self.module, name)?;
        if args.len() != compiled.params.len() {
            let message = format!("`@{name}` takes {} arguments, got {}", compiled.params.len(), args.len());
            return Err(Failure::new(FailureKind::Type, message));
        }
        if !compiled.params.iter().zip(&args).all(|(layout, arg)| values::fits(layout, arg)) {
            // The interpreter reports what is wrong with the arguments.
            return self.settings.interpreter().run(&self.module.clone(), name, args);
        }
        self.take_step()?;
        // Host code that calls back may do so often with the same array.
        let packing = if self.reentries == 0 { Packing::Pack } else { Packing::Keep };
        let mut words = compiled.arg_words(args, packing)?;
        let mut results = vec![0; compiled.ret.components.len().max(1)];
        let status = self.on_enough_stack(|run| run.call_compiled(&compiled, &mut words, &mut results));
        if status != 0 {
            return Err(self.take_failure_with_trace());
        }
        // SAFETY: compiled code wrote the words of a value of its result's layout, and they are used once.
        Ok(unsafe { values::value_of(&compiled.ret, &results, values::Transfer::Move) })
    }

    /// The pointer that compiled code gets (RUN1).
    pub(crate) fn pointer(&mut self) -> *mut RunState {
        // Libcalls get the same pointer, and use the whole run.
        std::ptr::from_mut(self).cast()
    }

    /// Takes a step for a call by the host, which may call a function without end that takes none by itself (FUEL1). Before
    /// the words of the arguments are written, which the function would release.
    pub(crate) fn take_step(&mut self) -> Result<(), Failure> {
        if self.grant.budget.is_none() {
            return Ok(());
        }
        self.state.fuel = self.state.fuel.saturating_sub(1);
        if self.state.fuel < 0 { self.refuel() } else { Ok(()) }
    }

    /// Runs compiled code.
    pub(crate) fn call_compiled(
        &mut self,
        compiled: &Compiled,
        args: &mut [u64],
        results: &mut [u64],
    ) -> u32 {
        // SAFETY: RUN1, and the caller passes the words of the parameters and room for those of the result.
        unsafe { compiled.call(self.pointer(), args, results) }
    }

    /// Runs `f` with enough stack, and sets the limit that compiled code checks.
    #[inline]
    pub(crate) fn on_enough_stack<R>(&mut self, f: impl FnOnce(&mut Run) -> R) -> R {
        let (limit, depth) = (self.state.stack_limit, self.state.depth);
        let result = match stacker::remaining_stack() {
            Some(left) if left >= 2 * STACK_LEFT => self.within_stack(left, f),
            _ => stacker::grow(STACK_PIECE, || {
                let left = stacker::remaining_stack().unwrap_or(2 * STACK_LEFT);
                self.within_stack(left, f)
            }),
        };
        (self.state.stack_limit, self.state.depth) = (limit, depth);
        result
    }

    /// Runs `f` with the limit that belongs to the bytes that are left on this stack.
    #[inline]
    fn within_stack<R>(&mut self, left: usize, f: impl FnOnce(&mut Run) -> R) -> R {
        let on_the_stack = 0_u8;
        let stack_address = std::hint::black_box(&raw const on_the_stack) as usize;
        self.state.stack_limit = (stack_address - left.min(stack_address) + STACK_LEFT) as u64;
        f(self)
    }

    /// Calls a closure or function value for an instruction; the result is written to `words`.
    pub(crate) fn call_closure(
        &mut self,
        callee: &Value<'static>,
        mut args: Vec<Value<'static>>,
        ret: &Layout,
        words: &mut [u64],
    ) -> Result<(), Failure> {
        let Value::Closure(closure) = callee else { return Err(not_a_function(callee)) };
        args.splice(0..0, closure.captures.iter().cloned());
        let value = match &closure.code {
            Code::Func(name) => return self.call_func(*name, args, ret, words),
            Code::Host(host) => {
                self.report_before_host();
                let value = host.call(&mut OpCx { ret: host.ret(), machine: self }, &mut args);
                self.refresh_fuel();
                let value = value?;
                type_of(&value, ret.ty, Holes::Forbidden).map_err(|mismatch| mistyped("call", &mismatch))?;
                value
            }
        };
        values::write(ret, value, words).map_err(|mismatch| mistyped("call", &mismatch))
    }

    fn call_func(
        &mut self,
        name: Symbol,
        args: Vec<Value<'static>>,
        ret: &Layout,
        words: &mut [u64],
    ) -> Result<(), Failure> {
        let compiled = self.program.compiled(&self.module, name)?;
        if args.len() != compiled.params.len() {
            let message = format!("`@{name}` takes {} arguments, got {}", compiled.params.len(), args.len());
            return Err(Failure::new(FailureKind::Type, message));
        }
        if compiled.ret.ty != ret.ty {
            return Err(mistyped("call", &values::Mismatch { ty: ret.ty }));
        }
        self.take_step()?;
        let mut arg_words = compiled.arg_words(args, Packing::Keep)?;
        let status = self.on_enough_stack(|run| run.call_compiled(&compiled, &mut arg_words, words));
        if status == 0 { Ok(()) } else { Err(self.take_failure()) }
    }

    /// Takes the parked failure.
    fn take_failure(&mut self) -> Failure {
        if self.panic.is_some() {
            // A failure accompanies the panic through compiled code.
            return self.failure.take().unwrap_or_else(|| Failure::new(FailureKind::Host, "a panic"));
        }
        self.failure.take().expect("RUN2: whoever answers 1 has parked a failure")
    }

    /// Takes the panic of host code that resumes when the run ends (RUN3).
    #[inline]
    pub(crate) fn take_panic(&mut self) -> Option<Box<dyn Any + Send>> {
        let parked = take_parked();
        self.panic.take().or(parked)
    }

    /// Takes the parked failure, with its call stack.
    pub(crate) fn take_failure_with_trace(&mut self) -> Failure {
        let failure = self.take_failure();
        std::mem::take(&mut self.trace).attach_to(failure)
    }

    /// Resets the run: drops what lives as long as a run.
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.globals.clear();
        self.state.depth = 0;
        self.memory.reserved = 0;
    }

    /// Parks a failure (RUN2).
    pub(crate) fn fail(&mut self, failure: Failure) -> u32 {
        self.failure = Some(failure);
        1
    }

    /// Parks a panic (RUN2).
    pub(crate) fn panicked(&mut self, payload: Box<dyn Any + Send>) -> u32 {
        self.panic = Some(payload);
        1
    }

    /// Adds the innermost frame to the call stack of the failure.
    pub(crate) fn add_frame(&mut self, site: &FailSite) {
        for call in site.span.open_calls(site.func) {
            self.trace.add_call(call);
        }
    }

    /// Parks the failure of too many open calls.
    pub(crate) fn too_deep(&mut self) -> u32 {
        self.fail(Failure::of_limit(Limit::Depth(self.grant.depth.limit)))
    }

    /// Compiles a function for compiled code to call.
    pub(crate) fn resolve(&mut self, name: Symbol) -> Result<Arc<Compiled>, Failure> {
        self.program.compiled(&self.module, name)
    }
}

/// The failure of a call of a value that is not a function.
fn not_a_function(value: &Value<'_>) -> Failure {
    Failure::new(FailureKind::Type, format!("expected a function, found {value:?}"))
}

impl ops::Machine<'static> for Run {
    fn call(
        &mut self,
        callee: &Value<'static>,
        mut args: Vec<Value<'static>>,
    ) -> Result<Value<'static>, Failure> {
        let Value::Closure(closure) = callee else { return Err(not_a_function(callee)) };
        if self.reentries >= self.grant.callbacks.left {
            return Err(Failure::of_limit(Limit::Callbacks(self.grant.callbacks.limit)));
        }
        let Closure { code, captures } = &**closure;
        args.splice(0..0, captures.iter().cloned());
        self.reentries += 1;
        let result = match code {
            Code::Func(name) => self.enter(*name, args),
            Code::Host(host) => stacker::maybe_grow(STACK_LEFT, STACK_PIECE, || {
                self.report_before_host();
                host.call(&mut OpCx { ret: host.ret(), machine: self }, &mut args)
            }),
        };
        self.reentries -= 1;
        result
    }

    fn host(&self, name: Symbol) -> Option<Box<dyn HostFn>> {
        self.module.host(name)
    }

    fn globals(&mut self) -> Option<&mut ops::Globals> {
        Some(&mut self.globals)
    }

    fn eprint(&mut self, text: &str) {
        match &self.settings.errors {
            Some(sink) => (sink.lock().unwrap_or_else(PoisonError::into_inner))(text),
            None => drop(std::io::stderr().lock().write_all(text.as_bytes())),
        }
    }

    fn print(&mut self, text: &str) {
        match &self.settings.sink {
            Some(sink) => (sink.lock().unwrap_or_else(PoisonError::into_inner))(text),
            // If the pipe is closed, the program continues.
            None => drop(std::io::stdout().lock().write_all(text.as_bytes())),
        }
    }

    fn check(&mut self) -> Result<(), Failure> {
        self.grant.check()
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), Failure> {
        self.memory.reserve(self.grant.memory, bytes)
    }
}
