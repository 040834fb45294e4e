//! The natural loops of a function and their nesting.
//!
//! - A loop consists of the blocks that lead back to its header and are dominated by it.
//! - Loops with the same header are one loop. An inner loop precedes the enclosing loop.
//! - A cycle that can be entered at two blocks is not a natural loop; its extra entries are reported.

use super::{Cfg, Dominators};
use crate::ir::Block;

/// A loop of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LoopId(pub u32);

/// The properties of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The block through which the loop is entered.
    pub header: Block,
    /// The blocks that branch back to the header.
    pub latches: Vec<Block>,
    /// The enclosing loop.
    pub parent: Option<LoopId>,
    /// The nesting depth: the number of enclosing loops plus one.
    pub depth: u32,
}

/// The loops of a function.
#[derive(Clone, Debug)]
pub struct LoopNest {
    loops: Vec<Loop>,
    innermost: Vec<Option<LoopId>>,
    irreducible: Vec<(Block, Block)>,
}

impl LoopNest {
    /// The loops of a graph.
    pub fn new(cfg: &Cfg, dominators: &Dominators) -> LoopNest {
        let mut nest =
            LoopNest { loops: Vec::new(), innermost: vec![None; cfg.len()], irreducible: Vec::new() };
        let mut outermost = Vec::new();
        for &header in dominators.preorder().iter().rev() {
            let is_latch = |&pred: &Block| dominators.dominates(header, pred);
            let latches: Vec<Block> = cfg.preds(header).iter().copied().filter(is_latch).collect();
            if !latches.is_empty() {
                nest.discover(cfg, header, latches, &mut outermost);
            }
        }
        for id in (0..nest.loops.len()).rev() {
            let parent = nest.loops[id].parent;
            nest.loops[id].depth = 1 + parent.map_or(0, |parent| nest.loops[parent.0 as usize].depth);
        }
        nest.irreducible = extra_entries(cfg, dominators);
        nest
    }

    /// All loops, each before the enclosing loop.
    pub fn iter(&self) -> impl Iterator<Item = (LoopId, &Loop)> {
        (0..).map(LoopId).zip(&self.loops)
    }

    /// A loop.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id.0 as usize]
    }

    /// The innermost loop that contains `block`.
    pub fn innermost(&self, block: Block) -> Option<LoopId> {
        self.innermost[block.index()]
    }

    /// The number of loops that contain `block`.
    pub fn depth(&self, block: Block) -> u32 {
        self.innermost(block).map_or(0, |id| self.get(id).depth)
    }

    /// Whether the loop, inner loops included, contains `block`.
    pub fn contains(&self, id: LoopId, block: Block) -> bool {
        let mut current = self.innermost(block);
        while let Some(inner) = current {
            if inner == id {
                return true;
            }
            current = self.get(inner).parent;
        }
        false
    }

    /// The edges that leave the loop.
    pub fn exits(&self, cfg: &Cfg, id: LoopId) -> Vec<(Block, Block)> {
        let inside = cfg.reverse_postorder().iter().filter(|&&block| self.contains(id, block));
        inside
            .flat_map(|&block| cfg.succs(block).iter().map(move |&succ| (block, succ)))
            .filter(|&(_, succ)| !self.contains(id, succ))
            .collect()
    }

    /// The edges that close a cycle without leading to a block that dominates their source; none if every
    /// cycle is a natural loop.
    pub fn irreducible(&self) -> &[(Block, Block)] {
        &self.irreducible
    }

    /// Collects the blocks that lead back to the header; `outermost` is the union-find structure that maps
    /// each loop to the outermost enclosing loop found so far.
    fn discover(&mut self, cfg: &Cfg, header: Block, latches: Vec<Block>, outermost: &mut Vec<u32>) {
        let id = self.loops.len() as u32;
        let mut work = latches.clone();
        self.loops.push(Loop { header, latches, parent: None, depth: 0 });
        outermost.push(id);
        while let Some(block) = work.pop() {
            let Some(inner) = self.innermost[block.index()] else {
                if cfg.is_reachable(block) {
                    self.innermost[block.index()] = Some(LoopId(id));
                    if block != header {
                        work.extend(cfg.preds(block));
                    }
                }
                continue;
            };
            let top = outermost_of(outermost, inner.0);
            if top != id {
                self.loops[top as usize].parent = Some(LoopId(id));
                outermost[top as usize] = id;
                let inner_header = self.loops[top as usize].header;
                work.extend(cfg.preds(inner_header));
            }
        }
    }
}

fn outermost_of(outermost: &mut [u32], mut id: u32) -> u32 {
    while outermost[id as usize] != id {
        let above = outermost[outermost[id as usize] as usize];
        outermost[id as usize] = above;
        id = above;
    }
    id
}

/// The retreating edges whose target does not dominate their source.
fn extra_entries(cfg: &Cfg, dominators: &Dominators) -> Vec<(Block, Block)> {
    let mut edges = Vec::new();
    for &block in cfg.reverse_postorder() {
        for &succ in cfg.succs(block) {
            if cfg.position(succ) <= cfg.position(block) && !dominators.dominates(succ, block) {
                edges.push((block, succ));
            }
        }
    }
    edges
}
