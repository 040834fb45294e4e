//! Loops that count up to a bound.

use overdub_context::analysis::{Cfg, Defs, Loop, LoopId, LoopNest};
use overdub_context::ir::{Block, Func, InstKind, Operand, TerminatorKind, Ty, Var};
use overdub_context::ops;

/// A loop that is left only when its counter reaches a bound.
pub(crate) struct CountedLoop {
    pub(crate) id: LoopId,
    /// The counter, its first value, and the bound.
    pub(crate) var: Var,
    pub(crate) from: Operand,
    pub(crate) bound: Operand,
    /// Where the loop continues when it is left.
    pub(crate) exit: Block,
}

/// A loop as one that is counted: its counter has no sign, starts at a number, and grows by one while it is less than a bound that does
/// not change; the loop is left by that test alone.
pub(crate) fn counted(
    func: &Func,
    (cfg, loops, defs): (&Cfg, &LoopNest, &Defs),
    id: LoopId,
    of: &Loop,
) -> Option<CountedLoop> {
    let header = of.header;
    if !loops.exits(cfg, id).iter().all(|(from, _)| *from == header) {
        return None;
    }
    let body = func.block(header);
    let Some(TerminatorKind::BrIf { cond, then, otherwise }) = body.terminator.as_ref().map(|end| &end.kind)
    else {
        return None;
    };
    let enters_first = loops.contains(id, then.block);
    if enters_first == loops.contains(id, otherwise.block) {
        return None;
    }
    let InstKind::Op { op, args } = defs.inst(func, cond)? else { return None };
    let (counter, bound) = match (enters_first, *op) {
        (true, op) if *op == ops::LT => (&args[0], &args[1]),
        (true, op) if *op == ops::GT => (&args[1], &args[0]),
        (false, op) if *op == ops::GE => (&args[0], &args[1]),
        (false, op) if *op == ops::LE => (&args[1], &args[0]),
        _ => return None,
    };
    let var = counter.var().filter(|var| func.ty(*var) == Ty::usize())?;
    let at = body.params.iter().position(|param| *param == var)?;
    let is_inside = |var: Var| defs.block(var).is_some_and(|block| loops.contains(id, block));
    if bound.var().is_some_and(is_inside) {
        return None;
    }
    let grows = |next: &Operand| match defs.inst(func, next) {
        Some(InstKind::Op { op, args }) => {
            (**op == ops::ADD || **op == ops::ADD_WRAPPING)
                && args[0].var() == Some(var)
                && constant(&args[1]) == Some(1)
        }
        _ => false,
    };
    let mut from: Option<Operand> = None;
    for &pred in cfg.preds(header) {
        let end = func.block(pred).terminator.as_ref()?;
        for target in end.kind.targets().filter(|target| target.block == header) {
            let arg = &target.args[at];
            let is_next = loops.contains(id, pred) && grows(arg);
            let is_first = !loops.contains(id, pred) && *from.get_or_insert_with(|| arg.clone()) == *arg;
            if !is_next && !is_first {
                return None;
            }
        }
    }
    let exit = if enters_first { otherwise.block } else { then.block };
    Some(CountedLoop { id, var, from: from?, bound: bound.clone(), exit })
}

/// The value of a constant index.
pub(crate) fn constant(operand: &Operand) -> Option<usize> {
    match operand {
        Operand::Const(constant) => constant.value().as_index(),
        Operand::Var(_) => None,
    }
}
