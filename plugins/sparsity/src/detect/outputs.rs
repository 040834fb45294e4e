//! The floats of a result, in order, and what each depends on.

use overdub_context::value::Value;

use super::abstract_value::Abstract;
use super::analysis::Analysis;
use super::floats::is_entry;
use super::sets::Dep;

impl Analysis {
    /// What each float of a result depends on; `None` if their number is not known and there is no result
    /// `primal` to compare with.
    pub(crate) fn outputs(
        &mut self,
        value: &Value<'static>,
        primal: Option<&Value<'static>>,
    ) -> Option<Vec<Dep>> {
        let mut deps = Vec::new();
        self.output(value, primal, &mut deps).then_some(deps)
    }

    fn output(
        &mut self,
        value: &Value<'static>,
        primal: Option<&Value<'static>>,
        deps: &mut Vec<Dep>,
    ) -> bool {
        match value {
            Value::F64(_) | Value::F32(_) => {
                let float = self.floats.get(value).filter(|_| is_entry(value));
                deps.push(float.map(|float| float.dep).unwrap_or_default());
                true
            }
            Value::Array(array) => {
                let other = primal.and_then(|primal| primal.as_array());
                if other.is_some_and(|other| other.shape() != array.shape()) {
                    return false;
                }
                array.iter().enumerate().all(|(at, elem)| {
                    let primal = other.and_then(|other| other.get(at));
                    self.output(&elem, primal.as_ref(), deps)
                })
            }
            Value::Composite(composite) => {
                let other = primal.and_then(|primal| primal.as_composite());
                composite.parts.iter().enumerate().all(|(at, part)| {
                    let primal = other.and_then(|other| other.parts.get(at));
                    self.output(part, primal, deps)
                })
            }
            Value::Stack(elems) => elems.iter().all(|elem| self.output(elem, None, deps)),
            Value::Opaque(_) => self.abstract_output(value, primal, deps),
            _ => true,
        }
    }

    fn abstract_output(
        &mut self,
        value: &Value<'static>,
        primal: Option<&Value<'static>>,
        deps: &mut Vec<Dep>,
    ) -> bool {
        match Abstract::of(value) {
            None => true,
            Some(Abstract::Patched { .. }) => match super::state::patched(value.clone()) {
                Some(array) => self.output(&array, primal, deps),
                None => false,
            },
            Some(Abstract::Ref { cell, .. }) => {
                let content = self.cells.get(*cell).cloned();
                content.is_some_and(|content| self.output(&content, None, deps))
            }
            Some(Abstract::OneOf(values)) => {
                let Some(primal) = primal.and_then(|primal| primal.as_composite()) else { return false };
                let same = values
                    .iter()
                    .find(|value| value.as_composite().is_some_and(|composite| composite.tag == primal.tag));
                let primal = Value::Composite(std::sync::Arc::new(primal.clone()));
                same.cloned().is_some_and(|value| self.output(&value, Some(&primal), deps))
            }
            Some(Abstract::Unknown { ty, shape, dep }) => {
                let scalar = ty
                    .as_array()
                    .filter(|of| matches!(of.elem.kind(), overdub_context::ir::TyKind::Float(_)));
                let count = match (primal, shape, scalar) {
                    (Some(primal), ..) => overdub_ad::flatten::floats(primal).len(),
                    (None, Some(shape), Some(_)) => shape.iter().product(),
                    // Integers and texts are not differentiated.
                    (None, ..) if !holds_floats(*ty) => 0,
                    (None, ..) => return false,
                };
                deps.extend(std::iter::repeat_n(*dep, count));
                true
            }
        }
    }
}

/// Whether values of a type may hold floats.
pub(super) fn holds_floats(ty: overdub_context::ir::Ty) -> bool {
    use overdub_context::ir::TyKind;
    match ty.kind() {
        TyKind::Unit | TyKind::Never | TyKind::Bool | TyKind::Char | TyKind::Str | TyKind::Int(_) => false,
        TyKind::Array(of) => holds_floats(of.elem),
        // A type that contains itself does so through an enum.
        TyKind::Tuple(_) | TyKind::Struct(_) => {
            ty.parts(0).is_none_or(|parts| parts.into_iter().any(holds_floats))
        }
        _ => true,
    }
}
