//! The bytes of integers, as other integers: what a cast of a pointer to integers of another width reads.
//!
//! - MEMBITS1 the order is little-endian, which is that of the targets whose layouts are used.
//! - MEMBITS2 floats have no bytes here: the parts of one with a derivative are numbers too, and would be read in its place.

use std::sync::Arc;

use super::{Array, Composite, Parts, Value};
use crate::types::{IntTy, Ty, TyKind};

/// Whether values of the type consist of integers of one width, and so have no padding.
pub(super) fn is_bits(ty: Ty) -> bool {
    let mut width = None;
    all_ints(ty, &mut width, 0) && width.is_some()
}

fn all_ints(ty: Ty, width: &mut Option<IntTy>, depth: usize) -> bool {
    match ty.kind() {
        _ if depth > 64 => false,
        TyKind::Int(int) => width.replace(*int).is_none_or(|other| other.bits() == int.bits()),
        TyKind::Array(array) => array.rank == 1 && all_ints(array.elem, width, depth + 1),
        TyKind::Tuple(_) | TyKind::Struct(_) => {
            ty.parts(0).is_some_and(|parts| parts.into_iter().all(|part| all_ints(part, width, depth + 1)))
        }
        _ => false,
    }
}

/// Whether values of the type contain an array.
fn has_array(ty: Ty, depth: usize) -> bool {
    match ty.kind() {
        _ if depth > 64 => true,
        TyKind::Array(_) => true,
        TyKind::Tuple(_) | TyKind::Struct(_) => {
            ty.parts(0).is_none_or(|parts| parts.into_iter().any(|part| has_array(part, depth + 1)))
        }
        _ => false,
    }
}

/// Converts integers and arrays of them to others with the same number of bytes, in little-endian order.
pub(super) fn bits_as(value: &Value<'static>, to: Ty) -> Option<Value<'static>> {
    let mut bytes = Vec::new();
    bytes_of(value, &mut bytes)?;
    let mut rest = &bytes[..];
    let result = of_bytes(to, &mut rest)?;
    rest.is_empty().then_some(result)
}

fn bytes_of(value: &Value<'static>, bytes: &mut Vec<u8>) -> Option<()> {
    match value {
        Value::Array(array) => array.iter().try_for_each(|elem| bytes_of(&elem, bytes)),
        Value::Composite(composite) if composite.ty.is_none_or(is_bits) => {
            composite.parts.iter().try_for_each(|part| bytes_of(part, bytes))
        }
        _ => {
            let (int, value) = value.as_int()?;
            bytes.extend_from_slice(&value.to_le_bytes()[..int.bits() as usize / 8]);
            Some(())
        }
    }
}

fn of_bytes(to: Ty, rest: &mut &[u8]) -> Option<Value<'static>> {
    match to.kind() {
        TyKind::Int(int) => {
            let (own_bytes, others) = rest.split_at_checked(int.bits() as usize / 8)?;
            *rest = others;
            let mut wide = [0; 16];
            wide[..own_bytes.len()].copy_from_slice(own_bytes);
            let unsigned = i128::from_le_bytes(wide);
            let unused = 128 - int.bits();
            let value = if int.is_signed() { unsigned << unused >> unused } else { unsigned };
            Some(Value::int(*int, value))
        }
        TyKind::Tuple(_) | TyKind::Struct(_) if is_bits(to) => {
            let parts: Option<Vec<_>> = to.parts(0)?.into_iter().map(|part| of_bytes(part, rest)).collect();
            let ty = matches!(to.kind(), TyKind::Struct(_)).then_some(to);
            Some(Value::Composite(Arc::new(Composite { ty, tag: 0, parts: Parts::from_iter(parts?) })))
        }
        // An array takes all bytes that are left: how many an inner one takes is not known.
        TyKind::Array(array) if array.rank == 1 && !has_array(array.elem, 0) => {
            let mut elems = Vec::new();
            while !rest.is_empty() {
                elems.push(of_bytes(array.elem, rest)?);
            }
            Some(Value::Array(Arc::new(Array::from_values(array.elem, elems)?)))
        }
        _ => None,
    }
}
