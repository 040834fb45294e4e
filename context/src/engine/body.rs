//! The body that a pass gets to rewrite.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use super::func_key::Mode;
use super::instance::Instance;
use super::specialize;
use super::specializer::Specializer;
use crate::Symbol;
use crate::ir::{Func, Inst, LoadError, Ty};

/// Prepares bodies for passes that request them inlined and optimised; implemented by the facade crate.
pub trait Optimizer: Send + Sync {
    /// The function with its callees inlined, and optimised; calls for which `keeps_call` holds are preserved.
    ///
    /// # Errors
    /// If a callee cannot be loaded.
    fn optimised(
        &self,
        func: &Arc<Func>,
        callee: &dyn Fn(Symbol) -> Result<Option<Arc<Func>>, LoadError>,
        keeps_call: &dyn Fn(&Func, &Inst) -> bool,
    ) -> Result<Arc<Func>, LoadError>;
}

/// The body of a function that a pass may rewrite.
pub struct Body<'e> {
    specializer: &'e Specializer,
    instance: &'e Instance,
    func: &'e Arc<Func>,
    has_read_others: Cell<bool>,
}

impl<'e> Body<'e> {
    pub(super) fn new(specializer: &'e Specializer, instance: &'e Instance, func: &'e Arc<Func>) -> Self {
        Body { specializer, instance, func, has_read_others: Cell::new(false) }
    }

    /// Whether the pass read other functions.
    pub(super) fn has_read_others(&self) -> bool {
        self.has_read_others.get()
    }

    /// The function, as lowered.
    pub fn func(&self) -> &'e Arc<Func> {
        self.func
    }

    /// The name of the function before any context rewrote it.
    pub fn root(&self) -> Symbol {
        self.specializer.root(self.func.name)
    }

    /// The types of the function's arguments.
    pub fn args(&self) -> Vec<Ty> {
        self.func.param_tys().collect()
    }

    /// The function, inlined and optimised except for calls for which the context has a method. Without an
    /// optimiser it is the function as lowered.
    ///
    /// # Errors
    /// If a callee cannot be loaded.
    pub fn optimised(&self) -> Result<Arc<Func>, LoadError> {
        self.has_read_others.set(true);
        let Some(optimizer) = &self.specializer.optimizer else { return Ok(self.func.clone()) };
        let keep =
            |func: &Func, inst: &Inst| specialize::has_method(self.specializer, self.instance, func, inst);
        optimizer.optimised(self.func, &|name| self.specializer.func(name), &keep)
    }

    /// Another function of the program, as lowered.
    ///
    /// # Errors
    /// If it exists but cannot be loaded.
    pub fn callee(&self, name: Symbol) -> Result<Option<Arc<Func>>, LoadError> {
        self.has_read_others.set(true);
        self.specializer.func(name)
    }

    /// The name of a companion, a function that the pass derives from `func` in addition to its body, in this
    /// context.
    pub fn companion_name(&self, func: Symbol, what: &str) -> Symbol {
        self.specializer.companion_name(func, what, self.instance)
    }

    /// Defines a companion, named by [`Body::companion_name`]; one that is the same under every context may
    /// have any name that ends in `}`. Like a body that the pass replaces, it is not rewritten: the context
    /// is not queried for its calls. A later definition of the same name replaces it.
    pub fn define_companion(&self, func: Func) {
        self.specializer.define_companion(func);
    }

    /// The name that a function has under this context, by which an `overdub` call of it is replaced.
    pub fn inside(&self, func: Symbol) -> Symbol {
        self.instance.name(func, Mode::Inside)
    }
}

impl fmt::Debug for Body<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").field("func", &self.func.name).field("context", &self.instance).finish()
    }
}
