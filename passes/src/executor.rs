//! An executor that optimises each function before another executor runs it.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use overdub_context::engine::{Batch, BatchForm, Executor, PreparedCall};
use overdub_context::ir::{Func, FuncSource, LoadError, Module};
use overdub_context::limits::Limits;
use overdub_context::value::{HostFn, Value};
use overdub_context::{Failure, Symbol};

use crate::pipeline::optimise;
use crate::support::scope::{Scope, callees};

/// An executor that optimises each function and hands it to another executor.
///
/// ```
/// use overdub_context::engine::{Engine, Interpreting};
/// use overdub_context::{text, value::Value};
/// use overdub_passes::Optimised;
///
/// let program = "fn @twice(%x: f64) -> f64 {\n %y: f64 = add %x, %x\n ret %y\n}\nfn @f(%x: f64) -> f64 {\n %y: f64 = call @twice(%x)\n ret %y\n}";
/// let module = text::parse(program)?.module();
/// let engine = Engine::builder(module).executor(Optimised::new(Interpreting::new())).build();
/// assert_eq!(engine.run("f", vec![Value::F64(1.5)])?.as_f64(), Some(3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Optimised<E> {
    executor: E,
    functions: Functions,
    /// The module of the last run and its optimised functions.
    last: Mutex<Option<OptimisedModule>>,
}

/// The implementation of the elementary functions that is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Functions {
    /// The one of std.
    Std,
    /// The one of [`crate::fast_math`].
    Fast,
}

/// The optimised functions of a module.
struct OptimisedModule {
    source: Arc<Module>,
    /// The epoch of the source when the functions were optimised.
    epoch: u64,
    optimised: Arc<Module>,
}

impl<E: Executor> Optimised<E> {
    /// Optimises functions and runs them by `executor`.
    pub fn new(executor: E) -> Optimised<E> {
        Optimised { executor, functions: Functions::Std, last: Mutex::new(None) }
    }

    /// Replaces the elementary functions of std by those of [`crate::fast_math`]. Their results may differ from std's in
    /// the last bit, with an error below one unit in the last place.
    ///
    /// ```
    /// use overdub_context::engine::{Executor, Interpreting};
    /// use overdub_context::{Symbol, text, value::Value};
    /// use overdub_passes::{Optimised, fast_math};
    ///
    /// let program = text::parse("fn @f(%x: f64) -> f64 {\n %y: f64 = exp %x\n ret %y\n}")?;
    /// let module = std::sync::Arc::new(program.module());
    /// let fast = Optimised::new(Interpreting::new()).with_fast_functions();
    /// let y = fast.run(&module, Symbol::new("f"), vec![Value::F64(0.3)])?;
    /// assert_eq!(y.as_f64(), Some(fast_math::functions::exp(0.3)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_fast_functions(self) -> Optimised<E> {
        Optimised { executor: self.executor, functions: Functions::Fast, last: Mutex::new(None) }
    }

    fn module(&self, of: &Arc<Module>) -> Arc<Module> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let epoch = of.epoch();
        if let Some(known) = &*last
            && Arc::ptr_eq(&known.source, of)
            && known.epoch == epoch
        {
            return known.optimised.clone();
        }
        let mut module = Module::new();
        module.add_source(Box::new(Funcs(of.clone(), self.functions)));
        let optimised = Arc::new(module);
        *last = Some(OptimisedModule { source: of.clone(), epoch, optimised: optimised.clone() });
        optimised
    }
}

/// The functions of a module, optimised on first use.
struct Funcs(Arc<Module>, Functions);

impl FuncSource for Funcs {
    fn func(&self, name: Symbol) -> Result<Option<Arc<Func>>, LoadError> {
        let Some(func) = self.0.func(name)? else { return Ok(None) };
        let optimised = optimise(&func, &Scope::new(&callees(&self.0)));
        Ok(Some(Arc::new(match self.1 {
            Functions::Std => optimised,
            Functions::Fast => crate::pass::fast_math::in_place_of_std(&optimised),
        })))
    }

    fn host(&self, name: Symbol) -> Option<Box<dyn HostFn>> {
        self.0.host(name)
    }
}

impl<E: Executor> Executor for Optimised<E> {
    fn run<'a>(
        &self,
        module: &Arc<Module>,
        func: Symbol,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure> {
        self.executor.run(&self.module(module), func, args)
    }

    fn forget(&self, funcs: &[Symbol]) {
        self.executor.forget(funcs);
    }

    fn call<'a>(
        &self,
        module: &Arc<Module>,
        callee: &Value<'a>,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure> {
        self.executor.call(&self.module(module), callee, args)
    }

    fn replaced(&self, func: &Func) -> Option<Func> {
        match self.functions {
            Functions::Std => self.executor.replaced(func),
            Functions::Fast => Some(crate::pass::fast_math::in_place_of_std(func)),
        }
    }

    fn limits(&self) -> Limits {
        self.executor.limits()
    }

    fn prepared_call(&self, module: &Arc<Module>, func: Symbol) -> Option<Box<dyn PreparedCall>> {
        self.executor.prepared_call(&self.module(module), func)
    }

    fn batch(&self, module: &Arc<Module>, func: Symbol, form: &BatchForm) -> Option<Box<dyn Batch>> {
        self.executor.batch(&self.module(module), func, form)
    }
}

impl<E: fmt::Debug> fmt::Debug for Optimised<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Optimised").field("executor", &self.executor).finish_non_exhaustive()
    }
}
