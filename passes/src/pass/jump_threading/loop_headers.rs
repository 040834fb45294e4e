//! Loops whose rounds set a state that the next round asks for: each state gets a loop of its own.
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
//! - A block in which rounds meet before they go back is copied first for each way into it on which the next state is
//!   known.
//! - Nothing is changed unless every way back is known, and no circle gets a second entry by it.

use overdub_context::ir::{Block, Target, TerminatorKind};

use super::{Entered, Known, LONGEST, Way, copy_for, known_ways, meet_again, way_out, ways_in};
use crate::support::clone_blocks::{self, Ends};
use crate::support::func_editor::FuncEditor;

/// So many copies of a block in which rounds meet are made at most.
const MOST_COPIES: usize = 8;

/// Goes around the header of a loop whose rounds meet in these blocks before; says whether it did.
pub(super) fn thread(editor: &mut FuncEditor<'_>, header: Block, meetings: &[Block]) -> bool {
    let before = editor.clone();
    let circles = second_entries(editor);
    for &meeting in meetings {
        let now = Known::of(editor);
        let ways = next_known(editor, meeting, header, &now);
        copy_for_all(editor, meeting, ways);
    }
    editor.prune();
    let now = Known::of(editor);
    let ways = known_ways(editor, header, &now);
    let mut ends = Ends::default();
    clone_blocks::defines(editor, header, &mut ends);
    // What is handed over on a way back may be what the header defined in the round before: its copies keep their
    // parameters.
    for way in ways {
        copy_for(editor, header, way, &mut ends);
    }
    clone_blocks::meet_again(editor, ends);
    editor.prune();
    if leads_back(editor, header) || second_entries(editor) > circles {
        *editor = before;
        return false;
    }
    true
}

/// Copies of `block` for these ways in.
fn copy_for_all(editor: &mut FuncEditor<'_>, block: Block, ways: Vec<Way>) {
    let mut ends = Ends::default();
    clone_blocks::defines(editor, block, &mut ends);
    let made: Vec<Block> = ways.into_iter().map(|way| copy_for(editor, block, way, &mut ends)).collect();
    meet_again(editor, ends, &made);
}

/// The ways to a header on which it is known that the loop has no rounds.
pub(super) fn ways_past(editor: &FuncEditor<'_>, header: Block, known: &Known) -> Vec<Way> {
    let mut ways = known_ways(editor, header, known);
    ways.retain(|way| !known.leads_back(way.pred, header));
    if !ways.is_empty() {
        let nest = known.analyses.loops();
        let own = nest.iter().find(|(_, own)| own.header == header).map(|(id, _)| id);
        ways.retain(|way| own.is_some_and(|own| !nest.contains(own, way.to.block)));
    }
    ways
}

/// The blocks in which rounds meet whose next state is known before; nothing where a way back stays unknown.
pub(super) fn meetings(editor: &FuncEditor<'_>, header: Block, known: &Known) -> Option<Vec<Block>> {
    let mut meetings = Vec::new();
    for (pred, _, target) in ways_in(editor, header, known) {
        if !known.leads_back(pred, header) || way_out(editor, &known.defs, target).is_some() {
            continue;
        }
        let body = editor.func.block(pred);
        let meets = pred != header
            && matches!(editor.end(pred).kind, TerminatorKind::Br(_))
            && body.insts.len() <= LONGEST
            && !known.is_loop_header(pred);
        let ways = if meets { next_known(editor, pred, header, known) } else { Vec::new() };
        if ways.is_empty() || ways.len() > MOST_COPIES || ways.len() < ways_in(editor, pred, known).count() {
            return None;
        }
        meetings.push(pred);
    }
    Some(meetings)
}

/// The ways into a block that goes back to a header, on which it is known where the header goes.
fn next_known(editor: &FuncEditor<'_>, block: Block, header: Block, known: &Known) -> Vec<Way> {
    let TerminatorKind::Br(back) = &editor.end(block).kind else { return Vec::new() };
    let next = |target: &Target| {
        let mut here = Entered::new(editor, &known.defs, target);
        let args = back.args.iter().map(|arg| here.of(arg)).collect();
        way_out(editor, &known.defs, &Target { block: header, args })
    };
    ways_in(editor, block, known)
        .filter(|(_, _, target)| next(target).is_some())
        .map(|(pred, at, _)| Way { pred, at, to: back.clone() })
        .collect()
}

/// Whether a block still is the header of a loop.
fn leads_back(editor: &mut FuncEditor<'_>, header: Block) -> bool {
    let analyses = editor.cfg_analyses();
    analyses.cfg.preds(header).iter().any(|&pred| analyses.dominators().dominates(header, pred))
}

/// How many ways lead into circles besides through their headers.
fn second_entries(editor: &mut FuncEditor<'_>) -> usize {
    editor.cfg_analyses().loops().irreducible().len()
}
