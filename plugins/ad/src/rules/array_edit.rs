//! Vectors, arrays of one axis: updates.

use overdub_context::Symbol;
use overdub_context::ir::{FuncBuilder, InstKind, Operand, Ty};
use overdub_context::ops::*;

use super::adjoint::{Cot, Cotangents, first};
use super::array::repeated_adjoint;
use super::moves::{Application, edits, moves, splits};
use super::pushforward::{self, same_op};
use super::{Row, zero};
use crate::cotangent::{cotangent, parts_of};
use crate::cotangent_sums::Helpers;
use crate::expr::float_constant;
use crate::float_pair::is_float;
use crate::refusal::Cause;

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&SET, edits(|cx, of| cx.same_op(&SET_UNCHECKED, of.args, of.dty), set_adjoint)),
        (&SET_UNCHECKED, edits(same_op, set_adjoint)),
        (&SET_SLICE, edits(same_op, set_slice_adjoint)),
        (&PUSH, moves(same_op, push_adjoint)),
        (&POP, splits(pushforward::none, pop_adjoint)),
        (&INSERT, moves(same_op, insert_adjoint)),
        (&REMOVE, splits(same_op, |cx, of, cot| removed_adjoint(cx, of, cot, insert))),
        (&SWAP_REMOVE, splits(same_op, |cx, of, cot| removed_adjoint(cx, of, cot, insert_by_swap))),
        (&TRUNCATE, moves(same_op, resize_adjoint)),
        (&RESIZE, moves(same_op, resize_adjoint)),
        (&CAPACITY, zero()),
        // Capacity is not reserved for the tangent of a vector.
        (&WITH_ROOM, edits(|cx, of| cx.same_op(&DUP, &of.args[..1], of.dty), first)),
        (&SWAP, edits(same_op, |cx, of, cot| permuted_adjoint(cx, of, cot, &SWAP))),
        (&REVERSE, edits(same_op, |cx, of, cot| permuted_adjoint(cx, of, cot, &REVERSE))),
        (
            &ARRAY_ROTATE_LEFT,
            edits(same_op, |cx, of, cot| permuted_adjoint(cx, of, cot, &ARRAY_ROTATE_RIGHT)),
        ),
        (
            &ARRAY_ROTATE_RIGHT,
            edits(same_op, |cx, of, cot| permuted_adjoint(cx, of, cot, &ARRAY_ROTATE_LEFT)),
        ),
        (&FILL, edits(same_op, |cx, of, cot| repeated_adjoint(cx, of, &of.args[1], cot))),
        (&COPY_WITHIN, edits(same_op, copy_within_adjoint)),
    ]
}

/// Moves the cotangent of the stored element out of the array's; the replaced element gets zero.
fn set_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let [array, place, stored] = of.args else { return Err(Cause::NoRule(of.op.name)) };
    let elem = cx.elem_of(&of.y.into())?;
    let dy = cx.value_of(of.y, cot)?;
    let at = cx.primal(place)?;
    if is_float(elem) {
        let dx = cx.op(&GET_UNCHECKED, [dy.clone(), at.clone()])?;
        cx.add(stored, dx.clone())?;
        return cx.add_without(array, dy, at, dx);
    }
    let moved_out = cx.op(&TAKE_ELEM, [dy, at.clone()])?;
    let dx = cx.field(&moved_out, 0)?;
    cx.add(stored, dx)?;
    if !cx.is_active(array) {
        return Ok(());
    }
    let mut rest = cx.field(&moved_out, 1)?;
    let hole = before_hole(cx, array, place);
    // Of scalars, the cotangent of the remainder is added whole (`take.elem`), with what is left at the place.
    let is_overwritten = hole.is_some() && cx.is_read_once(array) && leaves_hole(elem);
    if !is_overwritten {
        let before = cx.primal(hole.as_ref().unwrap_or(array))?;
        let old = cx.op(&GET_UNCHECKED, [before, at.clone()])?;
        let ty = cx.build().ty(&old)?;
        let zero = cx.zero(&old, ty)?;
        rest = cx.op(&SET_UNCHECKED, [rest, at, zero])?;
    }
    cx.add(array, rest)
}

/// The array before an element was moved out of it at `at`; `remainder` is the remainder.
fn before_hole(cx: &dyn Cotangents, remainder: &Operand, at: &Operand) -> Option<Operand> {
    let InstKind::Op { op, args } = &cx.definition(remainder)?.kind else { return None };
    let moved_out = (*op == &FIELD).then(|| cx.definition(&args[0])).flatten()?;
    match &moved_out.kind {
        InstKind::Op { op, args } if *op == &TAKE_ELEM && args[1] == *at => args.first().cloned(),
        _ => None,
    }
}

fn set_slice_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let elem = float_elem(cx, of)?;
    let dy = cx.value_of(of.y, cot)?;
    let from = cx.primal(&of.args[1])?;
    let len = cx.len_of(&of.args[2])?;
    let to = cx.op(&ADD_WRAPPING, [from.clone(), len.clone()])?;
    if cx.is_active(&of.args[2]) {
        let dx = cx.op(&SLICE, [dy.clone(), from.clone(), to])?;
        cx.add(&of.args[2], dx)?;
    }
    if cx.is_active(&of.args[0]) {
        let zeros = cx.op(&REPEAT, [float_constant(0.0, elem), len])?;
        let rest = cx.op(&SET_SLICE, [dy, from, zeros])?;
        cx.add(&of.args[0], rest)?;
    }
    Ok(())
}

/// The type of the result's elements if they are floats; others have no rule here.
fn float_elem(cx: &dyn Cotangents, of: &Application<'_>) -> Result<Ty, Cause> {
    let elem = cx.elem_of(&of.y.into())?;
    if is_float(elem) { Ok(elem) } else { Err(Cause::NoRule(of.op.name)) }
}

fn push_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    let len = cx.op(&LEN, [dy.clone()])?;
    let last = cx.op(&SUB_WRAPPING, [len, 1_usize.into()])?;
    if cx.is_active(&of.args[1]) {
        let dx = cx.op(&GET_UNCHECKED, [dy.clone(), last.clone()])?;
        cx.add(&of.args[1], dx)?;
    }
    if cx.is_active(&of.args[0]) {
        let rest = cx.op(&TRUNCATE, [dy, last])?;
        cx.add(&of.args[0], rest)?;
    }
    Ok(())
}

/// `(last, rest) = pop xs`: pushes the cotangent of the last element again, if there was an element.
fn pop_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let (last, rest) = (cx.part(&cot, 0)?, cx.part(&cot, 1)?);
    let (option, vector) = match parts_of(cx.ty(&of.y.into())).as_slice() {
        [option, vector] => (*option, *vector),
        _ => return Err(Cause::NoRule(of.op.name)),
    };
    let before = cx.len_of(&of.args[0])?;
    let rest = match rest {
        Some(rest) => rest,
        None => zero_of_part(cx, of, 1)?,
    };
    let last = match last {
        Some(last) => last,
        None => cx.scalar_zero(cotangent(option)?)?,
    };
    let (pushed, dty) = unpopped(cx.helpers(), option, vector)?;
    let dx = cx.build().call(pushed, [last, rest, before], dty)?;
    cx.add(&of.args[0], dx.into())
}

/// The zero cotangent of a part of the result, a tuple.
fn zero_of_part(cx: &mut dyn Cotangents, of: &Application<'_>, k: i64) -> Result<Operand, Cause> {
    let value = cx.primal(&of.y.into())?;
    let value = cx.field(&value, k)?;
    let ty = parts_of(cx.ty(&of.y.into())).get(k as usize).copied().unwrap_or(Ty::unit());
    cx.zero(&value, ty)
}

/// The function that returns the cotangent of a vector before `pop`, from that of the last element, that of
/// the rest, and the previous length.
fn unpopped(helpers: &mut Helpers, option: Ty, vector: Ty) -> Result<(Symbol, Ty), Cause> {
    let (option, dty) = (cotangent(option)?, cotangent(vector)?);
    let name = Symbol::new(&format!("unpopped{{{dty}}}"));
    if !helpers.has(name) {
        // `Some` is the second variant; the first variant of a cotangent is zero.
        let (field, elem) = helpers.field_of_enum(option, 2, 0)?;
        let mut build = FuncBuilder::new(name, dty);
        let last = build.param("last", option);
        let rest = build.param("rest", dty);
        let before = build.param("before", Ty::usize());
        let (had, empty) = (build.new_block(), build.new_block());
        let some = build.op(&GT, [Operand::from(before), 0_usize.into()])?;
        build.br_if(some, had.into(), empty.into())?;
        build.switch_to(had)?;
        let elem = build.call(field, [last], elem)?;
        let longer = build.op(&PUSH, [rest, elem])?;
        build.ret(longer)?;
        build.switch_to(empty)?;
        build.ret(rest)?;
        helpers.add(build.finish()?);
    }
    Ok((name, dty))
}

fn insert_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let (dy, at) = (cx.value_of(of.y, cot)?, cx.primal(&of.args[1])?);
    let removed = cx.op(&REMOVE, [dy, at])?;
    if cx.is_active(&of.args[2]) {
        let dx = cx.field(&removed, 0)?;
        cx.add(&of.args[2], dx)?;
    }
    if cx.is_active(&of.args[0]) {
        let rest = cx.field(&removed, 1)?;
        cx.add(&of.args[0], rest)?;
    }
    Ok(())
}

/// Reinserts an element into a vector, at an index.
type Insert = fn(&mut dyn Cotangents, Operand, Operand, Operand) -> Result<Operand, Cause>;

/// `(elem, rest) = remove xs, i`
fn removed_adjoint(
    cx: &mut dyn Cotangents,
    of: &Application<'_>,
    cot: Cot,
    insert: Insert,
) -> Result<(), Cause> {
    let (elem, rest) = (cx.part(&cot, 0)?, cx.part(&cot, 1)?);
    let elem = match elem {
        Some(elem) => elem,
        None => zero_of_part(cx, of, 0)?,
    };
    let rest = match rest {
        Some(rest) => rest,
        None => zero_of_part(cx, of, 1)?,
    };
    let at = cx.primal(&of.args[1])?;
    let dx = insert(cx, rest, at, elem)?;
    cx.add(&of.args[0], dx)
}

fn insert(cx: &mut dyn Cotangents, rest: Operand, at: Operand, elem: Operand) -> Result<Operand, Cause> {
    cx.op(&INSERT, [rest, at, elem])
}

/// The removed element was replaced by the last one.
fn insert_by_swap(
    cx: &mut dyn Cotangents,
    rest: Operand,
    at: Operand,
    elem: Operand,
) -> Result<Operand, Cause> {
    let last = cx.op(&LEN, [rest.clone()])?;
    let longer = cx.op(&PUSH, [rest, elem])?;
    cx.op(&SWAP, [longer, at, last])
}

fn resize_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let elem = float_elem(cx, of)?;
    let dy = cx.value_of(of.y, cot)?;
    let before = cx.len_of(&of.args[0])?;
    if let Some(filled) = of.args.get(2).filter(|arg| cx.is_active(arg)) {
        let len = cx.op(&LEN, [dy.clone()])?;
        let kept_len = cx.op(&MIN, [before.clone(), len.clone()])?;
        let new = cx.op(&SLICE, [dy.clone(), kept_len, len])?;
        let dx = cx.op(&ND_SUM, [new])?;
        cx.add(filled, dx)?;
    }
    if cx.is_active(&of.args[0]) {
        let dx = cx.op(&RESIZE, [dy, before, float_constant(0.0, elem)])?;
        cx.add(&of.args[0], dx)?;
    }
    Ok(())
}

/// Applies the inverse permutation, with the same indices.
fn permuted_adjoint(
    cx: &mut dyn Cotangents,
    of: &Application<'_>,
    cot: Cot,
    inverse: &'static OpDef,
) -> Result<(), Cause> {
    let mut operands = vec![cx.value_of(of.y, cot)?];
    for at in &of.args[1..] {
        operands.push(cx.primal(at)?);
    }
    let dx = cx.op(inverse, operands)?;
    cx.add(&of.args[0], dx)
}

/// Adds the cotangents of the copies to their sources; the overwritten elements get zero.
fn copy_within_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let elem = float_elem(cx, of)?;
    let dy = cx.value_of(of.y, cot)?;
    let (from, to) = (cx.primal(&of.args[1])?, cx.primal(&of.args[2])?);
    let dest = cx.primal(&of.args[3])?;
    let len = cx.op(&SUB_WRAPPING, [to.clone(), from.clone()])?;
    let end = cx.op(&ADD_WRAPPING, [dest.clone(), len.clone()])?;
    let copies = cx.op(&SLICE, [dy.clone(), dest.clone(), end])?;
    let zeros = cx.op(&REPEAT, [float_constant(0.0, elem), len])?;
    let rest = cx.op(&SET_SLICE, [dy, dest, zeros])?;
    let slice = cx.op(&SLICE, [rest.clone(), from.clone(), to])?;
    let sum = cx.op(&ADD, [slice, copies])?;
    let dx = cx.op(&SET_SLICE, [rest, from, sum])?;
    cx.add(&of.args[0], dx)
}
