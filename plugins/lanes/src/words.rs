//! Values as words, part by part, and lists of values as lists of words.

use std::sync::Arc;

use overdub_context::ir::{IntTy, Ty, TyKind};
use overdub_context::value::{Array, Composite, Int, Parts, Scalar, Value};

use crate::layout::field;

/// The value whose parts begin with the one of number `at`; `part` gives the scalars and arrays.
pub(crate) fn compose<'a>(
    ty: Ty,
    at: usize,
    part: &impl Fn(usize, Ty) -> Option<Value<'a>>,
) -> Option<Value<'a>> {
    let parts = |tag: u32| {
        let parts = ty.parts(tag)?.into_iter().enumerate();
        let part = |(number, ty_of): (usize, Ty)| compose(ty_of, at + field(ty, tag, number)?.0, part);
        parts.map(part).collect::<Option<Vec<_>>>()
    };
    let nominal = |tag: u32| {
        let parts = Parts::from_iter(parts(tag)?);
        Some(Value::Composite(Arc::new(Composite { ty: Some(ty), tag, parts })))
    };
    match ty.kind() {
        TyKind::Unit => Some(Value::Unit),
        TyKind::Tuple(_) => Some(Value::tuple(parts(0)?)),
        TyKind::Struct(_) => nominal(0),
        TyKind::Enum(_) => nominal(part(at, Ty::i64())?.as_index()?.try_into().ok()?),
        _ => part(at, ty),
    }
}

/// Gives `put` the number and the word of each part of a value of a type, whose parts begin with the one of number `at`. Those
/// of other variants are left out.
pub(crate) fn decompose(
    ty: Ty,
    value: &Value<'_>,
    at: usize,
    put: &mut impl FnMut(usize, u64),
) -> Option<()> {
    match value {
        Value::Unit => {}
        Value::Composite(composite) => {
            if matches!(ty.kind(), TyKind::Enum(_)) {
                put(at, composite.tag.into());
            }
            let parts = ty.parts(composite.tag)?.into_iter().zip(composite.parts.iter());
            for (number, (part, value)) in parts.enumerate() {
                decompose(part, value, at + field(ty, composite.tag, number)?.0, put)?;
            }
        }
        scalar => put(at, word_of(scalar)?),
    }
    Some(())
}

/// The word of a scalar of up to 64 bits; a bool is 0 or 1.
pub(crate) fn word_of(value: &Value<'_>) -> Option<u64> {
    Some(match value {
        Value::F64(x) => x.to_bits(),
        Value::F32(x) => x.to_bits().into(),
        Value::Int(int) => int.bits(),
        Value::Char(c) => u64::from(u32::from(*c)),
        Value::Bool(is) => u64::from(*is),
        _ => return None,
    })
}

/// The scalar of a type with this word. A lane that is not at a block may hold anything: then it is any value of the type.
pub(crate) fn value_of(ty: Ty, word: u64) -> Value<'static> {
    match ty.kind() {
        TyKind::Int(int) => Value::Int(Int::wrapping(*int, word)),
        TyKind::Char => Value::Char(char::from_u32(word as u32).unwrap_or_default()),
        TyKind::Bool => Value::Bool(word & 1 == 1),
        _ if ty == Ty::f32() => Value::F32(f32::from_bits(word as u32)),
        _ => Value::F64(f64::from_bits(word)),
    }
}

/// The words of a list of scalars; none if it is of another type.
pub(crate) fn words_of(list: &Array<'_>) -> Option<Vec<u64>> {
    fn each<T: Scalar>(list: &Array<'_>, word: impl Fn(T) -> u64) -> Option<Vec<u64>> {
        Some(list.as_slice::<T>()?.iter().map(|x| word(*x)).collect())
    }
    match list.elem_ty().kind() {
        TyKind::Bool => each(list, |is: bool| u64::from(is)),
        TyKind::Char => each(list, |c: char| u64::from(u32::from(c))),
        TyKind::Int(int) => match int {
            IntTy::I8 => each(list, |n: i8| i64::from(n) as u64),
            IntTy::I16 => each(list, |n: i16| i64::from(n) as u64),
            IntTy::I32 => each(list, |n: i32| i64::from(n) as u64),
            IntTy::I64 => each(list, |n: i64| n as u64),
            IntTy::Isize => each(list, |n: isize| n as u64),
            IntTy::U8 => each(list, |n: u8| n.into()),
            IntTy::U16 => each(list, |n: u16| n.into()),
            IntTy::U32 => each(list, |n: u32| n.into()),
            IntTy::U64 => each(list, |n: u64| n),
            IntTy::Usize => each(list, |n: usize| n as u64),
            IntTy::I128 | IntTy::U128 => None,
        },
        _ if list.elem_ty() == Ty::f64() => each(list, f64::to_bits),
        _ if list.elem_ty() == Ty::f32() => each(list, |x: f32| x.to_bits().into()),
        _ => None,
    }
}

/// The words of each of this many parts of the values of a list.
pub(crate) fn words_of_parts(list: &Array<'_>, count: usize) -> Option<Vec<Vec<u64>>> {
    if let (1, Some(words)) = (count, words_of(list)) {
        return Some(vec![words]);
    }
    let mut parts = vec![vec![0; list.len()]; count];
    for (element, value) in list.iter().enumerate() {
        decompose(list.elem_ty(), &value, 0, &mut |part, word| parts[part][element] = word)?;
    }
    Some(parts)
}

/// The list of scalars of a type with these words.
pub(crate) fn list_of(ty: Ty, words: Vec<u64>) -> Option<Array<'static>> {
    if ty == Ty::f64() {
        return Some(Array::from_vec(words.into_iter().map(f64::from_bits).collect()));
    }
    Array::from_values(ty, words.into_iter().map(|word| value_of(ty, word)))
}
