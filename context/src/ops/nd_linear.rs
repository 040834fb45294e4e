//! Products of vectors and matrices, and elementwise application of functions.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, Axis, Ix1, Ix2};

use super::array::{mistyped, reserve, vector_elem};
use super::host_types::{domain, ill_typed};
use super::macros::ops;
use super::nd::{number, numbers};
use super::nd_reduce::{apply, seen, unseen};
use super::{ADD, MUL, OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::{Ty, TyKind};
use crate::value::{Array, Scalar, Shape, Value, elems_of};

ops! {
    structural;
    /// An array of the results of a function on each element, called in row-major order.
    ND_MAP = "nd.map", Exactly(2), map_ty, WRITES, map;
    /// An array of the results of a function on corresponding elements of two arrays of one shape, called in
    /// row-major order.
    ND_ZIP_MAP = "nd.zip_map", Exactly(3), zip_map_ty, WRITES, zip_map;
}

ops! {
    /// The product of vectors (a number), of a matrix and a vector (a vector), or of matrices.
    ND_DOT = "nd.dot", Exactly(2), dot_ty, FAILS, dot;
    /// The outer product of two vectors, a matrix.
    ND_OUTER = "nd.outer", Exactly(2), outer_ty, FAILS, outer;
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

fn dot_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let fault = || TypeFault::takes("two vectors or matrices of one type of numbers");
    let (Some(a), Some(b), 2) = (numbers(tys.args.first()), numbers(tys.args.get(1)), tys.args.len()) else {
        return Err(fault());
    };
    match (a.rank, b.rank) {
        _ if a.elem != b.elem => Err(fault()),
        (1, 1) => Ok(a.elem),
        (1, 2) | (2, 1) => Ok(Ty::array(a.elem, 1)),
        (2, 2) => Ok(Ty::array(a.elem, 2)),
        _ => Err(fault()),
    }
}

fn outer_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (vector_elem(tys.args.first()), tys.args) {
        (Some(elem), [a, b]) if a == b && elem.is_number() => Ok(Ty::array(elem, 2)),
        _ => Err(TypeFault::takes("two vectors of one type of numbers")),
    }
}

/// The result type of calling a function with arguments of these types, unless it is only known from the
/// program.
pub(super) fn result_of(callee: Ty, args: &[Ty], declared: Option<Ty>) -> Option<Ty> {
    match callee.kind() {
        TyKind::Fn(func) if *func.params == *args => Some(func.ret),
        TyKind::Closure(_) => declared,
        _ => None,
    }
}

fn map_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let fault =
        || TypeFault::takes("an array and a function of its elements; for a closure, a declared type");
    let ([_, f], Some(array)) = (tys.args, tys.args.first().and_then(|ty| ty.as_array())) else {
        return Err(fault());
    };
    let declared = tys.declared.and_then(|ty| ty.as_array()).filter(|ret| ret.rank == array.rank);
    let ret = result_of(*f, &[array.elem], declared.map(|ret| ret.elem)).ok_or_else(fault)?;
    Ok(Ty::array(ret, array.rank))
}

fn zip_map_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let fault = || {
        TypeFault::takes(
            "two arrays of as many axes and a function of their elements; for a closure, a declared type",
        )
    };
    let [a, b, f] = tys.args else { return Err(fault()) };
    let (Some(a), Some(b)) = (a.as_array(), b.as_array()) else { return Err(fault()) };
    let declared = tys.declared.and_then(|ty| ty.as_array()).filter(|ret| ret.rank == a.rank);
    match result_of(*f, &[a.elem, b.elem], declared.map(|ret| ret.elem)) {
        Some(ret) if a.rank == b.rank => Ok(Ty::array(ret, a.rank)),
        _ => Err(fault()),
    }
}

#[cold]
fn incompatible(a: &[usize], b: &[usize]) -> Failure {
    domain(format!("arrays of shapes {a:?} and {b:?} are not compatible for multiplication"))
}

fn dot<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(a), Value::Array(b)] = args else { return Err(ill_typed("nd.dot", args)) };
    let (inner, shape) = match (a.shape(), b.shape()) {
        ([k], [l]) if k == l => (*k, Shape::new()),
        ([m, k], [l]) if k == l => (*k, Shape::from_slice(&[*m])),
        ([k], [l, n]) if k == l => (*k, Shape::from_slice(&[*n])),
        ([m, k], [l, n]) if k == l => (*k, Shape::from_slice(&[*m, *n])),
        (a, b) => return Err(incompatible(a, b)),
    };
    reserve(cx, a.elem_ty(), elems_of(&shape).unwrap_or(usize::MAX))?;
    if let Some(product) = float_dot::<f64>(cx, a, b).or_else(|| float_dot::<f32>(cx, a, b)) {
        return product;
    }
    int_dot(cx, a, b, inner, &shape)
}

/// The product as ndarray computes it, of shapes that fit.
fn float_dot<'a, T: Scalar + ndarray::LinalgScalar>(
    cx: &mut OpCx<'_, 'a>,
    a: &Array<'a>,
    b: &Array<'a>,
) -> Option<Evaluated<'a>> {
    let (a, b) = (seen::<T>(a)?, seen::<T>(b)?);
    match (a.ndim(), b.ndim()) {
        (1, 1) => {
            let product = a.into_dimensionality::<Ix1>().ok()?.dot(&b.into_dimensionality::<Ix1>().ok()?);
            Some(Ok(product.to_value()))
        }
        (1, 2) => {
            let product = a.into_dimensionality::<Ix1>().ok()?.dot(&b.into_dimensionality::<Ix2>().ok()?);
            unseen(product.into_dyn()).map(Ok)
        }
        (2, 1) => {
            let product = a.into_dimensionality::<Ix2>().ok()?.dot(&b.into_dimensionality::<Ix1>().ok()?);
            unseen(product.into_dyn()).map(Ok)
        }
        _ => {
            let (a, b) = (a.into_dimensionality::<Ix2>().ok()?, b.into_dimensionality::<Ix2>().ok()?);
            match matrix_dot(cx, a, b) {
                Ok(product) => unseen(product.into_dyn()).map(Ok),
                Err(failure) => Some(Err(failure)),
            }
        }
    }
}

/// The product of matrices; a large one is computed by blocks of rows, between which the run may be stopped.
/// The elements of a row do not depend on the division into blocks.
fn matrix_dot<T: ndarray::LinalgScalar>(
    cx: &mut OpCx<'_, '_>,
    a: ArrayView2<'_, T>,
    b: ArrayView2<'_, T>,
) -> Result<Array2<T>, Failure> {
    /// The number of scalar multiplications per block: some milliseconds of work.
    const AT_ONCE: usize = 1 << 26;
    /// The number of rows per block is a multiple of this, the tile height of the kernels of
    /// `matrixmultiply`.
    const ROWS: usize = 64;
    let each = a.ncols().saturating_mul(b.ncols()).max(1);
    if a.nrows().saturating_mul(each) <= AT_ONCE {
        return Ok(a.dot(&b));
    }
    let rows = (AT_ONCE / each / ROWS).max(1) * ROWS;
    let mut product = Array2::zeros((a.nrows(), b.ncols()));
    let blocks = a.axis_chunks_iter(Axis(0), rows);
    for (block, mut out) in blocks.zip(product.axis_chunks_iter_mut(Axis(0), rows)) {
        cx.machine.check()?;
        general_mat_mul(T::one(), &block, &b, T::zero(), &mut out);
    }
    Ok(product)
}

/// The product of integers: from left to right, so that it fails where Rust's does.
fn int_dot<'a>(
    cx: &mut OpCx<'_, 'a>,
    a: &Array<'a>,
    b: &Array<'a>,
    inner: usize,
    shape: &[usize],
) -> Evaluated<'a> {
    const OP: &str = "nd.dot";
    let elem = a.elem_ty();
    let zero = number(elem, 0).filter(|_| b.elem_ty() == elem).ok_or_else(|| mistyped(OP))?;
    let columns = if b.rank() == 2 { b.shape()[1] } else { 1 };
    let mut product = Array::empty(elem);
    for at in 0..elems_of(shape).unwrap_or(0) {
        let (row, column) = (at / columns.max(1), at % columns.max(1));
        if column == 0 {
            cx.machine.check()?;
        }
        let mut sum = zero.clone();
        for k in 0..inner {
            let (x, y) = (a.get(row * inner + k), b.get(k * columns + column));
            let (x, y) = x.zip(y).ok_or_else(|| mistyped(OP))?;
            let term = apply(&MUL, cx, elem, x, y)?;
            sum = apply(&ADD, cx, elem, sum, term)?;
        }
        product.push(sum).ok_or_else(|| mistyped(OP))?;
    }
    if shape.is_empty() {
        return product.get(0).ok_or_else(|| mistyped(OP));
    }
    super::nd::reshaped(product, shape)
}

fn outer<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(a), Value::Array(b)] = args else { return Err(ill_typed("nd.outer", args)) };
    let (m, n, elem) = (a.len(), b.len(), a.elem_ty());
    let column = Array::clone(a).reshape(&[m, 1]).ok_or_else(|| mistyped("nd.outer"))?;
    let row = Array::clone(b).reshape(&[1, n]).ok_or_else(|| mistyped("nd.outer"))?;
    apply(&MUL, cx, Ty::array(elem, 2), Value::from(column), Value::from(row))
}

fn map<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(array), f] = args else { return Err(ill_typed("nd.map", args)) };
    mapped("nd.map", cx, f, array.shape(), array.iter().map(|x| vec![x]))
}

fn zip_map<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(a), Value::Array(b), f] = args else { return Err(ill_typed("nd.zip_map", args)) };
    if a.shape() != b.shape() {
        return Err(domain(format!("incompatible shapes: {:?} and {:?}", a.shape(), b.shape())));
    }
    mapped("nd.zip_map", cx, f, a.shape(), a.iter().zip(b.iter()).map(|(x, y)| vec![x, y]))
}

/// An array of this shape of the results of `f` on these arguments.
fn mapped<'a>(
    op: &str,
    cx: &mut OpCx<'_, 'a>,
    f: &Value<'a>,
    shape: &[usize],
    args: impl ExactSizeIterator<Item = Vec<Value<'a>>>,
) -> Evaluated<'a> {
    let Some(ret) = cx.ret.as_array() else { return Err(mistyped(op)) };
    reserve(cx, ret.elem, args.len())?;
    let mut results = Array::empty(ret.elem);
    for args in args {
        let result = cx.machine.call(f, args)?;
        results.push(result).ok_or_else(|| mistyped(op))?;
    }
    super::nd::reshaped(results, shape)
}
