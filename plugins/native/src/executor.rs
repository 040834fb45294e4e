//! The executor: functions are compiled when they are first called, and kept for later runs.

use std::fmt;
use std::sync::Arc;

use overdub_context::Failure;
use overdub_context::Symbol;
use overdub_context::engine::{Executor, PreparedCall, Sink};
use overdub_context::ir::{Func, Module};
use overdub_context::limits::{Grant, Limits};
use overdub_context::ops::Machine;
use overdub_context::value::{Code, Value};

use crate::checks::LedgerScope;
use crate::prepared::Prepared;
use crate::programs::Programs;
use crate::runtime::run::Run;
use crate::runtime::settings::Settings;

/// Runs functions as machine code. Clones share the compiled code.
///
/// ```
/// use overdub_context::engine::Engine;
/// use overdub_context::text;
/// use overdub_context::value::Value;
/// use overdub_native::Native;
/// let program = text::parse("fn @half(%x: f64) -> f64 {\n  %y: f64 = div %x, 2.0\n  ret %y\n}")?;
/// let engine = Engine::builder(program.module()).executor(Native::new()).build();
/// assert_eq!(engine.run("half", vec![Value::F64(3.0)])?.as_f64(), Some(1.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Native {
    compiles: Compiles,
    programs: Programs,
}

/// When a function is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compiles {
    Always,
    /// If its runs take longer than compiling it.
    WhereWorthIt,
    /// If its runs take this many steps.
    From(u64),
}

impl Native {
    /// Compiles functions that run for long or often; the interpreter runs the others.
    pub fn auto() -> Native {
        Native { compiles: Compiles::WhereWorthIt, ..Native::default() }
    }

    /// Compiles every function, with the default limits, and prints to the standard output.
    pub fn new() -> Native {
        Native::default()
    }

    /// Sets the limits. If time or steps are limited, or a run can be cancelled, functions are compiled a second
    /// time, with code that counts steps at calls and in loops.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Native {
        let settings = self.programs.settings.clone();
        let interpreting = settings.interpreting.clone().with_limits(limits.clone());
        self.with_settings(Settings { limits, ..settings }.interpreted_by(interpreting))
    }

    /// Prints into this function.
    #[must_use]
    pub fn printing(self, sink: Sink) -> Native {
        let settings = self.programs.settings.clone();
        let interpreting = settings.interpreting.clone().printing(sink.clone());
        self.with_settings(Settings { sink: Some(sink), ..settings }.interpreted_by(interpreting))
    }

    /// Writes the output of `eprintln!` and `dbg!` into this function.
    #[must_use]
    pub fn printing_errors(self, sink: Sink) -> Native {
        let settings = self.programs.settings.clone();
        let interpreting = settings.interpreting.clone().printing_errors(sink.clone());
        self.with_settings(Settings { errors: Some(sink), ..settings }.interpreted_by(interpreting))
    }

    /// Compiles functions without optimisation: nothing is inlined, so that call stacks equal those of the
    /// interpreter.
    #[must_use]
    pub fn without_optimising(self) -> Native {
        Native { programs: self.programs.without_optimising(), ..self }
    }

    /// Replaces std's `exp`, `ln`, `tanh`, `sin`, `cos` and `powf` by the functions of [`overdub_passes::fast_math`]:
    /// they are less than one unit in the last place from the exact result, differ in some results, and are
    /// vectorised on arrays. The interpreter then gives the same bits.
    ///
    /// ```
    /// use overdub_context::engine::Executor;
    /// use overdub_context::{Symbol, text, value::Value};
    /// use overdub_native::Native;
    /// use overdub_passes::fast_math::functions;
    ///
    /// let program = text::parse("fn @f(%x: f64) -> f64 {\n  %y: f64 = sin %x\n  ret %y\n}")?;
    /// let module = std::sync::Arc::new(program.module());
    /// let y = Native::new().with_fast_functions().run(&module, Symbol::new("f"), vec![Value::F64(2.5)])?;
    /// assert_eq!(y.as_f64(), Some(functions::sin(2.5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_fast_functions(self) -> Native {
        let settings = self.programs.settings.clone().with_fast_functions();
        Native { programs: self.programs.emptied(), ..self }.with_settings(settings)
    }

    /// Compiles a function once its runs have taken this many interpreted steps, including the estimate for
    /// the current run, regardless of the cost of compilation; 0 compiles at once.
    ///
    /// [`Native::auto`] also estimates the cost of compilation.
    #[must_use]
    pub fn compiling_from(self, steps: u64) -> Native {
        Native { compiles: Compiles::From(steps), programs: self.programs.emptied() }
    }

    /// The Cranelift IR of a function, block by block, as it is passed to Cranelift: after the passes, with
    /// names in place of addresses.
    ///
    /// ```
    /// use overdub_context::{Symbol, text};
    /// use overdub_native::Native;
    ///
    /// let program = text::parse("fn @f(%x: f64) -> f64 {\n  %y: f64 = sqrt %x\n  ret %y\n}")?;
    /// let module = std::sync::Arc::new(program.module());
    /// let listing = Native::new().listing(&module, Symbol::new("f"))?;
    /// assert!(listing.contains("sqrt"), "{listing}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such function, or it cannot be compiled.
    pub fn listing(&self, module: &Arc<Module>, func: Symbol) -> Result<String, Failure> {
        self.programs.of(module, self.programs.stops()).listing(module, func)
    }

    /// Whether this function of the module was compiled.
    pub fn has_compiled(&self, module: &Arc<Module>, func: Symbol) -> bool {
        [false, true].into_iter().any(|stops| self.programs.of(module, stops).known(func).is_some())
    }

    /// Compiles a function of a module. Under a context it is the function that the engine specialises:
    /// `engine.overdubbed(&cx, func)?.name` in `engine.module()`.
    ///
    /// # Errors
    /// If there is no such function, or it cannot be compiled.
    pub fn prepare(&self, module: &Arc<Module>, func: Symbol) -> Result<Prepared, Failure> {
        Prepared::new(&self.programs, module, func)
    }

    fn with_settings(self, settings: Settings) -> Native {
        Native { programs: self.programs.with_settings(settings), ..self }
    }

    /// Whether to run compiled code rather than the interpreter.
    fn runs(&self, module: &Arc<Module>, func: Option<Symbol>, args: &[Value<'_>]) -> bool {
        match (self.compiles, func) {
            (Compiles::Always, _) => true,
            (Compiles::WhereWorthIt | Compiles::From(_), None) => false,
            (Compiles::WhereWorthIt, Some(func)) => {
                self.programs.of(module, self.programs.stops()).is_worth_it(module, func, args, None)
            }
            (Compiles::From(steps), Some(func)) => {
                self.programs.of(module, self.programs.stops()).is_worth_it(module, func, args, Some(steps))
            }
        }
    }

    fn started<'a>(
        &self,
        module: &Arc<Module>,
        grant: Grant,
        start: impl FnOnce(&mut Run) -> Result<Value<'static>, Failure>,
    ) -> Result<Value<'a>, Failure> {
        let stops = grant.budget.as_ref().is_some_and(|budget| budget.interrupts());
        let program = self.programs.of(module, stops);
        let mut run = Run::new(module.clone(), program, self.programs.settings.clone(), grant);
        let checks = LedgerScope::begin(&mut run.state.at);
        let result = start(&mut run);
        drop(checks);
        run.end();
        if let Some(panic) = run.take_panic() {
            std::panic::resume_unwind(panic);
        }
        result
    }
}

impl Default for Native {
    fn default() -> Native {
        Native { compiles: Compiles::Always, programs: Programs::default() }
    }
}

/// Erases the lifetime of borrowed values.
///
/// # Safety
/// The values, and values derived from them, are used only during `'a`.
unsafe fn forget_lifetime<'a>(values: Vec<Value<'a>>) -> Vec<Value<'static>> {
    // SAFETY: a lifetime does not change the layout of a value; the caller keeps to `'a`.
    values
        .into_iter()
        .map(|value| unsafe { std::mem::transmute::<Value<'a>, Value<'static>>(value) })
        .collect()
}

impl Executor for Native {
    fn run<'a>(
        &self,
        module: &Arc<Module>,
        func: Symbol,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure> {
        if !self.runs(module, Some(func), &args) {
            return self.programs.settings.interpreter().run(module, func, args);
        }
        // SAFETY: the run ends here, and its result is given back as `Value<'a>` (WORD3). Evaluators are generic
        // over the lifetime, so that none keeps a borrowed value (H22).
        let args = unsafe { forget_lifetime(args) };
        self.programs.settings.limits.run(|grant| self.started(module, grant, |run| run.enter(func, args)))
    }

    fn call<'a>(
        &self,
        module: &Arc<Module>,
        callee: &Value<'a>,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure> {
        let code = match callee {
            Value::Closure(closure) => match &closure.code {
                Code::Func(name) => Some(*name),
                Code::Host(_) => None,
            },
            _ => None,
        };
        if !self.runs(module, code, std::slice::from_ref(callee)) {
            return self.programs.settings.interpreter().call(module, callee, args);
        }
        // SAFETY: as in `run`.
        let (callee, args) = unsafe { (forget_lifetime(vec![callee.clone()]), forget_lifetime(args)) };
        self.programs
            .settings
            .limits
            .run(|grant| self.started(module, grant, |run| run.call(&callee[0], args)))
    }

    /// Compiled code is freed with its module: the engine makes a new one after a change.
    fn forget(&self, funcs: &[Symbol]) {
        self.programs.settings.interpreter().forget(funcs);
        self.programs.drop_orphans();
    }

    fn replaced(&self, func: &Func) -> Option<Func> {
        self.programs.settings.fast.is_some().then(|| overdub_passes::fast_math::in_place_of_std(func))
    }

    fn limits(&self) -> Limits {
        self.programs.settings.limits.clone()
    }

    /// A function that is not compiled yet has no prepared call.
    fn prepared_call(&self, module: &Arc<Module>, func: Symbol) -> Option<Box<dyn PreparedCall>> {
        let is_ready = self.compiles == Compiles::Always || self.has_compiled(module, func);
        if !is_ready {
            return None;
        }
        Some(Box::new(self.prepare(module, func).ok()?.caller()))
    }
}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Native").field("limits", &self.programs.settings.limits).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use overdub_context::text;

    use super::*;

    const SUM: &str = "
fn @sum(%n: usize) -> usize {
  br ^loop(0_usize, 0_usize)
^loop(%i: usize, %sum: usize):
  %go: bool = lt %i, %n
  br_if %go, ^body, ^done
^body:
  %more: usize = add %sum, %i
  %next: usize = add %i, 1_usize
  br ^loop(%next, %more)
^done:
  ret %sum
}
";

    #[test]
    fn a_short_run_is_interpreted_a_long_one_compiled_and_so_are_many_short_ones() {
        let module = Arc::new(text::parse(SUM).expect("it is well formed").module());
        let name = Symbol::new("sum");
        let (long, often) = (Native::auto(), Native::auto());
        let compiled = |native: &Native| native.has_compiled(&module, name);
        let run = |native: &Native, n: usize| {
            let sum = native.run(&module, name, vec![Value::from(n)]).expect("it does not fail");
            assert!(sum.same(&Value::from(n * (n - 1) / 2)));
        };
        run(&long, 10);
        assert!(!compiled(&long));
        run(&long, 1_000_000);
        assert!(compiled(&long));
        for _ in 0..10_000 {
            run(&often, 10);
        }
        assert!(compiled(&often));
    }

    #[test]
    fn who_knows_better_says_from_when_on_functions_are_compiled() {
        let module = Arc::new(text::parse(SUM).expect("it is well formed").module());
        let name = Symbol::new("sum");
        let compiles = |native: &Native, n: usize| {
            native.run(&module, name, vec![Value::from(n)]).expect("it does not fail");
            native.has_compiled(&module, name)
        };
        assert!(compiles(&Native::new().compiling_from(0), 1));
        let late = Native::new().compiling_from(1 << 30);
        assert!(!compiles(&late, 10_000));
        assert!(!compiles(&late, 10_000));
    }
}
