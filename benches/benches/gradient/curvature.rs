//! The product of a Hessian with a direction: forward mode over the gradient.

use std::hint::black_box;
use std::sync::Arc;

use overdub_ad::forward::Forward;
use overdub_ad::reverse::{Gives, Transform};
use overdub_ad::whole::floats;
use overdub_context::ir::Ty;
use overdub_context::value::{Array, Composite, Value};

use super::hand;
use super::measure::{Fallible, Kind, Program, Row, check, fastest, seen};
use super::objectives::small;
use super::rows::{SMALL, valley};

/// A number of the type of dual numbers.
fn dual(ty: Ty, x: f64, dx: f64) -> Value<'static> {
    let parts = [x, dx].map(Value::F64).into_iter().collect();
    Value::Composite(Arc::new(Composite { ty: Some(ty), tag: 0, parts }))
}

pub(crate) fn row(name: &str) -> Fallible<Row> {
    let (x, v) = (valley(1000), (0..1000).map(|i| f64::from(i % 5) - 2.0).collect::<Vec<_>>());
    let (mut dx, mut dv) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    hand::small::rosenbrock_curvature(&x, &v, &mut dx, &mut dv);
    let expected: Vec<f64> = dx.iter().zip(&dv).flat_map(|(dx, dv)| [*dx, *dv]).collect();
    let program = Program::new("small.rs", SMALL)?;
    let symbol = program.loaded.function("rosenbrock")?.symbol;
    let cx = (Forward::ONE.context(), Transform::new(Gives::Gradient));
    let made = program.engine.overdubbed(&cx, symbol)?;
    let tys: Vec<Ty> = made.param_tys().collect();
    let elem = tys[0].as_array().ok_or("the argument is a vector")?.elem;
    let duals = x.iter().zip(&v).map(|(x, v)| dual(elem, *x, *v));
    let point = Value::from(Array::from_values(elem, duals).ok_or("all are of one type")?);
    let args = vec![point, dual(tys[1], 1.0, 0.0)];
    let prepared = program.engine.prepare(&cx, symbol);
    check(name, &floats(&prepared.run(args.clone())?)[2..], &expected)?;
    let [ours, hand_gradient, hand_primal] = fastest([
        &mut || seen(prepared.run(args.clone()).is_ok()),
        &mut || hand::small::rosenbrock_curvature(black_box(&x), &v, black_box(&mut dx), &mut dv),
        &mut || seen(small::rosenbrock(black_box(&x))),
    ]);
    Ok(Row { name: name.to_owned(), kind: Kind::Program, ours, hand_gradient, hand_primal })
}
