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
//! - What is known is in [`crate::facts`].

use overdub_context::ir::{Block, Inst, InstKind, Operand, TyKind};
use overdub_context::ops::{self, OpDef};

use crate::facts::{Facts, Less, Sum};
use crate::scope::Scope;
use crate::simplify::int_of;
use crate::work::{Defs, Work};

/// Lets additions and subtractions wrap that cannot overflow.
pub(crate) fn run(work: &mut Work<'_>, _: &Scope<'_>) -> bool {
    if !work.has_op(|op| *op == ops::ADD || *op == ops::SUB) {
        return false;
    }
    let shape = work.shape();
    let (cfg, dominators) = (&shape.cfg, shape.dominators());
    let defs = Defs::of(&work.func);
    let facts = Facts::of(work, cfg, dominators, &defs);
    if facts.are_none() {
        return false;
    }
    let mut fit: Vec<(Block, usize, &'static OpDef)> = Vec::new();
    for &block in cfg.reverse_postorder() {
        let known: Vec<&Less> = facts.at(dominators, block).collect();
        if !known.is_empty() {
            let insts = work.func.block(block).insts.iter().enumerate();
            let fits = |inst: &Inst| wrapping(work, &defs, &known, &inst.kind);
            fit.extend(insts.filter_map(|(i, inst)| Some((block, i, fits(inst)?))));
        }
    }
    for &(block, i, wrapping) in &fit {
        if let InstKind::Op { op, .. } = &mut work.body(block).insts[i].kind {
            *op = wrapping;
        }
    }
    !fit.is_empty()
}

/// The operation that gives the same without a check, if what is known says that it does.
fn wrapping(work: &Work<'_>, defs: &Defs, known: &[&Less], kind: &InstKind) -> Option<&'static OpDef> {
    let InstKind::Op { op, args } = kind else { return None };
    let [a, b] = args.as_slice() else { return None };
    let is_add = **op == ops::ADD;
    if !is_add && **op != ops::SUB {
        return None;
    }
    let ty = work.ty(a);
    let TyKind::Int(int) = ty.kind() else { return None };
    let sum = |operand: &Operand| Sum::of(work, defs, operand);
    let fits = match (int_of(a), int_of(b)) {
        (_, Some(n)) if is_add => has_room(known, &sum(a), n),
        (Some(n), _) if is_add => has_room(known, &sum(b), n),
        (_, Some(1)) => {
            let a = sum(a);
            known.iter().any(|fact| fact.high == a)
        }
        _ if !is_add && !int.is_signed() => {
            let (a, b) = (sum(a), sum(b));
            known.iter().any(|fact| fact.high == a && fact.low == b)
        }
        _ => false,
    };
    fits.then_some(if is_add { &ops::ADD_WRAPPING } else { &ops::SUB_WRAPPING })
}

/// Whether `n` more than `sum` is at most something that is known, or that is one of this type.
fn has_room(known: &[&Less], sum: &Sum, n: i128) -> bool {
    n >= 0
        && known.iter().any(|fact| {
            // What is less than `x - 3` has room for three more than its successor.
            let room = fact.low.plus + 1 + (-fact.high.plus).max(0);
            fact.low.of == sum.of && sum.plus + n <= room
        })
}
