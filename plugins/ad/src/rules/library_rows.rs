//! The rows of library functions, by the name of the `f64` function; that of the `f32` function has the suffix `f`.

use std::collections::HashMap;
use std::f64::consts::{FRAC_2_SQRT_PI, LN_10, PI};
use std::sync::LazyLock;

use overdub_context::ops::{self, Arity, OpDef};

use ComponentRow::{Discrete, Float, Op};

use super::{Rule, partials};
use crate::Expr;
use crate::expr::{cos, exp, ln, lt, mul_add, powf, round_ties_even, select, sin, trunc};

/// The value of a component, as a formula.
type Value = fn(&[Expr]) -> Expr;

/// The value and the derivative of a component of a result.
pub(super) enum ComponentRow {
    /// Those of an operation.
    Op(&'static OpDef),
    /// A rule of its own, and a formula for the value if there is one.
    Float(Rule, Option<Value>),
    /// An integer.
    Discrete,
}

/// The components of a function's result.
pub(super) struct Row {
    arity: Arity,
    components: Vec<ComponentRow>,
}

impl Row {
    pub(super) fn arity(&self) -> Arity {
        self.arity
    }

    pub(super) fn components(&self) -> &[ComponentRow] {
        &self.components
    }
}

/// The row of the `f64` function of a name.
pub(super) fn row(name: &str) -> Option<&'static Row> {
    static ROWS: LazyLock<HashMap<&'static str, Row>> = LazyLock::new(|| {
        let ops = OPS.iter().map(|(name, op)| (*name, Row { arity: op.arity, components: vec![Op(op)] }));
        ops.chain(rows()).collect()
    });
    ROWS.get(name)
}

fn rows() -> Vec<(&'static str, Row)> {
    let unary = |components| Row { arity: Arity::Exactly(1), components };
    let binary = |components| Row { arity: Arity::Exactly(2), components };
    vec![
        ("exp10", unary(vec![Float(partials(|_, y| [y * LN_10]), Some(|x| powf(10.0, &x[0])))])),
        ("erf", unary(vec![Float(partials(|x, _| [bell(&x[0]) * FRAC_2_SQRT_PI]), None)])),
        ("erfc", unary(vec![Float(partials(|x, _| [bell(&x[0]) * -FRAC_2_SQRT_PI]), None)])),
        ("lgamma", unary(vec![log_gamma()])),
        ("lgamma_r", unary(vec![log_gamma(), Discrete])),
        (
            "modf",
            unary(vec![Float(partials(|_, _| [one()]), Some(|x| &x[0] - trunc(&x[0]))), Op(&ops::TRUNC)]),
        ),
        (
            "nextafter",
            binary(vec![Float(partials(|_, _| [one(), Expr::float(0.0)]), Some(|x| x[0].clone()))]),
        ),
        ("remainder", binary(vec![remainder()])),
        ("remquo", binary(vec![remainder(), Discrete])),
        ("sincos", unary(vec![Op(&ops::SIN), Op(&ops::COS)])),
        ("tgamma", unary(vec![Float(partials(|x, y| [y * digamma(&x[0])]), None)])),
    ]
}

const OPS: &[(&str, &OpDef)] = &[
    ("acos", &ops::ACOS),
    ("acosh", &ops::ACOSH),
    ("asin", &ops::ASIN),
    ("asinh", &ops::ASINH),
    ("atan", &ops::ATAN),
    ("atan2", &ops::ATAN2),
    ("atanh", &ops::ATANH),
    ("cbrt", &ops::CBRT),
    ("ceil", &ops::CEIL),
    ("copysign", &ops::COPYSIGN),
    ("cos", &ops::COS),
    ("cosh", &ops::COSH),
    ("exp", &ops::EXP),
    ("exp2", &ops::EXP2),
    ("expm1", &ops::EXP_M1),
    ("fabs", &ops::ABS),
    ("fdim", &ops::ABS_SUB),
    ("floor", &ops::FLOOR),
    ("fma", &ops::MUL_ADD),
    ("fmax", &ops::MAX),
    ("fmin", &ops::MIN),
    ("fmod", &ops::REM),
    ("hypot", &ops::HYPOT),
    ("log", &ops::LN),
    ("log10", &ops::LOG10),
    ("log1p", &ops::LN_1P),
    ("log2", &ops::LOG2),
    ("pow", &ops::POWF),
    ("rint", &ops::ROUND_TIES_EVEN),
    ("round", &ops::ROUND),
    ("roundeven", &ops::ROUND_TIES_EVEN),
    ("sin", &ops::SIN),
    ("sinh", &ops::SINH),
    ("sqrt", &ops::SQRT),
    ("tan", &ops::TAN),
    ("tanh", &ops::TANH),
    ("trunc", &ops::TRUNC),
];

fn one() -> Expr {
    Expr::float(1.0)
}

/// `x - ny` for the integer `n` nearest to `x/y`.
fn remainder() -> ComponentRow {
    let partials = partials(|x, y| [one(), (y - &x[0]) / &x[1]]);
    Float(partials, Some(|x| mul_add(-round_ties_even(&x[0] / &x[1]), &x[1], &x[0])))
}

/// `ln |Γ(x)|`
fn log_gamma() -> ComponentRow {
    Float(partials(|x, _| [digamma(&x[0])]), None)
}

/// `e^-x²`
fn bell(x: &Expr) -> Expr {
    exp(-(x * x))
}

/// The derivative of `ln |Γ(x)|`: by its asymptotic series at `x + 8`, the recurrence `ψ(x) = ψ(x + 1) - 1/x`, and
/// the reflection `ψ(x) = ψ(1 - x) - π cot(πx)`.
fn digamma(x: &Expr) -> Expr {
    /// `B₂ₖ / 2k`
    const SERIES: [f64; 7] =
        [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0];
    const STEPS: u32 = 8;
    let is_reflected = lt(x, 0.0);
    let positive = select(&is_reflected, 1.0 - x, x);
    let far = &positive + f64::from(STEPS);
    let inverse_square = 1.0 / (&far * &far);
    let tail = SERIES.iter().rev().fold(Expr::float(0.0), |sum, term| (sum + *term) * &inverse_square);
    let steps = (1..STEPS).fold(1.0 / &positive, |sum, k| sum + 1.0 / (&positive + f64::from(k)));
    let psi = ln(&far) - 0.5 / &far - tail - steps;
    // The cotangent has period 1: the argument is reduced, without a rounding error.
    let angle = (x - round_ties_even(x)) * PI;
    let reflection = cos(&angle) * PI / sin(&angle);
    select(is_reflected, &psi - reflection, psi)
}
