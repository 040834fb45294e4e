//! Sorting of vectors by a comparison function of the program.

use super::array::{index, is_index, mistyped, reserve, vector_elem};
use super::host_types::{ill_typed, ordering_ty};
use super::macros::ops;
use super::nd_linear::result_of;
use super::sorting::Plan;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::Ty;
use crate::value::{Array, Value};

ops! {
    structural;
    /// A vector sorted by a comparison, a function from two elements to an `Ordering`. Equal elements keep
    /// their order, unless a third operand, a `usize`, selects another sort: its lowest two bits are 0 for a
    /// stable sort, 1 for an unstable one, and 2 for a selection, which places the right element at the
    /// position given by a fourth operand; they are followed by a bit that is set if elements contain no
    /// cell, a bit that is set if they are `Copy`, and their size in bytes.
    SORT_BY = "sort_by", AtLeast(2), sort_by_ty, WRITES, sort_by;
    /// The indices of a vector's elements in the order of `sort_by`.
    SORT_ORDER = "sort_order", AtLeast(2), sort_order_ty, WRITES, sort_order;
    /// The elements of a vector at the given indices, as a vector.
    GATHER = "gather", Exactly(2), gather_ty, FAILS, gather;
}

fn sort_by_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let ordering = ordering_ty();
    match (vector_elem(tys.args.first()), tys.args) {
        (Some(elem), [vector, f, rest @ ..])
            if result_of(*f, &[elem, elem], Some(ordering)) == Some(ordering)
                && rest.len() <= 2
                && rest.iter().all(|ty| *ty == Ty::usize()) =>
        {
            Ok(*vector)
        }
        _ => Err(TypeFault::takes(
            "a vector `[T]`, a function from two `T`s to an `Ordering`, and if need be a plan and a position (`usize`s)",
        )),
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
    let [Value::Array(array), f, rest @ ..] = args else { return Err(ill_typed("sort_by", args)) };
    reserve(cx, array.elem_ty(), array.len())?;
    let order = order(cx, "sort_by", f, rest, array)?;
    Ok(Value::from(array.gather(order).with_capacity(array.capacity())))
}

fn sort_order<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [Value::Array(array), f, rest @ ..] = args else { return Err(ill_typed("sort_order", args)) };
    Ok(Value::from(Array::from_vec(order(cx, "sort_order", f, rest, array)?)))
}

fn gather<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [Value::Array(array), Value::Array(places)] = args else { return Err(ill_typed("gather", args)) };
    reserve(cx, array.elem_ty(), places.len())?;
    let places = places.iter().map(|place| index("gather", &place, array.len()));
    let places = places.collect::<Result<Vec<_>, _>>()?;
    Ok(Value::from(array.gather(places)))
}

/// Whatever the function returns, each element occurs once in the result: an inconsistent order yields some
/// permutation, or a failure, as in Rust.
fn order<'a>(
    cx: &mut OpCx<'_, 'a>,
    op: &'static str,
    f: &Value<'a>,
    rest: &[Value<'a>],
    array: &Array<'a>,
) -> Result<Vec<usize>, Failure> {
    const LESS: u32 = 0;
    let (plan, nth) = match rest {
        [] => (Plan::STABLE, 0),
        [plan, rest @ ..] => {
            let plan = plan.as_index().ok_or_else(|| mistyped(op))?;
            (Plan::of(plan as u64), rest.first().and_then(Value::as_index).unwrap_or(0))
        }
    };
    reserve(cx, Ty::usize(), array.len().saturating_mul(2))?;
    plan.order(array.len(), nth, &mut |x, y| {
        let (x, y) = array.get(x).zip(array.get(y)).ok_or_else(|| mistyped(op))?;
        match cx.machine.call(f, vec![x, y])? {
            Value::Composite(ordering) => Ok(ordering.tag == LESS),
            _ => Err(mistyped(op)),
        }
    })
}
