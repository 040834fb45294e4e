//! Exit values: what a counter is after its loop is the bound of the loop (LLVM: `indvars` rewrites loop exit values).
//!
//! ```text
//! let mut i = 0;                           for i in 0..n {
//! while i < n {                                …
//!     …                              →     }
//!     i += 1;
//! }
//! for j in (0..i).rev() {                  for j in (0..n).rev() {
//! ```
//!
//! - EXITS1 the counter has no sign, starts at zero and grows by one while it is less than a bound that does not change, and the loop
//!   is left by that test alone.

use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, Defs, Dominators, Loop, LoopId, LoopNest};
use overdub_context::ir::{Block, Func, InstKind, Operand, TerminatorKind, Ty, Var};
use overdub_context::ops;

/// The function in which nothing uses the counter of such a loop after the loop.
pub(crate) fn with_exit_values(mut func: Func) -> Func {
    let cfg = Cfg::new(&func);
    let loops = LoopNest::new(&cfg, &Dominators::new(&cfg));
    let defs = Defs::of(&func);
    let bounds: HashMap<Var, (LoopId, Operand)> =
        loops.iter().flat_map(|(id, of)| counters(&func, (&cfg, &loops, &defs), id, of)).collect();
    if bounds.is_empty() {
        return func;
    }
    // The value that a use in a block has.
    let after = |operand: &mut Operand, block: Block| {
        while let Some((id, bound)) = operand.var().and_then(|var| bounds.get(&var))
            && !loops.contains(*id, block)
        {
            *operand = bound.clone();
        }
    };
    for (number, body) in func.blocks.iter_mut().enumerate() {
        let block = Block(number as u32);
        let operands = body.insts.iter_mut().flat_map(|inst| inst.kind.operands_mut());
        operands.for_each(|operand| after(operand, block));
        let Some(terminator) = &mut body.terminator else { continue };
        terminator.kind.operand_mut().into_iter().for_each(|operand| after(operand, block));
        for target in terminator.kind.targets_mut() {
            // An argument of the branch that leaves a loop is used after it.
            let to = target.block;
            target.args.iter_mut().for_each(|operand| after(operand, to));
        }
    }
    func
}

/// The counters of a loop, with their bounds (EXITS1).
fn counters(
    func: &Func,
    (cfg, loops, defs): (&Cfg, &LoopNest, &Defs),
    id: LoopId,
    of: &Loop,
) -> Vec<(Var, (LoopId, Operand))> {
    let header = of.header;
    if !loops.exits(cfg, id).iter().all(|(from, _)| *from == header) {
        return Vec::new();
    }
    let body = func.block(header);
    let Some(TerminatorKind::BrIf { cond, then, otherwise }) = body.terminator.as_ref().map(|end| &end.kind)
    else {
        return Vec::new();
    };
    let enters_first = loops.contains(id, then.block);
    if enters_first == loops.contains(id, otherwise.block) {
        return Vec::new();
    }
    let Some(InstKind::Op { op, args }) = defs.inst(func, cond) else { return Vec::new() };
    let (counter, bound) = match (enters_first, *op) {
        (true, op) if *op == ops::LT => (&args[0], &args[1]),
        (true, op) if *op == ops::GT => (&args[1], &args[0]),
        (false, op) if *op == ops::GE => (&args[0], &args[1]),
        (false, op) if *op == ops::LE => (&args[1], &args[0]),
        _ => return Vec::new(),
    };
    let Some(var) = counter.var().filter(|var| func.ty(*var) == Ty::usize()) else { return Vec::new() };
    let Some(at) = body.params.iter().position(|param| *param == var) else { return Vec::new() };
    let is_inside = |var: Var| defs.block(var).is_some_and(|block| loops.contains(id, block));
    if bound.var().is_some_and(is_inside) {
        return Vec::new();
    }
    let grows = |next: &Operand| match defs.inst(func, next) {
        Some(InstKind::Op { op, args }) => {
            (**op == ops::ADD || **op == ops::ADD_WRAPPING)
                && args[0].var() == Some(var)
                && constant(&args[1]) == Some(1)
        }
        _ => false,
    };
    let is_counted = cfg.preds(header).iter().all(|&pred| {
        let Some(end) = &func.block(pred).terminator else { return false };
        let mut args =
            end.kind.targets().filter(|target| target.block == header).map(|target| &target.args[at]);
        args.all(|arg| if loops.contains(id, pred) { grows(arg) } else { constant(arg) == Some(0) })
    });
    if is_counted { vec![(var, (id, bound.clone()))] } else { Vec::new() }
}

fn constant(operand: &Operand) -> Option<usize> {
    match operand {
        Operand::Const(constant) => constant.value().as_index(),
        Operand::Var(_) => None,
    }
}
