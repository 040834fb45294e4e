//! What plugins make of the functions of an engine, and use again.

use std::any::{Any, TypeId};
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashMap;

use super::Engine;

/// The most values of one type: when there are more, all of them are dropped, and made anew where they are needed.
const MOST: usize = 256;

/// Values by their types and keys, as long as no function is redefined and none is freed.
#[derive(Default)]
pub(super) struct Attached(Mutex<HashMap<TypeId, Box<dyn Any + Send>>>);

impl Attached {
    fn lock(&self) -> MutexGuard<'_, HashMap<TypeId, Box<dyn Any + Send>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get<K: Hash + Eq + 'static, V: Clone + 'static>(&self, key: &K) -> Option<V> {
        let all = self.lock();
        all.get(&TypeId::of::<HashMap<K, V>>())?.downcast_ref::<HashMap<K, V>>()?.get(key).cloned()
    }

    /// Puts a value, unless there is one.
    fn put<K, V>(&self, key: K, value: V) -> V
    where
        K: Hash + Eq + Send + 'static,
        V: Clone + Send + 'static,
    {
        let mut all = self.lock();
        let values = all
            .entry(TypeId::of::<HashMap<K, V>>())
            .or_insert_with(|| Box::new(HashMap::<K, V>::new()))
            .downcast_mut::<HashMap<K, V>>();
        let Some(values) = values else { return value };
        if values.len() >= MOST {
            values.clear();
        }
        values.entry(key).or_insert(value).clone()
    }
}

impl Engine {
    /// What `make` made for a key: a plugin that compiles functions of [`Engine::module`] does it once. The value is dropped when a
    /// function is redefined or freed, when there are many others, and with the engine, which it must not hold: it would keep itself alive.
    /// Two threads may make it at the same time; the first one to be done is used.
    ///
    /// ```
    /// use overdub_context::engine::Engine;
    ///
    /// let engine = Engine::new(overdub_context::text::parse("fn @f(%x: f64) -> f64 {\n  ret %x\n}")?.module());
    /// #[derive(PartialEq, Eq, Hash)]
    /// struct Params(&'static str);
    /// let params = || engine.module().func("f".into()).ok().flatten().map(|func| func.params().len());
    /// assert_eq!(engine.attached(Params("f"), params), Some(1));
    /// assert_eq!(engine.attached(Params("f"), || -> Option<usize> { panic!("it is there") }), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn attached<K, V>(&self, key: K, make: impl FnOnce() -> V) -> V
    where
        K: Hash + Eq + Send + 'static,
        V: Clone + Send + 'static,
    {
        let values = self.attached_values();
        match values.get(&key) {
            Some(value) => value,
            // Without the lock: it may need other values.
            None => values.put(key, make()),
        }
    }
}
