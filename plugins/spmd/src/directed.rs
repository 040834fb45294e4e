//! Elements whose functions take directions after their arguments: cotangents of results, or tangents of arguments.

use std::ops::Range;

use overdub_context::ir::Ty;
use overdub_context::value::{Array, Value};

use crate::elements::{Elements, TakesArgs};

/// The directions of one element, one for each type.
pub(crate) type Directions<'d> = dyn Fn(usize) -> Option<Vec<Value<'static>>> + Sync + 'd;

/// Elements with directions, each of which has its own.
pub(crate) struct Directed<'e, L> {
    pub(crate) elements: &'e L,
    /// The types of the directions.
    pub(crate) tys: &'e [Ty],
    /// None for an element whose directions are not of these types.
    pub(crate) directions: &'e Directions<'e>,
}

impl<'a, L: Elements<'a>> Elements<'a> for Directed<'_, L> {
    type Error = L::Error;

    fn lend(&self, _: usize, _: TakesArgs<'_>) -> bool {
        false
    }

    /// The arguments, with anything for the directions: blocks take lists of these.
    fn values(&self, at: usize) -> Result<Vec<Value<'a>>, L::Error> {
        let mut all = self.elements.values(at)?;
        all.extend(self.tys.iter().map(|_| Value::Unit));
        Ok(all)
    }

    fn mapped(&self) -> Vec<bool> {
        let mut mapped = self.elements.mapped();
        mapped.extend(self.tys.iter().map(|_| true));
        mapped
    }

    fn lists(&self, range: Range<usize>, mapped: &[bool]) -> Option<Vec<Array<'a>>> {
        let own = mapped.get(..mapped.len().checked_sub(self.tys.len())?)?;
        let mut columns: Vec<Vec<Value<'static>>> = self.tys.iter().map(|_| Vec::new()).collect();
        for at in range.clone() {
            let directions = (self.directions)(at)?;
            columns.iter_mut().zip(directions).for_each(|(column, direction)| column.push(direction));
        }
        let mut lists = self.elements.lists(range, own)?;
        for (ty, column) in self.tys.iter().zip(columns) {
            lists.push(Array::from_values(*ty, column)?);
        }
        Some(lists)
    }
}
