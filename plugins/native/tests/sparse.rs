//! Sparse Jacobians as machine code.

mod counting;

use counting::allocations;
use overdub_context::engine::Engine;
use overdub_context::value::{Array, Value};
use overdub_lower::Loaded;
use overdub_native::Native;
use overdub_passes::Optimising;
use overdub_sparsity::{ColoringKind, Detector, Evaluation, SparseDerivative, color};

const SOURCE: &str = "pub fn f(x: &[f64], at: &[usize], k: f64) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for i in 1..x.len() { y[at[i]] = k * x[i] * x[i - 1]; }
    y
}";

#[test]
fn entries_are_those_of_the_interpreter_and_allocate_nothing_from_the_second_evaluation_on() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("the source is valid");
    let func = loaded.function("f").expect("it is there").symbol;
    let engine =
        Engine::builder(loaded.shared_module()).executor(Native::new()).optimizer(Optimising).build();
    let args = |k: f64| {
        let x: Vec<f64> = (0..50).map(|i| 1.0 + (f64::from(i) * 0.7).sin()).collect();
        let at: Vec<usize> = (0..50).map(|i| (i * 7) % 50).collect();
        [Value::floats(x), Value::from(Array::from_vec(at)), Value::F64(k)]
    };
    let prepared = |engine: &Engine| {
        let detector = Detector::new(engine).with_respect_to([0]);
        SparseDerivative::jacobian(&detector, func, args(2.0).to_vec()).expect("it has a Jacobian")
    };
    let (ours, interpreted) = (prepared(&engine), prepared(&loaded.engine()));
    assert_eq!(ours.explain(), &Evaluation::Entries { written: 98 });
    let mut values = vec![0.0; ours.pattern().len()];
    ours.evaluate_into(&args(2.0), &mut values).expect("it has values");
    let at = args(3.0);
    let before = allocations();
    ours.evaluate_into(&at, &mut values).expect("it has values");
    assert_eq!(allocations() - before, 0);
    let expected = interpreted.evaluate(&at).expect("it has values");
    assert_eq!(values, expected.values());
}

/// The requirements for each sweep: the values, and no allocation from the second evaluation on.
fn settled(name: &str, args: &[Value<'static>], ours: &SparseDerivative) {
    let mut values = vec![0.0; ours.pattern().len()];
    ours.evaluate_into(args, &mut values).unwrap_or_else(|error| panic!("{name}: {error}"));
    let first = values.clone();
    values.fill(f64::NAN);
    let before = allocations();
    ours.evaluate_into(args, &mut values).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(allocations() - before, 0, "{name}");
    assert_eq!(values, first, "{name}");
}

const SWEPT: &str = "
pub fn band(x: &[f64], k: f64) -> Vec<f64> {
    let n = x.len();
    let mut y = vec![0.0; n];
    for i in 0..n {
        for j in i.saturating_sub(5)..(i + 6).min(n) { y[i] += k * (x[i] * x[j]).sin(); }
    }
    y
}
pub fn sums(x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; 3];
    for i in 0..x.len() { y[i % 3] += x[i] * x[i]; }
    let first = y[0].sqrt();
    y[1] *= first;
    y
}
pub fn chain(x: &[f64]) -> f64 {
    let mut y = 0.0;
    for i in 1..x.len() { y += (x[i] - x[i - 1] * x[i - 1]).powi(2); }
    y
}";

#[test]
fn sweeps_are_those_of_the_interpreter_and_those_of_columns_and_hessians_allocate_once() {
    let loaded = Loaded::from_source("f.rs", SWEPT).expect("the source is valid");
    let engine =
        Engine::builder(loaded.shared_module()).executor(Native::new()).optimizer(Optimising).build();
    let interpreted = loaded.engine();
    let x = Value::floats((0..40).map(|i| 1.0 + (f64::from(i) * 0.7).sin()).collect::<Vec<_>>());
    let (two, one) = (vec![x.clone(), Value::F64(0.7)], vec![x]);
    let found = |engine: &Engine, name: &str, args: &[Value<'static>], kind: ColoringKind| {
        let function = loaded.function(name).expect("it is there");
        let (detector, func) = (Detector::new(engine).with_respect_to([0]), function.symbol);
        let made = match kind {
            ColoringKind::Star if name == "chain" => {
                SparseDerivative::hessian(&detector, func, args.to_vec(), function.ir_ret)
            }
            ColoringKind::Star => SparseDerivative::lagrangian_hessian(&detector, func, args.to_vec()),
            kind => {
                let pattern = detector.jacobian(func, args.to_vec()).expect("it has a pattern");
                let coloring = color(&pattern, kind).expect("it has a coloring");
                SparseDerivative::with_coloring(&detector, func, args, None, pattern, coloring)
            }
        };
        made.unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let weights: Vec<f64> = (0..40).map(|i| f64::from(i % 7) - 3.0).collect();
    // By rows, and with weights, a cotangent is lent, and copied if the reverse sweep writes to it.
    for (name, args, kind, weights, allocates) in [
        ("band", &two, ColoringKind::Column, None, false),
        ("sums", &one, ColoringKind::Row, None, true),
        ("chain", &one, ColoringKind::Star, None, false),
        ("band", &two, ColoringKind::Star, Some(&weights[..]), true),
    ] {
        let [ours, theirs] = [&engine, &interpreted].map(|engine| found(engine, name, args, kind));
        if !allocates {
            settled(name, args, &ours);
        }
        let evaluated = |of: &SparseDerivative| match weights {
            None => of.evaluate(args),
            Some(weights) => of.evaluate_weighted(args, weights),
        };
        let [again, expected] = [&ours, &theirs].map(|of| evaluated(of).expect("it has values"));
        assert_eq!(again.values(), expected.values(), "{name}");
    }
}
