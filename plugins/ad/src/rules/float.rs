//! Functions of floats.

use std::f64::consts::{LN_2, LOG2_E, LOG10_E, PI};

use overdub_context::ops::*;

use super::{Row, Rule, TuplePart, factored, partials, zero};
use crate::expr::{
    Expr, and, cos, cosh, eq, exp, ge, gt, hypot, le, ln, lt, mul_zero, powf, powi, select, signum, sin,
    sinh, sqrt, sub_saturating, to_float,
};

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&SQRT, partials(|_, y| [0.5 / y])),
        (&CBRT, partials(|_, y| [1.0 / (3.0 * (y * y))])),
        (&SIN, partials(|x, _| [cos(&x[0])])),
        (&COS, partials(|x, _| [-sin(&x[0])])),
        (
            &SIN_COS,
            Rule::Parts(|x| {
                let (sin, cos) = (sin(&x[0]), cos(&x[0]));
                vec![
                    TuplePart { value: sin.clone(), partials: vec![cos.clone()] },
                    TuplePart { value: cos, partials: vec![-sin] },
                ]
            }),
        ),
        (&TAN, partials(|_, y| [1.0 + y * y])),
        (&ASIN, partials(|x, _| [1.0 / sqrt(within(&x[0]))])),
        (&ACOS, partials(|x, _| [-1.0 / sqrt(within(&x[0]))])),
        (&ATAN, partials(|x, _| [1.0 / (1.0 + &x[0] * &x[0])])),
        (
            &ATAN2,
            factored(|x, _| {
                let h = hypot(&x[0], &x[1]);
                (1.0 / &h, [&x[1] / &h, -(&x[0] / &h)])
            }),
        ),
        (&SINH, partials(|x, _| [cosh(&x[0])])),
        (&COSH, partials(|x, _| [sinh(&x[0])])),
        (&TANH, partials(|_, y| [within(y)])),
        (&ASINH, partials(|x, _| [1.0 / hypot(&x[0], 1.0)])),
        (&ACOSH, partials(|x, _| [1.0 / (sqrt(&x[0] - 1.0) * sqrt(&x[0] + 1.0))])),
        (&ATANH, partials(|x, _| [1.0 / within(&x[0])])),
        (&EXP, partials(|_, y| [y.clone()])),
        (&EXP2, partials(|_, y| [y * LN_2])),
        (&EXP_M1, partials(|x, _| [exp(&x[0])])),
        (&LN, partials(|x, _| [1.0 / &x[0]])),
        (&LN_1P, partials(|x, _| [1.0 / (1.0 + &x[0])])),
        (&LOG2, partials(|x, _| [LOG2_E / &x[0]])),
        (&LOG10, partials(|x, _| [LOG10_E / &x[0]])),
        (&LOG, factored(|x, y| (1.0 / ln(&x[1]), [1.0 / &x[0], -(y / &x[1])]))),
        (&HYPOT, partials(|x, y| [0, 1].map(|k| select(eq(y, 0.0), 0.0, &x[k] / y)))),
        (&POWF, partials(|x, y| [in_base(&x[0], &x[1]), in_exponent(&x[0], &x[1], y)])),
        (
            &POWI,
            partials(|x, _| {
                let less = sub_saturating(&x[1], Expr::int(1));
                [mul_zero(to_float(&x[1]), powi(&x[0], less)), Expr::float(0.0)]
            }),
        ),
        (
            &CLAMP,
            partials(|x, _| {
                let (below, above) = (lt(&x[0], &x[1]), gt(&x[0], &x[2]));
                let inside = and(ge(&x[0], &x[1]), le(&x[0], &x[2]));
                [select(inside, 1.0, 0.0), select(below, 1.0, 0.0), select(above, 1.0, 0.0)]
            }),
        ),
        (&FLOOR, zero()),
        (&CEIL, zero()),
        (&ROUND, zero()),
        (&ROUND_TIES_EVEN, zero()),
        (&TRUNC, zero()),
        (&FRACT, partials(|_, _| [Expr::float(1.0)])),
        (
            &COPYSIGN,
            partials(|x, _| {
                let same = signum(&x[0]) * signum(&x[1]);
                [select(eq(&x[0], 0.0), 0.0, same), Expr::float(0.0)]
            }),
        ),
        (&RECIP, factored(|_, y| (y.clone(), [-y]))),
        (&TO_DEGREES, partials(|_, _| [Expr::float(180.0 / PI)])),
        (&TO_RADIANS, partials(|_, _| [Expr::float(PI / 180.0)])),
        (&NEXT_UP, partials(|_, _| [Expr::float(1.0)])),
        (&NEXT_DOWN, partials(|_, _| [Expr::float(1.0)])),
    ]
}

/// `1 - x²`, precise near 1.
fn within(x: &Expr) -> Expr {
    (1.0 - x) * (1.0 + x)
}

/// `x^y` is constant in `x` for the exponent 0, also at 0.
fn in_base(x: &Expr, y: &Expr) -> Expr {
    mul_zero(y, powf(x, y - 1.0))
}

/// `0^y` is constant for `y > 0` and has a jump at 0.
fn in_exponent(x: &Expr, y: &Expr, result: &Expr) -> Expr {
    let at_zero = select(gt(y, 0.0), 0.0, f64::NAN);
    select(eq(x, 0.0), at_zero, mul_zero(result, ln(x)))
}
