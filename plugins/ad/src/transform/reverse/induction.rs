//! Induction variables: integers that are linear in a loop's counter. They are not recorded, since their
//! initial value and the counter determine them.
//!
//! ```text
//! ^loop(%k: usize, %at: usize):        %at was what it began with, and as much more as %k was
//!   %x: f64 = get %xs, %at
//!   %next: usize = add %at, 1_usize
//!   …
//! ```

use overdub_context::ir::{Block, InstKind, Operand, TyKind, Var};
use overdub_context::ops;

use super::primal::Primal;
use super::reverse_cfg::{LoopCounter, ReverseExit};
use crate::normalize_cfg::target;

/// The step of an integer in an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct InductionStep {
    /// The constant that is added or subtracted.
    pub(super) step: Operand,
    pub(super) size: usize,
    pub(super) falls: bool,
    /// Whether it wraps on overflow.
    pub(super) wraps: bool,
}

/// An induction variable of a loop.
#[derive(Clone, Debug)]
pub(super) struct InductionVar {
    pub(super) counter: LoopCounter,
    /// Its value on entry to the loop.
    pub(super) init: Operand,
    pub(super) falls: bool,
    /// The number of steps of the variable for each step of the counter, unless both steps are equal.
    pub(super) times: Option<Operand>,
}

impl Primal {
    /// The step from a parameter to its next value, if it is a constant.
    pub(super) fn steps(&self, param: Var, next: &Operand) -> Option<InductionStep> {
        let InstKind::Op { op, args } = &self.inst(next.var()?)?.kind else { return None };
        let falls = *op == &ops::SUB || *op == &ops::SUB_WRAPPING;
        let rises = *op == &ops::ADD || *op == &ops::ADD_WRAPPING;
        let wraps = *op == &ops::SUB_WRAPPING || *op == &ops::ADD_WRAPPING;
        let [from, step] = args.as_slice() else { return None };
        let size = step.constant()?.value().as_index()?;
        let is_counted = from.var() == Some(param) && (falls || rises) && (1..=1 << 16).contains(&size);
        is_counted.then(|| InductionStep { step: step.clone(), size, falls, wraps })
    }

    /// The induction variable that a parameter of a loop's header is, if the reverse sweep is inside the
    /// loop.
    pub(super) fn induction_var(&self, param: Var, at: Block) -> Option<InductionVar> {
        let header = self.block_of(param);
        let ReverseExit::Loop(counter) = self.reverse_exits[header.index()].as_ref()? else { return None };
        let func = self.func();
        let is_integer = matches!(func.ty(param).kind(), TyKind::Int(_));
        if counter.param == param || !is_integer || func.ty(param) != func.ty(counter.param) {
            return None;
        }
        let loops = &self.shape.loops;
        loops.iter().find(|(id, each)| each.header == header && loops.contains(*id, at))?;
        let k = func.block(header).params.iter().position(|other| *other == param)?;
        let steps = self.steps(param, &target(func, counter.latch).args[k])?;
        let size = counter.step.constant()?.value().as_index()?;
        let times = (steps.size != size).then_some(steps.step);
        let init = target(func, counter.entry).args[k].clone();
        let counter = counter.clone();
        (times.is_none() || size == 1).then_some(InductionVar { counter, init, falls: steps.falls, times })
    }
}
