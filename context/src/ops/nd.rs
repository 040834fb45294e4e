//! Arrays of any number of axes: construction from shapes, reads and writes of elements.

use smallvec::SmallVec;

use super::array::{bounds, is_index, length, mistyped, reserve, vector_elem};
use super::array_edit::update;
use super::broadcast::broadcast_to;
use super::host_types::{domain, ill_typed};
use super::macros::ops;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::{Failure, FailureKind};
use crate::types::{ArrayTy, FloatTy, Ty, TyKind};
use crate::value::{Array, Shape, Strided, Value, elems_of};

ops! {
    structural;
    /// The lengths of an array's axes.
    ND_SHAPE = "nd.shape", Exactly(1), nd_shape_ty, PURE, nd_shape;
    /// An array of the declared type and the given shape, with every element equal to the value.
    ND_FULL = "nd.full", Exactly(2), full_ty, FAILS, full;
    /// An array of the declared type and the given shape, with the elements of a vector in row-major order.
    ND_FROM_ELEMS = "nd.from_elems", Exactly(2), from_elems_ty, FAILS, from_elems;
    /// The elements of an array in row-major order, as a vector.
    ND_ELEMS = "nd.elems", Exactly(1), elems_ty, PURE, elems;
    /// The elements of an array in another shape; the declared type specifies the number of axes.
    ND_RESHAPE = "nd.reshape", Exactly(2), reshape_ty, FAILS, reshape;
    /// An array broadcast to a shape as in ndarray; the declared type specifies the number of axes.
    ND_BROADCAST = "nd.broadcast", Exactly(2), reshape_ty, FAILS, broadcast;
    /// The element at the given indices, one for each axis.
    ND_GET = "nd.get", AtLeast(2), get_ty, FAILS, get;
    /// An array with the element at the given indices, one for each axis, replaced.
    ND_SET = "nd.set", AtLeast(3), set_ty, FAILS, set;
}

ops! {
    /// The square matrix of the declared type with ones on its diagonal.
    ND_EYE = "nd.eye", Exactly(1), eye_ty, FAILS, eye;
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

/// The array type, if its elements are numbers.
pub(super) fn numbers(ty: Option<&Ty>) -> Option<ArrayTy> {
    ty?.as_array().filter(|array| array.elem.is_number())
}

/// A number of a number type.
pub(super) fn number<'a>(ty: Ty, n: i8) -> Option<Value<'a>> {
    match ty.kind() {
        TyKind::Int(int) => Some(Value::int(*int, n.into())),
        TyKind::Float(FloatTy::F64) => Some(Value::F64(n.into())),
        TyKind::Float(FloatTy::F32) => Some(Value::F32(n.into())),
        _ => None,
    }
}

fn is_shape(ty: Ty) -> bool {
    vector_elem(Some(&ty)).is_some_and(is_index)
}

fn nd_shape_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [array] if array.as_array().is_some() => Ok(Ty::array(Ty::usize(), 1)),
        _ => Err(TypeFault::takes("an array")),
    }
}

fn full_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (tys.args, tys.declared) {
        ([shape, elem], Some(ty)) if is_shape(*shape) && ty.as_array().is_some_and(|ty| ty.elem == *elem) => {
            Ok(ty)
        }
        _ => Err(TypeFault::takes(
            "a shape (`[usize]` or `[i64]`) and a `T`, with a declared type of arrays of `T`",
        )),
    }
}

fn from_elems_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (tys.args, tys.declared, vector_elem(tys.args.first())) {
        ([_, shape], Some(ty), Some(elem))
            if is_shape(*shape) && ty.as_array().is_some_and(|ty| ty.elem == elem) =>
        {
            Ok(ty)
        }
        _ => Err(TypeFault::takes(
            "a vector of `T`s and a shape (`[usize]` or `[i64]`), with a declared type of arrays of `T`",
        )),
    }
}

fn elems_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [array] => array.as_array().map(|array| Ty::array(array.elem, 1)),
        _ => None,
    }
    .ok_or_else(|| TypeFault::takes("an array"))
}

fn reshape_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let elem = |ty: &Ty| ty.as_array().map(|array| array.elem);
    match (tys.args, tys.declared) {
        ([array, shape], Some(ty))
            if is_shape(*shape) && elem(array).is_some() && elem(array) == elem(&ty) =>
        {
            Ok(ty)
        }
        _ => Err(TypeFault::takes(
            "an array of `T`s and a shape (`[usize]` or `[i64]`), with a declared type of arrays of `T`",
        )),
    }
}

/// Whether there is one index for each axis.
fn are_indices(array: ArrayTy, at: &[Ty]) -> bool {
    u32::try_from(at.len()) == Ok(array.rank) && at.iter().all(|ty| is_index(*ty))
}

fn get_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (tys.args.first().and_then(|ty| ty.as_array()), tys.args) {
        (Some(array), [_, at @ ..]) if are_indices(array, at) => Ok(array.elem),
        _ => Err(TypeFault::takes("an array and an index (`usize` or `i64`) for each of its axes")),
    }
}

fn set_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (tys.args.first().and_then(|ty| ty.as_array()), tys.args) {
        (Some(array), [ty, at @ .., elem]) if are_indices(array, at) && *elem == array.elem => Ok(*ty),
        _ => Err(TypeFault::takes(
            "an array of `T`s, an index (`usize` or `i64`) for each of its axes, and a `T`",
        )),
    }
}

fn eye_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (tys.args, tys.declared) {
        ([n], Some(ty)) if is_index(*n) && numbers(Some(&ty)).is_some_and(|array| array.rank == 2) => Ok(ty),
        _ => {
            Err(TypeFault::takes("a length (`usize` or `i64`), with a declared type of matrices of numbers"))
        }
    }
}

/// The value of an operand as a shape, with as many axes as the result has.
fn shape_of(op: &str, cx: &OpCx<'_, '_>, value: &Value<'_>) -> Result<Shape, Failure> {
    let (Value::Array(lens), Some(ret)) = (value, cx.ret.as_array()) else { return Err(mistyped(op)) };
    let shape: Shape = lens.iter().map(|len| length(op, &len)).collect::<Result<_, _>>()?;
    if u32::try_from(shape.len()) != Ok(ret.rank) {
        return Err(domain(format!("the shape {shape:?} is not one of {} axes", ret.rank)));
    }
    if elems_of(&shape).is_none() {
        let message = "Shape too large, product of non-zero axis lengths overflows isize";
        return Err(Failure::new(FailureKind::MemoryLimit, message));
    }
    Ok(shape)
}

/// The array in another shape; fails if the sizes differ.
pub(super) fn reshaped<'a>(array: Array<'a>, shape: &[usize]) -> Evaluated<'a> {
    let old_shape = Shape::from_slice(array.shape());
    array.reshape(shape).map(Value::from).ok_or_else(|| {
        domain(format!("incompatible shapes: an array of shape {old_shape:?} has no shape {shape:?}"))
    })
}

fn nd_shape<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match args {
        [Value::Array(array)] => Ok(Value::from(Array::from_vec(array.shape().to_vec()))),
        _ => Err(ill_typed("nd.shape", args)),
    }
}

fn full<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [shape, value] = args else { return Err(ill_typed("nd.full", args)) };
    let shape = shape_of("nd.full", cx, shape)?;
    filled("nd.full", cx, &shape, value.take()).map(Value::from)
}

/// An array of the result's element type with this shape, filled with this value.
fn filled<'a>(
    op: &str,
    cx: &mut OpCx<'_, 'a>,
    shape: &[usize],
    value: Value<'a>,
) -> Result<Array<'a>, Failure> {
    let Some(ret) = cx.ret.as_array() else { return Err(mistyped(op)) };
    zeros_or(op, cx, ret.elem, shape, value)
}

/// An array of `elem`s with this shape, filled with this value.
pub(super) fn zeros_or<'a>(
    op: &str,
    cx: &mut OpCx<'_, 'a>,
    elem: Ty,
    shape: &[usize],
    value: Value<'a>,
) -> Result<Array<'a>, Failure> {
    let len = elems_of(shape).unwrap_or(usize::MAX);
    reserve(cx, elem, len)?;
    Array::repeat(elem, value, len).and_then(|array| array.reshape(shape)).ok_or_else(|| mistyped(op))
}

fn from_elems<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    reshape_operand("nd.from_elems", cx, args)
}

fn reshape<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    reshape_operand("nd.reshape", cx, args)
}

fn reshape_operand<'a>(op: &str, cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [array, shape] = args else { return Err(ill_typed(op, args)) };
    let shape = shape_of(op, cx, shape)?;
    reshaped(moved_array(op, array)?, &shape)
}

/// The array in an operand, moved out of it.
pub(super) fn moved_array<'a>(op: &str, operand: &mut Value<'a>) -> Result<Array<'a>, Failure> {
    match operand.take() {
        Value::Array(array) => Ok(std::sync::Arc::unwrap_or_clone(array)),
        _ => Err(mistyped(op)),
    }
}

fn elems<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [array] = args else { return Err(ill_typed("nd.elems", args)) };
    let array = moved_array("nd.elems", array)?;
    let len = array.len();
    reshaped(array, &[len])
}

fn broadcast<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [array, shape] = args else { return Err(ill_typed("nd.broadcast", args)) };
    let shape = shape_of("nd.broadcast", cx, shape)?;
    let array = moved_array("nd.broadcast", array)?;
    broadcast_to(cx, &array, &shape).map(Value::from)
}

/// The row-major index of the element at the given indices.
fn place(op: &str, shape: &[usize], at: &[Value<'_>]) -> Result<usize, Failure> {
    if shape.len() != at.len() {
        return Err(mistyped(op));
    }
    let mut place = 0;
    for (len, index) in shape.iter().zip(at) {
        match index.as_index() {
            Some(index) if index < *len => place = place * len + index,
            _ => return Err(out_of_shape(shape, at)),
        }
    }
    Ok(place)
}

#[cold]
fn out_of_shape(shape: &[usize], at: &[Value<'_>]) -> Failure {
    let at: SmallVec<[i128; 4]> = at.iter().map(|n| n.as_int().map_or(-1, |(_, n)| n)).collect();
    bounds(format!("index {at:?} is out of bounds for array of shape {shape:?}"))
}

fn get<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(array), at @ ..] = args else { return Err(ill_typed("nd.get", args)) };
    let place = place("nd.get", array.shape(), at)?;
    array.get(place).ok_or_else(|| mistyped("nd.get"))
}

fn set<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    update("nd.set", cx, args, |_, array, rest| {
        let [at @ .., value] = rest else { return Ok(None) };
        let place = place("nd.set", array.shape(), at)?;
        Ok(array.set(place, value.take()))
    })
}

fn eye<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [n] = args else { return Err(ill_typed("nd.eye", args)) };
    let n = length("nd.eye", n)?;
    let elem = cx.ret.as_array().map_or_else(Ty::never, |array| array.elem);
    let (Some(zero), Some(one)) = (number(elem, 0), number(elem, 1)) else {
        return Err(mistyped("nd.eye"));
    };
    let mut array = filled("nd.eye", cx, &[n, n], zero)?;
    for place in diagonal(&[n, n]).places() {
        array.set(place, one.clone()).ok_or_else(|| mistyped("nd.eye"))?;
    }
    Ok(Value::from(array))
}

/// The indices on the diagonal of an array of this shape.
pub(super) fn diagonal(shape: &[usize]) -> Strided {
    let all = Strided::all(shape);
    let len = shape.iter().copied().min().unwrap_or(0);
    let step = all.steps.iter().fold(0isize, |step, one| step.wrapping_add(*one));
    Strided { start: 0, shape: SmallVec::from_slice(&[len]), steps: SmallVec::from_slice(&[step]) }
}
