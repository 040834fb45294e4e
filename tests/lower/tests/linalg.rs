//! Linear algebra in programs: the same functions by rustc and by overdub, to the bit.

use std::sync::LazyLock;

use ndarray::{Array1, Array2, array};
use overdub_context::engine::Engine;
use overdub_context::linalg::{LinalgError, cholesky, det, inv, ln_det, solve, solve_all};
use overdub_context::value::{FromValue, IntoValue, Value};
use overdub_lower::Loaded;
use proptest::prelude::*;

const SOURCE: &str = "
use ndarray::{Array1, Array2, ArrayView2};
use overdub::linalg::{self, LinalgError};

pub fn inv(a: Array2<f64>) -> Array2<f64> { linalg::inv(&a).unwrap() }
pub fn inv_of_view(a: ArrayView2<f64>) -> Array2<f64> { found(linalg::inv(&a.t())).unwrap() }
fn found<T>(found: Result<T, LinalgError>) -> Option<T> { found.ok() }
pub fn solve(a: Array2<f64>, b: Array1<f64>) -> Array1<f64> { linalg::solve(&a, &b).unwrap() }
pub fn solve_all(a: Array2<f64>, b: Array2<f64>) -> Array2<f64> { linalg::solve_all(&a, &b.t()).unwrap() }
pub fn det(a: Array2<f64>) -> f64 { linalg::det(&a).unwrap() }
pub fn ln_det(a: Array2<f64>) -> f64 { linalg::ln_det(&a).unwrap() }
pub fn cholesky(a: Array2<f64>) -> Array2<f64> { linalg::cholesky(&a).unwrap() }
pub fn says(a: Array2<f64>) -> String {
    let inv = linalg::inv(&a).map(|_| ());
    let det = linalg::det(&a).map(|_| ());
    let root = linalg::cholesky(&a).map(|_| ());
    [inv, det, root].map(|found| match found { Ok(()) => String::new(), Err(error) => error.to_string() }).join(\"; \")
}
";

fn run(name: &str, args: Vec<Value<'static>>) -> Value<'static> {
    static LOADED: LazyLock<(Loaded, Engine)> = LazyLock::new(|| {
        let loaded = Loaded::from_source("linalg.rs", SOURCE).unwrap_or_else(|error| panic!("{error}"));
        let engine = loaded.engine();
        (loaded, engine)
    });
    let (loaded, engine) = &*LOADED;
    let function = loaded.function(name).unwrap_or_else(|error| panic!("{error}"));
    engine.run(function.symbol, args).unwrap_or_else(|failure| panic!("{failure}"))
}

fn matrix(n: usize) -> impl Strategy<Value = Array2<f64>> {
    prop::collection::vec(-9.0..9.0f64, n * n)
        .prop_map(move |elems| Array2::from_shape_vec((n, n), elems).expect("as many"))
}

fn system() -> impl Strategy<Value = (Array2<f64>, Array1<f64>)> {
    (0..7usize).prop_flat_map(|n| (matrix(n), prop::collection::vec(-9.0..9.0f64, n).prop_map(Array1::from)))
}

fn same<'v>(ours: Value<'_>, want: impl IntoValue<'v>) {
    let want = want.into_value();
    assert!(ours.same(&want), "{ours}, not {want}");
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(24))]
    #[test]
    fn programs_compute_what_plain_rust_does((a, b) in system()) {
        let given = || (&a).into_value().into_owned();
        same(run("det", vec![given()]), det(&a).unwrap());
        same(run("ln_det", vec![given()]), ln_det(&a).unwrap());
        if let Ok(x) = inv(&a) {
            same(run("inv", vec![given()]), x);
            same(run("inv_of_view", vec![given()]), inv(&a.t()).unwrap());
            same(run("solve", vec![given(), (&b).into_value().into_owned()]), solve(&a, &b).unwrap());
            same(run("solve_all", vec![given(), given()]), solve_all(&a, &a.t()).unwrap());
        }
        let square = a.dot(&a.t()) + Array2::<f64>::eye(a.nrows());
        same(run("cholesky", vec![(&square).into_value().into_owned()]), cholesky(&square).unwrap());
    }
}

#[test]
fn what_cannot_be_is_an_error_that_says_why() {
    let says = |a: Array2<f64>| String::from_value(run("says", vec![a.into_value()])).expect("a text");
    let singular = LinalgError::Singular.to_string();
    let indefinite = LinalgError::NotPositiveDefinite.to_string();
    assert_eq!(says(array![[1.0, 2.0], [2.0, 4.0]]), format!("{singular}; ; {indefinite}"));
    assert_eq!(says(array![[0.0, 1.0], [1.0, 0.0]]), format!("; ; {indefinite}"));
    let square = LinalgError::NotSquare(1, 2).to_string();
    assert_eq!(says(array![[1.0, 2.0]]), [square.as_str(); 3].join("; "));
    assert_eq!(says(array![[f64::NAN]]), format!("{singular}; ; {indefinite}"));
}
