//! The steps for which all targets have code.

use overdub_context::ir::IntTy;
use overdub_context::ops;

use crate::program::{Arith, Binary, Function, OfOne, Relation, Step, Unary};

/// The bits that a type has less than a word.
pub(super) fn spare(int: IntTy) -> u32 {
    64 - int.bits().min(64)
}

/// How a function of one float rounds, if it is one that does.
pub(super) fn rounding(function: &Function<OfOne>) -> Option<u32> {
    // Without the exception for what is inexact.
    match function.op {
        op if *op == ops::FLOOR => Some(0b1001),
        op if *op == ops::CEIL => Some(0b1010),
        op if *op == ops::TRUNC => Some(0b1011),
        _ => None,
    }
}

/// What comparisons of floats are told: ordered and quiet, apart from `!=`.
pub(super) fn of_floats(relation: Relation) -> u32 {
    match relation {
        Relation::Eq => 0x00,
        Relation::Ne => 0x04,
        Relation::Lt => 0x11,
        Relation::Le => 0x12,
        Relation::Gt => 0x1e,
        Relation::Ge => 0x1d,
    }
}

/// Whether all targets have code for a step.
pub(super) fn has(step: &Step) -> bool {
    match step {
        Step::Unary(op, ..) => {
            matches!(op, Unary::Neg | Unary::Abs | Unary::Sqrt | Unary::FromSigned | Unary::FromUnsigned)
        }
        Step::Binary(op, ..) => *op != Binary::Powf,
        Step::Checked(op, int, ..) => *op != Arith::Mul || spare(*int) > 0,
        Step::Call(function, ..) => rounding(function).is_some() || *function.op == ops::RECIP,
        Step::Call2(function, ..) => *function.op == ops::MIN || *function.op == ops::MAX,
        Step::Wrapping(..)
        | Step::Wrap(..)
        | Step::ToInt(..)
        | Step::Compare(..)
        | Step::Logic(..)
        | Step::Select(..)
        | Step::SelectMask(..)
        | Step::Gather(..)
        | Step::Require(..) => true,
        Step::Division(..)
        | Step::StackNew(_)
        | Step::Push(..)
        | Step::Pop(..)
        | Step::Peek(..)
        | Step::StackLen(..)
        | Step::Repeat(..)
        | Step::List(..)
        | Step::Set(..)
        | Step::Element(..)
        | Step::ArrayLen(..)
        | Step::Eval(_) => false,
    }
}
