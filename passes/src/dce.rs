//! Dead code: what nobody reads goes, effects stay.
//!
//! ```text
//! fn @f(%x: f64) -> f64 {                        fn @f(%x: f64) -> f64 {
//!   %1: f64 = sin %x                               %2: unit = print "hi"
//!   %2: unit = print "hi"                          br ^loop(%x)
//!   br ^loop(%x, 0.0)                     →      ^loop(%y: f64):
//! ^loop(%y: f64, %n: f64):                         …
//!   %m: f64 = add %n, 1.0                          br_if %c, ^loop(%z), ^done
//!   …
//!   br_if %c, ^loop(%z, %m), ^done
//! ```
//!
//! - An operation that may fail has an effect: its failure.
//! - A block parameter that is only handed on to itself, by however long a circle, is dead.

use overdub_context::ir::{Block, Inst, InstKind, Operand, Place, Var};
use overdub_context::ops;

use crate::branches::switch_number;
use crate::scope::Scope;
use crate::simplify::int_of;
use crate::work::{Defs, Work};

/// Removes what nobody reads.
pub(crate) fn run(work: &mut Work<'_>, _: &Scope<'_>) -> bool {
    let live = live(work);
    let blocks = work.blocks();
    let lives = |var: &Var| live[var.index()];
    let kept: Vec<Vec<bool>> =
        work.func.blocks.iter().map(|body| body.params.iter().map(lives).collect()).collect();
    let mut changed = false;
    for block in blocks {
        let body = work.body(block);
        let before = (body.insts.len(), body.params.len());
        body.insts.retain(|inst| lives(&inst.result));
        if block != Block::ENTRY {
            body.params.retain(lives);
        }
        changed |= before != (body.insts.len(), body.params.len());
        for target in work.end_mut(block).kind.targets_mut() {
            let mut kept = kept[target.block.index()].iter();
            target.args.retain(|_| kept.next() != Some(&false));
        }
    }
    changed
}

/// Whether an instruction does something besides computing its result.
pub(crate) fn has_effect(work: &Work<'_>, inst: &Inst) -> bool {
    match &inst.kind {
        InstKind::Const(_) => false,
        InstKind::Op { op, args } => {
            let effects = op.effects;
            // Most operations have none on any operand.
            (effects.fails || effects.writes) && {
                let effects = op.effects_on(&work.tys(args));
                effects.fails || effects.writes
            }
        }
        InstKind::Call { .. } | InstKind::Overdub { .. } => true,
    }
}

/// Whether it was proved not to fail, though it may not be moved before the proof.
fn is_proved(work: &Work<'_>, defs: &Defs, inst: &Inst) -> bool {
    match &inst.kind {
        InstKind::Op { op, args } => {
            let of_variant = **op == ops::PAYLOAD || **op == ops::TAKE_PAYLOAD || **op == ops::WITH_PAYLOAD;
            // Of a variant that is known to be the one that is asked for.
            let is_it = || {
                let tag = args.get(1).and_then(int_of);
                tag.is_some() && args.first().and_then(|whole| switch_number(work, defs, whole)) == tag
            };
            **op == ops::GET_UNCHECKED || **op == ops::SET_UNCHECKED || (of_variant && is_it())
        }
        InstKind::Const(_) | InstKind::Call { .. } | InstKind::Overdub { .. } => false,
    }
}

/// The variables that effects, decisions and results depend on.
fn live(work: &Work<'_>) -> Vec<bool> {
    let func = &work.func;
    let defs = Defs::of(func);
    let mut live = vec![false; func.vars.len()];
    let mut pending = Vec::new();
    let mut mark = |operand: &Operand, pending: &mut Vec<Var>| {
        if let Operand::Var(var) = operand
            && !std::mem::replace(&mut live[var.index()], true)
        {
            pending.push(*var);
        }
    };
    // What each block is handed, by the blocks that branch to it.
    let mut handed: Vec<Vec<&[Operand]>> = vec![Vec::new(); func.blocks.len()];
    for body in &func.blocks {
        for inst in body.insts.iter().filter(|inst| has_effect(work, inst) && !is_proved(work, &defs, inst)) {
            mark(&inst.result.into(), &mut pending);
        }
        if let Some(end) = &body.terminator {
            end.kind.operand().into_iter().for_each(|operand| mark(operand, &mut pending));
            for target in end.kind.targets() {
                handed[target.block.index()].push(&target.args);
            }
        }
    }
    while let Some(var) = pending.pop() {
        match defs.place(var) {
            Some(Place::Inst(block, i)) => {
                func.block(block).insts[i].kind.operands().for_each(|operand| mark(operand, &mut pending));
            }
            Some(Place::Block(block)) => {
                let at = func.block(block).params.iter().position(|&param| param == var);
                let args =
                    at.into_iter().flat_map(|at| handed[block.index()].iter().map(move |args| &args[at]));
                args.for_each(|operand| mark(operand, &mut pending));
            }
            Some(Place::Head | Place::Terminator(_)) | None => {}
        }
    }
    live
}
