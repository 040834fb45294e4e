//! Annotated functions run as Rust runs them.

use overdub::prelude::*;

use std::f64::consts::PI;

#[dub]
fn f(a: f64, b: f64) -> f64 {
    a / (a + b * b)
}

#[dub]
fn circle(r: f64) -> f64 {
    PI * r * r + f(r, 1.0)
}

#[dub]
fn total(xs: &[f64]) -> f64 {
    xs.iter().map(|x| x * x).sum()
}

#[dub]
fn bump(xs: &mut Vec<f64>, k: f64) -> usize {
    xs.push(k);
    xs.len()
}

#[dub]
fn twice<T: std::ops::Add<Output = T> + Copy>(x: T) -> T {
    x + x
}

#[test]
fn an_annotated_function_runs_by_its_name() {
    assert_eq!(run(f, (2.0, 3.0)).unwrap(), f(2.0, 3.0));
    assert_eq!(run(circle, (2.0,)).unwrap(), circle(2.0));
    let xs = [1.0, 2.0, 3.0];
    assert_eq!(run(total, (&xs[..],)).unwrap(), 14.0);
    let mut ys = vec![1.0];
    assert_eq!(run(bump, (&mut ys, 2.5)).unwrap(), 2);
    assert_eq!(ys, [1.0, 2.5]);
    assert_eq!(run(twice, (1.5,)).unwrap(), 3.0);
    assert_eq!(run(twice, (21,)).unwrap(), 42);
}

#[test]
fn functions_inside_of_functions_are_found() {
    #[dub]
    fn inner(x: f64) -> f64 {
        x.sin() + f(x, x)
    }
    #[dub]
    fn generic<T: Copy>(x: T) -> (T, T) {
        (x, x)
    }
    assert_eq!(run(inner, (0.5,)).unwrap(), inner(0.5));
    assert_eq!(run(generic, (0.5,)).unwrap(), (0.5, 0.5));
}

#[test]
fn the_standard_librarys_functions_run_too() {
    assert_eq!(run(f64::sin, (0.5,)).unwrap(), 0.5f64.sin());
}
