//! Control-flow simplification: folds branches with known targets, skips empty blocks, merges blocks with their only
//! successor.
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
//! - SCFG1 a block parameter with the same value on every incoming edge is replaced by it; of parameters that
//!   are always equal, one is kept.
//! - SCFG2 the entry keeps its parameters, and no branch targets it.

use std::cell::OnceCell;

use hashbrown::HashMap;
use overdub_context::ir::{Block, BlockBody, Operand, Target, TerminatorKind, Var};

use crate::support::branch_target::{known_switch_value, known_target};
use crate::support::redundant_phis;
use crate::support::scope::Scope;
use overdub_context::analysis::{Defs, use_counts};
use overdub_context::edit::FuncEditor;

/// The largest number of empty blocks in a row that a branch skips.
const MAX_EMPTY_BLOCKS: usize = 8;

/// Simplifies the control-flow graph.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let mut changed = false;
    for step in [fold_branches, skip_empty_blocks] {
        if step(editor) {
            editor.clear_unreachable();
            changed = true;
        }
    }
    changed |= redundant_phis::remove(editor);
    changed |= merge(editor);
    editor.apply_replacements();
    changed
}

/// Replaces branches with a known target by `br`.
fn fold_branches(editor: &mut FuncEditor<'_>) -> bool {
    let defs = OnceCell::new();
    let number = |on: &Operand| known_switch_value(editor, defs.get_or_init(|| Defs::of(&editor.func)), on);
    let decided = |(block, body): (Block, &BlockBody)| {
        Some((block, known_target(&body.terminator.as_ref()?.kind, number)?.clone()))
    };
    let found: Vec<(Block, Target)> = editor.func.iter_blocks().filter_map(decided).collect();
    let changed = !found.is_empty();
    for (block, target) in found {
        editor.terminator_mut(block).kind = TerminatorKind::Br(target);
    }
    changed
}

/// Redirects branches to empty blocks to the successors of these blocks.
fn skip_empty_blocks(editor: &mut FuncEditor<'_>) -> bool {
    let mut uses: Option<Vec<u32>> = None;
    let mut changed = false;
    let has_empty_successor = |editor: &FuncEditor<'_>, block| {
        editor.terminator(block).kind.targets().any(|target| is_empty_block(editor, target.block))
    };
    for block in editor.blocks() {
        if !has_empty_successor(editor, block) {
            continue;
        }
        let mut kind = editor.terminator(block).kind.clone();
        let mut is_changed = false;
        for target in kind.targets_mut() {
            // The limit ends a cycle of empty blocks, which is an endless loop of the program.
            for _ in 0..MAX_EMPTY_BLOCKS {
                let Some(next) = successor_target(editor, &mut uses, target) else { break };
                *target = next;
                is_changed = true;
            }
        }
        if is_changed {
            editor.terminator_mut(block).kind = kind;
            changed = true;
        }
    }
    changed
}

/// Whether a block contains only a `br` to another block.
fn is_empty_block(editor: &FuncEditor<'_>, block: Block) -> bool {
    let body = editor.func.block(block);
    let end = body.terminator.as_ref().map(|end| &end.kind);
    body.insts.is_empty()
        && block != Block::ENTRY
        && matches!(end, Some(TerminatorKind::Br(next)) if next.block != block)
}

/// The target of the `br` in an empty block, as seen from a branch to the block. Uses are counted on demand.
fn successor_target(editor: &FuncEditor<'_>, uses: &mut Option<Vec<u32>>, target: &Target) -> Option<Target> {
    let body = editor.func.block(target.block);
    let TerminatorKind::Br(next) = &body.terminator.as_ref()?.kind else { return None };
    if !is_empty_block(editor, target.block) {
        return None;
    }
    // Each use of the parameters must be an argument of that `br`.
    let uses_in_next = |param: Var| next.args.iter().filter(|arg| arg.var() == Some(param)).count() as u32;
    let mut has_other_uses = |param: Var| {
        uses.get_or_insert_with(|| use_counts(&editor.func))[param.index()] != uses_in_next(param)
    };
    if body.params.iter().any(|param| has_other_uses(*param)) {
        return None;
    }
    let args_by_param: HashMap<Var, &Operand> = body.params.iter().copied().zip(&target.args).collect();
    let args = next.args.iter().map(|arg| match arg.var().and_then(|var| args_by_param.get(&var)) {
        Some(&operand) => operand.clone(),
        None => arg.clone(),
    });
    Some(Target { block: next.block, args: args.collect() })
}

/// Merges a block into its only predecessor if it is that predecessor's only successor.
fn merge(editor: &mut FuncEditor<'_>) -> bool {
    let mut edges_in = vec![0_u32; editor.func.blocks.len()];
    for block in editor.blocks() {
        editor.terminator(block).kind.targets().for_each(|target| edges_in[target.block.index()] += 1);
    }
    let mut changed = false;
    for block in editor.blocks() {
        if editor.func.block(block).terminator.is_none() {
            continue;
        }
        while let TerminatorKind::Br(target) = &editor.terminator(block).kind
            && target.block != block
            && target.block != Block::ENTRY
            && edges_in[target.block.index()] == 1
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
