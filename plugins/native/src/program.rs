//! The compiled functions of a module, as long as nothing in it is defined again.

use std::sync::atomic::AtomicPtr;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::ir::{Func, InstKind, Module, Ty};
use overdub_context::limits::Budget;
use overdub_context::ops;
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

use crate::compiled::{Compiled, Entry};
use crate::{codegen, tiering};

/// Lowering and compiling recurse: they get at least so much stack, on a new piece of this size.
const STACK_LEFT: usize = 1 << 20;
const STACK_PIECE: usize = 8 << 20;

type EntryKey = (Symbol, Box<[Ty]>, Ty);

/// The compiled functions of one state of a module.
pub(crate) struct Program {
    module: Weak<Module>,
    epoch: u64,
    optimises: Optimises,
    functions: Functions,
    /// Whether its code asks from time to time whether it may go on.
    pub(crate) stops: bool,
    compiled: Mutex<HashMap<Symbol, Arc<Compiled>>>,
    /// The runs of functions which are not compiled.
    interpreted: Mutex<HashMap<Symbol, Interpreted>>,
    /// Entries stay where they are: code refers to them.
    entries: Mutex<HashMap<EntryKey, Box<Entry>>>,
}

/// What runs of a function that is not compiled are thought to have taken.
#[derive(Clone, Copy)]
struct Interpreted {
    /// The steps of all runs.
    total: u64,
    /// How often loops ran in the last one.
    rounds: u64,
    /// The steps of the last one.
    steps: u64,
    /// The steps that pay for compiling it.
    price: u64,
}

/// Whether functions are optimised before they are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Optimises {
    Yes,
    No,
}

/// Which functions of floats compiled code calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Functions {
    Std,
    /// Those of [`overdub_passes::fast_math`].
    Fast,
}

impl Program {
    pub(crate) fn new(
        module: &Arc<Module>,
        optimises: Optimises,
        functions: Functions,
        stops: bool,
    ) -> Program {
        Program {
            module: Arc::downgrade(module),
            epoch: module.epoch(),
            optimises,
            functions,
            stops,
            compiled: Mutex::default(),
            interpreted: Mutex::default(),
            entries: Mutex::default(),
        }
    }

    /// Whether it is of this module as it is now, and its code can be stopped where that is wanted.
    pub(crate) fn is_of(&self, module: &Arc<Module>, optimises: Optimises, stops: bool) -> bool {
        std::ptr::eq(self.module.as_ptr(), Arc::as_ptr(module))
            && self.epoch == module.epoch()
            && self.optimises == optimises
            && self.stops == stops
    }

    /// Whether its module is gone.
    pub(crate) fn is_orphan(&self) -> bool {
        self.module.strong_count() == 0
    }

    /// Whether compiling the function pays, counting the run that these arguments are for; it pays for so many steps if
    /// that is said.
    pub(crate) fn is_worth_it(
        &self,
        module: &Module,
        name: Symbol,
        args: &[Value<'_>],
        said: Option<u64>,
    ) -> bool {
        if self.known(name).is_some() {
            return true;
        }
        let rounds = tiering::rounds_of(args);
        let ran = || self.interpreted.lock().unwrap_or_else(PoisonError::into_inner);
        // Looking at the function takes longer than a short run does.
        let known = ran().get(&name).filter(|known| known.rounds == rounds).copied();
        let (steps, price) = match known {
            Some(known) => (known.steps, known.price),
            None => {
                // Who runs it says why there is none.
                let Ok(Some(func)) = module.func(name) else { return true };
                let price = said.unwrap_or_else(|| tiering::price(tiering::size(&func)));
                (tiering::steps(module, &func, rounds), price)
            }
        };
        let mut ran = ran();
        let total = ran.get(&name).map_or(0, |before| before.total).saturating_add(steps);
        ran.insert(name, Interpreted { total, rounds, steps, price });
        total >= price
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
        if let Some(budget) = Budget::current() {
            budget.check()?;
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
        let checked = checking(func.clone());
        let optimised = match self.optimises {
            Optimises::Yes => {
                let callees = overdub_passes::callees(module);
                let callee = |name| callees(name).map(checking);
                Arc::new(overdub_passes::optimise_to_compile(&checked, &overdub_passes::Scope::new(&callee)))
            }
            Optimises::No => checked,
        };
        let optimised = match self.functions {
            Functions::Std => optimised,
            Functions::Fast => Arc::new(overdub_passes::fast_math::in_place_of_std(&optimised)),
        };
        codegen::compile(self, func, &optimised)
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

/// The function with all its accesses checked: compiled code is as safe as the proofs that leave checks out, and only
/// those of the passes that run here are trusted.
fn checking(mut func: Arc<Func>) -> Arc<Func> {
    let checked = |kind: &InstKind| match kind {
        InstKind::Op { op, .. } if **op == ops::GET_UNCHECKED => Some(&ops::GET),
        InstKind::Op { op, .. } if **op == ops::SET_UNCHECKED => Some(&ops::SET),
        _ => None,
    };
    if func.blocks.iter().flat_map(|body| &body.insts).all(|inst| checked(&inst.kind).is_none()) {
        return func;
    }
    for inst in Arc::make_mut(&mut func).blocks.iter_mut().flat_map(|body| &mut body.insts) {
        if let Some(checked) = checked(&inst.kind)
            && let InstKind::Op { op, .. } = &mut inst.kind
        {
            *op = checked;
        }
    }
    func
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
