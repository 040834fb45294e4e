//! Checks over the inputs of a proptest strategy, which shrinks a failing input.

use std::cell::RefCell;
use std::fmt;

use overdub_context::engine::Engine;
use overdub_context::value::{IntoValue, Value};
use overdub_lower::api::{Callable, Error, Target, engine};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use super::case::{Allocations, Point, TOLERANCE};
use super::compiled::Compiled;
use super::function_under_test::FunctionUnderTest;
use super::{ApplicableAll, Mismatch, RemadeAll, Tally};
use crate::custom::rule_for;

/// A check of a function's derivatives, to which the [inputs](CheckGradient::over) are still to be given.
#[derive(Clone, Copy, Debug)]
pub struct CheckGradient<F> {
    func: F,
    subject: Subject,
}

/// The function or rule that is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Subject {
    Function,
    Rule,
}

/// Checks the derivatives of a function over inputs drawn from strategies: against finite differences of the
/// function, forward mode against reverse mode, and that a pullback is linear and repeatable.
///
/// The differences are those of the function as rustc compiled it, which must return what overdub's run returns
/// ([`Mismatch::Compiled`]). They are those of overdub's run under [limits](overdub_context::limits), which cannot stop
/// compiled code, if a rule gives another [value](crate::custom::RuleBuilder::value), for functions under contexts, and
/// after a call that panicked.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::check_gradient;
///
/// #[dub]
/// fn f(a: f64, b: f64) -> f64 { a / (a.abs() + b * b) }
///
/// check_gradient(f).over((-1e3..1e3, 0.1..10.0)).run();
/// ```
pub fn check_gradient<F>(func: F) -> CheckGradient<F> {
    CheckGradient { func, subject: Subject::Function }
}

/// Checks the [rule](crate::custom::rule) registered for a function, as [`check_gradient`] checks a function:
/// against finite differences, and each mode against the other. A function without a rule is an error.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::{check_rule, rule};
///
/// #[dub]
/// fn cube(x: f64) -> f64 { x * x * x }
///
/// rule(cube).reverse(|(x,): (f64,), _y: f64, dy: f64| (3.0 * x * x * dy,)).register()?;
/// check_rule(cube).over((-5.0..5.0,)).run();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_rule<F>(func: F) -> CheckGradient<F> {
    CheckGradient { func, subject: Subject::Rule }
}

impl<F> CheckGradient<F> {
    /// Sets the inputs: a tuple of strategies, one for each argument; the one for a slice generates a `Vec`.
    pub fn over<'f, S, Args, Forms>(self, strategy: S) -> Over<'f, S>
    where
        F: Callable<Args> + for<'x> Callable<Args::At<'x>, Output: IntoValue<'x>> + 'f,
        S: Strategy,
        S::Value: ApplicableAll<Args>,
        Args: RemadeAll<Forms>,
    {
        let is_ruled = |target: &Target| rule_for(target.function.symbol).is_some();
        let target = match Callable::<Args>::target(&self.func).map(|target| target.in_engine(engine())) {
            Ok(target) if self.subject == Subject::Rule && !is_ruled(&target) => {
                let message = format!("there is no rule for `{}`", target.function.symbol);
                Err(Error::new(message)
                    .with_help("register it before it is checked: `rule(\"f\").reverse(…).register()`"))
            }
            found => found,
        };
        Over {
            target,
            strategy,
            values: <S::Value as ApplicableAll<Args>>::values,
            cases: 64,
            tolerance: TOLERANCE,
            allocations: None,
            compiled: Compiled::new::<F, Args, Forms>(self.func),
        }
    }
}

/// A check that is ready to [run](Over::run).
pub struct Over<'f, S: Strategy> {
    target: Result<Target, Error>,
    strategy: S,
    values: fn(&S::Value) -> Vec<Value<'static>>,
    cases: u32,
    tolerance: f64,
    allocations: Option<Allocations>,
    compiled: Compiled<'f>,
}

impl<'f, S: Strategy> Over<'f, S> {
    /// Counts the allocations of pullbacks. `allocations` returns the number of allocations so far, as a
    /// counting global allocator of the program knows it. A pullback whose allocations differ between calls
    /// is an error; the [tally](Over::try_run) holds the most that one call makes.
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::ad::check_gradient;
    /// use std::alloc::System;
    /// use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
    ///
    /// #[global_allocator]
    /// static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;
    ///
    /// #[dub]
    /// fn f(x: f64, y: f64) -> f64 { (x * y).sin() }
    ///
    /// let check = check_gradient(f).over((-2.0..2.0, -2.0..2.0)).cases(4);
    /// let tally = check.counting(|| ALLOCATOR.stats().allocations).try_run().expect("it is right");
    /// assert!(tally.allocations.is_some_and(|most| 0 < most && most < 100));
    /// ```
    #[must_use]
    pub fn counting(mut self, allocations: fn() -> usize) -> Over<'f, S> {
        self.allocations = Some(allocations);
        self
    }

    /// Sets the number of inputs; the default is 64.
    #[must_use]
    pub fn cases(mut self, cases: u32) -> Over<'f, S> {
        self.cases = cases;
        self
    }

    /// Sets the relative tolerance between a derivative and differences with a small error estimate; the
    /// default is 1e-6.
    #[must_use]
    pub fn tolerance(mut self, part: f64) -> Over<'f, S> {
        self.tolerance = part;
        self
    }

    /// Runs the check.
    ///
    /// # Panics
    /// If a derivative is wrong: with the simplest input found, our value, the difference quotient and its
    /// error.
    pub fn run(self) {
        if let Err(counterexample) = self.try_run() {
            panic!("{counterexample}");
        }
    }

    /// Runs the check, and returns what was compared.
    ///
    /// # Errors
    /// If a derivative is wrong.
    pub fn try_run(self) -> Result<Tally, Counterexample> {
        let target = self.target.map_err(|error| Counterexample::without_input(Mismatch::None(error)))?;
        let inputs = Inputs {
            values: &self.values,
            show: &|input| format!("{input:?}"),
            progress: &|| {},
            cases: self.cases,
            tolerance: self.tolerance,
            allocations: self.allocations,
        };
        check_inputs(engine(), &target, &self.strategy, &inputs, Some(&self.compiled))
    }
}

impl<S: Strategy> fmt::Debug for Over<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Over").field("cases", &self.cases).finish_non_exhaustive()
    }
}

/// An input at which a derivative is wrong.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The mismatch found there.
    pub complaint: Box<Mismatch>,
    /// The simplest failing input; `None` if the failure does not depend on the input.
    pub input: Option<String>,
}

impl Counterexample {
    fn without_input(complaint: Mismatch) -> Counterexample {
        Counterexample { complaint: Box::new(complaint), input: None }
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.complaint.fmt(f)?;
        match &self.input {
            Some(input) => write!(f, "\n  at {input}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Counterexample {}

/// How a check treats the inputs of a strategy.
#[derive(Clone, Copy)]
pub struct Inputs<'i, T> {
    /// Returns the arguments that an input stands for.
    pub values: &'i dyn Fn(&T) -> Vec<Value<'static>>,
    /// Returns an input as text.
    pub show: &'i dyn Fn(&T) -> String,
    /// Called for each input.
    pub progress: &'i dyn Fn(),
    /// The number of inputs.
    pub cases: u32,
    /// The tolerance, as in [`Over::tolerance`].
    pub tolerance: f64,
    /// Returns the number of allocations so far, as in [`Over::counting`].
    pub allocations: Option<fn() -> usize>,
}

impl<T> fmt::Debug for Inputs<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inputs").field("cases", &self.cases).finish_non_exhaustive()
    }
}

/// Checks a function under any engine over the inputs of a strategy.
///
/// # Errors
/// If a derivative is wrong.
pub fn check_values<S: Strategy>(
    engine: &Engine,
    target: &Target,
    strategy: &S,
    inputs: &Inputs<'_, S::Value>,
) -> Result<Tally, Counterexample> {
    check_inputs(engine, target, strategy, inputs, None)
}

/// As [`check_values`], with the function as compiled by rustc.
fn check_inputs<S: Strategy>(
    engine: &Engine,
    target: &Target,
    strategy: &S,
    inputs: &Inputs<'_, S::Value>,
    compiled: Option<&Compiled<'_>>,
) -> Result<Tally, Counterexample> {
    let subject = FunctionUnderTest::of_target(target);
    let Inputs { tolerance, allocations, .. } = *inputs;
    let point = Point { engine, subject: &subject, tolerance, allocations, compiled };
    let config = Config { cases: inputs.cases, failure_persistence: None, ..Config::default() };
    // The inputs are deterministic: a check that failed once fails again.
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let found = RefCell::new((Tally::default(), None));
    let ran = runner.run(strategy, |input| {
        (inputs.progress)();
        let all = target.values((inputs.values)(&input));
        match point.check(all) {
            Ok(tally) => {
                found.borrow_mut().0.add(tally);
                Ok(())
            }
            Err(complaint) => {
                let reason = complaint.to_string();
                let input = Some((inputs.show)(&input));
                let last = &mut found.borrow_mut().1;
                // A run stopped by a limit while shrinking is not a mismatch.
                if complaint.limit().is_none() || last.is_none() {
                    *last = Some(Counterexample { complaint: Box::new(complaint), input });
                }
                Err(TestCaseError::fail(reason))
            }
        }
    });
    let (tally, last) = found.into_inner();
    match (ran, last) {
        // The last failure is the simplest one.
        (Err(TestError::Fail(..)), Some(counterexample)) => Err(counterexample),
        (Err(error), _) => {
            let reason = error.to_string();
            Err(Counterexample::without_input(Mismatch::Nothing { cases: tally.cases, reason }))
        }
        (Ok(()), _) => {
            tally.check().map_err(Counterexample::without_input)?;
            Ok(tally)
        }
    }
}
