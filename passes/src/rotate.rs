//! Loop rotation: a loop that asks before each round asks once before the first, and then after each.
//!
//! ```text
//!   br ^loop(0, 0.0)                               %c: bool = lt 0, %n
//! ^loop(%i: i64, %s: f64):                         br_if %c, ^body(0, 0.0), ^done(0.0)
//!   %c: bool = lt %i, %n                         ^body(%i: i64, %s: f64):
//!   br_if %c, ^body, ^done                 →       …
//! ^body:                                           %c2: bool = lt %j, %n
//!   …                                              br_if %c2, ^body(%j, %t), ^done(%t)
//!   br ^loop(%j, %t)                             ^done(%s: f64):
//! ^done:                                           ret %s
//!   ret %s
//! ```
//!
//! - A round takes one branch and not two, and what is invariant in the body can be moved before it, behind the first
//!   question.
//! - Only a header that leaves the loop one way and stays in it one way is copied: else there would be two ways in.
//! - A loop whose rounds end in several blocks stays: each goes to the header at once, where a copy would be one more block
//!   for them to go to first.
//! - What the question proves of an index is forgotten with it: bounds checks go before.

use overdub_context::analysis::{Cfg, LoopId, LoopNest};
use overdub_context::ir::{Block, Operand, Target, TerminatorKind, Var};

use crate::copies::{self, Ends};
use crate::scope::Scope;
use crate::work::{Work, br};

/// Longer headers are not copied.
const LONGEST: usize = 24;

/// Rotates loops.
pub(crate) fn run(work: &mut Work<'_>, _: &Scope<'_>) -> bool {
    let shape = work.shape();
    let (cfg, nest) = (&shape.cfg, shape.loops());
    let found: Vec<(LoopId, Block)> =
        nest.iter().filter_map(|(id, _)| Some((id, goes_on_to(work, nest, id)?))).collect();
    if found.is_empty() {
        return false;
    }
    let mut ends = Ends::default();
    for &(id, first) in &found {
        let this = nest.get(id);
        rotate(work, cfg, this.header, &this.latches, first, &mut ends);
    }
    copies::meet_again(work, ends);
    true
}

/// The one block of the loop to which its header goes, if the loop is to be rotated.
fn goes_on_to(work: &Work<'_>, nest: &LoopNest, id: LoopId) -> Option<Block> {
    let this = nest.get(id);
    let header = this.header;
    if header == Block::ENTRY || work.func.block(header).insts.len() > LONGEST {
        return None;
    }
    let asks_after =
        |&latch: &Block| latch == header || !matches!(work.end(latch).kind, TerminatorKind::Br(_));
    if this.latches.len() > 1 || this.latches.iter().any(asks_after) {
        return None;
    }
    let mut inside = work.end(header).kind.targets().filter(|target| nest.contains(id, target.block));
    let (Some(first), None) = (inside.next(), inside.next()) else { return None };
    (work.end(header).kind.targets().count() > 1).then_some(first.block)
}

/// Lets the latches ask what the header asks.
fn rotate(work: &mut Work<'_>, cfg: &Cfg, header: Block, latches: &[Block], first: Block, ends: &mut Ends) {
    if cfg.preds(first).len() > 1 {
        split(work, header, first);
    }
    let again = work.new_block(None);
    let params: Vec<Var> = work.func.block(header).params.clone();
    let params: Vec<Var> =
        params.into_iter().map(|param| work.new_var_like(work.func.vars[param.index()])).collect();
    let args = params.iter().copied().map(Operand::Var).collect();
    work.body(again).params = params;
    copies::defines(work, header, ends);
    let here = copies::copy_insts(work, header, args, again, ends);
    let mut end = work.end(header).clone();
    end.kind.operand_mut().into_iter().for_each(|operand| copies::put(&here, operand));
    let handed = end.kind.targets_mut().flat_map(|target| &mut target.args);
    handed.for_each(|operand| copies::put(&here, operand));
    work.body(again).terminator = Some(end);
    for &latch in latches {
        for target in work.end_mut(latch).kind.targets_mut().filter(|target| target.block == header) {
            target.block = again;
        }
    }
}

/// Puts a block of its own between a header and the block in its loop that others go to, too: it becomes the header.
fn split(work: &mut Work<'_>, header: Block, first: Block) {
    let between = work.new_block(None);
    let params: Vec<Var> = work.func.block(first).params.clone();
    let params: Vec<Var> =
        params.into_iter().map(|param| work.new_var_like(work.func.vars[param.index()])).collect();
    let args = params.iter().copied().map(Operand::Var).collect();
    let span = work.end(header).span;
    work.body(between).params = params;
    work.body(between).terminator = Some(br(first, args, span));
    let mut targets = work.end_mut(header).kind.targets_mut();
    let target: Option<&mut Target> = targets.find(|target| target.block == first);
    target.expect("the header goes there").block = between;
}
