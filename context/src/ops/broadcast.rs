//! Elementwise arithmetic and float functions on arrays.
//!
//! Arrays of different shapes are broadcast as in ndarray: shapes are aligned at their last axes, and an axis
//! of length 1, or an absent one, is repeated. Scalars are repeated for every element.

use std::sync::Arc;

use super::array::{mistyped, reserve};
use super::host_types::ill_typed;
use super::{OpCx, OpDef, OperandTys, TypeFault, TypeRule};
use crate::failure::{Failure, FailureKind};
use crate::types::Ty;
use crate::value::{Array, Scalar, Shape, Strided, Value, elems_of};

/// The kernel by which an operation computes float elements, if all its operands are floats of one type.
#[derive(Clone, Copy)]
pub(super) enum Kernel {
    /// A function of one float.
    One(fn(f64) -> f64, fn(f32) -> f32),
    /// A function of two floats.
    Two(fn(f64, f64) -> f64, fn(f32, f32) -> f32),
    /// A function of three floats.
    Three(fn(f64, f64, f64) -> f64, fn(f32, f32, f32) -> f32),
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

/// The type rule of an operation on operands of which at least one is an array, from its rule for scalars.
pub(super) fn ty(scalars: TypeRule, tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let arrays = tys.args.iter().filter_map(|ty| ty.as_array());
    let Some(rank) = arrays.map(|array| array.rank).max() else { return scalars(tys) };
    let elems: Vec<Ty> = tys.args.iter().map(|ty| ty.as_array().map_or(*ty, |array| array.elem)).collect();
    let declared = tys.declared.and_then(|ty| ty.as_array()).map(|array| array.elem);
    match scalars(&OperandTys { args: &elems, consts: tys.consts, declared }) {
        Ok(elem) => Ok(Ty::array(elem, rank)),
        Err(fault) => Err(TypeFault::takes(format!("{}, or arrays of such", fault.takes))),
    }
}

/// Evaluates `op` on operands of which at least one is an array; elements that are not floats are computed by
/// its scalar evaluator.
pub(super) fn eval<'a>(
    op: &'static OpDef,
    kernel: Option<Kernel>,
    cx: &mut OpCx<'_, 'a>,
    args: &mut [Value<'a>],
) -> Evaluated<'a> {
    let (Some(shape), Some(ret)) = (common_shape(args)?, cx.ret.as_array()) else {
        return Err(ill_typed(op.name, args));
    };
    for arg in args.iter_mut() {
        if let Value::Array(array) = arg
            && array.shape() != shape.as_slice()
        {
            *arg = Value::from(broadcast_to(cx, array, &shape)?);
        }
    }
    match kernel {
        Some(Kernel::One(f, g)) => {
            if let Some(result) = one::<f64>(cx, args, f)? {
                return Ok(result);
            }
            if let Some(result) = one::<f32>(cx, args, g)? {
                return Ok(result);
            }
        }
        Some(Kernel::Two(f, g)) => {
            if let Some(result) = two::<f64>(cx, args, f)? {
                return Ok(result);
            }
            if let Some(result) = two::<f32>(cx, args, g)? {
                return Ok(result);
            }
        }
        Some(Kernel::Three(f, g)) => {
            if let Some(result) = three::<f64>(cx, args, f)? {
                return Ok(result);
            }
            if let Some(result) = three::<f32>(cx, args, g)? {
                return Ok(result);
            }
        }
        None => {}
    }
    by_element(op, cx, args, &shape, ret.elem)
}

/// The common shape of the arrays among the operands; none if there are none.
fn common_shape(args: &[Value<'_>]) -> Result<Option<Shape>, Failure> {
    let mut common: Option<Shape> = None;
    for array in args.iter().filter_map(Value::as_array) {
        common = Some(match common {
            None => array.shape().into(),
            Some(shape) => joined(&shape, array.shape()).ok_or_else(|| misfit(array.shape(), &shape))?,
        });
    }
    Ok(common)
}

/// The common shape of arrays of two shapes.
fn joined(a: &[usize], b: &[usize]) -> Option<Shape> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut shape = Shape::from_slice(long);
    let leading = long.len() - short.len();
    for (axis, &len) in shape[leading..].iter_mut().zip(short) {
        match (*axis, len) {
            (x, y) if x == y => {}
            (1, y) => *axis = y,
            (_, 1) => {}
            _ => return None,
        }
    }
    Some(shape)
}

/// A failure for an array that cannot be repeated into a shape.
#[cold]
pub(super) fn misfit(from: &[usize], to: &[usize]) -> Failure {
    let message = format!("could not broadcast array from shape: {from:?} to: {to:?}");
    Failure::new(FailureKind::Domain, message)
}

/// The array repeated along its axes of length 1, and along new leading axes, to this shape.
pub(super) fn broadcast_to<'a>(
    cx: &mut OpCx<'_, 'a>,
    array: &Array<'a>,
    shape: &[usize],
) -> Result<Array<'a>, Failure> {
    if joined(shape, array.shape()).is_none_or(|joined| joined.as_slice() != shape) {
        return Err(misfit(array.shape(), shape));
    }
    let len = elems_of(shape).unwrap_or(usize::MAX);
    reserve(cx, array.elem_ty(), len)?;
    let strided = Strided::all(array.shape());
    let leading = shape.len() - array.rank();
    let steps = (0..shape.len()).map(|axis| match axis.checked_sub(leading) {
        Some(axis) if array.shape()[axis] > 1 => strided.steps[axis],
        _ => 0,
    });
    let view = Strided { start: 0, shape: shape.into(), steps: steps.collect() };
    array.strided(&view).ok_or_else(|| misfit(array.shape(), shape))
}

/// An operand by element: an array, or one scalar for all elements.
enum Side<'s, T> {
    Elems(&'s [T]),
    Scalar(T),
}

impl<'s, T: Scalar> Side<'s, T> {
    fn of(value: &'s Value<'_>) -> Option<Side<'s, T>> {
        match value {
            Value::Array(array) => array.as_slice().map(Side::Elems),
            scalar => T::of_value(scalar).map(Side::Scalar),
        }
    }

    fn at(&self, at: usize) -> T {
        match self {
            Side::Elems(elems) => elems[at],
            Side::Scalar(x) => *x,
        }
    }
}

/// Replaces every element of the array `target`: in place if it has no other owner.
fn rewrite<'a, T: Scalar>(
    cx: &mut OpCx<'_, 'a>,
    target: &mut Value<'a>,
    f: impl Fn(usize, T) -> T,
) -> Result<Option<Value<'a>>, Failure> {
    let Value::Array(array) = target else { return Ok(None) };
    if array.as_slice::<T>().is_none() {
        return Ok(None);
    }
    let array = Arc::make_mut(array);
    cx.machine.reserve(array.bytes_to_write())?;
    if let Some(elems) = array.to_mut::<T>() {
        elems.iter_mut().enumerate().for_each(|(at, x)| *x = f(at, *x));
    }
    Ok(Some(target.take()))
}

fn one<'a, T: Scalar>(
    cx: &mut OpCx<'_, 'a>,
    args: &mut [Value<'a>],
    f: fn(T) -> T,
) -> Result<Option<Value<'a>>, Failure> {
    match args {
        [x] => rewrite(cx, x, |_, x| f(x)),
        _ => Ok(None),
    }
}

fn two<'a, T: Scalar>(
    cx: &mut OpCx<'_, 'a>,
    args: &mut [Value<'a>],
    f: fn(T, T) -> T,
) -> Result<Option<Value<'a>>, Failure> {
    let [x, y] = args else { return Ok(None) };
    // The result reuses an operand without another owner: the first if possible, otherwise the second.
    if is_unshared(x) || !is_unshared(y) && matches!(x, Value::Array(_)) {
        let Some(y) = Side::<T>::of(y) else { return Ok(None) };
        return rewrite(cx, x, |at, x| f(x, y.at(at)));
    }
    let Some(x) = Side::<T>::of(x) else { return Ok(None) };
    rewrite(cx, y, |at, y| f(x.at(at), y))
}

fn is_unshared(value: &Value<'_>) -> bool {
    matches!(value, Value::Array(array) if Arc::strong_count(array) == 1 && array.bytes_to_write() == 0)
}

fn three<'a, T: Scalar>(
    cx: &mut OpCx<'_, 'a>,
    args: &mut [Value<'a>],
    f: fn(T, T, T) -> T,
) -> Result<Option<Value<'a>>, Failure> {
    let [x, y, z] = args else { return Ok(None) };
    let shape = [&*x, &*y, &*z].iter().find_map(|arg| arg.as_array().map(|array| Shape::from(array.shape())));
    let (Some(x), Some(y), Some(z), Some(shape)) = (Side::<T>::of(x), Side::of(y), Side::of(z), shape) else {
        return Ok(None);
    };
    let len = elems_of(&shape).unwrap_or(usize::MAX);
    reserve(cx, T::scalar_ty(), len)?;
    let elems: Vec<T> = (0..len).map(|at| f(x.at(at), y.at(at), z.at(at))).collect();
    Ok(Array::from_vec(elems).reshape(&shape).map(Value::from))
}

/// Computes every element by the evaluator of `op`.
fn by_element<'a>(
    op: &'static OpDef,
    cx: &mut OpCx<'_, 'a>,
    args: &[Value<'a>],
    shape: &[usize],
    elem: Ty,
) -> Evaluated<'a> {
    let len = elems_of(shape).unwrap_or(usize::MAX);
    reserve(cx, elem, len)?;
    let mut elems = Array::empty(elem);
    let mut operands: Vec<Value<'a>> = Vec::with_capacity(args.len());
    for at in 0..len {
        operands.clear();
        for arg in args {
            operands.push(match arg {
                Value::Array(array) => array.get(at).ok_or_else(|| mistyped(op.name))?,
                scalar => scalar.clone(),
            });
        }
        let value = (op.eval)(&mut OpCx { ret: elem, machine: &mut *cx.machine }, &mut operands)?;
        elems.push(value).ok_or_else(|| mistyped(op.name))?;
    }
    elems.reshape(shape).map(Value::from).ok_or_else(|| mistyped(op.name))
}
