//! Operations that only derivatives of arrays need: adjoints of the engine's operations that move elements.

use overdub_context::ir::Ty;
use overdub_context::ops::{self, Arity, Effects, OpCx, OpDef, OperandTys, TypeFault};
use overdub_context::value::{Array, Value};
use overdub_context::{Failure, FailureKind};

type Evaluated<'a> = Result<Value<'a>, Failure>;

/// An array summed down to a shape that may have been broadcast to the array's.
pub(crate) static UNBROADCAST: OpDef = OpDef {
    name: "ad.unbroadcast",
    arity: Arity::Exactly(2),
    ty: declared,
    effects: Effects::FAILS,
    eval: unbroadcast,
    doc: "An array summed down to a shape from which it might have been broadcast.",
};

/// Zeros of a shape, with an array at the place that `nd.slice_axis` reads: array, shape, axis, from, to,
/// step.
pub(crate) static UNSLICE: OpDef = OpDef {
    name: "ad.unslice",
    arity: Arity::Exactly(6),
    ty: declared,
    effects: Effects::FAILS,
    eval: unslice,
    doc: "An array of zeros of a shape, with an array at the position that `nd.slice_axis` reads.",
};

/// Zeros of a shape, with a vector on the diagonal.
pub(crate) static UNDIAG: OpDef = OpDef {
    name: "ad.undiag",
    arity: Arity::Exactly(2),
    ty: declared,
    effects: Effects::FAILS,
    eval: undiag,
    doc: "An array of zeros of a shape, with a vector on the diagonal.",
};

/// `nd.dot`, with zero times anything being zero (AD3).
pub(crate) static DOT_ZERO: OpDef = OpDef {
    name: "ad.dot",
    arity: Arity::Exactly(2),
    ty: |tys| (ops::ND_DOT.ty)(tys),
    effects: Effects::FAILS,
    eval: dot_zero,
    doc: "`nd.dot`, with zero times anything being zero.",
};

fn declared(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let is_array = |ty: &Ty| ty.as_array().is_some();
    tys.declared.filter(is_array).ok_or_else(|| TypeFault::takes("an array, the result declared"))
}

#[cold]
fn misfit() -> Failure {
    Failure::new(FailureKind::Type, "derivatives of arrays do not have the shapes of these")
}

fn shape_of(value: &Value<'_>) -> Result<Vec<usize>, Failure> {
    let lens = value.as_array().ok_or_else(misfit)?;
    lens.iter().map(|len| len.as_index().ok_or_else(misfit)).collect()
}

fn run<'a>(op: &OpDef, cx: &mut OpCx<'_, 'a>, ret: Ty, args: &mut [Value<'a>]) -> Evaluated<'a> {
    (op.eval)(&mut OpCx { ret, machine: &mut *cx.machine }, args)
}

/// Zeros of a shape.
fn zeros<'a>(cx: &mut OpCx<'_, 'a>, shape: &Value<'a>) -> Result<Array<'a>, Failure> {
    let ret = cx.ret;
    let elem = ret.as_array().ok_or_else(misfit)?.elem;
    let zero = crate::flatten::zero(elem);
    match run(&ops::ND_FULL, cx, ret, &mut [shape.clone(), zero])? {
        Value::Array(zeros) => Ok(std::sync::Arc::unwrap_or_clone(zeros)),
        _ => Err(misfit()),
    }
}

fn unbroadcast<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [array, shape] = args else { return Err(misfit()) };
    let (mut array, shape) = (array.take(), shape_of(shape)?);
    let rank_of = |array: &Value<'_>| array.as_array().map_or(0, |array| array.rank());
    let elem = cx.ret.as_array().ok_or_else(misfit)?.elem;
    // Missing axes are summed away; axes of length 1 are summed and kept.
    while rank_of(&array) > shape.len() {
        let ret = Ty::array(elem, rank_of(&array) as u32 - 1);
        array = run(&ops::ND_SUM_AXIS, cx, ret, &mut [array, Value::from(0_i64)])?;
    }
    for (axis, len) in shape.iter().enumerate() {
        let len_of_axis =
            array.as_array().and_then(|array| array.shape().get(axis).copied()).ok_or_else(misfit)?;
        if *len == 1 && len_of_axis != 1 {
            let mut longer = array.as_array().map(|array| array.shape().to_vec()).ok_or_else(misfit)?;
            longer[axis] = 1;
            let rank = rank_of(&array) as u32;
            let ret = if rank == 1 { elem } else { Ty::array(elem, rank - 1) };
            let summed = run(&ops::ND_SUM_AXIS, cx, ret, &mut [array, Value::from(axis as i64)])?;
            let flat = match summed {
                Value::Array(summed) => std::sync::Arc::unwrap_or_clone(summed),
                one => Array::from_values(elem, [one]).ok_or_else(misfit)?,
            };
            array = flat.reshape(&longer).map(Value::from).ok_or_else(misfit)?;
        } else if *len != len_of_axis {
            return Err(misfit());
        }
    }
    Ok(array)
}

fn unslice<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [parts, shape, axis, from, to, step] = args else { return Err(misfit()) };
    let (lens, at) = (shape_of(shape)?, axis.as_index().ok_or_else(misfit)?);
    let len = *lens.get(at).ok_or_else(misfit)?;
    // Slicing the indices themselves gives the sources.
    let indices = Value::from(Array::from_vec((0..len).collect::<Vec<usize>>()));
    let mut slice = [indices, Value::from(0_i64), from.clone(), to.clone(), step.clone()];
    let places = shape_of(&run(&ops::ND_SLICE_AXIS, cx, Ty::array(Ty::usize(), 1), &mut slice)?)?;
    let mut array = Value::from(zeros(cx, shape)?);
    let ret = cx.ret;
    let elem = ret.as_array().ok_or_else(misfit)?.elem;
    let part_ty = if lens.len() == 1 { elem } else { Ty::array(elem, lens.len() as u32 - 1) };
    for (k, place) in places.into_iter().enumerate() {
        let part = run(&ops::ND_INDEX_AXIS, cx, part_ty, &mut [parts.clone(), axis.clone(), Value::from(k)])?;
        array = run(&ops::ND_SET_AXIS, cx, ret, &mut [array, axis.clone(), Value::from(place), part])?;
    }
    Ok(array)
}

fn undiag<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [diagonal, shape] = args else { return Err(misfit()) };
    let lens = shape_of(shape)?;
    let mut array = zeros(cx, shape)?;
    let step = lens.iter().fold(0, |step, len| step * len + 1);
    for (k, x) in diagonal.as_array().ok_or_else(misfit)?.iter().enumerate() {
        array.set(k * step, x).ok_or_else(misfit)?;
    }
    Ok(Value::from(array))
}

fn dot_zero<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let (a, b) = match &*args {
        [Value::Array(a), Value::Array(b)] => (a.clone(), b.clone()),
        _ => return Err(misfit()),
    };
    let product = (ops::ND_DOT.eval)(cx, args)?;
    // Zero times an infinity gives NaN; a product without NaN is right.
    let has_nan = match &product {
        Value::Array(array) => array.iter().any(|x| is_nan(&x)),
        one => is_nan(one),
    };
    if has_nan { product_by_elements(cx.ret, &a, &b) } else { Ok(product) }
}

fn is_nan(x: &Value<'_>) -> bool {
    matches!(x, Value::F64(x) if x.is_nan()) || matches!(x, Value::F32(x) if x.is_nan())
}

/// The product, computed element by element.
fn product_by_elements<'a>(ret: Ty, a: &Array<'a>, b: &Array<'a>) -> Evaluated<'a> {
    let number = |x: Value<'_>| match x {
        Value::F64(x) => x,
        Value::F32(x) => f64::from(x),
        _ => f64::NAN,
    };
    let xs: Vec<f64> = a.iter().map(number).collect();
    let ys: Vec<f64> = b.iter().map(number).collect();
    let inner = *a.shape().last().ok_or_else(misfit)?;
    let columns = if b.rank() == 2 { b.shape()[1] } else { 1 };
    let rows = if a.rank() == 2 { a.shape()[0] } else { 1 };
    let product = strong_product(&xs, &ys, (rows, inner, columns));
    let elem = ret.as_array().map_or(ret, |array| array.elem);
    let mut values = product.into_iter().map(|x| crate::expr::float_value(x, elem));
    let Some(array) = ret.as_array() else { return values.next().ok_or_else(misfit) };
    let shape: Vec<usize> = match array.rank {
        2 => vec![rows, columns],
        _ => vec![rows * columns],
    };
    let flat = Array::from_values(elem, values);
    flat.and_then(|flat| flat.reshape(&shape)).map(Value::from).ok_or_else(misfit)
}

/// The product of row-major matrices, with zero times anything being zero (AD3).
pub(crate) fn strong_product(
    a: &[f64],
    b: &[f64],
    (rows, inner, columns): (usize, usize, usize),
) -> Vec<f64> {
    let mut product = vec![0.0; rows * columns];
    for (at, sum) in product.iter_mut().enumerate() {
        let (row, column) = (at / columns, at % columns);
        for k in 0..inner {
            let (x, y) = (a[row * inner + k], b[k * columns + column]);
            if x != 0.0 && y != 0.0 {
                *sum += x * y;
            }
        }
    }
    product
}
