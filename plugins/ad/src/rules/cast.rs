//! Conversions between kinds of numbers, choices and copies.

use overdub_context::ops::*;

use super::adjoint::{Cot, Cotangents, first};
use super::moves::{Application, edits, moves};
use super::pushforward::same_op;
use super::{Row, Rule};
use crate::cotangent::holds_array;
use crate::refusal::Cause;

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&CAST, Rule::Cast),
        (&FROM_BITS, Rule::Refuse("the bits of a float do not vary smoothly; compute with the float itself")),
        (&SELECT, moves(same_op, select_adjoint)),
        (&DUP, edits(same_op, first)),
        (&BLACK_BOX, edits(same_op, first)),
    ]
}

fn select_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let [cond, then, otherwise] = of.args else { return Err(Cause::NoRule(of.op.name)) };
    let dy = cx.value_of(of.y, cot)?;
    if holds_array(of.dty) {
        return Err(Cause::Type(cx.ty(&of.y.into())));
    }
    let cond = cx.primal(cond)?;
    let zero = cx.scalar_zero(of.dty)?;
    if cx.is_active(then) {
        let dx = cx.op(&SELECT, [cond.clone(), dy.clone(), zero.clone()])?;
        cx.add(then, dx)?;
    }
    if cx.is_active(otherwise) {
        let dx = cx.op(&SELECT, [cond, zero, dy])?;
        cx.add(otherwise, dx)?;
    }
    Ok(())
}
