//! Arrays of any rank: construction, reshaping, access to elements.

use overdub_context::ir::Operand;
use overdub_context::ops::*;

use super::adjoint::{Cot, Cotangents, PathStep};
use super::array_op::constant;
use super::moves::{Application, edits, moves, part, reads};
use super::pushforward::same_op;
use super::{Row, zero};
use crate::array_ops::UNBROADCAST;
use crate::expr::float_constant;
use crate::refusal::Cause;

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&ND_SHAPE, zero()),
        (&ND_FULL, reads(same_op, full_adjoint)),
        (&ND_FROM_ELEMS, reads(same_op, |cx, of, cot| linear_adjoint(cx, of, cot, &ND_ELEMS))),
        (&ND_ELEMS, reads(same_op, |cx, of, cot| shaped_adjoint(cx, of, cot, &ND_RESHAPE))),
        (&ND_RESHAPE, reads(same_op, |cx, of, cot| shaped_adjoint(cx, of, cot, &ND_RESHAPE))),
        (&ND_BROADCAST, reads(same_op, |cx, of, cot| shaped_adjoint(cx, of, cot, &UNBROADCAST))),
        (&UNBROADCAST, moves(same_op, |cx, of, cot| shaped_adjoint(cx, of, cot, &ND_BROADCAST))),
        (&ND_GET, part(same_op, |args| Some(PathStep::At(args[1..].to_vec())))),
        (&ND_SET, edits(same_op, set_adjoint)),
        (&ND_EYE, constant()),
    ]
}

/// Computes the first operand's cotangent by an operation on the result's cotangent alone.
pub(super) fn linear_adjoint(
    cx: &mut dyn Cotangents,
    of: &Application<'_>,
    cot: Cot,
    transposed: &'static OpDef,
) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    let dx = cx.op(transposed, [dy])?;
    cx.add(&of.args[0], dx)
}

/// Computes the first operand's cotangent by an operation on the result's cotangent and the operand's shape.
pub(super) fn shaped_adjoint(
    cx: &mut dyn Cotangents,
    of: &Application<'_>,
    cot: Cot,
    transposed: &'static OpDef,
) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    let (shape, dty) = (cx.shape_of(&of.args[0])?, cx.dty(&of.args[0])?);
    let dx = cx.op_as(transposed, [dy, shape], dty)?;
    cx.add(&of.args[0], dx)
}

fn full_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    let dx = cx.op(&ND_SUM, [dy])?;
    cx.add(&of.args[1], dx)
}

fn set_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    let ([array, at @ .., x], elem) = (of.args, cx.elem_of(&of.args[0])?) else {
        return Err(Cause::NoRule(of.op.name));
    };
    let at = at.iter().map(|at| cx.primal(at)).collect::<Result<Vec<Operand>, _>>()?;
    if cx.is_active(x) {
        let dx = cx.op(&ND_GET, [vec![dy.clone()], at.clone()].concat())?;
        cx.add(x, dx)?;
    }
    if cx.is_active(array) {
        let zero = float_constant(0.0, elem);
        let rest = cx.op(&ND_SET, [vec![dy], at, vec![zero]].concat())?;
        cx.add(array, rest)?;
    }
    Ok(())
}
