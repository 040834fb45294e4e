//! A table of values that are found by a hash and a comparison.

use std::fmt;

use crate::TryReserveError;

/// Values in the order of their hashes.
#[derive(Clone)]
pub struct HashTable<T> {
    hashes: Vec<u64>,
    values: Vec<T>,
    capacity: usize,
    /// How often values were inserted or removed, which moves others.
    changes: usize,
}

/// The capacity of the buckets allocated for `needed` values: seven eighths of a power of two.
fn capacity_for(needed: usize) -> usize {
    if needed == 0 {
        0
    } else if needed < 4 {
        3
    } else if needed < 8 {
        7
    } else {
        (needed * 8 / 7).next_power_of_two() / 8 * 7
    }
}

impl<T> HashTable<T> {
    pub const fn new() -> HashTable<T> {
        HashTable { hashes: Vec::new(), values: Vec::new(), capacity: 0, changes: 0 }
    }

    pub fn with_capacity(capacity: usize) -> HashTable<T> {
        HashTable { hashes: Vec::new(), values: Vec::new(), capacity: capacity_for(capacity), changes: 0 }
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub fn capacity(&self) -> usize {
        self.capacity
    }

    pub fn clear(&mut self) {
        self.changes += 1;
        self.hashes.clear();
        self.values.clear();
    }

    pub fn reserve(&mut self, additional: usize, _hasher: impl Fn(&T) -> u64) {
        self.grow(additional);
    }

    pub fn try_reserve(
        &mut self,
        additional: usize,
        _hasher: impl Fn(&T) -> u64,
    ) -> Result<(), TryReserveError> {
        match self.len().checked_add(additional) {
            Some(needed) if needed <= isize::MAX as usize / 16 => {
                self.grow(additional);
                Ok(())
            }
            _ => Err(TryReserveError::CapacityOverflow),
        }
    }

    fn grow(&mut self, additional: usize) {
        let needed = self.len() + additional;
        if needed > self.capacity {
            self.capacity = capacity_for(needed.max(self.capacity + 1));
        }
    }

    pub fn shrink_to(&mut self, min_capacity: usize, _hasher: impl Fn(&T) -> u64) {
        self.capacity = self.capacity.min(capacity_for(self.len().max(min_capacity)));
    }

    pub fn shrink_to_fit(&mut self, _hasher: impl Fn(&T) -> u64) {
        self.capacity = self.capacity.min(capacity_for(self.len()));
    }

    /// The first position with this hash, or the one to insert it at.
    fn first(&self, hash: u64) -> usize {
        self.hashes.partition_point(|&known| known < hash)
    }

    fn place(&self, hash: u64, mut eq: impl FnMut(&T) -> bool) -> Option<usize> {
        let mut at = self.first(hash);
        while at < self.hashes.len() && self.hashes[at] == hash {
            if eq(&self.values[at]) {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    pub fn find(&self, hash: u64, eq: impl FnMut(&T) -> bool) -> Option<&T> {
        match self.place(hash, eq) {
            Some(at) => Some(&self.values[at]),
            None => None,
        }
    }

    pub fn find_mut(&mut self, hash: u64, eq: impl FnMut(&T) -> bool) -> Option<&mut T> {
        match self.place(hash, eq) {
            Some(at) => Some(&mut self.values[at]),
            None => None,
        }
    }

    pub fn get_disjoint_mut<const N: usize>(
        &mut self,
        hashes: [u64; N],
        mut eq: impl FnMut(usize, &T) -> bool,
    ) -> [Option<&mut T>; N] {
        let places: [Option<usize>; N] = std::array::from_fn(|i| self.place(hashes[i], |value| eq(i, value)));
        for i in 0..N {
            for j in 0..i {
                if places[i].is_some() && places[i] == places[j] {
                    panic!("duplicate keys found");
                }
            }
        }
        std::array::from_fn(|i| match places[i] {
            Some(at) => Some(std::slice::elem_mut(&mut self.values, at)),
            None => None,
        })
    }

    pub fn find_entry(
        &mut self,
        hash: u64,
        eq: impl FnMut(&T) -> bool,
    ) -> Result<OccupiedEntry<'_, T>, AbsentEntry<'_, T>> {
        match self.place(hash, eq) {
            Some(at) => Ok(OccupiedEntry { table: self, at }),
            None => Err(AbsentEntry { table: self }),
        }
    }

    pub fn entry(
        &mut self,
        hash: u64,
        eq: impl FnMut(&T) -> bool,
        _hasher: impl Fn(&T) -> u64,
    ) -> Entry<'_, T> {
        match self.place(hash, eq) {
            Some(at) => Entry::Occupied(OccupiedEntry { table: self, at }),
            None => Entry::Vacant(VacantEntry { table: self, hash }),
        }
    }

    fn put(&mut self, hash: u64, value: T) -> usize {
        self.grow(1);
        self.changes += 1;
        let at = self.first(hash);
        self.hashes.insert(at, hash);
        self.values.insert(at, value);
        at
    }

    pub fn insert_unique(&mut self, hash: u64, value: T, _hasher: impl Fn(&T) -> u64) -> OccupiedEntry<'_, T> {
        let at = self.put(hash, value);
        OccupiedEntry { table: self, at }
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        self.changes += 1;
        let mut at = 0;
        while at < self.values.len() {
            if keep(&mut self.values[at]) {
                at += 1;
            } else {
                self.hashes.remove(at);
                self.values.remove(at);
            }
        }
    }

    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.values.iter()
    }

    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.values.iter_mut()
    }

    pub fn drain(&mut self) -> std::vec::IntoIter<T> {
        self.changes += 1;
        self.hashes.clear();
        std::mem::take(&mut self.values).into_iter()
    }
}

/// The bits of a bucket index that are a position.
const POSITION_BITS: u32 = 32;

/// Buckets are valid until the table changes: the original moves values only when it grows, but here others move
/// with each change, so an older index fails.
impl<T> HashTable<T> {
    fn bucket(&self, at: usize) -> usize {
        self.changes << POSITION_BITS | at
    }

    fn position(&self, bucket: usize) -> Option<usize> {
        if bucket >> POSITION_BITS != self.changes {
            panic!("a bucket index is used after the table changed, and is not known any more");
        }
        let at = bucket & ((1 << POSITION_BITS) - 1);
        if at < self.values.len() { Some(at) } else { None }
    }

    pub fn find_bucket_index(&self, hash: u64, eq: impl FnMut(&T) -> bool) -> Option<usize> {
        match self.place(hash, eq) {
            Some(at) => Some(self.bucket(at)),
            None => None,
        }
    }

    pub fn get_bucket(&self, index: usize) -> Option<&T> {
        match self.position(index) {
            Some(at) => Some(&self.values[at]),
            None => None,
        }
    }

    pub fn get_bucket_mut(&mut self, index: usize) -> Option<&mut T> {
        match self.position(index) {
            Some(at) => Some(&mut self.values[at]),
            None => None,
        }
    }

    pub fn get_bucket_entry(&mut self, index: usize) -> Result<OccupiedEntry<'_, T>, AbsentEntry<'_, T>> {
        match self.position(index) {
            Some(at) => Ok(OccupiedEntry { table: self, at }),
            None => Err(AbsentEntry { table: self }),
        }
    }
}

impl<T> Default for HashTable<T> {
    fn default() -> HashTable<T> {
        HashTable::new()
    }
}

impl<T> IntoIterator for HashTable<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> std::vec::IntoIter<T> {
        self.values.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a HashTable<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> std::slice::Iter<'a, T> {
        self.values.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut HashTable<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> std::slice::IterMut<'a, T> {
        self.values.iter_mut()
    }
}

/// The result of a lookup.
pub enum Entry<'a, T> {
    Occupied(OccupiedEntry<'a, T>),
    Vacant(VacantEntry<'a, T>),
}

impl<'a, T> Entry<'a, T> {
    pub fn insert(self, value: T) -> OccupiedEntry<'a, T> {
        match self {
            Entry::Occupied(mut entry) => {
                *entry.get_mut() = value;
                entry
            }
            Entry::Vacant(entry) => entry.insert(value),
        }
    }

    pub fn or_insert(self, default: T) -> OccupiedEntry<'a, T> {
        match self {
            Entry::Occupied(entry) => entry,
            Entry::Vacant(entry) => entry.insert(default),
        }
    }

    pub fn or_insert_with(self, default: impl FnOnce() -> T) -> OccupiedEntry<'a, T> {
        match self {
            Entry::Occupied(entry) => entry,
            Entry::Vacant(entry) => entry.insert(default()),
        }
    }
}

/// A value that was found.
pub struct OccupiedEntry<'a, T> {
    table: &'a mut HashTable<T>,
    at: usize,
}

impl<'a, T> OccupiedEntry<'a, T> {
    pub fn get(&self) -> &T {
        &self.table.values[self.at]
    }

    pub fn get_mut(&mut self) -> &mut T {
        &mut self.table.values[self.at]
    }

    pub fn into_mut(self) -> &'a mut T {
        &mut self.table.values[self.at]
    }

    pub fn bucket_index(&self) -> usize {
        self.table.bucket(self.at)
    }

    pub fn remove(self) -> (T, VacantEntry<'a, T>) {
        self.table.changes += 1;
        let hash = self.table.hashes.remove(self.at);
        let value = self.table.values.remove(self.at);
        (value, VacantEntry { table: self.table, hash })
    }

    pub fn into_table(self) -> &'a mut HashTable<T> {
        self.table
    }
}

/// The position for a value that was not found.
pub struct VacantEntry<'a, T> {
    table: &'a mut HashTable<T>,
    hash: u64,
}

impl<'a, T> VacantEntry<'a, T> {
    pub fn insert(self, value: T) -> OccupiedEntry<'a, T> {
        let at = self.table.put(self.hash, value);
        OccupiedEntry { table: self.table, at }
    }

    pub fn into_table(self) -> &'a mut HashTable<T> {
        self.table
    }
}

/// A value that was not found.
pub struct AbsentEntry<'a, T> {
    table: &'a mut HashTable<T>,
}

impl<'a, T> AbsentEntry<'a, T> {
    pub fn into_table(self) -> &'a mut HashTable<T> {
        self.table
    }
}

impl<T: fmt::Debug> fmt::Debug for OccupiedEntry<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OccupiedEntry").field("value", self.get()).finish()
    }
}

impl<T: fmt::Debug> fmt::Debug for VacantEntry<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VacantEntry")
    }
}

impl<T: fmt::Debug> fmt::Debug for AbsentEntry<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AbsentEntry")
    }
}
