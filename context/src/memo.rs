//! A table of values that are computed once, by any number of threads, and whose construction may refer to
//! themselves.

use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use hashbrown::HashMap;

/// A map from keys to the values computed from them.
///
/// - MEMO1 a value under construction is visible only to the thread that constructs it; others see it when it
///   is complete.
///
/// Two threads may compute the same value at the same time: the first one to complete is kept.
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
    finished: HashMap<K, V>,
    drafts: HashMap<ThreadId, Draft<K, V>>,
}

/// The values under construction in a thread.
#[derive(Debug)]
struct Draft<K, V> {
    depth: usize,
    entries: HashMap<K, V>,
    /// The keys of `entries`, in the order of insertion.
    order: Vec<K>,
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Memo(Mutex::new(Tables { finished: HashMap::new(), drafts: HashMap::new() }))
    }
}

impl<K: Copy + Eq + Hash, V: Clone> Memo<K, V> {
    /// The value computed from `key`, or under construction by this thread.
    pub fn get(&self, key: &K) -> Option<V> {
        let tables = self.lock();
        let known = tables.finished.get(key);
        known.or_else(|| tables.drafts.get(&thread::current().id())?.entries.get(key)).cloned()
    }

    /// Inserts a computed value; within a [draft](Memo::draft) it belongs to the draft.
    pub fn insert(&self, key: K, value: V) {
        let mut tables = self.lock();
        match tables.drafts.get_mut(&thread::current().id()) {
            Some(draft) => draft.insert(key, value),
            None => _ = tables.finished.entry(key).or_insert(value),
        }
    }

    /// Inserts `value` while `make` completes it, and permanently if that succeeds.
    ///
    /// # Errors
    /// If `make` fails; its entries are then discarded.
    pub fn draft<T, E>(&self, key: K, value: V, make: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let open = self.open(key, value);
        let result = make()?;
        open.close();
        Ok(result)
    }

    fn open(&self, key: K, value: V) -> Open<'_, K, V> {
        let mut tables = self.lock();
        let new = || Draft { depth: 0, entries: HashMap::new(), order: vec![] };
        let draft = tables.drafts.entry(thread::current().id()).or_insert_with(new);
        draft.depth += 1;
        let before = draft.order.len();
        draft.insert(key, value);
        Open { memo: self, before, is_complete: false }
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

/// A level of a draft, which ends when this is dropped.
struct Open<'m, K: Copy + Eq + Hash, V: Clone> {
    memo: &'m Memo<K, V>,
    /// The number of entries before this level.
    before: usize,
    is_complete: bool,
}

impl<K: Copy + Eq + Hash, V: Clone> Open<'_, K, V> {
    fn close(mut self) {
        self.is_complete = true;
    }
}

impl<K: Copy + Eq + Hash, V: Clone> Drop for Open<'_, K, V> {
    fn drop(&mut self) {
        let mut tables = self.memo.lock();
        let me = thread::current().id();
        let Some(draft) = tables.drafts.get_mut(&me) else { return };
        draft.depth -= 1;
        if !self.is_complete {
            for key in draft.order.split_off(self.before) {
                draft.entries.remove(&key);
            }
        }
        if draft.depth > 0 {
            return;
        }
        for (key, value) in tables.drafts.remove(&me).into_iter().flat_map(|draft| draft.entries) {
            tables.finished.entry(key).or_insert(value);
        }
    }
}
