//! Jump threading: who knows where a branch will go goes there.
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
//! - A block that decides by what it is handed is copied for each way in on which the decision is known.
//! - What the block defines and others use meets again in block parameters.
//! - The header of a loop is gone around only where every way back is: what a round leaves as its state is not asked
//!   for in the next one. A loop with two entries is never made.

mod loops;

use std::cell::OnceCell;

use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, Dominators};
use overdub_context::ir::{Block, Const, InstKind, Operand, Target, TerminatorKind, Var};
use overdub_context::ops;

use crate::branches::{decided, switch_number};
use crate::copies::{self, Ends};
use crate::fold;
use crate::scope::Scope;
use crate::work::{Defs, Work, br};

/// Longer blocks are not copied.
const LONGEST: usize = 24;

/// Sends branches to where they will go.
pub(crate) fn run(work: &mut Work<'_>, scope: &Scope<'_>) -> bool {
    let mut changed = false;
    // Looked at again only where something was changed: a function has many blocks, and few of them are threaded.
    let mut known: Option<Known> = None;
    for block in work.blocks() {
        let now = known.get_or_insert_with(|| Known::of(work));
        if block == Block::ENTRY || now.size > scope.limits().total {
            continue;
        }
        let body = work.func.block(block);
        let decides = body.terminator.as_ref().is_some_and(|end| {
            matches!(end.kind, TerminatorKind::BrIf { .. } | TerminatorKind::Switch { .. })
        });
        if decides && !body.params.is_empty() && body.insts.len() <= LONGEST {
            let threaded = thread(work, block, now);
            if threaded {
                changed = true;
                known = None;
            }
        }
    }
    work.prune();
    changed
}

/// What is looked up in the function.
struct Known {
    cfg: Cfg,
    defs: Defs,
    size: usize,
    dominators: OnceCell<Dominators>,
}

impl Known {
    fn of(work: &Work<'_>) -> Known {
        let (cfg, defs) = (Cfg::new(&work.func), Defs::of(&work.func));
        Known { cfg, defs, size: work.size(), dominators: OnceCell::new() }
    }

    /// Whether a way from `pred` to `block` closes a loop.
    fn leads_back(&self, pred: Block, block: Block) -> bool {
        self.dominators.get_or_init(|| Dominators::new(&self.cfg)).dominates(block, pred)
    }

    fn is_loop_header(&self, block: Block) -> bool {
        self.cfg.preds(block).iter().any(|&pred| self.leads_back(pred, block))
    }
}

/// A way into a block on which it is known where the block goes.
struct Way {
    pred: Block,
    /// Which of the predecessor's targets.
    at: usize,
    to: Target,
}

fn thread(work: &mut Work<'_>, block: Block, known: &Known) -> bool {
    let ways = if known.is_loop_header(block) {
        if loops::thread(work, block, known) {
            return true;
        }
        loops::ways_past(work, block, known)
    } else {
        known_ways(work, block, known)
    };
    if ways.is_empty() {
        return false;
    }
    copy_for_all(work, block, ways);
    true
}

/// Copies of `block` for these ways in.
fn copy_for_all(work: &mut Work<'_>, block: Block, ways: Vec<Way>) {
    let mut ends = Ends::default();
    copies::defines(work, block, &mut ends);
    for way in ways {
        copy_for(work, block, way, &mut ends);
    }
    copies::meet_again(work, &ends);
}

fn known_ways(work: &Work<'_>, block: Block, known: &Known) -> Vec<Way> {
    let way = |(pred, at, target): (Block, usize, &Target)| {
        way_out(work, &known.defs, target).map(|to| Way { pred, at, to })
    };
    ways_in(work, block, known).filter(|(pred, ..)| *pred != block).filter_map(way).collect()
}

/// The ways into a block, by the blocks that they come from: which of their targets, and the target.
fn ways_in<'w>(
    work: &'w Work<'_>,
    block: Block,
    known: &Known,
) -> impl Iterator<Item = (Block, usize, &'w Target)> {
    let mut preds: Vec<Block> =
        known.cfg.preds(block).iter().copied().filter(|&pred| known.cfg.is_reachable(pred)).collect();
    preds.sort_unstable();
    preds.dedup();
    preds.into_iter().flat_map(move |pred| {
        let targets = work.end(pred).kind.targets().enumerate();
        targets.filter(move |(_, target)| target.block == block).map(move |(at, target)| (pred, at, target))
    })
}

/// Where a block goes if it is entered in this way.
fn way_out(work: &Work<'_>, defs: &Defs, target: &Target) -> Option<Target> {
    let known = values(work, defs, target);
    let mut kind = work.func.block(target.block).terminator.as_ref()?.kind.clone();
    if let Some(on) = kind.operand_mut() {
        *on = value(&known, on);
    }
    if let TerminatorKind::BrIf { then, otherwise, .. } = &kind
        && then == otherwise
    {
        return None;
    }
    decided(&kind, |on| switch_number(work, defs, on))
}

/// What is known of what a block defines where it ends, if it is entered in this way.
fn values(work: &Work<'_>, defs: &Defs, target: &Target) -> HashMap<Var, Operand> {
    let body = work.func.block(target.block);
    let mut known: HashMap<Var, Operand> =
        body.params.iter().copied().zip(target.args.iter().cloned()).collect();
    for inst in &body.insts {
        let InstKind::Op { op, args } = &inst.kind else { continue };
        let args: Vec<Operand> = args.iter().map(|arg| value(&known, arg)).collect();
        if **op == ops::TAG {
            if let Some(tag) = switch_number(work, defs, &args[0]) {
                known.insert(inst.result, (tag as i64).into());
            }
            continue;
        }
        let constants: Option<Vec<&Const>> = args.iter().map(Operand::constant).collect();
        if let Some(folded) = constants.and_then(|args| fold::scalar(op, &args, work.func.ty(inst.result))) {
            known.insert(inst.result, folded);
        }
    }
    known
}

fn value(known: &HashMap<Var, Operand>, operand: &Operand) -> Operand {
    operand.var().and_then(|var| known.get(&var).cloned()).unwrap_or_else(|| operand.clone())
}

/// A copy of `block` for one way in; what it defines there is noted in `ends`.
fn copy_for(work: &mut Work<'_>, block: Block, way: Way, ends: &mut Ends) {
    let copy = work.new_block(None);
    let entering = work.end_mut(way.pred).kind.targets_mut().nth(way.at).expect("the way was found here");
    entering.block = copy;
    let args = std::mem::take(&mut entering.args);
    let here = copies::copy_insts(work, block, args, copy, ends);
    let mut to = way.to;
    to.args.iter_mut().for_each(|operand| copies::put(&here, operand));
    let span = work.end(block).span;
    work.body(copy).terminator = Some(br(to.block, to.args, span));
}
