//! Checks of overflow that a comparison makes needless.
//!
//! ```text
//!   %c: bool = lt %i, %n                           %c: bool = lt %i, %n
//!   br_if %c, ^body, ^done                 →       br_if %c, ^body, ^done
//! ^body:                                         ^body:
//!   %j: usize = add %i, 1_usize                    %j: usize = add.wrapping %i, 1_usize
//! ```
//!
//! - What is less than something has a successor, what is greater has a predecessor, and `a - b` of numbers without a
//!   sign is one of them where `b < a`.
//! - A comparison is known where the only way in is the branch that decided it.

use overdub_context::analysis::{Cfg, Dominators};
use overdub_context::ir::{Block, InstKind, Operand, TyKind};
use overdub_context::ops::{self, OpDef};

use crate::bounds::less;
use crate::scope::Scope;
use crate::simplify::int_of;
use crate::work::{Defs, Work};

/// Lets additions and subtractions wrap that cannot overflow.
pub(crate) fn run(work: &mut Work<'_>, _: &Scope<'_>) -> bool {
    let cfg = Cfg::new(&work.func);
    let dominators = Dominators::new(&cfg);
    let defs = Defs::of(&work.func);
    let mut facts: Vec<(Operand, Operand)> = Vec::new();
    let mut fit: Vec<(Block, usize, &'static OpDef)> = Vec::new();
    let mut pending = vec![(Block::ENTRY, None)];
    while let Some((block, left)) = pending.pop() {
        if let Some(known) = left {
            facts.truncate(known);
            continue;
        }
        pending.push((block, Some(facts.len())));
        if let [pred] = cfg.preds(block) {
            facts.extend(less(work, &defs, *pred, block));
        }
        if !facts.is_empty() {
            let insts = work.func.block(block).insts.iter().enumerate();
            fit.extend(insts.filter_map(|(i, inst)| Some((block, i, wrapping(work, &facts, &inst.kind)?))));
        }
        pending.extend(dominators.children(block).map(|child| (child, None)));
    }
    for &(block, i, wrapping) in &fit {
        if let InstKind::Op { op, .. } = &mut work.body(block).insts[i].kind {
            *op = wrapping;
        }
    }
    !fit.is_empty()
}

/// The operation that gives the same without a check, if what is known says that it does.
fn wrapping(work: &Work<'_>, facts: &[(Operand, Operand)], kind: &InstKind) -> Option<&'static OpDef> {
    let InstKind::Op { op, args } = kind else { return None };
    let [a, b] = args.as_slice() else { return None };
    let is_add = **op == ops::ADD;
    if !is_add && **op != ops::SUB {
        return None;
    }
    let ty = work.ty(a);
    let TyKind::Int(int) = ty.kind() else { return None };
    let fits = if is_add {
        let bounded = |x: &Operand| facts.iter().any(|(low, _)| low == x);
        (int_of(b) == Some(1) && bounded(a)) || (int_of(a) == Some(1) && bounded(b))
    } else {
        facts.iter().any(|(low, high)| high == a && (int_of(b) == Some(1) || !int.is_signed() && low == b))
    };
    fits.then_some(if is_add { &ops::ADD_WRAPPING } else { &ops::SUB_WRAPPING })
}
