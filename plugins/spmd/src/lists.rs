//! The arguments of a block that are mapped over, in a list for each.

use std::ops::Range;

use overdub_context::value::{Arg, Array, Value};

use crate::elements::Elements;

/// A list that is being filled.
enum Column {
    Floats(Vec<f64>),
    Values(Vec<Value<'static>>),
}

impl Column {
    fn of(value: &Value<'_>, len: usize) -> Column {
        match value {
            Value::F64(_) => Column::Floats(Vec::with_capacity(len)),
            _ => Column::Values(Vec::with_capacity(len)),
        }
    }

    /// Whether the value is of the column's form.
    fn push(&mut self, value: Value<'_>) -> bool {
        match (self, value) {
            (Column::Floats(all), Value::F64(x)) => all.push(x),
            (Column::Values(all), value) => all.push(value.into_owned()),
            _ => return false,
        }
        true
    }

    fn list<'a>(self) -> Option<Array<'a>> {
        match self {
            Column::Floats(all) => Some(Array::from_vec(all)),
            Column::Values(all) => Array::from_values(all.first()?.ty(), all),
        }
    }
}

/// The lists for these elements, each of which lends its arguments; none if they cannot be lent.
pub(crate) fn lent_lists<'a, L: Elements<'a>>(
    elements: &L,
    range: Range<usize>,
    mapped: &[bool],
) -> Option<Vec<Array<'a>>> {
    let len = range.len();
    let mut all: Vec<Column> = Vec::with_capacity(mapped.len());
    for at in range {
        let mut fits = true;
        let mut number = 0;
        let are_lent = elements.lend(at, &mut |args| {
            for (arg, _) in args.iter().zip(mapped).filter(|(_, mapped)| **mapped) {
                match (arg, all.get_mut(number)) {
                    (Arg::Slice(_), _) => fits = false,
                    (scalar, Some(column)) => fits &= column.push(scalar.to_value()),
                    (scalar, None) => {
                        let value = scalar.to_value();
                        let mut column = Column::of(&value, len);
                        fits &= column.push(value);
                        all.push(column);
                    }
                }
                number += 1;
            }
        });
        if !are_lent || !fits || number != mapped.iter().filter(|mapped| **mapped).count() {
            return None;
        }
    }
    all.into_iter().map(Column::list).collect()
}
