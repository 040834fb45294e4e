//! Explicit copies: each variable gets at most one use besides those by `dup`, which copies it.
//!
//! ```text
//!   %y: f64 = mul %x, %x                           %1: f64 = dup %x
//!   ret %y                                 →       %2: f64 = dup %x
//!                                                  %y: f64 = mul %1, %2
//!                                                  ret %y
//! ```
//!
//! Analyses and transformations that accumulate over the uses of a variable (adjoints, reference counts) then have
//! one place per use. The pass does not make a function faster; no pipeline runs it.

use overdub_context::ir::{InstKind, Operand, Var};
use overdub_context::ops;

use crate::support::scope::Scope;
use overdub_context::analysis::use_counts;
use overdub_context::edit::FuncEditor;

/// Gives every use of a variable that has several uses a copy of its own.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let uses = use_counts(&editor.func);
    let shared =
        |operand: &Operand| operand.var().filter(|var: &Var| uses.get(var.index()).is_some_and(|&n| n > 1));
    let mut changed = false;
    for block in editor.blocks() {
        let old = std::mem::take(&mut editor.body(block).insts);
        let mut insts = Vec::with_capacity(old.len());
        for mut inst in old {
            let is_dup = matches!(&inst.kind, InstKind::Op { op, .. } if **op == ops::DUP);
            for operand in inst.kind.operands_mut().filter(|_| !is_dup) {
                if let Some(var) = shared(operand) {
                    let ty = editor.func.ty(var);
                    *operand =
                        editor.func.push_op(&mut insts, &ops::DUP, vec![var.into()], ty, inst.span).into();
                    changed = true;
                }
            }
            insts.push(inst);
        }
        let mut end = editor.terminator(block).clone();
        let span = end.span;
        let mut copied = |operand: &mut Operand| {
            if let Some(var) = shared(operand) {
                let ty = editor.func.ty(var);
                *operand = editor.func.push_op(&mut insts, &ops::DUP, vec![var.into()], ty, span).into();
                changed = true;
            }
        };
        end.kind.operand_mut().into_iter().for_each(&mut copied);
        end.kind.targets_mut().flat_map(|target| &mut target.args).for_each(copied);
        editor.body(block).insts = insts;
        *editor.terminator_mut(block) = end;
    }
    changed
}
