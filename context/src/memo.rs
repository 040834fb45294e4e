//! A table of what is made once, by any number of threads, where what is being made may mention itself.

use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use hashbrown::HashMap;

/// Values by what they are made from.
///
/// - MEMO1 what a thread is still making is seen by that thread alone; others see it when it is whole.
///
/// Two threads may make the same at once: the first one to be done is kept.
///
/// ```
/// use overdub_context::memo::Memo;
///
/// // `list` mentions itself; what it is stands in the table before it is whole.
/// let memo: Memo<&str, u32> = Memo::default();
/// memo.draft("list", 7, || {
///     assert_eq!(memo.get(&"list"), Some(7));
///     std::thread::scope(|scope| scope.spawn(|| assert_eq!(memo.get(&"list"), None)).join()).expect("it holds");
///     Ok::<(), ()>(())
/// })?;
/// assert_eq!(memo.get(&"list"), Some(7));
///
/// // What fails leaves nothing behind, nor does what was made of it.
/// let failed = memo.draft("tree", 8, || {
///     memo.insert("leaf of tree", 9);
///     Err::<(), ()>(())
/// });
/// assert_eq!((failed, memo.get(&"tree"), memo.get(&"leaf of tree")), (Err(()), None, None));
/// # Ok::<(), ()>(())
/// ```
#[derive(Debug)]
pub struct Memo<K, V>(Mutex<Tables<K, V>>);

#[derive(Debug)]
struct Tables<K, V> {
    whole: HashMap<K, V>,
    drafts: HashMap<ThreadId, Draft<K, V>>,
}

/// What a thread is making.
#[derive(Debug)]
struct Draft<K, V> {
    depth: usize,
    entries: HashMap<K, V>,
    /// The keys of `entries`, in the order of their making.
    order: Vec<K>,
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Memo(Mutex::new(Tables { whole: HashMap::new(), drafts: HashMap::new() }))
    }
}

impl<K: Copy + Eq + Hash, V: Clone> Memo<K, V> {
    /// What was made from `key`, or is being made from it by this thread.
    pub fn get(&self, key: &K) -> Option<V> {
        let tables = self.lock();
        let known = tables.whole.get(key);
        known.or_else(|| tables.drafts.get(&thread::current().id())?.entries.get(key)).cloned()
    }

    /// Enters what was made; within a [draft](Memo::draft) it is part of that.
    pub fn insert(&self, key: K, value: V) {
        let mut tables = self.lock();
        match tables.drafts.get_mut(&thread::current().id()) {
            Some(draft) => draft.insert(key, value),
            None => _ = tables.whole.entry(key).or_insert(value),
        }
    }

    /// Enters `value` for as long as `make` makes it whole, and for good if that succeeds.
    ///
    /// # Errors
    /// Those of `make`, whose entries are then forgotten.
    pub fn draft<T, E>(&self, key: K, value: V, make: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let open = self.open(key, value);
        let made = make()?;
        open.close();
        Ok(made)
    }

    fn open(&self, key: K, value: V) -> Open<'_, K, V> {
        let mut tables = self.lock();
        let new = || Draft { depth: 0, entries: HashMap::new(), order: vec![] };
        let draft = tables.drafts.entry(thread::current().id()).or_insert_with(new);
        draft.depth += 1;
        let before = draft.order.len();
        draft.insert(key, value);
        Open { memo: self, before, whole: false }
    }

    fn lock(&self) -> MutexGuard<'_, Tables<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Copy + Eq + Hash, V> Draft<K, V> {
    fn insert(&mut self, key: K, value: V) {
        if self.entries.insert(key, value).is_none() {
            self.order.push(key);
        }
    }
}

/// One level of a draft, ended when it goes.
struct Open<'m, K: Copy + Eq + Hash, V: Clone> {
    memo: &'m Memo<K, V>,
    /// How many entries there were before.
    before: usize,
    whole: bool,
}

impl<K: Copy + Eq + Hash, V: Clone> Open<'_, K, V> {
    fn close(mut self) {
        self.whole = true;
    }
}

impl<K: Copy + Eq + Hash, V: Clone> Drop for Open<'_, K, V> {
    fn drop(&mut self) {
        let mut tables = self.memo.lock();
        let me = thread::current().id();
        let Some(draft) = tables.drafts.get_mut(&me) else { return };
        draft.depth -= 1;
        if !self.whole {
            for key in draft.order.split_off(self.before) {
                draft.entries.remove(&key);
            }
        }
        if draft.depth > 0 {
            return;
        }
        for (key, value) in tables.drafts.remove(&me).into_iter().flat_map(|draft| draft.entries) {
            tables.whole.entry(key).or_insert(value);
        }
    }
}
