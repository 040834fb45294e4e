//! The inputs of a mapped call as values of the IR: a column for each argument.

use std::ops::Range;

use overdub_context::Failure;
use overdub_context::ir::{Ty, TyKind, Visit};
use overdub_context::value::{Arg, Array, Value};
use smallvec::SmallVec;

use crate::elements::{Elements, TakesArgs};
use crate::error::MapError;
use crate::inputs::len;
use crate::lists::lent_lists;
use crate::shapes::with_own_cells;

/// One argument of all elements.
#[derive(Clone, Debug)]
pub enum Column {
    /// A value for each element.
    Each(Vec<Value<'static>>),
    /// One value that all elements share.
    Fixed(Value<'static>),
}

impl Column {
    /// A number for each element.
    pub fn floats(numbers: impl IntoIterator<Item = f64>) -> Column {
        Column::Each(numbers.into_iter().map(Value::F64).collect())
    }

    /// The columns of rows, each of which has the `width` arguments of one element; none if a row has another number of
    /// arguments.
    pub fn of_rows(rows: Vec<Vec<Value<'static>>>, width: usize) -> Option<Vec<Column>> {
        let mut columns: Vec<_> = (0..width).map(|_| Vec::with_capacity(rows.len())).collect();
        for row in rows {
            if row.len() != width {
                return None;
            }
            columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
        }
        Some(columns.into_iter().map(Column::Each).collect())
    }

    pub(crate) fn elements(&self) -> Option<usize> {
        match self {
            Column::Each(values) => Some(values.len()),
            Column::Fixed(_) => None,
        }
    }

    /// The value of an element, whose number is less than that of the elements.
    pub(crate) fn value(&self, at: usize) -> &Value<'static> {
        match self {
            Column::Each(values) => &values[at],
            Column::Fixed(value) => value,
        }
    }

    fn values(&self) -> &[Value<'static>] {
        match self {
            Column::Each(values) => values,
            Column::Fixed(value) => std::slice::from_ref(value),
        }
    }
}

/// Columns that fit a function.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    pub(crate) columns: Vec<Column>,
    /// The columns that hold cells: a run may change these, so each gets its own.
    have_cells: Vec<bool>,
    pub(crate) len: usize,
}

impl Columns {
    /// Checks columns against the types of parameters.
    pub(crate) fn new(columns: Vec<Column>, params: &[Ty]) -> Result<Columns, MapError<Failure>> {
        if columns.len() != params.len() {
            return Err(MapError::Arguments { expected: params.len(), found: columns.len() });
        }
        let lengths: Vec<_> = columns.iter().map(Column::elements).collect();
        let len = len(&lengths)?;
        Columns::checked(columns, params, len)
    }

    /// The columns of rows with the arguments of one element each, of which there may be none.
    pub(crate) fn of_rows(
        rows: Vec<Vec<Value<'static>>>,
        params: &[Ty],
    ) -> Result<Columns, MapError<Failure>> {
        let (len, expected) = (rows.len(), params.len());
        if let Some(row) = rows.iter().find(|row| row.len() != expected) {
            return Err(MapError::Arguments { expected, found: row.len() });
        }
        let columns = Column::of_rows(rows, expected).unwrap_or_default();
        Columns::checked(columns, params, len)
    }

    fn checked(columns: Vec<Column>, params: &[Ty], len: usize) -> Result<Columns, MapError<Failure>> {
        let mut have_cells = Vec::with_capacity(columns.len());
        for (argument, (column, &expected)) in columns.iter().zip(params).enumerate() {
            let values = column.values().iter().enumerate();
            let types = values.map(|(index, value)| (index, value.ty()));
            if let Some((index, found)) =
                types.filter(|_| is_checked(expected)).find(|(_, ty)| *ty != expected)
            {
                return Err(MapError::Type { argument, index, expected, found });
            }
            let has_cells = column.values().iter().any(has_cell);
            if has_cells && column.elements().is_none() {
                return Err(MapError::SharedCell { argument });
            }
            have_cells.push(has_cells);
        }
        Ok(Columns { columns, have_cells, len })
    }
}

impl Elements<'static> for Columns {
    type Error = Failure;

    fn lend(&self, at: usize, call: TakesArgs<'_>) -> bool {
        let args: Option<SmallVec<[Arg<'_>; 8]>> =
            self.columns.iter().map(|column| Arg::lent(column.value(at))).collect();
        args.is_some_and(|args| {
            call(&args);
            true
        })
    }

    fn values(&self, at: usize) -> Result<Vec<Value<'static>>, Failure> {
        let all = self.columns.iter().zip(&self.have_cells);
        let values = all.map(|(column, has_cells)| match has_cells {
            true => with_own_cells(column.value(at)),
            false => Ok(column.value(at).clone()),
        });
        values.collect()
    }

    fn mapped(&self) -> Vec<bool> {
        self.columns.iter().map(|column| column.elements().is_some()).collect()
    }

    fn lists(&self, range: Range<usize>, mapped: &[bool]) -> Option<Vec<Array<'static>>> {
        if let Some(lists) = lent_lists(self, range.clone(), mapped) {
            return Some(lists);
        }
        // Structs and the like: without cells, elements share their values.
        let wanted = self.columns.iter().zip(&self.have_cells).zip(mapped).filter(|(_, mapped)| **mapped);
        let lists = wanted.map(|((column, has_cells), _)| {
            let Column::Each(values) = column else { return None };
            let values = values.get(range.clone()).filter(|_| !has_cells)?;
            Array::from_values(values.first()?.ty(), values.iter().cloned())
        });
        lists.collect()
    }
}

fn has_cell(value: &Value<'_>) -> bool {
    value.contains(|part| matches!(part, Value::Ref(_)))
}

/// Whether values of a type have it as their own type: a function value and an empty stack have types of their own.
fn is_checked(ty: Ty) -> bool {
    !ty.search(|part| match part.kind() {
        TyKind::Fn(_) | TyKind::Closure(_) | TyKind::Opaque(_) | TyKind::Stack(_) => Visit::Found,
        TyKind::Tuple(_) | TyKind::Array(_) | TyKind::Struct(_) | TyKind::Enum(_) => Visit::Parts,
        _ => Visit::Skip,
    })
}
