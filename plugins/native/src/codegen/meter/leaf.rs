//! Finds where a small function without loops pays for its call: not before it does more than operate on scalars
//! (FUEL1).

use hashbrown::HashSet;
use overdub_context::analysis::{Cfg, Dominators};
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, Ty, TyKind};

/// A function of more instructions pays in its prologue, so a step that its caller pays stands for no more than these.
const MOST_INSTRUCTIONS: usize = 16;

/// The blocks that pay; `None` if the prologue does.
pub(super) fn payers(func: &Func, cfg: &Cfg, dominators: &Dominators) -> Option<HashSet<Block>> {
    let count: usize = func.iter_blocks().map(|(_, body)| body.insts.len() + 1).sum();
    if count > MOST_INSTRUCTIONS {
        return None;
    }
    let is_work = |block: Block| func.block(block).insts.iter().any(|inst| !operates_on_scalars(func, inst));
    let at_work: Vec<Block> =
        cfg.reverse_postorder().iter().copied().filter(|&block| is_work(block)).collect();
    if at_work.contains(&Block::ENTRY) {
        return None;
    }
    let pays_earlier =
        |block: Block| at_work.iter().any(|&other| other != block && dominators.dominates(other, block));
    Some(at_work.iter().copied().filter(|&block| !pays_earlier(block)).collect())
}

/// Whether an instruction is a constant, or an operation that reads scalars and gives one.
fn operates_on_scalars(func: &Func, inst: &Inst) -> bool {
    match &inst.kind {
        InstKind::Const(_) => true,
        InstKind::Op { op, args } => {
            let effects = op.effects;
            let is_scalar_operand = |arg: &Operand| arg.var().is_none_or(|var| is_scalar(func.ty(var)));
            !(effects.reads || effects.writes || effects.allocates)
                && is_scalar(func.ty(inst.result))
                && args.iter().all(is_scalar_operand)
        }
        InstKind::Call { .. } | InstKind::Overdub { .. } => false,
    }
}

fn is_scalar(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Unit | TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_))
}
