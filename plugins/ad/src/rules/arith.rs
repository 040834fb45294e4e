//! Arithmetic.

use overdub_context::ops::*;

use super::{Row, factored, linear, partials, zero};
use crate::expr::{Expr, eq, gt, is_nan, lt, or, round_ties_even, select, signum};

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&ADD, linear([1.0, 1.0])),
        (&SUB, linear([1.0, -1.0])),
        (&MUL, partials(|x, _| [x[1].clone(), x[0].clone()])),
        (&MUL_ZERO, partials(|x, _| [x[1].clone(), x[0].clone()])),
        (&DIV, factored(|x, y| (1.0 / &x[1], [one(), -y]))),
        (&REM, partials(|x, y| [one(), -quotient(x, y)])),
        (&NEG, linear([-1.0])),
        (&ABS, partials(|x, _| [select(eq(&x[0], 0.0), 0.0, signum(&x[0]))])),
        (&SIGNUM, zero()),
        (&DIV_EUCLID, zero()),
        (&REM_EUCLID, partials(|x, y| [one(), -quotient(x, y)])),
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

/// The integer by which the remainder is `x - n y`: `x / y` may be rounded up to the next one, as in `1.0 % 0.1`.
fn quotient(x: &[Expr], remainder: &Expr) -> Expr {
    round_ties_even((&x[0] - remainder) / &x[1])
}

/// Selects the first operand if both are equal, or if the second is NaN.
fn first_of_ties(x: &[Expr]) -> Expr {
    or(eq(&x[0], &x[1]), is_nan(&x[1]))
}

fn chosen(first: Expr) -> [Expr; 2] {
    [select(&first, 1.0, 0.0), select(first, 0.0, 1.0)]
}
