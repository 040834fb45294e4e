//! Functions that only compute: two runs of one cannot be told from a single run.
//!
//! - PURE1 a pure function computes its result from its arguments and nothing else: neither it nor what it
//!   reaches prints, reads a clock or a static, calls the host, or calls a function that its types do not name.
//!   It may create cells of its own.

use std::sync::Arc;

use hashbrown::HashSet;

use crate::Symbol;
use crate::ir::{Callee, Func, InstKind, TyKind};
use crate::ops::{self, OpDef};

/// Operations besides those on cells that read or write, but nothing outside of a pure function (PURE1).
const ON_OPERANDS: [&OpDef; 6] =
    [&ops::SAME, &ops::ORDER, &ops::SORT_BY, &ops::SORT_ORDER, &ops::ND_MAP, &ops::ND_ZIP_MAP];

/// Whether an operation with effects has no effect outside of a pure function.
fn is_effect_local(op: &'static OpDef) -> bool {
    ON_OPERANDS.contains(&op) || ops::is_on_cells(op) && *op != ops::GLOBAL
}

/// Whether the instructions of a function are allowed in a pure one; what it calls is not looked at.
pub fn is_pure_body(func: &Func) -> bool {
    let insts = func.blocks.iter().flat_map(|body| &body.insts);
    func.vars.iter().all(|var| !matches!(var.ty.kind(), TyKind::Fn(_) | TyKind::Opaque(_)))
        && insts.into_iter().all(|inst| match &inst.kind {
            InstKind::Const(_) | InstKind::Call { callee: Callee::Func(_), .. } => true,
            InstKind::Op { op, .. } => !(op.effects.reads || op.effects.writes) || is_effect_local(op),
            // Closures of known code are called by name once they are inlined; their code is mentioned.
            InstKind::Call { callee: Callee::Value(value), .. } => {
                value.var().is_some_and(|var| matches!(func.ty(var).kind(), TyKind::Closure(_)))
            }
            InstKind::Overdub { .. } => false,
        })
}

/// Whether a function is pure with everything that it reaches (PURE1). What `lookup` does not find is not.
///
/// ```
/// use overdub_context::analysis::is_pure;
/// use overdub_context::text;
///
/// let module = text::parse("fn @f(%x: f64) -> f64 {\n %y: f64 = mul %x, %x\n ret %y\n}")?.module();
/// assert!(is_pure(&|name| module.func(name).ok().flatten(), "f".into()));
/// # Ok::<(), overdub_context::text::ParseErrors>(())
/// ```
pub fn is_pure(lookup: &dyn Fn(Symbol) -> Option<Arc<Func>>, func: Symbol) -> bool {
    let (mut seen, mut waiting) = (HashSet::new(), vec![func]);
    while let Some(name) = waiting.pop() {
        if !seen.insert(name) {
            continue;
        }
        let Some(func) = lookup(name).filter(|func| is_pure_body(func)) else { return false };
        waiting.extend(func.mentioned());
    }
    true
}
