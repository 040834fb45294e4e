//! Branches that need not be: decided ones, ones to where nothing happens, blocks that only follow one another.
//!
//! ```text
//!   br_if true, ^a, ^b                             %1: f64 = sin %x
//! ^a:                                     →        ret %1
//!   br ^c(%x)
//! ^b:
//!   br ^c(0.0)
//! ^c(%y: f64):
//!   %1: f64 = sin %y
//!   ret %1
//! ```
//!
//! - A block parameter that is the same on every way in stands for that; of two that are always equal, one stays.
//! - The entry keeps its parameters, and nothing branches to it.

use std::cell::OnceCell;

use hashbrown::HashMap;
use overdub_context::ir::{Block, BlockBody, Operand, Target, TerminatorKind, Var};

use crate::support::branch_target::{decided, switch_number};
use crate::support::func_editor::{self, Defs, FuncEditor};
use crate::support::redundant_phis;
use crate::support::scope::Scope;

/// Simplifies branches.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let mut changed = false;
    for step in [decide, forward] {
        if step(editor) {
            editor.prune();
            changed = true;
        }
    }
    changed |= redundant_phis::same(editor);
    changed |= merge(editor);
    editor.carry_out();
    changed
}

fn decide(editor: &mut FuncEditor<'_>) -> bool {
    let defs = OnceCell::new();
    let number = |on: &Operand| switch_number(editor, defs.get_or_init(|| Defs::of(&editor.func)), on);
    let decided = |(block, body): (Block, &BlockBody)| {
        Some((block, decided(&body.terminator.as_ref()?.kind, number)?.clone()))
    };
    let found: Vec<(Block, Target)> = editor.func.iter_blocks().filter_map(decided).collect();
    let changed = !found.is_empty();
    for (block, target) in found {
        editor.end_mut(block).kind = TerminatorKind::Br(target);
    }
    changed
}

/// Branches to a block that only goes on to another one go there at once.
fn forward(editor: &mut FuncEditor<'_>) -> bool {
    let mut uses: Option<Vec<u32>> = None;
    let mut changed = false;
    let goes_on = |editor: &FuncEditor<'_>, block| {
        editor.end(block).kind.targets().any(|target| goes_on(editor, target.block))
    };
    for block in editor.blocks() {
        if !goes_on(editor, block) {
            continue;
        }
        let mut kind = editor.end(block).kind.clone();
        let mut forwarded = false;
        for target in kind.targets_mut() {
            // A circle of blocks that do nothing is a program that hangs: so many steps are enough for all others.
            for _ in 0..8 {
                let Some(next) = beyond(editor, &mut uses, target) else { break };
                *target = next;
                forwarded = true;
            }
        }
        if forwarded {
            editor.end_mut(block).kind = kind;
            changed = true;
        }
    }
    changed
}

/// Whether a block only goes on to another one.
fn goes_on(editor: &FuncEditor<'_>, block: Block) -> bool {
    let body = editor.func.block(block);
    let end = body.terminator.as_ref().map(|end| &end.kind);
    body.insts.is_empty()
        && block != Block::ENTRY
        && matches!(end, Some(TerminatorKind::Br(next)) if next.block != block)
}

/// Where a block that only goes on leads; the uses of variables are counted where they are asked for.
fn beyond(editor: &FuncEditor<'_>, uses: &mut Option<Vec<u32>>, target: &Target) -> Option<Target> {
    let body = editor.func.block(target.block);
    let TerminatorKind::Br(next) = &body.terminator.as_ref()?.kind else { return None };
    if !goes_on(editor, target.block) {
        return None;
    }
    // What it is handed may be used only to be handed on.
    let used_here = |param: Var| next.args.iter().filter(|arg| arg.var() == Some(param)).count() as u32;
    let mut is_used_elsewhere = |param: Var| {
        uses.get_or_insert_with(|| func_editor::uses(&editor.func))[param.index()] != used_here(param)
    };
    if body.params.iter().any(|param| is_used_elsewhere(*param)) {
        return None;
    }
    let handed: HashMap<Var, &Operand> = body.params.iter().copied().zip(&target.args).collect();
    let args = next.args.iter().map(|arg| match arg.var().and_then(|var| handed.get(&var)) {
        Some(&operand) => operand.clone(),
        None => arg.clone(),
    });
    Some(Target { block: next.block, args: args.collect() })
}

/// A block that is the only one to go to another one, and goes nowhere else, takes it in.
fn merge(editor: &mut FuncEditor<'_>) -> bool {
    let mut ways_in = vec![0_u32; editor.func.blocks.len()];
    for block in editor.blocks() {
        editor.end(block).kind.targets().for_each(|target| ways_in[target.block.index()] += 1);
    }
    let mut changed = false;
    for block in editor.blocks() {
        if editor.func.block(block).terminator.is_none() {
            continue;
        }
        while let TerminatorKind::Br(target) = &editor.end(block).kind
            && target.block != block
            && target.block != Block::ENTRY
            && ways_in[target.block.index()] == 1
        {
            let target = target.clone();
            let next = editor.body(target.block);
            let params = std::mem::take(&mut next.params);
            let insts = std::mem::take(&mut next.insts);
            let terminator = next.terminator.take();
            for (param, arg) in params.into_iter().zip(target.args) {
                editor.replace(param, arg);
            }
            let body = editor.body(block);
            body.insts.extend(insts);
            body.terminator = terminator;
            changed = true;
        }
    }
    changed
}
