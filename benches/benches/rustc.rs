//! What a gradient costs that the executor by rustc runs, compared with one written by hand; and how long compiling takes.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use overdub::ad::prepare;
use overdub::dub;
use overdub_benches::{compare, print, write_json};
use overdub_context::engine::Executor;
use overdub_context::value::Value;
use overdub_context::{Symbol, text};
use overdub_native::Native;
use overdub_rustc::{Cache, Rustc};

overdub_lower::__private::inventory::submit! {
    overdub_lower::api::Backend(|builder| {
        builder.executor(Rustc::new(Native::new()).with_cache(Cache::none()).compiling_first())
    })
}

/// A term of Rosenbrock's function.
#[dub]
fn term(here: f64, next: f64) -> f64 {
    let (a, b) = (1.0 - here, next - here * here);
    a * a + 100.0 * b * b
}

fn term_by_hand(here: f64, next: f64, slopes: &mut (f64, f64)) -> f64 {
    let (a, b) = (1.0 - here, next - here * here);
    *slopes = (-2.0 * a - 400.0 * b * here, 200.0 * b);
    a * a + 100.0 * b * b
}

#[dub]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let (a, b) = (1.0 - x[i - 1], x[i] - x[i - 1] * x[i - 1]);
        sum += a * a + 100.0 * b * b;
    }
    sum
}

fn rosenbrock_by_hand(x: &[f64], slopes: &mut [f64]) -> f64 {
    slopes.fill(0.0);
    let mut sum = 0.0;
    for i in 1..x.len() {
        let (a, b) = (1.0 - x[i - 1], x[i] - x[i - 1] * x[i - 1]);
        sum += a * a + 100.0 * b * b;
        slopes[i - 1] += -2.0 * a - 400.0 * b * x[i - 1];
        slopes[i] += 200.0 * b;
    }
    sum
}

/// The calls of a small function in a run.
const CALLS: usize = 10_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (of_term, of_rosenbrock) = (prepare(term), prepare(rosenbrock));
    let (mut dx, mut dy) = (0.0, 0.0);
    let mut rows = vec![compare(
        "gradient of two numbers",
        CALLS as f64,
        || {
            for _ in 0..CALLS {
                let args = (black_box(0.5), black_box(0.25));
                black_box(of_term.gradient_into(args, (&mut dx, &mut dy)).expect("it has one"));
            }
        },
        || {
            let mut both = (0.0, 0.0);
            for _ in 0..CALLS {
                black_box(term_by_hand(black_box(0.5), black_box(0.25), &mut both));
            }
            black_box(both);
        },
    )];
    for len in [1_000, 10_000, 1_000_000] {
        let x: Vec<f64> = (0..len).map(|i| 0.5 + (i % 17) as f64 / 16.0).collect();
        let (mut slopes, mut by_hand) = (vec![0.0; len], vec![0.0; len]);
        let y = of_rosenbrock.gradient_into((&x[..],), (&mut slopes[..],))?;
        assert_eq!(y, rosenbrock_by_hand(&x, &mut by_hand));
        rows.push(compare(
            &format!("Rosenbrock of {len}"),
            len as f64,
            || {
                black_box(
                    of_rosenbrock
                        .gradient_into((black_box(&x[..]),), (&mut slopes[..],))
                        .expect("it has one"),
                );
            },
            || {
                black_box(rosenbrock_by_hand(black_box(&x), &mut by_hand));
            },
        ));
    }
    print(
        "a prepared gradient by the executor by rustc, compared with one by hand",
        "element or call",
        &rows,
    );
    write_json(&rows)?;
    compiling()
}

/// How long a small function takes that is compiled, and one that was kept.
fn compiling() -> Result<(), Box<dyn std::error::Error>> {
    let module = Arc::new(text::parse("fn @f(%x: f64) -> f64 {\n  %y: f64 = sqrt %x\n  ret %y\n}")?.module());
    let folder = std::env::temp_dir().join(format!("overdub-bench-{}", std::process::id()));
    for what in ["compiled", "kept from before"] {
        let start = Instant::now();
        let rustc = Rustc::new(Native::new()).with_cache(Cache::in_folder(&folder)).compiling_first();
        let y = rustc.run(&module, Symbol::new("f"), vec![Value::F64(2.25)])?;
        assert_eq!(y.as_f64(), Some(1.5));
        println!("the first value of a small function, {what}: {:.0?}", start.elapsed());
    }
    std::fs::remove_dir_all(folder)?;
    Ok(())
}
