//! The control flow graph: the predecessors and successors of blocks.
//!
//! - Each edge is counted once, even where a terminator has several edges to one block.
//! - Branches to blocks that do not exist are omitted, because the verifier also reads ill-formed functions.

use crate::ir::{Block, BlockBody, Func, TerminatorKind};

/// Predecessors, successors and a reverse postorder.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// The targets of each terminator, with repetitions.
    targets: Edges,
    succs: Edges,
    preds: Edges,
    order: Vec<Block>,
    /// The position of each block in the reverse postorder, or [`NO_BLOCK`].
    position: Vec<u32>,
}

/// No block, and the position of an unreachable block.
const NO_BLOCK: u32 = u32::MAX;

/// The edges between blocks: the end points of all edges in one vector, ordered by source block.
#[derive(Clone, Debug)]
pub(super) struct Edges {
    /// The index of each block's first end point, followed by the total count.
    starts: Vec<u32>,
    ends: Vec<Block>,
}

impl Edges {
    /// The edges among `n` blocks; the edges of each block stay in the given order.
    pub(super) fn new(n: usize, edges: impl Iterator<Item = (Block, Block)> + Clone) -> Edges {
        let mut starts = vec![0_u32; n + 1];
        let mut count = 0;
        for (from, _) in edges.clone() {
            starts[from.index()] += 1;
            count += 1;
        }
        let mut before = 0;
        for start in &mut starts {
            before += std::mem::replace(start, before);
        }
        // While the end points are filled in, each block's start advances to that of the next block.
        let mut ends = vec![Block::ENTRY; count];
        for (from, to) in edges {
            let at = &mut starts[from.index()];
            ends[*at as usize] = to;
            *at += 1;
        }
        starts.rotate_right(1);
        starts[0] = 0;
        Edges { starts, ends }
    }

    /// The ends of a block's edges.
    pub(super) fn of(&self, block: Block) -> &[Block] {
        &self.ends[self.starts[block.index()] as usize..self.starts[block.index() + 1] as usize]
    }

    /// The number of blocks.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The edges without duplicates and without those to blocks that do not exist.
    fn each_once(&self) -> Edges {
        let n = self.len();
        let (mut starts, mut ends) = (Vec::with_capacity(n + 1), Vec::with_capacity(self.ends.len()));
        // The last block found to precede each block, so that a wide switch takes linear time.
        let mut last = vec![NO_BLOCK; n];
        starts.push(0);
        for from in (0..n as u32).map(Block) {
            for &to in self.of(from).iter().filter(|to| to.index() < n) {
                if std::mem::replace(&mut last[to.index()], from.0) != from.0 {
                    ends.push(to);
                }
            }
            starts.push(ends.len() as u32);
        }
        Edges { starts, ends }
    }

    /// The reversed edges.
    fn reversed(&self) -> Edges {
        // Two plain loops: graphs are built after each change of branches, and nested iterators take twice the time.
        let n = self.len();
        let mut starts = vec![0_u32; n + 1];
        for to in &self.ends {
            starts[to.index() + 1] += 1;
        }
        for at in 0..n {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut ends = vec![Block::ENTRY; self.ends.len()];
        for from in (0..n as u32).map(Block) {
            for to in self.of(from) {
                let at = &mut next[to.index()];
                ends[*at as usize] = from;
                *at += 1;
            }
        }
        Edges { starts, ends }
    }
}

impl Cfg {
    /// The graph of `func`.
    pub fn new(func: &Func) -> Cfg {
        let n = func.blocks.len();
        let targets = targets(func);
        let succs = targets.each_once();
        let preds = succs.reversed();
        let order = reverse_postorder(&succs);
        let mut position = vec![NO_BLOCK; n];
        for (i, block) in (0..).zip(&order) {
            position[block.index()] = i;
        }
        Cfg { targets, succs, preds, order, position }
    }

    /// Whether this is still the graph of `func`; comparing the branches takes less time than building the
    /// graph.
    pub fn is_of(&self, func: &Func) -> bool {
        let same_targets = |(block, body): (Block, &BlockBody)| {
            let known = self.targets.of(block);
            match body.terminator.as_ref().map(|end| &end.kind) {
                None | Some(TerminatorKind::Ret(_) | TerminatorKind::Fail(_)) => known.is_empty(),
                Some(TerminatorKind::Br(to)) => known == [to.block],
                Some(TerminatorKind::BrIf { then, otherwise, .. }) => known == [then.block, otherwise.block],
                Some(kind @ TerminatorKind::Switch { .. }) => {
                    kind.targets().map(|target| target.block).eq(known.iter().copied())
                }
            }
        };
        self.len() == func.blocks.len() && func.iter_blocks().all(same_targets)
    }

    /// The number of blocks of the function.
    pub fn len(&self) -> usize {
        self.succs.len()
    }

    /// Whether the function has no blocks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The successors of `block`.
    pub fn succs(&self, block: Block) -> &[Block] {
        self.succs.of(block)
    }

    /// The predecessors of `block`.
    pub fn preds(&self, block: Block) -> &[Block] {
        self.preds.of(block)
    }

    /// The reachable blocks, each before its successors, except along the edges that close a loop.
    pub fn reverse_postorder(&self) -> &[Block] {
        &self.order
    }

    /// The position of `block` in the reverse postorder; `None` if it is unreachable.
    pub fn position(&self, block: Block) -> Option<u32> {
        self.position.get(block.index()).copied().filter(|&position| position != NO_BLOCK)
    }

    /// Whether `block` is reachable from the entry.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.position(block).is_some()
    }

    /// The edges from each block, and the edges to each block.
    pub(super) fn edges(&self) -> (&Edges, &Edges) {
        (&self.succs, &self.preds)
    }
}

/// The targets of each block's terminator.
fn targets(func: &Func) -> Edges {
    let n = func.blocks.len();
    let (mut starts, mut ends) = (Vec::with_capacity(n + 1), Vec::with_capacity(2 * n));
    starts.push(0);
    for body in &func.blocks {
        if let Some(end) = &body.terminator {
            end.kind.targets().for_each(|target| ends.push(target.block));
        }
        starts.push(ends.len() as u32);
    }
    Edges { starts, ends }
}

fn reverse_postorder(succs: &Edges) -> Vec<Block> {
    let mut order = Vec::with_capacity(succs.len());
    let mut seen = vec![false; succs.len()];
    let mut work: Vec<(Block, u32)> = Vec::new();
    let mut enter = |block: Block, work: &mut Vec<(Block, u32)>| {
        if !std::mem::replace(&mut seen[block.index()], true) {
            // The last successor is entered first, so that the first one precedes it in the reversed order.
            work.push((block, succs.of(block).len() as u32));
        }
    };
    if succs.len() > 0 {
        enter(Block::ENTRY, &mut work);
    }
    while let Some((block, left)) = work.last_mut() {
        let block = *block;
        match left.checked_sub(1) {
            Some(next) => {
                *left = next;
                enter(succs.of(block)[next as usize], &mut work);
            }
            None => {
                order.push(block);
                work.pop();
            }
        }
    }
    order.reverse();
    order
}
