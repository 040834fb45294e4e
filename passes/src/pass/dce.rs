//! Dead code elimination: removes unused results and block parameters, keeps effects.
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
//! - DCE1 a possible failure is an effect, unless the next instruction is the same operation at the same
//!   source position on the same operands, and so fails likewise: of a vector and its tangent, constructed
//!   one after the other, the vector may be removed.
//! - DCE2 block parameters that only depend on each other are dead, however long the cycle.
//! - DCE3 an array that is as large as another of the same type can be created: `repeat 0.0, %n` is removed
//!   if `%n` is the length of an array of floats.

use overdub_context::ir::{Func, Inst, InstKind, Operand, Ty, Var};
use overdub_context::ops::{self};

use crate::support::branch_target::known_switch_value;
use crate::support::consts::int_of;
use crate::support::effects::has_effect;
use crate::support::incoming_args::IncomingArgs;
use crate::support::scope::Scope;
use overdub_context::analysis::Defs;
use overdub_context::edit::FuncEditor;

/// Removes dead instructions and block parameters.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let live = live(editor);
    let is_live = |var: Var| live[var.index()];
    let size =
        |func: &Func| func.blocks.iter().map(|body| body.insts.len() + body.params.len()).sum::<usize>();
    let before = size(&editor.func);
    editor.retain_params(is_live);
    for body in &mut editor.func.blocks {
        if body.insts.iter().any(|inst| !is_live(inst.result)) {
            body.insts.retain(|inst| is_live(inst.result));
        }
    }
    size(&editor.func) != before
}

/// Whether an instruction was proved not to fail. It may be removed, but not moved above the proof.
fn is_proved(editor: &FuncEditor<'_>, defs: &Defs, inst: &Inst) -> bool {
    match &inst.kind {
        InstKind::Op { op, args } => {
            let of_variant = **op == ops::PAYLOAD || **op == ops::TAKE_PAYLOAD || **op == ops::WITH_PAYLOAD;
            let has_the_tag = || {
                let tag = args.get(1).and_then(int_of);
                tag.is_some()
                    && args.first().and_then(|composite| known_switch_value(editor, defs, composite)) == tag
            };
            **op == ops::GET_UNCHECKED
                || **op == ops::SET_UNCHECKED
                || (of_variant && has_the_tag())
                || (**op == ops::REPEAT && is_as_long_as_another(editor, defs, args))
        }
        InstKind::Const(_) | InstKind::Call { .. } | InstKind::Overdub { .. } => false,
    }
}

/// Whether a created array is as large as one that exists, and so not too large for the memory (DCE3).
fn is_as_long_as_another(editor: &FuncEditor<'_>, defs: &Defs, args: &[Operand]) -> bool {
    let [element, count] = args else { return false };
    let Some(InstKind::Op { op, args }) = defs.inst(&editor.func, count) else { return false };
    let ty = Ty::array(editor.ty(element), 1);
    **op == ops::LEN && args.first().is_some_and(|other| editor.ty(other) == ty)
}

/// Whether the only effect of an instruction is a failure that the next instruction raises, too (DCE1).
fn fails_likewise(editor: &FuncEditor<'_>, inst: &Inst, following: &Inst) -> bool {
    let (InstKind::Op { op, args }, InstKind::Op { op: next, args: others }) = (&inst.kind, &following.kind)
    else {
        return false;
    };
    let ty = |inst: &Inst| editor.ty(&inst.result.into());
    let same = op == next && args == others && inst.span == following.span && ty(inst) == ty(following);
    same && !op.effects.writes && !op.effects.reads
}

/// The variables that effects, branches and returned values depend on, marked by a worklist.
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
    let incoming = IncomingArgs::of(func);
    for body in &func.blocks {
        let mut following: Option<&Inst> = None;
        for inst in body.insts.iter().rev() {
            if !has_effect(editor, inst) || is_proved(editor, &defs, inst) {
                continue;
            }
            if !following.is_some_and(|following| fails_likewise(editor, inst, following)) {
                mark(&inst.result.into(), &mut pending);
            }
            following = Some(inst);
        }
        let operand = body.terminator.iter().filter_map(|end| end.kind.operand());
        operand.for_each(|operand| mark(operand, &mut pending));
    }
    while let Some(var) = pending.pop() {
        if let Some((block, at)) = defs.param(var) {
            incoming.to(block).iter().for_each(|args| mark(&args[at], &mut pending));
        } else if let Some(kind) = defs.inst(func, &var.into()) {
            kind.operands().for_each(|operand| mark(operand, &mut pending));
        }
    }
    live
}
