//! What the executor of a program offers to operations and host functions.

use std::fmt;

use hashbrown::HashMap;

use super::{CellRef, HostFn, Value};
use crate::Symbol;
use crate::failure::Failure;
use crate::types::Ty;

/// What an evaluator may ask of whoever runs it.
pub struct OpCx<'m, 'a> {
    /// The declared type of the result.
    pub ret: Ty,
    /// The machine that runs it.
    pub machine: &'m mut dyn Machine<'a>,
}

impl fmt::Debug for OpCx<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpCx").field("ret", &self.ret).finish_non_exhaustive()
    }
}

/// What the executor of a program offers to operations and host functions.
pub trait Machine<'a> {
    /// Calls a closure or function value; what fails inside comes back as the failure.
    ///
    /// # Errors
    /// What the callee fails with, or a limit of the machine.
    fn call(&mut self, callee: &Value<'a>, args: Vec<Value<'a>>) -> Result<Value<'a>, Failure>;

    /// The host function that the program's module has under this name.
    fn host(&self, _name: Symbol) -> Option<Box<dyn HostFn>> {
        None
    }

    /// The cells that live as long as the run; `None` where the executor keeps none.
    fn globals(&mut self) -> Option<&mut Globals> {
        None
    }

    /// Writes to the program's standard output (or where the caller wants it).
    fn print(&mut self, text: &str);

    /// Writes to the program's standard error.
    fn eprint(&mut self, text: &str) {
        eprint!("{text}");
    }

    /// Whether the run may go on: asked by what takes long, between pieces of some 10^5 operations.
    ///
    /// # Errors
    /// If the run is out of time, or cancelled.
    fn check(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    /// Accounts for `bytes` about to be allocated.
    ///
    /// # Errors
    /// If that would pass the memory limit.
    fn reserve(&mut self, bytes: usize) -> Result<(), Failure>;
}

/// The cells that live as long as a run, by name: what an executor keeps for the statics of a program that change.
#[derive(Clone, Default)]
pub struct Globals(HashMap<Symbol, (Ty, CellRef)>);

impl Globals {
    /// No cells.
    pub fn new() -> Globals {
        Globals::default()
    }

    /// The cell of this name, and the type of references to it.
    pub fn get(&self, name: Symbol) -> Option<(Ty, &CellRef)> {
        self.0.get(&name).map(|(ty, cell)| (*ty, cell))
    }

    /// Keeps a cell, to which references are of type `ty`.
    pub fn insert(&mut self, name: Symbol, ty: Ty, cell: CellRef) {
        self.0.insert(name, (ty, cell));
    }

    /// All cells, in no order.
    pub fn cells(&self) -> impl Iterator<Item = &CellRef> {
        self.0.values().map(|(_, cell)| cell)
    }

    /// The same names for the cells that `copy` makes of the cells.
    pub(crate) fn map(&self, mut copy: impl FnMut(&CellRef) -> CellRef) -> Globals {
        Globals(self.0.iter().map(|(name, (ty, cell))| (*name, (*ty, copy(cell)))).collect())
    }

    /// Forgets all cells: another run begins.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl fmt::Debug for Globals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
