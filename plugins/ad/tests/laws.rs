//! Laws that hold for every program: derivatives change no result, both modes agree, and differences say the same.

use std::sync::{Arc, Mutex};

use overdub_ad::forward::jvp;
use overdub_ad::graph::vjp_limited;
use overdub_ad::whole::{floats, with_floats};
use overdub_context::engine::{Engine, Interpreting};
use overdub_context::interp::Limits;
use overdub_context::testing::{MAX_STEPS, Program, programs};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};
use overdub_passes::{Optimised, Optimising};
use proptest::prelude::*;

const TAPE: usize = 64 << 20;

/// Engines of a program: as it is, and optimised before and after.
fn engines(program: &Program) -> [Engine; 2] {
    let limits = Limits { steps: Some(40 * MAX_STEPS), ..Limits::default() };
    let executor = || Interpreting::new().with_limits(limits).printing(Arc::new(Mutex::new(|_: &str| {})));
    [
        Engine::builder(program.module()).executor(executor()).build(),
        Engine::builder(program.module()).executor(Optimised::new(executor())).optimizer(Optimising).build(),
    ]
}

/// Other floats than the small whole ones that programs compare with.
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

/// The derivative of each result along a direction by differences, where two steps agree on it.
fn differences(engine: &Engine, args: &[Value<'static>], k: usize) -> Option<Vec<f64>> {
    let at: Vec<f64> = args.iter().flat_map(floats).collect();
    if at[k].abs() > 1e6 {
        // Rounding would take most of a step.
        return None;
    }
    let run = |offset: f64| {
        let mut moved = at.clone();
        moved[k] += offset;
        engine.run("main", shaped(args, &moved)).ok().map(|value| floats(&value))
    };
    let slope = |h: f64| {
        let (after, before) = (run(h)?, run(-h)?);
        (after.len() == before.len())
            .then(|| after.iter().zip(&before).map(|(a, b)| (a - b) / (2.0 * h)).collect::<Vec<f64>>())
    };
    let (coarse, fine) = (slope(1e-4)?, slope(5e-5)?);
    (coarse.len() == fine.len()).then(|| {
        coarse.iter().zip(fine).map(|(a, b)| if agree(*a, b, 1e-6) { b } else { f64::NAN }).collect()
    })
}

fn check(program: &Program) -> Result<(), TestCaseError> {
    let args = moved(&program.args());
    let count = args.iter().flat_map(floats).count();
    for engine in engines(program) {
        let plain = engine.run("main", args.clone());
        let reverse = match vjp_limited(&engine, "main", args.clone(), TAPE) {
            Err(failure) if failure.kind() == FailureKind::MemoryLimit => return Ok(()),
            reverse => reverse,
        };
        let (value, pullback) = match (&plain, reverse) {
            (Ok(value), Ok(recorded)) => {
                prop_assert!(value.same(&recorded.value), "{value} became {}", recorded.value);
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
            let forward = jvp(&engine, "main", args.clone(), shaped(&args, &unit));
            let (y, dy) = forward.map_err(|failure| TestCaseError::fail(format!("forward: {failure}")))?;
            prop_assert!(value.same(&y), "{value} became {y} forward");
            let (forward, by_differences) = (floats(&dy), differences(&engine, &args, k));
            let reverse: Vec<f64> = rows.iter().map(|row| row[k]).collect();
            for (row, (slope, reverse)) in forward.iter().zip(reverse).enumerate() {
                prop_assert!(
                    agree(*slope, reverse, 1e-9),
                    "result {row}, argument {k}: {slope} forward, {reverse} in reverse"
                );
                if let Some(difference) = by_differences.as_ref().and_then(|all| all.get(row)) {
                    prop_assert!(
                        agree(*slope, *difference, 1e-3),
                        "result {row}, argument {k}: {slope}, but {difference} by differences"
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
