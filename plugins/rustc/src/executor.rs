//! The executor.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use overdub_context::engine::{Batch, BatchForm, Executor, PreparedCall};
use overdub_context::ir::{Func, Module};
use overdub_context::limits::Limits;
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

use crate::batch::InLanes;
use crate::cache::Cache;
use crate::compiler::Compiler;
use crate::library::Library;
use crate::prepared::Call;
use crate::programs::{Entry, Program, Programs, Status, Tier};
use crate::replaced::replaced;
use crate::worker::{Job, Settings, Worker};

/// About the time that a compilation takes.
const THRESHOLD: Duration = Duration::from_millis(500);

/// Runs functions by the executor below, and hot ones as rustc, clang or gcc compiled them.
#[derive(Debug)]
pub struct Rustc(Arc<State>);

/// What an executor and its prepared calls share.
pub(crate) struct State {
    below: Arc<dyn Executor>,
    /// The limits of the executor below.
    limits: Limits,
    programs: Programs,
    worker: Arc<Worker>,
    compiles: Compiles,
    /// Whether it was reported that a run has limits.
    knows_limits: AtomicBool,
}

/// When a function is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compiles {
    /// In the background, when its runs have taken this time.
    After(Duration),
    /// Before its first run, which waits for it.
    First,
}

impl Rustc {
    /// Runs functions by the executor `below`, and those whose runs took half a second together as the
    /// [installed](Compiler::installed) compiler compiled them. Libraries are kept for [this user](Cache::of_user).
    pub fn new(below: impl Executor + 'static) -> Rustc {
        let settings = Settings {
            compiler: Compiler::installed(),
            cache: Cache::of_user(),
            report: None,
            limits: Limits::default(),
        };
        Rustc::with(Arc::new(below), settings, Compiles::After(THRESHOLD))
    }

    fn with(below: Arc<dyn Executor>, settings: Settings, compiles: Compiles) -> Rustc {
        let limits = below.limits();
        let (programs, worker) = (Programs::default(), Arc::new(Worker::new(settings)));
        Rustc(Arc::new(State {
            below,
            limits,
            programs,
            worker,
            compiles,
            knows_limits: AtomicBool::new(false),
        }))
    }

    fn with_settings(self, change: impl FnOnce(Settings) -> Settings) -> Rustc {
        let State { below, worker, compiles, .. } = &*self.0;
        Rustc::with(below.clone(), change(worker.settings.clone()), *compiles)
    }

    fn compiling(self, compiles: Compiles) -> Rustc {
        Rustc::with(self.0.below.clone(), self.0.worker.settings.clone(), compiles)
    }

    /// Compiles by another compiler.
    #[must_use]
    pub fn with_compiler(self, compiler: Compiler) -> Rustc {
        self.with_settings(|settings| Settings { compiler, ..settings })
    }

    /// Keeps compiled libraries elsewhere, or nowhere.
    #[must_use]
    pub fn with_cache(self, cache: Cache) -> Rustc {
        self.with_settings(|settings| Settings { cache, ..settings })
    }

    /// Compiles a function when its runs took this time together.
    #[must_use]
    pub fn compiling_after(self, time: Duration) -> Rustc {
        self.compiling(Compiles::After(time))
    }

    /// Compiles every function before its first run, which waits for it.
    #[must_use]
    pub fn compiling_first(self) -> Rustc {
        self.compiling(Compiles::First)
    }

    /// Runs within these limits what the executor below runs. Libraries, which count nothing, run what they can without them.
    #[must_use]
    pub fn limiting_below(self, limits: Limits) -> Rustc {
        self.with_settings(|settings| Settings { limits, ..settings })
    }

    /// Calls `report` with the name of each function that cannot be compiled, and the reason; and once for a run with limits.
    #[must_use]
    pub fn reporting(self, report: impl Fn(Symbol, &str) + Send + Sync + 'static) -> Rustc {
        self.with_settings(|settings| Settings { report: Some(Arc::new(report)), ..settings })
    }

    /// Waits until no function is being compiled.
    pub fn wait(&self) {
        self.0.worker.wait();
    }

    /// How a function of a module is run.
    pub fn status(&self, module: &Arc<Module>, func: Symbol) -> Status {
        self.status_of(module, &Entry::from(func))
    }

    /// How calls of a function of a module for many elements are run.
    pub fn batch_status(&self, module: &Arc<Module>, func: Symbol, form: &BatchForm) -> Status {
        self.status_of(module, &Entry { func, batch: Some(form.clone()) })
    }

    fn status_of(&self, module: &Arc<Module>, entry: &Entry) -> Status {
        match self.0.programs.of(module).tier(entry) {
            Tier::Cold(_) => Status::Cold,
            Tier::Compiling(_) => Status::Compiling,
            Tier::Compiled(_) => Status::Compiled,
            Tier::Refused(reason) => Status::Refused(reason.to_string()),
        }
    }
}

impl State {
    /// Runs a function by the executor below.
    pub(crate) fn run_below<'a>(
        &self,
        module: &Arc<Module>,
        func: Symbol,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure> {
        self.within_limits(|| self.below.run(module, func, args))
    }

    /// Does what the executor below does, within its limits.
    pub(crate) fn within_limits<R>(&self, run: impl FnOnce() -> R) -> R {
        self.worker.settings.limits.during(run)
    }

    /// Whether a run that begins here may be one of a library (TIER3).
    pub(crate) fn is_unlimited(&self) -> bool {
        self.limits.are_default_here()
    }

    /// As [`State::is_unlimited`]; the first run that may not is reported.
    pub(crate) fn allows_libraries(&self, func: Symbol) -> bool {
        let is_unlimited = self.is_unlimited();
        if !is_unlimited && !self.knows_limits.swap(true, Ordering::Relaxed) {
            self.worker.report(func, "runs have limits, and compiled libraries count nothing");
        }
        is_unlimited
    }

    /// The compiled function, which is compiled now if it is to be before its first run.
    pub(crate) fn library(
        &self,
        program: &Arc<Program>,
        module: &Arc<Module>,
        entry: &Entry,
    ) -> Option<Arc<Library>> {
        let mut tier = program.tier(entry);
        if let (Tier::Cold(_), Compiles::First) = (&tier, self.compiles) {
            // The function is held by the run that waits: it is not forgotten meanwhile.
            let made = self.worker.run(&self.job(program, module, entry));
            if program.set_first(entry, made.clone()) {
                self.worker.report_refusal(entry.func, &made);
            }
            tier = program.tier(entry);
        }
        match tier {
            Tier::Compiled(library) => Some(library),
            _ => None,
        }
    }

    fn job(&self, program: &Arc<Program>, module: &Arc<Module>, entry: &Entry) -> Job {
        let replaces =
            matches!(module.func(entry.func), Ok(Some(func)) if self.below.replaced(&func).is_some());
        let module = match replaces {
            true => replaced(module.clone(), self.below.clone()),
            false => module.clone(),
        };
        Job { program: program.clone(), module, entry: entry.clone() }
    }

    /// Adds the time of a run by other code.
    pub(crate) fn add(&self, program: &Arc<Program>, module: &Arc<Module>, entry: &Entry, time: Duration) {
        if let Compiles::After(threshold) = self.compiles
            && let Some(turn) = program.add(entry, time, threshold)
        {
            self.worker.submit(self.job(program, module, entry), turn);
        }
    }
}

impl Executor for Rustc {
    fn run<'a>(
        &self,
        module: &Arc<Module>,
        func: Symbol,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure> {
        if !self.0.allows_libraries(func) {
            return self.0.run_below(module, func, args);
        }
        let (program, entry) = (self.0.programs.of(module), Entry::from(func));
        if let Some(library) = self.0.library(&program, module, &entry) {
            return match library.run(&args) {
                Some(result) => Ok(result),
                None => self.0.run_below(module, func, args),
            };
        }
        let start = Instant::now();
        let result = self.0.run_below(module, func, args);
        self.0.add(&program, module, &entry, start.elapsed());
        result
    }

    fn call<'a>(
        &self,
        module: &Arc<Module>,
        callee: &Value<'a>,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure> {
        self.0.within_limits(|| self.0.below.call(module, callee, args))
    }

    fn forget(&self, funcs: &[Symbol]) {
        self.0.below.forget(funcs);
        self.0.programs.forget(funcs);
    }

    fn replaced(&self, func: &Func) -> Option<Func> {
        self.0.below.replaced(func)
    }

    fn limits(&self) -> Limits {
        self.0.limits.clone()
    }

    fn prepared_call(&self, module: &Arc<Module>, func: Symbol) -> Option<Box<dyn PreparedCall>> {
        let below = self.0.below.prepared_call(module, func)?;
        let (program, entry) = (self.0.programs.of(module), Entry::from(func));
        let library = self.0.library(&program, module, &entry);
        Some(Box::new(Call::new(self.0.clone(), below, program, (module.clone(), entry), library)))
    }

    fn batch(&self, module: &Arc<Module>, func: Symbol, form: &BatchForm) -> Option<Box<dyn Batch>> {
        let entry = Entry { func, batch: Some(form.clone()) };
        Some(Box::new(InLanes::new(self.0.clone(), self.0.programs.of(module), (module.clone(), entry))))
    }
}

/// Compilations that nobody waits for are given up.
impl Drop for State {
    fn drop(&mut self) {
        self.worker.close();
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut state = f.debug_struct("State");
        state.field("worker", &self.worker).field("compiles", &self.compiles).finish_non_exhaustive()
    }
}
