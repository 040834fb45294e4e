//! The cases of Hydra, which runs Julia's functions in lanes: <https://github.com/FluxML/Hydra.jl>.

use overdub::prelude::*;
use overdub::spmd::{Communicator, OnAxis, bind, ppermute, psum, ranks};
use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_spmd::{Column, LoadedMap};

use super::executors::engines;

const SOURCE: &str = "
pub fn branching(x: i64) -> i64 {
    let more = match x + 1 { a if a > 10 => 1000, a if a > 5 => 100, _ => 10 };
    x + 1 + more + if x > 0 { 10 } else { -10 }
}
pub fn waiting(x: i64) -> i64 {
    let (mut a, mut i) = (x + 1, 0);
    while i < x {
        if x >= 10 { a += 3; } else if x >= 5 { a += 2; } else { a += 1; }
        i += 1;
    }
    a
}
pub fn counting(x: i64) -> i64 {
    let mut a = x + 1;
    for _ in 1..=x { if x > 10 { a += x; } else { a -= x; } }
    a
}";

#[test]
fn divergent_branches_and_loops_in_four_lanes() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    let cases = [
        ("branching", [1_i64, 6, 11, -1], [22, 117, 1022, 0]),
        ("waiting", [5, 5, 5, 5], [16, 16, 16, 16]),
        ("waiting", [1, 5, 12, -3], [3, 16, 49, -2]),
        ("counting", [2, 32, -1, 21], [-1, 1057, 0, 463]),
    ];
    for (name, inputs, expected) in cases {
        let function = loaded.function(name).expect("it is there");
        for (executor, engine) in engines(|| loaded.engine_builder()) {
            let map = LoadedMap::new(&engine, &function).expect("it is lowered").loops_from(1).lanes(4);
            let over = map.over(vec![Column::Each(inputs.map(Value::from).to_vec())]).expect("they fit");
            let found = over.values().expect("none fails");
            let found: Vec<Option<i128>> = found.iter().map(|value| value.as_int().map(|(_, n)| n)).collect();
            assert_eq!(found, expected.map(|n: i128| Some(n)), "{name} by {executor}");
        }
    }
}

#[dub]
fn sum(x: f64) -> f64 {
    psum(x, "lanes")
}

/// The element of the next lane, around.
#[dub]
fn shuffled(x: f64) -> f64 {
    ppermute(x, &[(0, 3), (1, 0), (2, 1), (3, 2)], "lanes")
}

#[test]
fn sums_and_shuffles_over_four() {
    let found = ranks(4, |rank| {
        bind("lanes", &rank, || {
            let x = rank.index() as f64;
            let of_five = overdub(OnAxis::new("lanes"), sum, (5.0,))?;
            Ok::<_, overdub::Error>((of_five, overdub(OnAxis::new("lanes"), shuffled, (x,))?))
        })
    });
    let found = found.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found, [(20.0, 1.0), (20.0, 2.0), (20.0, 3.0), (20.0, 0.0)]);
    // Without a bound axis there is one element.
    assert_eq!(sum(5.0), 5.0);
}
