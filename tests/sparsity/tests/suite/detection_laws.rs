//! Laws of detected patterns over random programs with branches, loops, calls, mutation, enums, closures and cells.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use overdub_ad::dual::jvp;
use overdub_ad::flatten::{floats, with_floats};
use overdub_context::engine::{Engine, Interpreting};
use overdub_context::interp::Limits;
use overdub_context::testing::{Program, cases, programs};
use overdub_context::value::Value;
use overdub_sparsity::{DetectError, Detector, SparseDerivative, SparseError, SparsityPattern};
use proptest::prelude::*;

/// The greatest time that the analysis of one program may take.
const TIME: Duration = Duration::from_secs(20);

fn engine(program: &Program) -> Engine {
    let limits = Limits { steps: Some(4_000_000), ..Limits::default() };
    let silent = Arc::new(Mutex::new(|_: &str| {}));
    let executor = Interpreting::new().with_limits(limits).printing(silent);
    Engine::builder(program.module()).executor(executor).build()
}

/// Floats other than the small whole numbers that programs compare with.
fn moved(args: &[Value<'static>], by: f64) -> Vec<Value<'static>> {
    let offsets = (1..).map(|k: u32| by + 0.037 * f64::from(k % 11));
    let number = |(x, offset): (f64, f64)| if x.is_nan() { offset } else { x + offset };
    let all: Vec<f64> = args.iter().flat_map(floats).zip(offsets).map(number).collect();
    let mut all = all.into_iter();
    args.iter().map(|arg| with_floats(arg, &mut all).expect("as many floats")).collect()
}

/// The derivatives of all results with respect to one input, if forward mode finds them.
fn column(engine: &Engine, args: &[Value<'static>], input: usize) -> Option<Vec<f64>> {
    let mut direction = (0..).map(|at| if at == input { 1.0 } else { 0.0 });
    let tangents = args.iter().map(|arg| with_floats(arg, &mut direction).expect("there is no end of them"));
    let (_, tangent) = jvp(engine, "main", args.to_vec(), tangents.collect()).ok()?;
    Some(floats(&tangent))
}

fn within_time(
    detect: impl FnOnce() -> Result<SparsityPattern, DetectError>,
) -> Option<Result<SparsityPattern, DetectError>> {
    let found = overdub_context::limits::Limits::default().with_time(TIME).during(detect);
    let is_late = matches!(&found, Err(DetectError::Program(failure)) if failure.limit().is_some());
    (!is_late).then_some(found)
}

fn check(program: &Program) -> Result<(), TestCaseError> {
    let args = moved(&program.args(), 0.1);
    let inputs = args.iter().flat_map(floats).count();
    let engine = engine(program);
    let Some(global) = within_time(|| Detector::new(&engine).jacobian("main", args.clone())) else {
        return Err(TestCaseError::fail("the analysis does not end in time"));
    };
    let plain = engine.run("main", args.clone());
    let other = Detector::new(&engine).jacobian("main", moved(&program.args(), 0.6));
    if let (Ok(global), Ok(other)) = (&global, &other)
        && global.rows() == other.rows()
    {
        prop_assert_eq!(global, other, "a global pattern depends on the values of floats");
    }
    let Ok(plain) = plain else { return Ok(()) };
    let outputs = floats(&plain).len();
    match &global {
        Err(DetectError::NoInputs) => prop_assert_eq!(inputs, 0),
        Err(DetectError::NoOutputs) => prop_assert_eq!(outputs, 0),
        Err(DetectError::Unsupported { .. } | DetectError::TooManySingles) => {}
        Err(error) => return Err(TestCaseError::fail(format!("{error}, but the program runs"))),
        Ok(pattern) => prop_assert_eq!((pattern.rows(), pattern.cols()), (outputs, inputs)),
    }
    let Ok(global) = global else { return Ok(()) };
    let Some(local) = within_time(|| Detector::new(&engine).local().jacobian("main", args.clone())) else {
        return Err(TestCaseError::fail("the local analysis does not end in time"));
    };
    let local = match local {
        Ok(local) => local,
        Err(DetectError::Unsupported { .. }) => return Ok(()),
        Err(error) => return Err(TestCaseError::fail(format!("local: {error}, but the program runs"))),
    };
    if let Some((row, col)) = local.first_missing(&global) {
        return Err(TestCaseError::fail(format!("({row}, {col}) is in the local pattern alone")));
    }
    for col in 0..inputs.min(24) {
        for (row, slope) in column(&engine, &args, col).into_iter().flatten().enumerate() {
            let is_in_pattern = slope == 0.0 || local.contains(row, col);
            prop_assert!(
                is_in_pattern,
                "({row}, {col}) has the derivative {slope} and is not in the local pattern"
            );
        }
    }
    Ok(())
}

/// Checks that the compressed Jacobian equals the dense one, if the program has one.
fn check_compressed(program: &Program) -> Result<(), TestCaseError> {
    let args = moved(&program.args(), 0.1);
    let engine = engine(program);
    let Ok(dense) = overdub_ad::jacobian(&engine, "main", args.clone()) else { return Ok(()) };
    let sparse = match SparseDerivative::jacobian(&Detector::new(&engine), "main", args.clone()) {
        Ok(sparse) => sparse,
        Err(SparseError::Detect(_)) => return Ok(()),
        Err(error) => return Err(TestCaseError::fail(error.to_string())),
    };
    // Reverse mode needs a tape, and may refuse what forward mode supports.
    let Ok(found) = sparse.evaluate(&args) else { return Ok(()) };
    for (row, (found, dense)) in found.to_dense().iter().zip(&dense.rows).enumerate() {
        for (col, (a, b)) in found.iter().zip(dense).enumerate() {
            let scale = 1e-6 * (1.0 + a.abs().max(b.abs()));
            let agree = (a - b).abs() <= scale || !a.is_finite() || !b.is_finite();
            prop_assert!(agree, "({row}, {col}) is {a} compressed and {b} dense");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn compressed_jacobians_are_the_dense_ones(program in programs()) {
        check_compressed(&program)?;
    }

    #[test]
    fn patterns_hold_every_derivative_and_local_ones_lie_in_global_ones(program in programs()) {
        check(&program)?;
    }
}
