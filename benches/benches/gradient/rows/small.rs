//! The rows of functions of a few lines.

use std::hint::black_box;

use super::super::exported;
use super::super::hand;
use super::super::inputs::Numbers;
use super::super::measure::{Fallible, Gradient, GradientPlace, In, Kind, Program, Row, seen};
use super::super::objectives::small;
use super::super::peers::programs::{Rosenbrock, Sines, Total, Trace, Tree};
use super::super::peers::with_peers;
use super::{SMALL, valley, with_exported, with_gradient_alone, with_value};

fn small<const N: usize>(func: &str, active: [GradientPlace; N]) -> Fallible<Gradient> {
    Program::new("small.rs", SMALL)?.gradient(func, active)
}

pub(super) fn rosenbrock(name: &str, n: usize) -> Fallible<Row> {
    let x = valley(n);
    let mut dx = vec![0.0; n];
    let value = hand::small::rosenbrock(&x, &mut dx);
    let expected = with_value(value, &dx);
    let row = small("rosenbrock", [GradientPlace::floats(n)])?.row(
        (name, Kind::ScalarLoop),
        &[In::Floats(&x)],
        &expected,
        || seen(hand::small::rosenbrock(black_box(&x), black_box(&mut dx))),
        || seen(small::rosenbrock(black_box(&x))),
    )?;
    let run = |to: &mut [Vec<f64>]| {
        exported::rosenbrock::rosenbrock_value_and_gradient_into(black_box(&x), &mut to[0])
    };
    let row = with_exported(row, &expected, &[n], run, |value| vec![value])?;
    let row = with_gradient_alone(row, &expected, &[n], |to| {
        exported::rosenbrock_gradient::rosenbrock_gradient(black_box(&x), &mut to[0]);
    })?;
    with_peers(row, &Rosenbrock, &x, &expected)
}

pub(super) fn windows(name: &str) -> Fallible<Row> {
    let x = valley(1_000);
    let mut dx = vec![0.0; x.len()];
    let value = hand::small::rosenbrock(&x, &mut dx);
    let expected = with_value(value, &dx);
    let row = small("windows", [GradientPlace::floats(x.len())])?.row(
        (name, Kind::ScalarLoop),
        &[In::Floats(&x)],
        &expected,
        || seen(hand::small::rosenbrock(black_box(&x), black_box(&mut dx))),
        || seen(small::windows(black_box(&x))),
    )?;
    let run =
        |to: &mut [Vec<f64>]| exported::windows::windows_value_and_gradient_into(black_box(&x), &mut to[0]);
    let row = with_exported(row, &expected, &[x.len()], run, |value| vec![value])?;
    with_gradient_alone(row, &expected, &[x.len()], |to| {
        exported::windows_gradient::windows_gradient(black_box(&x), &mut to[0]);
    })
}

pub(super) fn path(name: &str) -> Fallible<Row> {
    let x = Numbers::new(5).between(-1.0, 1.0, 3_000);
    let mut dx = vec![0.0; x.len()];
    let value = hand::small::path(&x, &mut dx);
    let expected = with_value(value, &dx);
    let row = small("path", [GradientPlace::floats(x.len())])?.row(
        (name, Kind::ScalarLoop),
        &[In::Floats(&x)],
        &expected,
        || seen(hand::small::path(black_box(&x), black_box(&mut dx))),
        || seen(small::path(black_box(&x))),
    )?;
    let run = |to: &mut [Vec<f64>]| exported::path::path_value_and_gradient_into(black_box(&x), &mut to[0]);
    with_exported(row, &expected, &[x.len()], run, |value| vec![value])
}

pub(super) fn sines(name: &str) -> Fallible<Row> {
    let (x, n) = (0.3, 1_000_000_usize);
    let mut tape = Vec::new();
    let (value, dx) = hand::small::sines(x, n, &mut tape);
    let row = small("sines", [GradientPlace::Float(0.0)])?.row(
        (name, Kind::ScalarLoop),
        &[In::Float(x), In::Count(n)],
        &[value, dx],
        || seen(hand::small::sines(black_box(x), n, &mut tape)),
        || seen(small::sines(black_box(x), n)),
    )?;
    let mut workspace = exported::sines::Workspace::default();
    let run =
        |_: &mut [Vec<f64>]| exported::sines::sines_value_and_gradient_into(black_box(x), n, &mut workspace);
    let row = with_exported(row, &[value, dx], &[], run, |(value, dx)| vec![value, dx])?;
    with_peers(row, &Sines(n), &[x], &[value, dx])
}

pub(super) fn total(name: &str) -> Fallible<Row> {
    let x: Vec<f64> = (0..1000).map(f64::from).collect();
    let mut dx = vec![0.0; x.len()];
    let value = hand::small::total(&x, &mut dx);
    let expected = with_value(value, &dx);
    let row = small("total", [GradientPlace::floats(x.len())])?.row(
        (name, Kind::ScalarLoop),
        &[In::Floats(&x)],
        &expected,
        || seen(hand::small::total(black_box(&x), black_box(&mut dx))),
        || seen(small::total(black_box(&x))),
    )?;
    let run = |to: &mut [Vec<f64>]| exported::total::total_value_and_gradient_into(black_box(&x), &mut to[0]);
    let row = with_exported(row, &expected, &[x.len()], run, |value| vec![value])?;
    with_peers(row, &Total, &x, &expected)
}

pub(super) fn trace(name: &str, n: usize) -> Fallible<Row> {
    let mut numbers = Numbers::new(3);
    let (a, b) = (numbers.between(-1.0, 1.0, n * n), numbers.between(-1.0, 1.0, n * n));
    let (mut da, mut db) = (vec![0.0; n * n], vec![0.0; n * n]);
    let value = hand::small::trace(&a, &b, n, &mut da, &mut db);
    let expected = with_value(value, &[&da[..], &db].concat());
    let row = small("trace", [GradientPlace::floats(n * n), GradientPlace::floats(n * n)])?.row(
        (name, Kind::Program),
        &[In::Floats(&a), In::Floats(&b), In::Count(n)],
        &expected,
        || seen(hand::small::trace(black_box(&a), black_box(&b), n, &mut da, &mut db)),
        || seen(small::trace(black_box(&a), black_box(&b), n)),
    )?;
    let run = |to: &mut [Vec<f64>]| {
        let [da, db] = to else { return f64::NAN };
        exported::trace::trace_value_and_gradient_into(black_box(&a), black_box(&b), n, da, db)
    };
    let row = with_exported(row, &expected, &[n * n; 2], run, |value| vec![value])?;
    with_peers(row, &Trace(n), &[a, b].concat(), &expected)
}

pub(super) fn tree(name: &str) -> Fallible<Row> {
    let (x, depth) = (0.3, 12_usize);
    let (value, dx) = hand::small::tree(x, depth);
    let row = small("tree", [GradientPlace::Float(0.0)])?.row(
        (name, Kind::Program),
        &[In::Float(x), In::Count(depth)],
        &[value, dx],
        || seen(hand::small::tree(black_box(x), depth)),
        || seen(small::tree(black_box(x), depth)),
    )?;
    let run = |_: &mut [Vec<f64>]| exported::tree::tree_value_and_gradient_into(black_box(x), depth);
    let row = with_exported(row, &[value, dx], &[], run, |(value, dx)| vec![value, dx])?;
    with_peers(row, &Tree(depth), &[x], &[value, dx])
}
