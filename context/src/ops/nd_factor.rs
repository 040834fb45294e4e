//! Inverse, solution and factorisation of square matrices, as in [`linalg`](crate::linalg).
//!
//! - FACTOR1 if the result does not exist (the operand is singular, or not positive definite), all its
//!   elements are NaN; testing the first one suffices. A matrix that is not square is a failure.

use ndarray::Ix2;

use super::array::{mistyped, reserve};
use super::host_types::{domain, ill_typed};
use super::macros::ops;
use super::nd_reduce::{seen, unseen};
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::linalg::{self, LinalgError, Real};
use crate::types::{ArrayTy, Ty, TyKind};
use crate::value::{Array, Scalar, Value};

ops! {
    /// The inverse of a square matrix; NaN if it is singular.
    ND_INV = "nd.inv", Exactly(1), matrix_ty, FAILS, inv;
    /// The `x` with `a · x = b`, for a vector `b` or the columns of a matrix; NaN if `a` is singular.
    ND_SOLVE = "nd.solve", Exactly(2), solve_ty, FAILS, solve;
    /// The determinant of a square matrix.
    ND_DET = "nd.det", Exactly(1), number_ty, FAILS, |cx, args| number("nd.det", cx, args);
    /// The logarithm of the magnitude of the determinant of a square matrix.
    ND_LN_DET = "nd.ln_det", Exactly(1), number_ty, FAILS, |cx, args| number("nd.ln_det", cx, args);
    /// The lower triangle `l` with `l · lᵀ = a`, of which only the lower triangle is read; NaN if there is
    /// none.
    ND_CHOLESKY = "nd.cholesky", Exactly(1), matrix_ty, FAILS, cholesky;
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

fn floats(ty: Option<&Ty>) -> Option<ArrayTy> {
    ty?.as_array().filter(|array| matches!(array.elem.kind(), TyKind::Float(_)))
}

fn matrix_of(tys: &OperandTys<'_>) -> Result<ArrayTy, TypeFault> {
    let matrix = floats(tys.args.first()).filter(|array| array.rank == 2);
    matrix.ok_or_else(|| TypeFault::takes("a matrix of floats"))
}

fn matrix_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    matrix_of(tys).map(|matrix| Ty::array(matrix.elem, 2))
}

fn number_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    matrix_of(tys).map(|matrix| matrix.elem)
}

fn solve_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let matrix = matrix_of(tys)?;
    let right = floats(tys.args.get(1)).filter(|right| right.elem == matrix.elem && right.rank <= 2);
    right
        .map(|right| Ty::array(right.elem, right.rank))
        .ok_or_else(|| TypeFault::takes("a matrix of floats, and a vector or matrix of such floats"))
}

/// The result that does not exist (FACTOR1).
fn no_matrix<T: Real>(
    found: Result<ndarray::Array2<T>, LinalgError>,
    shape: (usize, usize),
) -> Result<ndarray::Array2<T>, Failure> {
    match found {
        Err(LinalgError::Singular | LinalgError::NotPositiveDefinite) => {
            Ok(ndarray::Array2::from_elem(shape, T::nan()))
        }
        found => found.map_err(failed),
    }
}

#[cold]
fn failed(error: LinalgError) -> Failure {
    domain(error.to_string())
}

/// Runs `$body` with `$T` as the float type of an array's elements.
macro_rules! with_float {
    ($op:literal, $array:expr, $T:ident => $body:expr) => {
        match $array.elem_ty() {
            elem if elem == Ty::f64() => {
                type $T = f64;
                $body
            }
            elem if elem == Ty::f32() => {
                type $T = f32;
                $body
            }
            _ => Err(mistyped($op)),
        }
    };
}

fn view<'v, T: Scalar>(op: &str, array: &'v Array<'_>) -> Result<ndarray::ArrayView2<'v, T>, Failure> {
    let view = seen::<T>(array).and_then(|view| view.into_dimensionality::<Ix2>().ok());
    view.ok_or_else(|| mistyped(op))
}

fn to_value<'a, T: Scalar>(op: &str, matrix: ndarray::Array2<T>) -> Evaluated<'a> {
    unseen(matrix.into_dyn()).ok_or_else(|| mistyped(op))
}

fn inv<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(a)] = args else { return Err(ill_typed("nd.inv", args)) };
    reserve(cx, a.elem_ty(), a.len().saturating_mul(2))?;
    with_float!("nd.inv", a, T => {
        let a = view::<T>("nd.inv", a)?;
        to_value("nd.inv", no_matrix(linalg::inv(&a), a.dim())?)
    })
}

fn cholesky<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(a)] = args else { return Err(ill_typed("nd.cholesky", args)) };
    reserve(cx, a.elem_ty(), a.len().saturating_mul(2))?;
    with_float!("nd.cholesky", a, T => {
        let a = view::<T>("nd.cholesky", a)?;
        to_value("nd.cholesky", no_matrix(linalg::cholesky(&a), a.dim())?)
    })
}

fn solve<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(a), Value::Array(b)] = args else { return Err(ill_typed("nd.solve", args)) };
    reserve(cx, a.elem_ty(), a.len().saturating_add(b.len()))?;
    let is_vector = b.rank() == 1;
    let shape = b.shape().to_vec();
    let column = if is_vector { Array::clone(b).reshape(&[b.len(), 1]) } else { Some(Array::clone(b)) };
    let column = column.ok_or_else(|| mistyped("nd.solve"))?;
    let found = with_float!("nd.solve", a, T => {
        let (a, b) = (view::<T>("nd.solve", a)?, view::<T>("nd.solve", &column)?);
        to_value("nd.solve", no_matrix(linalg::solve_all(&a, &b), b.dim())?)
    })?;
    match found {
        Value::Array(found) if is_vector => {
            super::nd::reshaped(std::sync::Arc::unwrap_or_clone(found), &shape)
        }
        found => Ok(found),
    }
}

/// A function from a matrix to a number.
fn number<'a>(op: &'static str, cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Array(a)] = args else { return Err(ill_typed(op, args)) };
    reserve(cx, a.elem_ty(), a.len())?;
    with_float!("nd.det", a, T => {
        let a = view::<T>(op, a)?;
        let found = if op == "nd.det" { linalg::det(&a) } else { linalg::ln_det(&a) };
        found.map(Scalar::to_value).map_err(failed)
    })
}
