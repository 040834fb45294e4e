//! Occupied and vacant entries of maps.

use crate::fmt;
use crate::slice::elem_mut;

pub enum Entry<'a, K, V> {
    Occupied(OccupiedEntry<'a, K, V>),
    Vacant(VacantEntry<'a, K, V>),
}

pub struct OccupiedEntry<'a, K, V> {
    keys: &'a mut Vec<K>,
    values: &'a mut Vec<V>,
    at: usize,
}

pub struct VacantEntry<'a, K, V> {
    keys: &'a mut Vec<K>,
    values: &'a mut Vec<V>,
    at: usize,
    key: K,
}

pub fn entry<'a, K, V>(
    keys: &'a mut Vec<K>,
    values: &'a mut Vec<V>,
    key: K,
    found: Result<usize, usize>,
) -> Entry<'a, K, V> {
    match found {
        Ok(at) => Entry::Occupied(OccupiedEntry { keys, values, at }),
        Err(at) => Entry::Vacant(VacantEntry { keys, values, at, key }),
    }
}

impl<'a, K, V> Entry<'a, K, V> {
    pub fn or_insert(self, default: V) -> &'a mut V {
        match self {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(default),
        }
    }

    pub fn or_insert_with<F: FnOnce() -> V>(self, default: F) -> &'a mut V {
        match self {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(default()),
        }
    }

    pub fn or_insert_with_key<F: FnOnce(&K) -> V>(self, default: F) -> &'a mut V {
        match self {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let value = default(&entry.key);
                entry.insert(value)
            }
        }
    }

    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        match self {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(V::default()),
        }
    }

    pub fn and_modify<F: FnOnce(&mut V)>(self, f: F) -> Entry<'a, K, V> {
        if let Entry::Occupied(entry) = &self {
            f(elem_mut(entry.values, entry.at));
        }
        self
    }

    pub fn insert_entry(self, value: V) -> OccupiedEntry<'a, K, V> {
        match self {
            Entry::Occupied(mut entry) => {
                entry.insert(value);
                entry
            }
            Entry::Vacant(entry) => {
                let VacantEntry { keys, values, at, key } = entry;
                keys.insert(at, key);
                values.insert(at, value);
                OccupiedEntry { keys, values, at }
            }
        }
    }

    pub fn key(&self) -> &K {
        match self {
            Entry::Occupied(entry) => entry.key(),
            Entry::Vacant(entry) => entry.key(),
        }
    }
}

impl<'a, K, V> OccupiedEntry<'a, K, V> {
    pub fn key(&self) -> &K {
        &self.keys[self.at]
    }

    pub fn get(&self) -> &V {
        &self.values[self.at]
    }

    pub fn get_mut(&mut self) -> &mut V {
        elem_mut(self.values, self.at)
    }

    pub fn into_mut(self) -> &'a mut V {
        elem_mut(self.values, self.at)
    }

    pub fn insert(&mut self, value: V) -> V {
        crate::mem::replace(&mut self.values[self.at], value)
    }

    pub fn remove(self) -> V {
        self.keys.remove(self.at);
        self.values.remove(self.at)
    }

    pub fn remove_entry(self) -> (K, V) {
        let key = self.keys.remove(self.at);
        (key, self.values.remove(self.at))
    }
}

impl<'a, K, V> VacantEntry<'a, K, V> {
    pub fn key(&self) -> &K {
        &self.key
    }

    pub fn into_key(self) -> K {
        self.key
    }

    pub fn insert(self, value: V) -> &'a mut V {
        self.keys.insert(self.at, self.key);
        self.values.insert(self.at, value);
        elem_mut(self.values, self.at)
    }
}

impl<K, V> super::BTreeMap<K, V> {
    pub fn first_entry(&mut self) -> Option<OccupiedEntry<'_, K, V>> {
        if self.keys.is_empty() {
            return None;
        }
        Some(OccupiedEntry { keys: &mut self.keys, values: &mut self.values, at: 0 })
    }

    pub fn last_entry(&mut self) -> Option<OccupiedEntry<'_, K, V>> {
        let n = self.keys.len();
        if n == 0 {
            return None;
        }
        Some(OccupiedEntry { keys: &mut self.keys, values: &mut self.values, at: n - 1 })
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Entry<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entry::Vacant(entry) => f.debug_tuple("Entry").field(entry).finish(),
            Entry::Occupied(entry) => f.debug_tuple("Entry").field(entry).finish(),
        }
    }
}

impl<K: fmt::Debug, V> fmt::Debug for VacantEntry<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VacantEntry").field(self.key()).finish()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for OccupiedEntry<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OccupiedEntry").field("key", self.key()).field("value", self.get()).finish()
    }
}
