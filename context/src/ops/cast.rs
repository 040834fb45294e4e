//! Conversions between scalars, `select`, and an identity that is opaque to optimisers.

use super::host_types::{Operand, ill_typed};
use super::macros::{ops, with_int};
use super::type_rules::{int_ty, int_ty_of};
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::{FloatTy, IntTy, Ty, TyKind};
use crate::value::Value;

ops! {
    /// Converts to the declared type as `as` does: integers wrap, floats round or saturate, `NaN` becomes 0.
    CAST = "cast", Exactly(1), cast_ty, PURE, cast;
    /// The float with these bits, an `f64` from a `u64` and an `f32` from a `u32`.
    FROM_BITS = "from_bits", Exactly(1), from_bits_ty, PURE, from_bits;
}

ops! {
    structural;
    /// The second operand if the first is true, otherwise the third.
    SELECT = "select", Exactly(3), select_ty, PURE, select;
    /// A copy of its operand as a separate variable.
    DUP = "dup", Exactly(1), |tys| tys.args.first().copied().ok_or_else(|| TypeFault::takes("a value")), PURE, dup;
    /// Its operand; the optimiser assumes nothing about the result.
    BLACK_BOX = "black_box", Exactly(1), black_box_ty, PURE, black_box;
}

fn dup<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    match args {
        [value] => Ok(value.take()),
        _ => Err(ill_typed("dup", args)),
    }
}

fn cast_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let fault = || TypeFault::takes("a scalar that `as` converts to the declared type of the result");
    let (&[from], Some(to)) = (tys.args, tys.declared) else { return Err(fault()) };
    let scalar = |ty: Ty| ty.is_number() || matches!(ty.kind(), TyKind::Bool | TyKind::Char);
    let fits = match (from.kind(), to.kind()) {
        (TyKind::Bool | TyKind::Char, TyKind::Int(_)) => true,
        (TyKind::Int(IntTy::U8), TyKind::Char) => true,
        _ => from.is_number() && to.is_number() || scalar(from) && from == to,
    };
    if fits { Ok(to) } else { Err(fault()) }
}

fn from_bits_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match int_ty(tys.args.first()) {
        Some(IntTy::U64) => Ok(Ty::f64()),
        Some(IntTy::U32) => Ok(Ty::f32()),
        _ => Err(TypeFault::takes("a u64 or a u32")),
    }
}

fn from_bits<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    match args {
        [bits] if let Some(bits) = u64::of(bits) => Ok(Value::F64(f64::from_bits(bits))),
        [bits] if let Some(bits) = u32::of(bits) => Ok(Value::F32(f32::from_bits(bits))),
        _ => Err(ill_typed("from_bits", args)),
    }
}

fn select_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [cond, a, b] if *cond == Ty::bool() && a == b => Ok(*a),
        _ => Err(TypeFault::takes("a bool, and two values of one type")),
    }
}

fn black_box_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    tys.args.first().copied().ok_or_else(|| TypeFault::takes("a value"))
}

fn cast<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let converted = match args {
        [value] => convert(value, cx.ret),
        _ => None,
    };
    converted.ok_or_else(|| ill_typed("cast", args))
}

/// `value as to`.
pub(super) fn convert<'a>(value: &Value<'a>, to: Ty) -> Option<Value<'a>> {
    match (value, to.kind()) {
        (Value::Bool(b), TyKind::Int(int)) => Some(Value::int(*int, i128::from(*b))),
        (Value::Char(c), TyKind::Int(int)) => Some(Value::int(*int, i128::from(u32::from(*c)))),
        (Value::Bool(_), TyKind::Bool) | (Value::Char(_), TyKind::Char) => Some(value.clone()),
        (Value::F64(x), TyKind::Float(FloatTy::F64)) => Some(Value::F64(*x)),
        (Value::F64(x), TyKind::Float(FloatTy::F32)) => Some(Value::F32(*x as f32)),
        (Value::F32(x), TyKind::Float(FloatTy::F64)) => Some(Value::F64(f64::from(*x))),
        (Value::F32(x), TyKind::Float(FloatTy::F32)) => Some(Value::F32(*x)),
        (Value::F64(x), TyKind::Int(int)) => {
            with_int!(ints, Some(*int), T => Some(Value::from(*x as T)), None)
        }
        (Value::F32(x), TyKind::Int(int)) => {
            with_int!(ints, Some(*int), T => Some(Value::from(*x as T)), None)
        }
        (_, TyKind::Float(FloatTy::F64)) => {
            with_int!(ints, int_ty_of(Some(value)), T => T::of(value).map(|n| Value::F64(n as f64)), None)
        }
        (_, TyKind::Float(FloatTy::F32)) => {
            with_int!(ints, int_ty_of(Some(value)), T => T::of(value).map(|n| Value::F32(n as f32)), None)
        }
        (_, TyKind::Int(int)) => value.as_int().map(|(_, n)| Value::int(*int, n)),
        (_, TyKind::Char) => u8::of(value).map(|byte| Value::Char(char::from(byte))),
        _ => None,
    }
}

fn select<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    match args {
        [Value::Bool(true), a, _] => Ok(a.take()),
        [Value::Bool(false), _, b] => Ok(b.take()),
        _ => Err(ill_typed("select", args)),
    }
}

fn black_box<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    match args {
        [value] => Ok(value.take()),
        _ => Err(ill_typed("black_box", args)),
    }
}
