//! Derivatives have the shapes of their values, whatever those are.

use overdub::ad::{
    derivative, gradient, hessian, jacobian, jvp, linearize, prepare, value_and_gradient, vjp,
};
use overdub::closures::dub;
use overdub::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[dub]
fn of_rows(rows: &[Vec<f64>], pairs: Vec<(f64, usize)>) -> f64 {
    let mut sum = 0.0;
    for (row, (weight, at)) in rows.iter().zip(&pairs) {
        sum += weight * row[*at];
    }
    sum
}

#[test]
fn arrays_of_arrays_and_of_tuples() -> Outcome {
    let rows = [vec![1.0, 2.0], vec![], vec![3.0]];
    let pairs = vec![(10.0, 1), (20.0, 0), (30.0, 0)];
    assert!(gradient(of_rows, (&rows[..], pairs)).is_err(), "where the function panics");
    let (drows, dpairs) = gradient(of_rows, (&rows[..1], vec![(10.0, 1)]))?;
    assert_eq!((drows, dpairs), (vec![vec![0.0, 10.0]], vec![(2.0, ())]));
    let (drows, dpairs) = gradient(of_rows, (&rows[1..2], vec![]))?;
    assert_eq!((drows, dpairs), (vec![vec![]], vec![]), "nothing has a derivative of nothing");
    Ok(())
}

#[dub]
fn single(x: f32, ys: &[f32]) -> f32 {
    ys.iter().map(|y| x * y).sum::<f32>()
}

#[dub]
fn mixed_precision(x: f32, y: f64) -> f64 {
    f64::from(x * x) * y
}

#[test]
fn single_precision_stays_single() -> Outcome {
    let (dx, dys): (f32, Vec<f32>) = gradient(single, (2.0, &[3.0, 4.0][..]))?;
    assert_eq!((dx, dys), (7.0, vec![2.0, 2.0]));
    assert_eq!(gradient(mixed_precision, (3.0, 0.5))?, (3.0_f32, 9.0_f64));
    assert_eq!(jvp(single, (2.0, &[3.0, 4.0][..]), (1.0_f32, &[0.0_f32, 1.0][..]))?, (14.0, 9.0));
    let (_, pullback) = overdub(Reverse, single, (2.0, &[3.0][..]))?;
    assert_eq!(pullback.call(0.5)?, (1.5, vec![1.0]));
    Ok(())
}

#[dub]
fn chosen(x: Option<f64>, otherwise: Result<f64, i32>) -> f64 {
    match (x, otherwise) {
        (Some(x), Ok(y)) => x * y,
        (Some(x), Err(code)) => x * f64::from(code),
        (None, Ok(y)) => y * y,
        (None, Err(_)) => 0.0,
    }
}

#[dub]
fn maybe(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x * x) } else { None }
}

#[test]
fn options_and_results_by_what_is_in_them() -> Outcome {
    assert_eq!(gradient(chosen, (Some(2.0), Ok(3.0)))?, (Some(3.0), Ok(2.0)));
    assert_eq!(gradient(chosen, (Some(2.0), Err(7)))?, (Some(7.0), Err(())));
    assert_eq!(gradient(chosen, (None, Ok(3.0)))?, (None, Ok(6.0)));
    assert_eq!(gradient(maybe, (3.0,))?, (6.0,));
    assert_eq!(vjp(maybe, (3.0,), Some(2.0))?, (Some(9.0), (12.0,)));
    assert!(vjp(maybe, (3.0,), None).is_err(), "a cotangent of another shape");
    Ok(())
}

#[derive(Clone, PartialEq, Debug, Dub)]
struct State<T> {
    name: String,
    at: T,
    speed: [f64; 2],
    flags: Vec<bool>,
}

#[derive(Clone, PartialEq, Debug, Dub)]
enum Shape {
    Point,
    Circle(f64),
    Rect { w: f64, h: f64, id: u8 },
}

#[dub]
fn moved(state: &State<f64>, dt: f64) -> State<f64> {
    let mut next = state.clone();
    next.at += dt * state.speed[0];
    next.speed[1] *= state.at;
    next
}

#[dub]
fn step_in_place(state: &mut State<f64>, dt: f64) -> f64 {
    let before = state.at;
    state.at += dt * state.speed[0];
    before * state.at
}

#[dub]
fn area(shapes: &[Shape]) -> f64 {
    let each = shapes.iter().map(|shape| match shape {
        Shape::Point => 0.0,
        Shape::Circle(r) => r * r,
        Shape::Rect { w, h, .. } => w * h,
    });
    each.sum::<f64>()
}

fn state() -> State<f64> {
    State { name: "s".to_owned(), at: 2.0, speed: [3.0, 5.0], flags: vec![true] }
}

#[test]
fn structs_and_enums_are_of_their_own_type() -> Outcome {
    let cotangent = State { at: 1.0, speed: [0.0, 10.0], ..state() };
    let (next, (dstate, ddt)) = vjp(moved, (&state(), 0.5), cotangent)?;
    assert_eq!(next, moved(&state(), 0.5));
    assert_eq!(dstate, State { at: 1.0 + 50.0, speed: [0.5, 20.0], ..state() });
    assert_eq!(ddt, 3.0);

    let (_, dnext) = jvp(moved, (&state(), 0.5), (&State { at: 1.0, speed: [0.0, 0.0], ..state() }, 2.0))?;
    assert_eq!(dnext, State { at: 1.0 + 6.0, speed: [0.0, 5.0], ..state() });

    let shapes = [Shape::Rect { w: 2.0, h: 3.0, id: 7 }, Shape::Point, Shape::Circle(4.0)];
    let (dshapes,) = gradient(area, (&shapes[..],))?;
    assert_eq!(dshapes, [Shape::Rect { w: 3.0, h: 2.0, id: 7 }, Shape::Point, Shape::Circle(8.0)]);
    Ok(())
}

#[test]
fn a_struct_behind_a_mutable_reference_is_differentiated_as_it_was_and_comes_home_as_it_is() -> Outcome {
    let mut mine = state();
    let (y, (dstate, ddt)) = value_and_gradient(step_in_place, (&mut mine, 0.5))?;
    assert_eq!((y, mine.at), (7.0, 3.5));
    assert_eq!(dstate, State { at: 3.5 + 2.0, speed: [1.0, 0.0], ..state() });
    assert_eq!(ddt, 6.0);
    Ok(())
}

#[dub]
fn constant() -> f64 {
    4.5
}

#[dub]
fn unused(x: f64, _y: &[f64], _name: &str) -> f64 {
    x
}

#[dub]
fn nothing_active(n: i32) -> f64 {
    f64::from(n).sqrt()
}

#[test]
fn what_does_not_matter_has_a_derivative_of_zero() -> Outcome {
    assert_eq!(value_and_gradient(constant, ())?, (4.5, ()));
    assert_eq!(gradient(unused, (1.0, &[1.0, 2.0][..], "x"))?, (1.0, vec![0.0, 0.0], ()));
    assert_eq!(value_and_gradient(nothing_active, (9,))?, (3.0, ((),)));
    assert_eq!(jacobian(nothing_active, (9,))?.dim(), (1, 0));
    assert_eq!(hessian(constant, ())?.dim(), (0, 0));
    assert_eq!(derivative(dub!(|_x: f64| 1.0), 3.0)?, 0.0);
    Ok(())
}

#[test]
fn closures_with_captured_arrays_and_closures() -> Outcome {
    let table = vec![1.0, 10.0, 100.0];
    let lookup = dub!(|x: f64, at: usize| table[at] * x * x);
    assert_eq!(gradient(lookup.clone(), (3.0, 1))?, (60.0, ()));
    assert_eq!(jvp(lookup.clone(), (3.0, 2), (1.0, ()))?, (900.0, 600.0));
    assert_eq!(linearize(lookup.clone(), (3.0, 0))?.1.call((2.0, ()))?, 12.0);
    assert_eq!(prepare(lookup).gradient((3.0, 2))?, (600.0, ()));
    Ok(())
}
