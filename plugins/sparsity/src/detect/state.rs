//! States of a run, and their joins: what holds after either of two paths.
//!
//! - STATE1 a join is never less than either state: no dependence and no possible value is lost.
//! - STATE2 joining the same state again changes nothing, and unknown values remain unknown: fixed points are
//!   reached.

use std::collections::BTreeMap;
use std::sync::Arc;

use overdub_context::value::{Array, Closure, Code as Callee, Composite, Value};

use super::abstract_value::{Abstract, ty_of};
use super::analysis::{Analysis, PathResult};
use super::floats::{Float, is_entry32, is_entry64};
use super::sets::Dep;

/// The live variables at a point, and the cells.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) values: Vec<(u32, Value<'static>)>,
    pub(crate) cells: Arc<Vec<Value<'static>>>,
}

impl State {
    pub(crate) fn new(values: Vec<(u32, Value<'static>)>, cells: Arc<Vec<Value<'static>>>) -> State {
        State { values, cells }
    }

    /// Applies the changes to arrays that have no other owner.
    pub(crate) fn apply_patches(&mut self) {
        for (_, value) in &mut self.values {
            apply_patch(value);
        }
    }
}

/// The array with its changes applied, if it has no other owner.
pub(crate) fn apply_patch(value: &mut Value<'static>) {
    let Some(Abstract::Patched { base, .. }) = Abstract::of(value) else { return };
    if Arc::strong_count(base) > 1 {
        return;
    }
    if let Some(array) = patched(value.take()) {
        *value = array;
    }
}

/// The array with its changes applied, copied if it has another owner.
pub(crate) fn patched(value: Value<'static>) -> Option<Value<'static>> {
    let Value::Opaque(opaque) = value else { return None };
    let any: Box<dyn std::any::Any> = opaque.value;
    let Ok(found) = any.downcast::<Abstract>() else { return None };
    let Abstract::Patched { mut base, edits } = *found else { return None };
    let array = Arc::make_mut(&mut base);
    for (at, value) in edits.iter() {
        put(array, *at, value.clone());
    }
    Some(Value::Array(base))
}

/// Sets an element, which may not be fully known.
pub(crate) fn put(array: &mut Array<'static>, at: usize, value: Value<'static>) {
    if array.as_values().is_none() && Abstract::of(&value).is_some() {
        *array = loosened(array);
    }
    // An index out of bounds is a failure of the program; it was checked before.
    let _ = array.set(at, value);
}

/// The array with its elements stored one by one.
pub(crate) fn loosened(array: &Array<'static>) -> Array<'static> {
    use overdub_context::value::Elements;
    let elems: Vec<Value<'static>> = array.iter().collect();
    let loose = Array::new(array.shape(), Elements::Other(array.elem_ty(), elems.into()));
    loose.unwrap_or_else(|| array.clone())
}

impl Analysis {
    /// Joins a state to the states met before; returns whether that changed them.
    pub(crate) fn join_into(&mut self, joined: &mut Option<State>, state: State) -> PathResult<bool> {
        let Some(joined) = joined else {
            *joined = Some(state);
            return Ok(true);
        };
        let mut changed = false;
        for ((_, into), (_, value)) in joined.values.iter_mut().zip(state.values) {
            if self.join(into, value)? {
                changed = true;
                if self.widens {
                    self.widen(into);
                }
            }
        }
        if !Arc::ptr_eq(&joined.cells, &state.cells) {
            let cells = Arc::make_mut(&mut joined.cells);
            for (at, value) in state.cells.iter().enumerate() {
                match cells.get_mut(at) {
                    Some(into) => {
                        if self.join(into, value.clone())? {
                            changed = true;
                            if self.widens {
                                self.widen(into);
                            }
                        }
                    }
                    None => {
                        cells.push(value.clone());
                        changed = true;
                    }
                }
            }
        }
        Ok(changed)
    }

    /// The value, with each of its floats depending on `dep` as well.
    pub(crate) fn spread(&mut self, value: Value<'static>, dep: Dep) -> PathResult<Value<'static>> {
        Ok(match value {
            Value::F64(_) | Value::F32(_) => {
                let Some(float) = self.floats.get(&value) else { return Ok(value) };
                let dep = self.sets.join(float.dep, dep);
                return self.float(value.ty(), Float { dep, ..float });
            }
            Value::Array(array) => {
                let elems =
                    array.iter().map(|elem| self.spread(elem, dep)).collect::<PathResult<Vec<_>>>()?;
                super::operation::shaped(array.elem_ty(), elems, array.shape())
            }
            Value::Composite(composite) => {
                let parts = composite.parts.iter().map(|part| self.spread(part.clone(), dep));
                let parts = parts.collect::<PathResult<_>>()?;
                Value::Composite(Arc::new(Composite { ty: composite.ty, tag: composite.tag, parts }))
            }
            other => match Abstract::of(&other) {
                Some(Abstract::Unknown { ty, shape, dep: old_dep }) => {
                    let dep = self.sets.join(*old_dep, dep);
                    Abstract::Unknown { ty: *ty, shape: shape.clone(), dep }.into_value()
                }
                Some(Abstract::OneOf(values)) => {
                    let values = values.iter().map(|value| self.spread(value.clone(), dep));
                    Abstract::OneOf(values.collect::<PathResult<_>>()?).into_value()
                }
                Some(Abstract::Patched { .. }) => match patched(other) {
                    Some(array) => return self.spread(array, dep),
                    None => Value::Unit,
                },
                Some(Abstract::Ref { .. }) | None => other,
            },
        })
    }

    /// Widens a value: keeps of its arrays only the shapes and what all elements depend on.
    pub(crate) fn widen(&mut self, value: &mut Value<'static>) {
        let shape = match &*value {
            Value::Array(array) => array.shape().into(),
            Value::Composite(composite) => {
                let mut composite = composite.clone();
                Arc::make_mut(&mut composite).parts.iter_mut().for_each(|part| self.widen(part));
                *value = Value::Composite(composite);
                return;
            }
            _ => match Abstract::of(value) {
                Some(Abstract::Patched { base, .. }) => base.shape().into(),
                _ => return,
            },
        };
        let (Some(ty), dep) = (ty_of(value), self.dep_of(value)) else { return };
        *value = Abstract::Unknown { ty, shape: Some(shape), dep }.into_value();
    }

    /// Joins a value to another; returns whether that changed it.
    pub(crate) fn join(&mut self, into: &mut Value<'static>, value: Value<'static>) -> PathResult<bool> {
        match (&mut *into, value) {
            // A part that was moved out: on that path it is not read before it is set again.
            (_, Value::Unit) => Ok(false),
            (hole @ Value::Unit, value) => {
                *hole = value;
                Ok(true)
            }
            (Value::F64(a), Value::F64(b)) if a.to_bits() == b.to_bits() => Ok(false),
            (Value::F32(a), Value::F32(b)) if a.to_bits() == b.to_bits() => Ok(false),
            (Value::F64(a), Value::F64(b)) => {
                let joined = self.join_floats(self.floats.get64(*a), self.floats.get64(b), is_entry64(*a));
                if let Some(float) = joined {
                    *a = self.floats.put64(float, self.scope);
                }
                Ok(joined.is_some())
            }
            (Value::F32(a), b @ Value::F32(_)) => {
                let (x, y) = (self.floats.get(&Value::F32(*a)), self.floats.get(&b));
                let (Some(x), Some(y)) = (x, y) else { return Ok(false) };
                let Some(float) = self.join_floats(x, y, is_entry32(*a)) else { return Ok(false) };
                *into = self.float(b.ty(), float)?;
                Ok(true)
            }
            (Value::Composite(a), Value::Composite(b)) => {
                if Arc::ptr_eq(a, &b) {
                    return Ok(false);
                }
                if a.tag != b.tag || a.parts.len() != b.parts.len() {
                    return self.join_alternatives(into, Value::Composite(b));
                }
                let Composite { parts, .. } = Arc::make_mut(a);
                let mut changed = false;
                for (into, value) in parts.iter_mut().zip(b.parts.iter()) {
                    changed |= self.join(into, value.clone())?;
                }
                Ok(changed)
            }
            (Value::Array(a), Value::Array(b)) => {
                if Arc::ptr_eq(a, &b) {
                    return Ok(false);
                }
                if a.shape() == b.shape() && a.elem_ty() == b.elem_ty() {
                    return self.join_arrays(Arc::make_mut(a), &b);
                }
                self.lose(into, Value::Array(b))
            }
            (Value::Closure(a), Value::Closure(b)) => {
                if Arc::ptr_eq(a, &b) {
                    return Ok(false);
                }
                let same_code = matches!((&a.code, &b.code), (Callee::Func(f), Callee::Func(g)) if f == g);
                if same_code && a.captures.len() == b.captures.len() {
                    let Closure { captures, .. } = Arc::make_mut(a);
                    let mut changed = false;
                    for (into, value) in captures.iter_mut().zip(b.captures.iter()) {
                        changed |= self.join(into, value.clone())?;
                    }
                    return Ok(changed);
                }
                self.join_alternatives(into, Value::Closure(b))
            }
            (Value::Stack(a), Value::Stack(b)) if a.len() == b.len() => {
                if Arc::ptr_eq(a, &b) {
                    return Ok(false);
                }
                let mut changed = false;
                for (into, value) in Arc::make_mut(a).iter_mut().zip(b.iter()) {
                    changed |= self.join(into, value.clone())?;
                }
                Ok(changed)
            }
            (Value::Opaque(_), value) | (_, value @ Value::Opaque(_)) => self.join_abstract(into, value),
            (known, value) if known.same(&value) => Ok(false),
            (_, value) => self.lose(into, value),
        }
    }

    /// The join of two floats, if it differs from the first.
    fn join_floats(&mut self, a: Float, b: Float, is_entry: bool) -> Option<Float> {
        let same = a.value.is_some() && a.value.map(f64::to_bits) == b.value.map(f64::to_bits);
        let value = a.value.filter(|_| same);
        if is_entry && value.is_some() == a.value.is_some() && self.adds_nothing(b.dep, a.dep) {
            return None;
        }
        Some(Float { dep: self.sets.join(a.dep, b.dep), value })
    }

    /// Whether everything in `more` is in `known`; this is only determined for a fixed point, since it takes
    /// time proportional to the sets.
    fn adds_nothing(&mut self, more: Dep, known: Dep) -> bool {
        more == known || more == Dep::default() || self.compares && self.sets.is_within(more, known)
    }

    fn join_arrays(&mut self, a: &mut Array<'static>, b: &Array<'static>) -> PathResult<bool> {
        let mut edits = Vec::new();
        if let (Some(xs), Some(ys)) = (a.as_f64s(), b.as_f64s()) {
            for (at, (x, y)) in xs.iter().zip(ys).enumerate() {
                if x.to_bits() == y.to_bits() {
                    continue;
                }
                let joined = self.join_floats(self.floats.get64(*x), self.floats.get64(*y), is_entry64(*x));
                if let Some(float) = joined {
                    edits.push((at, Value::F64(self.floats.put64(float, self.scope))));
                }
            }
        } else {
            for at in 0..a.len() {
                let (Some(mut x), Some(y)) = (a.get(at), b.get(at)) else { continue };
                if self.join(&mut x, y)? {
                    edits.push((at, x));
                }
            }
        }
        let changed = !edits.is_empty();
        for (at, value) in edits {
            put(a, at, value);
        }
        Ok(changed)
    }

    /// Keeps both as alternatives, joining those of one variant or code.
    fn join_alternatives(&mut self, into: &mut Value<'static>, value: Value<'static>) -> PathResult<bool> {
        let mut all = match Abstract::of(into) {
            Some(Abstract::OneOf(values)) => values.clone(),
            _ => vec![into.clone()],
        };
        let more = match Abstract::of(&value) {
            Some(Abstract::OneOf(values)) => values.clone(),
            _ => vec![value],
        };
        let mut changed = false;
        for value in more {
            match all.iter_mut().find(|known| joins_to_one(known, &value)) {
                Some(known) => changed |= self.join(known, value)?,
                None => {
                    all.push(value);
                    changed = true;
                }
            }
        }
        if changed {
            *into = if all.len() == 1 { all.remove(0) } else { Abstract::OneOf(all).into_value() };
        }
        Ok(changed)
    }

    fn join_abstract(&mut self, into: &mut Value<'static>, value: Value<'static>) -> PathResult<bool> {
        match (Abstract::of(into), Abstract::of(&value)) {
            (Some(Abstract::Unknown { .. }), _) | (_, Some(Abstract::Unknown { .. })) => {
                self.lose(into, value)
            }
            (Some(Abstract::Ref { cell, path }), Some(Abstract::Ref { cell: other, path: other_path }))
                if cell == other && path == other_path =>
            {
                Ok(false)
            }
            (
                Some(Abstract::Patched { base, edits }),
                Some(Abstract::Patched { base: other, edits: more }),
            ) if Arc::ptr_eq(base, other) => {
                let (base, mut edits, more) = (base.clone(), edits.clone(), more.clone());
                let mut changed = false;
                for (at, value) in more.iter() {
                    let current = edits.get(at).cloned().or_else(|| base.get(*at));
                    let Some(mut current) = current else { continue };
                    if self.join(&mut current, value.clone())? {
                        Arc::make_mut(&mut edits).insert(*at, current);
                        changed = true;
                    }
                }
                let missing: Vec<usize> =
                    edits.keys().filter(|at| !more.contains_key(*at)).copied().collect();
                for at in missing {
                    changed |= self.join_edit(&base, &mut edits, at)?;
                }
                *into = Abstract::Patched { base, edits }.into_value();
                Ok(changed)
            }
            (Some(Abstract::Patched { base, edits }), None) if matches!(&value, Value::Array(array) if Arc::ptr_eq(base, array)) =>
            {
                let (base, mut edits) = (base.clone(), edits.clone());
                let mut changed = false;
                for at in edits.keys().copied().collect::<Vec<_>>() {
                    changed |= self.join_edit(&base, &mut edits, at)?;
                }
                drop(value);
                *into = Abstract::Patched { base, edits }.into_value();
                Ok(changed)
            }
            (None, Some(Abstract::Patched { base, edits })) if matches!(&*into, Value::Array(array) if Arc::ptr_eq(base, array)) =>
            {
                let (base, mut edits) = (base.clone(), edits.clone());
                for at in edits.keys().copied().collect::<Vec<_>>() {
                    self.join_edit(&base, &mut edits, at)?;
                }
                drop(value);
                *into = Abstract::Patched { base, edits }.into_value();
                Ok(true)
            }
            (Some(Abstract::Patched { .. }), _) => {
                let mut array = patched(into.take()).unwrap_or(Value::Unit);
                let changed = self.join(&mut array, value)?;
                *into = array;
                Ok(changed)
            }
            (_, Some(Abstract::Patched { .. })) => {
                let array = patched(value).unwrap_or(Value::Unit);
                self.join(into, array)
            }
            _ => self.join_alternatives(into, value),
        }
    }

    /// Joins the element before a change to the changed element.
    fn join_edit(
        &mut self,
        base: &Array<'static>,
        edits: &mut Arc<BTreeMap<usize, Value<'static>>>,
        at: usize,
    ) -> PathResult<bool> {
        let (Some(before), Some(edited)) = (base.get(at), edits.get(&at)) else { return Ok(false) };
        let mut edited = edited.clone();
        let changed = self.join(&mut edited, before)?;
        if changed {
            Arc::make_mut(edits).insert(at, edited);
        }
        Ok(changed)
    }

    /// Keeps only the type, and what both depend on.
    fn lose(&mut self, into: &mut Value<'static>, value: Value<'static>) -> PathResult<bool> {
        let (before, more) = (self.dep_of(into), self.dep_of(&value));
        let shape = |value: &Value<'static>| match value {
            Value::Array(array) => Some(array.shape().into()),
            value => match Abstract::of(value) {
                Some(Abstract::Unknown { shape, .. }) => shape.clone(),
                Some(Abstract::Patched { base, .. }) => Some(base.shape().into()),
                _ => None,
            },
        };
        let (shape_into, other) = (shape(into), shape(&value));
        let common = shape_into.clone().filter(|shape_into| Some(shape_into) == other.as_ref());
        if let Some(Abstract::Unknown { .. }) = Abstract::of(into)
            && shape_into == common
            && self.adds_nothing(more, before)
        {
            return Ok(false);
        }
        let Some(ty) = ty_of(into).or_else(|| ty_of(&value)) else {
            return self.join_alternatives(into, value);
        };
        let dep = self.sets.join(before, more);
        *into = match common {
            Some(shape) => Abstract::Unknown { ty, shape: Some(shape), dep }.into_value(),
            None => self.unknown(ty, dep)?,
        };
        Ok(true)
    }
}

/// Whether two alternatives are joined to one: they have the same variant, or the same code.
fn joins_to_one(a: &Value<'static>, b: &Value<'static>) -> bool {
    match (a, b) {
        (Value::Composite(a), Value::Composite(b)) => a.ty == b.ty && a.tag == b.tag,
        (Value::Closure(a), Value::Closure(b)) => {
            matches!((&a.code, &b.code), (Callee::Func(f), Callee::Func(g)) if f == g)
        }
        (Value::Opaque(_), Value::Opaque(_)) => matches!(
            (Abstract::of(a), Abstract::of(b)),
            (Some(Abstract::Ref { cell, path }), Some(Abstract::Ref { cell: other, path: way })) if cell == other && path == way
        ),
        (Value::Opaque(_), _) | (_, Value::Opaque(_)) => false,
        (a, b) => a.same(b),
    }
}
