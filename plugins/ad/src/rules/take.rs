//! Parts moved out of composites and arrays: the remainder has a hole where the part was, or still has the part if that
//! consists of scalars.

use overdub_context::ir::Ty;
use overdub_context::ops::*;

use super::Row;
use super::adjoint::{Cot, Cotangents, number};
use super::composite::{add_other_fields, only_field};
use super::moves::{Application, splits};
use super::pushforward::{self, same_op};
use crate::cotangent::parts_of;
use crate::refusal::Cause;

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&TAKE_FIELD, splits(same_op, take_field_adjoint)),
        (&TAKE_PAYLOAD, splits(pushforward::none, take_payload_adjoint)),
        (&TAKE_ELEM, splits(same_op, take_elem_adjoint)),
    ]
}

/// Whether the remainder still has the part, so that the part's cotangent is that of both.
fn keeps_part(cx: &dyn Cotangents, of: &Application<'_>) -> bool {
    parts_of(cx.ty(&of.y.into())).first().is_some_and(|part| !leaves_hole(*part))
}

/// `(part, rest) = take.field whole, k`: the part's cotangent fills the hole.
fn take_field_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let k = number(of, 1)?;
    let (part, rest) = (cx.part(&cot, 0)?, cx.part(&cot, 1)?);
    let dty = parts_of(of.dty).get(1).copied().unwrap_or(Ty::unit());
    if let Some(rest) = rest {
        if keeps_part(cx, of) {
            cx.add(&of.args[0], rest)?;
            return part.map_or(Ok(()), |part| cx.add_field(&of.args[0], k, part));
        }
        for (at, ty) in (0_i64..).zip(parts_of(dty)) {
            if at != k && ty != Ty::unit() {
                let other = cx.field(&rest, at)?;
                cx.add_field(&of.args[0], at, other)?;
            }
        }
    }
    match part {
        Some(part) => cx.add_field(&of.args[0], k, part),
        None => Ok(()),
    }
}

fn take_payload_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dty = cx.dty(&of.args[0])?;
    let position = (number(of, 1)?, number(of, 2)?);
    match cx.part(&cot, 1)? {
        Some(rest) if keeps_part(cx, of) => cx.add(&of.args[0], rest)?,
        Some(rest) => add_other_fields(cx, &of.args[0], &rest, dty, position)?,
        None => {}
    }
    let Some(part) = cx.part(&cot, 0)? else { return Ok(()) };
    let dx = only_field(cx, dty, position, part)?;
    cx.add(&of.args[0], dx)
}

/// `(elem, rest) = take.elem whole, i`
fn take_elem_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let [array, at] = of.args else { return Err(Cause::NoRule(of.op.name)) };
    let (elem, rest) = (cx.part(&cot, 0)?, cx.part(&cot, 1)?);
    let rest = match rest {
        Some(rest) if keeps_part(cx, of) => {
            cx.add(array, rest)?;
            None
        }
        rest => rest,
    };
    let Some(rest) = rest else {
        return match elem {
            Some(elem) => cx.add_elem(array, at, elem),
            None => Ok(()),
        };
    };
    let cotangent = match elem {
        Some(elem) => {
            let at = cx.primal(at)?;
            cx.op(&SET_UNCHECKED, [rest, at, elem])?
        }
        None => {
            // The element was dropped: a zero cotangent fills the hole.
            let elem_ty = parts_of(cx.ty(&of.y.into())).first().copied().unwrap_or(Ty::unit());
            let value = cx.primal(array)?;
            let at = cx.primal(at)?;
            let value = cx.op(&GET_UNCHECKED, [value, at.clone()])?;
            let zero = cx.zero(&value, elem_ty)?;
            cx.op(&SET_UNCHECKED, [rest, at, zero])?
        }
    };
    cx.add(array, cotangent)
}
