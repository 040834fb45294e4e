//! Functions of `libm`, which compute through bits what a formula says: the value is theirs, the derivative its.
//!
//! - Y1 such a function is called as it is, so its value is the same bit for bit with a derivative and without.
//! - Y2 what only has the layout of that library, `math::sqrt::sqrt`, is held against the operation at each call.

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
use crate::augment::is_float;
use crate::expr::{exp, powf, round_ties_even};

/// What the derivative of a function is.
#[derive(Clone, Copy)]
pub(crate) struct Library {
    pub(crate) rule: &'static Rule,
    /// What its values are held against (Y2).
    pub(crate) like: Option<Like>,
}

/// What values are held against (Y2).
#[derive(Clone, Copy)]
pub(crate) enum Like {
    Op(&'static OpDef),
    Formula(fn(&[Expr]) -> Expr),
}

impl Like {
    /// What it gives for these operands.
    pub(crate) fn emit(
        self,
        build: &mut FuncBuilder,
        operands: &[Operand],
        float: Ty,
    ) -> Result<Operand, BuildError> {
        match self {
            Like::Op(op) => build.op(op, operands.iter().cloned()).map(Operand::from),
            Like::Formula(formula) => {
                let symbols: Vec<Expr> = (0..operands.len()).map(Expr::operand).collect();
                formula(&symbols).emit(build, operands, &Operand::unit(), float)
            }
        }
    }
}

enum Row {
    /// The derivative of an operation.
    Op(&'static OpDef),
    /// A derivative of its own, in so many operands, and what it gives, where there is a formula for that.
    CustomRule(Rule, usize, Option<fn(&[Expr]) -> Expr>),
}

/// By the name of the function of `f64`; that of `f32` ends in one `f` more.
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

/// What the derivative of a function with these types is, if it is one of those.
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
            Some(Library { rule: rule(op)?, like: (!is_libm).then_some(Like::Op(op)) })
        }
        Row::CustomRule(rule, count, formula) if *count == params.len() && (is_libm || formula.is_some()) => {
            Some(Library { rule, like: formula.filter(|_| !is_libm).map(Like::Formula) })
        }
        Row::Op(_) | Row::CustomRule(..) => None,
    }
}

/// A value, held against what an operation gives in its place (Y2).
pub(crate) static ALIKE: OpDef = OpDef {
    name: "ad.alike",
    arity: Arity::Exactly(2),
    ty: two_floats,
    effects: Effects::FAILS,
    eval: alike,
    doc: "A value, held against what an operation gives in its place.",
};

fn two_floats(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [x, y] if x == y && is_float(*x) => Ok(*x),
        _ => Err(TypeFault::takes("two floats of one type")),
    }
}

fn alike<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
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
