//! Hessian-vector products.

use std::hint::black_box;

use overdub_ad::transform::forward::Hvp;
use overdub_native::{Arg, OutSlot};

use super::measure::{EXPORTED, Fallible, Kind, Program, Row, check, fastest, seen};
use super::objectives::small;
use super::rows::{SMALL, valley};
use super::{exported, hand, peers};

pub(crate) fn row(name: &str) -> Fallible<Row> {
    let (x, dx) = (valley(1000), (0..1000).map(|i| f64::from(i % 5) - 2.0).collect::<Vec<_>>());
    let mut expected = vec![0.0; x.len()];
    hand::small::rosenbrock_product(&x, &dx, &mut expected);
    let program = Program::new("small.rs", SMALL)?;
    let hvp = Hvp::new(&program.engine, program.loaded.function("rosenbrock")?.symbol, &|_| true)?;
    let run = |product: &mut [f64]| {
        let called = hvp.call(&[Arg::slice(black_box(&x)), Arg::slice(&dx)], &mut [OutSlot::F64s(product)]);
        Fallible::Ok(called.ok_or("it is no machine code")??)
    };
    let [mut product, mut by_hand, mut by_exported] = [(); 3].map(|()| vec![0.0; x.len()]);
    run(&mut product)?;
    exported::rosenbrock_hvp::rosenbrock_hvp_into(&x, &dx, &mut by_exported);
    check(name, &product, &expected)?;
    check(name, &by_exported, &expected)?;
    let [ours, hand_gradient, hand_primal, exported] = fastest([
        &mut || seen(run(&mut product).is_ok()),
        &mut || hand::small::rosenbrock_product(black_box(&x), &dx, black_box(&mut by_hand)),
        &mut || seen(small::rosenbrock(black_box(&x))),
        &mut || {
            exported::rosenbrock_hvp::rosenbrock_hvp_into(black_box(&x), &dx, black_box(&mut by_exported))
        },
    ]);
    let peers = vec![(EXPORTED, exported)];
    let row = Row { name: name.to_owned(), kind: Kind::Program, ours, hand_gradient, hand_primal, peers };
    peers::curvature(row, &peers::programs::Rosenbrock, (&x, &dx), &expected)
}
