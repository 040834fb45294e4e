//! The functions made for contexts: found by name, made when they are first asked for, kept while they hold.
//!
//! - E3 a function made for a context holds as long as the function that it was made of is the same object, and, if
//!   a pass looked further than that, as long as nothing was defined again.
//!   That a context refuses a function holds until something is defined again: it is not asked once more.
//! - E4 labels are numbered in the order in which contexts are first used, so that the same program gets the same
//!   names.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use hashbrown::HashMap;

use super::error::ContextError;
use super::instance::{Instance, Known, Mode};
use super::live::Begin;
use super::{Context, Optimizer};
use super::{make, operation};
use crate::Symbol;
use crate::ir::{Func, FuncSource, LoadError, Module};
use crate::value::HostFn;

pub(super) struct Specialiser {
    pub(super) base: Arc<Module>,
    pub(super) optimizer: Option<Arc<dyn Optimizer>>,
    number: u64,
    capacity: usize,
    tables: RwLock<Tables>,
    uses: AtomicU64,
}

#[derive(Default)]
struct Tables {
    known: Known,
    labels: HashMap<Symbol, Arc<Instance>>,
    counts: HashMap<String, usize>,
    made: HashMap<Symbol, Made>,
    /// Functions that contexts gave as methods, by the names that calls have for them.
    given: HashMap<Symbol, Arc<Func>>,
}

struct Made {
    func: Result<Arc<Func>, LoadError>,
    source: Arc<Func>,
    /// The epoch at which a pass looked further than at its source, or refused it.
    looked: Option<u64>,
    used: AtomicU64,
}

/// What was made of a function, and whether more than that function was looked at.
pub(super) struct Making {
    pub(super) func: Arc<Func>,
    pub(super) looked: bool,
}

impl Specialiser {
    pub(super) fn new(
        base: Arc<Module>,
        optimizer: Option<Arc<dyn Optimizer>>,
        capacity: usize,
    ) -> Specialiser {
        static ENGINES: AtomicU64 = AtomicU64::new(0);
        Specialiser {
            base,
            optimizer,
            number: ENGINES.fetch_add(1, Ordering::Relaxed),
            capacity,
            tables: RwLock::default(),
            uses: AtomicU64::new(0),
        }
    }

    /// The instance of a context.
    pub(super) fn instance<C: Context>(&self, cx: &C) -> Arc<Instance> {
        let key = cx.key();
        if let Some(known) = self.read().known.get(&key) {
            return known.clone();
        }
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = tables.known.get(&key) {
            return known.clone();
        }
        let name = cx.name();
        let count = tables.counts.entry(name.clone()).or_insert(0);
        let label = Symbol::new(&format!("{name}#{count}"));
        *count += 1;
        let instance = Arc::new(Instance::new(cx, label, self.number));
        tables.known.insert(key, instance.clone());
        tables.labels.insert(label, instance.clone());
        instance
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Tables> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name by which calls reach a function that a context gave.
    pub(super) fn give(&self, func: &Arc<Func>, instance: &Instance) -> Symbol {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        for number in 0_usize.. {
            let name = Symbol::new(&format!("{}{{ir{number} {}}}", func.name, instance.label));
            match tables.given.get(&name) {
                Some(given) if !Arc::ptr_eq(given, func) && given != func => {}
                Some(_) => return name,
                None => {
                    tables.given.insert(name, func.clone());
                    return name;
                }
            }
        }
        func.name
    }

    /// The name of what a pass of a context makes of a function besides its body.
    pub(super) fn companion_name(&self, func: Symbol, what: &str, instance: &Instance) -> Symbol {
        Symbol::new(&format!("{func}{{{what} {}}}", instance.label))
    }

    /// Lets calls reach what a pass made besides a body; what has not changed stays the same object.
    pub(super) fn define_companion(&self, func: Func) {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        match tables.given.get(&func.name) {
            Some(given) if **given == func => {}
            _ => drop(tables.given.insert(func.name, Arc::new(func))),
        }
    }

    /// The function, instance and mode that a name is made of.
    pub(super) fn parse(&self, name: Symbol) -> Option<(Symbol, Arc<Instance>, Mode)> {
        let (source, made) = name.as_str().strip_suffix('}')?.rsplit_once('{')?;
        let (mode, label) = Mode::of(made);
        let instance = self.read().labels.get(&Symbol::new(label))?.clone();
        Some((Symbol::new(source), instance, mode))
    }

    /// The function of this name as it was before any context rewrote it.
    pub(super) fn root(&self, name: Symbol) -> Symbol {
        let mut root = name;
        while let Some(source) =
            self.parse(root).map(|(source, ..)| source).or_else(|| self.companion_of(root))
        {
            root = source;
        }
        root
    }

    /// The function that a pass made this one of besides a body.
    fn companion_of(&self, name: Symbol) -> Option<Symbol> {
        let (source, _) = name.strip_suffix('}')?.rsplit_once('{')?;
        self.read().given.contains_key(&name).then(|| Symbol::new(source))
    }

    /// The function of this name: the program's own, or one that is made for a context.
    pub(super) fn func(&self, name: Symbol) -> Result<Option<Arc<Func>>, LoadError> {
        if !name.ends_with('}') {
            return self.base.func(name);
        }
        if let Some(given) = self.read().given.get(&name) {
            return Ok(Some(given.clone()));
        }
        match self.parse(name) {
            Some((source, instance, mode)) => self.made(name, source, &instance, mode),
            None => match self.operation(name) {
                Some(func) => func.map(Some),
                None => self.base.func(name),
            },
        }
    }

    /// The function of this name that carries out an operation for a host method.
    fn operation(&self, name: Symbol) -> Option<Result<Arc<Func>, LoadError>> {
        let (_, made) = name.as_str().strip_suffix('}')?.rsplit_once('{')?;
        let (number, changed, label) = operation::parse(made)?;
        let instance = self.read().labels.get(&Symbol::new(label))?.clone();
        let func = match operation::make(name, &instance, number, changed)? {
            Ok(func) => Arc::new(func),
            Err(error) => {
                let context = instance.label;
                return Some(Err(ContextError::Build { context, func: name, error }.into_load()));
            }
        };
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        Some(Ok(tables.given.entry(name).or_insert(func).clone()))
    }

    fn made(
        &self,
        name: Symbol,
        source: Symbol,
        instance: &Arc<Instance>,
        mode: Mode,
    ) -> Result<Option<Arc<Func>>, LoadError> {
        let epoch = self.base.epoch();
        let Some(source) = self.func(source)? else { return Ok(None) };
        let now = self.uses.fetch_add(1, Ordering::Relaxed);
        if let Some(made) = self.read().made.get(&name)
            && Arc::ptr_eq(&made.source, &source)
            && made.looked.is_none_or(|looked| looked == epoch)
        {
            made.used.store(now, Ordering::Relaxed);
            return made.func.clone().map(Some);
        }
        let (func, looked) = match make::make(self, name, &source, instance, mode) {
            Ok(making) => (Ok(making.func), making.looked.then_some(epoch)),
            Err(error) => (Err(error.into_load()), Some(epoch)),
        };
        let made = Made { func: func.clone(), source, looked, used: AtomicU64::new(now) };
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        tables.made.insert(name, made);
        if tables.made.len() > self.capacity {
            tables.forget_older_half();
        }
        func.map(Some)
    }

    /// So many functions are kept ready.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Functions that are kept ready.
    pub(super) fn kept(&self) -> usize {
        self.read().made.len()
    }
}

impl Tables {
    fn forget_older_half(&mut self) {
        let mut uses: Vec<u64> = self.made.values().map(|made| made.used.load(Ordering::Relaxed)).collect();
        uses.sort_unstable();
        let middle = uses.get(uses.len() / 2).copied().unwrap_or(0);
        self.made.retain(|_, made| made.used.load(Ordering::Relaxed) >= middle);
    }
}

/// Lets a module find what is made for contexts.
pub(super) struct Source(pub(super) Arc<Specialiser>);

impl FuncSource for Source {
    fn func(&self, name: Symbol) -> Result<Option<Arc<Func>>, LoadError> {
        self.0.func(name)
    }

    fn host(&self, name: Symbol) -> Option<Box<dyn HostFn>> {
        let tables = self.0.read();
        let of = |label: Symbol| tables.labels.get(&label).cloned();
        let (instance, number) = match of(name) {
            Some(instance) => (instance, 0),
            None => {
                let (label, number) = name.rsplit_once('/')?;
                (of(Symbol::new(label))?, number.parse().ok()?)
            }
        };
        Some(Box::new(Begin { instance, number }))
    }
}
