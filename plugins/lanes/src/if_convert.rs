//! If-conversion: both sides of a short branch that only computes run for all lanes, and a selection takes one of the results.
//!
//! ```text
//!   br_if %c, ^a, ^b(%x)                  %y: f64 = mul %x, 2.0
//! ^a:                              →      %z: f64 = select %c, %y, %x
//!   %y: f64 = mul %x, 2.0                 br ^b(%z)
//!   br ^b(%y)
//! ```
//!
//! - IFCONV1 what a side computes cannot fail, has no effect and costs little, so that lanes may compute it in vain.

use overdub_context::analysis::Cfg;
use overdub_context::edit::{FuncEditor, br};
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, Target, TerminatorKind};
use overdub_context::ops::{self, OpDef};
use overdub_passes::{Phase, Pipeline, Scope, in_phase};

use crate::layout::{is_f64, is_scalar};
use crate::program::{Binary, Unary};
use crate::select::{float_binary, float_unary};

/// The most instructions of a side.
const MOST: usize = 8;

/// The function with short branches as selections.
pub(crate) fn if_convert(func: &Func) -> Func {
    let mut editor = FuncEditor::new(func);
    let mut has_changed = false;
    loop {
        let blocks = editor.blocks();
        let converted = blocks.into_iter().any(|block| convert(&mut editor, block).is_some());
        if !converted {
            break;
        }
        has_changed = true;
        editor.clear_unreachable();
    }
    if !has_changed {
        return func.clone();
    }
    Pipeline::once(in_phase(Phase::Cleanup)).run(&editor.finish(), &Scope::none())
}

/// What a side of a branch computes, and what it brings to the block after it.
struct Side {
    insts: Vec<Inst>,
    join: Block,
    args: Vec<Operand>,
}

fn convert(editor: &mut FuncEditor<'_>, block: Block) -> Option<()> {
    let end = editor.body(block).terminator.clone()?;
    let TerminatorKind::BrIf { cond, then, otherwise } = &end.kind else { return None };
    let cfg = editor.cfg_analyses().cfg.clone();
    let mut side = |target: &Target| {
        // Or it goes there at once.
        side(editor, &cfg, (block, target)).unwrap_or_else(|| Side {
            insts: Vec::new(),
            join: target.block,
            args: target.args.clone(),
        })
    };
    let (then, otherwise) = (side(then), side(otherwise));
    if then.join != otherwise.join || then.join == block {
        return None;
    }
    let pairs: Vec<(Operand, Operand)> = then.args.into_iter().zip(otherwise.args).collect();
    if !pairs.iter().all(|(a, b)| a == b || is_scalar(editor.ty(a))) {
        return None;
    }
    let mut insts = then.insts;
    insts.extend(otherwise.insts);
    let mut args = Vec::with_capacity(pairs.len());
    for (a, b) in pairs {
        if a == b {
            args.push(a);
            continue;
        }
        let result = editor.new_var(editor.ty(&a));
        let kind = InstKind::Op { op: &ops::SELECT, args: vec![cond.clone(), a, b] };
        insts.push(Inst { result, kind, span: end.span });
        args.push(result.into());
    }
    let body = editor.body(block);
    body.insts.extend(insts);
    body.terminator = Some(br(then.join, args, end.span));
    Some(())
}

/// The block that a branch goes to, if it is such a side.
fn side(editor: &mut FuncEditor<'_>, cfg: &Cfg, (from, target): (Block, &Target)) -> Option<Side> {
    let is_own = cfg.preds(target.block) == [from] && target.args.is_empty();
    let body = editor.body(target.block).clone();
    let TerminatorKind::Br(next) = &body.terminator.as_ref()?.kind else { return None };
    let is_cheap_inst = |inst: &Inst| match &inst.kind {
        InstKind::Const(_) => true,
        InstKind::Op { op, args } => {
            let are_floats = args.iter().all(|arg| is_f64(editor.ty(arg)));
            are_floats && is_f64(editor.ty(&inst.result.into())) && is_cheap(op)
        }
        InstKind::Call { .. } | InstKind::Overdub { .. } => false,
    };
    let is_side = is_own && body.insts.len() <= MOST && body.insts.iter().all(is_cheap_inst);
    is_side.then(|| Side { insts: body.insts.clone(), join: next.block, args: next.args.clone() })
}

/// Whether an operation on floats cannot fail, and has an instruction (IFCONV1).
fn is_cheap(op: &OpDef) -> bool {
    matches!(float_unary(op), Some(Unary::Neg | Unary::Abs | Unary::Sqrt))
        || float_binary(op).is_some_and(|op| op != Binary::Powf)
        || [&ops::MIN, &ops::MAX, &ops::RECIP].contains(&op)
}
