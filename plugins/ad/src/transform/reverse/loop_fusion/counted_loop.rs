//! Counted loops, and the operations by which they are recognised.

use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, LoopId, LoopNest};
use overdub_context::ir::{Block, Func, InstKind, Operand, Position, Target, TerminatorKind, Ty, Var};
use overdub_context::ops::{self, OpDef};

/// A counted loop whose only exit is its header.
#[derive(Debug)]
pub(super) struct CountedLoop {
    pub(super) header: Block,
    /// The position of the counter among the header's parameters.
    pub(super) at: usize,
    pub(super) counts: TripCount,
    /// Its preheader.
    pub(super) entry: Block,
    /// Its latches.
    pub(super) latches: Vec<Block>,
    /// The header's branch into the body.
    pub(super) enters: Target,
    /// The header's branch out of the loop.
    pub(super) exit: Target,
}

/// The trip count of a loop.
#[derive(Debug)]
pub(super) enum TripCount {
    /// Up from 0 by ones while less than the limit.
    Up { limit: Operand },
    /// Down from `init` by ones to 0; the body uses `less`, the counter minus one.
    Down { init: Operand, less: Var },
}

/// Finds the counted loops.
pub(super) fn counted(
    func: &Func,
    cfg: &Cfg,
    nest: &LoopNest,
    places: &[Option<Position>],
) -> HashMap<LoopId, CountedLoop> {
    let finder = CountedLoopFinder { func, cfg, nest, places };
    nest.iter().filter_map(|(id, each)| Some((id, finder.counted(id, each.header)?))).collect()
}

struct CountedLoopFinder<'f> {
    func: &'f Func,
    cfg: &'f Cfg,
    nest: &'f LoopNest,
    places: &'f [Option<Position>],
}

impl CountedLoopFinder<'_> {
    fn counted(&self, id: LoopId, header: Block) -> Option<CountedLoop> {
        let [(from, _)] = self.nest.exits(self.cfg, id)[..] else { return None };
        let (latches, entries): (Vec<Block>, Vec<Block>) =
            self.cfg.preds(header).iter().partition(|pred| self.nest.contains(id, **pred));
        let [entry] = entries[..] else { return None };
        if from != header {
            return None;
        }
        let end = &self.func.block(header).terminator.as_ref()?.kind;
        let TerminatorKind::BrIf { cond, then, otherwise } = end else { return None };
        let (op, [x, bound]) = self.op(cond)? else { return None };
        let params = &self.func.block(header).params;
        let at = params.iter().position(|param| Some(*param) == x.var())?;
        let is_usize = self.func.ty(params[at]) == Ty::usize();
        let (begin, next) = (self.arg(entry, header, at)?, self.arg(*latches.first()?, header, at)?);
        let step = self.step(next, x)?;
        let is_same = |latch: &Block| self.arg(*latch, header, at).is_some_and(|other| other == next);
        if !is_usize || !latches.iter().all(is_same) {
            return None;
        }
        let is_inside = self.nest.contains(id, then.block);
        let up = *op == ops::LT && is_inside && is_add(step) && is_int(begin, 0);
        let down = *op == ops::EQ && !is_inside && is_sub(step) && is_int(bound, 0);
        let (counts, enters, exit) = if up && self.is_outside(id, bound) {
            (TripCount::Up { limit: bound.clone() }, then, otherwise)
        } else if down {
            (TripCount::Down { init: begin.clone(), less: next.var()? }, otherwise, then)
        } else {
            return None;
        };
        Some(CountedLoop { header, at, counts, entry, latches, enters: enters.clone(), exit: exit.clone() })
    }

    /// The operation by which a value is a step from another one, if it is.
    fn step(&self, next: &Operand, than: &Operand) -> Option<&'static OpDef> {
        match self.op(next)? {
            (step, [x, one]) if is_add(step) || is_sub(step) => (x == than && is_int(one, 1)).then_some(step),
            _ => None,
        }
    }

    /// The operation that defines a value.
    fn op(&self, operand: &Operand) -> Option<(&'static OpDef, &[Operand])> {
        op_of(self.func, self.places, operand)
    }

    /// The argument that a block passes to a parameter of another block, if there is one edge between them.
    fn arg(&self, from: Block, to: Block, at: usize) -> Option<&Operand> {
        let end = self.func.block(from).terminator.as_ref()?;
        let mut targets = end.kind.targets().filter(|target| target.block == to);
        let target = targets.next()?;
        if targets.next().is_some() {
            return None;
        }
        target.args.get(at)
    }

    fn is_outside(&self, id: LoopId, operand: &Operand) -> bool {
        operand.var().is_none_or(|var| match self.places[var.index()] {
            Some(Position::Head) => true,
            Some(Position::Block(block) | Position::Inst(block, _)) => !self.nest.contains(id, block),
            Some(Position::Terminator(_)) | None => false,
        })
    }
}

pub(super) fn is_int(operand: &Operand, n: i128) -> bool {
    operand.constant().and_then(|constant| constant.value().as_int()).is_some_and(|(_, is)| is == n)
}

/// The operation that defines a value, and its operands.
pub(super) fn op_of<'f>(
    func: &'f Func,
    places: &[Option<Position>],
    operand: &Operand,
) -> Option<(&'static OpDef, &'f [Operand])> {
    let Some(Position::Inst(block, at)) = places[operand.var()?.index()] else { return None };
    match &func.block(block).insts[at].kind {
        InstKind::Op { op, args } => Some((*op, args)),
        _ => None,
    }
}

pub(super) fn is_add(op: &OpDef) -> bool {
    *op == ops::ADD || *op == ops::ADD_WRAPPING
}

pub(super) fn is_sub(op: &OpDef) -> bool {
    *op == ops::SUB || *op == ops::SUB_WRAPPING
}

pub(super) fn is_mul(op: &OpDef) -> bool {
    *op == ops::MUL || *op == ops::MUL_WRAPPING
}

pub(super) fn is_get(op: &OpDef) -> bool {
    *op == ops::GET || *op == ops::GET_UNCHECKED
}

pub(super) fn is_set(op: &OpDef) -> bool {
    *op == ops::SET || *op == ops::SET_UNCHECKED
}

/// The number of uses of each variable.
pub(super) fn uses(func: &Func) -> Vec<u32> {
    let mut uses = vec![0; func.vars.len()];
    for body in &func.blocks {
        let of_end = body.terminator.iter().flat_map(|end| end.kind.operands());
        let all = body.insts.iter().flat_map(|inst| inst.kind.operands()).chain(of_end);
        all.filter_map(Operand::var).for_each(|var| uses[var.index()] += 1);
    }
    uses
}
