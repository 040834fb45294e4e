//! Loop-invariant code motion: what a loop computes the same each time is computed before it.
//!
//! ```text
//!   br ^loop(0)                                    %k: f64 = sin %x
//! ^loop(%i: i64):                                  br ^loop(0)
//!   %k: f64 = sin %x                       →     ^loop(%i: i64):
//!   …                                              …
//! ```
//!
//! - What may fail moves only from the front of the loop's header, where it happens in any case and before anything
//!   else does.
//! - What is read of an array moves from anywhere, if the index is known to be in bounds before the loop.
//! - Arrays and other composites are made where they were: an owner outside of the loop would make changing them in
//!   place a copy.

use overdub_context::analysis::{Loop, LoopId};
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, Ty, Var};
use overdub_context::ops;

use crate::support::array_bounds::Proofs;
use crate::support::effects::has_effect;
use crate::support::effects::may_share;
use crate::support::func_editor::FuncEditor;
use crate::support::loops::preheader;
use crate::support::scope::Scope;

/// Moves invariant code out of loops, the inner ones first.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let analyses = editor.cfg_analyses();
    let (cfg, nest) = (&analyses.cfg, analyses.loops());
    let mut inside: Vec<Vec<Block>> = vec![Vec::new(); nest.iter().count()];
    if inside.is_empty() {
        return false;
    }
    for &block in cfg.reverse_postorder() {
        let mut around = nest.innermost(block);
        while let Some(LoopId(id)) = around {
            inside[id as usize].push(block);
            around = nest.get(LoopId(id)).parent;
        }
    }
    let mut changed = false;
    let (mut proofs, mut homes) = (None, Homes::of(&editor.func));
    for (this @ LoopId(id), Loop { header, .. }) in nest.iter() {
        let blocks = &inside[id as usize];
        let varies = |homes: &Homes, var: Var| {
            homes.0.get(var.index()).copied().flatten().is_some_and(|block| nest.contains(this, block))
        };
        let moved = take_invariant(editor, *header, blocks, &mut homes, varies, &mut proofs);
        if !moved.is_empty() {
            let before = preheader(editor, cfg, *header, blocks);
            // A block that is made here is before this loop, and in the loop around it.
            let around = nest.get(this).parent.map(|around| nest.get(around).header);
            moved.iter().for_each(|inst| homes.0[inst.result.index()] = around);
            editor.body(before).insts.extend(moved);
            changed = true;
        }
    }
    changed
}

/// The block in which each variable is defined, or another one in the same loop; none for what is in no loop.
struct Homes(Vec<Option<Block>>);

impl Homes {
    fn of(func: &Func) -> Homes {
        let mut homes = vec![None; func.vars.len()];
        for (block, body) in func.iter_blocks() {
            let made = body.insts.iter().map(|inst| inst.result);
            body.params.iter().copied().chain(made).for_each(|var| homes[var.index()] = Some(block));
        }
        Homes(homes)
    }
}

/// Takes what is invariant out of the blocks of a loop, in an order in which it can be computed.
fn take_invariant(
    editor: &mut FuncEditor<'_>,
    header: Block,
    blocks: &[Block],
    homes: &mut Homes,
    varies: impl Fn(&Homes, Var) -> bool,
    proofs: &mut Option<Proofs>,
) -> Vec<Inst> {
    let mut moved = Vec::new();
    // The blocks are in reverse postorder: definitions come before uses.
    for &block in blocks {
        let mut nothing_happened = block == header;
        let mut insts = std::mem::take(&mut editor.body(block).insts);
        moved.extend(insts.extract_if(.., |inst| {
            let invariant = !inst.kind.operands().filter_map(Operand::var).any(|var| varies(homes, var));
            let moves = invariant && is_worth_it(editor, inst);
            if !moves && !nothing_happened {
                return false;
            }
            let effect = has_effect(editor, inst);
            if moves && (!effect || nothing_happened || is_in_bounds(editor, header, inst, proofs)) {
                homes.0[inst.result.index()] = None;
                return true;
            }
            nothing_happened &= !effect;
            false
        }));
        editor.body(block).insts = insts;
    }
    moved
}

/// Whether it reads an element that is there before the loop, too: then it is not checked any more.
fn is_in_bounds(
    editor: &mut FuncEditor<'_>,
    header: Block,
    inst: &mut Inst,
    proofs: &mut Option<Proofs>,
) -> bool {
    let InstKind::Op { op, args } = &mut inst.kind else { return false };
    if **op != ops::GET && **op != ops::GET_UNCHECKED {
        return false;
    }
    let (Some(array), true) = (args[0].var(), editor.ty(&args[1]) == Ty::usize()) else { return false };
    let proofs = proofs.get_or_insert_with(|| Proofs::of(editor));
    let known = proofs.is_less(editor, header, array, &args[1], 0);
    if known {
        *op = &ops::GET_UNCHECKED;
    }
    known
}

fn is_worth_it(editor: &FuncEditor<'_>, inst: &Inst) -> bool {
    match &inst.kind {
        InstKind::Op { op, .. } => **op != ops::BLACK_BOX && may_share(op, editor.func.ty(inst.result)),
        InstKind::Const(_) | InstKind::Call { .. } | InstKind::Overdub { .. } => false,
    }
}
