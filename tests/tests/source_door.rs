//! `source!(crate)`: functions without annotations are differentiated as rustc compiled them, in this crate
//! and in its dependencies.

#[path = "source_door/shapes.rs"]
mod shapes;
#[path = "source_door/renamed.rs"]
mod somewhere_else;

use num_traits::Float;
use overdub::prelude::*;
use shapes::{Disc, Scaled, Square};

overdub::source!(crate);

macro_rules! power {
    ($name:ident, $n:expr) => {
        fn $name(x: f64) -> f64 {
            x.powi($n)
        }
    };
}

power!(fifth, 5);

#[cfg(feature = "cubic")]
const DEGREE: i32 = 3;
#[cfg(not(feature = "cubic"))]
const DEGREE: i32 = 2;

static SCALE: f64 = 4.0;

fn monomial(x: f64) -> f64 {
    SCALE * x.powi(DEGREE)
}

/// Compiled for tests only, by rustc too.
#[cfg(test)]
fn only_in_tests(x: f64) -> f64 {
    3.0 * x
}

fn norm<T: Float>(xs: &[T]) -> T {
    xs.iter().fold(T::zero(), |sum, x| sum + *x * *x).sqrt()
}

fn through_dependency(x: &[f64]) -> f64 {
    argmin_testfunctions::rosenbrock(x) + norm(x)
}

/// Annotated, unlike its callees.
#[dub]
fn annotated(x: f64) -> f64 {
    monomial(x) + fifth(x)
}

fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-6;
    (f(x + h) - f(x - h)) / (2.0 * h)
}

fn assert_close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-6 * (1.0 + b.abs()), "{a} is not {b}");
}

macro_rules! differentiated {
    ($($name:ident: $function:expr, $x:expr;)*) => {$(
        #[test]
        fn $name() {
            let (value, (slope,)) = value_and_gradient($function, ($x,)).expect("it has a gradient");
            assert_eq!(value, $function($x));
            assert_close(slope, difference($function, $x));
        }
    )*};
}

differentiated! {
    a_plain_function: monomial, 1.5;
    a_function_that_a_macro_makes: fifth, 1.5;
    an_annotated_function_that_calls_others: annotated, 1.5;
    a_function_that_is_there_in_tests_alone: only_in_tests, 1.5;
    a_function_in_another_file: shapes::inner::wave, 1.5;
    a_function_in_a_file_of_another_name: somewhere_else::shifted, 1.5;
    a_function_in_an_included_file: shapes::included, 1.5;
    a_function_that_reads_an_embedded_text: shapes::first_of_table, 1.5;
    a_method_of_a_primitive: f64::tanh, 0.5;
}

#[test]
fn generic_functions_are_found_for_the_types_that_they_are_called_with() {
    let (double,) = gradient(norm::<f64>, (&[3.0, 4.0][..],)).expect("it has a gradient");
    let (single,) = gradient(norm::<f32>, (&[3.0_f32, 4.0][..],)).expect("it has a gradient");
    for ((double, single), slope) in double.into_iter().zip(single).zip([0.6, 0.8]) {
        assert_close(double, slope);
        assert_close(f64::from(single), slope);
    }
}

#[test]
fn crates_that_the_package_depends_on_are_seen_into() {
    let x = [1.2, -0.7, 0.4];
    let theirs = argmin_testfunctions::rosenbrock_derivative(&x);
    let (ours,) = gradient(argmin_testfunctions::rosenbrock::<f64>, (&x[..],)).expect("it has a gradient");
    ours.iter().zip(&theirs).for_each(|(a, b)| assert_close(*a, *b));
    let (ours,) = gradient(through_dependency, (&x[..],)).expect("it has a gradient");
    let length = norm(&x);
    for ((a, b), x) in ours.iter().zip(&theirs).zip(x) {
        assert_close(*a, b + x / length);
    }
}

#[test]
fn methods_are_found_by_their_types_and_traits() {
    let disc = Disc { radius: 2.0 };
    let (slope,) = gradient(Disc::area, (&disc,)).expect("it has a gradient");
    assert_close(slope.radius, 4.0 * std::f64::consts::PI);
    let (slope, factor) = gradient(<Disc as Scaled>::scaled, (&disc, 3.0)).expect("it has a gradient");
    assert_eq!((slope.radius, factor), (3.0, 2.0));
    let (slope,) =
        gradient(<Square<f64> as Scaled>::by_two, (&Square { side: 2.0 },)).expect("it has a gradient");
    assert_eq!(slope.side, 8.0);
}

/// A function of arrays of any number of axes and any ownership.
fn squares<S: ndarray::Data<Elem = f64>, D: ndarray::Dimension>(a: &ndarray::ArrayBase<S, D>) -> f64 {
    a.iter().map(|x| x * x).sum()
}

trait Corner {
    fn corner(&self) -> f64;
}

impl Corner for ndarray::Array2<f64> {
    fn corner(&self) -> f64 {
        self[(0, 0)] * self[(1, 1)]
    }
}

fn corner<T: Corner>(of: &T) -> f64 {
    of.corner()
}

#[test]
fn functions_generic_in_arrays_are_found_by_the_names_of_ndarray() -> Result<(), overdub::Error> {
    use ndarray::{OwnedRepr, ViewRepr, array};
    let (v, m) = (array![1.0, 2.0], array![[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(gradient(squares::<OwnedRepr<f64>, _>, (&v,))?, (2.0 * &v,));
    assert_eq!(gradient(squares::<OwnedRepr<f64>, _>, (&m,))?, (2.0 * &m,));
    static ELEMS: [f64; 2] = [0.5, 1.5];
    let view = ndarray::ArrayView1::from(&ELEMS);
    assert_eq!(gradient(squares::<ViewRepr<&f64>, _>, (&view,))?, (array![1.0, 3.0],));
    assert_eq!(gradient(corner::<ndarray::Array2<f64>>, (&m,))?, (array![[4.0, 0.0], [0.0, 1.0]],));
    Ok(())
}

#[derive(Clone, Dub)]
struct Seen<'a> {
    view: ndarray::ArrayView1<'a, f64>,
}

fn first_seen(seen: &Seen<'_>) -> f64 {
    seen.view[0]
}

#[test]
fn a_struct_with_a_field_that_is_passed_otherwise_is_refused() {
    let elems = [1.0, 2.0];
    let seen = Seen { view: ndarray::ArrayView1::from(&elems) };
    let error = overdub::run(first_seen, (&seen,)).expect_err("a view is passed as an array");
    assert_eq!(error.kind(), overdub::ErrorKind::Argument);
    assert!(error.help().is_some_and(|help| help.contains("pass it as an argument of its own")), "{error}");
}

#[test]
fn functions_within_functions_are_found() {
    #[derive(Clone, Dub)]
    struct Annotated {
        x: f64,
    }
    fn beside(of: &Annotated) -> f64 {
        of.x * of.x
    }
    assert_eq!(overdub::run(beside, (&Annotated { x: 3.0 },)), Ok(9.0));

    fn outer(x: f64) -> f64 {
        fn same(x: f64) -> f64 {
            x * x
        }
        same(x)
    }
    fn same(x: f64) -> f64 {
        x * x * x
    }
    assert_eq!(gradient(outer, (3.0,)), Ok((6.0,)));
    assert_eq!(gradient(same, (3.0,)), Ok((27.0,)));
}

#[test]
fn functions_that_rustc_calls_alike_are_refused() {
    let first = {
        fn alike(x: f64) -> f64 {
            x * x
        }
        gradient(alike, (3.0,))
    };
    let second = {
        fn alike(x: f64) -> f64 {
            x * x * x
        }
        gradient(alike, (3.0,))
    };
    for refused in [first, second] {
        let error = refused.expect_err("rustc has one name for both");
        assert!(error.message().contains("alike` may be"), "{error}");
    }
}

#[test]
fn all_that_is_missing_is_in_one_error() {
    fn top(x: f64) -> f64 {
        near(x) + far(x)
    }
    fn near(x: f64) -> f64 {
        if std::net::TcpStream::connect("nowhere").is_ok() {
            x
        } else {
            std::net::UdpSocket::bind("x").map_or(x, |_| x)
        }
    }
    fn far(x: f64) -> f64 {
        std::net::TcpListener::bind("x").map_or(x, |_| 2.0 * x)
    }
    let error = gradient(top, (1.0,)).expect_err("the network is not there");
    let text = format!("{error:?}");
    for name in ["TcpStream::connect", "UdpSocket::bind", "TcpListener::bind"] {
        assert!(text.contains(name), "{name} is not in: {text}");
    }
    assert_eq!(error.missing().len(), 1, "{text}");
    assert!(!text.contains("annotate"), "{text}");
}

#[test]
fn contexts_see_what_nobody_annotated() {
    let replaced = overdub(ctx().replace("shapes::inner::wave", "fifth"), shapes::twice_wave, (1.5,));
    assert_eq!(replaced, Ok(2.0 * fifth(1.5)));
}

#[test]
fn spans_are_those_of_the_files() {
    let error = run(shapes::inner::fails, (1.0,)).expect_err("it panics");
    assert!(error.span().file.ends_with("tests/source_door/shapes/inner.rs"), "{error:?}");
    assert_eq!(error.span().line, 10, "{error:?}");
}

fn by_conditions(x: f64) -> f64 {
    let of_assertions = if cfg!(debug_assertions) { 2.0 } else { 3.0 };
    let of_target = if cfg!(all(target_os = "linux", not(target_arch = "x86_64"))) { 5.0 } else { 7.0 };
    let of_test = if cfg!(test) { 11.0 } else { 13.0 };
    x * of_assertions * of_target * of_test
}

#[test]
fn conditions_are_those_of_rustc() -> Result<(), overdub::Error> {
    assert_eq!(overdub::prelude::run(by_conditions, (1.5,))?, by_conditions(1.5));
    Ok(())
}
