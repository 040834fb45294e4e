//! Literals as IR values.

use overdub_context::ir::{FloatTy, IntTy, Ty, TyKind};
use overdub_context::value::{Array, Value};

use crate::hir::Lit;

/// The value of a literal of a type, negated if `negative`; `None` if the literal and the type do not match.
pub(super) fn value(lit: &Lit, ty: Ty, negative: bool) -> Option<Value<'static>> {
    match (lit, ty.kind()) {
        (Lit::Int(n, _), TyKind::Int(int)) => int_value(*n, *int, negative),
        (Lit::Int(n, _), TyKind::Float(float)) => float_value(&n.to_string(), *float, negative),
        (Lit::Float(digits, _), TyKind::Float(float)) => float_value(digits, *float, negative),
        (Lit::Bool(b), TyKind::Bool) => Some(Value::Bool(*b)),
        (Lit::Char(c), TyKind::Char) => Some(Value::Char(*c)),
        (Lit::Str(text), TyKind::Str) => Some(Value::from(&**text)),
        (Lit::Byte(b), TyKind::Int(int)) => int_value(u128::from(*b), *int, false),
        (Lit::ByteStr(bytes), TyKind::Array(_)) => Some(Value::Array(Array::from_vec(bytes.to_vec()).into())),
        _ => None,
    }
}

/// The value of a const parameter as an integer, `bool` or `char`.
pub(super) fn of_number(n: i128, ty: Ty) -> Option<Value<'static>> {
    match ty.kind() {
        TyKind::Int(int) => Some(Value::int(*int, n)),
        TyKind::Bool => Some(Value::Bool(n != 0)),
        TyKind::Char => u32::try_from(n).ok().and_then(char::from_u32).map(Value::Char),
        _ => None,
    }
}

fn int_value(n: u128, int: IntTy, negative: bool) -> Option<Value<'static>> {
    let bits = int.bits();
    let limit = match (int.is_signed(), negative) {
        (true, true) => 1u128 << (bits - 1),
        (true, false) => (1u128 << (bits - 1)) - 1,
        (false, true) => 0,
        (false, false) => u128::MAX >> (128 - bits),
    };
    // Literals beyond the limit are an error unless a lint allows them; then they wrap.
    let n = if n > limit { n & (u128::MAX >> (128 - bits)) } else { n };
    let value = n as i128;
    Some(Value::int(int, if negative { value.wrapping_neg() } else { value }))
}

fn float_value(digits: &str, float: FloatTy, negative: bool) -> Option<Value<'static>> {
    match float {
        FloatTy::F64 => {
            let x: f64 = digits.parse().ok()?;
            Some(Value::F64(if negative { -x } else { x }))
        }
        FloatTy::F32 => {
            let x: f32 = digits.parse().ok()?;
            Some(Value::F32(if negative { -x } else { x }))
        }
    }
}
