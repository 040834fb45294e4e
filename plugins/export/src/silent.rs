//! Functions without the text of their failures, for devices that only say which element fails.
//!
//! - SILENT1 a call returns if and only if it returned before, and then the same. Where it does not return, it fails as soon as
//!   that is certain, though it may have failed later, for another reason, or never have ended.

use overdub_context::analysis::Cfg;
use overdub_context::ir::{Block, Func, Inst, Operand, Terminator, TerminatorKind, Ty};

/// The function, in which blocks from which no path returns fail at once, without a message.
pub(crate) fn silent(mut func: Func) -> Func {
    let doomed = doomed(&func);
    for (body, is_doomed) in func.blocks.iter_mut().zip(doomed) {
        if is_doomed {
            let span = body.terminator.as_ref().map_or(func.span, |terminator| terminator.span);
            body.insts.clear();
            body.terminator = Some(Terminator { kind: TerminatorKind::Fail(Operand::from("")), span });
        }
    }
    func
}

/// The blocks from which no path returns.
fn doomed(func: &Func) -> Vec<bool> {
    let cfg = Cfg::new(func);
    let ends = |inst: &Inst| func.ty(inst.result) == Ty::never();
    let fails: Vec<bool> = func.blocks.iter().map(|body| body.insts.iter().any(ends)).collect();
    let returns = |block: &Block| {
        let end = func.blocks[block.index()].terminator.as_ref().map(|end| &end.kind);
        matches!(end, Some(TerminatorKind::Ret(_)))
    };
    let mut waiting: Vec<Block> = (0..fails.len()).map(|at| Block(at as u32)).filter(returns).collect();
    let mut doomed = vec![true; fails.len()];
    while let Some(block) = waiting.pop() {
        if doomed[block.index()] && !fails[block.index()] {
            doomed[block.index()] = false;
            waiting.extend(cfg.preds(block));
        }
    }
    doomed
}
