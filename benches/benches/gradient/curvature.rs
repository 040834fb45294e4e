//! The product of a Hessian with a direction: the gradient, with tangents.

use std::hint::black_box;

use overdub_ad::tangent::Curved;
use overdub_ad::whole::floats;

use super::hand;
use super::measure::{Fallible, Kind, Program, Row, check, fastest, seen};
use super::objectives::small;
use super::rows::{SMALL, valley, vector};

pub(crate) fn row(name: &str) -> Fallible<Row> {
    let (x, v) = (valley(1000), (0..1000).map(|i| f64::from(i % 5) - 2.0).collect::<Vec<_>>());
    let (mut dx, mut dv) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    hand::small::rosenbrock_curvature(&x, &v, &mut dx, &mut dv);
    let program = Program::new("small.rs", SMALL)?;
    let symbol = program.loaded.function("rosenbrock")?.symbol;
    let curved = Curved::new(&program.engine, symbol, &|_| true)?;
    let run = || curved.run(vec![vector(&x)], &mut v.iter().copied());
    check(name, &floats(&run()?[0]), &dv)?;
    let [ours, hand_gradient, hand_primal] = fastest([
        &mut || seen(run()),
        &mut || hand::small::rosenbrock_curvature(black_box(&x), &v, black_box(&mut dx), &mut dv),
        &mut || seen(small::rosenbrock(black_box(&x))),
    ]);
    Ok(Row { name: name.to_owned(), kind: Kind::Program, ours, hand_gradient, hand_primal })
}
