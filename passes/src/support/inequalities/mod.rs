//! What is known of integers where a block begins: which sum is less than which.
//!
//! - F0 sums are integers without bounds: constants are added and compared exactly, and what no `i128` holds is not known.
//! - F1 a fact is known where the only way in is the branch that found it, and in all that this block dominates.
//! - F2 sums are of one operand and a constant, as checked additions and subtractions make them: nothing wrapped.
//! - F3 `c < a - b` says `b + c < a` where `b <= a` is known, or the subtraction of numbers without a sign is checked.
//! - F4 counters of loops are bounded by what they are compared with, or what they fall from: [`counters`].

mod counters;

use overdub_context::analysis::{Cfg, Dominators};
use overdub_context::ir::{Block, InstKind, IntTy, Operand, Target, TerminatorKind, TyKind};
use overdub_context::ops::{self, OpDef};

use counters::{Counters, some};

use crate::support::consts::int_of;
use crate::support::func_editor::{Defs, FuncEditor};

/// Sums are followed so far.
const LONGEST_SUM: usize = 4;

/// Inequalities are looked for so many blocks up the dominator tree.
const HIGHEST: usize = 48;

/// An operand, or zero, and what is added to it (F0).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sum {
    pub(crate) of: Option<Operand>,
    pub(crate) plus: i128,
}

/// One sum is less than another one.
#[derive(Clone, Debug)]
pub(crate) struct Less {
    /// The type of what was compared: it holds the operands of both sums, and both sums themselves.
    pub(crate) int: IntTy,
    pub(crate) low: Sum,
    pub(crate) high: Sum,
}

impl Sum {
    /// What an operand is the sum of (F2). A constant that no `i128` holds is an operand like another.
    pub(crate) fn of(editor: &FuncEditor<'_>, defs: &Defs, operand: &Operand) -> Sum {
        let (mut at, mut plus) = (operand, 0_i128);
        for _ in 0..LONGEST_SUM {
            let Some(InstKind::Op { op, args }) = defs.inst(&editor.func, at) else { break };
            let [x, y] = args.as_slice() else { break };
            let (base, sum) = match (int_of(x), int_of(y)) {
                (_, Some(n)) if **op == ops::ADD => (x, plus.checked_add(n)),
                (Some(n), _) if **op == ops::ADD => (y, plus.checked_add(n)),
                (_, Some(n)) if **op == ops::SUB => (x, plus.checked_sub(n)),
                _ => break,
            };
            let Some(sum) = sum else { break };
            (at, plus) = (base, sum);
        }
        match int_of(at).and_then(|n| plus.checked_add(n)) {
            Some(plus) => Sum { of: None, plus },
            None => Sum { of: Some(at.clone()), plus },
        }
    }
}

/// The facts of a function.
pub(crate) struct Inequalities {
    /// What is known from each block on (F1).
    found: Vec<Vec<Less>>,
    counters: Counters,
}

impl Inequalities {
    pub(crate) fn of(
        editor: &FuncEditor<'_>,
        cfg: &Cfg,
        dominators: &Dominators,
        defs: &Defs,
    ) -> Inequalities {
        let counters = Counters::of(editor, cfg, dominators, defs);
        let mut facts = Inequalities { found: vec![Vec::new(); editor.func.blocks.len()], counters };
        for &block in dominators.preorder() {
            if let [pred] = cfg.preds(block) {
                facts.found[block.index()] = facts.on_edge(editor, dominators, defs, *pred, block);
            }
        }
        facts
    }

    /// Whether nothing is known anywhere.
    pub(crate) fn are_none(&self) -> bool {
        self.found.iter().all(Vec::is_empty)
    }

    /// What the branch from `pred` to `block` says.
    pub(crate) fn on_edge(
        &self,
        editor: &FuncEditor<'_>,
        dominators: &Dominators,
        defs: &Defs,
        pred: Block,
        block: Block,
    ) -> Vec<Less> {
        let mut found = Vec::new();
        let some = some(editor, defs, pred, block);
        let one_less = some.into_iter().flat_map(|some| self.counters.where_some(some));
        for (x, y) in less(editor, defs, pred, block).into_iter().chain(one_less) {
            let TyKind::Int(int) = *editor.ty(&x).kind() else { continue };
            let low = Sum::of(editor, defs, &x);
            // F4
            for y in self.counters.bounds(&y) {
                found.push(Less { int, low: low.clone(), high: Sum::of(editor, defs, y) });
            }
            found.extend(self.moved(editor, dominators, defs, pred, low, &y));
        }
        found
    }

    /// F3
    fn moved(
        &self,
        editor: &FuncEditor<'_>,
        dominators: &Dominators,
        defs: &Defs,
        pred: Block,
        low: Sum,
        high: &Operand,
    ) -> Option<Less> {
        let InstKind::Op { op, args } = defs.inst(&editor.func, high)? else { return None };
        let [a, b] = args.as_slice() else { return None };
        let TyKind::Int(int) = *editor.ty(a).kind() else { return None };
        if low.of.is_some() || low.plus < 0 || int.is_signed() {
            return None;
        }
        let (a, b) = (Sum::of(editor, defs, a), Sum::of(editor, defs, b));
        let is_checked = **op == ops::SUB;
        let fits = || {
            let ordered = |fact: &&Less| fact.low == b && fact.high == a;
            self.at(dominators, pred).any(|fact| ordered(&fact))
        };
        let holds = is_checked || (**op == ops::SUB_WRAPPING && fits());
        let plus = b.plus.checked_add(low.plus)?;
        holds.then_some(Less { int, low: Sum { plus, ..b }, high: a })
    }

    /// What is known in a block.
    pub(crate) fn at<'f>(
        &'f self,
        dominators: &'f Dominators,
        block: Block,
    ) -> impl Iterator<Item = &'f Less> + 'f {
        std::iter::successors(Some(block), |&block| dominators.idom(block))
            .take(HIGHEST)
            .flat_map(|block| &self.found[block.index()])
    }
}

/// What `pred` compared to go to `block` rather than elsewhere, and whether it held.
fn compared<'w>(
    editor: &'w FuncEditor<'_>,
    defs: &Defs,
    pred: Block,
    block: Block,
) -> Option<(&'static OpDef, [&'w Operand; 2], bool)> {
    let TerminatorKind::BrIf { cond, then, otherwise } = &editor.end(pred).kind else { return None };
    let here = |target: &Target| target.block == block;
    if here(then) == here(otherwise) {
        return None;
    }
    let InstKind::Op { op, args } = defs.inst(&editor.func, cond)? else { return None };
    let [x, y] = args.as_slice() else { return None };
    Some((*op, [x, y], here(then)))
}

/// What is less than what where `block` is entered from `pred`.
pub(crate) fn less(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    pred: Block,
    block: Block,
) -> Option<(Operand, Operand)> {
    let (op, [x, y], holds) = compared(editor, defs, pred, block)?;
    // Of floats neither may be less.
    if !matches!(editor.ty(x).kind(), TyKind::Int(_)) {
        return None;
    }
    if (*op == ops::LT && holds) || (*op == ops::GE && !holds) {
        Some((x.clone(), y.clone()))
    } else if (*op == ops::GT && holds) || (*op == ops::LE && !holds) {
        Some((y.clone(), x.clone()))
    } else {
        None
    }
}
