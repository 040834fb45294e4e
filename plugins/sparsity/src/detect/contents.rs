//! The contents of a value: what its floats depend on, and whether all of it is known.

use overdub_context::value::Value;

use super::abstract_value::{Abstract, is_packed_scalar};
use super::analysis::Analysis;
use super::floats::{is_entry, is_entry32, is_entry64};
use super::sets::Dep;

impl Analysis {
    /// What the floats in a value depend on.
    pub(crate) fn dep_of(&mut self, value: &Value<'static>) -> Dep {
        match value {
            Value::F64(_) | Value::F32(_) => {
                return self.floats.get(value).map(|float| float.dep).unwrap_or_default();
            }
            Value::Int(_) | Value::Bool(_) | Value::Unit | Value::Char(_) => return Dep::default(),
            _ => {}
        }
        let mut all = Dep::default();
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            match value {
                Value::F64(_) | Value::F32(_) if is_entry(value) => {
                    let dep = self.floats.get(value).map(|float| float.dep).unwrap_or_default();
                    all = self.sets.join(all, dep);
                }
                Value::Array(array) => match (array.as_f64s(), array.as_values()) {
                    (Some(xs), _) => {
                        for x in xs.iter().filter(|x| is_entry64(**x)) {
                            let dep = self.floats.get64(*x).dep;
                            all = self.sets.join(all, dep);
                        }
                    }
                    (None, Some(values)) => pending.extend(values),
                    (None, None) if !is_packed_scalar(array.elem_ty()) => {}
                    (None, None) => {
                        for x in array.as_slice::<f32>().unwrap_or_default() {
                            let dep = self.floats.get(&Value::F32(*x)).map(|float| float.dep);
                            all = self.sets.join(all, dep.unwrap_or_default());
                        }
                    }
                },
                Value::Composite(composite) => pending.extend(composite.parts.iter()),
                Value::Closure(closure) => pending.extend(closure.captures.iter()),
                Value::Stack(elems) => pending.extend(elems.iter()),
                _ => match Abstract::of(value) {
                    Some(Abstract::Unknown { dep, .. }) => all = self.sets.join(all, *dep),
                    Some(Abstract::OneOf(values)) => pending.extend(values),
                    Some(Abstract::Patched { base, edits }) => {
                        for value in base.iter() {
                            if let Some(float) = self.floats.get(&value) {
                                all = self.sets.join(all, float.dep);
                            } else {
                                let dep = self.dep_of(&value);
                                all = self.sets.join(all, dep);
                            }
                        }
                        pending.extend(edits.values());
                    }
                    Some(Abstract::Ref { .. }) | None => {}
                },
            }
        }
        all
    }

    /// Whether no part of a value depends on inputs or is unknown.
    #[inline]
    pub(crate) fn is_known(&self, value: &Value<'static>) -> bool {
        match value {
            Value::F64(_) | Value::F32(_) => !is_entry(value),
            Value::Int(_) | Value::Bool(_) | Value::Unit | Value::Char(_) | Value::Str(_) => true,
            _ => self.is_all_known(value),
        }
    }

    fn is_all_known(&self, value: &Value<'static>) -> bool {
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            match value {
                Value::F64(_) | Value::F32(_) if is_entry(value) => return false,
                Value::Array(array) => match (array.as_f64s(), array.as_values()) {
                    (Some(xs), _) if xs.iter().any(|x| is_entry64(*x)) => return false,
                    (None, Some(values)) => pending.extend(values),
                    (None, None) => {
                        let singles = array.as_slice::<f32>().unwrap_or_default();
                        if singles.iter().any(|x| is_entry32(*x)) {
                            return false;
                        }
                    }
                    _ => {}
                },
                Value::Composite(composite) => pending.extend(composite.parts.iter()),
                Value::Closure(closure) => pending.extend(closure.captures.iter()),
                Value::Stack(elems) => pending.extend(elems.iter()),
                _ if Abstract::of(value).is_some() => return false,
                _ => {}
            }
        }
        true
    }
}
