//! Arrays of any rank: their axes and parts.

use overdub_context::ir::Operand;
use overdub_context::ops::*;

use super::Row;
use super::adjoint::{Cot, Cotangents, PathStep, index};
use super::array_op::by_array_rule;
use super::moves::{Application, edits, moves, part, reads};
use super::nd::{linear_adjoint, shaped_adjoint};
use super::pushforward::same_op;
use crate::array_ops::{UNDIAG, UNSLICE};
use crate::refusal::Cause;

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&ND_TRANSPOSE, reads(same_op, |cx, of, cot| linear_adjoint(cx, of, cot, &ND_TRANSPOSE))),
        (&ND_PERMUTE, reads(same_op, permute_adjoint)),
        (&ND_SLICE_AXIS, reads(same_op, slice_axis_adjoint)),
        (&UNSLICE, moves(same_op, unslice_adjoint)),
        (&ND_INDEX_AXIS, part(same_op, |args| Some(PathStep::Axis(args[1].clone(), args[2].clone())))),
        (&ND_SET_AXIS, edits(same_op, set_axis_adjoint)),
        (&ND_STACK, reads(same_op, stack_adjoint)),
        (&ND_CONCAT, reads(same_op, concat_adjoint)),
        (&ND_DIAG, reads(same_op, |cx, of, cot| shaped_adjoint(cx, of, cot, &UNDIAG))),
        (&UNDIAG, moves(same_op, |cx, of, cot| linear_adjoint(cx, of, cot, &ND_DIAG))),
        (
            &ND_FROM_DIAG,
            by_array_rule(
                same_op,
                |cx, of, cot| linear_adjoint(cx, of, cot, &ND_DIAG),
                Some(|_| from_diag()),
            ),
        ),
    ]
}

fn from_diag() -> String {
    "let mut m = Array2::zeros((a.len(), a.len()));
    for at in 0..a.len() { m[[at, at]] = a[at]; }
    m"
    .to_owned()
}

fn permute_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    let axes = &of.args[1..];
    let place = |axis: i64| axes.iter().position(|arg| index(arg) == Some(axis)).unwrap_or(0) as i64;
    let inverse: Vec<Operand> = (0..axes.len() as i64).map(|axis| place(axis).into()).collect();
    let dx = cx.op(&ND_PERMUTE, [vec![dy], inverse].concat())?;
    cx.add(&of.args[0], dx)
}

fn slice_axis_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    let (shape, dty) = (cx.shape_of(&of.args[0])?, cx.dty(&of.args[0])?);
    let mut operands = vec![dy, shape, of.args[1].clone()];
    for arg in &of.args[2..] {
        operands.push(cx.primal(arg)?);
    }
    let dx = cx.op_as(&UNSLICE, operands, dty)?;
    cx.add(&of.args[0], dx)
}

fn unslice_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let mut operands = vec![cx.value_of(of.y, cot)?, of.args[2].clone()];
    for arg in &of.args[3..] {
        operands.push(cx.primal(arg)?);
    }
    let dx = cx.op(&ND_SLICE_AXIS, operands)?;
    cx.add(&of.args[0], dx)
}

fn set_axis_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let [array, axis, at, part] = of.args else { return Err(Cause::NoRule(of.op.name)) };
    let dy = cx.value_of(of.y, cot)?;
    let at = cx.primal(at)?;
    let dx = cx.op(&ND_INDEX_AXIS, [dy.clone(), axis.clone(), at.clone()])?;
    if cx.is_active(array) {
        let ty = cx.build().ty(&dx)?;
        let zeros = cx.zero(&dx, ty)?;
        let rest = cx.op(&ND_SET_AXIS, [dy, axis.clone(), at, zeros])?;
        cx.add(array, rest)?;
    }
    cx.add(part, dx)
}

fn stack_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    for (k, part) in (0_usize..).zip(&of.args[1..]) {
        if cx.is_active(part) {
            let dx = cx.op(&ND_INDEX_AXIS, [dy.clone(), of.args[0].clone(), k.into()])?;
            cx.add(part, dx)?;
        }
    }
    Ok(())
}

fn concat_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    let axis = &of.args[0];
    let mut from = Operand::from(0_usize);
    for part in &of.args[1..] {
        let shape = cx.shape_of(part)?;
        let len = cx.op(&GET, [shape, axis.clone()])?;
        let to = cx.op(&ADD_WRAPPING, [from.clone(), len])?;
        if cx.is_active(part) {
            let operands = [dy.clone(), axis.clone(), from, to.clone(), Operand::from(1_i64)];
            let dx = cx.op(&ND_SLICE_AXIS, operands)?;
            cx.add(part, dx)?;
        }
        from = to;
    }
    Ok(())
}
