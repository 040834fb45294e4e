//! The compiled functions of a module, as long as nothing in it is defined again.

use std::sync::atomic::AtomicPtr;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::ir::{Func, Module, Ty};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

use crate::code::{Compiled, Entry};
use crate::{compile, estimate};

/// Lowering and compiling recurse: they get at least so much stack, on a new piece of this size.
const STACK_LEFT: usize = 1 << 20;
const STACK_PIECE: usize = 8 << 20;

type EntryKey = (Symbol, Box<[Ty]>, Ty);

/// The compiled functions of one state of a module.
pub(crate) struct Program {
    module: Weak<Module>,
    epoch: u64,
    optimises: Optimises,
    compiled: Mutex<HashMap<Symbol, Arc<Compiled>>>,
    /// The steps that runs of functions have been thought to take which are not compiled.
    interpreted: Mutex<HashMap<Symbol, u64>>,
    /// Entries stay where they are: code refers to them.
    entries: Mutex<HashMap<EntryKey, Box<Entry>>>,
}

/// Whether functions are optimised before they are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Optimises {
    Yes,
    No,
}

impl Program {
    pub(crate) fn new(module: &Arc<Module>, optimises: Optimises) -> Program {
        Program {
            module: Arc::downgrade(module),
            epoch: module.epoch(),
            optimises,
            compiled: Mutex::default(),
            interpreted: Mutex::default(),
            entries: Mutex::default(),
        }
    }

    /// Whether it is of this module as it is now.
    pub(crate) fn is_of(&self, module: &Arc<Module>, optimises: Optimises) -> bool {
        std::ptr::eq(self.module.as_ptr(), Arc::as_ptr(module))
            && self.epoch == module.epoch()
            && self.optimises == optimises
    }

    /// Whether its module is gone.
    pub(crate) fn is_orphan(&self) -> bool {
        self.module.strong_count() == 0
    }

    /// Whether compiling the function pays, counting the run that these arguments are for.
    pub(crate) fn is_worth_it(&self, module: &Module, name: Symbol, args: &[Value<'_>]) -> bool {
        if self.known(name).is_some() {
            return true;
        }
        // Who runs it says why there is none.
        let Ok(Some(func)) = module.func(name) else { return true };
        let steps = estimate::steps(module, &func, args);
        let mut interpreted = self.interpreted.lock().unwrap_or_else(PoisonError::into_inner);
        let total = interpreted.entry(name).or_insert(0);
        *total = total.saturating_add(steps);
        *total >= estimate::price(estimate::size(&func))
    }

    /// The function of this name if it is compiled already.
    pub(crate) fn known(&self, name: Symbol) -> Option<Arc<Compiled>> {
        self.compiled.lock().unwrap_or_else(PoisonError::into_inner).get(&name).cloned()
    }

    /// The function of this name, compiled.
    pub(crate) fn compiled(&self, module: &Module, name: Symbol) -> Result<Arc<Compiled>, Failure> {
        if let Some(known) = self.known(name) {
            return Ok(known);
        }
        let made = stacker::maybe_grow(STACK_LEFT, STACK_PIECE, || {
            let func = function(module, name)?;
            self.compile(module, func)
        })?;
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been faster; then its code is the one that entries point to.
        Ok(compiled.entry(name).or_insert(Arc::new(made)).clone())
    }

    fn compile(&self, module: &Module, func: Arc<Func>) -> Result<Compiled, Failure> {
        let optimised = match self.optimises {
            Optimises::Yes => {
                let callee = overdub_passes::callees(module);
                overdub_passes::optimise(&func, &overdub_passes::Scope::new(&callee))
            }
            Optimises::No => Func::clone(&func),
        };
        compile::compile(self, func, &optimised)
    }

    /// The entry for calls of a function with these types.
    pub(crate) fn entry(&self, name: Symbol, params: Vec<Ty>, ret: Ty) -> *const Entry {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (name, params.clone().into_boxed_slice(), ret);
        let entry = entries.entry(key).or_insert_with(|| {
            Box::new(Entry {
                name,
                params: params.into_boxed_slice(),
                ret,
                code: AtomicPtr::new(std::ptr::null_mut()),
            })
        });
        &raw const **entry
    }
}

/// The function of this name.
pub(crate) fn function(module: &Module, name: Symbol) -> Result<Arc<Func>, Failure> {
    match module.func(name) {
        Ok(Some(func)) => Ok(func),
        Ok(None) => Err(Failure::new(FailureKind::Load, format!("there is no function `@{name}`"))),
        Err(error) => {
            let failure = Failure::new(FailureKind::Load, error.message).at(error.span);
            Err(failure.with_help(error.help))
        }
    }
}
