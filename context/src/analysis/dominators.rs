//! Which blocks every way from the entry (to the exit) leads through.
//!
//! Dominators are found by Semi-NCA (Georgiadis, *Linear-Time Algorithms for Dominators and Related Problems*,
//! 2005). The iterative scheme of Cooper, Harvey and Kennedy takes quadratic time where many blocks of a long chain
//! leave for one exit, which is what `?` in straight code becomes.

use super::Cfg;
use super::cfg::Edges;
use crate::ir::Block;

/// The dominator tree: `a` dominates `b` if every way from the entry to `b` leads through `a`.
#[derive(Clone, Debug)]
pub struct Dominators {
    tree: Tree,
}

/// The post-dominator tree: `a` post-dominates `b` if every way from `b` to the function's end leads through `a`.
///
/// A block from which the function cannot end, since it loops for ever, has no post-dominators.
#[derive(Clone, Debug)]
pub struct PostDominators {
    tree: Tree,
}

/// The dominance frontier of each block: where what it dominates ends.
#[derive(Clone, Debug)]
pub struct Frontiers(Vec<Vec<Block>>);

/// A tree over nodes, some of which may not hang on the root.
#[derive(Clone, Debug)]
struct Tree {
    /// The node above each, or [`NONE`].
    parent: Vec<u32>,
    children: Edges,
    /// The nodes of the tree, each behind the one above it.
    preorder: Vec<Block>,
    /// The nodes below a node are those whose number in preorder lies in its range; empty where it is not in the tree.
    range: Vec<(u32, u32)>,
}

/// No node.
const NONE: u32 = u32::MAX;

impl Dominators {
    /// The dominators in the graph.
    pub fn new(cfg: &Cfg) -> Dominators {
        let (succs, preds) = cfg.edges();
        Dominators { tree: Tree::of_dominators(Block::ENTRY, succs, preds) }
    }

    /// The closest block that dominates `block`, besides itself; none for the entry and unreachable blocks.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.tree.above(block)
    }

    /// The blocks whose closest dominator `block` is.
    pub fn children(&self, block: Block) -> impl Iterator<Item = Block> {
        self.tree.children.of(block).iter().copied()
    }

    /// Whether `a` dominates `b`, as every reachable block does itself; `false` for unreachable blocks.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        self.tree.is_above(a, b)
    }

    /// The reachable blocks, each after the block that dominates it.
    pub fn preorder(&self) -> &[Block] {
        &self.tree.preorder
    }
}

impl PostDominators {
    /// The post-dominators in the graph.
    pub fn new(cfg: &Cfg) -> PostDominators {
        let exit = Block(cfg.len() as u32);
        let blocks = cfg.reverse_postorder().iter().copied();
        let out = blocks.flat_map(|block| {
            let leaves = cfg.succs(block).is_empty().then_some(exit);
            cfg.succs(block).iter().copied().chain(leaves).map(move |to| (block, to))
        });
        let into = Edges::new(cfg.len() + 1, out.clone().map(|(from, to)| (to, from)));
        let out_of = Edges::new(cfg.len() + 1, out);
        PostDominators { tree: Tree::of_dominators(exit, &into, &out_of) }
    }

    /// The closest block that post-dominates `block`, besides itself; none where that is the function's end.
    pub fn ipdom(&self, block: Block) -> Option<Block> {
        let exit = self.tree.parent.len() - 1;
        self.tree.above(block).filter(|parent| parent.index() != exit)
    }

    /// Whether `a` post-dominates `b`, as every block does itself that can reach the function's end.
    pub fn post_dominates(&self, a: Block, b: Block) -> bool {
        self.tree.is_above(a, b)
    }
}

impl Frontiers {
    /// The frontiers in the graph; their size may be quadratic in that of the function.
    pub fn new(cfg: &Cfg, dominators: &Dominators) -> Frontiers {
        let mut frontiers: Vec<Vec<Block>> = vec![Vec::new(); cfg.len()];
        for &block in cfg.reverse_postorder() {
            let idom = dominators.idom(block);
            for &pred in cfg.preds(block).iter().filter(|&&pred| cfg.is_reachable(pred)) {
                let mut above = Some(pred);
                while let Some(runner) = above.filter(|_| above != idom) {
                    let frontier = &mut frontiers[runner.index()];
                    if frontier.last() == Some(&block) {
                        break;
                    }
                    frontier.push(block);
                    above = dominators.idom(runner);
                }
            }
        }
        Frontiers(frontiers)
    }

    /// The blocks that `block` does not strictly dominate, but a predecessor of which it dominates.
    pub fn of(&self, block: Block) -> &[Block] {
        &self.0[block.index()]
    }
}

impl Tree {
    fn of_dominators(root: Block, succs: &Edges, preds: &Edges) -> Tree {
        Tree::new(root, SemiNca::new(root, succs).idoms(preds))
    }

    fn new(root: Block, parent: Vec<u32>) -> Tree {
        let n = parent.len();
        let hanging = (0..).map(Block).zip(&parent).filter(|(_, above)| **above != NONE);
        let children = Edges::new(n, hanging.map(|(node, &above)| (Block(above), node)));
        let mut preorder = Vec::with_capacity(n);
        let mut pending: Vec<Block> = if n == 0 { Vec::new() } else { vec![root] };
        while let Some(node) = pending.pop() {
            preorder.push(node);
            pending.extend(children.of(node).iter().rev());
        }
        let mut range = vec![(0, 0); n];
        for (first, node) in (0..).zip(&preorder) {
            range[node.index()] = (first, first + 1);
        }
        // What is below a node comes behind it: the last of it ends where the last of its children ends.
        for node in preorder.iter().rev() {
            if let Some(last) = children.of(*node).last() {
                range[node.index()].1 = range[last.index()].1;
            }
        }
        Tree { parent, children, preorder, range }
    }

    fn above(&self, node: Block) -> Option<Block> {
        let above = self.parent[node.index()];
        (above != NONE).then_some(Block(above))
    }

    fn is_above(&self, a: Block, b: Block) -> bool {
        let ((first, end), (at, behind)) = (self.range[a.index()], self.range[b.index()]);
        first <= at && at < end && at < behind
    }
}

/// The state of Semi-NCA; nodes are numbered in the preorder of a depth-first walk.
struct SemiNca {
    nodes: Vec<Block>,
    /// The number of each node, or [`NONE`].
    number: Vec<u32>,
    parent: Vec<u32>,
    semi: Vec<u32>,
    label: Vec<u32>,
    /// The compressed way up; [`NONE`] for what is not linked yet.
    ancestor: Vec<u32>,
    /// The way up that is compressed just now.
    way: Vec<u32>,
}

impl SemiNca {
    fn new(root: Block, succs: &Edges) -> SemiNca {
        let mut nodes = Vec::with_capacity(succs.len());
        let mut number = vec![NONE; succs.len()];
        let mut parent = Vec::with_capacity(succs.len());
        let mut work = Vec::new();
        if succs.len() > 0 {
            work.push((root, 0));
        }
        while let Some((node, from)) = work.pop() {
            if number[node.index()] != NONE {
                continue;
            }
            let this = nodes.len() as u32;
            number[node.index()] = this;
            nodes.push(node);
            parent.push(from);
            work.extend(succs.of(node).iter().rev().map(|&succ| (succ, this)));
        }
        let own: Vec<u32> = (0..nodes.len() as u32).collect();
        let ancestor = vec![NONE; nodes.len()];
        SemiNca { ancestor, number, parent, semi: own.clone(), label: own, nodes, way: Vec::new() }
    }

    fn idoms(mut self, preds: &Edges) -> Vec<u32> {
        for w in (1..self.nodes.len()).rev() {
            for pred in preds.of(self.nodes[w]) {
                let v = self.number[pred.index()];
                if v != NONE {
                    let u = self.eval(v);
                    self.semi[w] = self.semi[w].min(self.semi[u as usize]);
                }
            }
            self.label[w] = w as u32;
            self.ancestor[w] = self.parent[w];
        }
        let mut idom = self.parent;
        let mut idoms = vec![NONE; self.number.len()];
        for w in 1..self.nodes.len() {
            while idom[w] > self.semi[w] {
                idom[w] = idom[idom[w] as usize];
            }
            idoms[self.nodes[w].index()] = self.nodes[idom[w] as usize].0;
        }
        idoms
    }

    /// The node with the least semi-dominator on the linked way up from `v`.
    fn eval(&mut self, v: u32) -> u32 {
        let mut way = std::mem::take(&mut self.way);
        let mut node = v;
        loop {
            let above = self.ancestor[node as usize];
            if above == NONE || self.ancestor[above as usize] == NONE {
                break;
            }
            way.push(node);
            node = above;
        }
        let top = self.ancestor[node as usize];
        let mut above = node;
        for node in way.drain(..).rev() {
            let (here, there) = (self.label[node as usize], self.label[above as usize]);
            if self.semi[there as usize] < self.semi[here as usize] {
                self.label[node as usize] = there;
            }
            self.ancestor[node as usize] = top;
            above = node;
        }
        self.way = way;
        self.label[v as usize]
    }
}
