//! Bounds checks that a check before them makes needless.
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
//! - Indices of type `usize` only: they are not negative.
//! - Arrays that are made by `set` from one another have one length; so has a block parameter whose arguments do.
//! - What `repeat _, n` makes has length `n`, and a list of elements as many as there are.
//! - What is known of an index is in [`crate::support::inequalities`]; `i + 1 < n` follows from `i < n - 1`. A parameter of a block is in
//!   bounds where all is that it is handed.
//! - An index that was checked is in bounds wherever that check dominates.
//! - The interpreter checks all the same: a wrong proof is a failure there, and not the end of the process.

use hashbrown::HashSet;
use overdub_context::ir::{Block, InstKind, Operand, Ty, Var};
use overdub_context::ops;

use crate::support::array_bounds::Proofs;
use crate::support::func_editor::FuncEditor;
use crate::support::scope::Scope;

/// Replaces checked accesses by unchecked ones where a check before them proves them in bounds.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let accesses =
        |kind: &InstKind| matches!(kind, InstKind::Op { op, .. } if **op == ops::GET || **op == ops::SET);
    if !editor.has_op(|op| *op == ops::GET || *op == ops::SET) {
        return false;
    }
    let analyses = editor.cfg_analyses();
    let proofs = Proofs::of(editor);
    let mut proven: Vec<(Block, usize)> = Vec::new();
    let mut checked = Checked::default();
    let mut pending = vec![(Block::ENTRY, None)];
    while let Some((block, left)) = pending.pop() {
        if let Some(done) = left {
            checked.forget_from(done);
            continue;
        }
        pending.push((block, Some(checked.order.len())));
        let insts = editor.func.block(block).insts.iter().enumerate();
        for (i, inst) in insts.filter(|(_, inst)| accesses(&inst.kind)) {
            let InstKind::Op { args, .. } = &inst.kind else { continue };
            let (Operand::Var(array), at) = (&args[0], &args[1]) else { continue };
            if editor.ty(at) != Ty::usize() {
                continue;
            }
            let root = proofs.root(*array);
            if checked.holds(root, at) || proofs.in_bounds(editor, block, *array, at) {
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

/// The indices that were checked on the way to a block, each with the array whose length it was held to.
#[derive(Default)]
struct Checked {
    all: HashSet<(Var, Operand)>,
    order: Vec<(Var, Operand)>,
}

impl Checked {
    fn holds(&self, root: Var, at: &Operand) -> bool {
        self.all.contains(&(root, at.clone()))
    }

    fn add(&mut self, root: Var, at: &Operand) {
        self.all.insert((root, at.clone()));
        self.order.push((root, at.clone()));
    }

    fn forget_from(&mut self, done: usize) {
        for gone in self.order.drain(done..) {
            self.all.remove(&gone);
        }
    }
}
