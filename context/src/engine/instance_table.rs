//! The instances of an engine: found by key, named by label, freed when nothing holds them.
//!
//! - TABLE1 runs, prepared functions and handles hold their instance. Once a name of a function generated for
//!   it leaves the engine, the instance is held as long as the engine lives, since the last use of a name
//!   cannot be observed.
//! - TABLE2 of the instances that are not held, the engine keeps the most recently used; the others are
//!   freed, with all functions generated for them.
//! - TABLE3 names and types live as long as the process, so the label of a freed instance is reused, which
//!   bounds the number of names by the number of contexts alive at a time. It is reused only when no module
//!   contains a function generated for the previous instance.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use hashbrown::HashMap;

use super::instance::Instance;
use super::{Context, Key};
use crate::Symbol;
use crate::ir::Module;

/// The instances of an engine.
#[derive(Default)]
pub(super) struct InstanceTable {
    known: HashMap<Key, Arc<Instance>>,
    labels: HashMap<Symbol, Arc<Instance>>,
    numbers: HashMap<String, LabelNumbers>,
    retired: Vec<RetiredLabel>,
    /// The number of instances above which freeing some is considered.
    search_threshold: usize,
}

/// The label numbers used by contexts of one name.
#[derive(Default)]
struct LabelNumbers {
    next: usize,
    free: BTreeSet<usize>,
}

/// The key and the label of an instance.
pub(super) struct InstanceLabel {
    key: Key,
    name: String,
    number: usize,
}

/// A label of a freed instance that cannot be reused yet.
struct RetiredLabel {
    name: String,
    number: usize,
    /// The modules that may contain functions generated for the instance of this label.
    modules: Vec<Weak<Module>>,
}

impl InstanceTable {
    pub(super) fn get(&self, key: &Key) -> Option<&Arc<Instance>> {
        self.known.get(key)
    }

    pub(super) fn labelled(&self, label: Symbol) -> Option<&Arc<Instance>> {
        self.labels.get(&label)
    }

    /// The number of instances.
    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    /// Adds an instance for a new key.
    pub(super) fn add<C: Context>(&mut self, key: Key, cx: &C, engine: u64) -> Arc<Instance> {
        let name = cx.name();
        let numbers = self.numbers.entry(name.clone()).or_default();
        let number = numbers.free.pop_first().unwrap_or_else(|| {
            numbers.next += 1;
            numbers.next - 1
        });
        let label = Symbol::new(&format!("{name}#{number}"));
        let numbered = InstanceLabel { key: key.clone(), name, number };
        let instance = Arc::new(Instance::new(cx, label, engine, numbered));
        self.known.insert(key, instance.clone());
        self.labels.insert(label, instance.clone());
        instance
    }

    /// Whether the table exceeds `most` by enough to make freeing worthwhile.
    pub(super) fn is_full(&self, most: usize) -> bool {
        self.labels.len() > most.max(self.search_threshold)
    }

    /// Removes the least recently used instances that are not held, leaving half of `most` (TABLE2).
    pub(super) fn take_idle(&mut self, most: usize) -> Vec<Arc<Instance>> {
        let mut idle: Vec<(u64, Symbol)> = self
            .labels
            .values()
            .filter(|instance| self.is_idle(instance))
            .map(|instance| (instance.used.load(Ordering::Relaxed), instance.label))
            .collect();
        idle.sort_unstable();
        let in_use = self.labels.len() - idle.len();
        idle.truncate(idle.len().saturating_sub(most / 2));
        let removed = idle.iter().filter_map(|(_, label)| self.take(*label)).collect();
        // If most are held, searching again immediately is not worthwhile.
        self.search_threshold = in_use + most;
        removed
    }

    /// Removes the instance of this key if it is not held; otherwise it is no longer found by its key.
    pub(super) fn forget(&mut self, key: &Key) -> Option<Arc<Instance>> {
        let instance = self.known.get(key)?;
        if self.is_idle(instance) {
            return self.take(instance.label);
        }
        self.known.remove(key);
        None
    }

    fn take(&mut self, label: Symbol) -> Option<Arc<Instance>> {
        let instance = self.labels.remove(&label)?;
        if self.is_known(&instance) {
            self.known.remove(&instance.numbered.key);
        }
        Some(instance)
    }

    /// Whether an instance is found by its key.
    fn is_known(&self, instance: &Arc<Instance>) -> bool {
        self.known.get(&instance.numbered.key).is_some_and(|known| Arc::ptr_eq(known, instance))
    }

    /// Whether an instance is not held (TABLE1): the tables are its only owners, and while they are locked no other
    /// owner can appear.
    fn is_idle(&self, instance: &Arc<Instance>) -> bool {
        let owners = 1 + usize::from(self.is_known(instance));
        !instance.is_retained_forever() && Arc::strong_count(instance) == owners
    }

    /// Releases the labels of freed instances for reuse once these modules are dropped (TABLE3).
    pub(super) fn retire(&mut self, freed: &[Arc<Instance>], modules: &[Weak<Module>]) {
        for instance in freed {
            let has_some = |module: &&Weak<Module>| {
                module.upgrade().is_some_and(|module| {
                    instance.generated_funcs().iter().any(|name| module.defined(*name).is_some())
                })
            };
            let modules = modules.iter().filter(has_some).cloned().collect();
            let InstanceLabel { name, number, .. } = &instance.numbered;
            self.retired.push(RetiredLabel { name: name.clone(), number: *number, modules });
        }
        let numbers = &mut self.numbers;
        self.retired.retain(|retired| {
            let is_in_use = retired.modules.iter().any(|module| module.strong_count() > 0);
            if !is_in_use && let Some(numbers) = numbers.get_mut(&retired.name) {
                numbers.free.insert(retired.number);
            }
            is_in_use
        });
    }
}
