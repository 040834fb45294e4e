//! Elementwise loops, with SIMD and without, give what the interpreter gives, and fail as it fails.

use overdub_context::engine::{Executor, Interpreting};
use overdub_context::value::{Array, Value};
use overdub_lower::Loaded;
use overdub_native::Native;

const LOOPS: &str = "
pub fn axpy(a: f64, x: &[f64], mut y: Vec<f64>) -> Vec<f64> {
    for i in 0..x.len() {
        y[i] += a * x[i];
    }
    y
}

pub fn differences(_: f64, x: &[f64], mut y: Vec<f64>) -> Vec<f64> {
    for i in 0..y.len() {
        y[i] = (x[i + 1] - x[i]).abs().sqrt() / 0.5;
    }
    y
}

pub fn sums(_: f64, _: &[f64], mut y: Vec<f64>) -> Vec<f64> {
    for i in 1..y.len() {
        y[i] = y[i - 1] + y[i];
    }
    y
}

pub fn zipped(a: f64, x: &[f64], mut y: Vec<f64>) -> Vec<f64> {
    for (p, q) in y.iter_mut().zip(x) {
        *p = -*p * a - *q;
    }
    y
}

pub fn shifted(a: f64, x: &[f64], mut y: Vec<f64>) -> Vec<f64> {
    let old = y.clone();
    for i in 2..x.len() {
        y[i] = old[i - 2] * a + x[i];
    }
    y
}

pub fn falling(a: f64, x: &[f64], mut y: Vec<f64>) -> Vec<f64> {
    let mut i = y.len();
    while i != 0 {
        i -= 1;
        y[i] += a * x[i];
    }
    y
}

pub fn reversed(a: f64, x: &[f64], mut y: Vec<f64>) -> Vec<f64> {
    for i in (0..x.len()).rev() {
        y[i] = x[i] - y[i] * a;
    }
    y
}

pub fn falling_to_three(a: f64, x: &[f64], mut y: Vec<f64>) -> Vec<f64> {
    let mut i = y.len();
    while i != 3 {
        i -= 1;
        y[i] = a / x[i + 1];
    }
    y
}

pub fn falling_on_what_was_written(a: f64, _: &[f64], mut y: Vec<f64>) -> Vec<f64> {
    let mut i = y.len() - 1;
    while i != 0 {
        i -= 1;
        y[i] = y[i] + a * y[i + 1];
    }
    y
}

pub fn rows(a: f64, x: &[f64], mut y: Vec<f64>) -> Vec<f64> {
    let columns = 13;
    for row in 0..y.len() / columns {
        for column in 0..columns {
            y[row * columns + column] += a * x[column];
        }
    }
    y
}

pub fn falling_rows(a: f64, x: &[f64], mut y: Vec<f64>) -> Vec<f64> {
    let columns = x.len() / 2;
    for row in (0..2).rev() {
        for column in (0..columns).rev() {
            y[row * columns + column] += a * x[(1 - row) * columns + column];
        }
    }
    y
}

pub fn two(a: f64, x: &[f64], mut y: Vec<f64>) -> Vec<f64> {
    let mut z = vec![1.0; x.len()];
    let mut i = 0;
    while i < x.len() {
        z[i] = z[i] / x[i];
        y[i] = y[i] - a * x[i];
        i += 1;
    }
    y.push(z[x.len() / 2]);
    y
}
";

const NAMES: [&str; 12] = [
    "axpy",
    "differences",
    "sums",
    "zipped",
    "shifted",
    "falling",
    "reversed",
    "falling_to_three",
    "falling_on_what_was_written",
    "rows",
    "falling_rows",
    "two",
];

fn floats(len: usize, step: usize) -> Vec<f64> {
    let odd = [f64::NAN, -0.0, f64::INFINITY, 0.0, f64::NEG_INFINITY, 1e-310, f64::MAX];
    (0..len)
        .map(|k| if k % 13 == 5 { odd[k / 13 % 7] } else { ((k * step) % 101) as f64 / 7.0 - 6.0 })
        .collect()
}

#[test]
fn lanes_give_and_fail_as_rounds_do() {
    let loaded = Loaded::from_source("loops.rs", LOOPS).expect("it is well formed");
    let (native, module) = (Native::new(), loaded.shared_module());
    for name in NAMES {
        let func = loaded.function(name).expect("it is there").symbol;
        for (x, y) in (0..30).map(|n| (n, n)).chain([(40, 39), (40, 12), (100, 103), (101, 100), (1, 50)]) {
            let args = || {
                let vector = |elems: Vec<f64>| Value::from(Array::from_vec(elems));
                vec![Value::F64(1.5), vector(floats(x, 31)), vector(floats(y, 17))]
            };
            let expected = Interpreting::new().run(&module, func, args());
            // A vector with a second owner is copied before it is written.
            let shared = args();
            let runs = [native.run(&module, func, args()), native.run(&module, func, shared.clone())];
            for run in runs {
                match (&run, &expected) {
                    (Ok(run), Ok(expected)) => {
                        assert!(run.same(expected), "{name} {x} {y}: {run:?} {expected:?}")
                    }
                    (Err(run), Err(expected)) => {
                        assert_eq!(
                            (run.kind(), &run.report().message),
                            (expected.kind(), &expected.report().message),
                            "{name} {x} {y}"
                        );
                    }
                    _ => panic!("{name} {x} {y}: {run:?}, by the interpreter {expected:?}"),
                }
            }
            assert!(shared[2].same(&args()[2]), "{name} leaves what others hold alone");
        }
    }
}
