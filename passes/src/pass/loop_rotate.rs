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

use crate::support::clone_blocks::{self, Ends};
use crate::support::func_editor::{FuncEditor, br};
use crate::support::scope::Scope;

/// Longer headers are not copied.
const LONGEST: usize = 24;

/// Rotates loops.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let analyses = editor.cfg_analyses();
    let (cfg, nest) = (&analyses.cfg, analyses.loops());
    let found: Vec<(LoopId, Block)> =
        nest.iter().filter_map(|(id, _)| Some((id, goes_on_to(editor, nest, id)?))).collect();
    if found.is_empty() {
        return false;
    }
    let mut ends = Ends::default();
    for &(id, first) in &found {
        let this = nest.get(id);
        rotate(editor, cfg, this.header, &this.latches, first, &mut ends);
    }
    clone_blocks::meet_again(editor, ends);
    true
}

/// The one block of the loop to which its header goes, if the loop is to be rotated.
fn goes_on_to(editor: &FuncEditor<'_>, nest: &LoopNest, id: LoopId) -> Option<Block> {
    let this = nest.get(id);
    let header = this.header;
    if header == Block::ENTRY || editor.func.block(header).insts.len() > LONGEST {
        return None;
    }
    let asks_after =
        |&latch: &Block| latch == header || !matches!(editor.end(latch).kind, TerminatorKind::Br(_));
    if this.latches.len() > 1 || this.latches.iter().any(asks_after) {
        return None;
    }
    let mut inside = editor.end(header).kind.targets().filter(|target| nest.contains(id, target.block));
    let (Some(first), None) = (inside.next(), inside.next()) else { return None };
    (editor.end(header).kind.targets().count() > 1).then_some(first.block)
}

/// Lets the latches ask what the header asks.
fn rotate(
    editor: &mut FuncEditor<'_>,
    cfg: &Cfg,
    header: Block,
    latches: &[Block],
    first: Block,
    ends: &mut Ends,
) {
    if cfg.preds(first).len() > 1 {
        split(editor, header, first);
    }
    let again = editor.new_block(None);
    let params: Vec<Var> = editor.func.block(header).params.clone();
    let params: Vec<Var> =
        params.into_iter().map(|param| editor.new_var_like(editor.func.vars[param.index()])).collect();
    let args = params.iter().copied().map(Operand::Var).collect();
    editor.body(again).params = params;
    clone_blocks::defines(editor, header, ends);
    let here = clone_blocks::copy_insts(editor, header, args, again, ends);
    let mut end = editor.end(header).clone();
    end.kind.operand_mut().into_iter().for_each(|operand| clone_blocks::put(&here, operand));
    let handed = end.kind.targets_mut().flat_map(|target| &mut target.args);
    handed.for_each(|operand| clone_blocks::put(&here, operand));
    editor.body(again).terminator = Some(end);
    for &latch in latches {
        for target in editor.end_mut(latch).kind.targets_mut().filter(|target| target.block == header) {
            target.block = again;
        }
    }
}

/// Puts a block of its own between a header and the block in its loop that others go to, too: it becomes the header.
fn split(editor: &mut FuncEditor<'_>, header: Block, first: Block) {
    let between = editor.new_block(None);
    let params: Vec<Var> = editor.func.block(first).params.clone();
    let params: Vec<Var> =
        params.into_iter().map(|param| editor.new_var_like(editor.func.vars[param.index()])).collect();
    let args = params.iter().copied().map(Operand::Var).collect();
    let span = editor.end(header).span;
    editor.body(between).params = params;
    editor.body(between).terminator = Some(br(first, args, span));
    let mut targets = editor.end_mut(header).kind.targets_mut();
    let target: Option<&mut Target> = targets.find(|target| target.block == first);
    target.expect("the header goes there").block = between;
}
