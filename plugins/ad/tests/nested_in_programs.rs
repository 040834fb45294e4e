//! Derivatives that programs take of their own functions, differentiated again.

use overdub_ad::check::{TOLERANCE, check_point};
use overdub_ad::tape::record;
use overdub_context::value::{IntoValue, Value};
use overdub_lower::Loaded;
use overdub_lower::api::Target;

/// The value of the function `f` of a program; checks its derivatives in every mode.
fn checked(source: &str, args: Vec<Value<'static>>) -> f64 {
    let source = format!("use overdub::ad::{{derivative, gradient, value_and_gradient}};\n{source}");
    let loaded = Loaded::from_source("inside.rs", &source).unwrap_or_else(|error| panic!("{error}"));
    let function = loaded.function("f").unwrap_or_else(|error| panic!("{error}"));
    let (engine, symbol) = (loaded.engine(), function.symbol);
    let y = engine.run(symbol, args.clone()).unwrap_or_else(|failure| panic!("{failure}"));
    let target = Target::new(function.into(), Vec::new());
    let tally =
        check_point(&engine, &target, args, TOLERANCE).unwrap_or_else(|complaint| panic!("{complaint}"));
    assert!(tally.agreed > 0, "nothing was compared in {source}");
    y.as_f64().expect("a float")
}

fn at(source: &str, x: f64) -> f64 {
    checked(source, vec![x.into()])
}

#[test]
fn c5_a_derivative_inside_is_kept_apart_from_the_one_outside() {
    let close = |ours: f64, expected: f64| assert!((ours - expected).abs() < 1e-12, "{ours}, not {expected}");
    close(at("pub fn f(x: f64) -> f64 { derivative(f64::sin, x).unwrap() }", 1.0), 1.0_f64.cos());
    // The derivatives expected by C5: 4, 2, 20, 1.
    for (body, slope) in [
        ("x * derivative(|y| x * y, 1.0).unwrap()", 4.0),
        ("x * derivative(|y| 5.0 * x * y, 3.0).unwrap()", 20.0),
        ("x * derivative(|y| x + y, 1.0).unwrap()", 1.0),
    ] {
        let source = format!("use overdub::ad::derivative;\npub fn f(x: f64) -> f64 {{ {body} }}");
        let loaded = Loaded::from_source("inside.rs", &source).unwrap_or_else(|error| panic!("{error}"));
        let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol;
        let x = if slope == 1.0 { 1.0 } else { 2.0 };
        let recorded =
            record(&loaded.engine(), f, vec![x.into()]).unwrap_or_else(|failure| panic!("{failure}"));
        let dx = recorded.pullback.pull(&[1.0]).expect("one cotangent")[0].as_f64();
        assert_eq!(dx, Some(slope), "{body}");
    }
}

#[test]
fn a_third_derivative_is_the_derivative_of_a_derivative_of_a_derivative() {
    let source = "
fn second(x: f64) -> f64 { derivative(|y| derivative(|z: f64| z.sin(), y).unwrap(), x).unwrap() }
pub fn f(x: f64) -> f64 { derivative(second, x).unwrap() }";
    assert!((at(source, 0.7) + 0.7_f64.cos()).abs() < 1e-12);
}

#[test]
fn a_gradient_inside_takes_vectors_and_several_arguments() {
    let source = "
fn energy(x: &[f64], k: f64) -> f64 { x.windows(2).map(|w| k * (w[1] - w[0]).powi(2)).sum::<f64>() * 0.5 }
pub fn f(x: Vec<f64>, k: f64) -> f64 {
    let (dx, dk) = gradient(|x: Vec<f64>, k: f64| energy(&x, k), (x.clone(), k)).unwrap();
    dx.iter().map(|force| force * force).sum::<f64>() + dk
}";
    let y = checked(source, vec![vec![0.3, 1.0, 2.5].into_value(), 2.0.into()]);
    // forces: k·(-0.7, 0.7 - 1.5, 1.5)
    let expected = 4.0 * (0.49 + 0.64 + 2.25) + 0.5 * (0.49 + 2.25);
    assert!((y - expected).abs() < 1e-12, "{y}, not {expected}");
}

#[test]
fn a_gradient_inside_takes_arrays_of_ndarray() {
    let source = "
use ndarray::{Array1, Array2};
pub fn f(entries: Vec<f64>, x: Vec<f64>) -> f64 {
    let (a, x) = (Array2::from_shape_vec((2, 2), entries).unwrap(), Array1::from(x));
    let g = |a: Array2<f64>, x: &Array1<f64>| a.dot(x).dot(x).sin();
    let (da, dx) = gradient(g, (a, &x)).unwrap();
    da[[0, 1]] * dx[0] + dx[1]
}";
    let (a, x) = ([0.3, 1.0, 2.5, -0.4_f64], [0.5, -1.5_f64]);
    let y = checked(source, vec![a.to_vec().into_value(), x.to_vec().into_value()]);
    let c = (a[0] * x[0] * x[0] + (a[1] + a[2]) * x[0] * x[1] + a[3] * x[1] * x[1]).cos();
    let dx = [2.0 * a[0] * x[0] + (a[1] + a[2]) * x[1], (a[1] + a[2]) * x[0] + 2.0 * a[3] * x[1]];
    let expected = c * x[0] * x[1] * c * dx[0] + c * dx[1];
    assert!((y - expected).abs() < 1e-12, "{y}, not {expected}");
}

#[test]
fn a_gradient_inside_takes_as_many_arguments_as_one_outside() {
    let source = "
fn g(a: f64, b: f64, c: f64, d: f64, e: f64, k: i32, xs: &[f64], h: f64) -> f64 {
    a * b + c * d * e.powi(k) + xs.iter().sum::<f64>() * h
}
pub fn f(x: f64) -> f64 {
    let xs = vec![x, 2.0];
    let all = gradient(
        |a, b, c, d, e, k, xs: Vec<f64>, h| g(a, b, c, d, e, k, &xs, h),
        (x, 2.0, x * x, 4.0, 0.5, 3, xs, x),
    );
    let (da, db, dc, dd, de, (), dxs, dh) = all.unwrap();
    da + 2.0 * db + 3.0 * dc + 4.0 * dd + 5.0 * de + 6.0 * dxs[1] + 7.0 * dh
}";
    let (x, y) = (1.3_f64, at(source, 1.3));
    let expected =
        2.0 + 2.0 * x + 3.0 * 0.5 + 4.0 * x * x * 0.125 + 5.0 * x * x * 3.0 + 6.0 * x + 7.0 * (x + 2.0);
    assert!((y - expected).abs() < 1e-12, "{y}, not {expected}");
}

#[test]
fn descent_through_its_own_gradients_is_differentiated() {
    let source = "
fn loss(w: [f64; 2], a: f64) -> f64 { (w[0] - a).powi(2) + (w[1] * a - 1.0).powi(2) }
pub fn f(a: f64, rate: f64) -> f64 {
    let mut w = [0.0, 0.0];
    for _ in 0..5 {
        let (y, (dw,)) = value_and_gradient(|w| loss(w, a), (w,)).unwrap();
        for (w, dw) in w.iter_mut().zip(dw) { *w -= rate * dw; }
        if y < 1e-9 { break; }
    }
    loss(w, a)
}";
    checked(source, vec![1.3.into(), 0.1.into()]);
}

#[test]
fn newton_with_a_derivative_inside_finds_a_root_that_moves() {
    let source = "
pub fn f(a: f64) -> f64 {
    let g = |x: f64| x.exp() - a * x - 2.0;
    let mut x = 2.0;
    for _ in 0..8 { x -= g(x) / derivative(g, x).unwrap(); }
    x
}";
    let root = at(source, 1.5);
    assert!((root.exp() - 1.5 * root - 2.0).abs() < 1e-12);
}

#[test]
fn what_cannot_be_transformed_inside_says_so_where_it_is_taken() {
    let source = "use overdub::ad::derivative;
pub fn f(x: f64) -> f64 {
    derivative(|y: f64| { let cell = std::cell::RefCell::new(y); let z = *cell.borrow(); z * f64::from_bits(y.to_bits() & !7) }, x).unwrap()
}";
    let loaded = Loaded::from_source("inside.rs", source).unwrap_or_else(|error| panic!("{error}"));
    let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol;
    let failure = loaded.engine().run(f, vec![2.0.into()]).expect_err("bits have no derivative");
    assert!(failure.to_string().contains("no derivative inside of the program"), "{failure}");
}
