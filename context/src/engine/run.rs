//! The engine: runs functions under contexts.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

use super::attached::Attached;
use super::batch::GuardedBatch;
use super::func_key::FuncKey;
use super::instance::Instance;
use super::layers::Layers;
use super::prepared_call::{GuardedCall, LimitedCall};
use super::specializer::{SpecializedSource, Specializer};
use super::{Batch, BatchForm, Context, Executor, FuncGuard, Interpreting, Optimizer, PreparedCall};
use crate::Symbol;
use crate::failure::Failure;
use crate::ir::{Func, LoadError, Module};
use crate::limits::Limits;
use crate::value::Value;

/// The default number of cached functions.
const CAPACITY: usize = 16_384;

/// The default number of contexts that are not held but keep their code.
const CONTEXTS: usize = 1024;

/// Runs the functions of a module under contexts. Clones share the same engine.
#[derive(Clone)]
pub struct Engine(Arc<Shared>, Option<Arc<Limits>>);

struct Shared {
    specializer: Arc<Specializer>,
    executor: Arc<dyn Executor>,
    current: RwLock<Current>,
    /// Earlier modules that runs may still use.
    past: Mutex<Vec<Weak<Module>>>,
}

/// The module of the specialised functions, valid until a function is redefined.
struct Current {
    epoch: u64,
    module: Arc<Module>,
    /// What plugins made of its functions.
    attached: Arc<Attached>,
}

/// Builds an engine.
pub struct EngineBuilder {
    module: Arc<Module>,
    executor: Arc<dyn Executor>,
    optimizer: Option<Arc<dyn Optimizer>>,
    capacity: usize,
    contexts: usize,
}

impl EngineBuilder {
    /// Sets the executor.
    #[must_use]
    pub fn executor(mut self, executor: impl Executor + 'static) -> EngineBuilder {
        self.executor = Arc::new(executor);
        self
    }

    /// Sets the optimiser that passes can use.
    #[must_use]
    pub fn optimizer(mut self, optimizer: impl Optimizer + 'static) -> EngineBuilder {
        self.optimizer = Some(Arc::new(optimizer));
        self
    }

    /// Keeps at most this number of specialised functions.
    #[must_use]
    pub fn capacity(mut self, functions: usize) -> EngineBuilder {
        self.capacity = functions.max(2);
        self
    }

    /// Keeps code for at most this number of contexts that nothing holds, the most recently used; see
    /// [`Key`](super::Key).
    #[must_use]
    pub fn contexts(mut self, contexts: usize) -> EngineBuilder {
        self.contexts = contexts.max(2);
        self
    }

    /// Builds the engine.
    pub fn build(self) -> Engine {
        let EngineBuilder { module, executor, optimizer, capacity, contexts } = self;
        let specializer = Arc::new(Specializer::new(module, optimizer, capacity, contexts));
        let current = RwLock::new(Current::of(&specializer));
        Engine(Arc::new(Shared { specializer, executor, current, past: Mutex::default() }), None)
    }
}

impl fmt::Debug for EngineBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineBuilder").field("capacity", &self.capacity).finish_non_exhaustive()
    }
}

impl Current {
    fn of(specializer: &Arc<Specializer>) -> Current {
        let epoch = specializer.base.epoch();
        let mut module = Module::new();
        module.add_source(Box::new(SpecializedSource(specializer.clone())));
        Current { epoch, module: Arc::new(module), attached: Arc::default() }
    }
}

impl Engine {
    pub(super) fn instance<C: Context>(&self, cx: &C) -> Arc<Instance> {
        let (instance, is_full) = self.0.specializer.instance(cx);
        if is_full {
            self.free(&self.0.specializer.take_idle());
        }
        instance
    }

    /// Frees everything generated for these instances, which are not held.
    fn free(&self, instances: &[Arc<Instance>]) {
        if instances.is_empty() {
            return;
        }
        self.renew(&mut self.0.current.write().unwrap_or_else(PoisonError::into_inner));
        let names: Vec<Symbol> = instances.iter().flat_map(|instance| instance.generated_funcs()).collect();
        self.0.executor.forget(&names);
        let past = self.0.past.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.0.specializer.retire(instances, &past);
    }

    /// Begins a new module; active runs keep the module that they began with.
    fn renew(&self, current: &mut Current) {
        let old = std::mem::replace(current, Current::of(&self.0.specializer));
        let mut past = self.0.past.lock().unwrap_or_else(PoisonError::into_inner);
        past.retain(|module| module.strong_count() > 0);
        past.push(Arc::downgrade(&old.module));
    }

    /// An engine for the functions of a module, run by the interpreter.
    pub fn new(module: impl Into<Arc<Module>>) -> Engine {
        Engine::builder(module).build()
    }

    /// A builder of an engine for the functions of a module.
    pub fn builder(module: impl Into<Arc<Module>>) -> EngineBuilder {
        EngineBuilder {
            module: module.into(),
            executor: Arc::new(Interpreting::new()),
            optimizer: None,
            capacity: CAPACITY,
            contexts: CONTEXTS,
        }
    }

    /// The same engine, with limits for each run started through it, which apply in addition to those of its
    /// executor and those of the enclosing run or code ([`Limits::during`], which limits all runs inside it
    /// together).
    #[must_use]
    pub fn with_limits(&self, limits: Limits) -> Engine {
        Engine(self.0.clone(), (!limits.is_empty()).then(|| Arc::new(limits)))
    }

    /// The limits of each run.
    pub fn limits(&self) -> Option<&Limits> {
        self.1.as_deref()
    }

    /// The function that the executor runs in place of this one, if it does ([`Executor::replaced`]).
    pub fn replaced(&self, func: &Func) -> Option<Func> {
        self.0.executor.replaced(func)
    }

    fn limited<R>(&self, f: impl FnOnce() -> R) -> R {
        match &self.1 {
            Some(limits) => limits.during(f),
            None => f(),
        }
    }

    /// Whether this is the same engine: one is a clone of the other, possibly with other limits.
    pub fn is_same(&self, other: &Engine) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The program's own functions. Redefinitions take effect in the next run.
    pub fn program(&self) -> &Arc<Module> {
        &self.0.specializer.base
    }

    /// The functions that are ready to run: the program's own, and those generated for contexts.
    pub fn module(&self) -> Arc<Module> {
        self.current(|current| current.module.clone())
    }

    /// What plugins made of the functions of the module.
    pub(super) fn attached_values(&self) -> Arc<Attached> {
        self.current(|current| current.attached.clone())
    }

    fn current<R>(&self, read: impl Fn(&Current) -> R) -> R {
        let epoch = self.0.specializer.base.epoch();
        let current = self.0.current.read().unwrap_or_else(PoisonError::into_inner);
        if current.epoch == epoch && current.module.count() <= self.0.specializer.capacity() {
            return read(&current);
        }
        drop(current);
        let mut current = self.0.current.write().unwrap_or_else(PoisonError::into_inner);
        self.renew(&mut current);
        read(&current)
    }

    /// The number of cached functions generated for contexts.
    pub fn cached_funcs(&self) -> usize {
        self.0.specializer.cached_funcs()
    }

    /// The number of contexts for which code is kept.
    pub fn contexts(&self) -> usize {
        self.0.specializer.instances()
    }

    /// Frees everything generated for a context and for those with the same key, without waiting for others
    /// to replace it. Running or prepared functions continue, and are freed afterwards; a name that was
    /// returned ([`Engine::nested`], [`Engine::overdubbed`]) keeps the function that it names.
    pub fn forget<C: Context>(&self, cx: &C) {
        self.free(&self.0.specializer.forget(&cx.key()));
    }

    /// Runs a function outside of every context.
    ///
    /// # Errors
    /// If the program fails.
    pub fn run<'a>(&self, func: impl Into<Symbol>, args: Vec<Value<'a>>) -> Result<Value<'a>, Failure> {
        let guard = self.hold(func);
        self.execute_and_retain(guard.name(), args)
    }

    /// Keeps the function of a name alive while the result is held.
    pub fn hold(&self, func: impl Into<Symbol>) -> FuncGuard {
        let name = func.into();
        FuncGuard::new(name, self.0.specializer.instances_of(name))
    }

    /// Keeps the function of a name that leaves the engine, because nothing reveals when the caller stops
    /// using it.
    fn retain_forever(&self, name: Symbol) -> Symbol {
        self.0.specializer.retain_forever(name);
        name
    }

    /// Runs a function; the caller holds the contexts for which it was generated.
    fn execute<'a>(&self, name: Symbol, args: Vec<Value<'a>>) -> Result<Value<'a>, Failure> {
        self.limited(|| self.0.executor.run(&self.module(), name, args))
            .map_err(|f| self.0.specializer.explained(f))
    }

    /// Runs a function and keeps the functions in its result.
    fn execute_and_retain<'a>(&self, name: Symbol, args: Vec<Value<'a>>) -> Result<Value<'a>, Failure> {
        let value = self.execute(name, args)?;
        self.retain_result(name, &value);
        Ok(value)
    }

    /// Keeps the functions in the result of a function generated for contexts, as long as the engine lives.
    fn retain_result(&self, name: Symbol, value: &Value<'_>) {
        if FuncKey::of(name).is_some() {
            self.0.specializer.retain_funcs_in(value);
        }
    }

    /// The owner of the functions in the result of a function.
    fn guard_of_result(&self, name: Symbol, value: &Value<'_>) -> FuncGuard {
        FuncGuard::new(name, self.0.specializer.instances_in(name, value))
    }

    /// Calls a closure or function value that a run returned.
    ///
    /// # Errors
    /// If the program fails.
    pub fn call<'a>(&self, callee: &Value<'a>, args: Vec<Value<'a>>) -> Result<Value<'a>, Failure> {
        self.limited(|| self.0.executor.call(&self.module(), callee, args))
    }

    /// A prepared call of a function of [`Engine::module`], if the executor has one now. It does not observe
    /// later redefinitions; the program's [`epoch`](Module::epoch) reveals whether there were any.
    pub fn prepared_call(&self, func: impl Into<Symbol>) -> Option<Box<dyn PreparedCall>> {
        let guard = self.hold(func);
        let mut caller = self.0.executor.prepared_call(&self.module(), guard.name())?;
        let unheld = if guard.is_generated() { caller.hold(guard) } else { None };
        let caller: Box<dyn PreparedCall> = match unheld {
            Some(guard) => Box::new(GuardedCall { caller, _guard: guard }),
            None => caller,
        };
        Some(match &self.1 {
            Some(limits) => Box::new(LimitedCall { caller, limits: limits.clone() }),
            None => caller,
        })
    }

    /// A call of a function of [`Engine::module`] for many elements, if the executor has such calls ([`Executor::batch`]). It
    /// observes neither later redefinitions nor the limits of this engine, [`Engine::limits`].
    pub fn batch(&self, func: impl Into<Symbol>, form: &BatchForm) -> Option<Box<dyn Batch>> {
        let guard = self.hold(func);
        let batch = self.0.executor.batch(&self.module(), guard.name(), form)?;
        Some(match guard.is_generated() {
            true => Box::new(GuardedBatch { batch, _guard: guard }),
            false => batch,
        })
    }

    /// Runs a function under a context, or under nested contexts: `(outer, inner)`, `(outer, (next, inner))`.
    /// The outer context sees the calls that the inner one generated from those of the function.
    ///
    /// # Errors
    /// If the program or a hook fails, or a function cannot be specialised for the context.
    pub fn overdub<'a, L: Layers>(
        &self,
        cx: &L,
        func: impl Into<Symbol>,
        args: Vec<Value<'a>>,
    ) -> Result<L::Of<Value<'a>>, Failure> {
        self.overdub_as(cx, func, args, Ok)
    }

    /// Runs a function like [`Engine::overdub`]; `read` converts its result.
    ///
    /// # Errors
    /// As for [`Engine::overdub`], and if `read` fails.
    pub fn overdub_as<'a, L: Layers, R>(
        &self,
        cx: &L,
        func: impl Into<Symbol>,
        args: Vec<Value<'a>>,
        read: impl FnOnce(Value<'a>) -> Result<R, Failure>,
    ) -> Result<L::Of<R>, Failure> {
        let (name, specialized) = cx.specialize(self, func.into());
        self.run_specialized(cx, (name, &specialized), args, Engine::retain_result, |value, ()| read(value))
    }

    /// Like [`Engine::overdub_as`], but functions of the program in the result, which are otherwise kept as
    /// long as the engine lives, are valid as long as the [`FuncGuard`] that `read` gets along with the result.
    ///
    /// # Errors
    /// As for [`Engine::overdub`], and if `read` fails.
    pub fn overdub_guarded<'a, L: Layers, R>(
        &self,
        cx: &L,
        func: impl Into<Symbol>,
        args: Vec<Value<'a>>,
        read: impl FnOnce(Value<'a>, FuncGuard) -> Result<R, Failure>,
    ) -> Result<L::Of<R>, Failure> {
        let (name, specialized) = cx.specialize(self, func.into());
        self.run_specialized(cx, (name, &specialized), args, Engine::guard_of_result, read)
    }

    /// Runs a function under a context to observe it; returns the result and the final metadata, even if the
    /// run failed.
    ///
    /// ```
    /// use overdub_context::engine::{Engine, ctx_with};
    /// use overdub_context::{text, value::Value};
    ///
    /// let program = "fn @f(%x: i64) -> i64 {\n %y: i64 = add %x, 1\n %z: i64 = div %y, 0\n ret %z\n}";
    /// let engine = Engine::new(text::parse(program)?.module());
    /// let names = ctx_with::<Vec<&'static str>>().before(|names, call, _| names.push(call.name()));
    /// let (result, names) = engine.watch(&names, "f", vec![Value::from(1_i64)]);
    /// assert!(result.is_err());
    /// assert_eq!(names, ["add", "div"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn watch<'a, L: Layers>(
        &self,
        cx: &L,
        func: impl Into<Symbol>,
        args: Vec<Value<'a>>,
    ) -> (Result<Value<'a>, Failure>, L::Metadata) {
        let (name, specialized) = cx.specialize(self, func.into());
        let (args, open) = cx.open(&specialized, args);
        let result = self.execute_and_retain(name, args);
        (result, cx.finish(open))
    }

    /// Looks up a function under a context once for many runs.
    pub fn prepare<L: Layers>(&self, cx: &L, func: impl Into<Symbol>) -> Prepared<L> {
        let func = func.into();
        let source = self.hold(func);
        let (name, specialized) = cx.specialize(self, func);
        let program = self.program().clone();
        Prepared { engine: self.clone(), program, cx: cx.clone(), name, specialized, _source: source }
    }

    /// Runs a function generated for a context. `retain` keeps the functions in its result, and `read` reads
    /// that.
    fn run_specialized<'a, L: Layers, K, R>(
        &self,
        cx: &L,
        (name, specialized): (Symbol, &L::Specialized),
        args: Vec<Value<'a>>,
        retain: impl FnOnce(&Engine, Symbol, &Value<'a>) -> K,
        read: impl FnOnce(Value<'a>, K) -> Result<R, Failure>,
    ) -> Result<L::Of<R>, Failure> {
        let (args, open) = cx.open(specialized, args);
        let value = self.execute(name, args)?;
        let retained = retain(self, name, &value);
        cx.close(open, self, value, |value| read(value, retained))
    }

    /// The function specialised for a context, which `overdub` runs. Under a context with a handle, the
    /// handle is its first parameter. For an empty context it is the function itself.
    ///
    /// # Errors
    /// If there is no such function, or it cannot be specialised for the context.
    pub fn overdubbed<L: Layers>(&self, cx: &L, func: impl Into<Symbol>) -> Result<Arc<Func>, LoadError> {
        let func = func.into();
        let (name, specialized) = cx.specialize(self, func);
        let found = self.module().func(self.retain_forever(name))?;
        drop(specialized);
        found.ok_or_else(|| LoadError::missing(func))
    }

    /// The name by which a program calls a function under a context: a function that takes and returns the
    /// same as the original (as mapped by the context), begins with new metadata, and discards them at its
    /// end. This is how contexts nest: it is an ordinary function for other contexts, too.
    ///
    /// This very context runs, even if another one with an equal key was used before: see
    /// [`Context::runs_as`] for when two share a name.
    ///
    /// The named function is kept as long as the engine lives; [`Engine::nested_guarded`] is for names that are
    /// dropped earlier.
    pub fn nested<C: Context>(&self, cx: &C, func: impl Into<Symbol>) -> Symbol {
        let guard = self.nested_guarded(cx, func);
        self.retain_forever(guard.name())
    }

    /// Like [`Engine::nested`], but the name is only valid while the result is held.
    pub fn nested_guarded<C: Context>(&self, cx: &C, func: impl Into<Symbol>) -> FuncGuard {
        let func = func.into();
        if cx.is_empty() {
            return self.hold(func);
        }
        let instance = self.instance(cx);
        self.hold(instance.run_name(cx, func))
    }

    /// The name that a function had before any context rewrote it: the name that call stacks show.
    pub fn root(&self, func: Symbol) -> Symbol {
        self.0.specializer.root(func)
    }

    /// Whether a function of this name has a body that a context can specialise.
    pub fn can_recurse(&self, func: impl Into<Symbol>) -> bool {
        matches!(self.0.specializer.base.func(func.into()), Ok(Some(_)))
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("cached_funcs", &self.cached_funcs()).finish_non_exhaustive()
    }
}

/// A function under a context, looked up once for many runs.
pub struct Prepared<L: Layers> {
    engine: Engine,
    /// The engine's program, whose epoch short calls compare each time.
    program: Arc<Module>,
    cx: L,
    name: Symbol,
    specialized: L::Specialized,
    /// The function itself may be generated for contexts.
    _source: FuncGuard,
}

impl<L: Layers> Prepared<L> {
    /// Runs the function. Redefinitions since it was prepared take effect.
    ///
    /// # Errors
    /// As for [`Engine::overdub`].
    pub fn run<'a>(&self, args: Vec<Value<'a>>) -> Result<L::Of<Value<'a>>, Failure> {
        let called = (self.name, &self.specialized);
        self.engine.run_specialized(&self.cx, called, args, Engine::retain_result, |value, ()| Ok(value))
    }

    /// Runs the function as [`Engine::overdub_guarded`] does.
    ///
    /// # Errors
    /// As for [`Engine::overdub`], and if `read` fails.
    pub fn run_guarded<'a, R>(
        &self,
        args: Vec<Value<'a>>,
        read: impl FnOnce(Value<'a>, FuncGuard) -> Result<R, Failure>,
    ) -> Result<L::Of<R>, Failure> {
        self.engine.run_specialized(
            &self.cx,
            (self.name, &self.specialized),
            args,
            Engine::guard_of_result,
            read,
        )
    }

    /// A prepared call that runs the function without allocating, if the executor has one now: see
    /// [`Engine::prepared_call`].
    pub fn prepared_call(&self) -> Option<Box<dyn PreparedCall>> {
        self.engine.prepared_call(self.name)
    }

    /// The program's epoch, which changes when a function is redefined.
    #[inline]
    pub fn epoch(&self) -> u64 {
        self.program.epoch()
    }

    /// The name of the function that is run, which is kept as long as the engine lives.
    pub fn name(&self) -> Symbol {
        self.engine.retain_forever(self.name)
    }

    /// The function that is run, specialised now. Its name is valid as long as this object;
    /// [`Engine::overdubbed`] returns one that is kept.
    ///
    /// # Errors
    /// If there is no such function, or the contexts refuse it.
    pub fn func(&self) -> Result<Arc<Func>, LoadError> {
        self.engine.module().func(self.name)?.ok_or_else(|| LoadError::missing(self.name))
    }
}

impl<L: Layers> fmt::Debug for Prepared<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("name", &self.name).finish_non_exhaustive()
    }
}
