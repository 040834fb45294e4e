//! Which blocks every way from the entry (to the exit) leads through.
//!
//! Dominators are found by Semi-NCA (Georgiadis, *Linear-Time Algorithms for Dominators and Related Problems*,
//! 2005). The iterative scheme of Cooper, Harvey and Kennedy takes quadratic time where many blocks of a long chain
//! leave for one exit, which is what `?` in straight code becomes.

use super::Cfg;
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

/// A tree over nodes `0 .. n`, of which some may not hang on the root.
#[derive(Clone, Debug)]
struct Tree {
    parent: Vec<Option<u32>>,
    children: Vec<Vec<u32>>,
    /// The nodes below a node are those whose number in preorder lies in its range.
    range: Vec<Option<(u32, u32)>>,
}

impl Dominators {
    /// The dominators in the graph.
    pub fn new(cfg: &Cfg) -> Dominators {
        let adjacent = |of: &dyn Fn(Block) -> Vec<u32>| (0..cfg.len() as u32).map(|n| of(Block(n))).collect();
        let succs: Vec<Vec<u32>> = adjacent(&|block| numbers(cfg.succs(block)));
        let preds: Vec<Vec<u32>> = adjacent(&|block| numbers(cfg.preds(block)));
        Dominators { tree: Tree::of_dominators(0, &succs, &preds) }
    }

    /// The closest block that dominates `block`, besides itself; none for the entry and unreachable blocks.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.tree.parent[block.index()].map(Block)
    }

    /// The blocks whose closest dominator `block` is.
    pub fn children(&self, block: Block) -> impl Iterator<Item = Block> {
        self.tree.children[block.index()].iter().copied().map(Block)
    }

    /// Whether `a` dominates `b`, as every reachable block does itself; `false` for unreachable blocks.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        self.tree.is_above(a.0, b.0)
    }

    /// The reachable blocks, each after the block that dominates it.
    pub fn preorder(&self) -> Vec<Block> {
        let mut order: Vec<(u32, Block)> =
            (0..).zip(&self.tree.range).filter_map(|(n, range)| Some(((*range)?.0, Block(n)))).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, block)| block).collect()
    }
}

impl PostDominators {
    /// The post-dominators in the graph.
    pub fn new(cfg: &Cfg) -> PostDominators {
        let n = cfg.len();
        let exit = n as u32;
        let mut into = vec![Vec::new(); n + 1];
        let mut out_of = vec![Vec::new(); n + 1];
        for &block in cfg.reverse_postorder() {
            if cfg.succs(block).is_empty() {
                into[n].push(block.0);
                out_of[block.index()].push(exit);
            }
            for succ in cfg.succs(block) {
                into[succ.index()].push(block.0);
                out_of[block.index()].push(succ.0);
            }
        }
        PostDominators { tree: Tree::of_dominators(exit, &into, &out_of) }
    }

    /// The closest block that post-dominates `block`, besides itself; none where that is the function's end.
    pub fn ipdom(&self, block: Block) -> Option<Block> {
        let exit = self.tree.parent.len() as u32 - 1;
        self.tree.parent[block.index()].filter(|&parent| parent != exit).map(Block)
    }

    /// Whether `a` post-dominates `b`, as every block does itself that can reach the function's end.
    pub fn post_dominates(&self, a: Block, b: Block) -> bool {
        self.tree.is_above(a.0, b.0)
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

fn numbers(blocks: &[Block]) -> Vec<u32> {
    blocks.iter().map(|block| block.0).collect()
}

impl Tree {
    fn of_dominators(root: u32, succs: &[Vec<u32>], preds: &[Vec<u32>]) -> Tree {
        Tree::new(root, SemiNca::new(root, succs).idoms(preds))
    }

    fn new(root: u32, parent: Vec<Option<u32>>) -> Tree {
        let n = parent.len();
        let mut children = vec![Vec::new(); n];
        for (node, &above) in (0..).zip(&parent) {
            if let Some(above) = above {
                children[above as usize].push(node);
            }
        }
        let mut range = vec![None; n];
        let mut next = 0;
        let mut work: Vec<(u32, bool)> = if n == 0 { Vec::new() } else { vec![(root, false)] };
        while let Some((node, done)) = work.pop() {
            let slot = &mut range[node as usize];
            if done {
                *slot = slot.map(|(first, _): (u32, u32)| (first, next));
                continue;
            }
            *slot = Some((next, next));
            next += 1;
            work.push((node, true));
            work.extend(children[node as usize].iter().rev().map(|&child| (child, false)));
        }
        Tree { parent, children, range }
    }

    fn is_above(&self, a: u32, b: u32) -> bool {
        match (self.range[a as usize], self.range[b as usize]) {
            (Some((first, end)), Some((b, _))) => first <= b && b < end,
            _ => false,
        }
    }
}

/// The state of Semi-NCA; nodes are numbered in the preorder of a depth-first walk.
struct SemiNca {
    nodes: Vec<u32>,
    number: Vec<Option<u32>>,
    parent: Vec<u32>,
    semi: Vec<u32>,
    label: Vec<u32>,
    /// The compressed way up; `None` for what is not linked yet.
    ancestor: Vec<Option<u32>>,
}

impl SemiNca {
    fn new(root: u32, succs: &[Vec<u32>]) -> SemiNca {
        let mut nodes = Vec::new();
        let mut number = vec![None; succs.len()];
        let mut parent = Vec::new();
        let mut work = Vec::new();
        if !succs.is_empty() {
            work.push((root, 0));
        }
        while let Some((node, from)) = work.pop() {
            if number[node as usize].is_some() {
                continue;
            }
            let this = nodes.len() as u32;
            number[node as usize] = Some(this);
            nodes.push(node);
            parent.push(from);
            work.extend(succs[node as usize].iter().rev().map(|&succ| (succ, this)));
        }
        let own: Vec<u32> = (0..nodes.len() as u32).collect();
        SemiNca { ancestor: vec![None; nodes.len()], number, parent, semi: own.clone(), label: own, nodes }
    }

    fn idoms(mut self, preds: &[Vec<u32>]) -> Vec<Option<u32>> {
        for w in (1..self.nodes.len()).rev() {
            for &pred in &preds[self.nodes[w] as usize] {
                if let Some(v) = self.number[pred as usize] {
                    let u = self.eval(v);
                    self.semi[w] = self.semi[w].min(self.semi[u as usize]);
                }
            }
            self.label[w] = w as u32;
            self.ancestor[w] = Some(self.parent[w]);
        }
        let mut idom = self.parent.clone();
        let mut idoms = vec![None; self.number.len()];
        for w in 1..self.nodes.len() {
            while idom[w] > self.semi[w] {
                idom[w] = idom[idom[w] as usize];
            }
            idoms[self.nodes[w] as usize] = Some(self.nodes[idom[w] as usize]);
        }
        idoms
    }

    /// The node with the least semi-dominator on the linked way up from `v`.
    fn eval(&mut self, v: u32) -> u32 {
        let mut way = Vec::new();
        let mut node = v;
        while let Some(above) = self.ancestor[node as usize]
            && self.ancestor[above as usize].is_some()
        {
            way.push(node);
            node = above;
        }
        let top = self.ancestor[node as usize];
        let mut above = node;
        for node in way.into_iter().rev() {
            let (here, there) = (self.label[node as usize], self.label[above as usize]);
            if self.semi[there as usize] < self.semi[here as usize] {
                self.label[node as usize] = there;
            }
            self.ancestor[node as usize] = top;
            above = node;
        }
        self.label[v as usize]
    }
}
