//! Equality and hashing of values by their bits, for constants, caches and tests.

use std::hash::{Hash, Hasher};

use super::{Code, Value};

impl Value<'_> {
    /// Whether both are the same, to the bit: `NaN` equals itself, `0.0` does not equal `-0.0`; cells are
    /// compared by identity; host functions and host values are never the same.
    pub fn same(&self, other: &Value<'_>) -> bool {
        match (self, other) {
            (Value::Unit, Value::Unit) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Char(a), Value::Char(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::I128(a), Value::I128(b)) => a == b,
            (Value::U128(a), Value::U128(b)) => a == b,
            (Value::F32(a), Value::F32(b)) => a.to_bits() == b.to_bits(),
            (Value::F64(a), Value::F64(b)) => a.to_bits() == b.to_bits(),
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Composite(a), Value::Composite(b)) => {
                a.ty == b.ty && a.tag == b.tag && all_same(&a.parts, &b.parts)
            }
            (Value::Array(a), Value::Array(b)) => a.same(b),
            (Value::Closure(a), Value::Closure(b)) => {
                matches!((&a.code, &b.code), (Code::Func(f), Code::Func(g)) if f == g)
                    && all_same(&a.captures, &b.captures)
            }
            (Value::Stack(a), Value::Stack(b)) => all_same(a, b),
            (Value::Ref(a), Value::Ref(b)) => a.same_cell(b) && a.path() == b.path(),
            _ => false,
        }
    }

    /// Whether both certainly differ in a bit, so that they cannot be the contents of one place.
    pub(crate) fn differs(&self, other: &Value<'_>) -> bool {
        let any_differ = |a: &[Value<'_>], b: &[Value<'_>]| a.iter().zip(b).any(|(a, b)| a.differs(b));
        match (self, other) {
            (Value::Composite(a), Value::Composite(b)) => {
                a.tag != b.tag || a.parts.len() != b.parts.len() || any_differ(&a.parts, &b.parts)
            }
            (Value::Array(a), Value::Array(b)) => {
                a.shape() != b.shape() || a.iter().zip(b.iter()).any(|(a, b)| a.differs(&b))
            }
            // Two functions may be one before and after optimization.
            (Value::Closure(a), Value::Closure(b)) => match (&a.code, &b.code) {
                (Code::Func(f), Code::Func(g)) => f == g && any_differ(&a.captures, &b.captures),
                _ => false,
            },
            (Value::Opaque(_), _) | (_, Value::Opaque(_)) => false,
            _ => !self.same(other),
        }
    }

    /// Hashes consistently with [`Value::same`]; values that are never the same hash alike.
    pub fn hash_bits(&self, state: &mut impl Hasher) {
        std::mem::discriminant(self).hash(state);
        match self {
            Value::Unit | Value::Ref(_) | Value::Opaque(_) => {}
            Value::Bool(b) => b.hash(state),
            Value::Char(c) => c.hash(state),
            Value::Int(int) => int.hash(state),
            Value::I128(n) => n.hash(state),
            Value::U128(n) => n.hash(state),
            Value::F32(x) => x.to_bits().hash(state),
            Value::F64(x) => x.to_bits().hash(state),
            Value::Str(text) => text.hash(state),
            Value::Composite(composite) => {
                (composite.ty, composite.tag).hash(state);
                composite.parts.iter().for_each(|part| part.hash_bits(state));
            }
            Value::Array(array) => array.shape().hash(state),
            Value::Closure(closure) => {
                if let Code::Func(name) = &closure.code {
                    name.hash(state);
                }
                closure.captures.iter().for_each(|part| part.hash_bits(state));
            }
            Value::Stack(elems) => elems.len().hash(state),
        }
    }
}

fn all_same(a: &[Value<'_>], b: &[Value<'_>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
}

/// Whether both are scalars, texts or arrays, but not of the same type. Values of the host and composites may stand for
/// others.
pub(super) fn is_of_other_type(a: &Value<'_>, b: &Value<'_>) -> bool {
    use Value::{Array, Bool, Char, F32, F64, Int, Str};
    match (a, b) {
        (Int(a), Int(b)) => a.ty() != b.ty(),
        (
            Bool(_) | Char(_) | Int(_) | F32(_) | F64(_) | Str(_) | Array(_),
            Bool(_) | Char(_) | Int(_) | F32(_) | F64(_) | Str(_) | Array(_),
        ) => std::mem::discriminant(a) != std::mem::discriminant(b),
        _ => false,
    }
}
