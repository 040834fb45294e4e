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
//! - FUSE3 the reverse loop needs no value of the forward loop other than those that it recomputes, and the records that
//!   an iteration pushed for its reverse iteration.
//! - FUSE4 an iteration pushes at most one record on a stack, which is empty before the loop, and its reverse iteration pops
//!   that one: the record is then a variable of the fused loop.

mod counted_loop;
mod index_analysis;
mod reassociation;
mod rewrite;
mod tape;

use std::collections::BTreeSet;

use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, Dominators, LoopId, LoopNest};
use overdub_context::ir::{
    Block, Func, Inst, InstKind, Operand, Position, Target, TerminatorKind, Ty, TyKind, Var,
};
use overdub_context::ops::{self, Effects, TotalOn};

use self::counted_loop::{CountedLoop, TripCount, counted, uses};
use self::reassociation::FreeOrders;
use self::tape::{Tape, Uses};

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
    if let Some(fused) = &mut fused {
        rewrite::label_new_vars(fused, func.vars.len());
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
    /// The positions of the arrays among the parameters of the reverse loop's header.
    arrays: Vec<usize>,
    /// The initial arrays.
    begin: Vec<Operand>,
    tapes: Vec<Tape>,
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
        let params = &self.func.block(down.header).params;
        let is_stack = |at: &usize| matches!(self.func.ty(params[*at]).kind(), TyKind::Stack(_));
        let (stacks, arrays): (Vec<usize>, Vec<usize>) =
            (0..params.len()).filter(|at| *at != down.at).partition(is_stack);
        // Checks FUSE2.
        if arrays.is_empty() || !arrays.iter().all(|at| free_orders.is_free(params[*at])) {
            return None;
        }
        let begin = select(&arrays, &target.args);
        let tapes = self.tapes((id, *down_id), target, &stacks)?;
        let moved = BTreeSet::new();
        let mut pair = LoopPair { up, down, iteration: *less, between, moved, arrays, begin, tapes };
        self.find_hoistable_inputs(&mut pair, *down_id, id)?;
        Some(pair)
    }

    /// The tapes at these positions of the reverse loop's header, which is entered from the forward loop by `target`.
    fn tapes(&self, (up, down): (LoopId, LoopId), target: &Target, stacks: &[usize]) -> Option<Vec<Tape>> {
        if stacks.is_empty() {
            return Some(Vec::new());
        }
        let uses = Uses::of(self.func);
        let of = &self.loops[&up];
        let entry = self.func.terminator(of.entry).kind.targets().find(|target| target.block == of.header)?;
        let tape = |at: &usize| {
            let stack = target.args[*at].var()?;
            let up_at = self.func.block(of.header).params.iter().position(|param| *param == stack)?;
            let is_empty = matches!(self.places[entry.args[up_at].var()?.index()], Some(Position::Inst(block, at))
                if matches!(&self.func.block(block).insts[at].kind, InstKind::Op { op, .. } if *op == &ops::STACK_NEW));
            let in_up = |block: Block| self.nest.contains(up, block);
            let in_down = |block: Block| self.nest.contains(down, block);
            let headers = (of.header, self.loops[&down].header);
            is_empty.then(|| uses.tape(headers, (up_at, *at), (&in_up, &in_down)))?
        };
        stacks.iter().map(tape).collect()
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

/// The elements at these positions.
fn select<T: Clone>(at: &[usize], all: &[T]) -> Vec<T> {
    at.iter().map(|at| all[*at].clone()).collect()
}
