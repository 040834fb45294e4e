//! The time until a function of a source is ready to run: for an empty text, a file, a crate.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use overdub_lower::Loaded;

/// The fastest of some runs.
fn fastest<T>(mut f: impl FnMut() -> T) -> Duration {
    let begin = Instant::now();
    let mut best = Duration::MAX;
    while begin.elapsed() < Duration::from_secs(1) || best == Duration::MAX {
        let start = Instant::now();
        black_box(f());
        best = best.min(start.elapsed());
    }
    best
}

fn print(what: &str, took: Duration, limit: Duration) {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!("{what:<56} {:>9.2} ms of {:>7.0}", ms(took), ms(limit));
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let empty = fastest(|| Loaded::from_source("empty.rs", ""));
    print("an empty text", empty, Duration::from_millis(5));
    let path = root.join("tests/lower/tests/library/algorithms.rs");
    print("the functions of a file of 440 lines", listed(&path), Duration::from_millis(20));
    let lowered = fastest(|| {
        let loaded = Loaded::open(&path).expect("the file is there");
        let function = loaded.function("parser").expect("it has the function");
        loaded.lowering().closure_of(function.instance)
    });
    print("the same, and the IR of a parser with all it calls", lowered, Duration::from_millis(100));
    for folder in std::env::args().skip(1).filter(|arg| !arg.starts_with('-')) {
        print(&format!("the functions of {folder}"), listed(Path::new(&folder)), Duration::from_secs(1));
    }
    print("the functions of overdub-context", listed(&root.join("context")), Duration::from_secs(1));
}

/// The time to list the functions of a file or crate with their signatures.
fn listed(source: &Path) -> Duration {
    fastest(|| {
        let loaded = Loaded::open(source).expect("the source is there");
        let program = loaded.program();
        program.functions().into_iter().filter(|&def| program.fn_sig(def).is_ok()).count()
    })
}
