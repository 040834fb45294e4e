//! Products of matrices of augmented floats.
//!
//! - MATMUL1 in forward mode, the tangent of a product is one more product: `dA·B + A·dB` is
//!   `[dA A]·[B; dB]`.
//! - MATMUL2 on a tape, a product is one entry for all its elements, and two products in the reverse sweep.

use std::sync::Arc;

use ndarray::ArrayView2;
use overdub_context::ir::{BuildError, FuncBuilder, Operand, Ty};
use overdub_context::ops::{self, Arity, Effects, OpCx, OpDef, OperandTys, TypeFault};
use overdub_context::value::{Array, Value};
use overdub_context::{Failure, FailureKind};

use crate::array_ops::{DOT_ZERO, strong_product};
use crate::float_pair::pair_value;
use crate::wengert_list::record_block;

/// The numbers of an array of pairs.
pub(crate) static NUMBERS: OpDef = OpDef {
    name: "ad.numbers",
    arity: Arity::Exactly(1),
    ty: declared,
    effects: Effects::PURE,
    eval: |cx, args| each(cx, args, |pair| pair.first().cloned()),
    doc: "The numbers of an array of pairs.",
};

/// The attachments of an array of pairs, or a part of them if they are tuples.
static CARRIED: OpDef = OpDef {
    name: "ad.carried",
    arity: Arity::Exactly(2),
    ty: declared,
    effects: Effects::PURE,
    eval: carried,
    doc: "The attachments of the numbers of an array, or this part of them; -1 for all.",
};

/// An array of pairs, from arrays of numbers and attachments of the same shape.
static PAIRED: OpDef = OpDef {
    name: "ad.paired",
    arity: Arity::AtLeast(2),
    ty: declared,
    effects: Effects::FAILS,
    eval: paired,
    doc: "An array of pairs, from an array of numbers and arrays of their attachments.",
};

/// The product of matrices of recorded numbers.
pub(crate) static RECORDED_PRODUCT: OpDef = OpDef {
    name: "ad.product",
    arity: Arity::Exactly(2),
    ty: declared,
    effects: Effects { fails: true, allocates: true, ..Effects::PURE },
    eval: |cx, args| recorded(cx, args, &ops::ND_DOT),
    doc: "The product of matrices of numbers with tape entries.",
};

/// The product of matrices of recorded numbers, with zero times anything being zero.
pub(crate) static RECORDED_ZERO_PRODUCT: OpDef = OpDef {
    name: "ad.product.zero",
    arity: Arity::Exactly(2),
    ty: declared,
    effects: Effects { fails: true, allocates: true, ..Effects::PURE },
    eval: |cx, args| recorded(cx, args, &DOT_ZERO),
    doc: "The product of matrices of numbers with tape entries, with zero times anything being zero.",
};

/// Whether an operation splits arrays of pairs or builds them, which works in any domain.
pub(crate) fn rearranges(op: &OpDef) -> bool {
    [&NUMBERS, &CARRIED, &PAIRED].into_iter().any(|other| *op == *other)
}

fn declared(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let is_array = |ty: &Ty| ty.as_array().is_some();
    tys.declared.filter(is_array).ok_or_else(|| TypeFault::takes("arrays, the result declared"))
}

#[cold]
fn ill(what: &str) -> Failure {
    Failure::new(FailureKind::Type, format!("an array of pairs was expected, found {what}"))
}

fn array_of<'v, 'a>(value: Option<&'v Value<'a>>) -> Result<&'v Array<'a>, Failure> {
    value.and_then(Value::as_array).ok_or_else(|| ill("something else"))
}

fn shaped<'a>(ty: Ty, elems: Vec<Value<'a>>, shape: &[usize]) -> Result<Value<'a>, Failure> {
    let elem = ty.as_array().map_or(ty, |array| array.elem);
    let array = Array::from_values(elem, elems).and_then(|array| array.reshape(shape));
    array.map(Value::from).ok_or_else(|| ill("elements of another type"))
}

/// An array of one part of each pair.
fn each<'a>(
    cx: &OpCx<'_, 'a>,
    args: &[Value<'a>],
    of: impl Fn(&[Value<'a>]) -> Option<Value<'a>>,
) -> Result<Value<'a>, Failure> {
    let array = array_of(args.first())?;
    let one = |elem: Value<'a>| match elem.as_composite().and_then(|pair| of(&pair.parts)) {
        Some(found) => Ok(found),
        None => Err(ill("another element")),
    };
    let elems = array.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    shaped(cx.ret, elems, array.shape())
}

fn carried<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    match args.get(1).and_then(Value::as_index) {
        None => each(cx, args, |pair| pair.get(1).cloned()),
        Some(k) => each(cx, args, |pair| pair.get(1)?.as_composite()?.parts.get(k).cloned()),
    }
}

fn paired<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let numbers = array_of(args.first())?;
    let carried = args[1..].iter().map(|arg| array_of(Some(arg))).collect::<Result<Vec<_>, _>>()?;
    let elem = cx.ret.as_array().map_or(cx.ret, |array| array.elem);
    let mut elems = Vec::with_capacity(numbers.len());
    let mut rests: Vec<_> = carried.iter().map(|array| array.iter()).collect();
    for x in numbers.iter() {
        let parts = rests.iter_mut().map(|rest| rest.next().ok_or_else(|| ill("fewer elements")));
        let mut parts = parts.collect::<Result<Vec<_>, _>>()?;
        let carried = if parts.len() == 1 { parts.remove(0) } else { Value::tuple(parts) };
        elems.push(pair_value(elem, x.into_owned(), carried.into_owned()));
    }
    shaped(cx.ret, elems, numbers.shape())
}

/// The product of matrices of dual numbers with `width` tangents of type `float` (MATMUL1).
pub(crate) fn product_of_duals(
    build: &mut FuncBuilder,
    op: &'static OpDef,
    (float, width): (Ty, usize),
    [a, b]: [Operand; 2],
) -> Result<Operand, BuildError> {
    let (primal_ty, pairs) = (Ty::array(float, 2), build.ty(&a)?);
    let x: Operand = build.op_as(&NUMBERS, [a.clone()], primal_ty)?.into();
    let y: Operand = build.op_as(&NUMBERS, [b.clone()], primal_ty)?.into();
    let mut all = vec![Operand::from(build.op(op, [x.clone(), y.clone()])?)];
    for k in 0..width {
        let part = Operand::from(if width == 1 { -1 } else { k as i64 });
        let dx: Operand = build.op_as(&CARRIED, [a.clone(), part.clone()], primal_ty)?.into();
        let dy: Operand = build.op_as(&CARRIED, [b.clone(), part], primal_ty)?.into();
        let left = build.op(&ops::ND_CONCAT, [Operand::from(1_usize), dx, x.clone()])?;
        let right = build.op(&ops::ND_CONCAT, [Operand::from(0_usize), y.clone(), dy])?;
        all.push(build.op(&DOT_ZERO, [left, right])?.into());
    }
    build.op_as(&PAIRED, all, pairs).map(Operand::from)
}

/// A matrix of recorded numbers, as its shape, numbers and tape entries.
struct Tracked {
    shape: (usize, usize),
    numbers: Vec<f64>,
    steps: Vec<u32>,
    is_single: bool,
}

impl Tracked {
    fn of(array: &Array<'_>) -> Result<Tracked, Failure> {
        let [rows, columns] = array.shape() else { return Err(ill("no matrix")) };
        let mut tracked = Tracked {
            shape: (*rows, *columns),
            numbers: Vec::with_capacity(array.len()),
            steps: Vec::with_capacity(array.len()),
            is_single: false,
        };
        for elem in array.iter() {
            let parts = elem.as_composite().map(|pair| &pair.parts[..]);
            let number = match parts {
                Some([Value::F64(x), _]) => *x,
                Some([Value::F32(x), _]) => {
                    tracked.is_single = true;
                    f64::from(*x)
                }
                _ => return Err(nested()),
            };
            let step = parts.and_then(|parts| parts[1].as_index()).and_then(|step| u32::try_from(step).ok());
            tracked.numbers.push(number);
            tracked.steps.push(step.unwrap_or(0));
        }
        Ok(tracked)
    }

    fn is_constant(&self) -> bool {
        self.steps.iter().all(|step| *step == 0)
    }

    fn view(&self) -> ArrayView2<'_, f64> {
        ArrayView2::from_shape(self.shape, &self.numbers).expect("a matrix has as many elements as its shape")
    }

    fn primal(&self) -> Result<Value<'static>, Failure> {
        let single = |x: &f64| if self.is_single { Value::F32(*x as f32) } else { Value::F64(*x) };
        let elem = if self.is_single { Ty::f32() } else { Ty::f64() };
        let elems = self.numbers.iter().map(single).collect();
        shaped(Ty::array(elem, 2), elems, &[self.shape.0, self.shape.1])
    }
}

#[cold]
fn nested() -> Failure {
    let message = "a product of matrices is not recorded inside another derivative";
    let help = "take forward mode inside, or write the product as loops over the elements";
    Failure::new(FailureKind::Domain, message).with_help(Some(help.to_owned()))
}

/// MATMUL2
fn recorded<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>], op: &OpDef) -> Result<Value<'a>, Failure> {
    let a = Tracked::of(array_of(args.first())?)?;
    let b = Tracked::of(array_of(args.get(1))?)?;
    let primal_ty = Ty::array(if a.is_single { Ty::f32() } else { Ty::f64() }, 2);
    let product =
        (op.eval)(&mut OpCx { ret: primal_ty, machine: &mut *cx.machine }, &mut [a.primal()?, b.primal()?])?
            .into_owned();
    let product = array_of(Some(&product))?.clone();
    let shape = (a.shape.0, b.shape.1);
    let sources = a.steps.iter().chain(&b.steps).copied().collect();
    let pullback = Arc::new(move |cotangents: &[f64]| cotangents_of_factors(&a, &b, shape, cotangents));
    let first = record_block(sources, product.len(), pullback)?;
    let elem = cx.ret.as_array().map_or(cx.ret, |array| array.elem);
    let step = |at: usize| if first == 0 { 0 } else { i64::from(first) + at as i64 };
    let pairs = product.iter().enumerate().map(|(at, x)| pair_value(elem, x, Value::from(step(at))));
    shaped(cx.ret, pairs.collect(), product.shape())
}

/// The product, with zero times anything being zero (AD3); computed the usual way, it gives NaN.
fn strong(a: &ArrayView2<'_, f64>, b: &ArrayView2<'_, f64>) -> Vec<f64> {
    let product = a.dot(b);
    if product.iter().any(|x| x.is_nan()) {
        let elems = |array: &ArrayView2<'_, f64>| array.iter().copied().collect::<Vec<_>>();
        return strong_product(&elems(a), &elems(b), (a.nrows(), a.ncols(), b.ncols()));
    }
    product.iter().copied().collect()
}

/// The cotangents of both factors, one after the other.
fn cotangents_of_factors(
    a: &Tracked,
    b: &Tracked,
    shape: (usize, usize),
    dy: &[f64],
) -> Result<Vec<f64>, Failure> {
    let dy = ArrayView2::from_shape(shape, dy).map_err(|_| ill("fewer cotangents"))?;
    let mut found = Vec::with_capacity(a.numbers.len() + b.numbers.len());
    if a.is_constant() {
        found.resize(a.numbers.len(), 0.0);
    } else {
        found.extend(strong(&dy, &b.view().t()));
    }
    if b.is_constant() {
        found.resize(a.numbers.len() + b.numbers.len(), 0.0);
    } else {
        found.extend(strong(&a.view().t(), &dy));
    }
    Ok(found)
}
