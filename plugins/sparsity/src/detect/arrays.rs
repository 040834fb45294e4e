//! Operations on whole arrays of floats, computed element by element by the rules of scalars.
//!
//! - ARRAYS1 sums, products and extremes are folds over the rule of the scalar operation, in the order of
//!   ndarray.
//! - ARRAYS2 every element of a factorisation depends on every element of the operands.

use overdub_ad::rules::Nonzeros;
use overdub_context::ir::Ty;
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;

use super::abstract_value::Abstract;
use super::analysis::{Analysis, PathResult};
use super::operation::{OpKind, shaped};
use super::state::patched;

impl Analysis {
    /// A scalar operation on each pair of elements, with broadcasting as in ndarray.
    pub(crate) fn elementwise(
        &mut self,
        op: &'static OpDef,
        rows: &[Nonzeros],
        ret: Ty,
        args: &mut [Value<'static>],
    ) -> PathResult<Value<'static>> {
        if args.iter().all(|arg| self.is_known(arg)) {
            return self.evaluate(op, ret, args);
        }
        if args.iter().any(|arg| !is_array_or_scalar(arg)) {
            return self.other(op, ret, args);
        }
        let Some(of) = ret.as_array() else { return self.other(op, ret, args) };
        let mut shape: Vec<usize> = Vec::new();
        for array in args.iter().filter_map(Value::as_array) {
            let Some(common) = broadcast(&shape, array.shape()) else {
                // The evaluator reports what does not fit.
                let mut stripped: Vec<Value<'static>> = args.iter().map(|arg| self.stripped(arg)).collect();
                return self.evaluate(op, ret, &mut stripped);
            };
            shape = common;
        }
        let kind = OpKind::Scalar(rows.into());
        let len: usize = shape.iter().product();
        let mut elems = Vec::with_capacity(len);
        for at in 0..len {
            let mut scalars: Vec<Value<'static>> = args.iter().map(|arg| element(arg, &shape, at)).collect();
            elems.push(self.operation(op, &kind, of.elem, &mut scalars, overdub_context::Span::unknown())?);
        }
        Ok(shaped(of.elem, elems, &shape))
    }

    /// An operation on whole arrays.
    pub(crate) fn array_operation(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        args: &mut [Value<'static>],
    ) -> PathResult<Value<'static>> {
        if args.iter().all(|arg| self.is_known(arg)) {
            return self.evaluate(op, ret, args);
        }
        for arg in args.iter_mut() {
            if matches!(Abstract::of(arg), Some(Abstract::Patched { .. })) {
                *arg = patched(arg.take()).unwrap_or(Value::Unit);
            }
        }
        if args.iter().any(|arg| !is_array_or_scalar(arg)) {
            return self.other(op, ret, args);
        }
        if let Some(folded) = self.folded(op, ret, args)? {
            return Ok(folded);
        }
        // These only rearrange numbers, with zeros between them.
        if [&ops::ND_FROM_DIAG, &ops::ND_EYE].contains(&op) {
            return self.evaluate(op, ret, args);
        }
        // ARRAYS2
        let dep = self.dep_of_all(args);
        let is_linear = *op == ops::ND_SOLVE && self.is_known(&args[0]);
        let dep = if is_linear { dep } else { self.sets.nonlinear(dep) };
        let mut sample: Vec<Value<'static>> = args.iter().map(|arg| self.sample(arg)).collect();
        let values = self.evaluate(op, ret, &mut sample)?;
        let Some(array) = values.as_array() else {
            let value = self.local_value(args).and_then(|_| self.floats.get(&values)?.value);
            return self.float(ret, super::floats::Float { dep, value });
        };
        let is_local = self.local_value(args).is_some();
        let mut elems = Vec::with_capacity(array.len());
        for elem in array.iter() {
            let value = self.floats.get(&elem).and_then(|float| float.value).filter(|_| is_local);
            elems.push(self.float(array.elem_ty(), super::floats::Float { dep, value })?);
        }
        Ok(shaped(array.elem_ty(), elems, array.shape()))
    }

    /// Whether the values of all operands are known at this point.
    fn local_value(&self, args: &[Value<'static>]) -> Option<()> {
        args.iter().all(|arg| self.is_known(&self.stripped(arg))).then_some(())
    }

    /// Operands of the same shapes: with their values if those are known, otherwise the identity matrix.
    fn sample(&self, arg: &Value<'static>) -> Value<'static> {
        let stripped = self.stripped(arg);
        if self.is_known(&stripped) {
            return stripped;
        }
        let Some(array) = arg.as_array() else { return Value::F64(1.0) };
        let columns = array.shape().last().copied().unwrap_or(1).max(1);
        let elems = (0..array.len()).map(|at| match array.elem_ty() == Ty::f32() {
            true => Value::F32(f32::from(at / columns == at % columns)),
            false => Value::F64(f64::from(at / columns == at % columns)),
        });
        shaped(array.elem_ty(), elems.collect(), array.shape())
    }

    /// ARRAYS1
    fn folded(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        args: &[Value<'static>],
    ) -> PathResult<Option<Value<'static>>> {
        let Some(array) = args[0].as_array() else { return Ok(None) };
        let elem = array.elem_ty();
        let elems: Vec<Value<'static>> = array.iter().collect();
        let shape = array.shape().to_vec();
        if let Some((fold, scale)) = reduction(op) {
            let Some(axis) = args.get(1) else {
                let sum = self.fold(fold, elem, &elems)?;
                return self.scaled(scale, elem, sum, elems.len()).map(Some);
            };
            let Some(axis) = axis.as_index().filter(|axis| *axis < shape.len()) else { return Ok(None) };
            let (outer, len, inner) = split(&shape, axis);
            let mut sums = Vec::with_capacity(outer * inner);
            for o in 0..outer {
                for i in 0..inner {
                    let line: Vec<Value<'static>> =
                        (0..len).map(|k| elems[(o * len + k) * inner + i].clone()).collect();
                    let sum = self.fold(fold, elem, &line)?;
                    sums.push(self.scaled(scale, elem, sum, len)?);
                }
            }
            if ret.as_array().is_none() {
                return Ok(sums.pop());
            }
            let rest: Vec<usize> =
                shape.iter().enumerate().filter(|(at, _)| *at != axis).map(|(_, len)| *len).collect();
            return Ok(Some(shaped(elem, sums, &rest)));
        }
        if *op == ops::ND_CUMSUM {
            let Some(axis) = args[1].as_index().filter(|axis| *axis < shape.len()) else { return Ok(None) };
            let (outer, len, inner) = split(&shape, axis);
            let mut sums = elems;
            for (o, i) in (0..outer).flat_map(|o| (0..inner).map(move |i| (o, i))) {
                for k in 1..len {
                    let (before, at) = ((o * len + k - 1) * inner + i, (o * len + k) * inner + i);
                    sums[at] = self.compute(&ops::ADD, elem, [sums[before].clone(), sums[at].clone()])?;
                }
            }
            return Ok(Some(shaped(elem, sums, &shape)));
        }
        if *op == ops::ND_TRACE {
            let columns = shape.get(1).copied().unwrap_or(0);
            let diagonal: Vec<Value<'static>> =
                (0..columns.min(shape[0])).map(|k| elems[k * columns + k].clone()).collect();
            return self.fold(&ops::ADD, elem, &diagonal).map(Some);
        }
        if [&ops::ND_NORM_L1, &ops::ND_NORM_MAX].contains(&op) {
            let fold = if *op == ops::ND_NORM_L1 { &ops::ADD } else { &ops::MAX };
            let mut sizes = Vec::with_capacity(elems.len());
            for x in elems {
                sizes.push(self.compute(&ops::ABS, elem, [x])?);
            }
            return self.fold(fold, elem, &sizes).map(Some);
        }
        if *op == ops::ND_NORM_L2 {
            let mut squares = Vec::with_capacity(elems.len());
            for x in elems {
                squares.push(self.compute(&ops::MUL, elem, [x.clone(), x])?);
            }
            let sum = self.fold(&ops::ADD, elem, &squares)?;
            return self.compute(&ops::SQRT, elem, [sum]).map(Some);
        }
        if [&ops::ND_DOT, &ops::ND_OUTER].contains(&op)
            && let Some(other) = args[1].as_array()
        {
            let others: Vec<Value<'static>> = other.iter().collect();
            let columns =
                if *op == ops::ND_OUTER { other.len() } else { other.shape().get(1).copied().unwrap_or(1) };
            let inner = if *op == ops::ND_OUTER { 1 } else { other.shape()[0] };
            let rows = elems.len().checked_div(inner).unwrap_or(shape[0]);
            let mut elems_of_product = Vec::with_capacity(rows * columns);
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                let mut sum = None;
                for k in 0..inner {
                    let (x, y) = (elems[row * inner + k].clone(), others[k * columns + column].clone());
                    let product = self.compute(&ops::MUL, elem, [x, y])?;
                    sum = Some(match sum {
                        None => product,
                        Some(sum) => self.compute(&ops::ADD, elem, [sum, product])?,
                    });
                }
                elems_of_product.push(sum.unwrap_or_else(|| zero(elem)));
            }
            let Some(of) = ret.as_array() else { return Ok(elems_of_product.pop()) };
            let shape = if of.rank == 2 { vec![rows, columns] } else { vec![rows * columns] };
            return Ok(Some(shaped(elem, elems_of_product, &shape)));
        }
        Ok(None)
    }

    fn compute<const N: usize>(
        &mut self,
        op: &'static OpDef,
        elem: Ty,
        mut args: [Value<'static>; N],
    ) -> PathResult<Value<'static>> {
        let kind = OpKind::of(op, N, elem);
        self.operation(op, &kind, elem, &mut args, overdub_context::Span::unknown())
    }

    fn fold(&mut self, op: &'static OpDef, elem: Ty, elems: &[Value<'static>]) -> PathResult<Value<'static>> {
        let kind = OpKind::of(op, 2, elem);
        let Some((first, rest)) = elems.split_first() else {
            return Ok(if *op == ops::MUL { one(elem) } else { zero(elem) });
        };
        let mut all = first.clone();
        for x in rest {
            let mut args = [all, x.clone()];
            all = self.operation(op, &kind, elem, &mut args, overdub_context::Span::unknown())?;
        }
        Ok(all)
    }

    fn scaled(
        &mut self,
        scale: bool,
        elem: Ty,
        sum: Value<'static>,
        len: usize,
    ) -> PathResult<Value<'static>> {
        if !scale {
            return Ok(sum);
        }
        let count = overdub_ad::expr::float_value(len as f64, elem);
        self.compute(&ops::DIV, elem, [sum, count])
    }
}

/// The scalar operation of a reduction, and whether its result is divided by the number of elements.
fn reduction(op: &'static OpDef) -> Option<(&'static OpDef, bool)> {
    let rows: [(&OpDef, &'static OpDef, bool); 10] = [
        (&ops::ND_SUM, &ops::ADD, false),
        (&ops::ND_PRODUCT, &ops::MUL, false),
        (&ops::ND_MEAN, &ops::ADD, true),
        (&ops::ND_MIN, &ops::MIN, false),
        (&ops::ND_MAX, &ops::MAX, false),
        (&ops::ND_SUM_AXIS, &ops::ADD, false),
        (&ops::ND_PRODUCT_AXIS, &ops::MUL, false),
        (&ops::ND_MEAN_AXIS, &ops::ADD, true),
        (&ops::ND_MIN_AXIS, &ops::MIN, false),
        (&ops::ND_MAX_AXIS, &ops::MAX, false),
    ];
    rows.into_iter().find(|(of, ..)| *of == op).map(|(_, fold, scale)| (fold, scale))
}

fn zero(elem: Ty) -> Value<'static> {
    overdub_ad::expr::float_value(0.0, elem)
}

fn one(elem: Ty) -> Value<'static> {
    overdub_ad::expr::float_value(1.0, elem)
}

fn is_array_or_scalar(value: &Value<'static>) -> bool {
    !matches!(value, Value::Opaque(_))
}

/// The product of the lengths before an axis, its own length, and the product of those after it.
fn split(shape: &[usize], axis: usize) -> (usize, usize, usize) {
    (shape[..axis].iter().product(), shape[axis], shape[axis + 1..].iter().product())
}

/// The common shape to which both are broadcast.
fn broadcast(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let rank = a.len().max(b.len());
    let len = |shape: &[usize], at: usize| (at + shape.len()).checked_sub(rank).map_or(1, |at| shape[at]);
    (0..rank)
        .map(|at| match (len(a, at), len(b, at)) {
            (x, y) if x == y => Some(x),
            (1, y) => Some(y),
            (x, 1) => Some(x),
            _ => None,
        })
        .collect()
}

/// The element of an operand that corresponds to a position of the result.
fn element(arg: &Value<'static>, shape: &[usize], at: usize) -> Value<'static> {
    let Some(array) = arg.as_array() else { return arg.clone() };
    if array.shape() == shape {
        return array.get(at).unwrap_or(Value::Unit);
    }
    let (mut rest, mut place, mut stride) = (at, 0, 1);
    let old_shape: &[usize] = array.shape();
    for axis in (0..shape.len()).rev() {
        let index = rest % shape[axis];
        rest /= shape[axis];
        let Some(own_axis) = (axis + old_shape.len()).checked_sub(shape.len()) else { continue };
        if old_shape[own_axis] != 1 {
            place += index * stride;
        }
        stride *= old_shape[own_axis];
    }
    array.get(place).unwrap_or(Value::Unit)
}
