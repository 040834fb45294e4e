//! Which derivatives of operations are zero everywhere, compared with finite differences.

use overdub_ad::rules::{Rule, nonzeros, rule};
use overdub_context::interp::Interpreter;
use overdub_context::ir::{FuncBuilder, Module, Operand, Ty};
use overdub_context::ops::{self, Arity, OpDef};

/// Points at which operations are evaluated: between 0 and 1, above 1, and below 0.
const POINTS: [[f64; 3]; 9] = [
    [0.37, 0.61, 0.83],
    [0.81, 0.23, 0.57],
    [1.73, 2.19, 3.1],
    [2.41, 1.37, 1.9],
    [-0.43, 0.71, 1.3],
    [0.9, -0.35, 0.2],
    [0.5, 0.2, 0.9],
    [0.1, 0.3, 0.9],
    [0.95, 0.1, 0.4],
];

/// A difference of first or second order above this is surely not zero.
const SURE: f64 = 1e-3;

/// The value of an operation, if it is defined there.
fn value(op: &'static OpDef, x: &[f64]) -> Option<f64> {
    let mut build = FuncBuilder::new("f", Ty::f64());
    let operands = x.iter().enumerate().map(|(at, x)| match *op == ops::POWI && at == 1 {
        true => Operand::from(3),
        false => Operand::from(*x),
    });
    let y = build.op(op, operands.collect::<Vec<_>>()).ok()?;
    build.ret(y).ok()?;
    let module = Module::new();
    module.define(build.finish().ok()?);
    Interpreter::new(&module).run("f", Vec::new()).ok()?.as_f64().filter(|y| y.is_finite())
}

/// The largest difference in operand `i`, or in `i` and `j`, over the points where all values exist.
fn largest(op: &'static OpDef, operands: usize, i: usize, j: Option<usize>) -> f64 {
    let h = if j.is_some() { 1e-3 } else { 1e-6 };
    let difference = |point: &[f64; 3]| {
        let at = |di: f64, dj: f64| {
            let mut x = point[..operands].to_vec();
            x[i] += di;
            if let Some(j) = j {
                x[j] += dj;
            }
            value(op, &x)
        };
        match j {
            None => Some((at(h, 0.0)? - at(-h, 0.0)?) / (2.0 * h)),
            Some(_) => Some((at(h, h)? - at(h, -h)? - at(-h, h)? + at(-h, -h)?) / (4.0 * h * h)),
        }
    };
    POINTS.iter().filter_map(difference).map(f64::abs).fold(0.0, f64::max)
}

#[test]
fn a_derivative_is_called_zero_exactly_where_differences_are() {
    let mut looked_at = 0;
    for op in ops::ALL.iter().copied().flatten().copied() {
        let (Arity::Exactly(operands), Some(Rule::Partials(_))) = (op.arity, rule(op)) else { continue };
        let Some([row]) = nonzeros(op, operands).as_deref().map(|rows| [rows[0].clone()]) else { continue };
        for i in 0..operands {
            // There are no differences in an integer.
            if *op == ops::POWI && i == 1 {
                assert!(!row.first(i));
                continue;
            }
            let slope = largest(op, operands, i, None);
            assert_eq!(row.first(i), slope > SURE, "{op:?} in operand {i}: differences give {slope}");
            for j in i..operands {
                let curve = largest(op, operands, i, Some(j));
                // A remainder jumps, and has step functions next to a jump: differences see those.
                let has_steps = [&ops::REM, &ops::REM_EUCLID, &ops::FRACT].contains(&op);
                let agrees = row.second(i, j) == (curve > SURE) || has_steps && !row.second(i, j);
                let is_powi = *op == ops::POWI && j == 1;
                assert!(agrees || is_powi, "{op:?} in operands {i} and {j}: differences give {curve}");
            }
            looked_at += 1;
        }
    }
    assert!(looked_at > 50, "only {looked_at} operands were looked at");
}
