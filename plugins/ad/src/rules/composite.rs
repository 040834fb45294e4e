//! Tuples, structs and enums.

use overdub_context::ir::{Operand, Ty};
use overdub_context::ops::*;

use super::adjoint::{Cot, Cotangents, PathStep, index, number, parts};
use super::moves::{Application, moves, part};
use super::pushforward::{self, Tangents, same_op, tuple};
use super::{Row, zero};
use crate::cotangent::parts_of;
use crate::cotangent_sums::fields_of;
use crate::refusal::Cause;

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&TUPLE, moves(tuple, parts)),
        (&STRUCT, moves(tuple, parts)),
        (&FIELD, part(same_op, |args| Some(PathStep::Field(index(&args[1])?)))),
        (&WITH_FIELD, moves(with_field_pushforward, with_field_adjoint)),
        (&TAG, zero()),
        (&VARIANT, moves(pushforward::none, variant_adjoint)),
        (&PAYLOAD, moves(pushforward::none, payload_adjoint)),
        (&WITH_PAYLOAD, moves(pushforward::none, with_payload_adjoint)),
    ]
}

fn with_field_pushforward(cx: &mut dyn Tangents, of: &Application<'_>) -> Result<Operand, Cause> {
    // The tangent of a field without floats is unit, unlike the field's own value.
    let (composite, part) = (cx.tangent(&of.args[0])?, cx.tangent(&of.args[2])?);
    Ok(cx.build().op_as(of.op, [composite, of.args[1].clone(), part], of.dty)?.into())
}

fn with_field_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let k = number(of, 1)?;
    for (at, ty) in (0_i64..).zip(parts_of(of.dty)) {
        if ty == Ty::unit() {
            continue;
        }
        if let Some(part) = cx.part(&cot, at)? {
            if at == k {
                cx.add(&of.args[2], part)?;
            } else {
                cx.add_field(&of.args[0], at, part)?;
            }
        }
    }
    Ok(())
}

fn variant_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let (dy, variant) = (cx.value_of(of.y, cot)?, number(of, 0)?);
    for (k, arg) in (0_i64..).zip(&of.args[1..]) {
        if cx.is_active(arg) {
            let dx = field_of(cx, &dy, of.dty, (variant, k))?;
            cx.add(arg, dx)?;
        }
    }
    Ok(())
}

fn payload_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let (dy, dty) = (cx.value_of(of.y, cot)?, cx.dty(&of.args[0])?);
    let dx = only_field(cx, dty, (number(of, 1)?, number(of, 2)?), dy)?;
    cx.add(&of.args[0], dx)
}

fn with_payload_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    let changed = (number(of, 1)?, number(of, 2)?);
    let dx = field_of(cx, &dy, of.dty, changed)?;
    cx.add(&of.args[3], dx)?;
    add_other_fields(cx, &of.args[0], &dy, of.dty, changed)
}

/// The field `k` of the variant `variant` of an enum's cotangent.
fn field_of(
    cx: &mut dyn Cotangents,
    dy: &Operand,
    dty: Ty,
    (variant, k): (i64, i64),
) -> Result<Operand, Cause> {
    let (name, ty) = cx.helpers().field_of_enum(dty, variant + 1, k)?;
    Ok(cx.build().call(name, [dy.clone()], ty)?.into())
}

/// The cotangent of an enum in which only one field has a non-zero cotangent.
pub(super) fn only_field(
    cx: &mut dyn Cotangents,
    dty: Ty,
    (variant, k): (i64, i64),
    value: Operand,
) -> Result<Operand, Cause> {
    let mut operands: Vec<Operand> = vec![(variant + 1).into()];
    for (at, ty) in (0_i64..).zip(fields_of(dty, variant + 1)) {
        operands.push(if at == k { value.clone() } else { cx.scalar_zero(ty)? });
    }
    cx.op_as(&VARIANT, operands, dty)
}

/// Passes on the cotangents of the fields that were not changed.
pub(super) fn add_other_fields(
    cx: &mut dyn Cotangents,
    composite: &Operand,
    dy: &Operand,
    dty: Ty,
    (variant, changed): (i64, i64),
) -> Result<(), Cause> {
    let mut operands: Vec<Operand> = vec![(variant + 1).into()];
    for (k, ty) in (0_i64..).zip(fields_of(dty, variant + 1)) {
        operands.push(if k == changed { cx.scalar_zero(ty)? } else { field_of(cx, dy, dty, (variant, k))? });
    }
    let dx = cx.op_as(&VARIANT, operands, dty)?;
    cx.add(composite, dx)
}
