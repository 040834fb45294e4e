//! The annotations whose closures the reverse sweep calls: `replace_gradient` and `checkpoint`.
//!
//! - CALLBACK1 the reverse sweep calls the closure as it was written, with its captures stripped of attachments.
//! - CALLBACK2 a checkpoint runs all of its closure again, whatever it is asked to keep: that changes no derivative.

use std::sync::Arc;

use overdub_context::engine::{CallSite, Lifted};
use overdub_context::ir::{Func, FuncBuilder, Operand, Ty, TyKind};
use overdub_context::ops::{Arity, Effects, OpCx, OpDef, OperandTys, TypeFault};
use overdub_context::value::{Closure, Code, Value};
use overdub_context::{Failure, FailureKind, Symbol};

use super::apply::Mode;
use super::table::{empty_rule, number_of};
use crate::annotations::{CHECKPOINT_SAVING, REPLACE_GRADIENT, is_annotation};
use crate::flatten::{self, floats, with_floats};
use crate::wengert_list::{Recorder, record_block, recorder};

type OwnedValue = Value<'static>;

/// `replace_gradient`: the number of its site, the value, the closure.
pub(crate) static REPLACED: OpDef = OpDef {
    name: "ad.replace",
    arity: Arity::Exactly(3),
    ty: declared,
    effects: Effects::CALLS,
    eval: |_, args| Ok(args.get_mut(1).map_or(Value::Unit, Value::take)),
    doc: "A value whose cotangent is passed through a closure.",
};

/// `checkpoint`: the number of its site, the closure, the argument.
pub(crate) static CHECKPOINTED: OpDef = OpDef {
    name: "ad.checkpoint",
    arity: Arity::Exactly(3),
    ty: declared,
    effects: Effects::CALLS,
    eval: |cx, args| {
        let arg = args[2].take();
        cx.machine.call(&args[1], vec![arg])
    },
    doc: "A call of a closure that is not recorded.",
};

static REPLACED_BACKWARD: OpDef = OpDef {
    name: "ad.replace.backward",
    arity: Arity::Exactly(3),
    ty: declared,
    effects: Effects::CALLS,
    eval: replaced,
    doc: "A value with tape entries whose cotangent is passed through a closure.",
};

static CHECKPOINTED_BACKWARD: OpDef = OpDef {
    name: "ad.checkpoint.backward",
    arity: Arity::Exactly(3),
    ty: declared,
    effects: Effects::CALLS,
    eval: checkpointed,
    doc: "A call of a closure that the reverse sweep repeats.",
};

fn declared(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    tys.declared.ok_or_else(|| TypeFault::takes("the number of a site and two values, the result declared"))
}

/// The replacement of a call of either annotation; `None` if the call's type does not name the closure.
pub(super) fn annotation_func(func: Symbol, params: &[Ty], ret: Ty) -> Option<Arc<Func>> {
    let op = if is_annotation(func, REPLACE_GRADIENT) { &REPLACED } else { &CHECKPOINTED };
    // CALLBACK2
    let takes_names = params.len() == 3 && is_annotation(func, CHECKPOINT_SAVING);
    if params.len() != 2 && !takes_names || !params.iter().any(|ty| matches!(ty.kind(), TyKind::Closure(_))) {
        return None;
    }
    let number = number_of(func, params, ret, &empty_rule());
    let mut build = FuncBuilder::new(Symbol::new(&format!("{}.{number}", op.name)), ret);
    let params: Vec<Operand> = params.iter().map(|ty| build.param("arg", *ty).into()).collect();
    let args: Vec<Operand> = [Operand::from(number)].into_iter().chain(params.into_iter().take(2)).collect();
    let result = build.op_as(op, args, ret).ok()?;
    build.ret(result).ok()?;
    build.finish().ok().map(Arc::new)
}

/// How a mode lifts one of the operations.
pub(crate) fn lifted(op: &'static OpDef, _: &CallSite, mode: Mode) -> Lifted {
    match mode {
        Mode::Backward if *op == REPLACED => Lifted::Op(&REPLACED_BACKWARD),
        Mode::Backward => Lifted::Op(&CHECKPOINTED_BACKWARD),
        Mode::Forward => Lifted::Refused {
            reason: "nothing comes back in forward mode, so `replace_gradient` has no meaning".to_owned(),
            help: Some("take the gradient in reverse mode, without forward mode inside".to_owned()),
        },
    }
}

/// Whether an operation belongs to a reverse sweep, which is not differentiated again.
pub(crate) fn is_reverse_op(op: &'static OpDef) -> bool {
    *op == REPLACED_BACKWARD || *op == CHECKPOINTED_BACKWARD
}

/// The code of a closure, and its captures without attachments (CALLBACK1).
fn written(closure: &Value<'_>, ty: Ty) -> Result<(Symbol, Vec<OwnedValue>), Failure> {
    let (Value::Closure(closure), TyKind::Closure(of)) = (closure, ty.kind()) else {
        return Err(Failure::new(FailureKind::Type, format!("a closure was expected, found {closure:?}")));
    };
    let captures = closure.captures.iter().zip(&of.captures);
    let captures = captures.map(|(part, ty)| flatten::without_attachments(part.clone().into_owned(), *ty));
    Ok((of.code, captures.collect::<Result<_, _>>()?))
}

fn steps_of(value: &Value<'_>, ty: Ty, steps: &mut Vec<u32>) {
    flatten::each_attachment(value, ty, &mut |step| {
        steps.push(step.as_index().and_then(|step| u32::try_from(step).ok()).unwrap_or(0));
    });
}

/// The result with tape entries of its own, numbered from `first`; constants if that is 0.
fn numbered<'a>(y: OwnedValue, ret: Ty, first: u32) -> Result<Value<'a>, Failure> {
    let mut at = 0;
    flatten::lift(y, ret, &mut |x, ty| {
        let step = if first == 0 { 0 } else { i64::from(first) + at };
        at += 1;
        Ok(crate::float_pair::pair_value(ty, x, Value::from(step)))
    })
}

fn replaced<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let site = super::table::site_at(&args[0])?;
    let mut steps = Vec::new();
    steps_of(&args[1], site.params[0], &mut steps);
    let y = flatten::without_attachments(args[1].clone().into_owned(), site.params[0])?;
    let (code, captures) = written(&args[2], site.params[1])?;
    let closure = Value::Closure(Arc::new(Closure { code: Code::Func(code), captures: captures.into() }));
    let (engine, shape) = (recorder()?.engine, y.clone());
    let pullback = Arc::new(move |cotangents: &[f64]| {
        let dy = with_floats(&shape, &mut cotangents.iter().copied())?;
        Ok(floats(&engine.call(&closure, vec![dy])?))
    });
    let first = record_block(steps, floats(&y).len(), pullback)?;
    numbered(y, cx.ret, first)
}

fn checkpointed<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let site = super::table::site_at(&args[0])?;
    let TyKind::Closure(of) = site.params[0].kind() else {
        return Err(Failure::new(FailureKind::Type, "a checkpoint takes a closure first"));
    };
    let mut steps = Vec::new();
    if let Value::Closure(closure) = &args[1] {
        for (part, ty) in closure.captures.iter().zip(&of.captures) {
            steps_of(part, *ty, &mut steps);
        }
    }
    steps_of(&args[2], site.params[1], &mut steps);
    let (code, mut all) = written(&args[1], site.params[0])?;
    all.push(flatten::without_attachments(args[2].clone().into_owned(), site.params[1])?);
    let Recorder { engine, pull } = recorder()?;
    let y = engine.run(code, all.clone())?;
    let pullback = Arc::new(move |cotangents: &[f64]| pull(&engine, code, all.clone(), cotangents));
    let first = record_block(steps, floats(&y).len(), pullback)?;
    numbered(y, cx.ret, first)
}
