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

use overdub_context::analysis::{Cfg, Dominators, LoopNest};
use overdub_context::ir::{Block, Operand, Target, TerminatorKind, Var};

use super::{Known, LONGEST, Way, copy_for_all, known_ways, value, values, way_out, ways_in};
use crate::copies::{self, Ends};
use crate::work::{Work, br};

/// So many copies of a block in which rounds meet are made at most.
const MOST_COPIES: usize = 8;

/// Goes around the header of a loop; says whether it did.
pub(super) fn thread(work: &mut Work<'_>, header: Block, known: &Known) -> bool {
    let Some(meetings) = meetings(work, header, known) else { return false };
    let before = work.clone();
    let circles = second_entries(work);
    for meeting in meetings {
        let now = Known::of(work);
        let ways = next_known(work, meeting, header, &now);
        copy_for_all(work, meeting, ways);
    }
    work.prune();
    let now = Known::of(work);
    let ways = known_ways(work, header, &now);
    let mut ends = Ends::default();
    copies::defines(work, header, &mut ends);
    ways.into_iter().for_each(|way| copy_by_params(work, header, way, &mut ends));
    copies::meet_again(work, &ends);
    work.prune();
    if leads_back(work, header) || second_entries(work) > circles {
        *work = before;
        return false;
    }
    true
}

/// A copy of the header for one way in, by parameters of its own: what is handed over on a way back may be what the
/// header defined in the round before.
fn copy_by_params(work: &mut Work<'_>, header: Block, way: Way, ends: &mut Ends) {
    let copy = work.new_block(None);
    let params = work.func.block(header).params.clone();
    let params: Vec<Var> =
        params.into_iter().map(|param| work.new_var_like(work.func.vars[param.index()])).collect();
    let args = params.iter().copied().map(Operand::Var).collect();
    work.body(copy).params = params;
    let entering = work.end_mut(way.pred).kind.targets_mut().nth(way.at).expect("the way was found here");
    entering.block = copy;
    let here = copies::copy_insts(work, header, args, copy, ends);
    let mut to = way.to;
    to.args.iter_mut().for_each(|operand| copies::put(&here, operand));
    let span = work.end(header).span;
    work.body(copy).terminator = Some(br(to.block, to.args, span));
}

/// The ways to a header on which it is known that the loop has no rounds.
pub(super) fn ways_past(work: &Work<'_>, header: Block, known: &Known) -> Vec<Way> {
    let mut ways = known_ways(work, header, known);
    ways.retain(|way| !known.leads_back(way.pred, header));
    if !ways.is_empty() {
        let nest = LoopNest::new(&known.cfg, &Dominators::new(&known.cfg));
        let own = nest.iter().find(|(_, own)| own.header == header).map(|(id, _)| id);
        ways.retain(|way| own.is_some_and(|own| !nest.contains(own, way.to.block)));
    }
    ways
}

/// The blocks in which rounds meet whose next state is known before; nothing where a way back stays unknown.
fn meetings(work: &Work<'_>, header: Block, known: &Known) -> Option<Vec<Block>> {
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
        let here = values(work, &known.defs, target);
        let args = back.args.iter().map(|arg| value(&here, arg)).collect();
        way_out(work, &known.defs, &Target { block: header, args })
    };
    ways_in(work, block, known)
        .filter(|(_, _, target)| next(target).is_some())
        .map(|(pred, at, _)| Way { pred, at, to: back.clone() })
        .collect()
}

/// Whether a block still is the header of a loop.
fn leads_back(work: &Work<'_>, header: Block) -> bool {
    let cfg = Cfg::new(&work.func);
    let dominators = Dominators::new(&cfg);
    cfg.preds(header).iter().any(|&pred| dominators.dominates(header, pred))
}

/// How many ways lead into circles besides through their headers.
fn second_entries(work: &Work<'_>) -> usize {
    let cfg = Cfg::new(&work.func);
    LoopNest::new(&cfg, &Dominators::new(&cfg)).irreducible().len()
}
