//! Patterns of functions given as Rust source, each checked against differences of the function.

#![allow(dead_code, reason = "each test that includes this uses a part of it")]

use overdub_ad::flatten::{floats, with_floats};
use overdub_context::engine::Engine;
use overdub_context::value::Value;
use overdub_lower::{Function, Loaded};
use overdub_sparsity::{DetectError, Detector, SparsityPattern};

/// The functions of a source.
pub(crate) struct Program {
    loaded: Loaded,
    engine: Engine,
}

/// The pattern of the Jacobian of `f`, for every input of this shape.
pub(crate) fn global(source: &str, args: Vec<Value<'static>>) -> String {
    let program = Program::new(source);
    let pattern = program.jacobian(args.clone()).unwrap_or_else(|error| panic!("{error}"));
    program.hold(&pattern, &args);
    pattern.to_string()
}

/// The pattern of the Jacobian of `f` at this input.
pub(crate) fn local(source: &str, args: Vec<Value<'static>>) -> String {
    let program = Program::new(source);
    let pattern = program.local(args).unwrap_or_else(|error| panic!("{error}"));
    pattern.to_string()
}

/// The pattern of the Hessian of `f`, for every input of this shape.
pub(crate) fn hessian(source: &str, args: Vec<Value<'static>>) -> String {
    let program = Program::new(source);
    let pattern = program.hessian(args.clone(), false).unwrap_or_else(|error| panic!("{error}"));
    program.hold_hessian(&pattern, &args);
    pattern.to_string()
}

/// The pattern of the Hessian of `f` at this input.
pub(crate) fn local_hessian(source: &str, args: Vec<Value<'static>>) -> String {
    let program = Program::new(source);
    program.hessian(args, true).unwrap_or_else(|error| panic!("{error}")).to_string()
}

/// The reason why the Jacobian of `f` has no pattern.
pub(crate) fn refusal(source: &str, args: Vec<Value<'static>>) -> DetectError {
    match Program::new(source).jacobian(args) {
        Err(error) => error,
        Ok(pattern) => panic!("there is a pattern: {pattern}"),
    }
}

/// An array of `n` numbers, at which nothing vanishes and no two are equal.
pub(crate) fn generic(n: usize) -> Vec<Value<'static>> {
    vec![array(&points(n))]
}

/// An array of numbers.
pub(crate) fn array(numbers: &[f64]) -> Value<'static> {
    Value::floats(numbers.to_vec())
}

/// Numbers in (1, 2), no two equal, that are not monotonic.
pub(crate) fn points(n: usize) -> Vec<f64> {
    (0..n).map(|k| 1.05 + ((k as f64 + 1.0) * 0.618_033_988_749).fract() * 0.9).collect()
}

/// A pattern of `n` by `n` positions; `holds` decides which are entries.
pub(crate) fn square(n: usize, holds: impl Fn(usize, usize) -> bool) -> String {
    let row = |row: usize| (0..n).filter(|col| holds(row, *col)).collect::<Vec<_>>();
    SparsityPattern::from_rows(n, (0..n).map(row)).expect("the columns are in bounds").to_string()
}

impl Program {
    pub(crate) fn new(source: &str) -> Program {
        let loaded = Loaded::from_source("f.rs", source).unwrap_or_else(|error| panic!("{error}"));
        let engine = loaded.engine();
        Program { loaded, engine }
    }

    pub(crate) fn f(&self) -> Function {
        self.loaded.function("f").unwrap_or_else(|error| panic!("{error}"))
    }

    pub(crate) fn detector(&self) -> Detector<'_> {
        Detector::new(&self.engine)
    }

    /// What `detector` finds for the result, or for what a function without one writes into its parameters.
    pub(crate) fn jacobian_by(
        &self,
        detector: &Detector<'_>,
        args: Vec<Value<'static>>,
    ) -> Result<SparsityPattern, DetectError> {
        let function = self.f();
        detector.jacobian_of(function.symbol, args, &|value| result(&function, value))
    }

    pub(crate) fn jacobian(&self, args: Vec<Value<'static>>) -> Result<SparsityPattern, DetectError> {
        self.jacobian_by(&self.detector(), args)
    }

    pub(crate) fn local(&self, args: Vec<Value<'static>>) -> Result<SparsityPattern, DetectError> {
        self.jacobian_by(&self.detector().local(), args)
    }

    pub(crate) fn hessian(
        &self,
        args: Vec<Value<'static>>,
        is_local: bool,
    ) -> Result<SparsityPattern, DetectError> {
        let function = self.f();
        let detector = if is_local { self.detector().local() } else { self.detector() };
        detector.hessian(function.symbol, args, function.ir_ret)
    }

    /// The floats of the result with these inputs changed by these amounts.
    fn moved(&self, args: &[Value<'static>], by: &[(usize, f64)]) -> Vec<f64> {
        let mut numbers: Vec<f64> = args.iter().flat_map(floats).collect();
        by.iter().for_each(|(input, step)| numbers[*input] += step);
        let mut numbers = numbers.into_iter();
        let args = args.iter().map(|arg| with_floats(arg, &mut numbers).expect("as many floats")).collect();
        let function = self.f();
        let value = self.engine.run(function.symbol, args).unwrap_or_else(|failure| panic!("{failure}"));
        floats(&result(&function, value))
    }

    /// Checks that every non-zero difference is in the local pattern, and that in the global one.
    fn hold(&self, global: &SparsityPattern, args: &[Value<'static>]) {
        let local = self.local(args.to_vec()).unwrap_or_else(|error| panic!("local: {error}"));
        assert_eq!(local.first_missing(global), None, "the local pattern {local} is not in {global}");
        let step = 1e-3;
        for input in 0..global.cols() {
            let (above, below) = (self.moved(args, &[(input, step)]), self.moved(args, &[(input, -step)]));
            assert_eq!(above.len(), global.rows());
            for (output, (above, below)) in above.iter().zip(&below).enumerate() {
                let slope = (above - below) / (2.0 * step);
                let is_held = slope.abs() < 1e-3 || local.contains(output, input);
                assert!(is_held, "({output}, {input}) has the slope {slope} and is not in {local}");
            }
        }
    }

    /// As [`Program::hold`], for second differences.
    fn hold_hessian(&self, global: &SparsityPattern, args: &[Value<'static>]) {
        let local = self.hessian(args.to_vec(), true).unwrap_or_else(|error| panic!("local: {error}"));
        assert_eq!(local.first_missing(global), None, "the local pattern {local} is not in {global}");
        let h = 1e-3;
        let value = |a: (usize, f64), b: (usize, f64)| self.moved(args, &[a, b])[0];
        for row in 0..global.rows() {
            for col in 0..=row {
                let same = value((row, h), (col, h)) + value((row, -h), (col, -h));
                let opposite = value((row, h), (col, -h)) + value((row, -h), (col, h));
                let second = (same - opposite) / (4.0 * h * h);
                let is_held = second.abs() < 1e-3 || local.contains(row, col) && local.contains(col, row);
                assert!(is_held, "({row}, {col}) has the second difference {second} and is not in {local}");
            }
        }
    }
}

/// What the function returns, or, if it returns nothing, what it wrote into its parameters.
fn result(function: &Function, value: Value<'static>) -> Value<'static> {
    match function.split(value) {
        (Value::Unit, outs) => Value::tuple(outs),
        (result, _) => result,
    }
}
