//! Threading of loop headers: a loop whose iterations set a state that the next one tests becomes one loop per state.
//!
//! ```text
//!   br ^loop(true, %x)                             br ^first(%x)
//! ^loop(%first: bool, %y: f64):                  ^first(%y: f64):
//!   br_if %first, ^first, ^later            →      …
//!   …                                              br ^later(%z)
//!   br ^loop(false, %z)                          ^later(%w: f64):
//!                                                  …
//!                                                  br ^later(%v)
//! ```
//!
//! - LOOPHEAD1 a block in which paths join before the back edge is cloned first, for each of its incoming
//!   edges, each of which has to determine the next state.
//! - LOOPHEAD2 nothing is changed unless every back edge determines the state, and the change makes no loop irreducible.

use overdub_context::ir::{Block, Target, TerminatorKind};

use super::edge_values::EdgeValues;
use super::{
    Analyses, DeterminedEdge, MAX_BLOCK, clone_for, determined_edges, edges_into, repair_ssa, target_on_edge,
};
use crate::support::clone_blocks::{self, LiveOuts};
use overdub_context::edit::FuncEditor;

/// The largest number of clones of a joining block.
const MAX_CLONES: usize = 8;

/// Threads the header of a loop whose paths join in `joins` before the back edge; returns whether it did.
pub(super) fn thread(editor: &mut FuncEditor<'_>, header: Block, joins: &[Block]) -> bool {
    let before = editor.clone();
    let irreducible = irreducible_edges(editor);
    for &join in joins {
        let analyses = Analyses::of(editor);
        let edges = edges_determining_next(editor, join, header, &analyses);
        clone_for_all(editor, join, edges);
    }
    editor.clear_unreachable();
    let analyses = Analyses::of(editor);
    let edges = determined_edges(editor, header, &analyses);
    let mut live_outs = LiveOuts::default();
    clone_blocks::record_definitions(editor, header, &mut live_outs);
    // The argument on a back edge may be a definition of the header from the previous iteration, so the
    // clones keep their parameters.
    for edge in edges {
        clone_for(editor, header, edge, &mut live_outs);
    }
    clone_blocks::repair_ssa(editor, live_outs);
    editor.clear_unreachable();
    if is_loop_header(editor, header) || irreducible_edges(editor) > irreducible {
        *editor = before;
        return false;
    }
    true
}

/// Clones `block` for these edges.
fn clone_for_all(editor: &mut FuncEditor<'_>, block: Block, edges: Vec<DeterminedEdge>) {
    let mut live_outs = LiveOuts::default();
    clone_blocks::record_definitions(editor, block, &mut live_outs);
    let clones: Vec<Block> =
        edges.into_iter().map(|edge| clone_for(editor, block, edge, &mut live_outs)).collect();
    repair_ssa(editor, live_outs, &clones);
}

/// The edges into a loop on which the header leaves the loop at once.
pub(super) fn bypassing_edges(
    editor: &FuncEditor<'_>,
    header: Block,
    analyses: &Analyses,
) -> Vec<DeterminedEdge> {
    let mut edges = determined_edges(editor, header, analyses);
    edges.retain(|edge| !analyses.is_back_edge(edge.pred, header));
    if !edges.is_empty() {
        let nest = analyses.flow.loops();
        let id_of_loop = nest.iter().find(|(_, info)| info.header == header).map(|(id, _)| id);
        edges.retain(|edge| id_of_loop.is_some_and(|info| !nest.contains(info, edge.to.block)));
    }
    edges
}

/// The blocks in which paths join before a back edge and which are to be cloned; none where a back edge would still not
/// determine the state (LOOPHEAD2).
pub(super) fn joins(editor: &FuncEditor<'_>, header: Block, analyses: &Analyses) -> Option<Vec<Block>> {
    let mut joins = Vec::new();
    for (pred, _, target) in edges_into(editor, header, analyses) {
        if !analyses.is_back_edge(pred, header) || target_on_edge(editor, &analyses.defs, target).is_some() {
            continue;
        }
        let body = editor.func.block(pred);
        let can_clone = pred != header
            && matches!(editor.terminator(pred).kind, TerminatorKind::Br(_))
            && body.insts.len() <= MAX_BLOCK
            && !analyses.is_loop_header(pred);
        let edges =
            if can_clone { edges_determining_next(editor, pred, header, analyses) } else { Vec::new() };
        if edges.is_empty()
            || edges.len() > MAX_CLONES
            || edges.len() < edges_into(editor, pred, analyses).count()
        {
            return None;
        }
        joins.push(pred);
    }
    Some(joins)
}

/// The edges into a latch that determine the branch of the header in the next iteration.
fn edges_determining_next(
    editor: &FuncEditor<'_>,
    block: Block,
    header: Block,
    analyses: &Analyses,
) -> Vec<DeterminedEdge> {
    let TerminatorKind::Br(back) = &editor.terminator(block).kind else { return Vec::new() };
    let next = |target: &Target| {
        let mut edge_values = EdgeValues::new(editor, &analyses.defs, target);
        let args = back.args.iter().map(|arg| edge_values.of(arg)).collect();
        target_on_edge(editor, &analyses.defs, &Target { block: header, args })
    };
    edges_into(editor, block, analyses)
        .filter(|(_, _, target)| next(target).is_some())
        .map(|(pred, index, _)| DeterminedEdge { pred, index, to: back.clone() })
        .collect()
}

/// Whether a block is still the header of a loop.
fn is_loop_header(editor: &mut FuncEditor<'_>, header: Block) -> bool {
    let analyses = editor.cfg_analyses();
    analyses.cfg.preds(header).iter().any(|&pred| analyses.dominators().dominates(header, pred))
}

/// The number of edges into loops other than through their headers.
fn irreducible_edges(editor: &mut FuncEditor<'_>) -> usize {
    editor.cfg_analyses().loops().irreducible().len()
}
