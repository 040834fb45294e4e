//! Loop fusion: a forward loop and its reverse loop become one, which reverses each iteration right after it
//! has run.
//!
//! ```text
//! for i in 0..n { s += f(x[i]) }                for i in 0..n {
//! for i in (0..n).rev() {                  =>       s += f(x[i]);
//!     dx[i] += ds * f'(x[i])                        dx[i] += ds * f'(x[i])
//! }                                             }
//! ```
//!
//! - FUSE1 the first loop counts from 0 up to a limit, the second from there down to 0, and neither has
//!   another exit.
//! - FUSE2 the only loop-carried values of the reverse loop are arrays whose elements it adds to, and these
//!   sums are equal to the bit in any order, by [`super::reassociation`].
//! - FUSE3 the reverse loop needs no value of the forward loop other than those that it recomputes.

use std::collections::BTreeSet;

use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, Dominators, LoopId, LoopNest};
use overdub_context::edit::for_each_operand;
use overdub_context::ir::{
    Block, Func, Inst, InstKind, Operand, Position, Target, Terminator, TerminatorKind, Ty, Var,
};
use overdub_context::ops::{Effects, TotalOn};

use super::reassociation::{CountedLoop, FreeOrders, TripCount, counted, uses};

/// The greatest number of loop pairs that are fused in a function.
const MOST: usize = 16;

/// The function with its loop pairs fused, if it has any.
pub(super) fn fuse_loops(func: &Func) -> Option<Func> {
    let mut fused: Option<Func> = None;
    for _ in 0..MOST {
        match step(fused.as_ref().unwrap_or(func)) {
            Some(next) => fused = Some(next),
            None => break,
        }
    }
    debug_assert!(fused.as_ref().is_none_or(|fused| overdub_context::verify::verify(fused).is_ok()));
    fused
}

fn step(func: &Func) -> Option<Func> {
    let cfg = Cfg::new(func);
    let dominators = Dominators::new(&cfg);
    let nest = LoopNest::new(&cfg, &dominators);
    let places = func.definitions();
    let loops = counted(func, &cfg, &nest, &places);
    if !loops.values().any(|each| matches!(each.counts, TripCount::Down { .. })) {
        return None;
    }
    let free_orders = FreeOrders::of(func, &nest, &places, &loops);
    let known = FusionAnalysis {
        func,
        cfg: &cfg,
        dominators: &dominators,
        nest: &nest,
        places: &places,
        loops: &loops,
    };
    let mut ups: Vec<LoopId> = loops.keys().copied().collect();
    ups.sort();
    ups.into_iter().find_map(|up| Some(known.pair(up, &free_orders)?.fused(func)))
}

/// A function and its analyses.
struct FusionAnalysis<'f> {
    func: &'f Func,
    cfg: &'f Cfg,
    dominators: &'f Dominators,
    nest: &'f LoopNest,
    places: &'f [Option<Position>],
    loops: &'f HashMap<LoopId, CountedLoop>,
}

/// A forward and a reverse loop to be fused.
struct LoopPair<'f> {
    up: &'f CountedLoop,
    down: &'f CountedLoop,
    /// The iteration number in the reverse loop, which that of the forward loop replaces.
    iteration: Var,
    /// The block between the loops, if there is one.
    between: Option<Block>,
    /// The instructions of that block that are moved before both loops.
    moved: BTreeSet<usize>,
    /// The initial arrays.
    begin: Vec<Operand>,
}

impl<'f> FusionAnalysis<'f> {
    /// The reverse loop of a loop that counts up, if the two can be fused.
    fn pair(&self, up: LoopId, free_orders: &FreeOrders) -> Option<LoopPair<'f>> {
        let id = up;
        let up = &self.loops[&id];
        let TripCount::Up { limit } = &up.counts else { return None };
        let (between, target) = self.after_exit(&up.exit)?;
        let (down_id, down) = self.loops.iter().find(|(_, other)| other.header == target.block)?;
        let TripCount::Down { init, less } = &down.counts else { return None };
        // Checks FUSE1.
        let counter = Operand::Var(self.func.block(up.header).params[up.at]);
        if self.nest.get(*down_id).parent != self.nest.get(id).parent || *init != counter && init != limit {
            return None;
        }
        let arrays = || others(down.at, &self.func.block(down.header).params);
        // Checks FUSE2.
        if arrays().next().is_none() || !arrays().all(|array| free_orders.is_free(*array)) {
            return None;
        }
        let begin: Vec<Operand> = others(down.at, &target.args).cloned().collect();
        let mut pair = LoopPair { up, down, iteration: *less, between, moved: BTreeSet::new(), begin };
        self.find_hoistable_inputs(&mut pair, *down_id, id)?;
        Some(pair)
    }

    /// The target of a loop's exit, possibly through one block that only computes.
    fn after_exit(&self, exit: &'f Target) -> Option<(Option<Block>, &'f Target)> {
        if self.loops.values().any(|other| other.header == exit.block) {
            return Some((None, exit));
        }
        let body = self.func.block(exit.block);
        match &body.terminator.as_ref()?.kind {
            TerminatorKind::Br(target) if body.params.is_empty() && self.cfg.preds(exit.block).len() == 1 => {
                Some((Some(exit.block), target))
            }
            _ => None,
        }
    }

    /// Whether every value that the reverse loop needs is defined before both loops, or can be computed there
    /// (FUSE3).
    fn find_hoistable_inputs(&self, pair: &mut LoopPair<'_>, down: LoopId, up: LoopId) -> Option<()> {
        let header = self.func.block(pair.down.header);
        let counter = header.params[pair.down.at];
        if header.insts.len() != 1 || self.func.block(pair.up.header).insts.len() != 1 {
            return None;
        }
        // The counter is compared and decremented, and has no other use.
        let uses = uses(self.func);
        if uses[counter.index()] != 2 || uses[header.insts[0].result.index()] != 1 {
            return None;
        }
        let iteration = pair.iteration;
        let mut needed: Vec<&Operand> = Vec::new();
        for (block, body) in self.func.iter_blocks() {
            if !self.nest.contains(down, block) || block == pair.down.header {
                continue;
            }
            let insts = body.insts.iter().filter(|inst| inst.result != iteration);
            let end = &body.terminator.as_ref()?.kind;
            // Effects would be reordered.
            let has_effects = |inst: &Inst| match &inst.kind {
                InstKind::Op { op, .. } => op.effects.reads || op.effects.writes,
                InstKind::Const(_) => false,
                InstKind::Call { .. } | InstKind::Overdub { .. } => true,
            };
            if matches!(end, TerminatorKind::Ret(_)) || body.insts.iter().any(has_effects) {
                return None;
            }
            needed.extend(insts.flat_map(|inst| inst.kind.operands()).chain(end.operands()));
        }
        let begin = pair.begin.clone();
        let mut all = begin.iter().chain(needed);
        all.all(|operand| self.is_before(pair, operand, down, up)).then_some(())
    }

    fn ty(&self, operand: &Operand) -> Ty {
        match operand {
            Operand::Var(var) => self.func.ty(*var),
            Operand::Const(constant) => constant.value().ty(),
        }
    }

    /// Whether a value belongs to the reverse loop, or is defined before both loops, once its instruction has
    /// been moved there.
    fn is_before(&self, pair: &mut LoopPair<'_>, operand: &Operand, down: LoopId, up: LoopId) -> bool {
        let Some(var) = operand.var() else { return true };
        let (block, at) = match self.places[var.index()] {
            Some(Position::Head) => return true,
            Some(Position::Block(block)) => (block, None),
            Some(Position::Inst(block, at)) => (block, Some(at)),
            Some(Position::Terminator(_)) | None => return false,
        };
        if self.nest.contains(down, block) {
            return true;
        }
        if let (true, Some(at)) = (pair.between == Some(block), at) {
            if pair.moved.contains(&at) {
                return true;
            }
            let InstKind::Op { op, args } = &self.func.block(block).insts[at].kind else { return false };
            let tys: Vec<Ty> = args.iter().map(|arg| self.ty(arg)).collect();
            let effects = op.effects_on(&tys);
            let is_moved = Effects { total_on: TotalOn::Nothing, ..effects } == Effects::PURE
                && args.iter().all(|arg| self.is_before(pair, arg, down, up));
            if is_moved {
                pair.moved.insert(at);
            }
            return is_moved;
        }
        !self.nest.contains(up, block) && self.dominators.dominates(block, pair.up.header)
    }
}

impl LoopPair<'_> {
    /// The function with the loop pair fused.
    fn fused(&self, func: &Func) -> Func {
        let mut func = func.clone();
        let (up, down) = (self.up, self.down);
        let arrays: Vec<Var> = others(down.at, &func.block(down.header).params).copied().collect();
        let counter = func.block(up.header).params[up.at];
        self.move_up(&mut func);
        func.block_mut(up.header).params.extend(&arrays);
        edge(&mut func, up.entry, up.header).args.extend(self.begin.iter().cloned());
        // A forward iteration branches to its reverse iteration, which branches to the next forward iteration.
        let next = self.redirect_latches(&mut func, arrays.len());
        for latch in &down.latches {
            let back_edge = edge(&mut func, *latch, down.header);
            let added: Vec<Operand> = others(down.at, &back_edge.args).cloned().collect();
            *back_edge = Target { block: up.header, args: next.iter().cloned().chain(added).collect() };
        }
        edge(&mut func, self.between.unwrap_or(up.header), down.header).args.clear();
        let header = func.block_mut(down.header);
        header.params.clear();
        header.insts.clear();
        if let Some(end) = &mut header.terminator {
            end.kind = TerminatorKind::Br(down.exit.clone());
        }
        replace(&mut func, self.iteration, counter);
        func
    }

    /// Redirects the forward latches to the reverse loop; returns the arguments that they pass to the next
    /// iteration.
    fn redirect_latches(&self, func: &mut Func, arrays: usize) -> Vec<Operand> {
        let (up, enters) = (self.up, self.down.enters.clone());
        if let [latch] = up.latches[..] {
            return std::mem::replace(edge(func, latch, up.header), enters).args;
        }
        let header = func.block(up.header);
        let tys: Vec<Ty> =
            header.params[..header.params.len() - arrays].iter().map(|var| func.ty(*var)).collect();
        let params: Vec<Var> = tys.into_iter().map(|ty| func.new_var(ty)).collect();
        let merge_block = func.new_block(params.clone());
        for latch in &up.latches {
            edge(func, *latch, up.header).block = merge_block;
        }
        let end = Terminator { kind: TerminatorKind::Br(enters), span: func.span };
        func.block_mut(merge_block).terminator = Some(end);
        params.into_iter().map(Operand::Var).collect()
    }

    fn move_up(&self, func: &mut Func) {
        let Some(between) = self.between else { return };
        let mut at = 0;
        let (moved, kept): (Vec<Inst>, Vec<Inst>) =
            std::mem::take(&mut func.block_mut(between).insts).into_iter().partition(|_| {
                at += 1;
                self.moved.contains(&(at - 1))
            });
        func.block_mut(between).insts = kept;
        func.block_mut(self.up.entry).insts.extend(moved);
    }
}

/// All elements except the one at this index.
fn others<T>(at: usize, all: &[T]) -> impl Iterator<Item = &T> {
    all.iter().enumerate().filter(move |(k, _)| *k != at).map(|(_, one)| one)
}

/// The only branch from a block to another one.
fn edge(func: &mut Func, from: Block, to: Block) -> &mut Target {
    let target = func.terminator_mut(from).kind.targets_mut().find(|target| target.block == to);
    target.expect("a loop was found by its edges")
}

/// Replaces the uses of a variable that no longer has a definition.
fn replace(func: &mut Func, old: Var, new: Var) {
    let put = |operand: &mut Operand| {
        if operand.var() == Some(old) {
            *operand = new.into();
        }
    };
    for body in &mut func.blocks {
        body.insts.retain(|inst| inst.result != old);
        for_each_operand(body, put);
    }
}
