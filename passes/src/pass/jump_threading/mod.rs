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
//! - Blocks that are not next to each other are copied together: what they define meets again once for all of them.
//! - The header of a loop is gone around only where every way back is: what a round leaves as its state is not asked
//!   for in the next one. A loop with two entries is never made.

mod loop_headers;

use std::sync::Arc;

use overdub_context::ir::{Block, Const, InstKind, Operand, Target, TerminatorKind, Var};
use overdub_context::ops;

use crate::support::branch_target::{decided_by, switch_number};
use crate::support::cfg_analyses::CfgAnalyses;
use crate::support::clone_blocks::{self, Ends};
use crate::support::const_fold;
use crate::support::func_editor::{Defs, FuncEditor, br};
use crate::support::scope::Scope;
use crate::support::scope::size_of;

/// Longer blocks are not copied.
const LONGEST: usize = 24;

/// Sends branches to where they will go.
pub(crate) fn run(editor: &mut FuncEditor<'_>, scope: &Scope<'_>) -> bool {
    let mut changed = false;
    let most = scope.limits().most_by_small(size_of(editor.source));
    let mut pending: Vec<Block> =
        editor.blocks().into_iter().filter(|&block| may_know(editor, block)).collect();
    while !pending.is_empty() {
        let mut round = Round::of(editor);
        pending.retain(|&block| !round.thread(editor, block, most));
        changed |= round.finish(editor);
    }
    editor.prune();
    changed
}

/// Whether a block decides, may be copied, and is handed something that it may decide by.
fn may_know(editor: &FuncEditor<'_>, block: Block) -> bool {
    let body = editor.func.block(block);
    let decides = body
        .terminator
        .as_ref()
        .is_some_and(|end| matches!(end.kind, TerminatorKind::BrIf { .. } | TerminatorKind::Switch { .. }));
    decides && block != Block::ENTRY && !body.params.is_empty() && body.insts.len() <= LONGEST
}

/// Blocks that are copied together, or a loop that is changed alone.
struct Round {
    known: Known,
    /// The blocks of which something is not known any more: they are looked at in the next round.
    stale: Vec<bool>,
    ends: Ends,
    copies: Vec<Block>,
    /// How many instructions there are.
    size: usize,
    state: State,
}

/// How far a round is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// The next block has to wait until what was copied has met again.
    Over,
    /// So have all others: a loop was changed as a whole, and nothing is left to meet.
    LoopChanged,
}

impl Round {
    fn of(editor: &mut FuncEditor<'_>) -> Round {
        Round {
            known: Known::of(editor),
            stale: vec![false; editor.func.blocks.len()],
            ends: Ends::default(),
            copies: Vec::new(),
            size: editor.size(),
            state: State::Open,
        }
    }

    /// Copies a block for the ways in on which it is known where it goes; says whether it need not be looked at again.
    fn thread(&mut self, editor: &mut FuncEditor<'_>, block: Block, most: usize) -> bool {
        if self.state != State::Open || self.stale[block.index()] {
            return false;
        }
        if self.size > most {
            return true;
        }
        let ways = if self.known.is_loop_header(block) {
            if let Some(meetings) = loop_headers::meetings(editor, block, &self.known) {
                if !self.copies.is_empty() {
                    self.state = State::Over;
                    return false;
                }
                if loop_headers::thread(editor, block, &meetings) {
                    self.state = State::LoopChanged;
                    return true;
                }
            }
            loop_headers::ways_past(editor, block, &self.known)
        } else {
            known_ways(editor, block, &self.known)
        };
        if !ways.is_empty() {
            let cfg = &self.known.analyses.cfg;
            let around = cfg.succs(block).iter().chain(cfg.preds(block)).chain([&block]);
            around.for_each(|other| self.stale[other.index()] = true);
            self.size += ways.len() * editor.func.block(block).insts.len();
            clone_blocks::defines(editor, block, &mut self.ends);
            self.copies.extend(ways.into_iter().map(|way| copy_for(editor, block, way, &mut self.ends)));
        }
        true
    }

    /// Lets what was copied meet again; says whether anything was changed.
    fn finish(self, editor: &mut FuncEditor<'_>) -> bool {
        meet_again(editor, self.ends, &self.copies);
        self.state == State::LoopChanged || !self.copies.is_empty()
    }
}

/// What is looked up in the function.
struct Known {
    analyses: Arc<CfgAnalyses>,
    defs: Defs,
}

impl Known {
    fn of(editor: &mut FuncEditor<'_>) -> Known {
        Known { analyses: editor.cfg_analyses(), defs: Defs::of(&editor.func) }
    }

    /// Whether a way from `pred` to `block` closes a loop.
    fn leads_back(&self, pred: Block, block: Block) -> bool {
        self.analyses.dominators().dominates(block, pred)
    }

    fn is_loop_header(&self, block: Block) -> bool {
        self.analyses.cfg.preds(block).iter().any(|&pred| self.leads_back(pred, block))
    }
}

/// A way into a block on which it is known where the block goes.
struct Way {
    pred: Block,
    /// Which of the predecessor's targets.
    at: usize,
    to: Target,
}

fn known_ways(editor: &FuncEditor<'_>, block: Block, known: &Known) -> Vec<Way> {
    let way = |(pred, at, target): (Block, usize, &Target)| {
        way_out(editor, &known.defs, target).map(|to| Way { pred, at, to })
    };
    ways_in(editor, block, known).filter(|(pred, ..)| *pred != block).filter_map(way).collect()
}

/// The ways into a block, by the blocks that they come from: which of their targets, and the target.
fn ways_in<'w>(
    editor: &'w FuncEditor<'_>,
    block: Block,
    known: &Known,
) -> impl Iterator<Item = (Block, usize, &'w Target)> {
    let cfg = &known.analyses.cfg;
    let mut preds: Vec<Block> =
        cfg.preds(block).iter().copied().filter(|&pred| cfg.is_reachable(pred)).collect();
    preds.sort_unstable();
    preds.into_iter().flat_map(move |pred| {
        let targets = editor.end(pred).kind.targets().enumerate();
        targets.filter(move |(_, target)| target.block == block).map(move |(at, target)| (pred, at, target))
    })
}

/// Where a block goes if it is entered in this way.
fn way_out(editor: &FuncEditor<'_>, defs: &Defs, target: &Target) -> Option<Target> {
    let end = &editor.func.block(target.block).terminator.as_ref()?.kind;
    let on = end.operand()?.var().filter(|on| defs.block(*on) == Some(target.block))?;
    if let TerminatorKind::BrIf { then, otherwise, .. } = end
        && then == otherwise
    {
        return None;
    }
    let on = Entered::new(editor, defs, target).value(on)?;
    decided_by(end, &on, |on| switch_number(editor, defs, on)).cloned()
}

/// A block that is entered in one way, and what is known there of what it defines.
struct Entered<'w> {
    editor: &'w FuncEditor<'w>,
    defs: &'w Defs,
    target: &'w Target,
    /// What was asked for before; the block is short.
    values: Vec<(Var, Option<Operand>)>,
}

impl<'w> Entered<'w> {
    fn new(editor: &'w FuncEditor<'w>, defs: &'w Defs, target: &'w Target) -> Entered<'w> {
        Entered { editor, defs, target, values: Vec::new() }
    }

    /// What a variable of the block is, if something else stands for it.
    fn value(&mut self, var: Var) -> Option<Operand> {
        if let Some((block, k)) = self.defs.param(var) {
            return (block == self.target.block).then(|| self.target.args[k].clone());
        }
        if self.defs.block(var) != Some(self.target.block) {
            return None;
        }
        if let Some((_, known)) = self.values.iter().find(|(other, _)| *other == var) {
            return known.clone();
        }
        let value = self.computed(var);
        self.values.push((var, value.clone()));
        value
    }

    fn computed(&mut self, var: Var) -> Option<Operand> {
        let editor = self.editor;
        let InstKind::Op { op, args } = self.defs.inst(&editor.func, &var.into())? else { return None };
        if **op == ops::TAG {
            let whole = self.of(&args[0]);
            return switch_number(editor, self.defs, &whole).map(|tag| (tag as i64).into());
        }
        let args: Vec<Operand> = args.iter().map(|arg| self.of(arg)).collect();
        let constants: Option<Vec<&Const>> = args.iter().map(Operand::constant).collect();
        const_fold::scalar(op, &constants?, editor.func.ty(var))
    }

    fn of(&mut self, operand: &Operand) -> Operand {
        operand.var().and_then(|var| self.value(var)).unwrap_or_else(|| operand.clone())
    }
}

/// A copy of `block` for one way in, by parameters of its own; what it defines there is noted in `ends`.
fn copy_for(editor: &mut FuncEditor<'_>, block: Block, way: Way, ends: &mut Ends) -> Block {
    let copy = editor.new_block(None);
    let params = editor.func.block(block).params.clone();
    let params: Vec<Var> =
        params.into_iter().map(|param| editor.new_var_like(editor.func.vars[param.index()])).collect();
    let args = params.iter().copied().map(Operand::Var).collect();
    editor.body(copy).params = params;
    let entering = editor.end_mut(way.pred).kind.targets_mut().nth(way.at).expect("the way was found here");
    entering.block = copy;
    let here = clone_blocks::copy_insts(editor, block, args, copy, ends);
    let mut to = way.to;
    to.args.iter_mut().for_each(|operand| clone_blocks::put(&here, operand));
    let span = editor.end(block).span;
    editor.body(copy).terminator = Some(br(to.block, to.args, span));
    copy
}

/// Lets what blocks and their copies define meet again; then what a copy is handed by the one way into it stands for its
/// parameters.
fn meet_again(editor: &mut FuncEditor<'_>, ends: Ends, made: &[Block]) {
    if made.is_empty() {
        return;
    }
    clone_blocks::meet_again(editor, ends);
    let analyses = editor.cfg_analyses();
    for &copy in made {
        let [pred] = analyses.cfg.preds(copy) else { continue };
        let mut entering = editor.end_mut(*pred).kind.targets_mut().filter(|target| target.block == copy);
        let (Some(target), None) = (entering.next(), entering.next()) else { continue };
        let args = std::mem::take(&mut target.args);
        drop(entering);
        let params = std::mem::take(&mut editor.body(copy).params);
        params.into_iter().zip(args).for_each(|(param, arg)| editor.replace(param, arg));
    }
    editor.carry_out();
}
