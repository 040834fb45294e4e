//! The derivatives of a block of elements with respect to all arguments, of which what runs the block computes those that there are.
//!
//! - CONSTANT1 what is not differentiated, and an integer, has zeros in its shape: its floats are zero, and the rest of it is left.

use std::ops::Range;

use overdub_context::ir::Ty;
use overdub_context::value::{Array, Value};

use crate::device::Collected;
use crate::elements::Elements;
use crate::shapes::zeros;

/// For each argument whether it is active, and its type.
pub(crate) type Actives<'t> = (&'t [bool], &'t [Ty]);

/// The derivatives of these elements with respect to each argument that is not active; none for the others, or if an element has none.
pub(crate) fn constants<'a, L: Elements<'a>>(
    (active, params): Actives<'_>,
    elements: &L,
    range: Range<usize>,
) -> Option<Vec<Option<Array<'a>>>> {
    let is_float = |ty: &Ty| *ty == Ty::f64();
    let needs_values = active.iter().zip(params).any(|(is_active, ty)| !is_active && !is_float(ty));
    let rows: Vec<_> = match needs_values {
        true => range.clone().map(|at| elements.values(at).ok()).collect::<Option<_>>()?,
        false => Vec::new(),
    };
    let all = active.iter().zip(params).enumerate().map(|(arg, (is_active, ty))| {
        Some(match is_active {
            true => None,
            false if is_float(ty) => Some(Array::from_vec(vec![0.0; range.len()])),
            false => {
                let zeros = rows.iter().map(|row| zeros(row.get(arg)?).ok());
                Some(Array::from_values(*ty, zeros.collect::<Option<Vec<_>>>()?)?)
            }
        })
    });
    all.collect()
}

/// What is summed, with what has no floats in its place.
pub(crate) fn with_constants_added<'a>(
    (active, collected): (&[bool], &[Collected]),
    found: Vec<Value<'a>>,
) -> Vec<Value<'a>> {
    let mut found = found.into_iter();
    let value = found.next();
    let slopes = collected.iter().zip(active).filter(|(how, _)| **how != Collected::Not);
    let slopes =
        slopes.filter_map(|(_, is_active)| if *is_active { found.next() } else { Some(Value::Unit) });
    value.into_iter().chain(slopes).collect()
}

#[cfg(test)]
mod tests;
