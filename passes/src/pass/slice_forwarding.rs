//! Slice forwarding: reads of elements of a slice become reads of the sliced array.
//!
//! ```text
//!   %to: usize = add %i, 2_usize                   %to: usize = add %i, 2_usize
//!   %w: [f64] = slice %xs, %i, %to                 %w: [f64] = slice %xs, %i, %to
//!   %a: f64 = get %w, 0_usize              →       %a: f64 = get.unchecked %xs, %i
//!   %b: f64 = get %w, 1_usize                      %1: usize = add.wrapping %i, 1_usize
//!                                                  %b: f64 = get.unchecked %xs, %1
//! ```
//!
//! - SLICE1 the slice itself stays, and with it its bounds check; code generation creates no array for an
//!   unused slice. It is removed where it is unused and proved to be within the array.
//! - SLICE2 a read is forwarded only if its index is within the slice: an unchecked read, or one at an index
//!   less than the constant that was added to the slice's start.

use hashbrown::HashSet;
use overdub_context::ir::{Block, Inst, InstKind, Operand, Ty, Var};
use overdub_context::ops;

use crate::support::array_bounds::BoundsProofs;
use crate::support::consts::int_of;
use crate::support::scope::Scope;
use overdub_context::analysis::{Defs, use_counts};
use overdub_context::edit::FuncEditor;

/// An element of a slice: the sliced array, the start of the slice, and the index in the slice.
type Element = (Operand, Operand, Operand);

/// Forwards reads of slices, and removes slices that become unused.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let is_slice = |inst: &Inst| matches!(&inst.kind, InstKind::Op { op, .. } if **op == ops::SLICE);
    if !editor.func.blocks.iter().flat_map(|body| &body.insts).any(is_slice) {
        return false;
    }
    let within = within(editor);
    let changed = forward_reads(editor);
    let uses = use_counts(&editor.func);
    let is_removable = |inst: &Inst| within.contains(&inst.result) && uses[inst.result.index()] == 0;
    let mut dropped = false;
    for body in &mut editor.func.blocks {
        let before = body.insts.len();
        body.insts.retain(|inst| !is_removable(inst));
        dropped |= body.insts.len() < before;
    }
    changed || dropped
}

/// The slices that are proved to be within the sliced array.
fn within(editor: &mut FuncEditor<'_>) -> HashSet<Var> {
    let proofs = BoundsProofs::of(editor);
    let mut within = HashSet::new();
    for (block, body) in editor.func.iter_blocks() {
        for inst in &body.insts {
            if let InstKind::Op { op, args } = &inst.kind
                && **op == ops::SLICE
                && let [Operand::Var(whole), from, to] = args.as_slice()
                && [from, to].into_iter().all(|index| editor.ty(index) == Ty::usize())
                && proofs.are_ordered(editor, from, to)
                && proofs.is_less(editor, block, *whole, to, 1)
            {
                within.insert(inst.result);
            }
        }
    }
    within
}

/// Replaces reads of slices by reads of the sliced array.
fn forward_reads(editor: &mut FuncEditor<'_>) -> bool {
    let defs = Defs::of(&editor.func);
    let mut found: Vec<(Block, usize, Element)> = Vec::new();
    for (block, body) in editor.func.iter_blocks() {
        let elements = body.insts.iter().enumerate();
        found.extend(elements.filter_map(|(i, inst)| Some((block, i, element(editor, &defs, inst)?))));
    }
    let changed = !found.is_empty();
    // From the end, so that the indices of earlier instructions stay valid.
    for (block, i, (array, from, at)) in found.into_iter().rev() {
        let span = editor.func.block(block).insts[i].span;
        let mut sum = Vec::new();
        let at = match (int_of(&from), int_of(&at)) {
            (_, Some(0)) => from,
            (Some(0), _) => at,
            _ => editor.func.push_op(&mut sum, &ops::ADD_WRAPPING, vec![from, at], Ty::usize(), span).into(),
        };
        let insts = &mut editor.body(block).insts;
        insts[i].kind = InstKind::Op { op: &ops::GET_UNCHECKED, args: vec![array, at] };
        insts.splice(i..i, sum);
    }
    changed
}

/// The slice element that an instruction reads, if its index is within the slice (SLICE2).
fn element(editor: &FuncEditor<'_>, defs: &Defs, inst: &Inst) -> Option<Element> {
    let InstKind::Op { op, args } = &inst.kind else { return None };
    let [slice, at] = args.as_slice() else { return None };
    let is_proven = **op == ops::GET_UNCHECKED;
    if !is_proven && **op != ops::GET {
        return None;
    }
    let InstKind::Op { op, args } = defs.inst(&editor.func, slice)? else { return None };
    let [array, from, to] = args.as_slice() else { return None };
    let are_usize = [from, to, at].into_iter().all(|index| editor.ty(index) == Ty::usize());
    if **op != ops::SLICE || !are_usize {
        return None;
    }
    let within = is_proven || int_of(at).is_some_and(|at| at < min_length(editor, defs, from, to));
    within.then(|| (array.clone(), from.clone(), at.clone()))
}

/// A lower bound of the length of a slice that was created without failing.
fn min_length(editor: &FuncEditor<'_>, defs: &Defs, from: &Operand, to: &Operand) -> i128 {
    if let (Some(from), Some(to)) = (int_of(from), int_of(to)) {
        return to - from;
    }
    let Some(InstKind::Op { op, args }) = defs.inst(&editor.func, to) else { return 0 };
    // If the addition had wrapped, the slice would end before its start, and fail.
    let adds = **op == ops::ADD || **op == ops::ADD_WRAPPING;
    if adds && args[0] == *from { int_of(&args[1]).unwrap_or(0) } else { 0 }
}
