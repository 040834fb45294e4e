//! Arrays that each element has for itself, in lanes: values, results and gradients are those of elements one by one, to the bit.

use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_spmd::{Column, LoadedMap, MapError};

use super::executors::engines;

const SOURCE: &str = "
pub fn window(x: f64, n: usize) -> f64 {
    let mut last = vec![0.0; n];
    let mut at = 0;
    let mut y = x;
    for k in 0..3 * n {
        last[at] = y;
        at = if at + 1 == n { 0 } else { at + 1 };
        let mut sum = 0.0;
        for i in 0..n { sum += last[i]; }
        y = (sum * 0.3 + k as f64 * 0.01).sin();
    }
    y + last[n / 2]
}
pub fn sorted(x: f64, n: usize) -> f64 {
    let mut v = [x, x * x, 1.0 - x, (3.0 * x).sin()];
    let mut swapped = true;
    while swapped {
        swapped = false;
        for i in 0..3 { if v[i] > v[i + 1] { let t = v[i]; v[i] = v[i + 1]; v[i + 1] = t; swapped = true; } }
    }
    v[n % 4] - 2.0 * v[(n + 1) % 4]
}
pub fn flags(x: f64, n: usize) -> f64 {
    let mut seen = vec![false; n + 1];
    let mut at = 0;
    let mut rounds = 0.0;
    while !seen[at] {
        seen[at] = true;
        at = (at * 5 + (x * 10.0).abs() as usize + 1) % (n + 1);
        rounds += 1.0;
    }
    rounds * x
}
pub fn again(x: f64, n: usize) -> f64 {
    let mut total = 0.0;
    for k in 0..n {
        let mut part = vec![x; k % 3 + 1];
        for i in 0..part.len() { part[i] *= (i + k) as f64; }
        if x > 0.5 { part[0] += 1.0; }
        total += part[part.len() - 1] * part[0];
    }
    total
}
pub fn beyond(x: f64, n: usize) -> f64 {
    let v = vec![x; n];
    let mut w = vec![0.0; 7];
    for i in 0..n { w[i] = v[i] * v[0]; }
    w[0] + w[3]
}
pub fn powers(x: f64, n: usize) -> Vec<f64> {
    let mut all = vec![1.0; n];
    for i in 1..n { all[i] = all[i - 1] * x; }
    all
}
pub fn copied(x: f64, n: usize) -> f64 {
    let a = vec![x; n];
    let mut b = a.clone();
    for i in 0..n { b[i] += i as f64; }
    let mut pair = (a, b);
    let first = pair.0.clone();
    pair.0[0] = 7.0;
    first[0] + pair.0[0] * pair.1[n - 1]
}
pub fn scaled(xs: &[f64], mut scales: Vec<f64>, k: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..xs.len().min(scales.len()) {
        scales[i] *= k;
        if xs[i] > 0.0 { sum += (xs[i] * scales[i]).sin(); } else { sum -= scales[0]; }
    }
    sum
}
pub fn polynomial(x: f64, weights: &[f64]) -> f64 {
    let mut y = 0.0;
    for w in weights { y = y * x + w; }
    y.tanh()
}
pub fn picked(x: f64, weights: &[f64]) -> f64 {
    let at = (x.abs() * 3.0) as usize % weights.len();
    let mut y = weights[at] * x;
    while y.abs() > 0.5 { y *= weights[0].sin() * 0.5; }
    y
}
";

const LEN: usize = 300;

fn xs() -> Column {
    Column::floats((0..LEN).map(|at| ((at * 7919) % LEN) as f64 / 100.0 - 1.3))
}

fn text<T: std::fmt::Debug>(found: &Result<T, MapError<overdub_context::Failure>>) -> String {
    match found {
        Ok(found) => format!("{found:?}"),
        Err(error) => error.to_string(),
    }
}

/// Compares what elements give in lanes with what they give one by one, on every executor; lanes have to run them.
fn compare(name: &str, columns: &[Column], runs_in_lanes: [bool; 2]) {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    for (executor, engine) in engines(|| loaded.engine_builder()) {
        let function = loaded.function(name).expect("it is there");
        let of = |lanes: Option<usize>| {
            let map = LoadedMap::new(&engine, &function).expect("it is mapped").loops_from(1);
            let map = lanes.map_or(map.clone(), |lanes| map.lanes(lanes));
            map.over(columns.to_vec()).expect("they fit")
        };
        let (one_by_one, in_lanes) = (of(None), of(Some(64)));
        let checked = [in_lanes.check_lanes(), in_lanes.check_lanes_of_gradients()];
        assert_eq!(
            checked.clone().map(|lanes| lanes.is_ok()),
            runs_in_lanes,
            "{executor} {name}: {checked:?}"
        );
        for lanes in [64, 5] {
            let in_lanes = of(Some(lanes));
            assert_eq!(text(&in_lanes.values()), text(&one_by_one.values()), "{executor} {name}");
            let gradients = in_lanes.values_and_gradients();
            assert_eq!(text(&gradients), text(&one_by_one.values_and_gradients()), "{executor} {name}");
            assert_eq!(
                text(&in_lanes.sum_and_gradient()),
                text(&one_by_one.sum_and_gradient()),
                "{executor} {name}"
            );
        }
    }
}

fn counts() -> Column {
    Column::Each((0..LEN).map(|at| Value::from(1 + at * 5 % 6)).collect())
}

#[test]
fn arrays_that_loops_write() {
    compare("window", &[xs(), counts()], [true, true]);
    compare("again", &[xs(), counts()], [true, true]);
    compare("flags", &[xs(), counts()], [true, true]);
}

#[test]
fn arrays_of_few_numbers() {
    compare("sorted", &[xs(), counts()], [true, true]);
}

#[test]
fn arrays_that_are_arguments_of_each_element() {
    let lists = |factor: f64| {
        let list = |at: usize| {
            Value::floats(
                (0..at * 3 % 8).map(|k| (at * 5 + k) as f64 * factor).map(f64::sin).collect::<Vec<_>>(),
            )
        };
        Column::Each((0..LEN).map(list).collect())
    };
    // Its derivative adds whole arrays, which lanes do not.
    compare("scaled", &[lists(0.3), lists(1.7), xs()], [true, false]);
    let weights = (0..LEN).map(|at| Value::floats(vec![0.5; at % 4]));
    compare("polynomial", &[xs(), Column::Each(weights.collect())], [true, true]);
}

#[test]
fn an_element_out_of_bounds_has_its_own_error() {
    let lens =
        Column::Each((0..LEN).map(|at| Value::from(if at == 170 { 9_usize } else { 1 + at % 7 })).collect());
    compare("beyond", &[xs(), lens], [true, true]);
}

#[test]
fn arrays_with_copies_run_one_by_one() {
    compare("copied", &[xs(), counts()], [false, false]);
}

#[test]
fn long_arrays_run_one_by_one() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    let (engine, function) = (loaded.engine(), loaded.function("powers").expect("it is there"));
    let map = LoadedMap::new(&engine, &function).expect("it is mapped").loops_from(1);
    let lens = Column::Each([3, 20_000, 1].map(Value::from as fn(usize) -> Value<'static>).to_vec());
    let of =
        |map: LoadedMap| map.over(vec![Column::floats([0.5, 0.9, 2.0]), lens.clone()]).expect("they fit");
    assert_eq!(text(&of(map.clone().lanes(64)).values()), text(&of(map).values()));
}

#[test]
fn arrays_that_are_returned() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    for (executor, engine) in engines(|| loaded.engine_builder()) {
        let function = loaded.function("powers").expect("it is there");
        let map = LoadedMap::new(&engine, &function).expect("it is mapped").loops_from(1);
        let of = |map: LoadedMap| map.over(vec![xs(), counts()]).expect("they fit");
        let in_lanes = of(map.clone().lanes(64));
        assert_eq!(in_lanes.check_lanes(), Ok(()), "{executor}");
        assert_eq!(text(&in_lanes.values()), text(&of(map).values()), "{executor}");
    }
}

#[test]
fn derivatives_with_respect_to_lists_that_all_read() {
    let weights =
        |len: usize| Column::Fixed(Value::floats((0..len).map(|at| (at as f64).cos()).collect::<Vec<_>>()));
    for len in [1, 4, 20] {
        compare("polynomial", &[xs(), weights(len)], [true, true]);
        compare("picked", &[xs(), weights(len)], [true, true]);
    }
    compare("polynomial", &[xs(), weights(0)], [true, true]);
}
