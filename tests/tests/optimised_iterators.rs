//! Nested iterators, unoptimised, give the same after all passes, each of which leaves a valid body.

use overdub::lower::Loaded;
use overdub_context::interp::Interpreter;
use overdub_context::ir::{Func, Module};
use overdub_context::testing::alike;
use overdub_context::value::{IntoValue, Value};
use overdub_context::verify::verify;
use overdub_passes::{Pipeline, Scope, callees};

static BEGINNINGS: &[&str] = &[
    "x.iter().copied()",
    "(0..n).map(|i| i as f64 * 0.5 - 1.0)",
    "x.iter().enumerate().flat_map(|(i, a)| x[..i].iter().map(move |b| a * b))",
    "rows.iter().flatten().copied()",
    "rows.iter().flat_map(|row| row.iter().map(|v| v * v)).chain(x.iter().copied())",
];

static STEPS: &[&str] = &[
    ".flat_map(|v| [v.sin(), v])",
    ".take_while(|v| *v < 10.0)",
    ".skip_while(|v| *v < 0.0)",
    ".step_by(2)",
    ".chain(x.iter().map(|v| v * v))",
    ".filter(|v| *v > 0.1)",
    ".scan(0.0, |s, v| { *s += v; Some(*s) })",
    ".zip(x.iter()).map(|(a, b)| a * b)",
    ".map_while(|v| if v > -5.0 { Some(v + 1.0) } else { None })",
    ".skip(1)",
    ".take(7)",
    ".filter_map(|v| if v < 2.0 { Some(v * 0.5) } else { None })",
    ".flat_map(|v| (0..n).map(move |k| v - k as f64))",
    ".peekable()",
];

static ENDS: &[&str] = &[
    "for v in ITER { if v > 3.0 { continue; } total += v; if total > 50.0 { break; } }",
    "total = ITER.sum::<f64>();",
    "let all: Vec<f64> = ITER.collect(); for v in &all { total = total * 0.5 + v; }",
    "let mut next = ITER.peekable();
     while let Some(v) = next.next() { while let Some(w) = next.next_if(|w| *w > v) { total += v * w; } total -= v; }",
    "total = ITER.fold(0.25, |a, v| if v < a { a * 0.5 } else { a + v });",
];

/// One of these programs, which differs for each `k`.
fn source(k: usize) -> String {
    let pick = |from: &[&'static str], k: usize| from[k % from.len()];
    let steps = [pick(STEPS, k), pick(STEPS, 5 * k + 1), pick(STEPS, k / STEPS.len() + 3 * k)];
    let iter = format!("{}{}", pick(BEGINNINGS, k), steps[..1 + k % 3].concat());
    let end = pick(ENDS, k / 2).replace("ITER", &iter);
    format!(
        "pub fn f(x: Vec<f64>, n: usize) -> f64 {{
            let rows = vec![vec![x[0], x[1]], vec![], vec![x[2], 1.5, -0.5]];
            let mut total = rows[0][1];
            {end}
            total
        }}"
    )
}

fn results(module: &Module, name: &str) -> Vec<Value<'static>> {
    let runs = [(vec![0.3, -1.5, 2.25, 0.7], 3), (vec![-0.5, 4.0, 0.0, 1.0, -2.0, 0.125], 0)];
    let run = |(x, n): (Vec<f64>, usize)| {
        Interpreter::new(module).run(name, vec![x.into_value(), Value::from(n)]).expect("it does not fail")
    };
    runs.into_iter().map(run).collect()
}

#[test]
fn iterators_met_in_iterators_give_the_same_after_all_passes() {
    for k in 0..30 {
        let source = source(k);
        let loaded = Loaded::from_source("f.rs", &source).unwrap_or_else(|error| panic!("{error}\n{source}"));
        let symbol = loaded.function("f").unwrap_or_else(|error| panic!("{error}\n{source}")).symbol;
        let module = loaded.shared_module();
        let before = results(&module, symbol.as_str());
        let func = module.func(symbol).expect("it was lowered").expect("there is one");
        let callee = callees(&module);
        // In debug builds from this folder the pipeline verifies the function after each pass.
        let after: Func = Pipeline::compiling().run(&func, &Scope::new(&callee));
        verify(&after).unwrap_or_else(|error| panic!("{error}\n{source}"));
        module.define(after);
        for (before, after) in before.iter().zip(results(&module, symbol.as_str())) {
            assert!(alike(before, &after), "{before} became {after}\n{source}");
        }
    }
}
