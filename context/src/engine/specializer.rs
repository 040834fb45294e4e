//! The cache of functions specialised for contexts: generated on first use, kept while they are valid.
//!
//! - SPEC1 a specialisation is valid as long as its source is the same object and, if a pass read other functions, no
//!   function was redefined. An error is kept until a function is redefined.
//! - SPEC2 labels are numbered in the order in which contexts are first used, so that the same program gets the same
//!   names.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, Weak};

use hashbrown::HashMap;

use super::error::ContextError;
use super::func_key::{FuncKey, Mode, Role};
use super::instance::Instance;
use super::instance_table::InstanceTable;
use super::operation::Changed;
use super::runtime::BeginRun;
use super::{Context, Key, NeedsHandle, Optimizer, escaping_code};
use super::{operation, specialize};
use crate::Symbol;
use crate::ir::{Func, FuncSource, LoadError, Module};
use crate::value::{HostFn, Value};

pub(super) struct Specializer {
    pub(super) base: Arc<Module>,
    pub(super) optimizer: Option<Arc<dyn Optimizer>>,
    number: u64,
    capacity: usize,
    /// The number of instances that are kept although nothing holds them.
    contexts: usize,
    tables: RwLock<Tables>,
    uses: AtomicU64,
}

#[derive(Default)]
struct Tables {
    /// The functions that replace a call in their own body, each with the function called there.
    self_replacing: HashMap<Symbol, Symbol>,
    instances: InstanceTable,
    specialized: HashMap<Symbol, CachedSpecialization>,
    /// Functions returned by contexts and companions defined by passes, by the names that calls use.
    added_funcs: HashMap<Symbol, Arc<Func>>,
}

struct CachedSpecialization {
    func: Result<Arc<Func>, LoadError>,
    source: Arc<Func>,
    /// The epoch at which a pass read other functions or refused the source.
    read_epoch: Option<u64>,
    used: AtomicU64,
}

/// A function specialised for a context, and whether other functions were read in the process.
pub(super) struct Specialization {
    pub(super) func: Arc<Func>,
    pub(super) reads_others: bool,
}

impl Specializer {
    pub(super) fn new(
        base: Arc<Module>,
        optimizer: Option<Arc<dyn Optimizer>>,
        capacity: usize,
        contexts: usize,
    ) -> Specializer {
        static ENGINES: AtomicU64 = AtomicU64::new(0);
        Specializer {
            base,
            optimizer,
            number: ENGINES.fetch_add(1, Ordering::Relaxed),
            capacity,
            contexts,
            tables: RwLock::default(),
            uses: AtomicU64::new(0),
        }
    }

    /// The instance of a context, and whether there are enough unused instances to free some.
    pub(super) fn instance<C: Context>(&self, cx: &C) -> (Arc<Instance>, bool) {
        let key = cx.key();
        let now = self.uses.fetch_add(1, Ordering::Relaxed);
        let used = |instance: &Arc<Instance>| {
            instance.used.store(now, Ordering::Relaxed);
            instance.clone()
        };
        if let Some(known) = self.read().instances.get(&key) {
            return (used(known), false);
        }
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = tables.instances.get(&key) {
            return (used(known), false);
        }
        let added = used(&tables.instances.add(key, cx, self.number));
        (added, tables.instances.is_full(self.contexts))
    }

    /// The number of instances.
    pub(super) fn instances(&self) -> usize {
        self.read().instances.len()
    }

    /// Removes instances that are not held, and all functions generated for them.
    pub(super) fn take_idle(&self) -> Vec<Arc<Instance>> {
        self.take(|instances| instances.take_idle(self.contexts))
    }

    /// Removes the instance of this key if it is not held.
    pub(super) fn forget(&self, key: &Key) -> Vec<Arc<Instance>> {
        self.take(|instances| instances.forget(key).into_iter().collect())
    }

    fn take(&self, which: impl FnOnce(&mut InstanceTable) -> Vec<Arc<Instance>>) -> Vec<Arc<Instance>> {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        let removed = which(&mut tables.instances);
        let mut dropped = Vec::new();
        for name in removed.iter().flat_map(|instance| instance.generated_funcs()) {
            dropped.push((tables.specialized.remove(&name), tables.added_funcs.remove(&name)));
        }
        drop(tables);
        removed
    }

    /// Releases the labels of freed instances for reuse once these modules are dropped.
    pub(super) fn retire(&self, freed: &[Arc<Instance>], modules: &[Weak<Module>]) {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        tables.instances.retire(freed, modules);
    }

    /// Keeps the instances that a name mentions as long as the engine lives, since the name leaves the engine.
    pub(super) fn retain_forever(&self, name: Symbol) {
        self.each_instance(name, &mut |instance| instance.retain_forever());
    }

    /// The instances for which the function of a name was generated; they are not freed while the result is
    /// held.
    pub(super) fn instances_of(&self, name: Symbol) -> Vec<Arc<Instance>> {
        let mut instances = Vec::new();
        self.each_instance(name, &mut |instance| instances.push(instance.clone()));
        instances
    }

    /// The instances of a name, and those of the functions in a value.
    pub(super) fn instances_in(&self, name: Symbol, value: &Value<'_>) -> Vec<Arc<Instance>> {
        let mut instances = self.instances_of(name);
        escaping_code::each_code(value, &mut |code| {
            for instance in self.instances_of(code) {
                if !instances.iter().any(|known| Arc::ptr_eq(known, &instance)) {
                    instances.push(instance);
                }
            }
        });
        instances
    }

    /// Records a function in each instance that its name mentions.
    fn record_generated(&self, name: Symbol) {
        self.each_instance(name, &mut |instance| instance.record_generated(name));
    }

    /// Keeps the instances of functions in a value that leaves the engine, unless a handle in the value keeps them.
    pub(super) fn retain_funcs_in(&self, value: &Value<'_>) {
        let closures = &mut |code| {
            self.each_instance(code, &mut |instance| {
                if instance.needs_handle == NeedsHandle::No {
                    instance.retain_forever();
                }
            });
        };
        escaping_code::each_code(value, closures);
    }

    fn each_instance(&self, name: Symbol, f: &mut dyn FnMut(&Arc<Instance>)) {
        let tables = self.read();
        let mut rest = name;
        while let Some(key) = FuncKey::of(rest) {
            tables.instances.labelled(key.context).into_iter().for_each(&mut *f);
            rest = key.source;
        }
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Tables> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name of a function that a context returned as a method.
    pub(super) fn add_given_func(&self, func: &Arc<Func>, instance: &Instance) -> Symbol {
        for number in 0_usize.. {
            let key = FuncKey { source: func.name, context: instance.label, role: Role::ByMethod(number) };
            let name = key.name();
            self.record_generated(name);
            let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
            match tables.added_funcs.get(&name) {
                Some(known) if !Arc::ptr_eq(known, func) && known != func => {}
                Some(_) => return name,
                None => {
                    tables.added_funcs.insert(name, func.clone());
                    return name;
                }
            }
        }
        func.name
    }

    /// The name of a companion: a function that a pass derives from `func` in addition to its body.
    pub(super) fn companion_name(&self, func: Symbol, what: &str, instance: &Instance) -> Symbol {
        FuncKey { source: func, context: instance.label, role: Role::Companion(Symbol::new(what)) }.name()
    }

    /// Defines a companion; an unchanged one stays the same object.
    pub(super) fn define_companion(&self, func: Func) {
        self.record_generated(func.name);
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        match tables.added_funcs.get(&func.name) {
            Some(known) if **known == func => {}
            _ => drop(tables.added_funcs.insert(func.name, Arc::new(func))),
        }
    }

    /// The source, instance and mode of a function rewritten for a context of this engine.
    pub(super) fn rewritten(&self, name: Symbol) -> Option<(Symbol, Arc<Instance>, Mode)> {
        let FuncKey { source, context, role: Role::Rewritten(mode) } = FuncKey::of(name)? else {
            return None;
        };
        Some((source, self.instance_of(context)?, mode))
    }

    fn instance_of(&self, label: Symbol) -> Option<Arc<Instance>> {
        self.read().instances.labelled(label).cloned()
    }

    /// The program's own function from which a name was derived.
    pub(super) fn root(&self, name: Symbol) -> Symbol {
        let mut root = name;
        while let Some(key) = FuncKey::of(root)
            && self.has_generated(root, key)
        {
            root = key.source;
        }
        root
    }

    /// Whether the function of this key belongs to this engine.
    fn has_generated(&self, name: Symbol, key: FuncKey) -> bool {
        let tables = self.read();
        let is_rewritten = matches!(key.role, Role::Rewritten(_));
        is_rewritten && tables.instances.labelled(key.context).is_some()
            || tables.added_funcs.contains_key(&name)
    }

    /// Records that a function replaces calls in its own body.
    pub(super) fn replaces_in_itself(&self, called: Symbol, instead: Symbol) {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        tables.self_replacing.insert(instead, called);
    }

    /// The function whose calls this one replaces in its own body.
    pub(super) fn replaced_by_itself(&self, instead: Symbol) -> Option<Symbol> {
        self.read().self_replacing.get(&instead).copied()
    }

    /// The function of this name: one of the program, or one generated for contexts.
    pub(super) fn func(&self, name: Symbol) -> Result<Option<Arc<Func>>, LoadError> {
        // A companion that is the same under every context has no key.
        if name.ends_with('}')
            && let Some(known) = self.read().added_funcs.get(&name)
        {
            return Ok(Some(known.clone()));
        }
        let Some(key) = FuncKey::of(name) else { return self.base.func(name) };
        let Some(instance) = self.instance_of(key.context) else { return self.base.func(name) };
        match key.role {
            Role::Rewritten(mode) => self.specialization(name, key.source, &instance, mode),
            Role::Operation { call, changed } => match self.operation(name, &instance, call, changed) {
                Some(func) => func.map(Some),
                None => self.base.func(name),
            },
            Role::ByMethod(_) | Role::Companion(_) => self.base.func(name),
        }
    }

    /// The function that evaluates an operation for a host method.
    fn operation(
        &self,
        name: Symbol,
        instance: &Instance,
        call: usize,
        changed: Changed,
    ) -> Option<Result<Arc<Func>, LoadError>> {
        self.record_generated(name);
        let func = match operation::func_of_call(name, instance, call, changed)? {
            Ok(func) => Arc::new(func),
            Err(error) => {
                let context = instance.label;
                return Some(Err(ContextError::Build { context, func: name, error }.into_load()));
            }
        };
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        Some(Ok(tables.added_funcs.entry(name).or_insert(func).clone()))
    }

    fn specialization(
        &self,
        name: Symbol,
        source: Symbol,
        instance: &Arc<Instance>,
        mode: Mode,
    ) -> Result<Option<Arc<Func>>, LoadError> {
        let epoch = self.base.epoch();
        let Some(source) = self.func(source)? else { return Ok(None) };
        let now = self.uses.fetch_add(1, Ordering::Relaxed);
        if let Some(cached) = self.read().specialized.get(&name)
            && Arc::ptr_eq(&cached.source, &source)
            && cached.read_epoch.is_none_or(|read_epoch| read_epoch == epoch)
        {
            cached.used.store(now, Ordering::Relaxed);
            return cached.func.clone().map(Some);
        }
        let (func, read_epoch) = match specialize::specialize(self, name, &source, instance, mode) {
            Ok(specialization) => (Ok(specialization.func), specialization.reads_others.then_some(epoch)),
            Err(error) => (Err(error.into_load()), Some(epoch)),
        };
        let cached =
            CachedSpecialization { func: func.clone(), source, read_epoch, used: AtomicU64::new(now) };
        self.record_generated(name);
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        tables.specialized.insert(name, cached);
        if tables.specialized.len() > self.capacity {
            tables.forget_older_half();
        }
        func.map(Some)
    }

    /// The maximum number of cached functions.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// The number of cached functions.
    pub(super) fn cached_funcs(&self) -> usize {
        self.read().specialized.len()
    }
}

impl Tables {
    fn forget_older_half(&mut self) {
        let mut uses: Vec<u64> =
            self.specialized.values().map(|cached| cached.used.load(Ordering::Relaxed)).collect();
        uses.sort_unstable();
        let middle = uses.get(uses.len() / 2).copied().unwrap_or(0);
        self.specialized.retain(|_, cached| cached.used.load(Ordering::Relaxed) >= middle);
    }
}

/// Makes the functions specialised for contexts available to a module.
pub(super) struct SpecializedSource(pub(super) Arc<Specializer>);

impl FuncSource for SpecializedSource {
    fn func(&self, name: Symbol) -> Result<Option<Arc<Func>>, LoadError> {
        self.0.func(name)
    }

    fn host(&self, name: Symbol) -> Option<Box<dyn HostFn>> {
        let tables = self.0.read();
        let of = |label: Symbol| tables.instances.labelled(label).cloned();
        let (instance, number) = match of(name) {
            Some(instance) => (instance, 0),
            None => {
                let (label, number) = name.rsplit_once('/')?;
                (of(Symbol::new(label))?, number.parse().ok()?)
            }
        };
        Some(Box::new(BeginRun { instance, number }))
    }
}
