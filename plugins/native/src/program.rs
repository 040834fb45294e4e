//! The compiled functions of one version of a module.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use hashbrown::HashMap;
use overdub_context::Failure;
use overdub_context::Symbol;
use overdub_context::ir::{Func, InstKind, LoadError, Module};
use overdub_context::limits::Budget;
use overdub_context::ops;
use overdub_context::value::Value;

use crate::codegen::{self, CodegenCx};
use crate::compiled::Compiled;
use crate::runtime::run::LazyCompiler;
use crate::side_tables::Entries;
use crate::tiering;

/// Lowering and compilation recurse: they get at least this much stack, on a new segment of this size if needed.
const STACK_LEFT: usize = 1 << 20;
const STACK_PIECE: usize = 8 << 20;

/// The compiled functions of a module, valid until a definition in it changes.
pub(crate) struct Program {
    module: Weak<Module>,
    epoch: u64,
    optimises: Optimises,
    functions: Functions,
    /// Whether the code checks for interrupts.
    pub(crate) stops: bool,
    compiled: Mutex<HashMap<Symbol, Arc<Compiled>>>,
    /// The estimated cost of functions that are not compiled.
    interpreted: Mutex<HashMap<Symbol, Interpreted>>,
    entries: Entries,
}

/// The estimated cost of the runs of a function by the interpreter.
#[derive(Clone, Copy)]
struct Interpreted {
    /// The steps of all runs.
    total: u64,
    /// The trip count that was assumed for the last run.
    trip_count: u64,
    /// The steps of the last run.
    steps: u64,
    /// The number of steps from which on compilation pays.
    price: u64,
}

/// Whether functions are optimised before they are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Optimises {
    Yes,
    No,
}

/// Which implementation of float functions compiled code calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Functions {
    Std,
    /// The functions of [`overdub_passes::fast_math`].
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
            entries: Entries::default(),
        }
    }

    /// Whether the program belongs to this version of the module, with or without interrupt checks.
    pub(crate) fn is_of(&self, module: &Arc<Module>, optimises: Optimises, stops: bool) -> bool {
        std::ptr::eq(self.module.as_ptr(), Arc::as_ptr(module))
            && self.epoch == module.epoch()
            && self.optimises == optimises
            && self.stops == stops
    }

    /// Whether the program's module was dropped.
    pub(crate) fn is_orphan(&self) -> bool {
        self.module.strong_count() == 0
    }

    /// Whether compiling the function pays, including the run with these arguments; `threshold` overrides the
    /// number of steps from which on it pays.
    pub(crate) fn is_worth_it(
        &self,
        module: &Module,
        name: Symbol,
        args: &[Value<'_>],
        threshold: Option<u64>,
    ) -> bool {
        if self.known(name).is_some() {
            return true;
        }
        let trip_count = tiering::trip_count_of(args);
        let ran = || self.interpreted.lock().unwrap_or_else(PoisonError::into_inner);
        // Estimating takes longer than a short run.
        let known = ran().get(&name).filter(|known| known.trip_count == trip_count).copied();
        let (steps, price) = match known {
            Some(known) => (known.steps, known.price),
            None => {
                // Running it reports why the function is missing.
                let Ok(Some(func)) = module.func(name) else { return true };
                let price = threshold.unwrap_or_else(|| tiering::price(tiering::size(&func)));
                (tiering::steps(module, &func, trip_count), price)
            }
        };
        let mut ran = ran();
        let total = ran.get(&name).map_or(0, |before| before.total).saturating_add(steps);
        ran.insert(name, Interpreted { total, trip_count, steps, price });
        total >= price
    }

    /// The compiled function of this name, if it has been compiled.
    pub(crate) fn known(&self, name: Symbol) -> Option<Arc<Compiled>> {
        self.compiled.lock().unwrap_or_else(PoisonError::into_inner).get(&name).cloned()
    }

    fn compile(&self, module: &Module, func: Arc<Func>) -> Result<Compiled, Failure> {
        let optimised = self.optimised(module, func.clone());
        codegen::compile(self.codegen_cx(), func, &optimised)
    }

    /// The Cranelift IR of the function of this name.
    pub(crate) fn listing(&self, module: &Module, name: Symbol) -> Result<String, Failure> {
        stacker::maybe_grow(STACK_LEFT, STACK_PIECE, || {
            codegen::listing(self.codegen_cx(), &self.optimised(module, function(module, name)?))
        })
    }

    /// The function to be compiled: after the passes, if functions are optimised.
    fn optimised(&self, module: &Module, func: Arc<Func>) -> Arc<Func> {
        let checked = checking(func);
        let optimised = match self.optimises {
            Optimises::Yes => {
                let callees = overdub_passes::callees(module);
                let callee = |name| callees(name).map(checking);
                Arc::new(overdub_passes::optimise_to_compile(&checked, &overdub_passes::Scope::new(&callee)))
            }
            Optimises::No => checked,
        };
        match self.functions {
            Functions::Std => optimised,
            Functions::Fast => Arc::new(overdub_passes::fast_math::in_place_of_std(&optimised)),
        }
    }

    fn codegen_cx(&self) -> CodegenCx<'_> {
        CodegenCx { entries: &self.entries, stops: self.stops }
    }
}

impl LazyCompiler for Program {
    fn compiled(&self, module: &Module, name: Symbol) -> Result<Arc<Compiled>, Failure> {
        if let Some(known) = self.known(name) {
            return Ok(known);
        }
        if let Some(budget) = Budget::current() {
            budget.check()?;
        }
        let outcome = stacker::maybe_grow(STACK_LEFT, STACK_PIECE, || {
            let func = function(module, name)?;
            self.compile(module, func)
        })?;
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        // If another thread was faster, entries already refer to its code.
        Ok(compiled.entry(name).or_insert(Arc::new(outcome)).clone())
    }
}

/// The function with all its accesses checked: only proofs of the passes that run here are trusted, since memory
/// safety depends on them.
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
        Ok(None) => Err(LoadError::missing(name).into()),
        Err(error) => Err(error.into()),
    }
}
