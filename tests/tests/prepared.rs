//! A prepared function gives what the other functions give, with respect to the arguments it selects.

use ndarray::{Array2, Axis, array, s};
use overdub::Erased;
use overdub::ad::{Prepared, hessian, hvp, jacobian, jvp, prepare, vjp};
use overdub::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Dub)]
struct Params {
    rate: f64,
    power: f64,
}

#[dub]
fn cost(x: &[f64], params: &Params, count: i64) -> f64 {
    x.iter().map(|x| (params.rate * x).sin() * x.powf(params.power)).sum::<f64>() * count as f64
}

#[dub]
fn pair(x: &[f64], params: &Params, count: i64) -> (f64, Vec<f64>) {
    (cost(x, params, count), x.iter().map(|x| x * params.rate).collect())
}

#[dub]
#[rustfmt::skip]
#[allow(clippy::too_many_arguments, reason = "that many are what is tested")]
fn sixteen(
    a: f64, b: f64, c: f64, d: f64, e: f64, f: f64, g: f64, h: f64,
    i: f64, j: f64, k: f64, l: f64, m: f64, n: f64, o: f64, p: f64,
) -> f64 {
    a * b + c * d + e * f + g * h + i * j + k * l + m * n + o * p
}

const X: [f64; 2] = [1.3, 0.4];
const PARAMS: Params = Params { rate: 0.7, power: 1.5 };
const TANGENTS: ([f64; 2], Params) = ([0.3, -0.2], Params { rate: 0.9, power: -0.6 });

#[test]
fn whole_arguments_give_what_the_functions_give() {
    let args = (&X[..], &PARAMS, 3_i64);
    let (dx, dparams) = TANGENTS;
    let tangents = (&dx[..], &dparams, ());
    let f = prepare(cost);
    assert_eq!(f.hvp(args, tangents), hvp(cost, args, tangents));
    assert_eq!(f.hessian(args), hessian(cost, args));
    assert_eq!(f.jvp(args, tangents), jvp(cost, args, tangents));
    let g = prepare(pair);
    assert_eq!(g.jacobian(args), jacobian(pair, args));
    let dy = (2.0, vec![0.5, -1.0]);
    assert_eq!(g.vjp(args, dy.clone()), vjp(pair, args, dy));
}

#[test]
fn what_is_not_differentiated_in_is_constant() {
    let args = (&X[..], &PARAMS, 3_i64);
    let (dx, dparams) = TANGENTS;
    let tangents = (&dx[..], &dparams, ());
    let alone = (&[0.0, 0.0][..], &Params { power: 0.0, ..dparams }, ());
    let f = prepare(cost).with_respect_to(["params.rate"]);
    assert_eq!(f.jvp(args, tangents), jvp(cost, args, alone));
    let (dx, dparams, ()) = f.hvp(args, tangents).expect("it has one");
    let (_, whole, ()) = hvp(cost, args, alone).expect("it has one");
    assert_eq!((dx, dparams), (vec![0.0, 0.0], Params { rate: whole.rate, power: 0.0 }));
    let whole = hessian(cost, args).expect("it has one");
    // Matrices are of the selected floats alone.
    assert_eq!(f.hessian(args), Ok(array![[whole[(2, 2)]]]));
    let g = prepare(pair).with_respect_to(["params.rate"]);
    let column = jacobian(pair, args).expect("it has one").column(2).to_owned();
    assert_eq!(g.jacobian(args), Ok(column.clone().insert_axis(Axis(1))));
    let (_, (dx, dparams, ())) = g.vjp(args, (2.0, vec![0.5, -1.0])).expect("it has one");
    let slope = column.dot(&array![2.0, 0.5, -1.0]);
    assert_eq!((dx, dparams.power), (vec![0.0, 0.0], 0.0));
    assert!((dparams.rate - slope).abs() < 1e-12 * slope.abs());
}

#[dub]
fn moments(data: &[f64], x: &[f64], shift: f64) -> (f64, f64) {
    let of = |n: i32| data.iter().zip(x).map(|(d, x)| d * (x - shift).powi(n)).sum();
    (of(2), of(3))
}

#[test]
fn wide_matrices_are_of_the_selected_floats_alone() {
    let (data, x): (Vec<f64>, Vec<f64>) = (0..12).map(|i| (f64::from(i), 0.1 * f64::from(i * i))).unzip();
    let args = (&data[..], &x[..], 0.5);
    let whole = jacobian(moments, args).expect("it has one");
    let selected = prepare(moments).with_respect_to(["x"]).jacobian(args).expect("it has one");
    assert_eq!(selected, whole.slice(s![.., 12..24]));
    let both = prepare(moments).with_respect_to(["x", "shift"]).jacobian(args).expect("it has one");
    assert_eq!(both, whole.slice(s![.., 12..]));
}

#[test]
fn results_go_into_buffers_of_their_size() {
    let args = (&X[..], &PARAMS, 3_i64);
    let f = prepare(cost);
    let mut matrix = Array2::from_elem((4, 4), f64::NAN);
    f.hessian_into(args, matrix.view_mut()).expect("it fits");
    assert_eq!(Ok(matrix), f.hessian(args));
    let mut small = Array2::zeros((4, 3));
    let error = f.hessian_into(args, small.view_mut()).expect_err("it does not fit");
    assert!(error.message().contains("(4, 4)") && error.message().contains("(4, 3)"), "{error}");
    let mut matrix = Array2::from_elem((3, 4), f64::NAN);
    prepare(pair).jacobian_into(args, matrix.view_mut()).expect("it fits");
    assert_eq!(Ok(matrix), jacobian(pair, args));
    let (mut dx, mut rest) = ([f64::NAN; 2], 0.0);
    prepare(bowl).hvp_into((&X[..], 2.0), (&[1.0, 0.0][..], 0.0), (&mut dx[..], &mut rest)).expect("it fits");
    assert_eq!((dx, rest), ([4.0, 0.0], 2.0 * X[0]));
}

#[dub]
fn bowl(x: &[f64], scale: f64) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>() * scale
}

#[test]
fn functions_take_sixteen_arguments() {
    let x: [f64; 16] = std::array::from_fn(|at| at as f64);
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = x;
    let args = (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
    let slopes = gradient(sixteen, args).expect("it has a gradient");
    assert_eq!((slopes.0, slopes.1, slopes.14, slopes.15), (b, a, p, o));
    let mut out = [0.0; 16];
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = &mut out;
    let y = prepare(sixteen).gradient_into(args, (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p));
    assert_eq!(y, run(sixteen, args));
    assert_eq!(out, std::array::from_fn(|at| if at % 2 == 0 { at as f64 + 1.0 } else { at as f64 - 1.0 }));
}

#[test]
fn an_erased_function_of_another_signature_is_refused() {
    let wrong: Erased<fn(f64) -> f64> = Erased::new::<(&[f64], f64), _>(bowl).expect("its source is known");
    let error = gradient(wrong, (1.0,)).expect_err("it takes a slice and a number");
    assert!(error.message().contains("takes 2 arguments"), "{error}");
    let wrong: Erased<fn(f64, f64) -> f64> =
        Erased::new::<(&[f64], f64), _>(bowl).expect("its source is known");
    let error = gradient(wrong, (1.0, 2.0)).expect_err("it takes a slice");
    assert!(error.message().contains("the argument `x`"), "{error}");
    let wrong: Erased<fn(&[f64], f64) -> bool> =
        Erased::new::<(&[f64], f64), _>(bowl).expect("its source is known");
    run(wrong, (&X[..], 1.0)).expect_err("it returns a number");
}

#[test]
fn a_prepared_erased_function_fits_in_a_field() {
    type Loss = fn(&[f64], f64) -> f64;
    struct Model {
        loss: Prepared<Erased<Loss>>,
    }
    let model = Model { loss: prepare(Erased::new::<(&[f64], f64), _>(bowl).expect("its source is known")) };
    assert_eq!(model.loss.gradient((&X[..], 2.0)), gradient(bowl, (&X[..], 2.0)));
}
