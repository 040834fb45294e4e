//! Sorting: before a transformation it becomes a gather by a constant order ([`crate::sort`]).

use overdub_context::ir::InstKind;
use overdub_context::ops::*;

use super::Row;
use super::adjoint::{Cot, Cotangents};
use super::moves::{Application, augmented_only, edits, moves};
use super::pushforward::same_op;
use crate::refusal::Cause;
use crate::sort::SCATTER;

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&SORT_BY, augmented_only()),
        (&SORT_ORDER, augmented_only()),
        (&GATHER, moves(same_op, gather_adjoint)),
        (&SCATTER, edits(same_op, |cx, of, cot| ordered_adjoint(cx, of, cot, &GATHER))),
    ]
}

/// Undoes a permutation of a vector's elements; general indices may name an element twice.
fn gather_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let order = cx.definition(&of.args[1]).map(|inst| &inst.kind);
    match order {
        Some(InstKind::Op { op, .. }) if *op == &SORT_ORDER => ordered_adjoint(cx, of, cot, &SCATTER),
        _ => Err(Cause::NoRule(of.op.name)),
    }
}

fn ordered_adjoint(
    cx: &mut dyn Cotangents,
    of: &Application<'_>,
    cot: Cot,
    inverse: &'static OpDef,
) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    let order = cx.primal(&of.args[1])?;
    let dx = cx.op(inverse, [dy, order])?;
    cx.add(&of.args[0], dx)
}
