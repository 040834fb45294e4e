//! The gradient of a mapped sum is that of the sum as a program, and the same to the bit for every number of threads.

use overdub_ad::flatten::floats;
use overdub_context::engine::Engine;
use overdub_context::testing::cases;
use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_spmd::{Column, Derivative, LoadedMap};
use proptest::prelude::*;

use super::executors::{THREADS, engines};

/// Functions of a datum and of parameters, each with its sum over many data.
const SOURCE: &str = "
pub fn smooth(x: f64, k: f64, w: &[f64]) -> f64 { (k * x).sin() + w.iter().map(|w| w * x * x).sum::<f64>() }
pub fn branchy(x: f64, k: f64, w: &[f64]) -> f64 {
    let mut y = k;
    for w in w { if x > *w { y += x * w } else { y *= 1.0 + w / 8.0 } }
    y
}
pub fn recursive(x: f64, k: f64, w: &[f64]) -> f64 {
    match w.split_first() { Some((w, rest)) => w * recursive(x + k, k, rest).cos(), None => x * k }
}
pub fn total_of_smooth(xs: &[f64], k: f64, w: &[f64]) -> f64 { xs.iter().map(|x| smooth(*x, k, w)).sum() }
pub fn total_of_branchy(xs: &[f64], k: f64, w: &[f64]) -> f64 { xs.iter().map(|x| branchy(*x, k, w)).sum() }
pub fn total_of_recursive(xs: &[f64], k: f64, w: &[f64]) -> f64 { xs.iter().map(|x| recursive(*x, k, w)).sum() }
";

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.iter().map(|x| x.to_bits()).eq(b.iter().map(|x| x.to_bits()))
}

/// The sum, and the floats of its derivatives.
fn mapped(map: &LoadedMap, xs: &[f64], k: f64, w: &[f64]) -> (f64, Vec<f64>) {
    let shared = [Column::Fixed(Value::F64(k)), Column::Fixed(Value::floats(w.to_vec()))];
    let columns = std::iter::once(Column::floats(xs.iter().copied())).chain(shared).collect();
    let (sum, parts) = map.over(columns).expect("they fit").sum_and_gradient().expect("it does not fail");
    let floats = parts.iter().flat_map(|part| match part {
        Derivative::OfEach(all) => all.iter().flat_map(floats).collect::<Vec<_>>(),
        Derivative::OfShared(one) => floats(one),
    });
    (sum, floats.collect())
}

fn is_near(a: f64, b: f64, scale: f64) -> bool {
    (a - b).abs() <= 1e-12 * (scale + a.abs().max(b.abs()))
}

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn the_gradient_of_a_mapped_sum_is_that_of_the_sum(
        name in prop::sample::select(vec!["smooth", "branchy", "recursive"]),
        xs in prop::collection::vec(-2.0..2.0, 0..300),
        k in -2.0..2.0,
        w in prop::collection::vec(-1.0..1.0, 0..4),
    ) {
        let loaded = Loaded::from_source("sums.rs", SOURCE).expect("it is Rust");
        for (executor, engine) in engines(|| loaded.engine_builder()) {
            let map = LoadedMap::new(&engine, &loaded.function(name).expect("it is there")).expect("it is lowered").loops_from(1);
            let (sum, slopes) = mapped(&map, &xs, k, &w);
            for threads in THREADS {
                let (again, slopes_again) = mapped(&map.clone().threads(threads), &xs, k, &w);
                prop_assert_eq!(sum.to_bits(), again.to_bits(), "{}, {} threads", executor, threads);
                prop_assert!(same_bits(&slopes, &slopes_again), "{executor}, {threads} threads");
            }
            let total = loaded.function(&format!("total_of_{name}")).expect("it is there");
            let args = vec![Value::floats(xs.clone()), Value::F64(k), Value::floats(w.clone())];
            let (y, dx) = overdub_ad::gradient(&engine, total.symbol, args, total.ir_ret).expect("it has one");
            let expected: Vec<f64> = dx.iter().flat_map(floats).collect();
            let y = y.as_f64().expect("it is a float");
            prop_assert!(is_near(sum, y, xs.len() as f64), "{executor}: {sum} {y}");
            prop_assert_eq!(slopes.len(), expected.len());
            for (a, b) in slopes.iter().zip(&expected) {
                prop_assert!(is_near(*a, *b, xs.len() as f64), "{executor}: {a} {b}");
            }
        }
    }
}

#[test]
fn the_sums_of_all_executors_are_the_same_to_the_bit() {
    let loaded = Loaded::from_source("sums.rs", SOURCE).expect("it is Rust");
    let xs: Vec<f64> = (0..3000).map(|at| f64::from(at).sin() * 3.0).collect();
    for name in ["smooth", "branchy", "recursive"] {
        let found = engines(|| loaded.engine_builder()).into_iter().map(|(_, engine): (_, Engine)| {
            let map = LoadedMap::new(&engine, &loaded.function(name).expect("it is there"))
                .expect("it is lowered")
                .loops_from(1);
            mapped(&map.threads(3), &xs, 0.75, &[0.5, -0.25, 0.125])
        });
        let found: Vec<_> = found.collect();
        for (sum, slopes) in &found[1..] {
            assert_eq!(sum.to_bits(), found[0].0.to_bits(), "{name}");
            assert!(same_bits(slopes, &found[0].1), "{name}");
        }
    }
}
