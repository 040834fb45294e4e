//! Full loop unrolling: a loop of a few rounds, whose number is known, becomes its rounds, one after the other (LLVM:
//! `loop-unroll-full`).
//!
//! ```text
//!   br ^loop(0)                                    br ^loop0(0)
//! ^loop(%i: usize):                              ^loop0(%i: usize):
//!   %c: bool = lt %i, 2                            %c: bool = lt %i, 2
//!   br_if %c, ^body, ^done                         br ^body0
//! ^body:                                         ^body0:
//!   …                                    →         …
//!   %j: usize = add %i, 1                          %j: usize = add %i, 1
//!   br ^loop(%j)                                   br ^loop1(%j)
//! ^done:                                           …
//!                                                ^loop(%i2: usize):
//!                                                  %c2: bool = lt %i2, 2
//!                                                  br ^done
//! ```
//!
//! Then indices are constants, elements of small arrays become scalars, and a gradient needs no tape for the rounds.
//!
//! - UNROLL1 the loop is counted from a constant to a constant, and left by the test of its counter alone.
//! - UNROLL2 it has at most [`MOST_SHORT_ROUNDS`] rounds, or at most [`MOST_ROUNDS`] and an inner loop one of whose bounds is
//!   computed from the counter: loops over triangles. Others stay loops, which compilers of exported code vectorise.
//! - UNROLL3 the bounds of its inner loops are constants, or computed from the counter, so that they become constants.
//! - UNROLL4 all rounds together have at most [`MOST_INSTRUCTIONS`] instructions, and the function grows to
//!   [`MOST_OF_FUNCTION`] at most.

use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, Defs, LoopId, LoopNest};
use overdub_context::edit::{FuncEditor, br};
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, Var};
use overdub_context::ops::{self, OpDef};

use crate::support::clone_blocks::substitute;
use crate::support::counted_loop::{CountedLoop, constant, counted_by_integer};
use crate::support::scope::Scope;

/// The most rounds of a loop without inner loops that depend on its counter.
const MOST_SHORT_ROUNDS: usize = 4;

/// The most rounds of a loop.
const MOST_ROUNDS: usize = 16;

/// The most instructions of all rounds together.
const MOST_INSTRUCTIONS: usize = 160;

/// The most instructions of the function.
const MOST_OF_FUNCTION: usize = 2000;

/// A loop to be unrolled.
struct Unrolled {
    id: LoopId,
    header: Block,
    blocks: Vec<Block>,
    rounds: usize,
}

/// Unrolls innermost loops; what contains them follows when the pass runs again.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let analyses = editor.cfg_analyses();
    let (cfg, nest) = (&analyses.cfg, analyses.loops());
    let found = candidates(editor, cfg, nest);
    found.iter().for_each(|unrolled| unroll(editor, cfg, nest, unrolled));
    !found.is_empty()
}

/// The loops to be unrolled, none of which contains another one.
fn candidates(editor: &FuncEditor<'_>, cfg: &Cfg, nest: &LoopNest) -> Vec<Unrolled> {
    if nest.iter().next().is_none() {
        return Vec::new();
    }
    let func = &editor.func;
    let defs = Defs::of(func);
    let counted = |(id, this)| counted_by_integer(func, (cfg, nest, &defs), id, this);
    let all: Vec<CountedLoop> = nest.iter().filter_map(counted).collect();
    let mut size = editor.size();
    let mut found: Vec<Unrolled> = Vec::new();
    for counted in &all {
        let (id, header) = (counted.id, nest.get(counted.id).header);
        let Some(rounds) = rounds(counted) else { continue };
        let contains = |other: &Unrolled| nest.contains(id, other.header);
        let Some(has_triangle) = has_triangle(func, nest, &defs, counted, &all) else { continue };
        let is_short = rounds <= MOST_SHORT_ROUNDS || has_triangle;
        if header == Block::ENTRY || found.iter().any(contains) || !is_short {
            continue;
        }
        let blocks: Vec<Block> =
            func.iter_blocks().map(|(block, _)| block).filter(|&block| nest.contains(id, block)).collect();
        let grown = rounds * blocks.iter().map(|&block| func.block(block).insts.len()).sum::<usize>();
        if grown <= MOST_INSTRUCTIONS && size + grown <= MOST_OF_FUNCTION {
            size += grown;
            found.push(Unrolled { id, header, blocks, rounds });
        }
    }
    found
}

/// The number of rounds of a loop between constants, if they are few.
fn rounds(counted: &CountedLoop) -> Option<usize> {
    let rounds = constant(&counted.bound)?.saturating_sub(constant(&counted.from)?);
    (rounds <= MOST_ROUNDS).then_some(rounds)
}

/// Whether one of the inner loops has a bound that is computed from the counter; none if one has a bound that does not become a
/// constant (UNROLL3).
fn has_triangle(
    func: &Func,
    nest: &LoopNest,
    defs: &Defs,
    outer: &CountedLoop,
    all: &[CountedLoop],
) -> Option<bool> {
    let is_inner = |id: &LoopId| *id != outer.id && nest.contains(outer.id, nest.get(*id).header);
    let mut found = false;
    for id in nest.iter().map(|(id, _)| id).filter(is_inner) {
        let inner = all.iter().find(|counted| counted.id == id)?;
        for bound in [&inner.from, &inner.bound] {
            let depends = depends(func, defs, bound, outer.var, 4);
            if !depends && constant(bound).is_none() {
                return None;
            }
            found |= depends;
        }
    }
    Some(found)
}

/// Whether a number is a counter, or computed from it and constants in a few steps.
fn depends(func: &Func, defs: &Defs, on: &Operand, counter: Var, steps: usize) -> bool {
    const ARITHMETIC: [&OpDef; 6] =
        [&ops::ADD, &ops::ADD_WRAPPING, &ops::SUB, &ops::SUB_WRAPPING, &ops::MUL, &ops::MUL_WRAPPING];
    if on.var() == Some(counter) {
        return true;
    }
    match defs.inst(func, on) {
        Some(InstKind::Op { op, args }) if steps > 0 && ARITHMETIC.contains(op) => {
            let is_known =
                |arg: &Operand| constant(arg).is_some() || depends(func, defs, arg, counter, steps - 1);
            args.iter().all(is_known) && args.iter().any(|arg| constant(arg).is_none())
        }
        _ => false,
    }
}

/// Puts a copy of the loop before it for each round; of the loop only the last test remains.
fn unroll(editor: &mut FuncEditor<'_>, cfg: &Cfg, nest: &LoopNest, unrolled: &Unrolled) {
    let header = unrolled.header;
    let copies: Vec<HashMap<Block, Block>> = (0..unrolled.rounds)
        .map(|_| unrolled.blocks.iter().map(|&block| (block, editor.new_block(None))).collect())
        .collect();
    let first = copies.first().map_or(header, |copy| copy[&header]);
    for &before in cfg.preds(header).iter().filter(|&&pred| !nest.contains(unrolled.id, pred)) {
        let targets = editor.terminator_mut(before).kind.targets_mut();
        targets.filter(|target| target.block == header).for_each(|target| target.block = first);
    }
    for (round, copy) in copies.iter().enumerate() {
        let next = copies.get(round + 1).map_or(header, |copy| copy[&header]);
        clone_round(editor, unrolled, copy, next);
    }
    let end = editor.terminator(header).clone();
    let last = end.kind.targets().find(|target| !unrolled.blocks.contains(&target.block)).cloned();
    let last = last.expect("the header leaves the loop");
    *editor.terminator_mut(header) = br(last.block, last.args, end.span);
}

/// Clones the blocks of a loop; back edges lead to the block `next`.
fn clone_round(editor: &mut FuncEditor<'_>, unrolled: &Unrolled, copy: &HashMap<Block, Block>, next: Block) {
    let mut values: HashMap<Var, Operand> = HashMap::new();
    for &block in &unrolled.blocks {
        let params = editor.new_params_like(block);
        let body = editor.func.block(block);
        values.extend(body.params.iter().copied().zip(params.iter().copied().map(Operand::Var)));
        let results: Vec<Var> = body.insts.iter().map(|inst| inst.result).collect();
        for result in results {
            let new = editor.new_var_like(editor.func.vars[result.index()]);
            if let Some(from) = editor.inlined_from.get(&result).cloned() {
                editor.inlined_from.insert(new, from);
            }
            values.insert(result, new.into());
        }
        editor.body(copy[&block]).params = params;
    }
    let renamed = |var: Var| values.get(&var).and_then(Operand::var).unwrap_or(var);
    for &block in &unrolled.blocks {
        let mut body = editor.func.block(block).clone();
        for Inst { result, kind, .. } in &mut body.insts {
            *result = renamed(*result);
            kind.operands_mut().for_each(|operand| substitute(&values, operand));
        }
        let mut end = editor.terminator(block).clone();
        if block == unrolled.header {
            let inside = end.kind.targets().find(|target| copy.contains_key(&target.block)).cloned();
            let inside = inside.expect("the header enters the loop");
            end = br(inside.block, inside.args, end.span);
        }
        end.kind.operand_mut().into_iter().for_each(|operand| substitute(&values, operand));
        for target in end.kind.targets_mut() {
            target.args.iter_mut().for_each(|operand| substitute(&values, operand));
            target.block = match copy.get(&target.block) {
                Some(_) if target.block == unrolled.header => next,
                Some(&clone) => clone,
                None => target.block,
            };
        }
        let clone = editor.body(copy[&block]);
        (clone.insts, clone.terminator) = (body.insts, Some(end));
    }
}
