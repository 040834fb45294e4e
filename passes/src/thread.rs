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
//! - The header of a loop is left alone: going around it would make a loop with two entries.

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
}

impl Known {
    fn of(work: &Work<'_>) -> Known {
        Known { cfg: Cfg::new(&work.func), defs: Defs::of(&work.func), size: work.size() }
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
    let ways = known_ways(work, block, known);
    if ways.is_empty() || is_loop_header(&known.cfg, block) {
        return false;
    }
    let mut ends = Ends::default();
    copies::defines(work, block, &mut ends);
    for way in ways {
        copy_for(work, block, way, &mut ends);
    }
    copies::meet_again(work, &ends);
    true
}

fn is_loop_header(cfg: &Cfg, block: Block) -> bool {
    let dominators = Dominators::new(cfg);
    cfg.preds(block).iter().any(|&pred| dominators.dominates(block, pred))
}

fn known_ways(work: &Work<'_>, block: Block, known: &Known) -> Vec<Way> {
    let mut ways = Vec::new();
    let mut preds: Vec<Block> =
        known.cfg.preds(block).iter().copied().filter(|&pred| pred != block).collect();
    preds.sort_unstable();
    preds.dedup();
    for pred in preds {
        for (at, target) in work.end(pred).kind.targets().enumerate() {
            if target.block == block
                && let Some(to) = way_out(work, &known.defs, target)
            {
                ways.push(Way { pred, at, to });
            }
        }
    }
    ways
}

/// Where a block goes if it is entered in this way.
fn way_out(work: &Work<'_>, defs: &Defs, target: &Target) -> Option<Target> {
    let body = work.func.block(target.block);
    let mut known: HashMap<Var, Operand> =
        body.params.iter().copied().zip(target.args.iter().cloned()).collect();
    let value = |known: &HashMap<Var, Operand>, operand: &Operand| {
        operand.var().and_then(|var| known.get(&var).cloned()).unwrap_or_else(|| operand.clone())
    };
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
    let mut kind = body.terminator.as_ref()?.kind.clone();
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
