//! Arrays of any number of axes: permuting, slicing, indexing and concatenating axes, as in ndarray.

use smallvec::SmallVec;

use super::array::{bounds, is_index, length, mistyped, reserve, vector_elem};
use super::array_edit::update;
use super::host_types::{domain, ill_typed};
use super::macros::ops;
use super::nd::{diagonal, moved_array, number, numbers, zeros_or};
use super::type_rules::const_index;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::{ArrayTy, Ty};
use crate::value::{Array, Shape, Strided, Value};

ops! {
    structural;
    /// An array with its axes in the opposite order.
    ND_TRANSPOSE = "nd.transpose", Exactly(1), same_ty, PURE, transpose;
    /// An array with its axes in the order that the constant operands name.
    ND_PERMUTE = "nd.permute", AtLeast(2), permute_ty, FAILS, permute;
    /// Every step-th part of an array along an axis, from an index up to, but excluding, another, sliced as
    /// in ndarray: negative indices count from the end, a negative step goes backwards.
    ND_SLICE_AXIS = "nd.slice_axis", Exactly(5), slice_axis_ty, FAILS, slice_axis;
    /// The part of an array at an index of an axis, with one axis less; for a vector, the element.
    ND_INDEX_AXIS = "nd.index_axis", Exactly(3), index_axis_ty, FAILS, index_axis;
    /// An array with the part at an index of an axis replaced.
    ND_SET_AXIS = "nd.set_axis", Exactly(4), set_axis_ty, FAILS, set_axis;
    /// Arrays of one shape stacked along a new axis.
    ND_STACK = "nd.stack", AtLeast(2), stack_ty, FAILS, stack;
    /// Arrays concatenated along an axis.
    ND_CONCAT = "nd.concat", AtLeast(2), concat_ty, FAILS, concat;
    /// The diagonal of an array, as a vector.
    ND_DIAG = "nd.diag", Exactly(1), diag_ty, PURE, diag;
}

ops! {
    /// The square matrix with a vector on its diagonal and zeros elsewhere.
    ND_FROM_DIAG = "nd.from_diag", Exactly(1), from_diag_ty, FAILS, from_diag;
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

fn array_ty(tys: &OperandTys<'_>, operand: usize) -> Option<ArrayTy> {
    tys.args.get(operand)?.as_array()
}

/// The axis given by a constant operand, which must be less than the number of axes.
pub(super) fn const_axis(tys: &OperandTys<'_>, operand: usize, rank: u32) -> Option<u32> {
    u32::try_from(const_index(tys, operand)?).ok().filter(|axis| *axis < rank)
}

/// The type of an array with one axis less; the element type if there is only one axis.
pub(super) fn without_axis(array: ArrayTy) -> Ty {
    if array.rank == 1 { array.elem } else { Ty::array(array.elem, array.rank - 1) }
}

fn same_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [array] if array.as_array().is_some() => Ok(*array),
        _ => Err(TypeFault::takes("an array")),
    }
}

fn permute_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let fault = || TypeFault::takes("an array, and each of its axes once, as constants");
    let array = array_ty(tys, 0).ok_or_else(fault)?;
    let axes: Option<Vec<u32>> = (1..tys.args.len()).map(|k| const_axis(tys, k, array.rank)).collect();
    let mut axes = axes.ok_or_else(fault)?;
    axes.sort_unstable();
    if axes.into_iter().eq(0..array.rank) { Ok(tys.args[0]) } else { Err(fault()) }
}

fn slice_axis_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let fits = array_ty(tys, 0).is_some_and(|array| const_axis(tys, 1, array.rank).is_some());
    match tys.args {
        [array, _, range @ ..] if fits && range.iter().all(|ty| is_position(*ty)) => Ok(*array),
        _ => Err(TypeFault::takes(
            "an array, one of its axes as a constant, and from, to and step (`usize`, `isize` or `i64`)",
        )),
    }
}

fn is_position(ty: Ty) -> bool {
    is_index(ty) || ty == Ty::isize()
}

fn index_axis_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (array_ty(tys, 0), tys.args) {
        (Some(array), [_, _, at]) if is_index(*at) && const_axis(tys, 1, array.rank).is_some() => {
            Ok(without_axis(array))
        }
        _ => {
            Err(TypeFault::takes("an array, one of its axes as a constant, and an index (`usize` or `i64`)"))
        }
    }
}

fn set_axis_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (array_ty(tys, 0), tys.args) {
        (Some(array), [ty, _, at, part])
            if is_index(*at) && const_axis(tys, 1, array.rank).is_some() && *part == without_axis(array) =>
        {
            Ok(*ty)
        }
        _ => Err(TypeFault::takes(
            "an array, one of its axes as a constant, an index (`usize` or `i64`), and an array of one axis less",
        )),
    }
}

/// The type of the arrays in the operands after the axis, if they have the same one.
fn parts_ty(tys: &OperandTys<'_>) -> Option<ArrayTy> {
    let [_, first, rest @ ..] = tys.args else { return None };
    if rest.iter().all(|ty| ty == first) { first.as_array() } else { None }
}

fn stack_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match parts_ty(tys) {
        Some(part) if const_axis(tys, 0, part.rank + 1).is_some() => Ok(Ty::array(part.elem, part.rank + 1)),
        _ => Err(TypeFault::takes("a constant axis and arrays of one type")),
    }
}

fn concat_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match parts_ty(tys) {
        Some(part) if const_axis(tys, 0, part.rank).is_some() => Ok(tys.args[1]),
        _ => Err(TypeFault::takes("a constant axis and arrays of one type that has it")),
    }
}

fn diag_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [array] => array.as_array().map(|array| Ty::array(array.elem, 1)),
        _ => None,
    }
    .ok_or_else(|| TypeFault::takes("an array"))
}

fn from_diag_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (vector_elem(tys.args.first()), tys.args) {
        (Some(elem), [_]) if elem.is_number() => Ok(Ty::array(elem, 2)),
        _ => Err(TypeFault::takes("a vector of numbers")),
    }
}

/// The axis given by an operand, of an array with this number of axes.
pub(super) fn axis_of(op: &str, value: &Value<'_>, rank: usize) -> Result<usize, Failure> {
    value.as_index().filter(|axis| *axis < rank).ok_or_else(|| mistyped(op))
}

/// The elements of a view, as a new array.
fn viewed<'a>(op: &str, cx: &mut OpCx<'_, 'a>, array: &Array<'a>, view: &Strided) -> Evaluated<'a> {
    reserve(cx, array.elem_ty(), view.count().unwrap_or(usize::MAX))?;
    array.strided(view).map(Value::from).ok_or_else(|| mistyped(op))
}

fn transpose<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(array)] = args else { return Err(ill_typed("nd.transpose", args)) };
    if array.rank() == 1 {
        return Ok(args[0].take());
    }
    let mut view = Strided::all(array.shape());
    view.shape.reverse();
    view.steps.reverse();
    viewed("nd.transpose", cx, array, &view)
}

fn permute<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(array), axes @ ..] = args else { return Err(ill_typed("nd.permute", args)) };
    let rank = array.rank();
    let axes: Shape = axes.iter().map(|axis| axis_of("nd.permute", axis, rank)).collect::<Result<_, _>>()?;
    let all = Strided::all(array.shape());
    // A permutation names each axis once, so the view stays within the array.
    let mut sorted = axes.clone();
    sorted.sort_unstable();
    if !sorted.into_iter().eq(0..rank) {
        return Err(mistyped("nd.permute"));
    }
    let view = Strided {
        start: 0,
        shape: axes.iter().map(|axis| all.shape[*axis]).collect(),
        steps: axes.iter().map(|axis| all.steps[*axis]).collect(),
    };
    viewed("nd.permute", cx, array, &view)
}

fn slice_axis<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    const OP: &str = "nd.slice_axis";
    let [Value::Array(array), axis, from, to, step] = args else { return Err(ill_typed(OP, args)) };
    let axis = axis_of(OP, axis, array.rank())?;
    let len = array.shape()[axis];
    let position = |value: &Value<'_>| value.as_int().map(|(_, n)| n).ok_or_else(|| mistyped(OP));
    let from_end = |n: i128| if n < 0 { n + len as i128 } else { n };
    let (from, to, step) = (from_end(position(from)?), from_end(position(to)?), position(step)?);
    // An end before the start means an empty slice; one before the array does not, as in ndarray.
    let to = if to < 0 { to } else { to.max(from) };
    let within = |n: i128| usize::try_from(n).ok().filter(|n| *n <= len);
    let Some(from) = within(from) else {
        return Err(bounds(format!("Slice begin {from} is past end of axis of length {len}")));
    };
    let Some(to) = within(to) else {
        return Err(bounds(format!("Slice end {to} is past end of axis of length {len}")));
    };
    if step == 0 {
        return Err(domain("Slice stride must not be zero"));
    }
    if axis == 0 && step == 1 {
        let part = array.slice(from, to).ok_or_else(|| mistyped(OP))?;
        return Ok(Value::from(part));
    }
    let stride = usize::try_from(step.unsigned_abs()).unwrap_or(usize::MAX);
    let mut view = Strided::all(array.shape());
    let first = if step < 0 { to.saturating_sub(1) } else { from };
    let one = view.steps[axis];
    view.start = first.wrapping_mul(one.cast_unsigned());
    view.shape[axis] = (to - from).div_ceil(stride);
    let stride = isize::try_from(step).unwrap_or(0);
    // If only one part is taken, the step is irrelevant, and might overflow.
    view.steps[axis] = if view.shape[axis] <= 1 { 0 } else { one * stride };
    viewed(OP, cx, array, &view)
}

/// The part of an array at an index of an axis; for a vector, the element.
pub(super) fn part_at<'a>(
    op: &str,
    cx: &mut OpCx<'_, 'a>,
    array: &Array<'a>,
    axis: usize,
    at: usize,
) -> Evaluated<'a> {
    if array.rank() == 1 {
        return array.get(at).ok_or_else(|| mistyped(op));
    }
    if axis == 0 {
        return array.row(at).map(Value::from).ok_or_else(|| mistyped(op));
    }
    viewed(op, cx, array, &Strided::all(array.shape()).index_axis(axis, at))
}

fn index_axis<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    const OP: &str = "nd.index_axis";
    let [Value::Array(array), axis, at] = args else { return Err(ill_typed(OP, args)) };
    let axis = axis_of(OP, axis, array.rank())?;
    let at = super::array::index(OP, at, array.shape()[axis])?;
    part_at(OP, cx, array, axis, at)
}

fn set_axis<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    const OP: &str = "nd.set_axis";
    update(OP, cx, args, |_, array, rest| {
        let [axis, at, part] = rest else { return Ok(None) };
        let axis = axis_of(OP, axis, array.rank())?;
        let at = super::array::index(OP, at, array.shape()[axis])?;
        if array.rank() == 1 {
            return Ok(array.set(at, part.take()));
        }
        let Value::Array(part) = part else { return Ok(None) };
        let view = Strided::all(array.shape()).index_axis(axis, at);
        if view.shape.as_slice() != part.shape() {
            return Err(super::broadcast::misfit(part.shape(), &view.shape));
        }
        if axis == 0 && !part.is_empty() {
            return Ok(array.set_slice(view.start, part));
        }
        Ok(array.scatter(&view, part))
    })
}

/// The arrays in the operands.
fn arrays<'a>(op: &str, args: &mut [Value<'a>]) -> Result<Vec<Array<'a>>, Failure> {
    args.iter_mut().map(|arg| moved_array(op, arg)).collect()
}

fn stack<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    const OP: &str = "nd.stack";
    let Some((axis, parts)) = args.split_first_mut() else { return Err(mistyped(OP)) };
    let parts = arrays(OP, parts)?;
    let Some(first) = parts.first() else { return Err(mistyped(OP)) };
    let axis = axis_of(OP, axis, first.rank() + 1)?;
    let shape = Shape::from_slice(first.shape());
    if let Some(other) = parts.iter().find(|part| part.shape() != shape.as_slice()) {
        return Err(domain(format!("incompatible shapes: {shape:?} and {:?}", other.shape())));
    }
    let mut longer = shape;
    longer.insert(axis, 1);
    let parts: Option<Vec<_>> = parts.into_iter().map(|part| part.reshape(&longer)).collect();
    joined(OP, cx, axis, &parts.ok_or_else(|| mistyped(OP))?)
}

fn concat<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    const OP: &str = "nd.concat";
    let Some((axis, parts)) = args.split_first_mut() else { return Err(mistyped(OP)) };
    let parts = arrays(OP, parts)?;
    let Some(first) = parts.first() else { return Err(mistyped(OP)) };
    let axis = axis_of(OP, axis, first.rank())?;
    joined(OP, cx, axis, &parts)
}

/// These arrays concatenated along an axis.
fn joined<'a>(op: &str, cx: &mut OpCx<'_, 'a>, axis: usize, parts: &[Array<'a>]) -> Evaluated<'a> {
    let Some(first) = parts.first() else { return Err(mistyped(op)) };
    let mut shape = Shape::from_slice(first.shape());
    shape[axis] = 0;
    for part in parts {
        let part_shape = part.shape();
        if part_shape.len() != shape.len()
            || (0..part_shape.len()).any(|k| k != axis && part_shape[k] != shape[k])
        {
            return Err(domain(format!("incompatible shapes: {:?} and {part_shape:?}", first.shape())));
        }
        shape[axis] = shape[axis].saturating_add(part_shape[axis]);
    }
    let len = parts.iter().fold(0usize, |len, part| len.saturating_add(part.len()));
    reserve(cx, first.elem_ty(), len)?;
    let rows: usize = if len == 0 { 0 } else { shape[..axis].iter().product() };
    let parts: Option<Vec<_>> = parts.iter().map(|part| part.clone().reshape(&[part.len()])).collect();
    let parts = parts.ok_or_else(|| mistyped(op))?;
    let mut elems = Array::empty(first.elem_ty());
    for row in 0..rows {
        for part in &parts {
            let width = part.len() / rows;
            let piece = part.slice(row * width, (row + 1) * width);
            piece.and_then(|piece| elems.append(&piece)).ok_or_else(|| mistyped(op))?;
        }
    }
    super::nd::reshaped(elems, &shape)
}

fn diag<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(array)] = args else { return Err(ill_typed("nd.diag", args)) };
    viewed("nd.diag", cx, array, &diagonal(array.shape()))
}

fn from_diag<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    const OP: &str = "nd.from_diag";
    let [Value::Array(vector)] = args else { return Err(ill_typed(OP, args)) };
    let Some(zero) = numbers(Some(&vector.ty())).and_then(|ty| number(ty.elem, 0)) else {
        return Err(ill_typed(OP, args));
    };
    let shape: SmallVec<[usize; 2]> = SmallVec::from_elem(length(OP, &Value::from(vector.len()))?, 2);
    let mut matrix = zeros_or(OP, cx, vector.elem_ty(), &shape, zero)?;
    matrix.scatter(&diagonal(&shape), vector).ok_or_else(|| mistyped(OP))?;
    Ok(Value::from(matrix))
}
