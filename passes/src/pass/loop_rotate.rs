//! Loop rotation: a loop that tests its condition at the top tests it once before the loop, then at the bottom.
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
//! - ROT1 an iteration takes one branch instead of two, and invariant code of the body can move to a place that the
//!   first test guards.
//! - ROT2 a header is rotated only if it has one successor in the loop and at least one outside: otherwise the loop
//!   would get a second entry.
//! - ROT3 a loop with several latches stays: each of them branches to the header directly, and a shared copy of it
//!   would add a branch.
//! - ROT4 rotation loses what the test implies for indices, so bounds check elimination runs before it.

use overdub_context::analysis::{Cfg, LoopId, LoopNest};
use overdub_context::ir::{Block, Operand, Target, TerminatorKind};

use crate::support::clone_blocks::{self, LiveOuts};
use crate::support::scope::Scope;
use overdub_context::edit::{FuncEditor, br};

/// The longest header that is cloned, in instructions.
const MAX_HEADER: usize = 24;

/// Rotates loops.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let analyses = editor.cfg_analyses();
    let (cfg, nest) = (&analyses.cfg, analyses.loops());
    let found: Vec<(LoopId, Block)> =
        nest.iter().filter_map(|(id, _)| Some((id, first_body_block(editor, nest, id)?))).collect();
    if found.is_empty() {
        return false;
    }
    let mut live_outs = LiveOuts::default();
    for &(id, first) in &found {
        let this = nest.get(id);
        rotate(editor, cfg, this.header, &this.latches, first, &mut live_outs);
    }
    clone_blocks::repair_ssa(editor, live_outs);
    true
}

/// The only successor of the header in the loop, if the loop is to be rotated (ROT2, ROT3).
fn first_body_block(editor: &FuncEditor<'_>, nest: &LoopNest, id: LoopId) -> Option<Block> {
    let this = nest.get(id);
    let header = this.header;
    if header == Block::ENTRY || editor.func.block(header).insts.len() > MAX_HEADER {
        return None;
    }
    let tests_at_bottom =
        |&latch: &Block| latch == header || !matches!(editor.terminator(latch).kind, TerminatorKind::Br(_));
    if this.latches.len() > 1 || this.latches.iter().any(tests_at_bottom) {
        return None;
    }
    let mut inside =
        editor.terminator(header).kind.targets().filter(|target| nest.contains(id, target.block));
    let (Some(first), None) = (inside.next(), inside.next()) else { return None };
    (editor.terminator(header).kind.targets().count() > 1).then_some(first.block)
}

/// Clones the header, and lets the latch branch to the clone.
fn rotate(
    editor: &mut FuncEditor<'_>,
    cfg: &Cfg,
    header: Block,
    latches: &[Block],
    first: Block,
    live_outs: &mut LiveOuts,
) {
    if cfg.preds(first).len() > 1 {
        split_edge(editor, header, first);
    }
    let clone = editor.new_block(None);
    let params = editor.new_params_like(header);
    let args = params.iter().copied().map(Operand::Var).collect();
    editor.body(clone).params = params;
    clone_blocks::record_definitions(editor, header, live_outs);
    let cloned_values = clone_blocks::clone_insts(editor, header, args, clone, live_outs);
    let mut end = editor.terminator(header).clone();
    end.kind.operand_mut().into_iter().for_each(|operand| clone_blocks::substitute(&cloned_values, operand));
    let args = end.kind.targets_mut().flat_map(|target| &mut target.args);
    args.for_each(|operand| clone_blocks::substitute(&cloned_values, operand));
    editor.body(clone).terminator = Some(end);
    for &latch in latches {
        for target in editor.terminator_mut(latch).kind.targets_mut().filter(|target| target.block == header)
        {
            target.block = clone;
        }
    }
}

/// Splits the edge from the header to a block of the loop that has other predecessors: the new block becomes
/// the header.
fn split_edge(editor: &mut FuncEditor<'_>, header: Block, first: Block) {
    let between = editor.new_block(None);
    let params = editor.new_params_like(first);
    let args = params.iter().copied().map(Operand::Var).collect();
    let span = editor.terminator(header).span;
    editor.body(between).params = params;
    editor.body(between).terminator = Some(br(first, args, span));
    let mut targets = editor.terminator_mut(header).kind.targets_mut();
    let target: Option<&mut Target> = targets.find(|target| target.block == first);
    target.expect("ROT2: it is a successor of the header").block = between;
}
