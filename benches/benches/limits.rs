//! The cost of limits: runs that can be stopped compared with the same runs that cannot, by machine code and
//! interpreter.

#[path = "../kernels/scalar.rs"]
#[expect(dead_code, reason = "only its source is run here")]
mod scalar;

use std::time::Duration;

use overdub_benches::{Row, compare, print, write_json};
use overdub_context::engine::{Executor, Interpreting};
use overdub_context::limits::{Cancel, Limits};
use overdub_context::value::{Array, Value};
use overdub_lower::Loaded;
use overdub_native::Native;

fn vector(x: &[f64]) -> Value<'static> {
    Value::from(Array::from_vec(x.to_vec()))
}

/// Kernels over `n` iterations or elements: with all limits that code has to check, and without.
fn rows(by: &str, executor: &dyn Executor, n: usize) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let loaded = Loaded::from_source("scalar.rs", include_str!("../kernels/scalar.rs"))?;
    let module = loaded.shared_module();
    let limits = Limits::default()
        .with_time(Duration::from_secs(3600))
        .with_steps(u64::MAX)
        .with_memory(1 << 40)
        .with_depth(100_000)
        .with_cancel(Cancel::new());
    let x: Vec<f64> = (0..n).map(|k| ((k * 7919) % 2003) as f64 / 1000.0 - 1.0).collect();
    let (vx, vy) = (vector(&x), vector(&x));
    let one = vec![vx.clone()];
    let two = vec![vx.clone(), vy.clone()];
    let count = vec![Value::from(n)];
    let kernels = [
        ("rosenbrock", &one),
        ("sines", &count),
        ("newton", &count),
        ("branchy", &one),
        ("matvec", &count),
        ("dot_by_index", &two),
        ("dot_by_chain", &two),
        ("lcg", &count),
        ("sieve", &count),
        ("fibonacci", &vec![Value::from(if n > 10_000 { 26_u64 } else { 14 })]),
    ];
    let row = |(name, args): (&str, &Vec<Value<'static>>)| {
        let func = loaded.function(name)?.symbol;
        let free = || executor.run(&module, func, args.clone());
        let limited = || limits.during(free);
        assert!(free()?.same(&limited()?), "limits change nothing");
        Ok(compare(&format!("{by}: {name}"), n as f64, || limited().is_ok(), || free().is_ok()))
    };
    kernels.into_iter().map(row).collect()
}

fn mean(rows: &[Row]) -> f64 {
    let sum: f64 = rows.iter().map(|row| row.ratio().ln()).sum();
    (sum / rows.len() as f64).exp()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let native = rows("native", &Native::new(), 200_000)?;
    print("with limits, against the same without, by machine code", "round", &native);
    println!("geometric mean {:.3}", mean(&native));
    let interpreted = rows("interpreter", &Interpreting::new(), 2000)?;
    print("\nthe same by the interpreter", "round", &interpreted);
    println!("geometric mean {:.3}", mean(&interpreted));
    write_json(&[native, interpreted].concat())?;
    Ok(())
}
