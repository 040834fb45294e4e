//! Liveness: the variables that are live at the start and the end of blocks.
//!
//! Each use of a variable is followed backwards to its definition (Boissinot et al., *Computing Liveness Sets
//! for SSA-Form Programs*, 2011), so the cost is proportional to the result: there are no bit sets of blocks
//! times variables.

use hashbrown::HashSet;
use smallvec::SmallVec;

use super::Cfg;
use crate::ir::{Block, Func, Operand, Var};

/// The variables that are live at the start and at the end of each block.
///
/// A block's parameters are defined in it, so they are not live-in. Block arguments are used by the
/// terminator that passes them, which alone does not make them live-out.
#[derive(Clone, Debug)]
pub struct Liveness {
    live_in: Vec<Vec<Var>>,
    live_out: Vec<Vec<Var>>,
}

impl Liveness {
    /// The liveness of a function's variables.
    pub fn new(func: &Func) -> Liveness {
        let blocks = func.blocks.len();
        let mut walk = Walk {
            cfg: Cfg::new(func),
            defined_in: vec![None; func.vars.len()],
            sets: Liveness { live_in: vec![Vec::new(); blocks], live_out: vec![Vec::new(); blocks] },
        };
        let mut uses: Vec<(Var, Block)> = Vec::new();
        for (block, body) in func.iter_blocks() {
            let insts = body.insts.iter();
            for var in body.params.iter().copied().chain(insts.clone().map(|inst| inst.result)) {
                if let Some(place) = walk.defined_in.get_mut(var.index()) {
                    *place = Some(block);
                }
            }
            let terminator = body.terminator.iter().flat_map(|end| end.kind.operands());
            let operands = insts.flat_map(|inst| inst.kind.operands()).chain(terminator);
            uses.extend(operands.filter_map(Operand::var).map(|var| (var, block)));
        }
        for point in func.debug.iter().flat_map(|debug| &debug.points) {
            let vars = point.operands().filter_map(Operand::var);
            uses.extend(vars.map(|var| (var, point.block)));
        }
        // Process one variable at a time, so that testing for membership only compares the last entry of a
        // set.
        uses.sort_unstable();
        uses.dedup();
        for (var, block) in uses {
            walk.used(var, block);
        }
        walk.sets
    }

    /// The variables that are live at the start of `block`, in order.
    pub fn live_in(&self, block: Block) -> &[Var] {
        self.live_in.get(block.index()).map_or(&[], Vec::as_slice)
    }

    /// The variables whose last use is in each instruction of `block`, followed by those of the terminator:
    /// an executor may move them instead of sharing them.
    pub fn last_uses(&self, func: &Func, block: Block) -> Vec<SmallVec<[Var; 2]>> {
        let body = func.block(block);
        let mut live: HashSet<Var> = self.live_out(block).iter().copied().collect();
        let mut last = Vec::with_capacity(body.insts.len() + 1);
        let end: Vec<&Operand> = body.terminator.iter().flat_map(|end| end.kind.operands()).collect();
        last.push(end.into_iter().filter_map(Operand::var).filter(|&var| live.insert(var)).collect());
        for inst in body.insts.iter().rev() {
            last.push(
                inst.kind.operands().filter_map(Operand::var).filter(|&var| live.insert(var)).collect(),
            );
        }
        last.reverse();
        last
    }

    /// The variables that are live at the end of `block`, in order.
    pub fn live_out(&self, block: Block) -> &[Var] {
        self.live_out.get(block.index()).map_or(&[], Vec::as_slice)
    }
}

struct Walk {
    cfg: Cfg,
    defined_in: Vec<Option<Block>>,
    sets: Liveness,
}

impl Walk {
    fn used(&mut self, var: Var, block: Block) {
        let defined = self.defined_in.get(var.index()).copied().flatten();
        let mut pending = vec![block];
        while let Some(block) = pending.pop() {
            if defined == Some(block) || !insert(&mut self.sets.live_in[block.index()], var) {
                continue;
            }
            for &pred in self.cfg.preds(block) {
                if insert(&mut self.sets.live_out[pred.index()], var) {
                    pending.push(pred);
                }
            }
        }
    }
}

/// Adds `var`, the greatest so far; returns whether it was absent.
fn insert(set: &mut Vec<Var>, var: Var) -> bool {
    if set.last() == Some(&var) {
        return false;
    }
    set.push(var);
    true
}
