//! Sorting of vectors by a function of the program.

use super::array::{index, is_index, mistyped, reserve, vector_elem};
use super::native::{ill_typed, ordering_ty};
use super::nd_linear::result_of;
use super::rows::ops;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::ir::Ty;
use crate::value::{Array, Value};

ops! {
    /// A vector in the order that a function from two elements to an `Ordering` says; equal elements stay in order.
    SORT_BY = "sort_by", Exactly(2), sort_by_ty, WRITES, sort_by;
    /// The indices of a vector's elements in the order that `sort_by` gives them.
    SORT_ORDER = "sort_order", Exactly(2), sort_order_ty, WRITES, sort_order;
    /// The elements of a vector at indices, as a vector.
    GATHER = "gather", Exactly(2), gather_ty, FAILS, gather;
}

fn sort_by_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let ordering = ordering_ty();
    match (vector_elem(tys.args.first()), tys.args) {
        (Some(elem), [vector, f]) if result_of(*f, &[elem, elem], Some(ordering)) == Some(ordering) => {
            Ok(*vector)
        }
        _ => Err(TypeFault::takes("a vector `[T]` and a function from two `T`s to an `Ordering`")),
    }
}

fn sort_order_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    sort_by_ty(tys).map(|_| Ty::array(Ty::usize(), 1))
}

fn gather_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (vector_elem(tys.args.first()), tys.args) {
        (Some(_), [vector, places]) if vector_elem(Some(places)).is_some_and(is_index) => Ok(*vector),
        _ => Err(TypeFault::takes("a vector, and a vector of indices (`usize` or `i64`)")),
    }
}

fn sort_by<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [Value::Array(array), f] = args else { return Err(ill_typed("sort_by", args)) };
    reserve(cx, array.elem_ty(), array.len())?;
    let order = order(cx, f, array)?;
    Ok(Value::from(array.gather(order)))
}

fn sort_order<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [Value::Array(array), f] = args else { return Err(ill_typed("sort_order", args)) };
    Ok(Value::from(Array::from_vec(order(cx, f, array)?)))
}

fn gather<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [Value::Array(array), Value::Array(places)] = args else { return Err(ill_typed("gather", args)) };
    reserve(cx, array.elem_ty(), places.len())?;
    let places = places.iter().map(|place| index("gather", &place, array.len()));
    let places = places.collect::<Result<Vec<_>, _>>()?;
    Ok(Value::from(array.gather(places)))
}

/// Merges from the bottom up. Whatever the function answers, each element comes out once: an order that contradicts
/// itself gives some order, a failure ends it.
fn order<'a>(cx: &mut OpCx<'_, 'a>, f: &Value<'a>, array: &Array<'a>) -> Result<Vec<usize>, Failure> {
    let len = array.len();
    reserve(cx, Ty::usize(), len.saturating_mul(2))?;
    let mut order: Vec<usize> = (0..len).collect();
    let mut merged = Vec::with_capacity(len);
    let mut width = 1;
    while width < len {
        merged.clear();
        for run in order.chunks(2 * width) {
            let (left, right) = run.split_at(width.min(run.len()));
            merge(cx, f, array, left, right, &mut merged)?;
        }
        std::mem::swap(&mut order, &mut merged);
        width *= 2;
    }
    Ok(order)
}

fn merge<'a>(
    cx: &mut OpCx<'_, 'a>,
    f: &Value<'a>,
    array: &Array<'a>,
    mut left: &[usize],
    mut right: &[usize],
    merged: &mut Vec<usize>,
) -> Result<(), Failure> {
    // Runs that follow each other already are the common case of an array that is nearly sorted.
    if let (Some(last), Some(first)) = (left.last(), right.first())
        && !is_greater(cx, f, array, *last, *first)?
    {
        merged.extend_from_slice(left);
        merged.extend_from_slice(right);
        return Ok(());
    }
    while let (Some(x), Some(y)) = (left.first(), right.first()) {
        if is_greater(cx, f, array, *x, *y)? {
            merged.push(*y);
            right = &right[1..];
        } else {
            merged.push(*x);
            left = &left[1..];
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    Ok(())
}

fn is_greater<'a>(
    cx: &mut OpCx<'_, 'a>,
    f: &Value<'a>,
    array: &Array<'a>,
    x: usize,
    y: usize,
) -> Result<bool, Failure> {
    const GREATER: u32 = 2;
    let (x, y) = array.get(x).zip(array.get(y)).ok_or_else(|| mistyped("sort_by"))?;
    match cx.machine.call(f, vec![x, y])? {
        Value::Composite(ordering) => Ok(ordering.tag == GREATER),
        _ => Err(mistyped("sort_by")),
    }
}
