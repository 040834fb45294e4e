//! Vectors, arrays of one axis: updates.
//!
//! Each operation returns the updated vector, and updates it in place if it has no other owner.

use std::sync::Arc;

use super::array::{bounds, index, is_index, length, mistyped, range_within, reserve, vector_elem};
use super::host_types::{ill_typed, option};
use super::macros::ops;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::{Failure, FailureKind};
use crate::types::{Ty, TyKind};
use crate::value::{Array, Value};

ops! {
    structural;
    /// A vector with the element at an index replaced.
    SET = "set", Exactly(3), set_ty, FAILS, set;
    /// A vector with one element replaced, at an index that the compiler has proved to be in bounds; the
    /// interpreter still checks it.
    SET_UNCHECKED = "set.unchecked", Exactly(3), set_ty, FAILS, set;
    /// A vector with the elements from an index on replaced by those of another vector.
    SET_SLICE = "set_slice", Exactly(3), set_slice_ty, FAILS, set_slice;
    /// A vector with one more element at its end.
    PUSH = "push", Exactly(2), with_elem_ty, PURE, push;
    /// The last element, if there is one, and the vector without it.
    POP = "pop", Exactly(1), pop_ty, PURE, pop;
    /// A vector with one more element before the one at an index.
    INSERT = "insert", Exactly(3), set_ty, FAILS, insert;
    /// The element at an index, and the vector without it.
    REMOVE = "remove", Exactly(2), remove_ty, FAILS, remove;
    /// The element at an index, and the vector with its last element in that place.
    SWAP_REMOVE = "swap_remove", Exactly(2), remove_ty, FAILS, swap_remove;
    /// A vector truncated to a length.
    TRUNCATE = "truncate", Exactly(2), with_index_ty, FAILS, truncate;
    /// A vector truncated, or extended with a value, to a length.
    RESIZE = "resize", Exactly(3), set_ty, FAILS, resize;
    /// The capacity of a vector: the reserved one, but at least its length.
    CAPACITY = "capacity", Exactly(1), capacity_ty, PURE, capacity;
    /// A vector with capacity for `n` elements, independent of its previous capacity.
    WITH_ROOM = "with_room", Exactly(2), with_index_ty, FAILS, with_capacity;
    /// A vector with the elements at two indices swapped.
    SWAP = "swap", Exactly(3), with_indices_ty, FAILS, swap;
    /// A vector in the opposite order.
    REVERSE = "reverse", Exactly(1), vector_ty, PURE, reverse;
    /// A vector rotated to the left.
    ARRAY_ROTATE_LEFT = "array.rotate_left", Exactly(2), with_index_ty, FAILS, rotate_left;
    /// A vector rotated to the right.
    ARRAY_ROTATE_RIGHT = "array.rotate_right", Exactly(2), with_index_ty, FAILS, rotate_right;
    /// An array with every element replaced by the same value.
    FILL = "fill", Exactly(2), fill_ty, PURE, fill;
    /// A vector with the elements between two indices copied to a third index.
    COPY_WITHIN = "copy_within", Exactly(4), with_indices_ty, FAILS, copy_within;
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

fn set_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (vector_elem(tys.args.first()), tys.args) {
        (Some(elem), [vector, at, value]) if is_index(*at) && *value == elem => Ok(*vector),
        _ => Err(TypeFault::takes("a vector `[T]`, an index (`usize` or `i64`) and a `T`")),
    }
}

fn set_slice_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (vector_elem(tys.args.first()), tys.args) {
        (Some(_), [vector, at, part]) if is_index(*at) && part == vector => Ok(*vector),
        _ => Err(TypeFault::takes("a vector, an index (`usize` or `i64`) and a vector of the same type")),
    }
}

fn with_elem_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (vector_elem(tys.args.first()), tys.args) {
        (Some(elem), [vector, value]) if *value == elem => Ok(*vector),
        _ => Err(TypeFault::takes("a vector `[T]` and a `T`")),
    }
}

fn fill_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [array, value] if array.as_array().is_some_and(|array| array.elem == *value) => Ok(*array),
        _ => Err(TypeFault::takes("an array of `T`s and a `T`")),
    }
}

fn pop_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (vector_elem(tys.args.first()), tys.args) {
        (Some(elem), [vector]) => Ok(Ty::tuple([Ty::option(elem), *vector])),
        _ => Err(TypeFault::takes("a vector")),
    }
}

fn remove_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let vector = with_index_ty(tys)?;
    let elem = vector_elem(Some(&vector)).unwrap_or(vector);
    Ok(Ty::tuple([elem, vector]))
}

fn with_index_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (vector_elem(tys.args.first()), tys.args) {
        (Some(_), [vector, at]) if is_index(*at) => Ok(*vector),
        _ => Err(TypeFault::takes("a vector and an index (`usize` or `i64`)")),
    }
}

fn with_indices_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (vector_elem(tys.args.first()), tys.args) {
        (Some(_), [vector, at @ ..]) if at.iter().all(|ty| is_index(*ty)) => Ok(*vector),
        _ => Err(TypeFault::takes("a vector and indices (`usize` or `i64`)")),
    }
}

fn capacity_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    vector_ty(tys).map(|_| Ty::usize())
}

fn vector_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (vector_elem(tys.args.first()), tys.args) {
        (Some(_), [vector]) => Ok(*vector),
        _ => Err(TypeFault::takes("a vector")),
    }
}

/// Applies `change` to the array in the first operand, after reading the other operands; `None` from it means
/// that these have wrong types.
#[inline]
pub(super) fn edit<'a, R>(
    op: &str,
    cx: &mut OpCx<'_, 'a>,
    args: &mut [Value<'a>],
    change: impl FnOnce(&mut OpCx<'_, 'a>, &mut Array<'a>, &mut [Value<'a>]) -> Result<Option<R>, Failure>,
) -> Result<(Value<'a>, R), Failure> {
    let Some((first, rest)) = args.split_first_mut() else { return Err(mistyped(op)) };
    let Value::Array(mut array) = first.take() else { return Err(mistyped(op)) };
    let changed = Arc::make_mut(&mut array);
    let copied = changed.bytes_to_write();
    if copied > 0 {
        cx.machine.reserve(copied)?;
    }
    match change(cx, changed, rest)? {
        Some(result) => Ok((Value::Array(array), result)),
        None => Err(mistyped(op)),
    }
}

/// Like [`edit`], if the changed array is the whole result.
#[inline]
pub(super) fn update<'a>(
    op: &str,
    cx: &mut OpCx<'_, 'a>,
    args: &mut [Value<'a>],
    change: impl FnOnce(&mut OpCx<'_, 'a>, &mut Array<'a>, &mut [Value<'a>]) -> Result<Option<()>, Failure>,
) -> Evaluated<'a> {
    edit(op, cx, args, change).map(|(array, ())| array)
}

fn set<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    update("set", cx, args, |_, vector, rest| {
        let [at, value] = rest else { return Ok(None) };
        let at = index("set", at, vector.len())?;
        Ok(vector.set(at, value.take()))
    })
}

fn set_slice<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    update("set_slice", cx, args, |_, vector, rest| {
        let [at, Value::Array(part)] = rest else { return Ok(None) };
        let end = at.as_index().and_then(|at| at.checked_add(part.len()));
        let (at, _) = range_within("set_slice", at, &Value::from(end.unwrap_or(usize::MAX)), vector.len())?;
        Ok(vector.set_slice(at, part))
    })
}

fn push<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    /// A vector grows by doubling; from this length on, growth is accounted for.
    const LONG: usize = 1024;
    update("push", cx, args, |cx, vector, rest| {
        let [value] = rest else { return Ok(None) };
        let len = vector.len();
        if len >= LONG && len.is_power_of_two() {
            reserve(cx, vector.elem_ty(), len)?;
        }
        Ok(vector.push(value.take()))
    })
}

fn pop<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(vector)] = args else { return Err(ill_typed("pop", args)) };
    let option_ty = match cx.ret.kind() {
        TyKind::Tuple(parts) if !parts.is_empty() => parts[0],
        _ => return Err(ill_typed("pop", args)),
    };
    let last = Arc::make_mut(vector).pop();
    Ok(Value::tuple([option(option_ty, last), args[0].take()]))
}

fn insert<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    update("insert", cx, args, |_, vector, rest| {
        let [at, value] = rest else { return Ok(None) };
        let (at, len) = (length("insert", at)?, vector.len());
        if at > len {
            return Err(bounds(format!("insertion index (is {at}) should be <= len (is {len})")));
        }
        Ok(vector.insert(at, value.take()))
    })
}

fn remove<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let (vector, removed) = edit("remove", cx, args, |_, vector, rest| {
        let [at] = rest else { return Ok(None) };
        let (at, len) = (length("remove", at)?, vector.len());
        if at >= len {
            return Err(bounds(format!("removal index (is {at}) should be < len (is {len})")));
        }
        Ok(vector.remove(at))
    })?;
    Ok(Value::tuple([removed, vector]))
}

fn swap_remove<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let (vector, removed) = edit("swap_remove", cx, args, |_, vector, rest| {
        let [at] = rest else { return Ok(None) };
        let (at, len) = (length("swap_remove", at)?, vector.len());
        if at >= len {
            return Err(bounds(format!("swap_remove index (is {at}) should be < len (is {len})")));
        }
        Ok(vector.swap(at, len - 1).and_then(|()| vector.pop()))
    })?;
    Ok(Value::tuple([removed, vector]))
}

fn truncate<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(vector), len] = args else { return Err(ill_typed("truncate", args)) };
    let len = length("truncate", len)?;
    Arc::make_mut(vector).truncate(len).ok_or_else(|| mistyped("truncate"))?;
    Ok(args[0].take())
}

fn resize<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    update("resize", cx, args, |cx, vector, rest| {
        let [len, value] = rest else { return Ok(None) };
        let len = length("resize", len)?;
        reserve(cx, vector.elem_ty(), len.saturating_sub(vector.len()))?;
        Ok(vector.resize(len, value.take()))
    })
}

fn capacity<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match args {
        [Value::Array(vector)] => Ok(Value::from(vector.capacity().max(vector.len()))),
        _ => Err(ill_typed("capacity", args)),
    }
}

fn with_capacity<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(vector), capacity_arg] = args else { return Err(ill_typed("with_room", args)) };
    let capacity_arg = length("with_room", capacity_arg)?;
    let vector = std::mem::replace(vector, Arc::new(Array::empty(Ty::never())));
    Ok(Value::from(Arc::unwrap_or_clone(vector).grown_to(capacity_arg)))
}

fn swap<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    update("swap", cx, args, |_, vector, rest| {
        let [i, j] = rest else { return Ok(None) };
        let (i, j) = (index("swap", i, vector.len())?, index("swap", j, vector.len())?);
        Ok(vector.swap(i, j))
    })
}

fn reverse<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    update("reverse", cx, args, |_, vector, _| Ok(vector.reverse(0, vector.len())))
}

fn fill<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    update("fill", cx, args, |_, array, rest| {
        let [value] = rest else { return Ok(None) };
        Ok(array.fill(value.take()))
    })
}

fn copy_within<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    update("copy_within", cx, args, |_, vector, rest| {
        let [from, to, dest] = rest else { return Ok(None) };
        let len = vector.len();
        // `slice::range` checks the end first, where indexing checks the start first.
        range_within("copy_within", &Value::from(0usize), to, len)?;
        let (from, to) = range_within("copy_within", from, to, len)?;
        match length("copy_within", dest)? {
            dest if dest <= len - (to - from) => Ok(vector.copy_within(from, to, dest)),
            _ => Err(bounds("dest is out of bounds".to_owned())),
        }
    })
}

fn rotate_left<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    update("array.rotate_left", cx, args, |_, vector, rest| {
        let [mid] = rest else { return Ok(None) };
        match mid.as_index() {
            Some(mid) if mid <= vector.len() => Ok(vector.rotate_left(mid)),
            _ => Err(Failure::new(FailureKind::Panic, "assertion failed: mid <= self.len()")),
        }
    })
}

fn rotate_right<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    update("array.rotate_right", cx, args, |_, vector, rest| {
        let [k] = rest else { return Ok(None) };
        match k.as_index() {
            Some(k) if k <= vector.len() => Ok(vector.rotate_left(vector.len() - k)),
            _ => Err(Failure::new(FailureKind::Panic, "assertion failed: k <= self.len()")),
        }
    })
}
