//! The arguments of a block: a list for each that is mapped over, and what all elements share.

use std::ops::Range;

use overdub_context::value::{Arg, Array, Value};

use crate::elements::Elements;

/// A list that is being filled.
enum Column {
    Floats(Vec<f64>),
    Values(Vec<Value<'static>>),
    Shared,
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

    fn list<'a>(self) -> Option<Value<'a>> {
        match self {
            Column::Floats(all) => Some(Value::floats(all)),
            Column::Values(all) => {
                let elem = all.first()?.ty();
                Array::from_values(elem, all.into_iter().map(Value::into_owned)).map(Value::from)
            }
            Column::Shared => None,
        }
    }
}

/// The arguments of these elements, of which there is at least one; none if they cannot be lent.
pub(super) fn columns<'a, L: Elements<'a>>(
    elements: &L,
    range: Range<usize>,
    mapped: &[bool],
) -> Option<Vec<Value<'a>>> {
    let (first, len) = (range.start, range.len());
    let mut all: Vec<Column> = Vec::with_capacity(mapped.len());
    for at in range {
        let mut fits = true;
        let mut number = 0;
        let are_lent = elements.lend(at, &mut |args| {
            for (arg, mapped) in args.zip(mapped) {
                match (arg, all.get_mut(number)) {
                    (Arg::Scalar(value), None) if *mapped => {
                        let mut column = Column::of(&value, len);
                        fits &= column.push(value);
                        all.push(column);
                    }
                    (_, None) => all.push(Column::Shared),
                    (Arg::Scalar(value), Some(column)) if *mapped => fits &= column.push(value),
                    _ => fits &= !*mapped,
                }
                number += 1;
            }
        });
        if !are_lent || !fits || number != mapped.len() {
            return None;
        }
    }
    let mut shared = elements.values(first).ok()?.into_iter();
    let args = all.into_iter().map(|column| {
        let own = shared.next()?;
        match column {
            Column::Shared => Some(own),
            column => column.list(),
        }
    });
    args.collect()
}
