//! Reductions of numeric arrays to sums, products, means, extrema and norms: of all elements, or along an
//! axis.
//!
//! Sums and products of floats are ndarray's own, whose order of additions depends on the memory layout;
//! those of integers go from left to right and fail on overflow.

use ndarray::{ArrayViewD, Axis, IxDyn};

use super::array::{mistyped, reserve};
use super::array_edit::update;
use super::host_types::{domain, ill_typed};
use super::macros::ops;
use super::nd::{diagonal, number, numbers, zeros_or};
use super::nd_axes::{axis_of, const_axis, part_at, without_axis};
use super::{ADD, MAX, MIN, MUL, OpCx, OpDef, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::{ArrayTy, Ty, TyKind};
use crate::value::{Array, Scalar, Strided, Value};

ops! {
    /// The sum of all elements.
    ND_SUM = "nd.sum", Exactly(1), elem_ty, FAILS, |cx, args| reduce_all("nd.sum", Reduction::Sum, cx, args);
    /// The product of all elements.
    ND_PRODUCT = "nd.product", Exactly(1), elem_ty, FAILS,
        |cx, args| reduce_all("nd.product", Reduction::Product, cx, args);
    /// The mean of all elements of an array that is not empty.
    ND_MEAN = "nd.mean", Exactly(1), float_elem_ty, FAILS,
        |cx, args| reduce_all("nd.mean", Reduction::Mean, cx, args);
    /// The smallest element of an array that is not empty; of floats, one that is a number.
    ND_MIN = "nd.min", Exactly(1), elem_ty, FAILS, |cx, args| reduce_all("nd.min", Reduction::Min, cx, args);
    /// The largest element of an array that is not empty; of floats, one that is a number.
    ND_MAX = "nd.max", Exactly(1), elem_ty, FAILS, |cx, args| reduce_all("nd.max", Reduction::Max, cx, args);
    /// The sums along an axis.
    ND_SUM_AXIS = "nd.sum_axis", Exactly(2), axis_ty, FAILS,
        |cx, args| reduce_axis("nd.sum_axis", Reduction::Sum, cx, args);
    /// The products along an axis.
    ND_PRODUCT_AXIS = "nd.product_axis", Exactly(2), axis_ty, FAILS,
        |cx, args| reduce_axis("nd.product_axis", Reduction::Product, cx, args);
    /// The means along an axis, which must not be empty.
    ND_MEAN_AXIS = "nd.mean_axis", Exactly(2), float_axis_ty, FAILS,
        |cx, args| reduce_axis("nd.mean_axis", Reduction::Mean, cx, args);
    /// The smallest elements along an axis, which must not be empty.
    ND_MIN_AXIS = "nd.min_axis", Exactly(2), axis_ty, FAILS,
        |cx, args| reduce_axis("nd.min_axis", Reduction::Min, cx, args);
    /// The largest elements along an axis, which must not be empty.
    ND_MAX_AXIS = "nd.max_axis", Exactly(2), axis_ty, FAILS,
        |cx, args| reduce_axis("nd.max_axis", Reduction::Max, cx, args);
    /// The cumulative sums of an array along an axis.
    ND_CUMSUM = "nd.cumsum", Exactly(2), cumsum_ty, FAILS, cumsum;
    /// The sum of the diagonal of a square matrix, from left to right.
    ND_TRACE = "nd.trace", Exactly(1), trace_ty, FAILS, trace;
    /// The sum of the magnitudes, from left to right.
    ND_NORM_L1 = "nd.norm_l1", Exactly(1), float_elem_ty, PURE,
        |_, args| norm("nd.norm_l1", args, |m, x| m + x.abs(), |m| m, |m, x| m + x.abs(), |m| m);
    /// The square root of the sum of the squares, added from left to right.
    ND_NORM_L2 = "nd.norm_l2", Exactly(1), float_elem_ty, PURE,
        |_, args| norm("nd.norm_l2", args, |m, x| m + x * x, f64::sqrt, |m, x| m + x * x, f32::sqrt);
    /// The largest magnitude; 0 if there is none.
    ND_NORM_MAX = "nd.norm_max", Exactly(1), float_elem_ty, PURE,
        |_, args| norm("nd.norm_max", args,
            |m, x| if m > x.abs() { m } else { x.abs() }, |m| m, |m, x| if m > x.abs() { m } else { x.abs() }, |m| m);
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reduction {
    Sum,
    Product,
    Mean,
    Min,
    Max,
}

impl Reduction {
    /// The operation that combines two elements.
    fn op(self) -> &'static OpDef {
        match self {
            Reduction::Sum | Reduction::Mean => &ADD,
            Reduction::Product => &MUL,
            Reduction::Min => &MIN,
            Reduction::Max => &MAX,
        }
    }

    /// The result for no elements.
    fn start<'a>(self, elem: Ty) -> Option<Value<'a>> {
        match self {
            Reduction::Sum => number(elem, 0),
            Reduction::Product => number(elem, 1),
            Reduction::Mean | Reduction::Min | Reduction::Max => None,
        }
    }
}

fn one_of(tys: &OperandTys<'_>, operands: usize, holds: fn(Ty) -> bool) -> Option<ArrayTy> {
    numbers(tys.args.first()).filter(|array| tys.args.len() == operands && holds(array.elem))
}

fn is_float(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Float(_))
}

fn elem_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let array = one_of(tys, 1, Ty::is_number).ok_or_else(|| TypeFault::takes("an array of numbers"))?;
    Ok(array.elem)
}

fn float_elem_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let array = one_of(tys, 1, is_float).ok_or_else(|| TypeFault::takes("an array of floats"))?;
    Ok(array.elem)
}

fn axis_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let array = one_of(tys, 2, Ty::is_number).filter(|array| const_axis(tys, 1, array.rank).is_some());
    array
        .map(without_axis)
        .ok_or_else(|| TypeFault::takes("an array of numbers and one of its axes as a constant"))
}

fn float_axis_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let array = one_of(tys, 2, is_float).filter(|array| const_axis(tys, 1, array.rank).is_some());
    array
        .map(without_axis)
        .ok_or_else(|| TypeFault::takes("an array of floats and one of its axes as a constant"))
}

fn cumsum_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    axis_ty(tys).map(|_| tys.args[0])
}

fn trace_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let array = one_of(tys, 1, Ty::is_number).filter(|array| array.rank == 2);
    array.map(|array| array.elem).ok_or_else(|| TypeFault::takes("a matrix of numbers"))
}

/// The array as an ndarray view, if its elements are `T`s.
pub(super) fn seen<'s, T: Scalar>(array: &'s Array<'_>) -> Option<ArrayViewD<'s, T>> {
    ArrayViewD::from_shape(IxDyn(array.shape()), array.as_slice::<T>()?).ok()
}

/// The value of an ndarray array; its element if it has no axes.
pub(super) fn unseen<'a, T: Scalar>(array: ndarray::ArrayD<T>) -> Option<Value<'a>> {
    if array.ndim() == 0 {
        return array.first().map(|elem| elem.to_value());
    }
    let shape = array.shape().to_vec();
    let elems = array.iter().copied().collect();
    Array::from_vec(elems).reshape(&shape).map(Value::from)
}

/// Runs an operation on two values.
pub(super) fn apply<'a>(
    op: &OpDef,
    cx: &mut OpCx<'_, 'a>,
    ret: Ty,
    x: Value<'a>,
    y: Value<'a>,
) -> Evaluated<'a> {
    (op.eval)(&mut OpCx { ret, machine: &mut *cx.machine }, &mut [x, y])
}

#[cold]
fn of_nothing(op: &str) -> Failure {
    domain(format!("`{op}` of no elements"))
}

fn reduce_all<'a>(
    op: &'static str,
    reduction: Reduction,
    cx: &mut OpCx<'_, 'a>,
    args: &mut [Value<'a>],
) -> Evaluated<'a> {
    let [Value::Array(array)] = args else { return Err(ill_typed(op, args)) };
    macro_rules! floats {
        ($T:ident) => {
            if let Some(view) = seen::<$T>(array) {
                match reduction {
                    Reduction::Sum => return Ok(view.sum().to_value()),
                    Reduction::Product => return Ok(view.product().to_value()),
                    Reduction::Mean => return view.mean().map($T::to_value).ok_or_else(|| of_nothing(op)),
                    Reduction::Min | Reduction::Max => {}
                }
            }
        };
    }
    floats!(f64);
    floats!(f32);
    let elem = array.elem_ty();
    if !elem.is_number() {
        return Err(ill_typed(op, args));
    }
    let mut elems = array.iter();
    let first = reduction.start(elem).or_else(|| elems.next()).ok_or_else(|| of_nothing(op))?;
    elems.try_fold(first, |sum, x| apply(reduction.op(), cx, elem, sum, x))
}

fn reduce_axis<'a>(
    op: &'static str,
    reduction: Reduction,
    cx: &mut OpCx<'_, 'a>,
    args: &mut [Value<'a>],
) -> Evaluated<'a> {
    let [Value::Array(array), axis] = args else { return Err(ill_typed(op, args)) };
    let axis = axis_of(op, axis, array.rank())?;
    let (len, elem) = (array.shape()[axis], array.elem_ty());
    let Some(array_ty) = numbers(Some(&array.ty())) else { return Err(ill_typed(op, args)) };
    let ret = without_axis(array_ty);
    let rest = Strided::all(array.shape()).index_axis(axis, 0);
    reserve(cx, elem, rest.count().unwrap_or(usize::MAX))?;
    // The result is empty, so the axis, which may have any length, must not be iterated over.
    if len > 0 && array.is_empty() {
        return super::nd::reshaped(Array::empty(elem), &rest.shape);
    }
    macro_rules! floats {
        ($T:ident) => {
            if let Some(view) = seen::<$T>(array) {
                let reduced = match reduction {
                    Reduction::Sum => Some(view.sum_axis(Axis(axis))),
                    Reduction::Product => Some(view.product_axis(Axis(axis))),
                    Reduction::Mean => Some(view.mean_axis(Axis(axis)).ok_or_else(|| of_nothing(op))?),
                    Reduction::Min | Reduction::Max => None,
                };
                if let Some(reduced) = reduced {
                    return unseen(reduced).ok_or_else(|| mistyped(op));
                }
            }
        };
    }
    floats!(f64);
    floats!(f32);
    let mut parts = 0..len;
    let first = match (reduction.start(elem), rest.shape.is_empty()) {
        (Some(start), true) => start,
        (Some(start), false) => Value::from(zeros_or(op, cx, elem, &rest.shape, start)?),
        (None, _) => {
            let at = parts.next().ok_or_else(|| of_nothing(op))?;
            part_at(op, cx, array, axis, at)?
        }
    };
    parts.try_fold(first, |sum, at| {
        let part = part_at(op, cx, array, axis, at)?;
        apply(reduction.op(), cx, ret, sum, part)
    })
}

fn cumsum<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    const OP: &str = "nd.cumsum";
    update(OP, cx, args, |cx, array, rest| {
        let [axis] = rest else { return Ok(None) };
        let axis = axis_of(OP, axis, array.rank())?;
        let elem = array.elem_ty();
        let len = array.shape()[axis];
        let step: usize = array.shape()[axis + 1..].iter().product();
        // An element that is not the first along its axis is `step` after its predecessor.
        let follows = |at: usize| !(at / step).is_multiple_of(len);
        for at in (0..array.len()).filter(|at| follows(*at)) {
            let (Some(before), Some(x)) = (array.get(at - step), array.get(at)) else { return Ok(None) };
            let sum = apply(&ADD, cx, elem, before, x)?;
            if array.set(at, sum).is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    })
}

fn trace<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    const OP: &str = "nd.trace";
    let [Value::Array(matrix)] = args else { return Err(ill_typed(OP, args)) };
    let elem = matrix.elem_ty();
    let (Some(zero), [rows, columns]) = (number(elem, 0), matrix.shape()) else {
        return Err(ill_typed(OP, args));
    };
    if rows != columns {
        return Err(domain(format!("a matrix of shape {:?} has no trace", matrix.shape())));
    }
    let view = diagonal(matrix.shape());
    view.places().try_fold(zero, |sum, at| {
        let x = matrix.get(at).ok_or_else(|| mistyped(OP))?;
        apply(&ADD, cx, elem, sum, x)
    })
}

fn norm<'a>(
    op: &str,
    args: &[Value<'a>],
    f: fn(f64, f64) -> f64,
    last_f: fn(f64) -> f64,
    g: fn(f32, f32) -> f32,
    last_g: fn(f32) -> f32,
) -> Evaluated<'a> {
    let [Value::Array(array)] = args else { return Err(ill_typed(op, args)) };
    if let Some(elems) = array.as_slice::<f64>() {
        return Ok(Value::F64(last_f(elems.iter().copied().fold(0.0, f))));
    }
    if let Some(elems) = array.as_slice::<f32>() {
        return Ok(Value::F32(last_g(elems.iter().copied().fold(0.0, g))));
    }
    Err(ill_typed(op, args))
}
