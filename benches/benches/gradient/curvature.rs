//! Hessian-vector products, together with the gradient.

use std::hint::black_box;

use overdub_ad::transform::forward::ForwardTransform;
use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform};
use overdub_native::{Arg, Native, OutSlot};

use super::hand;
use super::measure::{Fallible, Kind, Program, Row, check, fastest, seen};
use super::objectives::small;
use super::peers;
use super::rows::{SMALL, valley};

pub(crate) fn row(name: &str) -> Fallible<Row> {
    let (x, v) = (valley(1000), (0..1000).map(|i| f64::from(i % 5) - 2.0).collect::<Vec<_>>());
    let (mut dx, mut dv) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    hand::small::rosenbrock_curvature(&x, &v, &mut dx, &mut dv);
    let program = Program::new("small.rs", SMALL)?;
    let symbol = program.loaded.function("rosenbrock")?.symbol;
    let loaded = program
        .engine
        .overdubbed(&(ForwardTransform::new(), ReverseTransform::new(ReverseOutput::Gradient)), symbol)?;
    let mut caller = Native::new().prepare(&program.engine.module(), loaded.name)?.caller();
    let (mut gradient, mut product) = (dx.clone(), vec![0.0; x.len()]);
    let mut run = || {
        let (mut value, mut slope) = (0.0, 0.0);
        let mut outs = [
            OutSlot::F64(&mut value),
            OutSlot::F64s(&mut gradient),
            OutSlot::F64(&mut slope),
            OutSlot::F64s(&mut product),
        ];
        caller.call(&[Arg::slice(black_box(&x)), Arg::slice(&v)], &mut outs)
    };
    run()?;
    let [ours, hand_gradient, hand_primal] = fastest([
        &mut || seen(run().is_ok()),
        &mut || hand::small::rosenbrock_curvature(black_box(&x), &v, black_box(&mut dx), &mut dv),
        &mut || seen(small::rosenbrock(black_box(&x))),
    ]);
    check(name, &[gradient, product].concat(), &[&dx[..], &dv].concat())?;
    let peers = Vec::new();
    let row = Row { name: name.to_owned(), kind: Kind::Program, ours, hand_gradient, hand_primal, peers };
    peers::curvature(row, &peers::programs::Rosenbrock, (&x, &v), &dv)
}
