//! Operations on values that depend on inputs: scalar rules here, moves and arrays in sibling files.
//!
//! - OPER1 a result depends on the union over the operands for which the operation has a derivative; a pair
//!   of inputs is added if the operation has a second derivative ([`nonzeros`], the classification of the
//!   rule).
//! - OPER2 the result of an operation without a rule of its own depends on all operands, in every way.

use std::sync::Arc;

use overdub_ad::rules::{Nonzeros, Rule, nonzeros, rule};
use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::{Array, Composite, Value};
use overdub_context::{Failure, Span};
use smallvec::SmallVec;

use super::abstract_value::{Abstract, is_loose};
use super::analysis::{Analysis, PathEnd, PathResult};
use super::floats::{Float, Knowledge, is_entry, ordinary32, ordinary64};
use super::sets::Dep;

/// How an operation is analysed.
pub(crate) enum OpKind {
    /// By its partial derivatives, with one row for each part of the result.
    Scalar(Box<[Nonzeros]>),
    /// By its partial derivatives, element by element, with broadcasting.
    Elementwise(Box<[Nonzeros]>),
    /// The result has no derivative.
    Flat,
    /// The result is a length, a shape or a variant.
    Counts,
    /// It writes to the output, or counts steps.
    Output,
    /// It reads a clock.
    Clock,
    /// A conversion between numbers.
    Cast,
    /// It moves values.
    Moves,
    /// It reads an element of an array.
    Get,
    /// It changes an element of an array.
    Set,
    /// It sorts.
    Sort,
    /// It reads or changes cells.
    Cell,
    /// It computes with whole arrays of floats.
    ArrayOp,
    /// It has no rule of its own (OPER2).
    Other,
}

impl OpKind {
    /// How an operation with this number of operands and a result of this type is analysed.
    pub(crate) fn of(op: &'static OpDef, operands: usize, ret: Ty) -> OpKind {
        if ops::is_on_cells(op) {
            return OpKind::Cell;
        }
        match rule(op) {
            Some(Rule::Partials(_) | Rule::Parts(_)) => {
                let rows = nonzeros(op, operands).unwrap_or_default().into();
                match ret.kind() {
                    TyKind::Float(_) | TyKind::Tuple(_) => OpKind::Scalar(rows),
                    TyKind::Array(_) => OpKind::Elementwise(rows),
                    // An operation on integers.
                    _ => OpKind::Flat,
                }
            }
            Some(Rule::Zero) => flat_kind(op),
            Some(Rule::Cast) => OpKind::Cast,
            Some(Rule::Moves(_)) => super::moves::kind(op),
            Some(Rule::ArrayOp(_)) => OpKind::ArrayOp,
            Some(Rule::Refuse(_)) | None => OpKind::Other,
        }
    }
}

/// A constant of the program, without floats that could be mistaken for entries.
pub(crate) fn ordinary(value: Value<'static>) -> Value<'static> {
    match value {
        Value::F64(x) => Value::F64(ordinary64(x)),
        Value::F32(x) => Value::F32(ordinary32(x)),
        Value::Array(array) => {
            let has_no_entries = array.as_f64s().is_none_or(|xs| xs.iter().all(|x| !x.is_nan()));
            if has_no_entries && array.as_values().is_none() && array.as_slice::<f32>().is_none() {
                return Value::Array(array);
            }
            let elems: Vec<Value<'static>> = array.iter().map(ordinary).collect();
            let flat = Array::from_values(array.elem_ty(), elems);
            flat.and_then(|flat| flat.reshape(array.shape())).map_or(Value::Array(array), Value::from)
        }
        Value::Composite(composite) => {
            let Composite { ty, tag, parts } = Arc::unwrap_or_clone(composite);
            let parts = parts.into_iter().map(ordinary).collect();
            Value::Composite(Arc::new(Composite { ty, tag, parts }))
        }
        other => other,
    }
}

impl Analysis {
    /// The result of an operation.
    pub(crate) fn operation(
        &mut self,
        op: &'static OpDef,
        kind: &OpKind,
        ret: Ty,
        args: &mut [Value<'static>],
        span: Span,
    ) -> PathResult<Value<'static>> {
        match kind {
            OpKind::Scalar(rows) => self.scalar(op, rows, ret, args),
            OpKind::Elementwise(rows) => self.elementwise(op, rows, ret, args),
            OpKind::Flat => self.flat(op, ret, args),
            OpKind::Counts => self.counted(op, ret, args),
            // An analysis prints nothing.
            OpKind::Output => Ok(Value::Unit),
            OpKind::Clock => self.unknown(ret, Dep::default()),
            OpKind::Cast => self.cast(op, ret, args),
            OpKind::Moves => self.moved(op, ret, args),
            OpKind::Get => self.get(op, ret, args),
            OpKind::Set => self.set(op, ret, args),
            OpKind::Sort => self.sorted(op, ret, args),
            OpKind::Cell => self.cell_operation(op, ret, args, span),
            OpKind::ArrayOp => self.array_operation(op, ret, args),
            OpKind::Other => self.other(op, ret, args),
        }
    }

    fn scalar(
        &mut self,
        op: &'static OpDef,
        rows: &[Nonzeros],
        ret: Ty,
        args: &mut [Value<'static>],
    ) -> PathResult<Value<'static>> {
        let is_independent = |arg: &Value<'static>| !is_entry(arg) && !matches!(arg, Value::Opaque(_));
        if args.iter().all(is_independent) {
            let value = self.evaluate(op, ret, args)?;
            return Ok(ordinary(value));
        }
        if let Some(only) = self.linear_in_one(op, rows, ret, args) {
            return Ok(only);
        }
        let floats: SmallVec<[Float; 4]> = args.iter().map(|arg| self.float_of(arg)).collect();
        let values = self.values(op, ret, rows.len(), &floats, args)?;
        let mut parts: SmallVec<[Float; 2]> = SmallVec::new();
        for (at, row) in rows.iter().enumerate() {
            let dep = self.dep_of_row(op, row, &floats);
            parts.push(Float { dep, value: values.as_ref().and_then(|values| values.get(at).copied()) });
        }
        match (ret.kind(), parts.as_slice()) {
            (TyKind::Float(_), [float]) => self.float(ret, *float),
            (TyKind::Tuple(tys), _) => {
                let floats_of_parts = tys.iter().zip(&parts).map(|(ty, float)| self.float(*ty, *float));
                Ok(Value::tuple(floats_of_parts.collect::<PathResult<Vec<_>>>()?))
            }
            _ => self.other(op, ret, args),
        }
    }

    /// A linear function of one float that depends on inputs, with all other operands constant, has the
    /// dependences of that float: for every input it is represented by the same entry.
    fn linear_in_one(
        &self,
        op: &'static OpDef,
        rows: &[Nonzeros],
        ret: Ty,
        args: &[Value<'static>],
    ) -> Option<Value<'static>> {
        let [row] = rows else { return None };
        if self.scope == Knowledge::Local
            || ret != Ty::f64()
            || args.iter().any(|arg| matches!(arg, Value::Opaque(_)))
        {
            return None;
        }
        let mut entries = (0..args.len()).filter(|at| is_entry(&args[*at]));
        let (only, None) = (entries.next()?, entries.next()) else { return None };
        let is_zero = |arg: &Value<'static>| matches!(arg, Value::F64(x) if *x == 0.0);
        if !row.first(only) || row.second(only, only) || is_product(op) && is_zero(&args[1 - only.min(1)]) {
            return None;
        }
        Some(args[only].clone())
    }

    /// A scalar as a float; a scalar other than a float depends at most on what its bits depend on.
    pub(crate) fn float_of(&mut self, value: &Value<'static>) -> Float {
        match self.floats.get(value) {
            Some(float) => float,
            None => match Abstract::of(value) {
                Some(_) => Float { dep: self.dep_of(value), value: None },
                None => Float { dep: Dep::default(), value: value.as_int().map(|(_, n)| n as f64) },
            },
        }
    }

    /// The values of the parts of the result, if those of all operands are known.
    fn values(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        parts: usize,
        floats: &[Float],
        args: &[Value<'static>],
    ) -> PathResult<Option<Vec<f64>>> {
        if self.scope == Knowledge::Global || floats.iter().any(|float| float.value.is_none()) {
            return Ok(None);
        }
        let mut stripped: Vec<Value<'static>> = args.iter().map(|arg| self.stripped(arg)).collect();
        let value = self.evaluate(op, ret, &mut stripped)?;
        let number = |value: &Value<'static>| match value {
            Value::F64(x) => Some(*x),
            Value::F32(x) => Some(f64::from(*x)),
            _ => None,
        };
        Ok(match &value {
            Value::Composite(composite) => composite.parts.iter().map(number).collect(),
            one => number(one).map(|x| vec![x]),
        }
        .filter(|values| values.len() == parts))
    }

    /// The dependences of a result by its row (OPER1).
    pub(crate) fn dep_of_row(&mut self, op: &'static OpDef, row: &Nonzeros, floats: &[Float]) -> Dep {
        let active = |at: usize| floats[at].dep != Dep::default() && row.first(at);
        let active: SmallVec<[usize; 4]> =
            (0..floats.len()).filter(|at| active(*at) && !has_no_influence(op, *at, floats)).collect();
        let mut dep = Dep::default();
        for at in &active {
            dep = self.sets.join(dep, floats[*at].dep);
        }
        if !self.sets.second {
            return dep;
        }
        for (k, i) in active.iter().enumerate() {
            for j in &active[k..] {
                if row.second(*i, *j) {
                    let product = self.sets.product(floats[*i].dep.first, floats[*j].dep.first);
                    dep.second = self.sets.union_pairs(dep.second, product);
                }
            }
        }
        if self.scope == Knowledge::Global {
            return dep;
        }
        // A factor that happens to be zero has a derivative of its own, which the pair needs.
        for i in 0..floats.len() {
            for j in i..floats.len() {
                let dropped = row.first(i) && row.first(j) && !(active.contains(&i) && active.contains(&j));
                if dropped && row.second(i, j) && is_product(op) {
                    let product = self.sets.product(floats[i].dep.first, floats[j].dep.first);
                    dep.second = self.sets.union_pairs(dep.second, product);
                }
            }
        }
        dep
    }

    /// The value without its dependences; if it is not known, it is left unchanged.
    pub(crate) fn stripped(&self, value: &Value<'static>) -> Value<'static> {
        match value {
            Value::F64(_) => match self.floats.get(value).and_then(|float| float.value) {
                Some(x) => Value::F64(x),
                None => value.clone(),
            },
            Value::F32(_) => match self.floats.get(value).and_then(|float| float.value) {
                Some(x) => Value::F32(x as f32),
                None => value.clone(),
            },
            Value::Array(array) if array.as_f64s().is_some() => {
                let xs = array.as_f64s().unwrap_or_default();
                let independent =
                    xs.iter().map(|x| self.floats.get64(*x).value.unwrap_or(*x)).collect::<Vec<f64>>();
                Array::from_vec(independent).reshape(array.shape()).map_or_else(|| value.clone(), Value::from)
            }
            Value::Array(array) if array.as_values().is_some() || array.as_slice::<f32>().is_some() => {
                let elems: Vec<Value<'static>> = array.iter().map(|elem| self.stripped(&elem)).collect();
                let flat = Array::from_values(array.elem_ty(), elems);
                flat.and_then(|flat| flat.reshape(array.shape())).map_or_else(|| value.clone(), Value::from)
            }
            Value::Composite(composite) => {
                let parts = composite.parts.iter().map(|part| self.stripped(part)).collect();
                Value::Composite(Arc::new(Composite { ty: composite.ty, tag: composite.tag, parts }))
            }
            other => other.clone(),
        }
    }

    /// An operation whose result does not vary with floats: the result is known if they are.
    pub(crate) fn flat(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        args: &mut [Value<'static>],
    ) -> PathResult<Value<'static>> {
        if args.iter().all(|arg| self.is_known(arg)) {
            return self.evaluate(op, ret, args);
        }
        let mut stripped: Vec<Value<'static>> = args.iter().map(|arg| self.stripped(arg)).collect();
        if stripped.iter().all(|arg| self.is_known(arg)) {
            let value = self.evaluate(op, ret, &mut stripped)?;
            // The bits or digits of a float may become a float again.
            if !reads_bits(op) {
                return Ok(value);
            }
        }
        let mut dep = Dep::default();
        if !op.compares() {
            for arg in &*args {
                if is_entry(arg) && !reads_bits(op) {
                    continue;
                }
                let of = self.dep_of(arg);
                dep = self.sets.join(dep, of);
            }
            dep = self.sets.nonlinear(dep);
        }
        self.unknown(ret, dep)
    }

    fn cast(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        args: &mut [Value<'static>],
    ) -> PathResult<Value<'static>> {
        if args.iter().all(|arg| self.is_known(arg)) {
            return Ok(ordinary(self.evaluate(op, ret, args)?));
        }
        let Some(arg) = args.first() else { return self.other(op, ret, args) };
        let float = self.float_of(arg);
        let mut stripped = [self.stripped(arg)];
        let value = match self.is_known(&stripped[0]) {
            true => Some(self.evaluate(op, ret, &mut stripped)?),
            false => None,
        };
        match (ret.kind(), value) {
            (TyKind::Float(_), value) => {
                let value = value.as_ref().and_then(|value| self.floats.get(value)?.value);
                self.float(ret, Float { dep: float.dep, value })
            }
            (TyKind::Array(_), _) => self.each_cast(op, ret, args),
            // A float rounded to an integer has a derivative of zero.
            (_, Some(value)) => Ok(value),
            (_, None) => {
                let dep = if is_entry(arg) { Dep::default() } else { float.dep };
                self.unknown(ret, dep)
            }
        }
    }

    fn each_cast(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        args: &mut [Value<'static>],
    ) -> PathResult<Value<'static>> {
        let (Some(Value::Array(array)), Some(of)) = (args.first(), ret.as_array()) else {
            return self.other(op, ret, args);
        };
        let array = array.clone();
        let mut elems = Vec::with_capacity(array.len());
        for elem in array.iter() {
            elems.push(self.cast(op, of.elem, &mut [elem])?);
        }
        Ok(shaped(of.elem, elems, array.shape()))
    }

    /// An operation without a rule of its own (OPER2).
    pub(crate) fn other(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        args: &mut [Value<'static>],
    ) -> PathResult<Value<'static>> {
        if args.iter().all(|arg| self.is_known(arg)) {
            return Ok(ordinary(self.evaluate(op, ret, args)?));
        }
        let dep = self.dep_of_all(args);
        let dep = self.sets.nonlinear(dep);
        self.unknown(ret, dep)
    }

    pub(crate) fn dep_of_all(&mut self, args: &[Value<'static>]) -> Dep {
        let mut dep = Dep::default();
        for arg in args {
            let of = self.dep_of(arg);
            dep = self.sets.join(dep, of);
        }
        dep
    }
}

/// An array of these elements, stored one by one if some are not known.
pub(crate) fn shaped(elem: Ty, elems: Vec<Value<'static>>, shape: &[usize]) -> Value<'static> {
    use overdub_context::value::Elements;
    let is_loose = elems.iter().any(|elem| Abstract::of(elem).is_some());
    let array = if is_loose {
        Array::new(shape, Elements::Other(elem, elems.into()))
    } else {
        Array::from_values(elem, elems).and_then(|flat| flat.reshape(shape))
    };
    array.map_or(Value::Unit, Value::from)
}

/// Whether a failure is that of an evaluator that was given an unknown value.
pub(crate) fn is_misfit(stop: &PathEnd) -> bool {
    matches!(stop, PathEnd::Fails(failure) if failure.kind() == overdub_context::FailureKind::Type)
}

/// Whether an operand holds scalars one by one.
pub(crate) fn holds_loose(value: &Value<'static>) -> bool {
    matches!(value, Value::Array(array) if is_loose(array))
}

fn is_product(op: &'static OpDef) -> bool {
    [&ops::MUL, &ops::MUL_ZERO, &ops::MUL_ADD, &ops::DIV].contains(&op)
}

/// Whether an operand has no influence at this point: the other factor is zero, or another operand is
/// selected.
///
/// Except for a constant zero factor this can only hold for known values. In a tie both operands count.
fn has_no_influence(op: &'static OpDef, at: usize, floats: &[Float]) -> bool {
    let value = |at: usize| floats.get(at).and_then(|float| float.value);
    if is_product(op) {
        return match at {
            0 if *op != ops::DIV => value(1) == Some(0.0),
            // The derivative of 0/y with respect to y is NaN if y is zero or NaN, for which the global
            // pattern must allow.
            1 if *op == ops::DIV => {
                value(0) == Some(0.0) && value(1).is_some_and(|y| y != 0.0 && !y.is_nan())
            }
            1 => value(0) == Some(0.0),
            _ => false,
        };
    }
    let (Some(x), Some(y)) = (value(0), value(1)) else { return false };
    if *op == ops::MIN || *op == ops::MAX {
        let (this, other) = if at == 0 { (x, y) } else { (y, x) };
        let other_is_selected = if *op == ops::MIN { other < this } else { other > this };
        // Of a NaN and a number, the number is selected. Two NaNs are a tie.
        return other_is_selected || this.is_nan() && !other.is_nan();
    }
    if *op == ops::ABS_SUB {
        return x < y;
    }
    if *op == ops::CLAMP
        && let Some(z) = value(2)
    {
        return match at {
            0 => x < y || x > z,
            1 => x > y,
            _ => x < z,
        };
    }
    false
}

fn flat_kind(op: &'static OpDef) -> OpKind {
    if [&ops::PRINT, &ops::EPRINT, &ops::STEPS_ADD].contains(&op) {
        OpKind::Output
    } else if [&ops::CLOCK_NOW, &ops::CLOCK_SYSTEM].contains(&op) {
        OpKind::Clock
    } else if super::moves::counts(op) {
        OpKind::Counts
    } else {
        OpKind::Flat
    }
}

/// Whether the result holds the bits or digits of a float, from which a float may be built again.
fn reads_bits(op: &'static OpDef) -> bool {
    [&ops::TO_BITS, &ops::FMT_FLOAT].contains(&op)
}

impl From<PathEnd> for super::error::DetectError {
    fn from(stop: PathEnd) -> Self {
        match stop {
            PathEnd::Fails(failure) => Self::Program(failure),
            PathEnd::Ends(error) => error,
        }
    }
}

/// The failure of a program that reads an enum as another variant than it is.
pub(crate) fn not_this_variant() -> Failure {
    Failure::new(overdub_context::FailureKind::Domain, "this is another variant")
}

/// A failure of this analysis rather than of the program.
pub(crate) fn failed(message: &str) -> Failure {
    Failure::new(overdub_context::FailureKind::Type, message)
}
