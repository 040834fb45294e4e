//! Loop-invariant code motion: moves computations that do not change in a loop to its preheader.
//!
//! ```text
//!   br ^loop(0)                                    %k: f64 = sin %x
//! ^loop(%i: i64):                                  br ^loop(0)
//!   %k: f64 = sin %x                       →     ^loop(%i: i64):
//!   …                                              …
//! ```
//!
//! - LICM1 an instruction that may fail moves only from the start of the loop's header, where it is executed
//!   in any case and before any other effect.
//! - LICM2 a read of an array element moves from anywhere if its index is known to be in bounds before the loop.
//! - LICM3 arrays and other composites are not moved: an owner outside the loop would turn an update in place into a
//!   copy.

use overdub_context::analysis::{Loop, LoopId};
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, Ty, Var};
use overdub_context::ops;

use crate::support::array_bounds::BoundsProofs;
use crate::support::effects::has_effect;
use crate::support::effects::may_share;
use crate::support::loops::preheader;
use crate::support::scope::Scope;
use overdub_context::edit::FuncEditor;

/// Moves invariant code out of loops, inner loops first.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let analyses = editor.cfg_analyses();
    let (cfg, nest) = (&analyses.cfg, analyses.loops());
    let mut blocks_of: Vec<Vec<Block>> = vec![Vec::new(); nest.iter().count()];
    if blocks_of.is_empty() {
        return false;
    }
    for &block in cfg.reverse_postorder() {
        let mut current_loop = nest.innermost(block);
        while let Some(LoopId(id)) = current_loop {
            blocks_of[id as usize].push(block);
            current_loop = nest.get(LoopId(id)).parent;
        }
    }
    let mut changed = false;
    let (mut proofs, mut def_blocks) = (None, DefBlocks::of(&editor.func));
    for (this @ LoopId(id), Loop { header, .. }) in nest.iter() {
        let blocks = &blocks_of[id as usize];
        let varies = |def_blocks: &DefBlocks, var: Var| {
            def_blocks.0.get(var.index()).copied().flatten().is_some_and(|block| nest.contains(this, block))
        };
        let moved = remove_invariant(editor, *header, blocks, &mut def_blocks, varies, &mut proofs);
        if !moved.is_empty() {
            let preheader = preheader(editor, cfg, *header, blocks);
            // A new preheader is outside this loop, but inside the enclosing loop.
            let parent_header = nest.get(this).parent.map(|parent| nest.get(parent).header);
            moved.iter().for_each(|inst| def_blocks.0[inst.result.index()] = parent_header);
            editor.body(preheader).insts.extend(moved);
            changed = true;
        }
    }
    changed
}

/// For each variable, the block that defines it, or another block of the same loop; none outside of loops.
struct DefBlocks(Vec<Option<Block>>);

impl DefBlocks {
    fn of(func: &Func) -> DefBlocks {
        let mut def_blocks = vec![None; func.vars.len()];
        for (block, body) in func.iter_blocks() {
            let results = body.insts.iter().map(|inst| inst.result);
            body.params.iter().copied().chain(results).for_each(|var| def_blocks[var.index()] = Some(block));
        }
        DefBlocks(def_blocks)
    }
}

/// Removes the invariant instructions from the blocks of a loop; returns them in an order in which they can be executed.
fn remove_invariant(
    editor: &mut FuncEditor<'_>,
    header: Block,
    blocks: &[Block],
    def_blocks: &mut DefBlocks,
    varies: impl Fn(&DefBlocks, Var) -> bool,
    proofs: &mut Option<BoundsProofs>,
) -> Vec<Inst> {
    let mut moved = Vec::new();
    // The blocks are in reverse postorder: definitions come before uses.
    for &block in blocks {
        let mut is_before_effects = block == header;
        let mut insts = std::mem::take(&mut editor.body(block).insts);
        moved.extend(insts.extract_if(.., |inst| {
            let invariant = !inst.kind.operands().filter_map(Operand::var).any(|var| varies(def_blocks, var));
            let moves = invariant && is_movable(editor, inst);
            if !moves && !is_before_effects {
                return false;
            }
            let effect = has_effect(editor, inst);
            if moves && (!effect || is_before_effects || make_unchecked(editor, header, inst, proofs)) {
                def_blocks.0[inst.result.index()] = None;
                return true;
            }
            is_before_effects &= !effect;
            false
        }));
        editor.body(block).insts = insts;
    }
    moved
}

/// Whether an instruction reads an element that is in bounds before the loop (LICM2); it then becomes an unchecked read.
fn make_unchecked(
    editor: &mut FuncEditor<'_>,
    header: Block,
    inst: &mut Inst,
    proofs: &mut Option<BoundsProofs>,
) -> bool {
    let InstKind::Op { op, args } = &mut inst.kind else { return false };
    if **op != ops::GET && **op != ops::GET_UNCHECKED {
        return false;
    }
    let (Some(array), true) = (args[0].var(), editor.ty(&args[1]) == Ty::usize()) else { return false };
    let proofs = proofs.get_or_insert_with(|| BoundsProofs::of(editor));
    let known = proofs.is_less(editor, header, array, &args[1], 0);
    if known {
        *op = &ops::GET_UNCHECKED;
    }
    known
}

/// Whether the operation of an instruction allows it to be moved (LICM3).
fn is_movable(editor: &FuncEditor<'_>, inst: &Inst) -> bool {
    match &inst.kind {
        InstKind::Op { op, .. } => **op != ops::BLACK_BOX && may_share(op, editor.func.ty(inst.result)),
        InstKind::Const(_) | InstKind::Call { .. } | InstKind::Overdub { .. } => false,
    }
}
