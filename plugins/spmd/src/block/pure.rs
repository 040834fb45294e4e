//! Whether runs of a function can be told from each other (BLOCK2).

use hashbrown::HashSet;
use overdub_context::Symbol;
use overdub_context::ir::{Callee, InstKind, Module, TyKind};
use overdub_context::ops;

/// Whether a function, with everything that it calls, only computes: it may use cells of its own.
pub(super) fn is_pure(module: &Module, func: Symbol) -> bool {
    let (mut seen, mut waiting) = (HashSet::new(), vec![func]);
    while let Some(name) = waiting.pop() {
        if !seen.insert(name) {
            continue;
        }
        let Ok(Some(func)) = module.func(name) else { return false };
        for inst in func.blocks.iter().flat_map(|body| &body.insts) {
            let computes = match &inst.kind {
                InstKind::Const(_) => true,
                InstKind::Op { op, .. } if **op == ops::GLOBAL => false,
                InstKind::Op { op, .. } => {
                    ops::is_on_cells(op) || !(op.effects.reads || op.effects.writes || op.effects.allocates)
                }
                InstKind::Call { callee: Callee::Func(_), .. } => true,
                // Closures of known code are called by name once they are inlined; their code is mentioned.
                InstKind::Call { callee: Callee::Value(value), .. } => {
                    let ty = value.var().map(|var| func.ty(var));
                    ty.is_some_and(|ty| matches!(ty.kind(), TyKind::Closure(_)))
                }
                InstKind::Overdub { .. } => false,
            };
            if !computes {
                return false;
            }
        }
        waiting.extend(func.mentioned());
    }
    true
}
