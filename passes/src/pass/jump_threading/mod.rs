//! Jump threading: a predecessor that determines a branch jumps straight to its target.
//!
//! ```text
//! ^a:                                            ^a:
//!   %s: Option<f64> = variant 1, %x                br ^some(%x)
//!   br ^join(%s)                                 ^b:
//! ^b:                                              br ^none
//!   %n: Option<f64> = variant 0            →     …
//!   br ^join(%n)
//! ^join(%o: Option<f64>):
//!   switch %o, 0: ^none, 1: ^some
//! ```
//!
//! - THREAD1 a block whose branch depends on its parameters is cloned for each incoming edge that determines the
//!   branch; so is one that branches on a condition that was decided on the way to an edge (correlated branches).
//! - THREAD2 uses of the block's definitions in other blocks are repaired by new block parameters.
//! - THREAD3 blocks that are not adjacent are cloned in one batch, with one SSA repair for all of them.
//! - THREAD4 a back edge bypasses the header of a loop only if all of them do: the state at the end of an
//!   iteration then needs no test in the next one. No loop gets a second entry.

mod correlated;
mod edge_values;
mod loop_headers;

use std::sync::Arc;

use overdub_context::ir::{Block, Operand, Target, TerminatorKind, Var};

use self::edge_values::EdgeValues;
use crate::support::branch_target::{known_switch_value, target_for};
use crate::support::clone_blocks::{self, LiveOuts};
use crate::support::scope::Scope;
use crate::support::scope::size_of;
use overdub_context::analysis::Defs;
use overdub_context::edit::CfgAnalyses;
use overdub_context::edit::{FuncEditor, br};

/// The longest block that is cloned, in instructions.
const MAX_BLOCK: usize = 24;

/// Threads jumps, in batches, until no candidate is left.
pub(crate) fn run(editor: &mut FuncEditor<'_>, scope: &Scope<'_>) -> bool {
    let mut changed = false;
    let max_size = scope.limits().max_size_by_small(size_of(editor.source));
    let mut pending: Vec<Block> =
        editor.blocks().into_iter().filter(|&block| is_candidate(editor, block)).collect();
    while !pending.is_empty() {
        let mut batch = Batch::of(editor);
        pending.retain(|&block| !batch.thread(editor, block, max_size));
        changed |= batch.finish(editor);
    }
    editor.clear_unreachable();
    changed
}

/// Whether a block may be threaded: it branches on a condition, has parameters or does not define the condition, and is short.
fn is_candidate(editor: &FuncEditor<'_>, block: Block) -> bool {
    let body = editor.func.block(block);
    let is_defined = |var: Var| body.insts.iter().any(|inst| inst.result == var);
    let depends = match body.terminator.as_ref().map(|end| &end.kind) {
        Some(TerminatorKind::BrIf { cond: Operand::Var(cond), .. }) => {
            !body.params.is_empty() || !is_defined(*cond)
        }
        Some(TerminatorKind::BrIf { .. } | TerminatorKind::Switch { .. }) => !body.params.is_empty(),
        _ => false,
    };
    depends && block != Block::ENTRY && body.insts.len() <= MAX_BLOCK
}

/// Blocks that are cloned together (THREAD3), or one loop.
struct Batch {
    analyses: Analyses,
    /// The blocks to which the analyses no longer apply; they are left to the next batch.
    stale: Vec<bool>,
    live_outs: LiveOuts,
    clones: Vec<Block>,
    /// The number of instructions of the function, clones included.
    size: usize,
    state: State,
}

/// Whether a batch accepts further blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// The next block has to wait for the SSA repair.
    Full,
    /// A loop was threaded, which includes the SSA repair.
    LoopThreaded,
}

impl Batch {
    fn of(editor: &mut FuncEditor<'_>) -> Batch {
        Batch {
            analyses: Analyses::of(editor),
            stale: vec![false; editor.func.blocks.len()],
            live_outs: LiveOuts::default(),
            clones: Vec::new(),
            size: editor.size(),
            state: State::Open,
        }
    }

    /// Clones a block for the incoming edges that determine its branch; returns whether the block is done.
    fn thread(&mut self, editor: &mut FuncEditor<'_>, block: Block, max_size: usize) -> bool {
        if self.state != State::Open || self.stale[block.index()] {
            return false;
        }
        if self.size > max_size {
            return true;
        }
        let edges = if self.analyses.is_loop_header(block) {
            if let Some(joins) = loop_headers::joins(editor, block, &self.analyses) {
                if !self.clones.is_empty() {
                    self.state = State::Full;
                    return false;
                }
                if loop_headers::thread(editor, block, &joins) {
                    self.state = State::LoopThreaded;
                    return true;
                }
            }
            loop_headers::bypassing_edges(editor, block, &self.analyses)
        } else {
            match self.edges_to_thread(editor, block) {
                Some(edges) => edges,
                None => return false,
            }
        };
        if !edges.is_empty() {
            let cfg = &self.analyses.flow.cfg;
            let neighbours = cfg.succs(block).iter().chain(cfg.preds(block)).chain([&block]);
            neighbours.for_each(|other| self.stale[other.index()] = true);
            self.size += edges.len() * editor.func.block(block).insts.len();
            clone_blocks::record_definitions(editor, block, &mut self.live_outs);
            self.clones
                .extend(edges.into_iter().map(|edge| clone_for(editor, block, edge, &mut self.live_outs)));
        }
        true
    }

    /// The edges into a block that determine its branch; `None` if a block that was cloned in this batch may have to do with it.
    fn edges_to_thread(&self, editor: &FuncEditor<'_>, block: Block) -> Option<Vec<DeterminedEdge>> {
        let mut found = Vec::new();
        for (pred, index, target) in edges_into(editor, block, &self.analyses) {
            if pred == block {
                continue;
            }
            let to = match target_on_edge(editor, &self.analyses.defs, target) {
                Some(to) => Some(to),
                None => {
                    let edge = (pred, index, target);
                    correlated::target_on_edge(editor, &self.analyses, &self.stale, edge)?
                }
            };
            found.extend(to.map(|to| DeterminedEdge { pred, index, to }));
        }
        Some(found)
    }

    /// Repairs SSA form; returns whether anything was changed.
    fn finish(self, editor: &mut FuncEditor<'_>) -> bool {
        repair_ssa(editor, self.live_outs, &self.clones);
        self.state == State::LoopThreaded || !self.clones.is_empty()
    }
}

/// The analyses of the function at the start of a batch.
struct Analyses {
    flow: Arc<CfgAnalyses>,
    defs: Defs,
}

impl Analyses {
    fn of(editor: &mut FuncEditor<'_>) -> Analyses {
        Analyses { flow: editor.cfg_analyses(), defs: Defs::of(&editor.func) }
    }

    /// Whether an edge from `pred` to `block` is a back edge.
    fn is_back_edge(&self, pred: Block, block: Block) -> bool {
        self.flow.dominators().dominates(block, pred)
    }

    fn is_loop_header(&self, block: Block) -> bool {
        self.flow.cfg.preds(block).iter().any(|&pred| self.is_back_edge(pred, block))
    }
}

/// An edge into a block that determines the block's branch.
struct DeterminedEdge {
    pred: Block,
    /// The index among the predecessor's targets.
    index: usize,
    /// The target that the block branches to.
    to: Target,
}

/// The edges into a block that determine its branch by its parameters.
fn determined_edges(editor: &FuncEditor<'_>, block: Block, analyses: &Analyses) -> Vec<DeterminedEdge> {
    let edge = |(pred, index, target): (Block, usize, &Target)| {
        target_on_edge(editor, &analyses.defs, target).map(|to| DeterminedEdge { pred, index, to })
    };
    edges_into(editor, block, analyses).filter(|(pred, ..)| *pred != block).filter_map(edge).collect()
}

/// The edges into a block, by predecessor: the index among the predecessor's targets, and the target.
fn edges_into<'w>(
    editor: &'w FuncEditor<'_>,
    block: Block,
    analyses: &Analyses,
) -> impl Iterator<Item = (Block, usize, &'w Target)> {
    let cfg = &analyses.flow.cfg;
    let mut preds: Vec<Block> =
        cfg.preds(block).iter().copied().filter(|&pred| cfg.is_reachable(pred)).collect();
    preds.sort_unstable();
    preds.into_iter().flat_map(move |pred| {
        let targets = editor.terminator(pred).kind.targets().enumerate();
        targets.filter(move |(_, target)| target.block == block).map(move |(at, target)| (pred, at, target))
    })
}

/// The target that a block branches to if it is entered by this edge.
fn target_on_edge(editor: &FuncEditor<'_>, defs: &Defs, target: &Target) -> Option<Target> {
    let end = &editor.func.block(target.block).terminator.as_ref()?.kind;
    let on = end.operand()?.var().filter(|on| defs.block(*on) == Some(target.block))?;
    if let TerminatorKind::BrIf { then, otherwise, .. } = end
        && then == otherwise
    {
        return None;
    }
    let on = EdgeValues::new(editor, defs, target).value(on)?;
    target_for(end, &on, |on| known_switch_value(editor, defs, on)).cloned()
}

/// Clones `block` for one edge, with parameters of its own; records its definitions in `live_outs`.
fn clone_for(
    editor: &mut FuncEditor<'_>,
    block: Block,
    edge: DeterminedEdge,
    live_outs: &mut LiveOuts,
) -> Block {
    let clone = editor.new_block(None);
    let params = editor.new_params_like(block);
    let args = params.iter().copied().map(Operand::Var).collect();
    editor.body(clone).params = params;
    let entering = editor
        .terminator_mut(edge.pred)
        .kind
        .targets_mut()
        .nth(edge.index)
        .expect("THREAD1: the edge is one of the predecessor's");
    entering.block = clone;
    let cloned_values = clone_blocks::clone_insts(editor, block, args, clone, live_outs);
    let mut to = edge.to;
    to.args.iter_mut().for_each(|operand| clone_blocks::substitute(&cloned_values, operand));
    let span = editor.terminator(block).span;
    editor.body(clone).terminator = Some(br(to.block, to.args, span));
    clone
}

/// Repairs SSA form; then replaces the parameters of clones with one incoming edge by their arguments.
fn repair_ssa(editor: &mut FuncEditor<'_>, live_outs: LiveOuts, clones: &[Block]) {
    if clones.is_empty() {
        return;
    }
    clone_blocks::repair_ssa(editor, live_outs);
    let analyses = editor.cfg_analyses();
    for &clone in clones {
        let [pred] = analyses.cfg.preds(clone) else { continue };
        let mut entering =
            editor.terminator_mut(*pred).kind.targets_mut().filter(|target| target.block == clone);
        let (Some(target), None) = (entering.next(), entering.next()) else { continue };
        let args = std::mem::take(&mut target.args);
        drop(entering);
        let params = std::mem::take(&mut editor.body(clone).params);
        params.into_iter().zip(args).for_each(|(param, arg)| editor.replace(param, arg));
    }
    editor.apply_replacements();
}
