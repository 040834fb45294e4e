//! The control flow of the reverse sweep: how each reverse block selects its successor.

use std::collections::BTreeSet;

use overdub_context::ir::{Block, Inst, InstKind, IntTy, Operand, Target, TerminatorKind, Ty, TyKind, Var};
use overdub_context::ops;

use super::induction::InductionStep;
use super::primal::Primal;
use crate::normalize_cfg::{Edge, target};

/// The counter of a loop: its initial value and its step.
#[derive(Clone, Debug)]
pub(super) struct LoopCounter {
    pub(super) param: Var,
    pub(super) init: Operand,
    pub(super) step: Operand,
    pub(super) falls: bool,
    pub(super) entry: Edge,
    pub(super) latch: Edge,
    /// The final value of the counter, if it counts up to that value by ones and the loop has no other exit.
    pub(super) limit: Option<Operand>,
}

/// The condition that distinguishes the two predecessors of a block.
#[derive(Clone, Debug)]
pub(super) struct EntryCondition {
    pub(super) cond: Operand,
    pub(super) first_if: FirstIf,
}

/// The value of the condition if the block was entered from its first predecessor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FirstIf {
    True,
    False,
}

/// How the reverse block of a block selects its successor.
#[derive(Clone, Debug)]
pub(super) enum ReverseExit {
    /// The entry of the primal: the sweep returns.
    Entry,
    /// Jumps to that block: nothing in between is active.
    Jump(Block),
    /// The block has one predecessor.
    One(Edge),
    /// The block is the header of a loop.
    Loop(LoopCounter),
    /// The variable that numbers the predecessor, and a condition that may replace it.
    ByPredecessor(Var, Option<EntryCondition>),
}

impl Primal {
    /// Whether a block contains anything to reverse.
    fn acts(&self, block: Block) -> bool {
        let body = self.func().block(block);
        body.params.iter().any(|param| self.is_active(*param)) || body.insts.iter().any(|i| self.counts(i))
    }

    /// Chooses the exit of each reverse block (PRIMAL2).
    pub(super) fn find_reverse_exits(&mut self) {
        let acts: Vec<bool> = (0..self.func().blocks.len() as u32).map(|n| self.acts(Block(n))).collect();
        let blocks: Vec<Block> = self.shape.cfg.reverse_postorder().to_vec();
        for block in blocks {
            if self.shape.returns[block.index()] {
                self.reverse_exits[block.index()] = Some(self.reverse_exit(block, &acts));
            }
        }
    }

    fn reverse_exit(&mut self, block: Block, acts: &[bool]) -> ReverseExit {
        let incoming = self.shape.incoming[block.index()].clone();
        if block == Block::ENTRY {
            return ReverseExit::Entry;
        }
        if let [only] = incoming.as_slice() {
            return ReverseExit::One(*only);
        }
        let active_params = self.func().block(block).params.iter().any(|param| self.is_active(*param));
        if let Some(idom) = self.shape.dominators.idom(block)
            && !active_params
            && self.may_jump(idom, block, acts)
        {
            return ReverseExit::Jump(idom);
        }
        let header = self.shape.loops.iter().find(|(_, each)| each.header == block).map(|(id, _)| id);
        let Some(id) = header else { return self.merge(block, &incoming) };
        let (latches, entries): (Vec<Edge>, Vec<Edge>) =
            incoming.iter().partition(|slot| self.shape.loops.contains(id, slot.from));
        let (Some(entry), Some(latch)) = (entries.first(), latches.first()) else {
            unreachable!("NORM2: a loop has one entry edge and one back edge")
        };
        ReverseExit::Loop(self.counter(block, *entry, *latch))
    }

    /// Whether the reverse sweep may jump over the blocks on the ways from a block to one that it dominates: there is nothing to
    /// reverse in them, and if they follow a loop, where it reads the loop's last counter, they do not lead elsewhere.
    fn may_jump(&self, idom: Block, block: Block, acts: &[bool]) -> bool {
        let (shape, between) = (&self.shape, self.between(idom, block));
        if between.iter().any(|over| acts[over.index()]) {
            return false;
        }
        let leaves = |to: &Block| shape.returns[to.index()] && *to != block && !between.contains(to);
        let leads_elsewhere = |over: &Block| shape.cfg.succs(*over).iter().any(leaves);
        let of_idom = shape.loops.innermost(idom);
        let mut behind_loop =
            between.iter().filter(|over| of_idom.is_some_and(|id| !shape.loops.contains(id, **over)));
        shape.loops.innermost(block).is_none() || !behind_loop.any(leads_elsewhere)
    }

    /// The blocks on the ways from a block to one that it dominates.
    fn between(&self, idom: Block, block: Block) -> BTreeSet<Block> {
        let mut between = BTreeSet::new();
        let mut pending: Vec<Block> = self.shape.cfg.preds(block).to_vec();
        while let Some(next) = pending.pop() {
            if next != idom && between.insert(next) {
                pending.extend(self.shape.cfg.preds(next));
            }
        }
        between
    }

    /// For each block, whether the reverse sweep jumps over it where it does not go elsewhere.
    pub(super) fn jumped(&self) -> Vec<bool> {
        let mut jumped = vec![false; self.func().blocks.len()];
        for ((block, _), exit) in self.func().iter_blocks().zip(&self.reverse_exits) {
            if let Some(ReverseExit::Jump(to)) = exit {
                self.between(*to, block).into_iter().for_each(|over| jumped[over.index()] = true);
            }
        }
        jumped
    }

    fn merge(&mut self, block: Block, edges: &[Edge]) -> ReverseExit {
        let decided = self.decided(block, edges);
        let func = &mut self.shape.func;
        let wide = edges.len() > 256;
        let pred_number = func.new_var(if wide { Ty::u32() } else { Ty::u8() });
        func.block_mut(block).params.push(pred_number);
        for (n, slot) in (0_u32..).zip(edges) {
            let number = if wide { Operand::from(n) } else { Operand::from(n as u8) };
            self.add_edge_arg(*slot, number);
        }
        ReverseExit::ByPredecessor(pred_number, decided)
    }

    fn add_edge_arg(&mut self, slot: Edge, arg: Operand) {
        let target = self.shape.func.terminator_mut(slot.from).kind.targets_mut().nth(slot.at);
        target.expect("a slot is a target of its terminator").args.push(arg);
    }

    /// The condition that decides between the two predecessors of a block, if there is one.
    fn decided(&self, block: Block, edges: &[Edge]) -> Option<EntryCondition> {
        let [first, second] = edges else { return None };
        let idom = self.shape.dominators.idom(block)?;
        let TerminatorKind::BrIf { cond, then, otherwise } =
            &self.func().block(idom).terminator.as_ref()?.kind
        else {
            return None;
        };
        let reached_by = |slot: &Edge, at: usize, target: &Target| {
            if slot.from == idom {
                return slot.at == at;
            }
            let has_one_pred = self.shape.incoming[target.block.index()].len() == 1;
            has_one_pred && self.shape.dominators.dominates(target.block, slot.from)
        };
        if reached_by(first, 0, then) && reached_by(second, 1, otherwise) {
            return Some(EntryCondition { cond: cond.clone(), first_if: FirstIf::True });
        }
        (reached_by(first, 1, otherwise) && reached_by(second, 0, then))
            .then(|| EntryCondition { cond: cond.clone(), first_if: FirstIf::False })
    }

    fn counter(&mut self, header: Block, entry: Edge, latch: Edge) -> LoopCounter {
        if let Some(counter) = self.program_counter(header, entry, latch) {
            return counter;
        }
        let func = &mut self.shape.func;
        let (param, next) = (func.new_var(Ty::usize()), func.new_var(Ty::usize()));
        func.block_mut(header).params.push(param);
        let (zero, one) = (Operand::from(0_usize), Operand::from(1_usize));
        let kind = InstKind::Op { op: &ops::ADD_WRAPPING, args: vec![param.into(), one.clone()] };
        let span = func.span;
        func.block_mut(latch.from).insts.push(Inst { result: next, kind, span });
        self.add_edge_arg(entry, zero.clone());
        self.add_edge_arg(latch, next.into());
        LoopCounter { param, init: zero, step: one, falls: false, entry, latch, limit: None }
    }

    /// A variable of the program that counts the iterations of a loop and never takes its initial value again.
    fn program_counter(&self, header: Block, entry: Edge, latch: Edge) -> Option<LoopCounter> {
        let func = self.func();
        let (first, next) = (&target(func, entry).args, &target(func, latch).args);
        let params = func.block(header).params.iter().zip(first).zip(next);
        params
            .filter_map(|((param, init), next)| {
                let InductionStep { step, size, falls, wraps } = self.steps(*param, next)?;
                let wide = [Ty::usize(), Ty::i64(), Ty::u64(), Ty::new(TyKind::Int(IntTy::Isize))]
                    .contains(&func.ty(*param));
                (wide || !wraps).then(|| LoopCounter {
                    param: *param,
                    init: init.clone(),
                    step,
                    falls,
                    entry,
                    latch,
                    limit: (!falls && size == 1).then(|| self.limit(header, *param)).flatten(),
                })
            })
            .next()
    }

    /// The bound that a counter is compared with at the only exit of its loop.
    fn limit(&self, header: Block, param: Var) -> Option<Operand> {
        let (id, _) = self.shape.loops.iter().find(|(_, each)| each.header == header)?;
        let returning = |(_, to): &&(Block, Block)| self.shape.returns[to.index()];
        let exits = self.shape.loops.exits(&self.shape.cfg, id);
        let exits: Vec<_> = exits.iter().filter(returning).collect();
        let TerminatorKind::BrIf { cond, otherwise, .. } =
            &self.func().block(header).terminator.as_ref()?.kind
        else {
            return None;
        };
        let only = matches!(exits.as_slice(), [(from, to)] if *from == header && *to == otherwise.block);
        let InstKind::Op { op, args } = &self.inst(cond.var()?)?.kind else { return None };
        let outside = |operand: &Operand| {
            operand.var().is_none_or(|var| !self.shape.loops.contains(id, self.block_of(var)))
        };
        (only && *op == &ops::LT && args[0].var() == Some(param) && outside(&args[1]))
            .then(|| args[1].clone())
    }
}
