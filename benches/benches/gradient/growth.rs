//! How the cost of a gradient grows: with the length of a loop, with the number of values that are live
//! across branches, and with the nesting of derivatives.

use std::time::{Duration, Instant};

use overdub_ad::transform::forward::ForwardTransform;
use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform, Transformed};
use overdub_context::value::Value;

use super::inputs::Mixture;
use super::measure::{Fallible, GradientPlace, In, Program, fastest, seen};
use super::rows::{MIXTURE, SMALL, mixture_args, valley};

const LENGTHS: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Loops, and their accesses to each element.
const LOOPS: [(&str, &str); 3] =
    [("total", "reads x[i]"), ("rosenbrock", "reads x[i], x[i + 1]"), ("smoothed", "writes x[i]")];

/// Prints the bytes recorded for the reverse sweep, for each element that a loop reads or writes.
pub(crate) fn of_tape() -> Fallible<()> {
    println!(
        "\n{:<28}{:>12}{:>12}{:>12}{:>12}",
        "tape bytes per element, n =", "1000", "10000", "100000", "1000000"
    );
    for (func, what) in LOOPS {
        let program = Program::new("small.rs", SMALL)?;
        let transformed =
            Transformed::pullback(&program.engine, program.loaded.function(func)?.symbol, &|_| true, None)?;
        print!("{what:<28}");
        for n in LENGTHS {
            let (_, pullback) = transformed.split(vec![Value::floats(valley(n))])?;
            print!("{:>12.2}", pullback.tape_bytes() as f64 / n as f64);
        }
        println!();
    }
    Ok(())
}

/// Prints the time of a gradient for each element that its loop reads or writes.
pub(crate) fn with_length() -> Fallible<()> {
    println!("\n{:<28}{:>12}{:>12}{:>12}{:>12}", "ns per element, n =", "1000", "10000", "100000", "1000000");
    for (func, what) in LOOPS {
        let program = Program::new("small.rs", SMALL)?;
        print!("{what:<28}");
        for n in LENGTHS {
            let x = valley(n);
            let mut gradient = program.gradient(func, [GradientPlace::floats(n)])?;
            gradient.run(&[In::Floats(&x)])?;
            let [time] = fastest([&mut || seen(gradient.run(&[In::Floats(&x)]).is_ok())]);
            print!("{:>12.2}", time.as_secs_f64() * 1e9 / n as f64);
        }
        println!();
    }
    Ok(())
}

/// A function with `n` branches, across all of which `n` values are live.
fn branches(n: usize) -> String {
    let mut text = String::from("pub fn f(x: f64) -> f64 {\n    let mut s = x;\n");
    for k in 0..n {
        text.push_str(&format!("    let v{k} = x * {k}.5;\n"));
    }
    for k in 0..n {
        text.push_str(&format!("    if s < v{k} {{ s = s * v{k}; }}\n"));
    }
    let values: String = (0..n).map(|k| format!(" + v{k}")).collect();
    text.push_str(&format!("    s{values}\n}}\n"));
    text
}

/// Prints the time of transforming a function into its gradient, for each of its branches.
pub(crate) fn with_branches() -> Fallible<()> {
    println!("\n{:<28}{:>12}{:>12}{:>12}", "µs to make, branches, n =", "30", "100", "300");
    print!("{:<28}", "n values alive");
    for n in [30, 100, 300] {
        let program = Program::new("branches.rs", &branches(n))?;
        let symbol = program.loaded.function("f")?.symbol;
        let begin = Instant::now();
        program.engine.overdubbed(&ReverseTransform::new(ReverseOutput::Gradient), symbol)?;
        print!("{:>12.1}", begin.elapsed().as_secs_f64() * 1e6 / n as f64);
    }
    println!();
    Ok(())
}

/// Prints the time of building and running a nested derivative, from its source on.
pub(crate) fn with_depth() -> Fallible<()> {
    println!("\n{:<28}{:>12}{:>12}{:>12}", "ms to first, depth", "1", "2", "3");
    let reverse = || ReverseTransform::new(ReverseOutput::Gradient);
    let tangent = ForwardTransform::new;
    let mut times = [Duration::ZERO; 3];
    for (depth, time) in times.iter_mut().enumerate() {
        let begin = Instant::now();
        let program = Program::new("small.rs", SMALL)?;
        let symbol = program.loaded.function("sines")?.symbol;
        let nested = match depth {
            0 => program.engine.overdubbed(&reverse(), symbol),
            1 => program.engine.overdubbed(&(tangent(), reverse()), symbol),
            _ => program.engine.overdubbed(&(tangent(), (tangent(), reverse())), symbol),
        };
        nested?;
        *time = begin.elapsed();
    }
    print!("{:<28}", "forward over reverse");
    times.iter().for_each(|time| print!("{:>12.2}", time.as_secs_f64() * 1e3));
    println!();
    Ok(())
}

/// Builds and runs one gradient: what a new process does for its first one.
pub(crate) fn first_of(what: &str) -> Fallible<()> {
    if what == "mixture" {
        let input = Mixture::new(2, 5);
        let places = [GradientPlace::floats(input.params.len())];
        Program::new("mixture.rs", MIXTURE)?.gradient("mixture", places)?.run(&mixture_args(&input))?;
    } else {
        let mut gradient =
            Program::new("small.rs", SMALL)?.gradient("rosenbrock", [GradientPlace::floats(2)])?;
        gradient.run(&[In::Floats(&[0.5, 0.7])])?;
    }
    Ok(())
}

/// Prints how long new processes take to their first gradient.
pub(crate) fn first() -> Fallible<()> {
    println!();
    for (what, name) in [("small", "20 lines"), ("mixture", "mixture")] {
        let mut best = Duration::MAX;
        for _ in 0..5 {
            let begin = Instant::now();
            let status =
                std::process::Command::new(std::env::current_exe()?).args(["--first", what]).status()?;
            if !status.success() {
                return Err(format!("the first gradient of {name} fails").into());
            }
            best = best.min(begin.elapsed());
        }
        println!("first gradient of a process, {name}: {:.1} ms", best.as_secs_f64() * 1e3);
    }
    Ok(())
}
