//! Elements in loops over blocks: as one by one, and only where nobody can tell.

use std::sync::{Arc, Mutex};

use overdub_context::engine::{Interpreting, Sink};
use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_passes::Optimised;
use overdub_spmd::{Column, Derivative, LoadedMap, MapError};

use super::executors::engines;

const SOURCE: &str = "
pub fn wave(x: f64, k: f64) -> f64 { let mut y = x; for _ in 0..3 { y = (y * k).sin() - x; } y }
pub fn weighted(x: f64, weights: &[f64], n: u32) -> f64 {
    let mut y = 0.0;
    for w in weights { y = y * x + w * n as f64; }
    y
}
pub fn risen(x: f64, n: u32, k: f64) -> f64 { let mut y = x; for _ in 0..n { y = (y * k).sin(); } y }
pub fn halved(n: u32) -> u32 { assert!(n % 2 == 0, \"{n} is odd\"); n / 2 }
pub fn is_big(n: i64, x: f64) -> bool { n as f64 > x }
pub fn negative(x: f64) -> f64 { -x * 0.0 }
pub fn split(x: f64) -> (f64, i32) { (x.fract(), x.trunc() as i32) }
pub fn nested(x: f64) -> (f64, (f64, f64)) { (x, (2.0 * x, 3.0 * x)) }
pub fn told(x: f64) -> f64 { println!(\"{x}\"); x + 1.0 }
static mut COUNT: u32 = 0;
pub fn counted(x: f64) -> f64 { unsafe { COUNT += 1; x + COUNT as f64 } }
";

/// Enough for blocks of many elements, the last of which is shorter.
const LEN: usize = 3001;

fn numbers() -> Vec<f64> {
    (0..LEN).map(|at| (at as f64 * 0.37).sin() * 3.0).collect()
}

fn bits(values: &[Value<'_>]) -> Vec<u64> {
    values.iter().map(|value| value.as_f64().expect("a float").to_bits()).collect()
}

#[test]
fn values_and_sums_are_those_of_elements_one_by_one() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    let map = |engine: &_, name: &str| {
        LoadedMap::new(engine, &loaded.function(name).expect("it is there"))
            .expect("it is lowered")
            .threads(2)
    };
    let mut all: Option<(Vec<u64>, u64, Vec<u64>)> = None;
    for (name, engine) in engines(|| loaded.engine_builder()) {
        let columns = || vec![Column::floats(numbers()), Column::Fixed(Value::F64(0.7))];
        let wave = map(&engine, "wave").over(columns()).expect("they fit");
        let values = bits(&wave.values().expect("none fails"));
        let alone = |x: f64| engine.run("wave", vec![Value::F64(x), Value::F64(0.7)]).expect("it runs");
        let expected: Vec<u64> = bits(&numbers().into_iter().map(alone).collect::<Vec<_>>());
        assert_eq!(values, expected, "{name}");
        let (sum, slopes) = wave.sum_and_gradient().expect("it has one");
        assert_eq!(sum.to_bits(), wave.sum().expect("none fails").to_bits(), "{name}");
        let Derivative::OfEach(each) = &slopes[0] else { panic!("it is mapped over") };
        let one_by_one = wave.values_and_gradients().expect("they have one");
        let by_x: Vec<_> = one_by_one.iter().map(|(_, slopes)| slopes[0].clone()).collect();
        assert_eq!(bits(each), bits(&by_x), "{name}");
        let found = (values, sum.to_bits(), bits(each));
        assert_eq!(all.get_or_insert(found.clone()), &found, "{name}");

        // -0.0 stays, and no sum begins with 0.0.
        let zeros = map(&engine, "negative").over(vec![Column::floats(vec![1.0; LEN])]).expect("they fit");
        assert_eq!(zeros.sum().expect("none fails").to_bits(), (-0.0_f64).to_bits(), "{name}");
    }
}

#[test]
fn shared_vectors_collect_sums_of_their_derivatives() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    let weights = vec![0.5, -1.0, 2.0];
    for (name, engine) in engines(|| loaded.engine_builder()) {
        let map = LoadedMap::new(&engine, &loaded.function("weighted").expect("it is there"))
            .expect("it is lowered");
        let map = map.with_respect_to(["x", "weights"]);
        let columns = vec![
            Column::floats(numbers()),
            Column::Fixed(Value::floats(weights.clone())),
            Column::Each((0..LEN as u32).map(|n| Value::from(n % 4)).collect()),
        ];
        let over = map.over(columns).expect("they fit");
        let (_, slopes) = over.sum_and_gradient().expect("it has one");
        let Derivative::OfShared(by_weights) = &slopes[1] else { panic!("they are shared") };
        let found = overdub_ad::flatten::floats(by_weights);
        let each = over.values_and_gradients().expect("they have one");
        for (at, sum) in found.iter().enumerate() {
            let expected: f64 = each.iter().map(|(_, all)| overdub_ad::flatten::floats(&all[1])[at]).sum();
            assert!((sum - expected).abs() < 1e-9 * expected.abs().max(1.0), "{name}: {sum} {expected}");
        }
    }
}

#[test]
fn derivatives_of_sums_are_beside_integers_those_of_their_arguments() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    for (name, engine) in engines(|| loaded.engine_builder()) {
        let map = LoadedMap::new(&engine, &loaded.function("risen").expect("it is there"));
        let map = map.expect("it is lowered");
        let counts: Vec<_> = (0..LEN as u32).map(|n| Value::from(n % 4)).collect();
        let columns = |counts| {
            vec![Column::floats(numbers()), counts, Column::floats(numbers().into_iter().map(|x| x * 0.3))]
        };
        for counts in [Column::Each(counts), Column::Fixed(Value::from(2_u32))] {
            for map in [map.clone(), map.clone().lanes(64), map.clone().loops_from(usize::MAX)] {
                let over = map.over(columns(counts.clone())).expect("they fit");
                let each = over.values_and_gradients().expect("they have one");
                let (_, slopes) = over.sum_and_gradient().expect("it has one");
                for (at, slope) in slopes.iter().enumerate() {
                    let own: Vec<_> = each.iter().map(|(_, all)| all[at].clone()).collect();
                    let (found, own) = match slope {
                        Derivative::OfEach(slopes) => (format!("{slopes:?}"), format!("{own:?}")),
                        Derivative::OfShared(slope) => (format!("{slope:?}"), format!("{:?}", own[0])),
                    };
                    assert_eq!(found, own, "{name} {at}");
                }
            }
        }
    }
}

#[test]
fn the_first_element_of_a_block_that_fails_is_found() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    for (name, engine) in engines(|| loaded.engine_builder()) {
        let halved =
            LoadedMap::new(&engine, &loaded.function("halved").expect("it is there")).expect("lowered");
        let evens = |odd: &[usize]| {
            let number = |at: usize| if odd.contains(&at) { 2 * at + 1 } else { 2 * at } as u32;
            vec![Column::Each((0..LEN).map(|at| Value::from(number(at))).collect())]
        };
        let over = halved.threads(3).over(evens(&[2000, 1500])).expect("they fit");
        match over.values() {
            Err(MapError::Element { index, error }) => {
                assert_eq!(
                    (index, error.to_string().contains("3001 is odd")),
                    (1500, true),
                    "{name}: {error}"
                );
            }
            other => panic!("{name}: {other:?}"),
        }
        let each = over.each().values().expect("they have results");
        let failed: Vec<usize> = (0..LEN).filter(|at| each[*at].is_err()).collect();
        assert_eq!(failed, [1500, 2000], "{name}");
        assert_eq!(each[2001].as_ref().map(|n| n.as_index()), Ok(Some(2001)), "{name}");
        let big = LoadedMap::new(&engine, &loaded.function("is_big").expect("it is there")).expect("lowered");
        let columns =
            vec![Column::Each((0..LEN as i64).map(Value::from).collect()), Column::Fixed(Value::F64(999.5))];
        let count = big.over(columns).expect("they fit").values().expect("none fails");
        assert_eq!(count.iter().filter(|is| is.as_bool() == Some(true)).count(), LEN - 1000, "{name}");
    }
}

#[test]
fn results_of_several_parts_stay_whole() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    for (name, engine) in engines(|| loaded.engine_builder()) {
        for function in ["split", "nested"] {
            let map =
                LoadedMap::new(&engine, &loaded.function(function).expect("it is there")).expect("lowered");
            let found =
                map.over(vec![Column::floats(numbers())]).expect("they fit").values().expect("none fails");
            for (x, value) in numbers().into_iter().zip(&found) {
                let alone = engine.run(function, vec![Value::F64(x)]).expect("it runs");
                assert_eq!(value.to_string(), alone.to_string(), "{name}: {function}");
            }
        }
    }
}

#[test]
fn what_can_be_told_apart_runs_one_by_one() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    let said = Arc::new(Mutex::new(String::new()));
    let kept = said.clone();
    let sink: Sink = Arc::new(Mutex::new(move |text: &str| kept.lock().expect("no panic").push_str(text)));
    let engine = loaded.engine_builder().executor(Optimised::new(Interpreting::new().printing(sink))).build();
    let map =
        |name: &str| LoadedMap::new(&engine, &loaded.function(name).expect("it is there")).expect("lowered");
    let columns = || vec![Column::floats([1.0, 2.0, 3.0])];
    map("told").over(columns()).expect("they fit").values().expect("none fails");
    assert_eq!(*said.lock().expect("no panic"), "1\n2\n3\n");
    // Each element is a run of its own, with statics of its own.
    let counted = map("counted").over(columns()).expect("they fit").values().expect("none fails");
    assert_eq!(bits(&counted), [2.0_f64, 3.0, 4.0].map(f64::to_bits));
    // Limits are for each element.
    let limits = overdub_context::limits::Limits::default().with_steps(60);
    let limited = LoadedMap::new(&engine.with_limits(limits), &loaded.function("wave").expect("it is there"));
    let columns = vec![Column::floats(numbers()), Column::Fixed(Value::F64(0.7))];
    limited
        .expect("it is lowered")
        .over(columns)
        .expect("they fit")
        .values()
        .expect("each is within the limit");
}
