//! Operations that move values, for unknown indices, conditions or wholes.
//!
//! - MOVES1 an operation that only moves values moves entries like floats: its own evaluator runs.
//! - MOVES2 a read at an unknown index may read any element, a write there may change any.
//! - MOVES3 an evaluator is given an unknown value only if it merely moves the value; otherwise it might take
//!   the value for something else, for instance an index out of bounds.

use std::sync::Arc;

use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::{Array, Composite, Value};

use super::abstract_value::Abstract;
use super::analysis::{Analysis, PathResult};
use super::operation::{OpKind, holds_loose, is_misfit, shaped};
use super::sets::Dep;
use super::state::{apply_patch, loosened, patched, put};

/// Up to this length a write at an unknown index is performed at every index; in a longer array all elements
/// are joined to one.
const MANY: usize = 1 << 12;

/// Below this length an array is copied if two paths share it.
const SHORT: usize = 32;

impl Analysis {
    pub(crate) fn moved(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        args: &mut [Value<'static>],
    ) -> PathResult<Value<'static>> {
        let is_abstract = args.iter().any(|arg| Abstract::of(arg).is_some());
        if is_abstract && let Some(special) = self.moved_abstract(op, ret, args)? {
            return Ok(special);
        }
        if !is_abstract && !args.iter().any(holds_loose) {
            return self.evaluate(op, ret, args);
        }
        let dep = self.dep_of_all(args);
        for arg in args.iter_mut() {
            if matches!(Abstract::of(arg), Some(Abstract::Patched { .. })) {
                *arg = patched(arg.take()).unwrap_or(Value::Unit);
            }
        }
        // MOVES3
        let is_inspected = |(at, arg): (usize, &Value<'static>)| match Abstract::of(arg) {
            Some(_) => !is_only_moved(op, at),
            None => holds_loose(arg) && at > 0 && *op != ops::CONCAT,
        };
        if args.iter().enumerate().any(is_inspected) {
            return self.unknown(ret, dep);
        }
        let has_abstract = args.iter().any(|arg| Abstract::of(arg).is_some() || holds_loose(arg));
        for arg in args.iter_mut().filter(|_| has_abstract) {
            if let Value::Array(array) = arg
                && !matches!(array.elem_ty().kind(), TyKind::Float(_))
            {
                *array = Arc::new(loosened(array));
            }
        }
        match self.evaluate(op, ret, args) {
            Err(stop) if is_misfit(&stop) => self.unknown(ret, dep),
            evaluated => evaluated,
        }
    }

    /// Handles an unknown condition, index or whole; `None` leaves the operation to the evaluator.
    fn moved_abstract(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        args: &mut [Value<'static>],
    ) -> PathResult<Option<Value<'static>>> {
        if *op == ops::SELECT && Abstract::of(&args[0]).is_some() {
            let (mut one, other) = (args[1].take(), args[2].take());
            self.join(&mut one, other)?;
            return Ok(Some(one));
        }
        if *op == ops::SWAP && args[1..].iter().any(|at| Abstract::of(at).is_some()) {
            return self.swapped(ret, args).map(Some);
        }
        if [&ops::PAYLOAD, &ops::WITH_PAYLOAD, &ops::TAKE_PAYLOAD].contains(&op) {
            return self.of_variant(op, ret, args);
        }
        // Operations that only wrap values can wrap unknown ones.
        let wraps = [
            &ops::TUPLE,
            &ops::STRUCT,
            &ops::VARIANT,
            &ops::DUP,
            &ops::BLACK_BOX,
            &ops::CLOSURE,
            &ops::ERASE,
        ];
        if wraps.contains(&op) {
            return self.evaluate(op, ret, args).map(Some);
        }
        if *op == ops::ARRAY
            && let Some(of) = ret.as_array()
        {
            let elems: Vec<Value<'static>> = args.iter_mut().map(Value::take).collect();
            let len = elems.len();
            return Ok(Some(shaped(of.elem, elems, &[len])));
        }
        if *op == ops::REPEAT
            && let (Some(of), Some(n)) = (ret.as_array(), args[1].as_index())
        {
            self.check_len(n)?;
            return Ok(Some(shaped(of.elem, vec![args[0].clone(); n], &[n])));
        }
        Ok(None)
    }

    /// Exchanges elements at unknown indices: each is written where the other was read.
    fn swapped(&mut self, ret: Ty, args: &mut [Value<'static>]) -> PathResult<Value<'static>> {
        let (array, first, second) = (args[0].take(), args[1].take(), args[2].take());
        let elem = ret.as_array().map_or(Ty::unit(), |of| of.elem);
        let one = self.get(&ops::GET, elem, &mut [array.clone(), first.clone()])?;
        let other = self.get(&ops::GET, elem, &mut [array.clone(), second.clone()])?;
        let array = self.set(&ops::SET, ret, &mut [array, first, other])?;
        self.set(&ops::SET, ret, &mut [array, second, one])
    }

    fn check_len(&self, n: usize) -> PathResult<()> {
        if n > self.max_nodes {
            let error = super::error::DetectError::TooLarge { nodes: self.max_nodes };
            return Err(super::analysis::PathEnd::Ends(error));
        }
        Ok(())
    }

    /// The requested variant, out of those that the value may be.
    fn of_variant(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        args: &mut [Value<'static>],
    ) -> PathResult<Option<Value<'static>>> {
        let Some(tag) = args[1].as_index() else { return Ok(None) };
        let is_it = |value: &&Value<'static>| matches!(value, Value::Composite(composite) if composite.tag as usize == tag);
        match Abstract::of(&args[0]) {
            Some(Abstract::OneOf(values)) => {
                if let Some(one) = values.iter().find(is_it) {
                    args[0] = one.clone();
                } else if !values.iter().any(|value| Abstract::of(value).is_some()) {
                    let failure = super::operation::not_this_variant();
                    return Err(failure.into());
                }
            }
            Some(Abstract::Unknown { ty, dep, .. }) => {
                // From here on the value is known to be that variant.
                let (ty, dep) = (*ty, *dep);
                let fields = ty.as_nominal().and_then(|nominal| nominal.variants()?.get(tag));
                let Some(fields) = fields else { return Ok(None) };
                let parts = fields
                    .fields
                    .iter()
                    .map(|field| self.unknown(field.ty, dep))
                    .collect::<PathResult<_>>()?;
                let composite = Composite { ty: Some(ty), tag: tag as u32, parts };
                args[0] = Value::Composite(Arc::new(composite));
            }
            _ => {}
        }
        if Abstract::of(&args[0]).is_some() {
            return Ok(None);
        }
        self.evaluate(op, ret, args).map(Some)
    }

    pub(crate) fn get(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        args: &mut [Value<'static>],
    ) -> PathResult<Value<'static>> {
        if args.iter().all(|arg| Abstract::of(arg).is_none()) {
            return self.evaluate(op, ret, args);
        }
        let at = match &args[0] {
            Value::Array(array) => self.position(array, &args[1..]),
            composite => match Abstract::of(composite) {
                Some(Abstract::Patched { base, .. }) => self.position(base, &args[1..]),
                _ => None,
            },
        };
        match (&args[0], at) {
            (Value::Array(array), Some(at)) => {
                if let Some(elem) = array.get(at) {
                    return Ok(elem);
                }
            }
            (Value::Array(array), None) => {
                let array = array.clone();
                return self.any_element(ret, &array);
            }
            (whole, at) => match (Abstract::of(whole), at) {
                (Some(Abstract::Patched { base, edits }), Some(at)) => {
                    if let Some(elem) = edits.get(&at).cloned().or_else(|| base.get(at)) {
                        return Ok(elem);
                    }
                }
                (Some(Abstract::Patched { .. }), None) => {
                    if let Some(Value::Array(array)) = patched(args[0].take()) {
                        return self.any_element(ret, &array);
                    }
                }
                _ => {}
            },
        }
        let dep = self.dep_of_all(args);
        self.unknown(ret, dep)
    }

    /// The join of the elements that may be read (MOVES2).
    fn any_element(&mut self, ret: Ty, array: &Arc<Array<'static>>) -> PathResult<Value<'static>> {
        if let Some((known, elem)) = &self.gathered
            && Arc::ptr_eq(known, array)
        {
            return Ok(elem.clone());
        }
        let mut elems = array.iter();
        let Some(mut all) = elems.next() else {
            return self.unknown(ret, Dep::default());
        };
        if array.as_f64s().is_some() {
            let dep = self.dep_of(&Value::Array(array.clone()));
            all = self.unknown(ret, dep)?;
        } else {
            for elem in elems {
                self.join(&mut all, elem)?;
            }
        }
        if array.len() > SHORT {
            // As long as it is kept here, it cannot be changed in place.
            self.gathered = Some((array.clone(), all.clone()));
        }
        Ok(all)
    }

    /// The row-major position of an element, if all its indices are known and in bounds.
    fn position(&self, array: &Array<'_>, indices: &[Value<'static>]) -> Option<usize> {
        let mut place = 0;
        let shape = array.shape();
        if shape.len() != indices.len() {
            return None;
        }
        for (len, index) in shape.iter().zip(indices) {
            let index = index.as_index().filter(|index| index < len)?;
            place = place * len + index;
        }
        Some(place)
    }

    pub(crate) fn set(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        args: &mut [Value<'static>],
    ) -> PathResult<Value<'static>> {
        let value_at = args.len() - 1;
        apply_patch(&mut args[0]);
        let indices_are_known = args[1..value_at].iter().all(|index| Abstract::of(index).is_none());
        if let Value::Array(array) = &args[0]
            && indices_are_known
        {
            let is_shared = self.undecided > 0 && array.len() > SHORT && Arc::strong_count(array) > 1;
            if is_shared && let Some(at) = self.position(array, &args[1..value_at]) {
                let base = array.clone();
                let edits = Arc::new([(at, args[value_at].take())].into());
                return Ok(Abstract::Patched { base, edits }.into_value());
            }
            if Abstract::of(&args[value_at]).is_none() {
                return self.evaluate(op, ret, args);
            }
        }
        match (&args[0], Abstract::of(&args[0])) {
            (_, Some(Abstract::Patched { base, edits })) if indices_are_known => {
                if let Some(at) = self.position(base, &args[1..value_at]) {
                    let (base, mut edits) = (base.clone(), edits.clone());
                    args[0] = Value::Unit;
                    Arc::make_mut(&mut edits).insert(at, args[value_at].take());
                    return Ok(Abstract::Patched { base, edits }.into_value());
                }
            }
            _ => {}
        }
        if matches!(Abstract::of(&args[0]), Some(Abstract::Patched { .. })) {
            args[0] = patched(args[0].take()).unwrap_or(Value::Unit);
        }
        let (target, value) = (args[0].take(), args[value_at].take());
        if let Value::Array(mut array) = target {
            if indices_are_known && let Some(at) = self.position(&array, &args[1..value_at]) {
                put(Arc::make_mut(&mut array), at, value);
                return Ok(Value::Array(array));
            }
            if indices_are_known {
                let mut new_args = args.to_vec();
                (new_args[0], new_args[value_at]) = (Value::Array(array), value);
                return self.evaluate(op, ret, &mut new_args);
            }
            return self.set_at_unknown_index(ret, array, value);
        }
        let dep = self.dep_of_all(&[target.clone(), value]);
        Ok(match Abstract::of(&target) {
            Some(Abstract::Unknown { ty, shape, .. }) => {
                Abstract::Unknown { ty: *ty, shape: shape.clone(), dep }.into_value()
            }
            _ => self.unknown(ret, dep)?,
        })
    }

    /// Writes an element at every index (MOVES2).
    fn set_at_unknown_index(
        &mut self,
        ret: Ty,
        mut array: Arc<Array<'static>>,
        value: Value<'static>,
    ) -> PathResult<Value<'static>> {
        if array.len() > MANY {
            let dep = self.dep_of_all(&[Value::Array(array.clone()), value]);
            return Ok(Abstract::Unknown { ty: ret, shape: Some(array.shape().into()), dep }.into_value());
        }
        let array_mut = Arc::make_mut(&mut array);
        for at in 0..array_mut.len() {
            let Some(mut elem) = array_mut.get(at) else { continue };
            if self.join(&mut elem, value.clone())? {
                put(array_mut, at, elem);
            }
        }
        Ok(Value::Array(array))
    }

    /// A sort with unknown comparisons may put any element anywhere.
    pub(crate) fn sorted(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        args: &mut [Value<'static>],
    ) -> PathResult<Value<'static>> {
        let array = args[0].clone();
        if let Value::Array(array) = &array
            && !holds_loose(&args[0])
        {
            let others_are_known = args[1..].iter().all(|arg| Abstract::of(arg).is_none());
            if others_are_known {
                self.comparing.push(true);
                let ran = self.evaluate(op, ret, &mut args.to_vec());
                let was_known = self.comparing.pop().unwrap_or(false);
                match ran {
                    Ok(sorted) if was_known => return Ok(sorted),
                    Err(stop) if was_known && !is_misfit(&stop) => return Err(stop),
                    _ => {}
                }
            }
            if *op == ops::SORT_ORDER {
                return Ok(Abstract::Unknown {
                    ty: ret,
                    shape: Some(array.shape().into()),
                    dep: Dep::default(),
                }
                .into_value());
            }
            let elem = self.any_element(array.elem_ty(), array)?;
            let elems = vec![elem; array.len()];
            return Ok(shaped(array.elem_ty(), elems, array.shape()));
        }
        let dep = self.dep_of_all(args);
        self.unknown(ret, dep)
    }

    /// Lengths, shapes and variants, which are known even if the elements are not.
    pub(crate) fn counted(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        args: &mut [Value<'static>],
    ) -> PathResult<Value<'static>> {
        let shape = match Abstract::of(&args[0]) {
            None => return self.evaluate(op, ret, args),
            Some(Abstract::Patched { base, .. }) => base.shape().to_vec(),
            Some(Abstract::Unknown { shape: Some(shape), .. }) => shape.to_vec(),
            Some(Abstract::OneOf(values)) if *op == ops::TAG => {
                let mut tags = values.iter().map(|value| value.as_composite().map(|composite| composite.tag));
                return match tags.next().flatten() {
                    Some(first) if tags.all(|tag| tag == Some(first)) => Ok(Value::from(i64::from(first))),
                    _ => self.unknown(ret, Dep::default()),
                };
            }
            Some(_) => return self.unknown(ret, Dep::default()),
        };
        if *op == ops::ND_SHAPE {
            return Ok(Value::from(Array::from_vec(shape)));
        }
        if *op == ops::LEN {
            return Ok(Value::from(shape[0]));
        }
        self.unknown(ret, Dep::default())
    }
}

/// Whether an operation only moves the operand at a position, whatever the operand is (MOVES3).
fn is_only_moved(op: &'static OpDef, at: usize) -> bool {
    let moved: [(&OpDef, &[usize]); 9] = [
        (&ops::PUSH, &[1]),
        (&ops::FILL, &[1]),
        (&ops::INSERT, &[2]),
        (&ops::RESIZE, &[2]),
        (&ops::STACK_PUSH, &[1]),
        (&ops::WITH_FIELD, &[2]),
        (&ops::WITH_PAYLOAD, &[3]),
        (&ops::ND_FULL, &[1]),
        (&ops::SELECT, &[1, 2]),
    ];
    moved.iter().any(|(of, places)| *of == op && places.contains(&at))
}

/// How a moving operation is analysed.
pub(crate) fn kind(op: &'static OpDef) -> OpKind {
    if [&ops::GET, &ops::GET_UNCHECKED, &ops::ND_GET].contains(&op) {
        OpKind::Get
    } else if [&ops::SET, &ops::SET_UNCHECKED, &ops::ND_SET].contains(&op) {
        OpKind::Set
    } else if [&ops::SORT_BY, &ops::SORT_ORDER].contains(&op) {
        OpKind::Sort
    } else {
        OpKind::Moves
    }
}

/// Whether an operation returns a length, a shape or a variant.
pub(crate) fn counts(op: &'static OpDef) -> bool {
    [&ops::LEN, &ops::ND_SHAPE, &ops::TAG, &ops::CAPACITY, &ops::STACK_LEN].contains(&op)
}
