//! The time of compiling, by the size of a function, and the point from which on it pays.

use std::sync::Arc;
use std::time::Instant;

use overdub_context::Symbol;
use overdub_context::engine::{Executor, Interpreting};
use overdub_context::ir::{Func, Module};
use overdub_context::text;
use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_native::Native;

/// A straight-line function with this many operations.
fn straight(ops: usize) -> String {
    let mut text = String::from("fn @straight(%x: f64) -> f64 {\n  %v0: f64 = add %x, 1.5\n");
    for k in 1..ops {
        let op = ["add", "mul", "sub"][k % 3];
        let other = k.saturating_sub(1 + (k * 7) % 13);
        text.push_str(&format!("  %v{k}: f64 = {op} %v{}, %v{other}\n", k - 1));
    }
    text.push_str(&format!("  ret %v{}\n}}\n", ops - 1));
    text
}

/// The time from IR to a first result, the fastest of some.
fn first_result(module: &Arc<Module>) -> Result<f64, Box<dyn std::error::Error>> {
    let mut fastest = f64::MAX;
    for _ in 0..5 {
        let begin = Instant::now();
        Native::new().run(module, Symbol::new("straight"), vec![Value::F64(0.5)])?;
        fastest = fastest.min(begin.elapsed().as_secs_f64());
    }
    Ok(fastest)
}

/// Prints the times of compiling, and the point from which on it pays.
pub(crate) fn print_all() -> Result<(), Box<dyn std::error::Error>> {
    straight_lines()?;
    programs()?;
    first_calls()?;
    break_even()
}

fn straight_lines() -> Result<(), Box<dyn std::error::Error>> {
    println!("\ncompiling straight-line functions, passes and Cranelift, with the first run");
    for ops in [20, 200, 1_000, 2_000, 10_000] {
        let module = Arc::new(text::parse_unverified(&straight(ops))?.module());
        let time = first_result(&module)?;
        println!("{ops:>8} operations {:>10.3} ms {:>8.2} µs each", time * 1e3, time * 1e6 / ops as f64);
    }
    Ok(())
}

/// A function with this many lines of Rust: arithmetic, branches, loops.
fn source(lines: usize) -> String {
    let mut text =
        String::from("pub fn f(x: f64, n: usize) -> f64 {\n    let mut v = x;\n    let mut w = 0.5 * x;\n");
    for k in 0..lines.saturating_sub(5) {
        let line = match k % 8 {
            0 => format!("v = v * {}.25 - w;", k % 7),
            1 => "w = w + v.abs().sqrt();".to_string(),
            2 => format!("if v > {}.0 {{ v = v - w; }} else {{ w = 1.0 - v; }}", k % 11),
            3 => format!("for i in 0..n {{ w += v / (i as f64 + {}.5); }}", k % 5),
            4 => "v = (v - w) / (1.0 + w * w);".to_string(),
            5 => "w = w.max(v) - v.min(0.25);".to_string(),
            6 => "while v > 8.0 { v = v * 0.5; }".to_string(),
            _ => "w = w - v * v + 0.125;".to_string(),
        };
        text.push_str(&format!("    {line}\n"));
    }
    text.push_str("    v + w\n}\n");
    text
}

/// From lowered IR to machine code and a first result, by lines of Rust.
fn programs() -> Result<(), Box<dyn std::error::Error>> {
    println!("\ncompiling Rust that is lowered already: passes, Cranelift, and the first run");
    for lines in [20, 200, 2_000] {
        let loaded = Loaded::from_source("lines.rs", &source(lines))?;
        let (symbol, module) = (loaded.function("f")?.symbol, loaded.shared_module());
        let size = |func: &Func| func.blocks.iter().map(|body| body.insts.len() + 1).sum::<usize>();
        let func = module.func(symbol)?.ok_or("it was lowered")?;
        let callees = overdub_passes::callees(&module);
        let compiled = overdub_passes::optimise_to_compile(&func, &overdub_passes::Scope::new(&callees));
        let mut fastest = f64::MAX;
        for _ in 0..5 {
            let begin = Instant::now();
            Native::new().run(&module, symbol, vec![Value::F64(0.5), Value::from(3_usize)])?;
            fastest = fastest.min(begin.elapsed().as_secs_f64());
        }
        let allowed = 0.5 + 5e-3 * size(&compiled) as f64;
        println!(
            "{lines:>8} lines {:>8} instructions {:>10.3} ms, goal {allowed:.3} ms",
            size(&compiled),
            fastest * 1e3
        );
    }
    Ok(())
}

/// The argument that makes this program run one call and exit.
pub(crate) const FIRST_CALL: &str = "--first-call";

/// The first call of a process: a small function, loaded, lowered, compiled and run.
pub(crate) fn first_call() -> Result<(), Box<dyn std::error::Error>> {
    let loaded = Loaded::from_source("first.rs", "pub fn f(x: f64) -> f64 { x * x.sin() + 1.0 }")?;
    let symbol = loaded.function("f")?.symbol;
    Native::new().run(&loaded.shared_module(), symbol, vec![Value::F64(0.5)])?;
    Ok(())
}

/// The time from the start of a process to its end after such a call, the fastest of some.
fn first_calls() -> Result<(), Box<dyn std::error::Error>> {
    let mut fastest = f64::MAX;
    for _ in 0..10 {
        let begin = Instant::now();
        let status = std::process::Command::new(std::env::current_exe()?).arg(FIRST_CALL).status()?;
        assert!(status.success(), "the call does not fail");
        fastest = fastest.min(begin.elapsed().as_secs_f64());
    }
    println!(
        "\na process that loads, compiles and calls a small function: {:.2} ms, goal 10 ms",
        fastest * 1e3
    );
    Ok(())
}

/// The number of iterations of a loop from which on compiling takes less time than interpreting.
fn break_even() -> Result<(), Box<dyn std::error::Error>> {
    let loaded = Loaded::from_source("scalar.rs", include_str!("../../kernels/scalar.rs"))?;
    println!("\ninterpreting against compiling and running, the first run of a function");
    for name in ["sines", "newton", "lcg"] {
        let symbol = loaded.function(name)?.symbol;
        let module = loaded.shared_module();
        let time = |executor: &dyn Executor, n: usize| {
            let begin = Instant::now();
            let succeeded = executor.run(&module, symbol, vec![Value::from(n)]).is_ok();
            assert!(succeeded, "the kernels run");
            begin.elapsed().as_secs_f64()
        };
        let even = (0..24).map(|k| 1_usize << k).find(|&n| {
            let interpreted = (0..3).map(|_| time(&Interpreting::new(), n)).fold(f64::MAX, f64::min);
            let compiled = (0..3).map(|_| time(&Native::new(), n)).fold(f64::MAX, f64::min);
            compiled < interpreted
        });
        let chosen = (0..24).map(|k| 1_usize << k).find(|&n| {
            let auto = Native::auto();
            let ran = auto.run(&module, symbol, vec![Value::from(n)]).is_ok();
            ran && auto.has_compiled(&module, symbol)
        });
        let shown = |n: Option<usize>| n.map_or("never".to_string(), |n| n.to_string());
        println!("{name:>12} {:>10} rounds, by the estimate {:>10}", shown(even), shown(chosen));
    }
    Ok(())
}
