//! Correlated branches: a condition that was decided on the way to a block decides the block's branch, too.
//!
//! ```text
//!   br_if %c, ^join(%a), ^other                  br_if %c, ^then, ^other
//! ^other:                                      ^other:
//!   …                                    →       …
//!   br ^join(%b)                                 br ^otherwise
//! ^join(%x):
//!   br_if %c, ^then, ^otherwise
//! ```

use overdub_context::edit::FuncEditor;
use overdub_context::ir::{Block, Operand, Target, TerminatorKind, Var};

use super::Analyses;

/// The longest block that is cloned, in instructions, as in LLVM: a decided branch is cheap, since it is predicted.
const MAX_BLOCK: usize = 6;

/// The greatest number of dominators in which the decision is looked for.
const MOST: usize = 16;

/// The target that a block branches to if it is entered by this edge, if a decision on the way to the edge tells. `None` if a block
/// on the way is stale, so that the edge above may not dominate it any more.
pub(super) fn target_on_edge(
    editor: &FuncEditor<'_>,
    analyses: &Analyses,
    stale: &[bool],
    (pred, index, target): (Block, usize, &Target),
) -> Option<Option<Target>> {
    let body = editor.func.block(target.block);
    let end = body.terminator.as_ref().map(|end| &end.kind);
    let Some(TerminatorKind::BrIf { cond: Operand::Var(cond), then, otherwise }) = end else {
        return Some(None);
    };
    // A condition that the block itself defines is another one each time.
    if then == otherwise || body.insts.len() > MAX_BLOCK || analyses.defs.block(*cond) == Some(target.block) {
        return Some(None);
    }
    let holds = match decided_by(editor, *cond, pred, |at, _| at == index) {
        Some(holds) => Some(holds),
        None => decided_before(editor, analyses, stale, (*cond, pred))?,
    };
    Some(holds.map(|holds| if holds { then.clone() } else { otherwise.clone() }))
}

/// Whether the condition holds in a block, if a branch on the way to it tells; `None` if a block on the way is stale.
fn decided_before(
    editor: &FuncEditor<'_>,
    analyses: &Analyses,
    stale: &[bool],
    (cond, block): (Var, Block),
) -> Option<Option<bool>> {
    let (mut below, cfg) = (block, &analyses.flow.cfg);
    for _ in 0..MOST {
        let Some(above) = analyses.flow.dominators().idom(below) else { return Some(None) };
        if stale[below.index()] || stale[above.index()] {
            return None;
        }
        // The edge is the only way into the block below.
        if cfg.preds(below) == [above]
            && let Some(holds) = decided_by(editor, cond, above, |_, to| to == below)
        {
            return Some(Some(holds));
        }
        below = above;
    }
    Some(None)
}

/// Whether the condition holds on the edge of a block that `is_edge` tells by its number and its target, if the block branches on it.
fn decided_by(
    editor: &FuncEditor<'_>,
    cond: Var,
    block: Block,
    is_edge: impl Fn(usize, Block) -> bool,
) -> Option<bool> {
    let TerminatorKind::BrIf { cond: Operand::Var(on), then, otherwise } = &editor.terminator(block).kind
    else {
        return None;
    };
    let (holds, does_not) = (is_edge(0, then.block), is_edge(1, otherwise.block));
    (*on == cond && holds != does_not).then_some(holds)
}
