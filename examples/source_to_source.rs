//! What does the derivative of a program look like as a program?
//!
//! The straight-line program of *Don't Unroll Adjoint* (Innes 2018): `q = p·x·5`, `v = 2pq + 3r`, printed in
//! A-normal form, with explicit duplications, with interleaved tangents, and with its reverse sweep.

use std::sync::Arc;

use overdub::context::engine::Engine;
use overdub::context::ir::Func;
use overdub::context::{Symbol, text};
use overdub::passes::{Optimising, Pipeline, Scope, by_name};
use overdub_ad::dual::Duals;
use overdub_ad::transform::reverse::reverse;

const PROGRAM: &str = "
fn @v(%x: f64, %y: f64) -> f64 {
  %p: f64 = mul 7.0, %x
  %r: f64 = div 1.0, %y
  %px: f64 = mul %p, %x
  %q: f64 = mul %px, 5.0
  %2p: f64 = mul 2.0, %p
  %2pq: f64 = mul %2p, %q
  %3r: f64 = mul 3.0, %r
  %v: f64 = add %2pq, %3r
  ret %v
}
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::builder(text::parse(PROGRAM)?.module()).optimizer(Optimising).build();
    let plain = engine.program().func("v".into())?.ok_or("it was just defined")?;
    println!("The program:\n\n{plain}\n");
    println!("What is used twice, duplicated:\n\n{}\n", duplicated(&plain));

    let forward = engine.overdubbed(&Duals::ONE.context(), "v")?;
    println!("Forward, each number a pair of itself and its tangent:\n\n{forward}\n");

    let lookup = |name: Symbol| engine.program().func(name);
    let reversed = reverse(&lookup, "v".into(), &[true, true])?;
    let gradient = reversed.funcs.iter().find(|func| func.name == reversed.gradient);
    println!("Reverse, the way there and the way back:\n\n{}", gradient.ok_or("it is among them")?);
    Ok(())
}

/// Every variable is used once: further uses read a `dup`, which becomes a sum in the reverse sweep.
fn duplicated(func: &Func) -> Func {
    let nothing = |_: Symbol| None::<Arc<Func>>;
    Pipeline::once(by_name("dup")).run(func, &Scope::new(&nothing))
}
