//! Strict inequalities between integers that hold where a block begins.
//!
//! - INEQ0 both sides are linear expressions over unbounded integers: constants are added and compared exactly, and
//!   an expression whose constant does not fit an `i128` is not formed.
//! - INEQ1 an inequality holds in the block whose only incoming edge establishes it, and in all blocks
//!   dominated by it.
//! - INEQ2 an expression is one operand plus a constant, as formed by checked additions and subtractions:
//!   nothing has wrapped.
//! - INEQ3 `c < a - b` implies `b + c < a` if `b <= a` is known, or if the subtraction is checked and unsigned.
//! - INEQ4 induction variables are bounded by the value they are compared with, or by the value from which
//!   they count down: [`counters`].

mod counters;

use overdub_context::analysis::{Cfg, Dominators};
use overdub_context::ir::{Block, InstKind, IntTy, Operand, Target, TerminatorKind, TyKind};
use overdub_context::ops::{self, OpDef};

use counters::{Counters, nonzero};

use crate::support::consts::int_of;
use overdub_context::analysis::Defs;
use overdub_context::edit::FuncEditor;

/// The largest number of additions that are folded into one expression.
const MAX_TERMS: usize = 4;

/// The number of dominating blocks whose inequalities are considered.
const MAX_DOMINATORS: usize = 48;

/// `base + offset`, or `offset` alone (INEQ0).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LinearExpr {
    pub(crate) base: Option<Operand>,
    pub(crate) offset: i128,
}

/// The strict inequality `low < high`.
#[derive(Clone, Debug)]
pub(crate) struct LessThan {
    /// The type of the comparison: both sides and their bases are values of it.
    pub(crate) int: IntTy,
    pub(crate) low: LinearExpr,
    pub(crate) high: LinearExpr,
}

impl LinearExpr {
    /// The expression of an operand (INEQ2). A constant that does not fit an `i128` is a base like a variable.
    pub(crate) fn of(editor: &FuncEditor<'_>, defs: &Defs, operand: &Operand) -> LinearExpr {
        let (mut at, mut offset) = (operand, 0_i128);
        for _ in 0..MAX_TERMS {
            let Some(InstKind::Op { op, args }) = defs.inst(&editor.func, at) else { break };
            let [x, y] = args.as_slice() else { break };
            let (base, sum) = match (int_of(x), int_of(y)) {
                (_, Some(n)) if **op == ops::ADD => (x, offset.checked_add(n)),
                (Some(n), _) if **op == ops::ADD => (y, offset.checked_add(n)),
                (_, Some(n)) if **op == ops::SUB => (x, offset.checked_sub(n)),
                _ => break,
            };
            let Some(sum) = sum else { break };
            (at, offset) = (base, sum);
        }
        match int_of(at).and_then(|n| offset.checked_add(n)) {
            Some(offset) => LinearExpr { base: None, offset },
            None => LinearExpr { base: Some(at.clone()), offset },
        }
    }
}

/// The inequalities of a function.
pub(crate) struct Inequalities {
    /// The inequalities that each block's only incoming edge establishes (INEQ1).
    of_block: Vec<Vec<LessThan>>,
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
        let mut inequalities =
            Inequalities { of_block: vec![Vec::new(); editor.func.blocks.len()], counters };
        for &block in dominators.preorder() {
            if let [pred] = cfg.preds(block) {
                inequalities.of_block[block.index()] =
                    inequalities.on_edge(editor, dominators, defs, *pred, block);
            }
        }
        inequalities
    }

    /// Whether there are none.
    pub(crate) fn are_none(&self) -> bool {
        self.of_block.iter().all(Vec::is_empty)
    }

    /// The inequalities that the branch from `pred` to `block` establishes.
    pub(crate) fn on_edge(
        &self,
        editor: &FuncEditor<'_>,
        dominators: &Dominators,
        defs: &Defs,
        pred: Block,
        block: Block,
    ) -> Vec<LessThan> {
        let mut found = Vec::new();
        let nonzero = nonzero(editor, defs, pred, block);
        let one_less = nonzero.into_iter().flat_map(|var| self.counters.less_if_nonzero(var));
        for (x, y) in less(editor, defs, pred, block).into_iter().chain(one_less) {
            let TyKind::Int(int) = *editor.ty(&x).kind() else { continue };
            let low = LinearExpr::of(editor, defs, &x);
            // INEQ4
            for y in self.counters.bounds(&y) {
                found.push(LessThan { int, low: low.clone(), high: LinearExpr::of(editor, defs, y) });
            }
            found.extend(self.moved(editor, dominators, defs, pred, low, &y));
        }
        found
    }

    /// Moves `b` of `low < a - b` to the other side (INEQ3).
    fn moved(
        &self,
        editor: &FuncEditor<'_>,
        dominators: &Dominators,
        defs: &Defs,
        pred: Block,
        low: LinearExpr,
        high: &Operand,
    ) -> Option<LessThan> {
        let InstKind::Op { op, args } = defs.inst(&editor.func, high)? else { return None };
        let [a, b] = args.as_slice() else { return None };
        let TyKind::Int(int) = *editor.ty(a).kind() else { return None };
        if low.base.is_some() || low.offset < 0 || int.is_signed() {
            return None;
        }
        let (a, b) = (LinearExpr::of(editor, defs, a), LinearExpr::of(editor, defs, b));
        let is_checked = **op == ops::SUB;
        let fits = || self.at(dominators, pred).any(|known| known.low == b && known.high == a);
        let holds = is_checked || (**op == ops::SUB_WRAPPING && fits());
        let offset = b.offset.checked_add(low.offset)?;
        holds.then_some(LessThan { int, low: LinearExpr { offset, ..b }, high: a })
    }

    /// The inequalities that hold in a block.
    pub(crate) fn at<'f>(
        &'f self,
        dominators: &'f Dominators,
        block: Block,
    ) -> impl Iterator<Item = &'f LessThan> + 'f {
        std::iter::successors(Some(block), |&block| dominators.idom(block))
            .take(MAX_DOMINATORS)
            .flat_map(|block| &self.of_block[block.index()])
    }
}

/// The comparison by which `pred` branches to `block` rather than elsewhere, and its result on that edge.
fn compared<'w>(
    editor: &'w FuncEditor<'_>,
    defs: &Defs,
    pred: Block,
    block: Block,
) -> Option<(&'static OpDef, [&'w Operand; 2], bool)> {
    let TerminatorKind::BrIf { cond, then, otherwise } = &editor.terminator(pred).kind else { return None };
    let targets_block = |target: &Target| target.block == block;
    if targets_block(then) == targets_block(otherwise) {
        return None;
    }
    let InstKind::Op { op, args } = defs.inst(&editor.func, cond)? else { return None };
    let [x, y] = args.as_slice() else { return None };
    Some((*op, [x, y], targets_block(then)))
}

/// The operands `x < y` of the strict inequality that the edge from `pred` to `block` establishes.
pub(crate) fn less(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    pred: Block,
    block: Block,
) -> Option<(Operand, Operand)> {
    let (op, [x, y], holds) = compared(editor, defs, pred, block)?;
    // A false comparison of floats implies nothing, because of NaN.
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
