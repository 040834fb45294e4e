//! Dominators and post-dominators: the blocks on every path from the entry, or to the exit.
//!
//! Dominators are found by Semi-NCA (Georgiadis, *Linear-Time Algorithms for Dominators and Related
//! Problems*, 2005). The iterative algorithm of Cooper, Harvey and Kennedy takes quadratic time where many
//! blocks of a long chain branch to one exit, which is what `?` in straight-line code lowers to.

use super::Cfg;
use super::cfg::Edges;
use crate::ir::{Block, Func, Terminator, TerminatorKind};

/// The dominator tree: `a` dominates `b` if every path from the entry to `b` contains `a`.
#[derive(Clone, Debug)]
pub struct Dominators {
    tree: Tree,
}

/// The post-dominator tree: `a` post-dominates `b` if every path from `b` to the end of the function contains
/// `a`.
///
/// A block from which the end of the function cannot be reached, because of an infinite loop, has no
/// post-dominators.
#[derive(Clone, Debug)]
pub struct PostDominators {
    tree: Tree,
}

/// The dominance frontier of each block: the blocks where its dominance ends.
#[derive(Clone, Debug)]
pub struct Frontiers(Vec<Vec<Block>>);

/// A tree over nodes, some of which may not be connected to the root.
#[derive(Clone, Debug)]
struct Tree {
    /// The parent of each node, or [`NONE`].
    parent: Vec<u32>,
    children: Edges,
    /// The nodes of the tree, each after its parent.
    preorder: Vec<Block>,
    /// The subtree of a node consists of the nodes whose preorder number is in this range, which is empty for
    /// nodes outside of the tree.
    range: Vec<(u32, u32)>,
}

/// The absent node.
const NONE: u32 = u32::MAX;

impl Dominators {
    /// The dominator tree of a graph.
    pub fn new(cfg: &Cfg) -> Dominators {
        let (succs, preds) = cfg.edges();
        Dominators { tree: Tree::of_dominators(Block::ENTRY, succs, preds) }
    }

    /// The immediate dominator of `block`; none for the entry and unreachable blocks.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.tree.above(block)
    }

    /// The blocks whose immediate dominator is `block`.
    pub fn children(&self, block: Block) -> impl Iterator<Item = Block> {
        self.tree.children.of(block).iter().copied()
    }

    /// Whether `a` dominates `b`. A reachable block dominates itself; unreachable blocks neither dominate nor
    /// are dominated.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        self.tree.dominates(a, b)
    }

    /// The reachable blocks, each after its immediate dominator.
    pub fn preorder(&self) -> &[Block] {
        &self.tree.preorder
    }
}

impl PostDominators {
    /// The post-dominator tree of a graph.
    pub fn new(cfg: &Cfg) -> PostDominators {
        PostDominators::of_exits(cfg, |_| true)
    }

    /// The post-dominator tree with respect to the ends at which a function returns: blocks that only lead to a failure
    /// have no post-dominators, and are no paths around other blocks.
    pub fn of_returns(cfg: &Cfg, func: &Func) -> PostDominators {
        let returns = |end: &Terminator| matches!(end.kind, TerminatorKind::Ret(_));
        PostDominators::of_exits(cfg, |block| func.block(block).terminator.as_ref().is_some_and(returns))
    }

    fn of_exits(cfg: &Cfg, is_exit: impl Fn(Block) -> bool + Copy) -> PostDominators {
        let exit = Block(cfg.len() as u32);
        let blocks = cfg.reverse_postorder().iter().copied();
        let out = blocks.flat_map(|block| {
            let to_exit = (cfg.succs(block).is_empty() && is_exit(block)).then_some(exit);
            cfg.succs(block).iter().copied().chain(to_exit).map(move |to| (block, to))
        });
        let into = Edges::new(cfg.len() + 1, out.clone().map(|(from, to)| (to, from)));
        let out_of = Edges::new(cfg.len() + 1, out);
        PostDominators { tree: Tree::of_dominators(exit, &into, &out_of) }
    }

    /// The immediate post-dominator of `block`; none if that is the end of the function.
    pub fn ipdom(&self, block: Block) -> Option<Block> {
        let exit = self.tree.parent.len() - 1;
        self.tree.above(block).filter(|parent| parent.index() != exit)
    }

    /// Whether `a` post-dominates `b`. A block from which the end of the function can be reached
    /// post-dominates itself.
    pub fn post_dominates(&self, a: Block, b: Block) -> bool {
        self.tree.dominates(a, b)
    }
}

impl Frontiers {
    /// The frontiers in a graph; their total size may be quadratic in that of the function.
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

    /// The blocks that `block` does not strictly dominate, but that have a predecessor which it dominates.
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
        // A subtree is contiguous in preorder, so its range ends where that of the last child ends.
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

    fn dominates(&self, a: Block, b: Block) -> bool {
        let ((first, end), (at, end_b)) = (self.range[a.index()], self.range[b.index()]);
        first <= at && at < end && at < end_b
    }
}

/// The state of Semi-NCA; nodes are numbered in depth-first preorder.
struct SemiNca {
    nodes: Vec<Block>,
    /// The number of each node, or [`NONE`].
    number: Vec<u32>,
    parent: Vec<u32>,
    semi: Vec<u32>,
    label: Vec<u32>,
    /// The compressed ancestor links; [`NONE`] for nodes that are not linked yet.
    ancestor: Vec<u32>,
    /// The nodes whose links are being compressed.
    path: Vec<u32>,
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
        let identity: Vec<u32> = (0..nodes.len() as u32).collect();
        let ancestor = vec![NONE; nodes.len()];
        SemiNca { ancestor, number, parent, semi: identity.clone(), label: identity, nodes, path: Vec::new() }
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

    /// The node with the least semi-dominator on the linked path from `v` to the root.
    fn eval(&mut self, v: u32) -> u32 {
        let mut path = std::mem::take(&mut self.path);
        let mut node = v;
        loop {
            let above = self.ancestor[node as usize];
            if above == NONE || self.ancestor[above as usize] == NONE {
                break;
            }
            path.push(node);
            node = above;
        }
        let top = self.ancestor[node as usize];
        let mut above = node;
        for node in path.drain(..).rev() {
            let (own_label, parent_label) = (self.label[node as usize], self.label[above as usize]);
            if self.semi[parent_label as usize] < self.semi[own_label as usize] {
                self.label[node as usize] = parent_label;
            }
            self.ancestor[node as usize] = top;
            above = node;
        }
        self.path = path;
        self.label[v as usize]
    }
}
