//! Parallel iterators (`rayon`), by the crate itself: what does not depend on the order in which threads run.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

pub fn parallel_elements() -> String {
    let v: Vec<f64> = (0..40usize).into_par_iter().map(|k| k as f64 / 2.0).collect();
    let pairs: Vec<f64> = v.par_iter().zip(v.par_iter().rev()).map(|(a, b)| a * b).collect();
    let third = v.par_iter().enumerate().filter(|(at, _)| at % 3 == 0).count();
    let words: Vec<usize> = "a bb ccc".par_split_whitespace().map(str::len).collect();
    let lengths: BTreeMap<usize, String> = words.par_iter().map(|n| (*n, "x".repeat(*n))).collect();
    let (even, odd): (Vec<i32>, Vec<i32>) = (0..10).into_par_iter().partition(|k| k % 2 == 0);
    let (p, q): (Vec<i32>, Vec<i32>) = even.par_iter().zip(&odd).map(|(a, b)| (a * b, a - b)).unzip();
    let nested: Vec<usize> =
        (0..5usize).into_par_iter().flat_map(|k| (0..k).into_par_iter().map(move |j| j * k)).collect();
    let pieces: Vec<Vec<i32>> = (0..10).into_par_iter().chunks(4).collect();
    let joined: Vec<i32> = (0..3).into_par_iter().chain(7..9).step_by(2).skip(1).take(1).collect();
    format!("{pairs:?} {third} {lengths:?} {p:?} {q:?} {nested:?} {pieces:?} {joined:?}")
}

pub fn parallel_results() -> String {
    let v: Vec<i64> = (0..100).into_par_iter().map(|k| (k * 37) % 101).collect();
    let sum: i64 = v.par_iter().sum();
    let product: i64 = v[1..5].par_iter().product();
    let largest = v.par_iter().copied().reduce(|| i64::MIN, i64::max);
    let folded: i64 = v.par_iter().fold(|| 0, |sum, k| sum + k * k).sum();
    let tried = v.par_iter().map(|k| if *k < 101 { Some(*k) } else { None }).try_reduce(|| 0, |a, b| Some(a + b));
    let failed: Result<Vec<i64>, String> =
        v.par_iter().map(|k| if *k == 37 { Err(format!("no {k}")) } else { Ok(*k) }).collect();
    let firsts = (v.par_iter().find_first(|k| **k > 90), v.par_iter().position_first(|k| *k == 5));
    let lasts = (v.par_iter().find_last(|k| **k > 90), v.par_iter().max_by_key(|k| **k % 10));
    let both = (v.par_iter().any(|k| *k == 3), v.par_iter().all(|k| *k < 50), v.par_iter().len());
    let first_large = v.par_iter().find_map_first(|k| (*k > 80).then(|| k * 2));
    let checked = v.par_iter().try_for_each(|k| if *k < 1000 { Ok(()) } else { Err(*k) });
    let hashed: HashMap<i64, i64> = v.par_iter().map(|k| (k % 3, *k)).collect();
    let bridged: i64 = (0..20_i64).par_bridge().map(|k| k * k).sum();
    format!(
        "{sum} {product} {largest} {folded} {tried:?} {failed:?} {firsts:?} {lasts:?} {both:?} {first_large:?} {checked:?} {} {bridged}",
        hashed.len()
    )
}

pub fn parallel_changes() -> String {
    let mut v = vec![1.5; 10];
    v.par_iter_mut().enumerate().for_each(|(at, y)| *y *= at as f64);
    v.par_chunks_mut(3).for_each(|piece| piece[0] += 0.25);
    v.par_sort_by(|a, b| b.total_cmp(a));
    let mut texts = vec!["b", "c", "a"];
    texts.par_sort_unstable();
    let windows: Vec<f64> = v.par_windows(2).map(|pair| pair[0] - pair[1]).collect();
    let (a, b) = rayon::join(|| v[0] * v[1], || v[2] - 1.0);
    let mut slots = [0; 3];
    rayon::scope(|scope| {
        for (at, slot) in slots.iter_mut().enumerate() {
            scope.spawn(move |_| *slot = at * at);
        }
    });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let installed = pool.install(|| (1..=10u32).into_par_iter().map(u64::from).product::<u64>());
    let counts = pool.install(|| (rayon::current_num_threads(), pool.join(rayon::current_num_threads, || 7)));
    let mut out = Vec::new();
    v.par_iter().map(|y| y * 2.0).collect_into_vec(&mut out);
    let mut grown = vec![0.5];
    grown.par_extend(v.par_chunks(4).map(|piece| piece.len() as f64));
    let drained: Vec<f64> = grown.par_drain(1..).collect();
    format!("{v:?} {texts:?} {windows:?} {a} {b} {slots:?} {installed} {} {counts:?} {out:?} {grown:?} {drained:?}", pool.current_num_threads())
}
