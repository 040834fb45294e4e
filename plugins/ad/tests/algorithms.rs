//! Algorithms as people write them, in place and by parts: mode against mode, and against differences.

use overdub_ad::check::{TOLERANCE, check_point};
use overdub_context::value::{IntoValue, Value};
use overdub_lower::Loaded;
use overdub_lower::api::Target;

/// Checks the derivatives of the function `f` of a program at these arguments, in every mode.
fn check(source: &str, args: Vec<Value<'static>>) {
    let loaded = Loaded::from_source("algorithms.rs", source).unwrap_or_else(|error| panic!("{error}"));
    let function = loaded.function("f").unwrap_or_else(|error| panic!("{error}"));
    let target = Target::new(function.into(), Vec::new());
    let found = check_point(&loaded.engine(), &target, args, TOLERANCE);
    let tally = found.unwrap_or_else(|complaint| panic!("{complaint}\n{source}"));
    assert!(tally.agreed > 0, "nothing was compared in {source}");
}

#[test]
fn a_matrix_is_factored_in_place_with_its_rows_swapped() {
    let source = "
fn factor(a: &mut Vec<Vec<f64>>) -> f64 {
    let (n, mut sign) = (a.len(), 1.0);
    for k in 0..n {
        let mut pivot = k;
        for i in (k + 1)..n {
            if a[i][k].abs() > a[pivot][k].abs() { pivot = i; }
        }
        if pivot != k { a.swap(pivot, k); sign = -sign; }
        for i in (k + 1)..n {
            let f = a[i][k] / a[k][k];
            a[i][k] = f;
            let (top, bottom) = a.split_at_mut(i);
            for (x, y) in bottom[0][k + 1..].iter_mut().zip(top[k][k + 1..].iter()) { *x -= f * *y; }
        }
    }
    sign
}
pub fn f(a: Vec<Vec<f64>>) -> f64 {
    let mut a = a;
    let sign = factor(&mut a);
    (0..a.len()).fold(sign, |product, i| product * a[i][i])
}";
    let rows = vec![vec![0.3, -1.5, 2.0], vec![2.0, 1.0, 0.5], vec![1.1, 0.7, 3.0]];
    check(source, vec![rows.into_value()]);
}

#[test]
fn what_was_left_of_a_row_is_read_before_it_is_whole_again() {
    let source = "
pub fn f(a: Vec<Vec<f64>>, x: f64) -> f64 {
    let mut a = a;
    for i in 1..a.len() {
        let row = std::mem::take(&mut a[i]);
        let above = a[i - 1][0];
        a[i] = row.iter().map(|y| y * above + x).collect();
    }
    a.iter().flatten().map(|y| y.sin()).sum()
}";
    check(source, vec![vec![vec![0.3, -1.5], vec![2.0, 1.0], vec![1.1, 0.7]].into_value(), 0.4.into()]);
}

#[test]
fn what_flattened_iterators_keep_stays_what_it_is() {
    let pairs = "
pub fn f(x: [f64; 4], k: f64) -> f64 {
    let pairs = x.iter().enumerate().flat_map(|(i, a)| x[..i].iter().map(move |b| (k * a * b).sin()));
    let grid = [[x[0], x[1]], [x[2], x[3]]];
    pairs.sum::<f64>() * grid.iter().flatten().map(|v| v * v).sum::<f64>()
}";
    check(pairs, vec![[0.1, 0.5, 0.9, 1.7].into_value(), 0.8.into()]);
    let runs = "
pub fn f(x: Vec<f64>) -> f64 {
    let (up, down): (Vec<f64>, Vec<f64>) = x.iter().partition(|v| **v > 0.0);
    let mut next = x.iter().copied().peekable();
    let mut runs = vec![];
    while let Some(v) = next.next() {
        let mut sum = v;
        while let Some(n) = next.next_if(|n| *n > v) { sum += n * v; }
        runs.push(sum);
    }
    let all: f64 = runs.iter().flat_map(|r| [r.sin(), *r]).take_while(|v| *v < 10.0).sum();
    all + up.iter().chain(&down).cycle().take(7).step_by(2).product::<f64>()
}";
    check(runs, vec![vec![1.2, -0.5, 2.2, 0.3, -1.1, 0.9].into_value()]);
}
