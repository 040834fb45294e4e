//! Values as bytes, in the form in which ranks exchange them.
//!
//! - ENCODE1 the bytes hold what the type leaves open: numbers, lengths, tags of enums, and text. Both ends have the same type.

use std::sync::Arc;

use overdub_context::ir::{FloatTy, IntTy, Ty, TyKind};
use overdub_context::value::{Array, Composite, Value};
use overdub_context::{Failure, FailureKind};

use super::varying::holds;

/// Whether values of a type can be sent: numbers, bools, chars and texts, in lists and tuples.
pub(super) fn is_sent(ty: Ty) -> bool {
    match ty.kind() {
        TyKind::Unit | TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) | TyKind::Char | TyKind::Str => true,
        TyKind::Tuple(parts) => parts.iter().all(|part| is_sent(*part)),
        TyKind::Array(array) => is_sent(array.elem),
        _ => false,
    }
}

/// Whether values of a type can be encoded: data without references and functions.
pub(super) fn is_encoded(ty: Ty) -> bool {
    !holds(ty, |kind| {
        matches!(
            kind,
            TyKind::Ref(_) | TyKind::Fn(_) | TyKind::Closure(_) | TyKind::Stack(_) | TyKind::Opaque(_)
        )
    })
}

/// The bytes of a value.
pub(super) fn encode(value: &Value<'_>, out: &mut Vec<u8>) -> Result<(), Failure> {
    match value {
        Value::Unit => {}
        Value::Bool(is) => out.push(u8::from(*is)),
        Value::F64(x) => out.extend(x.to_le_bytes()),
        Value::F32(x) => out.extend(x.to_le_bytes()),
        Value::Char(c) => out.extend(u32::from(*c).to_le_bytes()),
        Value::Int(_) | Value::I128(_) | Value::U128(_) => {
            let (_, n) = value.as_int().ok_or_else(misfit)?;
            out.extend(n.to_le_bytes());
        }
        Value::Array(array) => {
            array.shape().iter().for_each(|len| out.extend((*len as u64).to_le_bytes()));
            match array.as_f64s() {
                Some(floats) => floats.iter().for_each(|x| out.extend(x.to_le_bytes())),
                None => array.iter().try_for_each(|elem| encode(&elem, out))?,
            }
        }
        Value::Composite(composite) => {
            out.extend(composite.tag.to_le_bytes());
            composite.parts.iter().try_for_each(|part| encode(part, out))?;
        }
        other => {
            let text = other.as_str().ok_or_else(misfit)?;
            out.extend((text.len() as u64).to_le_bytes());
            out.extend(text.as_bytes());
        }
    }
    Ok(())
}

/// The value of a type that was encoded; all bytes are used up.
pub(super) fn decode<'a>(bytes: &[u8], ty: Ty) -> Result<Value<'a>, Failure> {
    let mut reader = Reader { bytes };
    let value = reader.value(ty)?;
    if reader.bytes.is_empty() { Ok(value) } else { Err(misfit()) }
}

struct Reader<'b> {
    bytes: &'b [u8],
}

impl Reader<'_> {
    fn take(&mut self, count: usize) -> Result<&[u8], Failure> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or_else(misfit)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn take_array<const N: usize>(&mut self) -> Result<[u8; N], Failure> {
        self.take(N)?.try_into().map_err(|_| misfit())
    }

    fn len(&mut self) -> Result<usize, Failure> {
        usize::try_from(u64::from_le_bytes(self.take_array()?)).map_err(|_| misfit())
    }

    fn value<'a>(&mut self, ty: Ty) -> Result<Value<'a>, Failure> {
        Ok(match ty.kind() {
            TyKind::Unit => Value::Unit,
            TyKind::Bool => Value::Bool(self.take_array::<1>()? != [0]),
            TyKind::Float(FloatTy::F64) => Value::F64(f64::from_le_bytes(self.take_array()?)),
            TyKind::Float(FloatTy::F32) => Value::F32(f32::from_le_bytes(self.take_array()?)),
            TyKind::Char => {
                Value::Char(char::from_u32(u32::from_le_bytes(self.take_array()?)).ok_or_else(misfit)?)
            }
            TyKind::Int(int) => self.int(*int)?,
            TyKind::Str => {
                let len = self.len()?;
                let text = std::str::from_utf8(self.take(len)?).map_err(|_| misfit())?;
                Value::str(text)
            }
            TyKind::Tuple(_) | TyKind::Struct(_) | TyKind::Enum(_) => {
                let tag = u32::from_le_bytes(self.take_array()?);
                let parts = ty.parts(tag).ok_or_else(misfit)?;
                let parts = parts.into_iter().map(|part| self.value(part)).collect::<Result<_, _>>()?;
                Value::Composite(Arc::new(Composite { ty: ty.as_nominal().map(|_| ty), tag, parts }))
            }
            TyKind::Array(array) => {
                let shape = (0..array.rank).map(|_| self.len()).collect::<Result<Vec<_>, _>>()?;
                let count = shape.iter().try_fold(1_usize, |count, len| count.checked_mul(*len));
                let count = count.ok_or_else(misfit)?;
                let flat = if array.elem == Ty::f64() {
                    let bytes = self.take(count.checked_mul(8).ok_or_else(misfit)?)?;
                    let floats =
                        bytes.chunks_exact(8).map(|x| f64::from_le_bytes(x.try_into().unwrap_or_default()));
                    Array::from_vec(floats.collect::<Vec<_>>())
                } else {
                    let elems = (0..count).map(|_| self.value(array.elem)).collect::<Result<Vec<_>, _>>()?;
                    Array::from_values(array.elem, elems).ok_or_else(misfit)?
                };
                flat.reshape(&shape).map(Value::from).ok_or_else(misfit)?
            }
            _ => return Err(misfit()),
        })
    }

    fn int<'a>(&mut self, int: IntTy) -> Result<Value<'a>, Failure> {
        Ok(Value::int(int, i128::from_le_bytes(self.take_array()?)))
    }
}

#[cold]
fn misfit() -> Failure {
    Failure::new(
        FailureKind::Type,
        "ranks exchange values of different types, or of a type that cannot be sent",
    )
}

#[cfg(test)]
mod tests {
    use overdub_context::testing::{any_ty, any_value};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_sent_arrives(ty in any::<u8>(), choice in any::<u8>()) {
            let value = any_value(any_ty(ty), choice);
            let ty = value.ty();
            prop_assume!(is_encoded(ty));
            let mut bytes = Vec::new();
            encode(&value, &mut bytes).expect("it can be sent");
            prop_assert_eq!(decode(&bytes, ty).expect("it can be read").to_string(), value.to_string());
        }
    }
}
