//! Checks over inputs of strategies, which shrink a failing one.

use std::cell::RefCell;
use std::fmt;

use overdub_context::engine::Engine;
use overdub_context::value::Value;
use overdub_lower::api::{Callable, Error, Target, engine};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use super::case::{Allocations, TOLERANCE, check_counting};
use super::{ApplicableAll, Mismatch, Tally};
use crate::custom::rule_for;

/// Derivatives of a function that are to be checked: say [over](CheckGradient::over) which inputs.
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

/// Checks the derivatives of a function over inputs of strategies: against differences of the function, forward against
/// reverse mode, and that a pullback is linear and repeatable.
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

/// Checks the [rule](crate::custom::rule) that was given for a function, as [`check_gradient`] does: against
/// differences of the function, and one mode against the other. Without a rule that is an error.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::{check_rule, rule};
///
/// #[dub]
/// fn cube(x: f64) -> f64 { x * x * x }
///
/// rule("cube").reverse(|(x,): (f64,), _y: f64, dy: f64| (3.0 * x * x * dy,)).register()?;
/// check_rule(cube).over((-5.0..5.0,)).run();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_rule<F>(func: F) -> CheckGradient<F> {
    CheckGradient { func, subject: Subject::Rule }
}

impl<F> CheckGradient<F> {
    /// The inputs: a tuple of strategies, one for each argument; a slice's makes a `Vec`.
    pub fn over<S, Args>(self, strategy: S) -> Over<S>
    where
        F: Callable<Args>,
        S: Strategy,
        S::Value: ApplicableAll<Args>,
    {
        let is_ruled = |target: &Target| rule_for(target.function.symbol).is_some();
        let target = match self.func.target().map(|target| target.in_engine(engine())) {
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
        }
    }
}

/// A check that is ready to [run](Over::run).
pub struct Over<S: Strategy> {
    target: Result<Target, Error>,
    strategy: S,
    values: fn(&S::Value) -> Vec<Value<'static>>,
    cases: u32,
    tolerance: f64,
    allocations: Option<Allocations>,
}

impl<S: Strategy> Over<S> {
    /// Counts the allocations of pullbacks, by a function that gives the allocations until now: that of a counting
    /// allocator of the program. A pullback whose allocations differ between calls is an error; the
    /// [tally](Over::try_run) has the most that one allocates.
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
    pub fn counting(mut self, allocations: fn() -> usize) -> Over<S> {
        self.allocations = Some(allocations);
        self
    }

    /// The number of inputs; 64 by default.
    #[must_use]
    pub fn cases(mut self, cases: u32) -> Over<S> {
        self.cases = cases;
        self
    }

    /// The relative tolerance between a derivative and differences with a small error estimate; 1e-6 by default.
    #[must_use]
    pub fn tolerance(mut self, part: f64) -> Over<S> {
        self.tolerance = part;
        self
    }

    /// Checks.
    ///
    /// # Panics
    /// Where a derivative is wrong: with the simplest input found, our value, the difference quotient and its error.
    pub fn run(self) {
        if let Err(counterexample) = self.try_run() {
            panic!("{counterexample}");
        }
    }

    /// Checks, and returns what was compared.
    ///
    /// # Errors
    /// Where a derivative is wrong.
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
        check_values(engine(), &target, &self.strategy, &inputs)
    }
}

impl<S: Strategy> fmt::Debug for Over<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Over").field("cases", &self.cases).finish_non_exhaustive()
    }
}

/// An input at which a derivative is wrong.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// What is wrong.
    pub complaint: Box<Mismatch>,
    /// The simplest failing input; none where the failure does not depend on one.
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

/// What a check does with the inputs of a strategy.
#[derive(Clone, Copy)]
pub struct Inputs<'i, T> {
    /// The arguments of an input.
    pub values: &'i dyn Fn(&T) -> Vec<Value<'static>>,
    /// The text of an input.
    pub show: &'i dyn Fn(&T) -> String,
    /// Called for each input.
    pub progress: &'i dyn Fn(),
    /// The number of inputs.
    pub cases: u32,
    /// The tolerance, as in [`Over::tolerance`].
    pub tolerance: f64,
    /// Gives the allocations until now, as in [`Over::counting`].
    pub allocations: Option<fn() -> usize>,
}

impl<T> fmt::Debug for Inputs<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inputs").field("cases", &self.cases).finish_non_exhaustive()
    }
}

/// Checks a function of any engine over a strategy.
///
/// # Errors
/// Where a derivative is wrong.
pub fn check_values<S: Strategy>(
    engine: &Engine,
    target: &Target,
    strategy: &S,
    inputs: &Inputs<'_, S::Value>,
) -> Result<Tally, Counterexample> {
    let config = Config { cases: inputs.cases, failure_persistence: None, ..Config::default() };
    // The inputs are deterministic: a check that failed once fails again.
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let found = RefCell::new((Tally::default(), None));
    let ran = runner.run(strategy, |input| {
        (inputs.progress)();
        let all = target.values((inputs.values)(&input));
        match check_counting(engine, target, all, (inputs.tolerance, inputs.allocations)) {
            Ok(tally) => {
                found.borrow_mut().0.add(tally);
                Ok(())
            }
            Err(complaint) => {
                let reason = complaint.to_string();
                let input = Some((inputs.show)(&input));
                let last = &mut found.borrow_mut().1;
                // A limit that stops the shrinking is not a mismatch.
                if complaint.limit().is_none() || last.is_none() {
                    *last = Some(Counterexample { complaint: Box::new(complaint), input });
                }
                Err(TestCaseError::fail(reason))
            }
        }
    });
    let (tally, last) = found.into_inner();
    match (ran, last) {
        // The last failure is the simplest.
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
