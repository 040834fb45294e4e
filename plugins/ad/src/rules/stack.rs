//! Stacks: the cotangent of the element pushed last is on top.

use overdub_context::ir::Operand;
use overdub_context::ops::*;

use super::adjoint::{Cot, Cotangents};
use super::moves::{Application, moves, splits};
use super::pushforward::same_op;
use super::{Row, zero};
use crate::refusal::Cause;

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&STACK_NEW, moves(same_op, |_, _, _| Ok(()))),
        (&STACK_PUSH, moves(same_op, push_adjoint)),
        (&STACK_POP, splits(same_op, pop_adjoint)),
        (&STACK_PEEK, moves(same_op, peek_adjoint)),
        (&STACK_LEN, zero()),
    ]
}

fn push_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    let (top, rest) = popped(cx, dy)?;
    cx.add(&of.args[1], top)?;
    cx.add(&of.args[0], rest)
}

fn pop_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let both = cx.value_of(of.y, cot)?;
    let (top, rest) = (cx.field(&both, 0)?, cx.field(&both, 1)?);
    let stack = cx.op(&STACK_PUSH, [rest, top])?;
    cx.add(&of.args[0], stack)
}

fn peek_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    let Some(var) = of.args[0].var() else { return Ok(()) };
    let before = cx.cot(var)?;
    let before = cx.value_of(var, before)?;
    let (top, rest) = popped(cx, before)?;
    let sum = cx.sum(&top, &dy, of.dty)?;
    let stack = cx.op(&STACK_PUSH, [rest, sum])?;
    cx.set(var, Cot::Value(stack));
    Ok(())
}

fn popped(cx: &mut dyn Cotangents, stack: Operand) -> Result<(Operand, Operand), Cause> {
    let popped = cx.op(&STACK_POP, [stack])?;
    Ok((cx.field(&popped, 0)?, cx.field(&popped, 1)?))
}
