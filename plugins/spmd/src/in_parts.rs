//! Gradients in lanes with respect to structs and tuples of floats: lanes give a list for each float, from which the derivatives
//! are put together.

use std::ops::Range;
use std::sync::Arc;

use overdub_ad::flatten::{floats, with_floats};
use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform, active};
use overdub_ad::{GradientRoute, Strategy};
use overdub_context::engine::Engine;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::{Array, Value};
use overdub_context::{Failure, FailureKind, Span, Symbol};

use crate::block::Collect;
use crate::device::Collected;
use crate::elements::Elements;

/// The arguments with respect to which a gradient in parts is taken, and the number of their floats.
#[derive(Clone, Debug)]
pub(crate) struct InParts {
    active: Vec<bool>,
    count: usize,
}

impl InParts {
    /// The transformation of a function of these parameters for lanes.
    ///
    /// # Errors
    /// If its gradient does not run in lanes.
    pub(crate) fn new(
        (engine, func): (&Engine, Symbol),
        route: &GradientRoute,
        params: &[Ty],
        wrt: &[bool],
    ) -> Result<(InParts, ReverseTransform), Failure> {
        if let Strategy::Recording { because, at } = route.strategy() {
            return Err(refused(format!("it is recorded on a tape, since {because}"), *at));
        }
        let found = engine.module().func(func)?;
        let Some(found) = found.filter(|found| found.ret == Ty::f64()) else {
            return Err(refused(
                "the function returns something else than an `f64`".to_owned(),
                Span::unknown(),
            ));
        };
        let active = active(&found, &|at| wrt.get(at).copied().unwrap_or(false));
        let mut count = 0;
        for (ty, _) in params.iter().zip(&active).filter(|(_, is_active)| **is_active) {
            let of_ty = float_count(*ty).ok_or_else(|| {
                let why = format!("a derivative with respect to `{}` does not fit into lanes", ty.in_rust());
                refused(why, found.span)
            })?;
            count += of_ty;
        }
        let cx = ReverseTransform::new(ReverseOutput::Gradient).with_respect_to(active.clone());
        Ok((InParts { active, count }, cx))
    }

    /// A list for the values, and one for each float.
    pub(crate) fn collect(&self) -> Vec<Collect> {
        vec![Collect::List; self.count + 1]
    }

    /// The values of these elements, and the derivatives with respect to each argument, from the lists that lanes gave.
    pub(crate) fn lists<'a, L: Elements<'a>>(
        &self,
        elements: &L,
        range: Range<usize>,
        found: Vec<Value<'a>>,
    ) -> Option<(Array<'a>, Vec<Array<'a>>)> {
        let mut found = found.into_iter();
        let Value::Array(values) = found.next()? else { return None };
        let parts = self.parts(found)?;
        let mut slopes: Vec<Vec<Value<'a>>> = self.active.iter().map(|_| Vec::new()).collect();
        for (number, at) in range.enumerate() {
            let mut own = parts.iter().filter_map(|part| part.get(number).copied());
            let args = elements.values(at).ok()?.into_iter().zip(&self.active);
            for ((arg, is_active), slopes) in args.zip(&mut slopes) {
                slopes.push(match is_active {
                    true => with_floats(&arg.into_owned(), &mut own).ok()?,
                    false => with_floats(&arg.into_owned(), &mut std::iter::repeat(0.0)).ok()?,
                });
            }
        }
        let slopes = slopes.into_iter().map(|slopes| Array::from_values(slopes.first()?.ty(), slopes));
        Some((Arc::unwrap_or_clone(values), slopes.collect::<Option<_>>()?))
    }

    /// The sum of the values of these elements, and the derivatives as they are collected.
    pub(crate) fn sums<'a, L: Elements<'a>>(
        &self,
        elements: &L,
        (range, params): (Range<usize>, &[Ty]),
        found: Vec<Value<'a>>,
        collected: &[Collected],
    ) -> Option<Vec<Value<'a>>> {
        let sum = |list: &Vec<f64>| list.iter().fold(-0.0, |sum, x| sum + x);
        let parts = self.parts(found.iter().skip(1).cloned())?;
        let mut sums = parts.iter().map(sum);
        let (values, listed) = self.lists(elements, range, found)?;
        let mut all = vec![Value::F64(sum(&floats(&Value::from(values))))];
        for (((how, ty), is_active), list) in collected.iter().zip(params).zip(&self.active).zip(listed) {
            let count = if *is_active { float_count(*ty)? } else { 0 };
            let own: Vec<f64> = sums.by_ref().take(count).collect();
            match how {
                Collected::Added if *is_active => all.push(Value::floats(own)),
                // What holds no floats has none to add.
                Collected::Added => all.push(Value::Unit),
                Collected::Listed => all.push(Value::from(list)),
                Collected::Not => {}
            }
        }
        Some(all)
    }

    /// The floats of each part; none if they are not as many lists of floats.
    fn parts<'a>(&self, found: impl Iterator<Item = Value<'a>>) -> Option<Vec<Vec<f64>>> {
        let parts = found.map(|list| {
            let is_of_floats = list.as_array().is_some_and(|list| is_float(list.elem_ty()));
            is_of_floats.then(|| floats(&list))
        });
        parts.collect::<Option<Vec<_>>>().filter(|parts| parts.len() == self.count)
    }
}

/// The number of floats of values of a type; none if it depends on the value.
fn float_count(ty: Ty) -> Option<usize> {
    match ty.kind() {
        TyKind::Float(_) => Some(1),
        TyKind::Unit | TyKind::Bool | TyKind::Int(_) | TyKind::Char => Some(0),
        TyKind::Tuple(_) | TyKind::Struct(_) => ty.parts(0)?.into_iter().map(float_count).sum(),
        _ => None,
    }
}

fn is_float(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Float(_))
}

fn refused(why: String, at: Span) -> Failure {
    let help = "one element runs after the other instead".to_owned();
    let message = format!("the gradient does not run in lanes: {why}");
    Failure::new(FailureKind::Load, message).at(at).with_help(Some(help))
}
