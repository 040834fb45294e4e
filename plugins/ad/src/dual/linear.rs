//! Dual numbers through linear operations of plugins: the operation is applied to the values, and to the tangents.

use overdub_context::engine::{CallSite, Lifted};
use overdub_context::ir::{FuncBuilder, Operand, Ty, TyKind};
use overdub_context::ops::{Arity, Effects, OpCx, OpDef, OperandTys, TypeFault};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

use crate::flatten::{self, PLAIN};
use crate::float_pair::{is_pair, pair_value};

/// One of the tangents of a value with dual numbers, in the value's plain type: the value, which of them.
static TANGENT: OpDef = OpDef {
    name: "ad.dual.tangent",
    arity: Arity::Exactly(2),
    ty: declared,
    effects: Effects::READS,
    eval: tangent,
    doc: "One of the tangents of a value with dual numbers: the value, the number of the tangent.",
};

/// A value with dual numbers, from a plain value and its tangents in the same type.
static JOINED: OpDef = OpDef {
    name: "ad.dual.joined",
    arity: Arity::AtLeast(2),
    ty: declared,
    effects: Effects::FAILS,
    eval: joined,
    doc: "A value with dual numbers: the plain value, its tangents.",
};

fn declared(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    tys.declared.ok_or_else(|| TypeFault::takes("a value, the result declared"))
}

/// The linear operation on values with `width` tangents.
pub(crate) fn linear(call: &CallSite, op: &'static OpDef, width: usize, lifted: Ty) -> Lifted {
    let (plain, ret) = (call.args.clone(), call.ret);
    Lifted::emit(move |build, operands| {
        let (Some((x, rest)), Some(ty)) = (operands.split_first(), plain.first()) else {
            return build.op_as(op, operands.iter().cloned(), ret).map(Operand::from);
        };
        let apply = |build: &mut FuncBuilder, x: Operand| {
            let all = std::iter::once(x).chain(rest.iter().cloned());
            build.op_as(op, all, ret).map(Operand::from)
        };
        let number = build.op_as(&PLAIN, [x.clone()], *ty)?.into();
        let mut parts = vec![apply(build, number)?];
        for k in (0_i64..).take(width) {
            let dx = build.op_as(&TANGENT, [x.clone(), k.into()], *ty)?.into();
            parts.push(apply(build, dx)?);
        }
        build.op_as(&JOINED, parts, lifted).map(Operand::from)
    })
}

fn tangent<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [x, k] = args else { return Err(misfit()) };
    let k = k.as_index().ok_or_else(misfit)?;
    let mut slopes = Vec::new();
    flatten::each_pair(x, &is_pair, &mut |pair| {
        slopes.push(pair.get(1).map_or(0.0, |carried| part(carried, k)))
    });
    let plain = flatten::without_attachments(x.take(), cx.ret)?;
    // A constant operand is plain: its tangents are zeros.
    flatten::with_floats(&plain, &mut slopes.into_iter().chain(std::iter::repeat(0.0)))
}

/// One of the tangents that a number carries.
fn part(carried: &Value<'_>, k: usize) -> f64 {
    match carried {
        Value::F64(x) => *x,
        Value::F32(x) => f64::from(*x),
        other => other.as_composite().and_then(|all| all.parts.get(k)).map_or(0.0, |dx| part(dx, 0)),
    }
}

fn joined<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [y, slopes @ ..] = args else { return Err(misfit()) };
    let mut slopes: Vec<_> = slopes.iter().map(|dy| flatten::floats(dy).into_iter()).collect();
    flatten::lift(y.take(), cx.ret, &mut |x, ty| {
        let number = |dx: f64| match x {
            Value::F32(_) => Value::F32(dx as f32),
            _ => Value::F64(dx),
        };
        let mut next = slopes.iter_mut().map(|dy| number(dy.next().unwrap_or(0.0)));
        let carried =
            match ty.as_nominal().and_then(|pair| pair.fields()?.get(1).map(|field| field.ty.kind())) {
                Some(TyKind::Tuple(_)) => Value::tuple(next),
                _ => next.next().unwrap_or(Value::Unit),
            };
        Ok(pair_value(ty, x, carried))
    })
}

#[cold]
fn misfit() -> Failure {
    Failure::new(FailureKind::Type, "a value with dual numbers is expected")
}
