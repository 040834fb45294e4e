//! The control flow graph: which block can follow which.
//!
//! - Every edge counts once, even where a branch goes to one block in two ways.
//! - Branches to blocks that do not exist are left out: the verifier reads functions that are wrong.

use crate::ir::{Block, BlockBody, Func, TerminatorKind};

/// Predecessors, successors and a reverse postorder.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// What each terminator names, however often.
    targets: Edges,
    succs: Edges,
    preds: Edges,
    order: Vec<Block>,
    /// Where each block stands in the order, or [`NOWHERE`].
    position: Vec<u32>,
}

/// No block, and the position of what cannot be reached.
const NOWHERE: u32 = u32::MAX;

/// Which block leads to which: all ends of edges in one vector, ordered by where they begin.
#[derive(Clone, Debug)]
pub(super) struct Edges {
    /// Where the ends of each block's edges start, and behind the last block's.
    starts: Vec<u32>,
    ends: Vec<Block>,
}

impl Edges {
    /// The edges among `n` blocks, in the order in which each block's are given.
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
        // Each block's start moves on to the next one's while its ends are filled in.
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

    /// How many blocks there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The same edges, each once, without those to blocks that do not exist.
    fn each_once(&self) -> Edges {
        let n = self.len();
        let (mut starts, mut ends) = (Vec::with_capacity(n + 1), Vec::with_capacity(self.ends.len()));
        // The last block that each block was found to follow, so that a wide switch takes linear time.
        let mut last = vec![NOWHERE; n];
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

    /// The same edges from their ends.
    fn reversed(&self) -> Edges {
        let blocks = (0..self.len() as u32).map(Block);
        Edges::new(self.len(), blocks.flat_map(|from| self.of(from).iter().map(move |&to| (to, from))))
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
        let mut position = vec![NOWHERE; n];
        for (i, block) in (0..).zip(&order) {
            position[block.index()] = i;
        }
        Cfg { targets, succs, preds, order, position }
    }

    /// Whether this is the graph of `func` as it is now: a look at its branches, which takes less time than the graph.
    pub fn is_of(&self, func: &Func) -> bool {
        let goes = |(block, body): (Block, &BlockBody)| {
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
        self.len() == func.blocks.len() && func.iter_blocks().all(goes)
    }

    /// How many blocks the function has.
    pub fn len(&self) -> usize {
        self.succs.len()
    }

    /// Whether the function has no block.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The blocks that `block` may go to.
    pub fn succs(&self, block: Block) -> &[Block] {
        self.succs.of(block)
    }

    /// The blocks that may go to `block`.
    pub fn preds(&self, block: Block) -> &[Block] {
        self.preds.of(block)
    }

    /// The reachable blocks, each before those that follow it, but for the edges that close a loop.
    pub fn reverse_postorder(&self) -> &[Block] {
        &self.order
    }

    /// Where `block` stands in the reverse postorder; `None` if it cannot be reached.
    pub fn position(&self, block: Block) -> Option<u32> {
        self.position.get(block.index()).copied().filter(|&position| position != NOWHERE)
    }

    /// Whether `block` can be reached from the entry.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.position(block).is_some()
    }

    /// All edges from a block and to it.
    pub(super) fn edges(&self) -> (&Edges, &Edges) {
        (&self.succs, &self.preds)
    }
}

/// What each block's terminator names.
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
            // The last successor is entered first, so that the reversed order takes the first one first.
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
