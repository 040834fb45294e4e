//! The control flow graph: which block can follow which.
//!
//! - Every edge counts once, even where a branch goes to one block in two ways.
//! - Branches to blocks that do not exist are left out: the verifier reads functions that are wrong.

use smallvec::SmallVec;

use crate::ir::{Block, Func};

/// A few blocks.
pub(super) type Blocks = SmallVec<[Block; 2]>;

/// Predecessors, successors and a reverse postorder.
#[derive(Clone, Debug)]
pub struct Cfg {
    succs: Vec<Blocks>,
    preds: Vec<Blocks>,
    order: Vec<Block>,
    position: Vec<Option<u32>>,
}

impl Cfg {
    /// The graph of `func`.
    pub fn new(func: &Func) -> Cfg {
        let n = func.blocks.len();
        let mut succs = vec![Blocks::new(); n];
        let mut preds = vec![Blocks::new(); n];
        // The last block that each block was found to follow, so that a wide switch takes linear time.
        let mut last_pred = vec![None; n];
        for (block, body) in func.iter_blocks() {
            for target in body.terminator.iter().flat_map(|terminator| terminator.kind.targets()) {
                if target.block.index() < n && last_pred[target.block.index()].replace(block) != Some(block) {
                    succs[block.index()].push(target.block);
                    preds[target.block.index()].push(block);
                }
            }
        }
        let order = reverse_postorder(&succs);
        let mut position = vec![None; n];
        for (i, block) in (0..).zip(&order) {
            position[block.index()] = Some(i);
        }
        Cfg { succs, preds, order, position }
    }

    /// How many blocks the function has.
    pub fn len(&self) -> usize {
        self.succs.len()
    }

    /// Whether the function has no block.
    pub fn is_empty(&self) -> bool {
        self.succs.is_empty()
    }

    /// The blocks that `block` may go to.
    pub fn succs(&self, block: Block) -> &[Block] {
        &self.succs[block.index()]
    }

    /// The blocks that may go to `block`.
    pub fn preds(&self, block: Block) -> &[Block] {
        &self.preds[block.index()]
    }

    /// The reachable blocks, each before those that follow it, but for the edges that close a loop.
    pub fn reverse_postorder(&self) -> &[Block] {
        &self.order
    }

    /// Where `block` stands in the reverse postorder; `None` if it cannot be reached.
    pub fn position(&self, block: Block) -> Option<u32> {
        self.position.get(block.index()).copied().flatten()
    }

    /// Whether `block` can be reached from the entry.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.position(block).is_some()
    }
}

fn reverse_postorder(succs: &[Blocks]) -> Vec<Block> {
    let mut order = Vec::with_capacity(succs.len());
    let mut seen = vec![false; succs.len()];
    let mut work = Vec::new();
    if let Some(entry) = seen.first_mut() {
        *entry = true;
        work.push((Block::ENTRY, 0));
    }
    while let Some((block, next)) = work.last_mut() {
        // The last successor is entered first, so that the reversed order takes the first one first.
        match succs[block.index()].iter().rev().nth(*next) {
            Some(&succ) => {
                *next += 1;
                if !std::mem::replace(&mut seen[succ.index()], true) {
                    work.push((succ, 0));
                }
            }
            None => {
                order.push(*block);
                work.pop();
            }
        }
    }
    order.reverse();
    order
}
