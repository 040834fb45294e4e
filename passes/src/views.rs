//! Elements of a slice are elements of the whole.
//!
//! ```text
//!   %to: usize = add %i, 2_usize                   %to: usize = add %i, 2_usize
//!   %w: [f64] = slice %xs, %i, %to                 %w: [f64] = slice %xs, %i, %to
//!   %a: f64 = get %w, 0_usize              →       %a: f64 = get.unchecked %xs, %i
//!   %b: f64 = get %w, 1_usize                      %1: usize = add.wrapping %i, 1_usize
//!                                                  %b: f64 = get.unchecked %xs, %1
//! ```
//!
//! - The slice itself stays, and with it the check that it lies within: who finds it unread makes no slice of it. It
//!   goes where nobody reads it and it is known to lie within.
//! - Only what is known to be an index of the slice: unchecked, or less than what was added to its start.

use hashbrown::HashSet;
use overdub_context::ir::{Block, Inst, InstKind, Operand, Ty, Var};
use overdub_context::ops;

use crate::bounds::Proofs;
use crate::scope::Scope;
use crate::simplify::int_of;
use crate::work::{Defs, Work, uses};

/// An element of a slice: the whole, where the slice starts, and the index in it.
type Element = (Operand, Operand, Operand);

/// Reads through slices.
pub(crate) fn run(work: &mut Work<'_>, _: &Scope<'_>) -> bool {
    let slices = |inst: &Inst| matches!(&inst.kind, InstKind::Op { op, .. } if **op == ops::SLICE);
    if !work.func.blocks.iter().flat_map(|body| &body.insts).any(slices) {
        return false;
    }
    let within = within(work);
    let changed = read_through(work);
    let uses = uses(&work.func);
    let is_needless = |inst: &Inst| within.contains(&inst.result) && uses[inst.result.index()] == 0;
    let mut dropped = false;
    for body in &mut work.func.blocks {
        let before = body.insts.len();
        body.insts.retain(|inst| !is_needless(inst));
        dropped |= body.insts.len() < before;
    }
    changed || dropped
}

/// The slices that are known to lie within what they are of.
fn within(work: &mut Work<'_>) -> HashSet<Var> {
    let proofs = Proofs::of(work);
    let mut within = HashSet::new();
    for (block, body) in work.func.iter_blocks() {
        for inst in &body.insts {
            if let InstKind::Op { op, args } = &inst.kind
                && **op == ops::SLICE
                && let [Operand::Var(whole), from, to] = args.as_slice()
                && [from, to].into_iter().all(|index| work.ty(index) == Ty::usize())
                && proofs.are_ordered(work, from, to)
                && proofs.is_less(work, block, *whole, to, 1)
            {
                within.insert(inst.result);
            }
        }
    }
    within
}

/// Reads elements of slices from the whole.
fn read_through(work: &mut Work<'_>) -> bool {
    let defs = Defs::of(&work.func);
    let mut found: Vec<(Block, usize, Element)> = Vec::new();
    for (block, body) in work.func.iter_blocks() {
        let elements = body.insts.iter().enumerate();
        found.extend(elements.filter_map(|(i, inst)| Some((block, i, element(work, &defs, inst)?))));
    }
    let changed = !found.is_empty();
    // From the end, so that places before stay.
    for (block, i, (whole, from, at)) in found.into_iter().rev() {
        let span = work.func.block(block).insts[i].span;
        let mut sum = Vec::new();
        let at = match (int_of(&from), int_of(&at)) {
            (_, Some(0)) => from,
            (Some(0), _) => at,
            _ => work.op(&mut sum, &ops::ADD_WRAPPING, vec![from, at], Ty::usize(), span).into(),
        };
        let insts = &mut work.body(block).insts;
        insts[i].kind = InstKind::Op { op: &ops::GET_UNCHECKED, args: vec![whole, at] };
        insts.splice(i..i, sum);
    }
    changed
}

fn element(work: &Work<'_>, defs: &Defs, inst: &Inst) -> Option<Element> {
    let InstKind::Op { op, args } = &inst.kind else { return None };
    let [slice, at] = args.as_slice() else { return None };
    let is_proven = **op == ops::GET_UNCHECKED;
    if !is_proven && **op != ops::GET {
        return None;
    }
    let InstKind::Op { op, args } = defs.inst(&work.func, slice)? else { return None };
    let [whole, from, to] = args.as_slice() else { return None };
    let are_usize = [from, to, at].into_iter().all(|index| work.ty(index) == Ty::usize());
    if **op != ops::SLICE || !are_usize {
        return None;
    }
    let within = is_proven || int_of(at).is_some_and(|at| at < least_length(work, defs, from, to));
    within.then(|| (whole.clone(), from.clone(), at.clone()))
}

/// How long a slice is at least that could be made.
fn least_length(work: &Work<'_>, defs: &Defs, from: &Operand, to: &Operand) -> i128 {
    if let (Some(from), Some(to)) = (int_of(from), int_of(to)) {
        return to - from;
    }
    let Some(InstKind::Op { op, args }) = defs.inst(&work.func, to) else { return 0 };
    // Had it wrapped, the slice would end before it begins.
    let adds = **op == ops::ADD || **op == ops::ADD_WRAPPING;
    if adds && args[0] == *from { int_of(&args[1]).unwrap_or(0) } else { 0 }
}
