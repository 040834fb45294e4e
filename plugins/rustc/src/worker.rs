//! The thread that exports and compiles, one function after the other; it ends when none is left.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::Module;
use overdub_context::limits::Limits;
use overdub_export::{Export, ExportError};

use crate::cache::Cache;
use crate::compiler::{CompileError, Compiler};
use crate::library::{Library, Loaded};
use crate::options::Language;
use crate::programs::{Entry, Program, Tier, Turn};
use crate::signature::Signature;

/// Passes recurse over functions: they get so much stack.
const STACK: usize = 16 << 20;

/// The name of an exported function.
const NAME: &str = "overdub_function";

/// A function to be compiled.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) program: Arc<Program>,
    pub(crate) module: Arc<Module>,
    pub(crate) entry: Entry,
}

/// Hears of functions that are not compiled, and why.
pub(crate) type Report = Arc<dyn Fn(Symbol, &str) + Send + Sync>;

/// How functions are compiled.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) compiler: Compiler,
    pub(crate) cache: Cache,
    pub(crate) report: Option<Report>,
    /// The limits of runs by the executor below.
    pub(crate) limits: Limits,
}

pub(crate) struct Worker {
    pub(crate) settings: Settings,
    queue: Mutex<Queue>,
    changed: Condvar,
    /// Held while something is compiled: one compiler runs at a time.
    compiling: Mutex<()>,
    /// The compiler that runs.
    running: Mutex<Option<Child>>,
    /// The libraries that are in use, by their text.
    loaded: Mutex<HashMap<String, Weak<Loaded>>>,
}

#[derive(Default, Debug)]
struct Queue {
    jobs: VecDeque<(Job, Turn)>,
    works: bool,
    is_closed: bool,
}

impl Worker {
    pub(crate) fn new(settings: Settings) -> Worker {
        Worker {
            settings,
            queue: Mutex::default(),
            changed: Condvar::new(),
            compiling: Mutex::default(),
            running: Mutex::default(),
            loaded: Mutex::default(),
        }
    }

    /// Says why a function does not run as rustc compiles it.
    pub(crate) fn report(&self, func: Symbol, reason: &str) {
        if let Some(report) = &self.settings.report {
            report(func, reason);
        }
    }

    /// Says why a function is not compiled, if this came of it.
    pub(crate) fn report_refusal(&self, func: Symbol, made: &Tier) {
        if let Tier::Refused(reason) = made {
            self.report(func, reason);
        }
    }

    /// Sets what came of a compilation in the background.
    fn finish(&self, job: &Job, turn: Turn, made: Tier) {
        self.report_refusal(job.entry.func, &made);
        job.program.finish(&job.entry, turn, made);
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compiles a function on the thread of the worker.
    pub(crate) fn submit(self: &Arc<Worker>, job: Job, turn: Turn) {
        let mut queue = self.queue();
        if queue.is_closed {
            return;
        }
        queue.jobs.push_back((job, turn));
        if queue.works {
            return;
        }
        let worker = self.clone();
        let thread = std::thread::Builder::new().name("overdub-rustc".to_owned()).stack_size(STACK);
        queue.works = thread.spawn(move || worker.work()).is_ok();
        if !queue.works {
            for (job, turn) in queue.jobs.drain(..) {
                self.finish(&job, turn, Tier::Refused("no thread can be started".into()));
            }
        }
    }

    fn work(&self) {
        loop {
            let (job, turn) = {
                let mut queue = self.queue();
                match queue.jobs.pop_front() {
                    Some(job) => job,
                    None => {
                        queue.works = false;
                        self.changed.notify_all();
                        return;
                    }
                }
            };
            self.finish(&job, turn, self.run(&job));
        }
    }

    /// Compiles a function on this thread.
    pub(crate) fn run(&self, job: &Job) -> Tier {
        let made =
            stacker::maybe_grow(STACK / 4, STACK, || catch_unwind(AssertUnwindSafe(|| self.made(job))));
        match made {
            Ok(Ok(library)) => Tier::Compiled(Arc::new(library)),
            Ok(Err(reason)) => Tier::Refused(reason.into()),
            Err(_) => Tier::Refused("the exporter panicked, which is a bug".into()),
        }
    }

    fn made(&self, job: &Job) -> Result<Library, String> {
        let engine = Engine::new(job.module.clone());
        let export = Export::new(&engine).function(job.entry.func, NAME, "");
        let func = export.named(NAME).map_err(|error| described(&error))?;
        let (signature, export) = match &job.entry.batch {
            None => (Signature::of(&func), export),
            Some(form) => {
                let numbers = (0..form.mapped.len()).filter(|number| !form.mapped[*number]);
                let fixed: Vec<String> = numbers.map(|number| number.to_string()).collect();
                let fixed: Vec<&str> = fixed.iter().map(String::as_str).collect();
                (Signature::of_batch(&func, form)?, export.with_lanes(form.width, &fixed))
            }
        };
        let language = self.settings.compiler.language().map_err(|error| error.to_string())?;
        let text = match (language, &job.entry.batch) {
            (Language::Rust, _) => export.dynamic_library(),
            (Language::C, None) => export.dynamic_library_in_c(),
            (Language::C, Some(_)) => return Err("rustc alone compiles functions in lanes".to_owned()),
        };
        let text = text.map_err(|error| described(&error))?;
        let loaded = self.loaded(&text).map_err(|error| error.to_string())?;
        Ok(Library::new(loaded, signature))
    }

    fn loaded(&self, text: &str) -> Result<Arc<Loaded>, CompileError> {
        let _one = self.compiling.lock().unwrap_or_else(PoisonError::into_inner);
        let known = || self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = known().get(text).and_then(Weak::upgrade) {
            return Ok(loaded);
        }
        let Settings { compiler, cache, .. } = &self.settings;
        let compiler = compiler.known()?;
        let compile = |source: &_, library: &_| compiler.compile(source, library, &self.running);
        let loaded = cache.library(&compiler.identity, text, compile, Loaded::load)?;
        let loaded = Arc::new(loaded);
        let mut known = known();
        known.retain(|_, loaded| loaded.strong_count() > 0);
        known.insert(text.to_owned(), Arc::downgrade(&loaded));
        Ok(loaded)
    }

    /// Waits until all functions are compiled that were to be.
    pub(crate) fn wait(&self) {
        let mut queue = self.queue();
        while queue.works {
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives up what is not compiled yet.
    pub(crate) fn close(&self) {
        let mut queue = self.queue();
        queue.is_closed = true;
        queue.jobs.clear();
        drop(queue);
        if let Some(mut child) = self.running.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The error with its place.
fn described(error: &ExportError) -> String {
    let span = error.span();
    if span.is_known() { format!("{error}, at {span}") } else { error.to_string() }
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { compiler, cache, .. } = &self.settings;
        let mut worker = f.debug_struct("Worker");
        worker.field("compiler", compiler).field("cache", cache).finish_non_exhaustive()
    }
}
