//! The order in which intermediate numbers are eliminated between the reads and what is written.
//!
//! The linearized function is a graph: an edge from each operand to its result, labelled with the partial
//! derivative. The derivative of a written number with respect to a read is the sum over all paths of the
//! products of their labels, and each order of eliminating the numbers in between computes it, with a
//! different number of multiplications (Griewank and Walther, *Evaluating Derivatives*, chapters 9 and 10).
//! Here each intermediate number is eliminated in one of two ways. Forwards, at the point where it is
//! computed: its tangents are those with respect to the reads, and it does not appear again. Or backwards, at
//! the point where what depends on it is written: until then tangents are those with respect to the number
//! itself. Eliminating all numbers forwards is forward mode, all backwards is reverse mode for each number
//! that is written. The choice minimises the number of operations.
//!
//! - ELIMINATE1 a number that is eliminated backwards is eliminated, at the latest, where control leaves the
//!   blocks that its own block dominates: up to there its value is the one computed last.

use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, Dominators, LoopNest};
use overdub_context::ir::{Block, Func, Operand, Var};

use super::sites::{Flow, Sites, parts};
use crate::normalize_cfg::{incoming, target};

/// The greatest number of steps of the search; beyond it the best choice so far is kept.
const STEPS: usize = 1 << 19;
/// The cost of passing a tangent to a block, in operations.
const PASSED: f64 = 0.5;
/// The assumed number of iterations of a loop.
const ITERATIONS: f64 = 16.0;

/// Where each number is eliminated.
pub(super) struct Elimination {
    /// The numbers that are eliminated backwards, with their position in the order of evaluation.
    deferred: HashMap<Var, usize>,
    /// The numbers that each block parameter has tangents for.
    lanes: HashMap<Var, Vec<Var>>,
    dominators: Dominators,
}

impl Elimination {
    /// Eliminates each number where it is computed.
    pub(super) fn forwards(func: &Func, sites: &Sites) -> Elimination {
        let graph = Graph::of(func, sites);
        let none = vec![false; graph.nodes.len()];
        graph.elimination(&none)
    }

    /// Chooses an elimination with few operations.
    pub(super) fn cheapest(func: &Func, sites: &Sites) -> Elimination {
        let graph = Graph::of(func, sites);
        let deferred = graph.choice();
        graph.elimination(&deferred)
    }

    /// The position in the order of evaluation of a number that is eliminated backwards.
    pub(super) fn deferred(&self, var: Var) -> Option<usize> {
        self.deferred.get(&var).copied()
    }

    /// The numbers that a block parameter has tangents for.
    pub(super) fn lanes(&self, param: Var) -> &[Var] {
        self.lanes.get(&param).map_or(&[], Vec::as_slice)
    }

    /// Whether a number of `block` is eliminated before control enters `next` (ELIMINATE1).
    pub(super) fn ends_before(&self, block: Block, next: Block) -> bool {
        block == next || !self.dominators.dominates(block, next)
    }
}

/// What is known of a factor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Factor {
    One,
    Constant,
    Computed,
}

/// The factors by which a number changes with others, in the order in which the others are computed.
type Lanes = Vec<(usize, Factor)>;

/// A number of the function, computed after the numbers before it, except those carried around a loop.
struct Node {
    var: Var,
    block: Block,
    is: Is,
}

enum Is {
    Read,
    Sum(Vec<(usize, Factor)>),
    Join(Vec<usize>),
}

struct Graph {
    nodes: Vec<Node>,
    /// The numbers that are written, and in which blocks.
    written: Vec<(usize, Block)>,
    /// The estimated frequency of each block.
    weights: Vec<f64>,
    dominators: Dominators,
    /// Whether any number is carried around a loop.
    is_carried: bool,
}

impl Graph {
    fn of(func: &Func, sites: &Sites) -> Graph {
        let cfg = Cfg::new(func);
        let dominators = Dominators::new(&cfg);
        let loops = LoopNest::new(&cfg, &dominators);
        let weights =
            func.iter_blocks().map(|(block, _)| ITERATIONS.powi(loops.depth(block).min(8) as i32)).collect();
        let edges = incoming(func);
        let mut graph =
            Graph { nodes: Vec::new(), written: Vec::new(), weights, dominators, is_carried: false };
        let is_float = |var: Var| matches!(sites.flow(var), Some(Flow::Float(_)));
        let order = cfg.reverse_postorder();
        let defined = |block: &Block| {
            let body = func.block(*block);
            body.params.iter().copied().chain(body.insts.iter().map(|inst| inst.result)).collect::<Vec<_>>()
        };
        let floats = order.iter().flat_map(|block| defined(block).into_iter().filter(|var| is_float(*var)));
        let ids: HashMap<Var, usize> = floats.enumerate().map(|(id, var)| (var, id)).collect();
        let id = |operand: &Operand| operand.var().and_then(|var| ids.get(&var)).copied();
        for &block in order {
            let body = func.block(block);
            for (at, param) in body.params.iter().enumerate().filter(|(_, param)| is_float(**param)) {
                let is = match sites.is_read(*param) {
                    true => Is::Read,
                    false => Is::Join(
                        edges[block.index()]
                            .iter()
                            .filter_map(|edge| id(&target(func, *edge).args[at]))
                            .collect(),
                    ),
                };
                if let Is::Join(from) = &is {
                    graph.is_carried |= from.iter().any(|from| *from >= graph.nodes.len());
                }
                graph.nodes.push(Node { var: *param, block, is });
            }
            for inst in &body.insts {
                if is_float(inst.result) {
                    let is = match sites.is_read(inst.result) {
                        true => Is::Read,
                        false => Is::Sum(
                            parts(func, inst)
                                .filter_map(|(arg, partial)| Some((id(&arg)?, factor(&partial))))
                                .collect(),
                        ),
                    };
                    graph.nodes.push(Node { var: inst.result, block, is });
                }
                let written = sites.written(inst).iter().filter_map(|value| Some((id(value)?, block)));
                graph.written.extend(written);
            }
        }
        graph
    }

    fn elimination(self, deferred: &[bool]) -> Elimination {
        let (_, lanes) = self.evaluate(deferred);
        let deferred_var = |(at, node): (usize, &Node)| deferred[at].then_some((node.var, at));
        let joins = self.nodes.iter().zip(&lanes).filter(|(node, _)| matches!(node.is, Is::Join(_)));
        let named = |lanes: &Lanes| lanes.iter().map(|(at, _)| self.nodes[*at].var).collect();
        Elimination {
            deferred: self.nodes.iter().enumerate().filter_map(deferred_var).collect(),
            lanes: joins.map(|(node, lanes)| (node.var, named(lanes))).collect(),
            dominators: self.dominators,
        }
    }

    /// A cheap choice: the best local optimum under changing one number at a time, from several starts.
    fn choice(&self) -> Vec<bool> {
        let count = self.nodes.len();
        let mut steps = STEPS;
        let is_join = |node: &Node| matches!(node.is, Is::Join(_));
        let starts = [vec![false; count], vec![true; count], self.nodes.iter().map(is_join).collect()];
        let mut best: Option<(f64, Vec<bool>)> = None;
        for mut deferred in starts {
            for (deferred, node) in deferred.iter_mut().zip(&self.nodes) {
                *deferred &= !matches!(node.is, Is::Read);
            }
            let (mut cost, _) = self.evaluate(&deferred);
            let mut improves = true;
            while improves && steps > 0 {
                improves = false;
                for at in (0..count).rev().filter(|at| !matches!(self.nodes[*at].is, Is::Read)) {
                    deferred[at] = !deferred[at];
                    let (changed, _) = self.evaluate(&deferred);
                    steps = steps.saturating_sub(count);
                    if changed < cost && steps > 0 {
                        (cost, improves) = (changed, true);
                    } else {
                        deferred[at] = !deferred[at];
                    }
                }
            }
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, deferred));
            }
        }
        best.map(|(_, deferred)| deferred).unwrap_or_default()
    }

    /// The number of operations, and the tangents of each number.
    fn evaluate(&self, deferred: &[bool]) -> (f64, Vec<Lanes>) {
        let mut lanes: Vec<Lanes> = vec![Lanes::new(); self.nodes.len()];
        loop {
            let mut cost = 0.0;
            let mut changed = false;
            for (at, node) in self.nodes.iter().enumerate() {
                let weight = self.weights[node.block.index()];
                let mut sum = Lanes::new();
                match &node.is {
                    Is::Read => sum.push((at, Factor::One)),
                    Is::Sum(parts) => {
                        for (from, factor) in parts {
                            match deferred[*from] {
                                true => add(&mut sum, &[(*from, Factor::One)], *factor, weight, &mut cost),
                                false => add(&mut sum, &lanes[*from], *factor, weight, &mut cost),
                            }
                        }
                    }
                    Is::Join(from) => {
                        for from in from {
                            let resolved =
                                self.resolved(*from, deferred, &lanes, Some(node.block), weight, &mut cost);
                            let passed = resolved.into_iter().map(|(read, _)| (read, Factor::Computed));
                            add(&mut sum, &passed.collect::<Vec<_>>(), Factor::One, 0.0, &mut cost);
                        }
                        cost += weight * PASSED * sum.len() as f64;
                    }
                }
                changed |= lanes[at].len() != sum.len();
                lanes[at] = sum;
            }
            for (value, block) in &self.written {
                let weight = self.weights[block.index()];
                self.resolved(*value, deferred, &lanes, None, weight, &mut cost);
            }
            if !self.is_carried || !changed {
                return (cost, lanes);
            }
        }
    }

    /// The tangents of a number where it is passed to the block `next` or, if that is `None`, written.
    fn resolved(
        &self,
        at: usize,
        deferred: &[bool],
        lanes: &[Lanes],
        next: Option<Block>,
        weight: f64,
        cost: &mut f64,
    ) -> Lanes {
        let mut all = if deferred[at] { vec![(at, Factor::One)] } else { lanes[at].clone() };
        let mut end = all.len();
        while let Some(last) = end.checked_sub(1) {
            let (number, factor) = all[last];
            let block = self.nodes[number].block;
            let ends = next.is_none_or(|next| block == next || !self.dominators.dominates(block, next));
            end = last;
            // What a loop carries around is not known in the first iteration.
            if deferred[number] && ends && lanes[number].iter().all(|(from, _)| *from < number) {
                all.remove(last);
                let before = all.len();
                add(&mut all, &lanes[number], factor, weight, cost);
                end += all.len() - before;
            }
        }
        all
    }
}

/// Adds the products of the factors with a factor.
fn add(sum: &mut Lanes, lanes: &[(usize, Factor)], factor: Factor, weight: f64, cost: &mut f64) {
    for (number, lane) in lanes {
        let product = match (lane, factor) {
            (Factor::One, other) | (&other, Factor::One) => other,
            (Factor::Constant, Factor::Constant) => Factor::Constant,
            _ => {
                *cost += weight;
                Factor::Computed
            }
        };
        match sum.binary_search_by_key(number, |(number, _)| *number) {
            Ok(at) => {
                *cost += weight;
                sum[at].1 = Factor::Computed;
            }
            Err(at) => sum.insert(at, (*number, product)),
        }
    }
}

fn factor(partial: &crate::Expr) -> Factor {
    match partial.as_float() {
        Some(1.0) => Factor::One,
        Some(_) => Factor::Constant,
        None => Factor::Computed,
    }
}
