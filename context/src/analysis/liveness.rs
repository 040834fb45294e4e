//! Which variables are alive at the borders of blocks.
//!
//! Each variable's uses are followed backwards until its definition (Boissinot et al., *Computing Liveness Sets for
//! SSA-Form Programs*, 2011), so the cost is that of the answer: no bit sets of blocks times variables.

use crate::ir::{Block, Func, Operand, Var};

/// The variables that are alive where blocks begin and end.
///
/// A block's parameters are defined in it: they are not alive where it begins. Block arguments are used by the
/// terminator that passes them: by themselves they are not alive where its block ends.
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
            preds: predecessors(func),
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
        // One variable after the other, so that "is it in the set already" is a look at the set's last entry.
        uses.sort_unstable();
        uses.dedup();
        for (var, block) in uses {
            walk.used(var, block);
        }
        walk.sets
    }

    /// The variables that are alive where `block` begins, in order.
    pub fn live_in(&self, block: Block) -> &[Var] {
        self.live_in.get(block.index()).map_or(&[], Vec::as_slice)
    }

    /// The variables that are alive where `block` ends, in order.
    pub fn live_out(&self, block: Block) -> &[Var] {
        self.live_out.get(block.index()).map_or(&[], Vec::as_slice)
    }
}

struct Walk {
    preds: Vec<Vec<Block>>,
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
            for &pred in &self.preds[block.index()] {
                if insert(&mut self.sets.live_out[pred.index()], var) {
                    pending.push(pred);
                }
            }
        }
    }
}

/// Adds `var`, the greatest so far; says whether it was not there.
fn insert(set: &mut Vec<Var>, var: Var) -> bool {
    if set.last() == Some(&var) {
        return false;
    }
    set.push(var);
    true
}

fn predecessors(func: &Func) -> Vec<Vec<Block>> {
    let mut preds = vec![Vec::new(); func.blocks.len()];
    for (block, body) in func.iter_blocks() {
        for target in body.terminator.iter().flat_map(|end| end.kind.targets()) {
            if let Some(list) = preds.get_mut(target.block.index()) {
                list.push(block);
            }
        }
    }
    preds
}
