//! Comparisons of scalars and texts.

use std::cmp::Ordering;

use super::host_types::{Outcome, ill_typed, ordering, ordering_ty};
use super::type_rules::one_type;
use super::{Arity, Effects, OpCx, OpDef, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::{Ty, TyKind};
use crate::value::Value;

/// A row: the name, the type of the result, and the formula on references to Rust values of one type.
macro_rules! comparisons {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident = $text:literal ($x:ident, $y:ident) -> $R:ty => $body:expr;
    )*) => {
        $(
            $(#[doc = $doc])+
            pub static $name: OpDef = OpDef {
                name: $text,
                arity: Arity::Exactly(2),
                ty: |tys| two_scalars(tys).map(|_| <$R as Outcome>::ty()),
                effects: Effects::PURE,
                eval: |cx, args| {
                    let result: $R = match &*args {
                        [Value::F64($x), Value::F64($y)] => $body,
                        [Value::Int(a), Value::Int(b)] if a.ty() == b.ty() && a.ty().is_signed() => {
                            let ($x, $y) = (&(a.bits() as i64), &(b.bits() as i64));
                            $body
                        }
                        [Value::Int(a), Value::Int(b)] if a.ty() == b.ty() => {
                            let ($x, $y) = (&a.bits(), &b.bits());
                            $body
                        }
                        [Value::F32($x), Value::F32($y)] => $body,
                        [Value::Bool($x), Value::Bool($y)] => $body,
                        [Value::Char($x), Value::Char($y)] => $body,
                        [Value::I128($x), Value::I128($y)] => $body,
                        [Value::U128($x), Value::U128($y)] => $body,
                        [Value::Str($x), Value::Str($y)] => $body,
                        [Value::Unit, Value::Unit] => {
                            let ($x, $y) = (&[(); 0], &[(); 0]);
                            $body
                        }
                        _ => return Err(ill_typed($text, args)),
                    };
                    result.value(cx.ret)
                },
                doc: concat!($($doc),+).trim_ascii(),
            };
        )*

        /// The operations of this file.
        pub(super) static OPS: &[&OpDef] = &[$(&$name,)* &CMP];
    };
}

comparisons! {
    /// Whether two scalars are equal; `NaN` equals nothing.
    EQ = "eq" (x, y) -> bool => x == y;
    /// Whether two scalars differ.
    NE = "ne" (x, y) -> bool => x != y;
    /// Whether the first scalar is less than the second.
    LT = "lt" (x, y) -> bool => x < y;
    /// Whether the first scalar is less than the second or equal to it.
    LE = "le" (x, y) -> bool => x <= y;
    /// Whether the first scalar is greater than the second.
    GT = "gt" (x, y) -> bool => x > y;
    /// Whether the first scalar is greater than the second or equal to it.
    GE = "ge" (x, y) -> bool => x >= y;
    /// The order of two scalars, unless one is `NaN`.
    PARTIAL_CMP = "partial_cmp" (x, y) -> Option<Ordering> => x.partial_cmp(y);
}

/// The order of two scalars that are not floats.
pub static CMP: OpDef = OpDef {
    name: "cmp",
    arity: Arity::Exactly(2),
    ty: |tys| match two_scalars(tys)?.kind() {
        TyKind::Float(_) => Err(TypeFault::takes("two scalars or texts of one type that is totally ordered")),
        _ => Ok(ordering_ty()),
    },
    effects: Effects::PURE,
    eval: cmp,
    doc: "The order of two scalars that are not floats.",
};

fn two_scalars(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    const TAKES: &str = "two scalars or texts of one type";
    let scalar = |ty: Ty| {
        ty.is_number() || matches!(ty.kind(), TyKind::Bool | TyKind::Char | TyKind::Str | TyKind::Unit)
    };
    if tys.args.len() == 2 { one_type(tys, scalar, TAKES) } else { Err(TypeFault::takes(TAKES)) }
}

fn cmp<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let result = match &*args {
        [Value::Int(a), Value::Int(b)] if a.ty() == b.ty() && a.ty().is_signed() => {
            (a.bits() as i64).cmp(&(b.bits() as i64))
        }
        [Value::Int(a), Value::Int(b)] if a.ty() == b.ty() => a.bits().cmp(&b.bits()),
        [Value::Bool(a), Value::Bool(b)] => a.cmp(b),
        [Value::Char(a), Value::Char(b)] => a.cmp(b),
        [Value::I128(a), Value::I128(b)] => a.cmp(b),
        [Value::U128(a), Value::U128(b)] => a.cmp(b),
        [Value::Str(a), Value::Str(b)] => a.cmp(b),
        [Value::Unit, Value::Unit] => Ordering::Equal,
        _ => return Err(ill_typed("cmp", args)),
    };
    Ok(ordering(result))
}
