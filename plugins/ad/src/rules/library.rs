//! Functions of `libm`, which compute on bits: the value is that of the function, the derivative is given by
//! a formula.
//!
//! - LIBM1 such a function is called unchanged, so its value is equal to the bit with and without a
//!   derivative.
//! - LIBM2 a function that is known only by its path, `math::sqrt::sqrt`, is compared with the operation at
//!   each call.

use std::collections::HashMap;
use std::f64::consts::{FRAC_2_SQRT_PI, LN_10};
use std::sync::LazyLock;

use overdub_context::Symbol;
use overdub_context::ir::{BuildError, FuncBuilder, Operand, Ty};
use overdub_context::ops::{self, Arity, Effects, OpCx, OpDef, OperandTys, TypeFault};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

use super::{Rule, partials, rule};
use crate::Expr;
use crate::expr::{exp, powf, round_ties_even};
use crate::float_pair::is_float;

/// The derivative of a library function.
#[derive(Clone, Copy)]
pub(crate) struct Library {
    pub(crate) rule: &'static Rule,
    /// The reference for its values (LIBM2).
    pub(crate) reference: Option<Reference>,
}

/// A reference for values (LIBM2).
#[derive(Clone, Copy)]
pub(crate) enum Reference {
    Op(&'static OpDef),
    Formula(fn(&[Expr]) -> Expr),
}

impl Reference {
    /// The reference value for these operands.
    pub(crate) fn emit(
        self,
        build: &mut FuncBuilder,
        operands: &[Operand],
        float: Ty,
    ) -> Result<Operand, BuildError> {
        match self {
            Reference::Op(op) => build.op(op, operands.iter().cloned()).map(Operand::from),
            Reference::Formula(formula) => {
                let symbols: Vec<Expr> = (0..operands.len()).map(Expr::operand).collect();
                formula(&symbols).emit(build, operands, &Operand::unit(), float)
            }
        }
    }
}

enum Row {
    /// The derivative of an operation.
    Op(&'static OpDef),
    /// A rule of its own, with the number of operands, and a formula for the value if there is one.
    CustomRule(Rule, usize, Option<fn(&[Expr]) -> Expr>),
}

/// The rows by the name of the `f64` function; that of the `f32` function has the suffix `f`.
static ROWS: LazyLock<HashMap<&'static str, Row>> = LazyLock::new(|| {
    let ops = OPS.iter().map(|(name, op)| (*name, Row::Op(op)));
    ops.chain([
        ("exp10", Row::CustomRule(partials(|_, y| [y * LN_10]), 1, Some(|x| powf(10.0, &x[0])))),
        ("erf", Row::CustomRule(partials(|x, _| [bell(&x[0]) * FRAC_2_SQRT_PI]), 1, None)),
        ("erfc", Row::CustomRule(partials(|x, _| [bell(&x[0]) * -FRAC_2_SQRT_PI]), 1, None)),
        (
            "nextafter",
            Row::CustomRule(partials(|_, _| [Expr::float(1.0), Expr::float(0.0)]), 2, Some(|x| x[0].clone())),
        ),
        (
            "remainder",
            Row::CustomRule(
                partials(|x, y| [Expr::float(1.0), (y - &x[0]) / &x[1]]),
                2,
                Some(|x| &x[0] - round_ties_even(&x[0] / &x[1]) * &x[1]),
            ),
        ),
    ])
    .collect()
});

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

/// `e^-x²`
fn bell(x: &Expr) -> Expr {
    exp(-(x * x))
}

/// The derivative of a function of these types, if it is a library function.
pub(crate) fn library(func: Symbol, params: &[Ty], ret: Ty) -> Option<Library> {
    let mut segments = func.as_str().rsplit("::");
    let (name, _file, folder) = (segments.next()?, segments.next()?, segments.next()?);
    if folder != "math" || !is_float(ret) || params.iter().any(|param| *param != ret) {
        return None;
    }
    let name = if ret == Ty::f32() { name.strip_suffix('f')? } else { name };
    let is_libm = func.starts_with("libm::");
    match ROWS.get(name)? {
        Row::Op(op) if op.arity == Arity::Exactly(params.len()) => {
            Some(Library { rule: rule(op)?, reference: (!is_libm).then_some(Reference::Op(op)) })
        }
        Row::CustomRule(rule, count, formula) if *count == params.len() && (is_libm || formula.is_some()) => {
            Some(Library { rule, reference: formula.filter(|_| !is_libm).map(Reference::Formula) })
        }
        Row::Op(_) | Row::CustomRule(..) => None,
    }
}

/// A value, compared with that of an operation (LIBM2).
pub(crate) static CHECKED_AGAINST: OpDef = OpDef {
    name: "ad.alike",
    arity: Arity::Exactly(2),
    ty: two_floats,
    effects: Effects::FAILS,
    eval: checked_against,
    doc: "A value, compared with the result of a reference operation.",
};

fn two_floats(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [x, y] if x == y && is_float(*x) => Ok(*x),
        _ => Err(TypeFault::takes("two floats of one type")),
    }
}

fn checked_against<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let near = |x: f64, y: f64, units: f64| {
        let within = units * x.abs().max(y.abs()) + f64::MIN_POSITIVE;
        x == y || x.is_nan() && y.is_nan() || (x - y).abs() <= within
    };
    let is_near = match args {
        [Value::F64(x), Value::F64(y)] => near(*x, *y, 16.0 * f64::EPSILON),
        [Value::F32(x), Value::F32(y)] => near(f64::from(*x), f64::from(*y), 16.0 * f64::from(f32::EPSILON)),
        _ => false,
    };
    if is_near { Ok(args[0].take()) } else { Err(unlike(args)) }
}

#[cold]
fn unlike(args: &[Value<'_>]) -> Failure {
    let message = format!(
        "a function of the name that `libm` has gives {:?} where that gives {:?}: its derivative is unknown",
        args.first(),
        args.get(1)
    );
    let help = "write a rule for the function, or give it another name";
    Failure::new(FailureKind::Domain, message).with_help(Some(help.to_owned()))
}
