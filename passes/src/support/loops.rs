//! Changes to the blocks around a loop.

use overdub_context::analysis::Cfg;
use overdub_context::ir::{Block, Operand, TerminatorKind, Var};

use crate::support::func_editor::{FuncEditor, br};

/// The block before a loop from which it is entered, and which goes nowhere else.
pub(crate) fn preheader(editor: &mut FuncEditor<'_>, cfg: &Cfg, header: Block, blocks: &[Block]) -> Block {
    let outside: Vec<Block> =
        cfg.preds(header).iter().copied().filter(|pred| !blocks.contains(pred)).collect();
    if let [only] = outside.as_slice()
        && matches!(editor.end(*only).kind, TerminatorKind::Br(_))
    {
        return *only;
    }
    let before = editor.new_block(None);
    let params: Vec<Var> = editor.func.block(header).params.clone();
    let params: Vec<Var> =
        params.into_iter().map(|param| editor.new_var_like(editor.func.vars[param.index()])).collect();
    let span = editor.end(header).span;
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
        for target in editor.end_mut(pred).kind.targets_mut().filter(|target| target.block == header) {
            target.block = before;
        }
    }
    before
}
