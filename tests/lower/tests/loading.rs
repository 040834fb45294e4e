//! Loading takes the time that a user does not notice, and as long for each line of a long program as of a short one.
//!
//! Limits are those of a release build on a quiet machine, with slack for builds that are neither; the exact times are
//! the business of `benches/loading.rs`.

use std::path::Path;
use std::time::{Duration, Instant};

use overdub_lower::Loaded;

/// How much slower an unoptimised build on a busy machine may be.
const SLACK: u32 = if cfg!(debug_assertions) { 60 } else { 4 };

/// The fastest of several runs, which the machine disturbed the least.
fn fastest(runs: u32, mut f: impl FnMut()) -> Duration {
    let once = |()| {
        let begin = Instant::now();
        f();
        begin.elapsed()
    };
    std::iter::repeat_n((), runs as usize).map(once).min().expect("there are runs")
}

#[test]
fn an_empty_program_is_there_in_five_milliseconds() {
    let took = fastest(10, || drop(Loaded::from_source("empty.rs", "").expect("it loads")));
    assert!(took < Duration::from_millis(5) * SLACK, "{took:?}");
}

#[test]
fn a_file_of_three_hundred_lines_is_there_in_twenty_milliseconds() {
    let text: String =
        include_str!("library/algorithms.rs").lines().take(400).map(|line| format!("{line}\n")).collect();
    let took = fastest(5, || {
        let loaded = Loaded::from_source("algorithms.rs", &text).expect("it loads");
        let function = loaded.function("parser").expect("it has the function");
        loaded.lowering().ir_of(function.instance).expect("it is lowered");
    });
    assert!(took < Duration::from_millis(20) * SLACK, "{took:?}");
}

#[test]
fn a_large_crate_is_listed_in_a_second() {
    let context = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../context");
    let took = fastest(2, || {
        let loaded = Loaded::open(&context).expect("it loads");
        let program = loaded.program();
        let read = program.functions().into_iter().filter(|&def| program.fn_sig(def).is_ok()).count();
        assert!(read > 1000, "it has {read} functions");
    });
    assert!(took < Duration::from_secs(1) * SLACK, "{took:?}");
}

/// A program of functions that call each other, each with a loop, a struct and an impl.
fn program(functions: usize) -> String {
    let piece = |k: usize| {
        format!(
            "pub struct S{k} {{ x: f64 }}
impl S{k} {{ fn step(&self, by: f64) -> f64 {{ self.x * by + {k}.0 }} }}
pub fn f{k}(xs: &[f64]) -> f64 {{
    let s = S{k} {{ x: xs.len() as f64 }};
    let mut sum = 0.0;
    for x in xs.iter().skip(1) {{
        sum += s.step(*x);
    }}
    sum
}}
"
        )
    };
    let calls: String = (0..functions).map(|k| format!("    sum += f{k}(xs);\n")).collect();
    let pieces: String = (0..functions).map(piece).collect();
    format!("{pieces}pub fn all(xs: &[f64]) -> f64 {{\n    let mut sum = 0.0;\n{calls}    sum\n}}\n")
}

#[test]
fn eight_times_the_program_takes_about_eight_times_as_long() {
    let time = |functions: usize| {
        let text = program(functions);
        fastest(3, || {
            let loaded = Loaded::from_source("all.rs", &text).expect("it loads");
            let all = loaded.function("all").expect("it has the function");
            loaded.lowering().closure_of(all.instance).expect("it is lowered");
        })
    };
    let (short, long) = (time(40), time(320));
    assert!(long < short * 8 * 4, "40 functions take {short:?}, 320 take {long:?}");
}
