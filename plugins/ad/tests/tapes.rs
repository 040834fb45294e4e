//! Only what the reverse sweep needs is recorded: reports of bytes, and derivatives against differences.

use overdub_ad::GradientRoute;
use overdub_ad::check::{TOLERANCE, check_point};
use overdub_context::value::{IntoValue, Value};
use overdub_lower::Loaded;
use overdub_lower::api::Target;

/// The number of bytes that the gradient of `f` records; checks the gradient.
fn kept(source: &str, args: Vec<Value<'static>>) -> usize {
    let loaded = Loaded::from_source("tapes.rs", source).unwrap_or_else(|error| panic!("{error}"));
    let function = loaded.function("f").unwrap_or_else(|error| panic!("{error}"));
    let engine = loaded.engine();
    let route = GradientRoute::new(&engine, function.symbol, function.ir_ret, &|_| true);
    let report = route.tape_report(args.clone()).unwrap_or_else(|failure| panic!("{failure}"));
    let target = Target::new(function.into(), Vec::new());
    let found = check_point(&engine, &target, args, TOLERANCE);
    let tally = found.unwrap_or_else(|complaint| panic!("{complaint}\n{source}"));
    assert!(tally.agreed > 0, "nothing was compared in {source}");
    report.bytes
}

fn numbers(count: usize) -> Vec<f64> {
    (0..count).map(|k| 0.3 + 0.1 * (k % 7) as f64).collect()
}

#[test]
fn an_index_that_goes_along_with_a_counter_is_kept_once_for_each_loop() {
    // The entries of a triangle, one after the other.
    let source = "
pub fn f(t: &[f64], x: &[f64]) -> f64 {
    let (mut at, mut sum) = (0, 0.0);
    for i in 0..x.len() {
        for k in i..x.len() {
            sum += t[at] * x[i] * x[k];
            at += 1;
        }
    }
    sum
}";
    let bytes = |n: usize| kept(source, vec![numbers(n * (n + 1) / 2).into_value(), numbers(n).into_value()]);
    // A number for each iteration of the outer loop, none for the 136 of the inner one.
    assert!(bytes(16) <= 16 * 16, "{} bytes", bytes(16));
}

#[test]
fn indices_with_steps_of_their_own_are_computed_again() {
    for (step, bytes_at_most) in [("at += 3", 0), ("at -= 2", 0)] {
        let source = format!(
            "
pub fn f(x: &[f64], n: usize) -> f64 {{
    let (mut at, mut sum) = (30, 0.0);
    for k in 0..n {{
        sum += x[at] * x[k];
        {step};
    }}
    sum
}}"
        );
        let bytes = kept(&source, vec![numbers(64).into_value(), 11_usize.into_value()]);
        assert!(bytes <= bytes_at_most, "{bytes} bytes where {step}");
    }
}

#[test]
fn a_counter_is_known_where_rounds_end_in_several_ways() {
    let source = "
pub fn f(x: &[f64]) -> f64 {
    let mut largest = x[0];
    for v in x {
        if *v > largest { largest = *v; }
    }
    largest * largest
}";
    // The path taken in each iteration, in eight bytes at most.
    let bytes = kept(source, vec![numbers(40).into_value()]);
    assert!(bytes <= 40 * 8, "{bytes} bytes");
}

#[test]
fn what_falls_with_a_falling_counter_is_computed_again() {
    let source = "
pub fn f(x: &[f64]) -> f64 {
    let (mut i, mut k, mut sum) = (x.len(), 2 * x.len(), 0.0);
    while i > 0 {
        i -= 1;
        k -= 1;
        sum += x[i] * x[k - x.len()] * x[i];
    }
    sum
}";
    let bytes = kept(source, vec![numbers(12).into_value()]);
    assert!(bytes <= 16, "{bytes} bytes");
}

#[test]
fn a_checkpoint_in_a_loop_records_its_arguments_alone() {
    let source = "
fn wave(x: &[f64], k: f64, i: usize) -> f64 { (x[i] * k).sin().exp() * (x[i] + k).cos() }
pub fn f(x: &[f64], k: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += overdub::ad::checkpoint(|i: usize| wave(x, k, i), i);
    }
    sum
}";
    assert_eq!(kept(source, vec![numbers(20).into_value(), 0.4.into_value()]), 0);
}

#[test]
fn elements_of_windows_are_read_again() {
    let source = "
pub fn f(x: &[f64]) -> f64 {
    x.windows(2).map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2)).sum()
}";
    assert_eq!(kept(source, vec![numbers(40).into_value()]), 0);
}

#[test]
fn elements_of_rows_are_found_by_the_start_of_the_row() {
    // The start of a row is no linear function of its number.
    let source = "
pub fn f(x: &[f64], lens: &[usize]) -> f64 {
    let (mut start, mut total) = (0, 0.0);
    for len in lens {
        let row = &x[start..start + len];
        let mut sum = 0.0;
        for v in row { sum += v * v; }
        total += sum.sqrt();
        start += len;
    }
    total
}";
    let lens = |of: usize| vec![of, 2 * of, of].into_value();
    let bytes = |of: usize| kept(source, vec![numbers(4 * of).into_value(), lens(of)]);
    // Some numbers for each row, none for its elements.
    assert_eq!(bytes(5), bytes(20));
    assert!(bytes(5) <= 3 * 5 * 8, "{} bytes", bytes(5));
}

#[test]
fn what_both_loops_change_is_kept_where_it_changes() {
    // `scale` is a number of the outer loop, which its inner loop multiplies by numbers of its own.
    let source = "
pub fn f(x: &[f64]) -> f64 {
    let (mut scale, mut total) = (1.0, 0.0);
    for i in 0..x.len() {
        scale = (scale * x[i]).sin() + 1.0;
        for k in 0..i {
            let a = scale + x[k];
            total += (a * a).exp() * a;
        }
    }
    total
}";
    let bytes = |n: usize| kept(source, vec![numbers(n).into_value()]);
    // An exponential for each round of the inner loop, a few numbers for each of the outer one.
    let rounds = |n: usize| n * (n - 1) / 2;
    assert!(bytes(20) <= 8 * rounds(20) + 5 * 8 * 20, "{} bytes", bytes(20));
}

#[test]
fn elements_of_chunks_are_read_again_though_the_last_one_may_be_shorter() {
    let source = "pub fn f(x: &[f64]) -> f64 { x.chunks(3).map(|c| c[0] * c[1] - c[2].sin()).sum() }";
    // The start of each chunk.
    let bytes = kept(source, vec![numbers(30).into_value()]);
    assert!(bytes <= 10 * 8, "{bytes} bytes");
}

#[test]
fn what_several_values_of_a_round_are_cheap_to_compute_from_is_kept_in_place_of_them() {
    let source = "
pub fn f(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = 0.3 / (y + 1.0) + 0.2 / (y * 2.0 + 3.0) + 0.1 / (0.5 * y + 2.0);
    }
    y
}";
    // `y`, rather than the three denominators.
    assert_eq!(kept(source, vec![0.3.into_value(), 50_usize.into_value()]), 50 * 8);
}

#[test]
fn what_the_branches_of_a_round_are_cheap_to_compute_from_is_kept_in_place_of_their_values() {
    let source = "
pub fn f(x: f64, n: usize) -> f64 {
    let mut y = x;
    for i in 0..n {
        if i % 2 == 0 {
            y = 0.3 / (y + 1.0) + 0.2 / (y * 2.0 + 3.0);
        } else {
            y = 0.3 / (y + 2.0) + 0.1 / (y * 0.5 + 2.0);
        }
        y += 0.2 / (y * 3.0 + 4.0);
    }
    y
}";
    // In each branch a number rather than two, and one behind them.
    assert_eq!(kept(source, vec![0.3.into_value(), 50_usize.into_value()]), 50 * 16);
}

#[test]
fn a_number_before_a_branch_is_kept_in_place_of_the_numbers_in_it_and_behind_it() {
    let source = "
pub fn f(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    let mut total = 0.0;
    for i in 1..a.len() {
        let v = a[i - 1];
        if i % 2 == 0 { total += (v + 1.0).ln(); }
        total += (v * 2.0).ln() + (3.0 - v).ln();
        a[i] = v * 0.5 + x[i];
    }
    total
}";
    // `v`, rather than two numbers in each round and a third one in every other.
    assert_eq!(kept(source, vec![numbers(41).into_value()]), 40 * 8);
}

#[test]
fn a_condition_is_kept_in_place_of_a_number_of_the_block_before() {
    let source = "
pub fn f(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        let z = (y * 3.0).sin();
        y = if z > 0.1 { z * z * 0.3 } else { z.exp() * 0.1 };
    }
    y
}";
    // Two numbers and a byte, rather than three numbers.
    assert_eq!(kept(source, vec![0.3.into_value(), 50_usize.into_value()]), 50 * 17);
}

#[test]
fn what_is_summed_in_one_inner_loop_is_kept_once_for_another() {
    let source = "
pub fn f(x: &[f64], n: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let mut sum = i as f64;
        for v in x { sum += v.exp(); }
        for v in x { total += v / sum; }
    }
    total
}";
    // An exponential of each round of the first inner loop, and a few numbers of each round of the outer one.
    let bytes = kept(source, vec![numbers(30).into_value(), 20_usize.into_value()]);
    assert!(bytes <= 20 * 30 * 8 + 20 * 16, "{bytes} bytes");
}

#[test]
fn a_path_without_derivatives_may_branch_off_to_one_that_has_some() {
    let x: Vec<f64> = (0..12).map(|i| 0.5 + 0.1 * f64::from(i)).collect();
    let k = vec![5_usize, 2, 7, 40, 1, 9, 3, 6, 0, 8, 1, 12];
    let index = "
pub fn f(x: &[f64], k: &[usize]) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for i in 0..k.len() {
        if k[i] > 1 {
            let u = ((k[i] * 7 % 11) * (k[i] % 5 + 1) + k[i] % 3) % 12;
            if u % 3 != 0 {
                if u % 3 == 1 { sum += x[u].sin(); } else { sum += x[u] * x[u]; }
                continue;
            }
        }
        count += k[i];
        if count % 2 == 1 { sum += x[i]; }
    }
    sum
}";
    let counter = "
pub fn f(x: &[f64], k: &[usize]) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    'outer: for i in 0..k.len() {
        let mut j = 0;
        loop {
            sum += x[j] * x[j + 1];
            j += 1;
            if j > k[i] % 4 { break; }
            if j * 3 > k[i] + 1 {
                if k[i] % 3 == 0 { sum += x[j] * x[j] * 3.0; continue 'outer; }
                break;
            }
        }
        count += k[i];
        if count % 7 == 100 { sum += 1.0; }
    }
    sum
}";
    for source in [index, counter] {
        kept(source, vec![x.clone().into_value(), k.clone().into_value()]);
    }
}
