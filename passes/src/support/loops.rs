//! The preheader of a loop.

use overdub_context::analysis::Cfg;
use overdub_context::ir::{Block, Operand, TerminatorKind};

use overdub_context::edit::{FuncEditor, br};

/// The preheader of a loop: the only predecessor of the header outside the loop, with no other successor. It
/// is inserted if there is none.
pub(crate) fn preheader(editor: &mut FuncEditor<'_>, cfg: &Cfg, header: Block, blocks: &[Block]) -> Block {
    let outside: Vec<Block> =
        cfg.preds(header).iter().copied().filter(|pred| !blocks.contains(pred)).collect();
    if let [only] = outside.as_slice()
        && matches!(editor.terminator(*only).kind, TerminatorKind::Br(_))
    {
        return *only;
    }
    let before = editor.new_block(None);
    let params = editor.new_params_like(header);
    let span = editor.terminator(header).span;
    let args = params.iter().copied().map(Operand::Var).collect();
    *editor.body(before) = overdub_context::ir::BlockBody {
        name: None,
        params,
        insts: Vec::new(),
        terminator: Some(br(header, args, span)),
    };
    for pred in editor.blocks() {
        if pred == before || blocks.contains(&pred) {
            continue;
        }
        for target in editor.terminator_mut(pred).kind.targets_mut().filter(|target| target.block == header) {
            target.block = before;
        }
    }
    before
}
