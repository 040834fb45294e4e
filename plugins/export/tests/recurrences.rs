//! Loops that read what the round before stored: which of their stores and loads are gone from exported programs, which are
//! vectorisable; and they have the bits of the interpreter, failures included.

mod compiled;

use overdub_context::value::Value;
use overdub_export::{Export, Printed};
use overdub_lower::Loaded;

use compiled::outcomes;

/// The updates of `dx` that the body of the loop has left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Left {
    /// One store in each round, and no load.
    OneStore,
    /// One store in each round, and loads.
    StoreAndLoads,
    /// More.
    More,
}

/// Functions of a slice `x`, whose loop updates `dx`, a vector of as many numbers; `n` is one less.
const PROGRAMS: &[(&str, &str, Left)] = &[
    ("0.0", "for i in 0..n { dx[i] += x[i]; dx[i + 1] += 2.0 * x[i]; }", Left::OneStore),
    // Other constants than zero.
    ("0.5", "for i in 0..n { dx[i] += x[i]; dx[i + 1] += 2.0 * x[i]; }", Left::OneStore),
    ("-0.0", "for i in 0..n { dx[i] += -0.0 * x[i]; dx[i + 1] += -0.0 * x[i]; }", Left::OneStore),
    // What is stored is also subtracted from, or is no sum.
    ("0.0", "for i in 0..n { dx[i] = x[i] - dx[i]; dx[i + 1] = 3.0 - dx[i + 1]; }", Left::OneStore),
    // The second store is read in the round itself, which stores twice into one place.
    ("0.0", "for i in 0..n { dx[i] += x[i]; dx[i + 1] += 2.0 * x[i]; dx[i] += dx[i + 1]; }", Left::More),
    // A third element is read later, or the store is overwritten two rounds later.
    ("0.0", "for i in 0..n { dx[i] += x[i]; dx[i + 1] += 2.0 * dx[i]; dx[(i + 2) % n] += 1.0; }", Left::More),
    ("0.0", "for i in 0..n - 1 { dx[i] += x[i]; dx[i + 2] += 2.0 * x[i]; }", Left::More),
    // The loop does not start at zero, goes in other steps, or backwards.
    ("0.0", "for i in 1..n { dx[i] += x[i]; dx[i + 1] += 2.0 * x[i]; }", Left::More),
    ("0.0", "for i in (0..n).step_by(2) { dx[i] += x[i]; dx[i + 1] += 2.0 * x[i]; }", Left::More),
    ("0.0", "for i in (1..n).rev() { dx[i] += x[i]; dx[i - 1] += 2.0 * x[i]; }", Left::More),
    // It is left early, or skips a store.
    ("0.0", "for i in 0..n { dx[i] += x[i]; if x[i] > 2.5 { break; } dx[i + 1] += 2.0 * x[i]; }", Left::More),
    ("0.0", "for i in 0..n { dx[i] += x[i]; if x[i] < 2.5 { dx[i + 1] += 2.0 * x[i]; } }", Left::More),
    // Another place of the array is read, or all of it.
    ("0.0", "for i in 0..n { dx[i] += x[i] + dx[n]; dx[i + 1] += 2.0 * x[i]; }", Left::More),
    ("0.0", "for i in 0..n { dx[i] += x[i]; dx[i + 1] += 2.0 * x[i]; dx[i / 2] *= 0.5; }", Left::More),
    ("0.0", "for i in 0..n { dx[i] += x[i]; dx[i + 1] += dx.iter().sum::<f64>(); }", Left::More),
    // The array has been changed before, and is after.
    (
        "0.0",
        "dx[n] = 7.0; for i in 0..n { dx[i] += x[i]; dx[i + 1] += 2.0 * x[i]; } dx[0] *= dx[n];",
        Left::StoreAndLoads,
    ),
    // One loop passes on two numbers, of which one is computed from the other.
    (
        "0.0",
        "let mut dy = vec![0.0; x.len()]; for i in 0..n { let t = dy[i]; dx[i] += x[i]; dx[i + 1] += t; dy[i] += x[i]; dy[i + 1] += 2.0 * x[i]; } dx[0] += dy[n];",
        Left::OneStore,
    ),
    // Within another loop.
    (
        "0.0",
        "for _ in 0..3 { for i in 0..n { dx[i] += x[i]; dx[i + 1] += 2.0 * x[i]; } }",
        Left::StoreAndLoads,
    ),
    // A copy that was made before the store, which it must not show.
    (
        "0.0",
        "let mut old = dx.clone(); for i in 0..n { dx[i] += x[i]; old = dx.clone(); dx[i + 1] += x[i]; } dx[0] += old[n];",
        Left::More,
    ),
];

#[test]
fn stores_that_the_next_round_overwrites_are_made_after_the_loop_with_the_same_bits() {
    let (mut texts, mut expected, mut of) = (Vec::new(), Vec::new(), Vec::new());
    for (fill, updates, left) in PROGRAMS {
        let source = format!(
            "pub fn f(x: &[f64]) -> Vec<f64> {{\n let mut dx = vec![{fill}; x.len()];\n let n = x.len() - 1;\n {updates}\n dx\n}}"
        );
        let loaded = Loaded::from_source("recurrences.rs", &source).expect("it is a program");
        let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there"));
        for len in [0_usize, 1, 2, 3, 4, 5, 40, 41] {
            let x: Vec<f64> = (0..len).map(|at| [1.0, -2.0, 0.0, 3.0][at % 4] * (1.0 + at as f64)).collect();
            let args = vec![Value::floats(x)];
            let run = engine.run(f.symbol, args.clone());
            let export = Export::new(&engine).function(f.symbol, "exported", "");
            let types = export.params("exported").expect("it is there").into_iter().map(|(_, ty)| ty);
            let text = export.with_main(args.into_iter().zip(types).collect(), Printed::Debug).rust();
            let text = text.expect("it is exported");
            assert_eq!(
                left_in(&text),
                *left,
                "{updates}\n{}",
                text.split("fn main").next().unwrap_or_default()
            );
            expected.push(run.map(|y| bits(y.as_array().and_then(|y| y.as_f64s()).expect("a vector"))));
            texts.push(text);
            of.push(format!("{updates} of {len} numbers"));
        }
    }
    let found = outcomes("recurrences", &texts);
    let (mut equal, mut failures) = (0, 0);
    for ((found, expected), of) in found.iter().zip(&expected).zip(&of) {
        match (found, expected) {
            (Ok(found), Ok(expected)) => {
                let numbers = found.trim_matches(['[', ']']).split(", ").filter(|number| !number.is_empty());
                let found: Vec<f64> = numbers.map(|number| number.parse().expect("a number")).collect();
                assert_eq!(bits(&found), *expected, "{of}");
                equal += 1;
            }
            (Err(_), Err(_)) => failures += 1,
            _ => panic!("{of}: {found:?} instead of {expected:?}"),
        }
    }
    assert!(equal > 100 && failures > 10, "{equal} equal, {failures} failures");
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// What the first loop that stores into `dx` has left of updates.
fn left_in(text: &str) -> Left {
    let function = text.split("fn exported(").nth(1).unwrap_or_default();
    let function = function.split("\n}\n").next().unwrap_or_default();
    let is_store =
        |line: &&str| ["dx", "*elem_mut(&mut dx"].iter().any(|start| line.trim().starts_with(start));
    let loops = function.split("for ").skip(1);
    let updates = loops.map(|rest| {
        let mut depth = 1;
        let body = rest.lines().skip(1).take_while(|line| {
            depth += line.matches('{').count();
            depth -= line.matches('}').count();
            depth > 0
        });
        let body: Vec<&str> = body.collect();
        let mentioned: usize = body.iter().map(|line| line.matches("dx").count()).sum();
        (body.into_iter().filter(is_store).count(), mentioned)
    });
    match updates.filter(|(stores, _)| *stores > 0).min() {
        Some((1, 1)) => Left::OneStore,
        Some((1, _)) => Left::StoreAndLoads,
        _ => Left::More,
    }
}
