//! Arithmetic.

use overdub_context::ops::*;

use super::{Row, linear, partials, zero};
use crate::expr::{Expr, div_euclid, eq, gt, is_nan, lt, or, select, signum, trunc};

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&ADD, linear([1.0, 1.0])),
        (&SUB, linear([1.0, -1.0])),
        (&MUL, partials(|x, _| [x[1].clone(), x[0].clone()])),
        (&MUL_ZERO, partials(|x, _| [x[1].clone(), x[0].clone()])),
        (&DIV, partials(|x, y| [1.0 / &x[1], -(y / &x[1])])),
        (&REM, partials(|x, _| [one(), -trunc(&x[0] / &x[1])])),
        (&NEG, linear([-1.0])),
        (&ABS, partials(|x, _| [select(eq(&x[0], 0.0), 0.0, signum(&x[0]))])),
        (&SIGNUM, zero()),
        (&DIV_EUCLID, zero()),
        (&REM_EUCLID, partials(|x, _| [one(), -div_euclid(&x[0], &x[1])])),
        (&MIN, partials(|x, _| chosen(or(lt(&x[0], &x[1]), first_of_ties(x))))),
        (&MAX, partials(|x, _| chosen(or(gt(&x[0], &x[1]), first_of_ties(x))))),
        (
            &ABS_SUB,
            partials(|x, _| {
                let above = gt(&x[0], &x[1]);
                [select(&above, 1.0, 0.0), select(above, -1.0, 0.0)]
            }),
        ),
        (&MUL_ADD, partials(|x, _| [x[1].clone(), x[0].clone(), one()])),
    ]
}

fn one() -> Expr {
    Expr::float(1.0)
}

/// Selects the first operand if both are equal, or if the second is NaN.
fn first_of_ties(x: &[Expr]) -> Expr {
    or(eq(&x[0], &x[1]), is_nan(&x[1]))
}

fn chosen(first: Expr) -> [Expr; 2] {
    [select(&first, 1.0, 0.0), select(first, 0.0, 1.0)]
}
