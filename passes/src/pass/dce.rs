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

use overdub_context::ir::{Func, Inst, InstKind, Operand, Var};
use overdub_context::ops::{self};

use crate::support::branch_target::switch_number;
use crate::support::consts::int_of;
use crate::support::effects::has_effect;
use crate::support::func_editor::{Defs, FuncEditor};
use crate::support::incoming_args::IncomingArgs;
use crate::support::scope::Scope;

/// Removes what nobody reads.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let live = live(editor);
    let lives = |var: Var| live[var.index()];
    let all =
        |func: &Func| func.blocks.iter().map(|body| body.insts.len() + body.params.len()).sum::<usize>();
    let before = all(&editor.func);
    editor.drop_params(lives);
    for body in &mut editor.func.blocks {
        if body.insts.iter().any(|inst| !lives(inst.result)) {
            body.insts.retain(|inst| lives(inst.result));
        }
    }
    all(&editor.func) != before
}

/// Whether it was proved not to fail, though it may not be moved before the proof.
fn is_proved(editor: &FuncEditor<'_>, defs: &Defs, inst: &Inst) -> bool {
    match &inst.kind {
        InstKind::Op { op, args } => {
            let of_variant = **op == ops::PAYLOAD || **op == ops::TAKE_PAYLOAD || **op == ops::WITH_PAYLOAD;
            // Of a variant that is known to be the one that is asked for.
            let is_it = || {
                let tag = args.get(1).and_then(int_of);
                tag.is_some() && args.first().and_then(|whole| switch_number(editor, defs, whole)) == tag
            };
            **op == ops::GET_UNCHECKED || **op == ops::SET_UNCHECKED || (of_variant && is_it())
        }
        InstKind::Const(_) | InstKind::Call { .. } | InstKind::Overdub { .. } => false,
    }
}

/// The variables that effects, decisions and results depend on.
fn live(editor: &FuncEditor<'_>) -> Vec<bool> {
    let func = &editor.func;
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
    let ways = IncomingArgs::of(func);
    for body in &func.blocks {
        for inst in
            body.insts.iter().filter(|inst| has_effect(editor, inst) && !is_proved(editor, &defs, inst))
        {
            mark(&inst.result.into(), &mut pending);
        }
        let operand = body.terminator.iter().filter_map(|end| end.kind.operand());
        operand.for_each(|operand| mark(operand, &mut pending));
    }
    while let Some(var) = pending.pop() {
        if let Some((block, at)) = defs.param(var) {
            ways.to(block).iter().for_each(|args| mark(&args[at], &mut pending));
        } else if let Some(kind) = defs.inst(func, &var.into()) {
            kind.operands().for_each(|operand| mark(operand, &mut pending));
        }
    }
    live
}
