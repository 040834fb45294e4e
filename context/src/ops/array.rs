//! Vectors, arrays of one axis: construction and reads.

use std::sync::Arc;

use super::host_types::{ill_typed, option};
use super::macros::ops;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::{Failure, FailureKind};
use crate::types::{IntTy, Ty, TyKind};
use crate::value::{Array, Elements, Value};

ops! {
    structural;
    /// A vector of its operands; an empty one of the declared type if there are none.
    ARRAY = "array", AtLeast(0), array_ty, PURE, array;
    /// A vector of `n` copies of a value.
    REPEAT = "repeat", Exactly(2), repeat_ty, FAILS, repeat;
    /// The number of elements.
    LEN = "len", Exactly(1), len_ty, PURE, len;
    /// The element at an index.
    GET = "get", Exactly(2), get_ty, FAILS, get;
    /// The element at an index that the compiler has proved to be in bounds; the interpreter still checks it.
    GET_UNCHECKED = "get.unchecked", Exactly(2), get_ty, FAILS, get;
    /// The element at an index, if there is one.
    GET_CHECKED = "get.checked", Exactly(2), |tys| get_ty(tys).map(Ty::option), PURE, get_checked;
    /// The elements from an index up to, but excluding, another: a view.
    SLICE = "slice", Exactly(3), slice_ty, FAILS, slice;
    /// The elements of one vector, followed by those of another.
    CONCAT = "concat", Exactly(2), concat_ty, PURE, concat;
}

ops! {
    /// The integers from the first up to, but excluding, the second.
    RANGE = "range", Exactly(2), range_ty, FAILS, range;
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

/// The element type of a vector type.
pub(super) fn vector_elem(ty: Option<&Ty>) -> Option<Ty> {
    ty?.as_array().filter(|array| array.rank == 1).map(|array| array.elem)
}

/// Whether a type may be that of indices and lengths: `usize`, or the type of a number without suffix in
/// text.
pub(super) fn is_index(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Int(IntTy::Usize | IntTy::I64))
}

fn array_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (tys.args, tys.declared) {
        ([], Some(ty)) if vector_elem(Some(&ty)).is_some() => Ok(ty),
        ([first, rest @ ..], _) if rest.iter().all(|ty| ty == first) => Ok(Ty::array(*first, 1)),
        _ => Err(TypeFault::takes("elements of one type; without any, a declared type `[T]`")),
    }
}

fn repeat_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [elem, n] if is_index(*n) => Ok(Ty::array(*elem, 1)),
        _ => Err(TypeFault::takes("a value and a length (`usize` or `i64`)")),
    }
}

fn range_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [lo, hi] if lo == hi && matches!(lo.kind(), TyKind::Int(_)) => Ok(Ty::array(*lo, 1)),
        _ => Err(TypeFault::takes("two integers of one type")),
    }
}

fn len_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [array] if array.as_array().is_some() => Ok(Ty::usize()),
        _ => Err(TypeFault::takes("an array")),
    }
}

fn get_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (vector_elem(tys.args.first()), tys.args) {
        (Some(elem), [_, at]) if is_index(*at) => Ok(elem),
        _ => Err(TypeFault::takes("a vector and an index (`usize` or `i64`)")),
    }
}

fn slice_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (vector_elem(tys.args.first()), tys.args) {
        (Some(_), [vector, from, to]) if is_index(*from) && is_index(*to) => Ok(*vector),
        _ => Err(TypeFault::takes("a vector and two indices (`usize` or `i64`)")),
    }
}

fn concat_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (vector_elem(tys.args.first()), tys.args) {
        (Some(_), [a, b]) if a == b => Ok(*a),
        _ => Err(TypeFault::takes("two vectors of one type")),
    }
}

/// Accounts for `len` more elements of type `elem`; fails if the size overflows.
pub(super) fn reserve(cx: &mut OpCx<'_, '_>, elem: Ty, len: usize) -> Result<(), Failure> {
    /// The size from which the allocator is tried first, because it aborts the process if it cannot allocate.
    const MUCH: usize = 64 << 20;
    let bytes = len.checked_mul(Elements::size_of_elem(elem)).filter(|bytes| *bytes <= isize::MAX as usize);
    let Some(bytes) = bytes else {
        return Err(Failure::new(FailureKind::MemoryLimit, "capacity overflow"));
    };
    cx.machine.reserve(bytes)?;
    if bytes >= MUCH && Vec::<u8>::new().try_reserve_exact(bytes).is_err() {
        let message = format!("memory allocation of {bytes} bytes failed");
        return Err(Failure::new(FailureKind::MemoryLimit, message));
    }
    Ok(())
}

/// A failure for an index or range that is not within an array.
#[cold]
pub(super) fn bounds(message: String) -> Failure {
    Failure::new(FailureKind::Bounds, message)
}

/// The integer value of an index, which may be negative; the failure names the operation.
fn integer(op: &str, value: &Value<'_>) -> Result<i128, Failure> {
    match value.as_int() {
        Some((_, n)) => Ok(n),
        None => Err(Failure::new(FailureKind::Type, format!("`{op}` takes no `{}` as an index", value.ty()))),
    }
}

/// The value of an operand as a length.
pub(super) fn length(op: &str, value: &Value<'_>) -> Result<usize, Failure> {
    let n = integer(op, value)?;
    usize::try_from(n).map_err(|_| Failure::new(FailureKind::Domain, format!("the length {n} is negative")))
}

/// The value of an operand as an index, if it is less than `len`.
#[inline]
pub(super) fn index(op: &str, value: &Value<'_>, len: usize) -> Result<usize, Failure> {
    match value.as_index() {
        Some(at) if at < len => Ok(at),
        _ => Err(out_of_bounds(integer(op, value)?, len)),
    }
}

#[cold]
fn out_of_bounds(at: i128, len: usize) -> Failure {
    bounds(format!("index out of bounds: the len is {len} but the index is {at}"))
}

/// The values of two operands as a range, if it is within `len`; the failure is worded like that of slicing.
pub(super) fn range_within(
    op: &str,
    from: &Value<'_>,
    to: &Value<'_>,
    len: usize,
) -> Result<(usize, usize), Failure> {
    let (from, to) = (integer(op, from)?, integer(op, to)?);
    let within = |n: i128| usize::try_from(n).ok().filter(|n| *n <= len);
    match (within(from), within(to)) {
        (None, _) => Err(bounds(format!("range start index {from} out of range for slice of length {len}"))),
        (_, None) => Err(bounds(format!("range end index {to} out of range for slice of length {len}"))),
        (Some(from), Some(to)) if from > to => {
            Err(bounds(format!("slice index starts at {from} but ends at {to}")))
        }
        (Some(from), Some(to)) => Ok((from, to)),
    }
}

/// The element type of the array type `cx.ret`.
fn ret_elem(cx: &OpCx<'_, '_>) -> Ty {
    cx.ret.as_array().map_or_else(Ty::never, |array| array.elem)
}

fn array<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let elem = ret_elem(cx);
    reserve(cx, elem, args.len())?;
    match Array::from_values(elem, args.iter_mut().map(Value::take)) {
        Some(array) => Ok(Value::from(array)),
        None => Err(mistyped("array")),
    }
}

fn repeat<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [value, n] = args else { return Err(ill_typed("repeat", args)) };
    let (elem, n) = (ret_elem(cx), length("repeat", n)?);
    reserve(cx, elem, n)?;
    let array = Array::repeat(elem, value.take(), n).ok_or_else(|| mistyped("repeat"))?;
    Ok(Value::from(array))
}

fn range<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let (ty, lo, len) = match args {
        [Value::U128(lo), Value::U128(hi)] => (IntTy::U128, **lo as i128, hi.saturating_sub(**lo)),
        [lo, hi] => match (lo.as_int(), hi.as_int()) {
            (Some((ty, lo)), Some((other, hi))) if ty == other => {
                (ty, lo, if lo < hi { hi.wrapping_sub(lo) as u128 } else { 0 })
            }
            _ => return Err(ill_typed("range", args)),
        },
        _ => return Err(ill_typed("range", args)),
    };
    let elem = Ty::int(ty);
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    reserve(cx, elem, len)?;
    let numbers = (0..len).map(|k| Value::int(ty, lo.wrapping_add(k as i128)));
    let array = Array::from_values(elem, numbers).ok_or_else(|| mistyped("range"))?;
    Ok(Value::from(array))
}

fn len<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match args {
        [Value::Array(array)] => Ok(Value::from(array.len())),
        _ => Err(ill_typed("len", args)),
    }
}

fn get<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(array), at] = args else { return Err(ill_typed("get", args)) };
    // This branch alone is the fast path: it inspects the elements only once.
    if let Some(elem) = at.as_index().and_then(|at| array.get(at)) {
        return Ok(elem);
    }
    Err(out_of_bounds(integer("get", at)?, array.len()))
}

fn get_checked<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(array), at] = args else { return Err(ill_typed("get.checked", args)) };
    Ok(option(cx.ret, at.as_index().and_then(|at| array.get(at))))
}

fn slice<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(array), from, to] = args else { return Err(ill_typed("slice", args)) };
    let (from, to) = range_within("slice", from, to, array.shape()[0])?;
    if to - from == array.shape()[0] {
        return Ok(args[0].take());
    }
    let part = array.slice(from, to).ok_or_else(|| mistyped("slice"))?;
    Ok(Value::from(part))
}

fn concat<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(first), Value::Array(second)] = args else { return Err(ill_typed("concat", args)) };
    let len = first.bytes_to_write() / Elements::size_of_elem(first.elem_ty()).max(1);
    reserve(cx, first.elem_ty(), len.saturating_add(second.len()))?;
    Arc::make_mut(first).append(second).ok_or_else(|| mistyped("concat"))?;
    Ok(args[0].take())
}

/// The failure for operands of types that the verifier rejects, where they are already consumed.
#[cold]
pub(super) fn mistyped(op: &str) -> Failure {
    Failure::new(FailureKind::Type, format!("`{op}` got operands of types that do not fit together"))
}
