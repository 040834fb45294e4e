//! The forms of `std::autodiff`: signatures, what is added to shadows, and derivatives against differences.

use overdub_attributes::{autodiff_forward, autodiff_reverse};

// The examples of `std::autodiff`'s documentation.
#[autodiff_reverse(rb_rev, Active, Active, Active)]
#[autodiff_reverse(rb_rev_only, Active, Active, ActiveOnly)]
#[autodiff_forward(rb_fwd1, Dual, Const, Dual)]
#[autodiff_forward(rb_fwd2, Const, Dual, DualOnly)]
#[autodiff_forward(rb_fwd3, Dual, Dual, Dual)]
fn rosenbrock(x: f64, y: f64) -> f64 {
    (1.0 - x).powi(2) + 100.0 * (y - x.powi(2)).powi(2)
}

#[autodiff_reverse(rb_inp_rev, Active, Active, Duplicated)]
#[autodiff_forward(rb_inp_fwd, Dual, Dual, Dual)]
fn rosenbrock_inp(x: f64, y: f64, out: &mut f64) {
    *out = (1.0 - x).powi(2) + 100.0 * (y - x.powi(2)).powi(2);
}

#[test]
fn floats_are_as_in_the_documentation() {
    assert_eq!(rb_rev(1.0, 3.0, 1.0), (400.0, -800.0, 400.0));
    assert_eq!(rb_rev(1.0, 3.0, 0.5), (400.0, -400.0, 200.0));
    assert_eq!(rb_rev_only(1.0, 3.0, 1.0), (-800.0, 400.0));
    assert_eq!(rb_fwd1(1.0, 1.0, 3.0), (400.0, -800.0));
    assert_eq!(rb_fwd2(1.0, 3.0, 1.0), 400.0);
    assert_eq!(rb_fwd3(1.0, 1.0, 3.0, 1.0), (400.0, -400.0));
    let (mut out, mut dout) = (0.0, 1.0);
    assert_eq!(rb_inp_rev(1.0, 3.0, &mut out, &mut dout), (-800.0, 400.0));
    assert_eq!((out, dout), (400.0, 0.0));
    let (mut out, mut dout) = (0.0, 7.0);
    rb_inp_fwd(1.0, 1.0, 3.0, 1.0, &mut out, &mut dout);
    assert_eq!((out, dout), (400.0, -400.0));
}

#[autodiff_reverse(dwave, Duplicated, Const, Active)]
#[autodiff_reverse(dwave_const, Duplicated, Const, Const)]
#[autodiff_reverse(dwave_unsafe, DuplicatedOnly, Const, Active)]
#[autodiff_forward(wave_along, Dual, Const, Dual)]
fn wave(x: &[f64], phase: f64) -> f64 {
    x.iter().enumerate().map(|(at, x)| (x * at as f64 + phase).sin()).sum()
}

#[test]
fn shadows_of_slices_are_added_to() {
    let (x, phase) = ([0.5, 1.0, -2.0], 0.3);
    let mut dx = [1.0, 1.0, 1.0];
    let value = dwave(&x, &mut dx, phase, 2.0);
    assert_eq!(value, wave(&x, phase));
    for (at, dx) in dx.iter().enumerate() {
        let moved = |by: f64| {
            let mut x = x;
            x[at] += by;
            wave(&x, phase)
        };
        let difference = (moved(1e-6) - moved(-1e-6)) / 2e-6;
        assert!((dx - 1.0 - 2.0 * difference).abs() < 1e-8, "{dx} {difference}");
    }
    let _: unsafe fn(&'static [f64], &'static mut [f64], f64, f64) -> f64 = dwave_unsafe;
    let mut none = [0.0; 3];
    assert_eq!(dwave_const(&x, &mut none, phase), value);
    assert_eq!(none, [0.0; 3]);
    let (value_along, tangent) = wave_along(&x, &[1.0, 2.0, 3.0], phase);
    assert_eq!(value_along, value);
    let product: f64 = dx.iter().zip([1.0, 2.0, 3.0]).map(|(dx, along)| (dx - 1.0) / 2.0 * along).sum();
    assert!((tangent - product).abs() < 1e-12);
}

#[test]
#[should_panic(expected = "the length of the shadow `dx_0`")]
fn shadows_have_the_length_of_what_they_belong_to() {
    dwave(&[1.0, 2.0], &mut [0.0], 0.0, 1.0);
}

/// Both an input and an output.
#[autodiff_reverse(dscale, Duplicated, Duplicated, Const)]
#[autodiff_forward(scale_along, Dual, Dual, Const)]
fn scale(x: &[f64; 2], y: &mut [f64], n: usize) {
    for y in y.iter_mut().take(n) {
        *y *= x[0] * x[1];
    }
}

#[test]
fn what_is_changed_in_place_has_one_shadow_for_before_and_after() {
    let (x, mut y) = ([2.0, 3.0], [5.0, 7.0]);
    let (mut dx, mut dy) = ([0.5, 0.0], [1.0, 10.0]);
    dscale(&x, &mut dx, &mut y, &mut dy, 1);
    assert_eq!(y, [30.0, 7.0]);
    assert_eq!(dx, [0.5 + 15.0, 10.0]);
    assert_eq!(dy, [6.0, 10.0]);
    let (mut y, mut by) = ([5.0, 7.0], [1.0, 4.0]);
    scale_along(&x, &[1.0, 0.0], &mut y, &mut by, 1);
    assert_eq!((y, by), ([30.0, 7.0], [6.0 + 15.0, 4.0]));
}

#[derive(Clone, PartialEq, Debug)]
struct Layer {
    weights: Vec<f64>,
    bias: f64,
    width: usize,
}

#[autodiff_reverse(dlayer, Duplicated, Duplicated, Active)]
#[autodiff_forward(layer_along, Dual, Const, Dual)]
fn layer(layer: &Layer, rows: &[[f64; 2]]) -> f64 {
    let mut sum = 0.0;
    for row in rows {
        sum +=
            (layer.weights[0] * row[0] + layer.weights[1] * row[1] + layer.bias).tanh() * layer.width as f64;
    }
    sum
}

#[test]
fn structs_and_rows_have_shadows_of_their_own_types() {
    let at = Layer { weights: vec![0.5, -0.25], bias: 0.1, width: 3 };
    let rows = [[1.0, 2.0], [0.5, -1.0]];
    let mut dat = Layer { weights: vec![0.0; 2], bias: 0.0, width: 9 };
    let mut drows = [[0.0; 2]; 2];
    let value = dlayer(&at, &mut dat, &rows, &mut drows, 1.0);
    assert_eq!(value, layer(&at, &rows));
    assert_eq!(dat.width, 9);
    let along = Layer { weights: vec![1.0, -1.0], bias: 2.0, width: 0 };
    let moved = |by: f64| {
        let weights = at.weights.iter().zip(&along.weights).map(|(x, d)| x + by * d).collect();
        layer(&Layer { weights, bias: at.bias + by * along.bias, width: 3 }, &rows)
    };
    let difference = (moved(1e-6) - moved(-1e-6)) / 2e-6;
    let product = dat.weights[0] - dat.weights[1] + 2.0 * dat.bias;
    assert!((difference - product).abs() < 1e-8, "{difference} {product}");
    let (_, tangent) = layer_along(&at, &along, &rows);
    assert!((tangent - product).abs() < 1e-12, "{tangent} {product}");
    let mut other = rows;
    other[1][0] += 1e-6;
    let difference = (layer(&at, &other) - value) / 1e-6;
    assert!((difference - drows[1][0]).abs() < 1e-5);
}

#[autodiff_reverse(dnames, Active, Duplicated, Active)]
#[autodiff_forward(names_along, Dual, Dual, Dual)]
fn names(tangent: f64, value: &mut f64) -> f64 {
    *value *= tangent;
    tangent * tangent
}

#[test]
fn parameters_have_any_names() {
    let (mut value, mut dvalue) = (5.0, 1.0);
    assert_eq!(dnames(3.0, &mut value, &mut dvalue, 2.0), (9.0, 2.0 * 6.0 + 5.0));
    assert_eq!((value, dvalue), (15.0, 3.0));
    let (mut value, mut along) = (5.0, 2.0);
    assert_eq!(names_along(3.0, 1.0, &mut value, &mut along), (9.0, 6.0));
    assert_eq!((value, along), (15.0, 5.0 + 6.0));
}
