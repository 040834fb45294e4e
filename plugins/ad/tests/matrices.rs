//! Products of matrices: their derivatives against finite differences of the program itself.

use overdub_ad::dual::jvp;
use overdub_ad::flatten::{floats, with_floats};
use overdub_ad::tape::record;
use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::text;
use overdub_context::value::{Array, Value};

/// An element of `A·B·A·K`, squared, for a constant `K`.
const PROGRAM: &str = "
fn @f(%a: [f64; rank 2], %b: [f64; rank 2]) -> f64 {
  %k: [f64; rank 2] = const [[1.5, -0.5], [0.25, 2.0]]
  %ab: [f64; rank 2] = nd.dot %a, %b
  %aba: [f64; rank 2] = nd.dot %ab, %a
  %all: [f64; rank 2] = nd.dot %aba, %k
  %x: f64 = nd.get %all, 0, 1
  %y: f64 = mul %x, %x
  ret %y
}
";

fn engine() -> Engine {
    Engine::new(text::parse(PROGRAM).expect("it is a program").module())
}

fn matrix(rows: usize, columns: usize, elems: &[f64]) -> Value<'static> {
    let array = Array::from_floats(elems.to_vec().into()).reshape(&[rows, columns]);
    Value::from(array.expect("as many elements as places"))
}

fn args() -> Vec<Value<'static>> {
    vec![matrix(3, 2, &[1.0, 0.3, 0.2, 0.7, -0.4, 1.2]), matrix(2, 3, &[0.4, 0.9, 1.1, 0.6, -0.3, 0.8])]
}

/// The arguments with one of their floats changed.
fn moved(at: usize, by: f64) -> Vec<Value<'static>> {
    let all: Vec<f64> = args().iter().flat_map(floats).collect();
    let mut all = all.iter().enumerate().map(|(k, x)| if k == at { x + by } else { *x });
    args().iter().map(|arg| with_floats(arg, &mut all).expect("as many floats")).collect()
}

fn gradient(engine: &Engine, args: Vec<Value<'static>>) -> Vec<f64> {
    let found = record(engine, "f", args).and_then(|recorded| recorded.pullback.pull(&[1.0]));
    found.unwrap_or_else(|failure| panic!("{failure}")).iter().flat_map(floats).collect()
}

/// A central difference quotient with respect to a float of the arguments.
fn quotient(at: usize, of: impl Fn(Vec<Value<'static>>) -> f64) -> f64 {
    let h = 1e-5;
    (of(moved(at, h)) - of(moved(at, -h))) / (2.0 * h)
}

fn close(ours: f64, quotient: f64) {
    assert!((ours - quotient).abs() <= 1e-7 * quotient.abs().max(1.0), "{ours}, not {quotient}");
}

#[test]
fn a_product_of_matrices_has_derivatives_in_both_modes() {
    let engine = engine();
    let value = |args| engine.run("f", args).expect("it runs").as_f64().expect("it is a float");
    let slopes = gradient(&engine, args());
    for (at, slope) in slopes.iter().enumerate() {
        let expected = quotient(at, value);
        close(*slope, expected);
        let mut unit = (0..slopes.len()).map(|k| if k == at { 1.0 } else { 0.0 });
        let along = args().iter().map(|arg| with_floats(arg, &mut unit).expect("as many floats")).collect();
        let (y, dy) = jvp(&engine, "f", args(), along).unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(y.as_f64(), Some(value(args())));
        close(floats(&dy)[0], expected);
    }
}

#[test]
fn a_product_of_matrices_has_second_derivatives() {
    let engine = engine();
    let hessian = overdub_ad::hessian(&engine, "f", args(), Ty::f64()).expect("it has one");
    for (at, row) in hessian.rows.iter().enumerate() {
        for (k, second) in row.iter().enumerate() {
            close(*second, quotient(at, |args| gradient(&engine, args)[k]));
        }
    }
}

/// A product in which an element that the result does not depend on is infinite.
const INFINITE: &str = "
fn @f(%a: [f64; rank 2], %b: [f64; rank 2]) -> f64 {
  %ab: [f64; rank 2] = nd.dot %a, %b
  %x: f64 = nd.get %ab, 0, 0
  ret %x
}
";

#[test]
fn a_zero_cotangent_stays_zero_beside_an_infinite_element() {
    let engine = Engine::new(text::parse(INFINITE).expect("it is a program").module());
    let args =
        || vec![matrix(2, 2, &[1.0, 2.0, f64::INFINITY, 1.0]), matrix(2, 2, &[3.0, f64::INFINITY, 5.0, 7.0])];
    let expected = [3.0, 5.0, 0.0, 0.0, 1.0, 0.0, 2.0, 0.0];
    let recorded =
        record(&engine, "f", args()).and_then(|recorded| recorded.pullback.pull(&[1.0])).expect("it has one");
    assert_eq!(recorded.iter().flat_map(floats).collect::<Vec<_>>(), expected);
    let transformed = overdub_ad::transform::reverse::Transformed::gradient(&engine, "f".into(), &|_| true)
        .expect("it can be had");
    assert_eq!(
        transformed.run(args()).expect("it runs").1.iter().flat_map(floats).collect::<Vec<_>>(),
        expected
    );
    let along = vec![matrix(2, 2, &[1.0, 0.0, 0.0, 0.0]), matrix(2, 2, &[0.0; 4])];
    let (_, dy) = jvp(&engine, "f", args(), along).expect("it has one");
    assert_eq!(floats(&dy), [3.0]);
}
