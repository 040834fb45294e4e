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
use crate::copies::{self, Ends};
use crate::work::Work;

/// So many copies of a block in which rounds meet are made at most.
const MOST_COPIES: usize = 8;

/// Goes around the header of a loop whose rounds meet in these blocks before; says whether it did.
pub(super) fn thread(work: &mut Work<'_>, header: Block, meetings: &[Block]) -> bool {
    let before = work.clone();
    let circles = second_entries(work);
    for &meeting in meetings {
        let now = Known::of(work);
        let ways = next_known(work, meeting, header, &now);
        copy_for_all(work, meeting, ways);
    }
    work.prune();
    let now = Known::of(work);
    let ways = known_ways(work, header, &now);
    let mut ends = Ends::default();
    copies::defines(work, header, &mut ends);
    // What is handed over on a way back may be what the header defined in the round before: its copies keep their
    // parameters.
    for way in ways {
        copy_for(work, header, way, &mut ends);
    }
    copies::meet_again(work, ends);
    work.prune();
    if leads_back(work, header) || second_entries(work) > circles {
        *work = before;
        return false;
    }
    true
}

/// Copies of `block` for these ways in.
fn copy_for_all(work: &mut Work<'_>, block: Block, ways: Vec<Way>) {
    let mut ends = Ends::default();
    copies::defines(work, block, &mut ends);
    let made: Vec<Block> = ways.into_iter().map(|way| copy_for(work, block, way, &mut ends)).collect();
    meet_again(work, ends, &made);
}

/// The ways to a header on which it is known that the loop has no rounds.
pub(super) fn ways_past(work: &Work<'_>, header: Block, known: &Known) -> Vec<Way> {
    let mut ways = known_ways(work, header, known);
    ways.retain(|way| !known.leads_back(way.pred, header));
    if !ways.is_empty() {
        let nest = known.shape.loops();
        let own = nest.iter().find(|(_, own)| own.header == header).map(|(id, _)| id);
        ways.retain(|way| own.is_some_and(|own| !nest.contains(own, way.to.block)));
    }
    ways
}

/// The blocks in which rounds meet whose next state is known before; nothing where a way back stays unknown.
pub(super) fn meetings(work: &Work<'_>, header: Block, known: &Known) -> Option<Vec<Block>> {
    let mut meetings = Vec::new();
    for (pred, _, target) in ways_in(work, header, known) {
        if !known.leads_back(pred, header) || way_out(work, &known.defs, target).is_some() {
            continue;
        }
        let body = work.func.block(pred);
        let meets = pred != header
            && matches!(work.end(pred).kind, TerminatorKind::Br(_))
            && body.insts.len() <= LONGEST
            && !known.is_loop_header(pred);
        let ways = if meets { next_known(work, pred, header, known) } else { Vec::new() };
        if ways.is_empty() || ways.len() > MOST_COPIES || ways.len() < ways_in(work, pred, known).count() {
            return None;
        }
        meetings.push(pred);
    }
    Some(meetings)
}

/// The ways into a block that goes back to a header, on which it is known where the header goes.
fn next_known(work: &Work<'_>, block: Block, header: Block, known: &Known) -> Vec<Way> {
    let TerminatorKind::Br(back) = &work.end(block).kind else { return Vec::new() };
    let next = |target: &Target| {
        let mut here = Entered::new(work, &known.defs, target);
        let args = back.args.iter().map(|arg| here.of(arg)).collect();
        way_out(work, &known.defs, &Target { block: header, args })
    };
    ways_in(work, block, known)
        .filter(|(_, _, target)| next(target).is_some())
        .map(|(pred, at, _)| Way { pred, at, to: back.clone() })
        .collect()
}

/// Whether a block still is the header of a loop.
fn leads_back(work: &mut Work<'_>, header: Block) -> bool {
    let shape = work.shape();
    shape.cfg.preds(header).iter().any(|&pred| shape.dominators().dominates(header, pred))
}

/// How many ways lead into circles besides through their headers.
fn second_entries(work: &mut Work<'_>) -> usize {
    work.shape().loops().irreducible().len()
}
