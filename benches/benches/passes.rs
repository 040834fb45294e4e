//! The time of optimising a function, by pass, for each remaining instruction.

use std::cell::RefCell;
use std::time::Duration;

use overdub_context::Symbol;
use overdub_context::ir::{Func, Module};
use overdub_context::text;
use overdub_passes::{PASSES, Phase, Pipeline, Scope};

/// A loop of about ten lines over an array that is modified, with a call to inline and a pair to split.
fn piece(k: usize) -> String {
    let (before, after) = (format!("^start{k}(%v{k}, %s{k})"), k + 1);
    format!(
        "  br {before}
^start{k}(%w{k}: [f64], %t{k}: f64):
  %n{k}: usize = len %w{k}
  br ^loop{k}(0_usize, %w{k}, %t{k})
^loop{k}(%i{k}: usize, %x{k}: [f64], %sum{k}: f64):
  %go{k}: bool = lt %i{k}, %n{k}
  br_if %go{k}, ^body{k}, ^done{k}
^body{k}:
  %a{k}: f64 = get %x{k}, %i{k}
  %p{k}: (f64, f64) = call @step(%a{k}, %sum{k})
  %b{k}: f64 = field %p{k}, 0
  %c{k}: f64 = field %p{k}, 1
  %y{k}: [f64] = set %x{k}, %i{k}, %b{k}
  %j{k}: usize = add %i{k}, 1_usize
  br ^loop{k}(%j{k}, %y{k}, %c{k})
^done{k}:
  br ^next{k}(%x{k}, %sum{k})
^next{k}(%v{after}: [f64], %s{after}: f64):
"
    )
}

const STEP: &str = "
fn @step(%a: f64, %s: f64) -> (f64, f64) {
  %b: f64 = mul %a, 1.0625
  %low: bool = lt %b, 0.0
  br_if %low, ^low, ^high
^low:
  %z: f64 = neg %b
  %p: (f64, f64) = tuple %z, %s
  ret %p
^high:
  %t: f64 = add %s, %b
  %q: (f64, f64) = tuple %b, %t
  ret %q
}
";

fn program(pieces: usize) -> Result<Module, Box<dyn std::error::Error>> {
    let body: String = (0..pieces).map(piece).collect();
    let text = format!("fn @f(%v0: [f64], %s0: f64) -> f64 {{\n{body}  ret %s{pieces}\n}}\n{STEP}");
    Ok(text::parse(&text)?.module())
}

/// The time of each pass, and the number of remaining instructions, in one run to the fixed point.
fn optimised(func: &Func, scope: &Scope<'_>) -> (Vec<Duration>, usize) {
    let times = RefCell::new(vec![Duration::ZERO; PASSES.len()]);
    let watch = |name: &str, _: bool, took: Duration| {
        let at = PASSES.iter().position(|pass| pass.name == name);
        times.borrow_mut()[at.expect("a pass has the name of one")] += took;
    };
    let after = Pipeline::optimising().unlabelled().watching(&watch).run(func, scope);
    let left = after.blocks.iter().map(|body| body.insts.len() + 1).sum();
    (times.into_inner(), left)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sizes = [2_usize, 20, 200];
    let mut columns = Vec::new();
    for pieces in sizes {
        let module = program(pieces)?;
        let func = module.defined(Symbol::new("f")).ok_or("there is an `f`")?;
        let callee = overdub_passes::callees(&module);
        let scope = Scope::new(&callee);
        // The fastest of some runs is closest to the cost of the work itself.
        let runs = (0..9).map(|_| optimised(&func, &scope));
        let best = runs.min_by_key(|(times, _)| times.iter().sum::<Duration>());
        columns.push(best.ok_or("there are some runs")?);
    }
    println!("passes, microseconds for each instruction that is left");
    println!("{:<12} {:>12} {:>12} {:>12}", "", "20 lines", "200 lines", "2000 lines");
    let row = |name: &str, time: &dyn Fn(&[Duration]) -> Duration| {
        let cells = columns
            .iter()
            .map(|(times, left)| format!(" {:>12.3}", time(times).as_secs_f64() * 1e6 / *left as f64));
        println!("{name:<12}{}", cells.collect::<String>());
    };
    for (at, pass) in PASSES.iter().enumerate().filter(|(_, pass)| pass.runs_in(Phase::Fixpoint)) {
        row(pass.name, &|times| times[at]);
    }
    row("all", &|times| times.iter().sum());
    Ok(())
}
