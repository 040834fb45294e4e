//! Vectors, arrays of one axis: construction and access.

use overdub_context::ir::Operand;
use overdub_context::ops::*;

use super::adjoint::{Cot, Cotangents, PathStep};
use super::moves::{Application, augmented_only, moves, part};
use super::pushforward::alike;
use super::{Row, zero};
use crate::float_pair::is_float;
use crate::refusal::Cause;

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&ARRAY, moves(alike, array_back)),
        (&REPEAT, moves(alike, |cx, of, cot| repeated_back(cx, of, &of.args[0], cot))),
        (&RANGE, zero()),
        (&LEN, zero()),
        (&GET, part(|cx, of| cx.alike(&GET_UNCHECKED, of.args, of.dty), elem)),
        (&GET_UNCHECKED, part(alike, elem)),
        (&GET_CHECKED, augmented_only()),
        (&SLICE, part(alike, |args| Some(PathStep::From(args[1].clone())))),
        (&CONCAT, moves(alike, concat_back)),
    ]
}

fn elem(args: &[Operand]) -> Option<PathStep> {
    Some(PathStep::Elem(args[1].clone()))
}

fn array_back(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.whole_of(of.y, cot)?;
    for (k, arg) in (0_usize..).zip(of.args) {
        if cx.is_active(arg) {
            let dx = cx.op(&GET_UNCHECKED, [dy.clone(), k.into()])?;
            cx.add(arg, dx)?;
        }
    }
    Ok(())
}

/// The cotangent of a repeated element is the sum over all its copies.
pub(super) fn repeated_back(
    cx: &mut dyn Cotangents,
    of: &Application<'_>,
    x: &Operand,
    cot: Cot,
) -> Result<(), Cause> {
    if !cx.is_active(x) {
        return Ok(());
    }
    let (dy, elem) = (cx.whole_of(of.y, cot)?, cx.elem_of(&of.y.into())?);
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

fn concat_back(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.whole_of(of.y, cot)?;
    let whole = cx.op(&LEN, [dy.clone()])?;
    let first = cx.len_of(&of.args[0])?;
    if cx.is_active(&of.args[0]) {
        let dx = cx.op(&SLICE, [dy.clone(), 0_usize.into(), first.clone()])?;
        cx.add(&of.args[0], dx)?;
    }
    if cx.is_active(&of.args[1]) {
        let dx = cx.op(&SLICE, [dy, first, whole])?;
        cx.add(&of.args[1], dx)?;
    }
    Ok(())
}
