//! Which operations run in lanes, and how.

use overdub_context::ops::{self, Effects, OpDef};
use overdub_passes::fast_math::POWF_FAST;

use super::integers::wrapping;
use super::is_scalar;
use crate::ast::{Apply, Callee, Expr};
use crate::checked::{checked, is_total};

/// How an operation on scalars runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// By a few instructions, for all lanes at once.
    Simd,
    /// By a call or a loop, for one lane after the other.
    Call,
    /// As integer arithmetic that may fail.
    Checked,
    /// As a value between two bounds, which fails if they are in another order.
    Clamp,
    /// Not at all.
    None,
}

/// How an operation runs.
pub(super) fn kind(op: &'static OpDef, apply: &Apply) -> Kind {
    let is_part = op == &ops::FIELD && matches!(&apply.args[0].expr, Expr::Apply(_));
    let is_pair = OVERFLOWING.contains(&op);
    if !is_pair && !is_scalar(apply.ty) || !is_part && !apply.tys.iter().all(|ty| is_scalar(*ty)) {
        return Kind::None;
    }
    let is_float = apply.tys.iter().any(|ty| matches!(ty.kind(), overdub_context::ir::TyKind::Float(_)));
    match () {
        () if is_part || is_pair => Kind::Simd,
        () if checked(op).is_some() && !is_float => match is_total(op, apply) {
            true => Kind::Simd,
            false => Kind::Checked,
        },
        () if op == &ops::CLAMP => Kind::Clamp,
        () if op == &ops::REM => Kind::Call,
        () if SIMD.contains(&op) => Kind::Simd,
        () if CALLS.contains(&op) && is_float => Kind::Call,
        () if op.effects_on(&apply.tys) == Effects::PURE => Kind::Call,
        () => Kind::None,
    }
}

/// Whether it gives a result and whether that overflowed.
pub(super) fn is_pair(apply: &Apply) -> bool {
    matches!(apply.callee, Callee::Op(op) if OVERFLOWING.contains(&op))
}

/// Whether an expression has no parts that call, or may fail, and no lists.
pub(super) fn is_simple(expr: &Expr) -> bool {
    match expr {
        Expr::Const(..) | Expr::Local(_) => true,
        Expr::Apply(apply) => match apply.callee {
            Callee::Op(op) => {
                let of_parts = apply.args.iter().all(|arg| is_simple(&arg.expr));
                let is_wrapped = apply.is_exact && wrapping(op).is_some() && op != &ops::POW;
                let is_simple = match kind(op, apply) {
                    Kind::Simd => true,
                    Kind::Checked => is_wrapped,
                    Kind::Call | Kind::Clamp | Kind::None => op == &ops::LEN,
                };
                is_simple && of_parts
            }
            _ => false,
        },
    }
}

const OVERFLOWING: &[&OpDef] =
    &[&ops::ADD_OVERFLOWING, &ops::SUB_OVERFLOWING, &ops::MUL_OVERFLOWING, &ops::NEG_OVERFLOWING];

/// Functions of floats that fail on lists alone.
const CALLS: &[&OpDef] = &[
    &ops::POWI,
    &ops::HYPOT,
    &ops::POWF,
    &POWF_FAST,
    &ops::ATAN2,
    &ops::LOG,
    &ops::MUL_ADD,
    &ops::REM_EUCLID,
    &ops::DIV_EUCLID,
];

/// Operations for which processors have instructions, which compilers use for lanes.
const SIMD: &[&OpDef] = &[
    &ops::ADD,
    &ops::SUB,
    &ops::MUL,
    &ops::DIV,
    &ops::NEG,
    &ops::ABS,
    &ops::MUL_ZERO,
    &ops::SQRT,
    &ops::FLOOR,
    &ops::CEIL,
    &ops::TRUNC,
    &ops::ROUND_TIES_EVEN,
    &ops::FRACT,
    &ops::COPYSIGN,
    &ops::RECIP,
    &ops::TO_DEGREES,
    &ops::TO_RADIANS,
    &ops::MIN,
    &ops::MAX,
    &ops::SIGNUM,
    &ops::IS_NAN,
    &ops::IS_SIGN_POSITIVE,
    &ops::IS_SIGN_NEGATIVE,
    &ops::IS_FINITE,
    &ops::IS_INFINITE,
    &ops::EQ,
    &ops::NE,
    &ops::LT,
    &ops::LE,
    &ops::GT,
    &ops::GE,
    &ops::AND,
    &ops::OR,
    &ops::XOR,
    &ops::NOT,
    &ops::ADD_WRAPPING,
    &ops::SUB_WRAPPING,
    &ops::MUL_WRAPPING,
    &ops::NEG_WRAPPING,
    &ops::SHL_WRAPPING,
    &ops::SHR_WRAPPING,
    &ops::ADD_SATURATING,
    &ops::SUB_SATURATING,
    &ops::CAST,
    &ops::FROM_BITS,
    &ops::TO_BITS,
    &ops::SELECT,
];
