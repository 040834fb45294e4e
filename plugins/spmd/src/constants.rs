//! The derivatives of a block of elements with respect to all arguments, of which what runs the block computes those that there are.
//!
//! - CONSTANT1 what is not differentiated, and an integer, has zeros in its shape: its floats are zero, and the rest of it is left.

use std::ops::Range;

use overdub_context::ir::Ty;
use overdub_context::value::{Array, Value};

use crate::device::Collected;
use crate::elements::Elements;
use crate::gradient::zeros;

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
mod tests {
    use overdub_context::value::Value;
    use overdub_lower::Loaded;

    use crate::column::{Column, Columns};
    use crate::device::Collected;
    use crate::gradient::Gradients;
    use crate::settings::Settings;

    /// Otherwise the elements would run again, one by one, which no result tells.
    #[test]
    fn lanes_give_derivatives_beside_arguments_without_floats() {
        let source = "pub fn f(x: f64, n: usize, z: f64) -> f64 { let mut y = x; for _ in 0..n { y = y.sin() * z; } y }";
        let loaded = Loaded::from_source("f.rs", source).expect("it is Rust");
        let function = loaded.function("f").expect("it is there");
        let engine = loaded.engine();
        let func = engine.module().func(function.symbol).expect("it is lowered").expect("it is there");
        let params: Vec<_> = func.param_tys().collect();
        let counts = (0..70).map(|at| Value::from(at % 5_usize)).collect();
        let floats = |factor: f64| Column::floats((0..70).map(|at| f64::from(at) * factor));
        let columns = Columns::new(vec![floats(0.1), Column::Each(counts), floats(0.01)], &params);
        let columns = columns.expect("they fit");
        let gradients = Gradients::new(&engine, (func.name, &params, func.ret), vec![true; 3]);
        let gradients = gradients.of_elements(&Settings::in_lanes(64), (&columns, 70)).expect("no device");
        let (values, slopes) = gradients.blocks(&columns, 1)(0..70).expect("it runs at once");
        let lens: Vec<_> = slopes.iter().map(|list| list.len()).collect();
        assert_eq!((values.len(), lens), (70, vec![70; 3]));
        assert_eq!(slopes[1].get(4).and_then(|n| n.as_index()), Some(4));
        let collected = gradients.collects(&[Collected::Listed; 3]);
        let sums = gradients.sums_of_block((&columns, 70), 1, &collected)(0..70).expect("it runs at once");
        assert_eq!(sums.len(), 3, "{sums:?}");
    }
    #[test]
    fn a_value_without_derivatives_is_no_block_of_lanes() {
        let source = "pub fn f(n: usize) -> f64 { n as f64 * 0.5 }";
        let loaded = Loaded::from_source("f.rs", source).expect("it is Rust");
        let map = crate::LoadedMap::new(&loaded.engine(), &loaded.function("f").expect("it is there"));
        let map = map.expect("it is lowered").lanes(64).loops_from(1);
        let counts = Column::Each((0..70).map(|at| Value::from(at % 5_usize)).collect());
        let found = map.over(vec![counts]).expect("it fits").values_and_gradients().expect("none fails");
        assert!(
            found
                .iter()
                .enumerate()
                .all(|(at, (value, _))| matches!(value, Value::F64(x) if *x == (at % 5) as f64 * 0.5))
        );
    }
}
