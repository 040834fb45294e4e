//! Sparse Jacobians as machine code.

mod counting;

use counting::allocations;
use overdub_context::engine::Engine;
use overdub_context::value::{Array, Value};
use overdub_lower::Loaded;
use overdub_native::Native;
use overdub_passes::Optimising;
use overdub_sparsity::{Detector, Evaluation, SparseDerivative};

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
