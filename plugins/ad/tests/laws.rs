//! Laws for every program: derivatives change no result, and both modes agree with finite differences.
#![cfg(feature = "check")]

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use overdub_ad::check::{Estimate, Slope, slope};
use overdub_ad::dual::jvp;
use overdub_ad::flatten::{floats, with_floats};
use overdub_ad::tape::record_limited;
use overdub_context::engine::{CallSite, Context, Engine, Hooks, Interpreting, Key, ValueOnly};
use overdub_context::interp::Limits;
use overdub_context::ir::TyKind;
use overdub_context::testing::{MAX_STEPS, Program, alike, programs};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};
use overdub_passes::{Optimised, Optimising};
use proptest::prelude::*;

const TAPE: usize = 64 << 20;

/// The least distance of arguments from whole numbers, with which programs compare.
const NEAR: f64 = 0.1;

/// A remainder jumps whenever its quotient passes a whole number, and rounding jumps whenever the number
/// does: above this size, more often than the steps can resolve.
const LARGE_QUOTIENT: f64 = 1e3;

/// Operations that round: at steps that are multiples of 1e-10, `floor(1e10 * x)` looks linear.
const ROUNDING: [&str; 6] = ["floor", "ceil", "round", "round_ties_even", "trunc", "fract"];

/// Stops a program at remainders and roundings whose jumps are too close for finite differences.
#[derive(Clone)]
struct Jumps;

impl Context for Jumps {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn key(&self) -> Key {
        Key::of::<Jumps>()
    }

    fn hooks(&self, call: &CallSite) -> Hooks {
        let is_cut = call.name() == "cast" && !matches!(call.ret.kind(), TyKind::Float(_));
        let jumps = matches!(call.name(), "rem" | "rem_euclid") || is_cut || ROUNDING.contains(&call.name());
        if jumps { Hooks::PRE } else { Hooks::NONE }
    }

    fn prehook(&self, (): &mut (), _: &CallSite, args: &[Value<'_>]) -> Result<(), Failure> {
        let floats: Vec<f64> = args.iter().flat_map(floats).collect();
        match floats[..] {
            [a, b] if (a / b).abs() > LARGE_QUOTIENT => Err(too_fast()),
            [a] if a.abs() > LARGE_QUOTIENT => Err(too_fast()),
            _ => Ok(()),
        }
    }
}

fn too_fast() -> Failure {
    Failure::new(FailureKind::Domain, "it jumps faster than differences see")
}

/// Engines of a program: without optimising, and with optimising before and after the derivative.
fn engines(program: &Program) -> [Engine; 2] {
    let limits = Limits { steps: Some(40 * MAX_STEPS), ..Limits::default() };
    let executor =
        || Interpreting::new().with_limits(limits.clone()).printing(Arc::new(Mutex::new(|_: &str| {})));
    [
        Engine::builder(program.module()).executor(executor()).build(),
        Engine::builder(program.module()).executor(Optimised::new(executor())).optimizer(Optimising).build(),
    ]
}

/// Floats other than the small whole numbers that programs compare with.
fn moved(args: &[Value<'static>]) -> Vec<Value<'static>> {
    let offsets = (1..).map(|k: u32| 0.1 + 0.037 * f64::from(k % 11));
    let all: Vec<f64> = args.iter().flat_map(floats).zip(offsets).map(|(x, offset)| x + offset).collect();
    shaped(args, &all)
}

fn shaped(like: &[Value<'static>], all: &[f64]) -> Vec<Value<'static>> {
    let mut all = all.iter().copied();
    like.iter().map(|arg| with_floats(arg, &mut all).expect("as many floats")).collect()
}

fn same_failure(a: &Failure, b: &Failure) -> bool {
    a.kind() == b.kind() && a.report().message == b.report().message
}

fn agree(a: f64, b: f64, tolerance: f64) -> bool {
    !a.is_finite() || !b.is_finite() || (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

/// The derivative of each result with respect to one number, and its error, if the differences converge.
fn differences(
    engine: &Engine,
    args: &[Value<'static>],
    results: usize,
    k: usize,
    precision: f64,
) -> Vec<Option<Estimate>> {
    let at: Vec<f64> = args.iter().flat_map(floats).collect();
    if at[k].abs() * precision > 1e-5 * NEAR {
        // Rounding would be a large part of a step.
        return vec![None; results];
    }
    let mut known: HashMap<u64, Option<Vec<f64>>> = HashMap::new();
    let mut run = |offset: f64| {
        let mut moved = at.clone();
        moved[k] += offset;
        let value = || engine.overdub(&Jumps, "main", shaped(args, &moved)).ok().map(|value| floats(&value));
        known.entry(offset.to_bits()).or_insert_with(value).clone()
    };
    let mut of = |row: usize| {
        let mut result = |offset| run(offset).filter(|all| all.len() == results).map(|all| all[row]);
        match slope(&mut result, NEAR, precision * (1.0 + at[k].abs())) {
            Slope::Smooth(estimate) => Some(estimate),
            Slope::Kink { .. } | Slope::Unsettled(_) => None,
        }
    };
    (0..results).map(&mut of).collect()
}

fn check(program: &Program) -> Result<(), TestCaseError> {
    let args = moved(&program.args());
    let count = args.iter().flat_map(floats).count();
    let single = format!("{program:?}").contains("f32");
    // One of the modes accumulates single precision in single precision.
    let (precision, near) = if single { (f32::EPSILON.into(), 1e-3) } else { (f64::EPSILON, 1e-9) };
    let engines = engines(program);
    for engine in &engines {
        let plain = engine.run("main", args.clone());
        let reverse = match record_limited(engine, "main", args.clone(), TAPE) {
            Err(failure) if failure.kind() == FailureKind::MemoryLimit => return Ok(()),
            reverse => reverse,
        };
        let (value, pullback) = match (&plain, reverse) {
            (Ok(value), Ok(recorded)) => {
                prop_assert!(alike(value, &recorded.value), "{value} became {}", recorded.value);
                (value, recorded.pullback)
            }
            (Err(plain), Err(failure)) => {
                prop_assert!(same_failure(plain, &failure), "{plain} became {failure}");
                return Ok(());
            }
            (plain, reverse) => {
                return Err(TestCaseError::fail(format!("{plain:?} became {reverse:?}")));
            }
        };
        let results = floats(value).len();
        prop_assert_eq!(pullback.outputs(), results);
        let rows: Vec<Vec<f64>> = (0..results)
            .map(|row| {
                let seeds: Vec<f64> = (0..results).map(|at| if at == row { 1.0 } else { 0.0 }).collect();
                pullback.pull(&seeds).expect("as many as results").iter().flat_map(floats).collect()
            })
            .collect();
        for k in 0..count {
            let unit: Vec<f64> = (0..count).map(|at| if at == k { 1.0 } else { 0.0 }).collect();
            let forward = jvp(engine, "main", args.clone(), shaped(&args, &unit));
            let (y, dy) = forward.map_err(|failure| TestCaseError::fail(format!("forward: {failure}")))?;
            prop_assert!(alike(value, &y), "{value} became {y} forward");
            let (forward, by_differences) =
                (floats(&dy), differences(&engines[0], &args, results, k, precision));
            let reverse: Vec<f64> = rows.iter().map(|row| row[k]).collect();
            for (row, (slope, reverse)) in forward.iter().zip(reverse).enumerate() {
                prop_assert!(
                    agree(*slope, reverse, near),
                    "result {row}, argument {k}: {slope} forward, {reverse} in reverse"
                );
                if let Some(Estimate { slope: difference, error }) = by_differences[row] {
                    prop_assert!(
                        agree(*slope, difference, near.max(1e-4))
                            || (slope - difference).abs() <= 10.0 * error,
                        "result {row}, argument {k}: {slope}, but {difference} by differences, give or take {error}"
                    );
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(64))]

    #[test]
    fn both_modes_and_differences_agree_on_every_program(program in programs()) {
        check(&program)?;
    }
}
