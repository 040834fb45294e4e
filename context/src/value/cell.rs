//! Mutable cells, and references to them and to parts of what they hold.

use std::sync::{Arc, Mutex, PoisonError};

use smallvec::SmallVec;

use super::Value;

/// A reference into a mutable cell: the cell, and the way from its content to the part.
///
/// Copies refer to the same cell. Rust's borrow rules make sure that nobody sees a part while another changes it.
#[derive(Clone, Debug)]
pub struct CellRef {
    cell: Arc<Mutex<Value<'static>>>,
    path: SmallVec<[Step; 2]>,
}

/// A step from a value to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A field of a tuple, struct or variant.
    Field(u32),
    /// An element of an array.
    Elem(usize),
    /// The elements `from .. to` of an array.
    Slice(usize, usize),
}

impl CellRef {
    /// A reference to a new cell that holds `value`.
    pub fn new(value: Value<'static>) -> CellRef {
        CellRef { cell: Arc::new(Mutex::new(value)), path: SmallVec::new() }
    }

    /// The reference one step further in.
    #[must_use]
    pub fn step(&self, step: Step) -> CellRef {
        let mut path = self.path.clone();
        path.push(step);
        CellRef { cell: self.cell.clone(), path }
    }

    /// The way from the cell's content to the part.
    pub fn path(&self) -> &[Step] {
        &self.path
    }

    /// Whether both refer to one cell.
    pub fn same_cell(&self, other: &CellRef) -> bool {
        Arc::ptr_eq(&self.cell, &other.cell)
    }

    /// Runs `f` on the content of the whole cell.
    pub fn with<R>(&self, f: impl FnOnce(&mut Value<'static>) -> R) -> R {
        f(&mut self.cell.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
