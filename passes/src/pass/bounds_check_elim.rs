//! Bounds check elimination: accesses whose index is proved to be in bounds become unchecked.
//!
//! ```text
//!   %n: usize = len %xs                            %n: usize = len %xs
//!   …                                              …
//! ^loop(%i: usize):                              ^loop(%i: usize):
//!   %c: bool = lt %i, %n                   →       %c: bool = lt %i, %n
//!   br_if %c, ^body, ^done                         br_if %c, ^body, ^done
//! ^body:                                         ^body:
//!   %x: f64 = get %xs, %i                          %x: f64 = get.unchecked %xs, %i
//! ```
//!
//! - BCE1 indices are proved in bounds as [`crate::support::array_bounds`] describes.
//! - BCE2 an index that was checked is in bounds wherever that check dominates.
//! - BCE3 the interpreter also checks unchecked accesses: there, a wrong proof is a failure and not undefined
//!   behaviour.

use hashbrown::HashSet;
use overdub_context::ir::{Block, InstKind, Operand, Ty, Var};
use overdub_context::ops;

use crate::support::array_bounds::BoundsProofs;
use crate::support::scope::Scope;
use overdub_context::edit::FuncEditor;

/// Replaces checked accesses by unchecked ones.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let is_checked_access =
        |kind: &InstKind| matches!(kind, InstKind::Op { op, .. } if **op == ops::GET || **op == ops::SET);
    if !editor.has_op(|op| *op == ops::GET || *op == ops::SET) {
        return false;
    }
    let analyses = editor.cfg_analyses();
    let proofs = BoundsProofs::of(editor);
    let mut proven: Vec<(Block, usize)> = Vec::new();
    let mut checked = CheckedIndices::default();
    let mut pending = vec![(Block::ENTRY, None)];
    while let Some((block, left)) = pending.pop() {
        if let Some(done) = left {
            checked.truncate(done);
            continue;
        }
        pending.push((block, Some(checked.order.len())));
        let insts = editor.func.block(block).insts.iter().enumerate();
        for (i, inst) in insts.filter(|(_, inst)| is_checked_access(&inst.kind)) {
            let InstKind::Op { args, .. } = &inst.kind else { continue };
            let (Operand::Var(array), at) = (&args[0], &args[1]) else { continue };
            if editor.ty(at) != Ty::usize() {
                continue;
            }
            let root = proofs.root(*array);
            if checked.contains(root, at) || proofs.in_bounds(editor, block, *array, at) {
                proven.push((block, i));
            } else {
                checked.add(root, at);
            }
        }
        pending.extend(analyses.dominators().children(block).map(|child| (child, None)));
    }
    let changed = !proven.is_empty();
    for (block, i) in proven {
        if let InstKind::Op { op, .. } = &mut editor.body(block).insts[i].kind {
            *op = if **op == ops::GET { &ops::GET_UNCHECKED } else { &ops::SET_UNCHECKED };
        }
    }
    changed
}

/// The indices that dominating accesses checked, each with the root of the array (BCE2).
#[derive(Default)]
struct CheckedIndices {
    all: HashSet<(Var, Operand)>,
    order: Vec<(Var, Operand)>,
}

impl CheckedIndices {
    fn contains(&self, root: Var, at: &Operand) -> bool {
        self.all.contains(&(root, at.clone()))
    }

    fn add(&mut self, root: Var, at: &Operand) {
        self.all.insert((root, at.clone()));
        self.order.push((root, at.clone()));
    }

    fn truncate(&mut self, done: usize) {
        for cond_removed in self.order.drain(done..) {
            self.all.remove(&cond_removed);
        }
    }
}
