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
//! If it starts at another number than zero, it is the larger one of that and the bound. A counter that is reduced while it is positive is
//! zero after its loop.
//!
//! - EXITS1 the loop is counted, and left by the test of its counter alone.
//! - EXITS2 the larger one is computed on the edge by which the loop is left.

use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, Defs, Dominators, LoopId, LoopNest};
use overdub_context::ir::{
    Block, Func, Inst, InstKind, Operand, Target, Terminator, TerminatorKind, Ty, Var,
};
use overdub_context::ops;

use overdub_context::edit::FuncEditor;

use crate::support::counted_loop::{CountedLoop, constant, counted, counted_down};
use crate::support::named::{new_block, new_var};
use crate::support::scope::Scope;

/// Replaces the uses of counters after their loops.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let Some(func) = with_exit_values(editor.func.clone()) else { return false };
    editor.func = func;
    editor.analyses = None;
    true
}

/// The function in which nothing uses the counter of such a loop after the loop; none if there is no such loop.
fn with_exit_values(mut func: Func) -> Option<Func> {
    let cfg = Cfg::new(&func);
    let loops = LoopNest::new(&cfg, &Dominators::new(&cfg));
    let defs = Defs::of(&func);
    let counters: Vec<CountedLoop> =
        loops.iter().filter_map(|(id, of)| counted(&func, (&cfg, &loops, &defs), id, of)).collect();
    let down: Vec<(LoopId, Var)> = loops
        .iter()
        .filter_map(|(id, of)| Some((id, counted_down(&func, (&cfg, &loops, &defs), id, of)?)))
        .collect();
    let mut bounds: HashMap<Var, (LoopId, Operand)> = HashMap::new();
    // The blocks on edges are after all others.
    let (count, mut edges) = (func.blocks.len(), Vec::new());
    for counter in counters {
        let value = match constant(&counter.from) {
            Some(0) => Some(counter.bound.clone()),
            _ => larger(&mut func, &loops, &counter).inspect(|_| {
                edges.push((loops.get(counter.id).header, counter.exit));
            }),
        };
        bounds.extend(value.map(|value| (counter.var, (counter.id, value))));
    }
    bounds.extend(down.into_iter().map(|(id, var)| (var, (id, Operand::from(0_usize)))));
    if bounds.is_empty() {
        return None;
    }
    let is_inside = |id: LoopId, block: Block| match block.index().checked_sub(count) {
        None => loops.contains(id, block),
        Some(edge) => loops.contains(id, edges[edge].0) && loops.contains(id, edges[edge].1),
    };
    // The value that a use in a block has.
    let after = |operand: &mut Operand, block: Block| {
        while let Some((id, bound)) = operand.var().and_then(|var| bounds.get(&var))
            && !is_inside(*id, block)
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
    Some(func)
}

/// The larger one of the first number and the bound, computed where the loop is left (EXITS2); none if nothing after the loop uses it.
fn larger(func: &mut Func, loops: &LoopNest, counter: &CountedLoop) -> Option<Operand> {
    let header = loops.get(counter.id).header;
    let is_counter = |operand: &Operand| operand.var() == Some(counter.var);
    let is_used = func.iter_blocks().any(|(block, body)| {
        let insts = body.insts.iter().flat_map(|inst| inst.kind.operands());
        let ends = body.terminator.iter().flat_map(|end| end.kind.operands());
        !loops.contains(counter.id, block) && insts.chain(ends).any(is_counter)
    });
    let end = func.block(header).terminator.as_ref()?;
    let (span, exit) = (end.span, end.kind.targets().find(|target| target.block == counter.exit)?.clone());
    if !is_used && !exit.args.iter().any(is_counter) {
        return None;
    }
    let (from, bound) = (counter.from.clone(), counter.bound.clone());
    let (is_less, larger) = (new_var(func, Ty::bool(), "exit"), new_var(func, Ty::usize(), "exit"));
    let less = InstKind::Op { op: &ops::LT, args: vec![from.clone(), bound.clone()] };
    let select = InstKind::Op { op: &ops::SELECT, args: vec![is_less.into(), bound, from] };
    let block = new_block(func, Vec::new(), "exit");
    let body = func.block_mut(block);
    body.insts.extend([(is_less, less), (larger, select)].map(|(result, kind)| Inst { result, kind, span }));
    body.terminator = Some(Terminator { kind: TerminatorKind::Br(exit), span });
    let end = func.block_mut(header).terminator.as_mut()?;
    for target in end.kind.targets_mut().filter(|target| target.block == counter.exit) {
        *target = Target { block, args: Vec::new() };
    }
    Some(larger.into())
}
