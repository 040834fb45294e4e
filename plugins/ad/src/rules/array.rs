//! Vectors, arrays of one axis: construction and access.

use overdub_context::ir::Operand;
use overdub_context::ops::*;

use super::adjoint::{Cot, Cotangents, PathStep};
use super::moves::{Application, augmented_only, moves, part};
use super::pushforward::same_op;
use super::{Row, zero};
use crate::float_pair::is_float;
use crate::refusal::Cause;

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&ARRAY, moves(same_op, array_adjoint)),
        (&REPEAT, moves(same_op, |cx, of, cot| repeated_adjoint(cx, of, &of.args[0], cot))),
        (&RANGE, zero()),
        (&LEN, zero()),
        (&GET, part(|cx, of| cx.same_op(&GET_UNCHECKED, of.args, of.dty), elem)),
        (&GET_UNCHECKED, part(same_op, elem)),
        (&GET_CHECKED, augmented_only()),
        (&SLICE, part(same_op, |args| Some(PathStep::From(args[1].clone())))),
        (&CONCAT, moves(same_op, concat_adjoint)),
    ]
}

fn elem(args: &[Operand]) -> Option<PathStep> {
    Some(PathStep::Elem(args[1].clone()))
}

fn array_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    for (k, arg) in (0_usize..).zip(of.args) {
        if cx.is_active(arg) {
            let dx = cx.op(&GET_UNCHECKED, [dy.clone(), k.into()])?;
            cx.add(arg, dx)?;
        }
    }
    Ok(())
}

/// The cotangent of a repeated element is the sum over all its copies.
pub(super) fn repeated_adjoint(
    cx: &mut dyn Cotangents,
    of: &Application<'_>,
    x: &Operand,
    cot: Cot,
) -> Result<(), Cause> {
    if !cx.is_active(x) {
        return Ok(());
    }
    let (dy, elem) = (cx.value_of(of.y, cot)?, cx.elem_of(&of.y.into())?);
    if is_float(elem) {
        let dx = cx.op(&ND_SUM, [dy])?;
        return cx.add(x, dx);
    }
    let (value, ty) = (cx.primal(x)?, cx.ty(x));
    let zero = cx.zero(&value, ty)?;
    let sum = cx.helpers().sum_of_elems(elem)?;
    let dx = cx.build().call(sum, [dy, zero], elem)?;
    cx.add(x, dx.into())
}

fn concat_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    let len = cx.op(&LEN, [dy.clone()])?;
    let first = cx.len_of(&of.args[0])?;
    if cx.is_active(&of.args[0]) {
        let dx = cx.op(&SLICE, [dy.clone(), 0_usize.into(), first.clone()])?;
        cx.add(&of.args[0], dx)?;
    }
    if cx.is_active(&of.args[1]) {
        let dx = cx.op(&SLICE, [dy, first, len])?;
        cx.add(&of.args[1], dx)?;
    }
    Ok(())
}
