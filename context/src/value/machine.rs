//! The interface of an executor to operations and host functions.

use std::fmt;

use hashbrown::HashMap;

use super::{CellRef, HostFn, Value};
use crate::Symbol;
use crate::failure::{Failure, FailureKind};
use crate::types::Ty;

/// The context of an evaluator.
pub struct OpCx<'m, 'a> {
    /// The declared type of the result.
    pub ret: Ty,
    /// The machine that runs the operation.
    pub machine: &'m mut dyn Machine<'a>,
}

impl fmt::Debug for OpCx<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpCx").field("ret", &self.ret).finish_non_exhaustive()
    }
}

/// The interface of an executor to operations and host functions.
pub trait Machine<'a> {
    /// Calls a closure or function value; returns a failure of the callee.
    ///
    /// # Errors
    /// The failure of the callee, or a limit of the machine.
    fn call(&mut self, callee: &Value<'a>, args: Vec<Value<'a>>) -> Result<Value<'a>, Failure>;

    /// The host function of this name in the program's module.
    fn host(&self, _name: Symbol) -> Option<Box<dyn HostFn>> {
        None
    }

    /// The cells that live as long as the run; `None` if the executor keeps none.
    fn globals(&mut self) -> Option<&mut Globals> {
        None
    }

    /// Writes to the program's standard output (or to the caller's replacement).
    fn print(&mut self, text: &str);

    /// Writes to the program's standard error.
    fn eprint(&mut self, text: &str) {
        eprint!("{text}");
    }

    /// Checks that the run may continue; long-running operations call it about every 10^5 elementary steps.
    ///
    /// # Errors
    /// If the run is out of time, or cancelled.
    fn check(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    /// Accounts for `bytes` that are about to be allocated.
    ///
    /// # Errors
    /// If that would exceed the memory limit.
    fn reserve(&mut self, bytes: usize) -> Result<(), Failure>;
}

/// A machine for operations that need none, such as those on scalars: it calls nothing, prints nothing, and has no limits.
#[derive(Clone, Copy, Debug)]
pub struct NoMachine;

impl<'a> Machine<'a> for NoMachine {
    fn call(&mut self, _: &Value<'a>, _: Vec<Value<'a>>) -> Result<Value<'a>, Failure> {
        Err(Failure::new(FailureKind::Type, "an operation outside of a run calls nothing"))
    }

    fn print(&mut self, _: &str) {}

    fn reserve(&mut self, _: usize) -> Result<(), Failure> {
        Ok(())
    }
}

/// The cells that live as long as a run, by name: the mutable statics of a program.
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

    /// Inserts a cell, references to which are of type `ty`.
    pub fn insert(&mut self, name: Symbol, ty: Ty, cell: CellRef) {
        self.0.insert(name, (ty, cell));
    }

    /// All cells, in arbitrary order.
    pub fn cells(&self) -> impl Iterator<Item = &CellRef> {
        self.0.values().map(|(_, cell)| cell)
    }

    /// The same names with copies of the cells.
    pub(crate) fn map(&self, mut copy: impl FnMut(&CellRef) -> CellRef) -> Globals {
        Globals(self.0.iter().map(|(name, (ty, cell))| (*name, (*ty, copy(cell)))).collect())
    }

    /// Removes all cells, before another run.
    #[inline]
    pub fn clear(&mut self) {
        if !self.0.is_empty() {
            self.0.clear();
        }
    }
}

impl fmt::Debug for Globals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
