//! Stacks: the cotangent of the element pushed last is on top.

use overdub_context::ir::Operand;
use overdub_context::ops::*;

use super::adjoint::{Cot, Cotangents};
use super::moves::{Application, moves};
use super::pushforward::alike;
use super::{Row, zero};
use crate::refusal::Cause;

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&STACK_NEW, moves(alike, |_, _, _| Ok(()))),
        (&STACK_PUSH, moves(alike, push_back)),
        (&STACK_POP, moves(alike, pop_back)),
        (&STACK_PEEK, moves(alike, peek_back)),
        (&STACK_LEN, zero()),
    ]
}

fn push_back(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.whole_of(of.y, cot)?;
    let (top, rest) = popped(cx, dy)?;
    cx.add(&of.args[1], top)?;
    cx.add(&of.args[0], rest)
}

fn pop_back(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let both = cx.whole_of(of.y, cot)?;
    let (top, rest) = (cx.field(&both, 0)?, cx.field(&both, 1)?);
    let stack = cx.op(&STACK_PUSH, [rest, top])?;
    cx.add(&of.args[0], stack)
}

fn peek_back(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.whole_of(of.y, cot)?;
    let Some(var) = of.args[0].var() else { return Ok(()) };
    let before = cx.cot(var)?;
    let before = cx.whole_of(var, before)?;
    let (top, rest) = popped(cx, before)?;
    let sum = cx.sum(&top, &dy, of.dty)?;
    let stack = cx.op(&STACK_PUSH, [rest, sum])?;
    cx.set(var, Cot::Whole(stack));
    Ok(())
}

fn popped(cx: &mut dyn Cotangents, stack: Operand) -> Result<(Operand, Operand), Cause> {
    let popped = cx.op(&STACK_POP, [stack])?;
    Ok((cx.field(&popped, 0)?, cx.field(&popped, 1)?))
}
