//! Maps: sorted keys, and their values in parallel.
//!
//! `HashMap` uses the structural order of any two values, or their hashes if the program defines their `Eq`;
//! `BTreeMap` uses `Ord`; the rest is shared.

use super::entry::{Entry, entry};
use super::map_iter::pairs;
pub use super::map_iter::{IntoIter, Iter, IterMut};
use super::map_keys::{
    IntoKeys, IntoValues, Keys, Values, ValuesMut, into_keys, into_values, keys, values, values_mut,
};
use crate::borrow::Borrow;
use crate::cmp::{Ordering, eq_is_structural};
use crate::hash::{DefaultHasher, Hash, Hasher};
use crate::mem::{moved, put, replace, take};
use crate::ops::{Bound, RangeBounds};
use crate::slice::{elem_mut, owned};

pub struct HashMap<K, V, S = crate::hash::RandomState> {
    pub keys: Vec<K>,
    pub values: Vec<V>,
    hasher: crate::marker::PhantomData<S>,
}

pub struct BTreeMap<K, V> {
    pub keys: Vec<K>,
    pub values: Vec<V>,
}

/// The position of the key, or the one to insert it at.
pub fn place_of<K, F: FnMut(&K) -> Ordering>(keys: &[K], mut compare: F) -> Result<usize, usize> {
    let mut lo = 0;
    let mut hi = keys.len();
    while lo < hi {
        let mid = lo + (hi - lo) / 2;
        match compare(&keys[mid]) {
            Ordering::Equal => return Ok(mid),
            Ordering::Less => lo = mid + 1,
            Ordering::Greater => hi = mid,
        }
    }
    Err(lo)
}

/// The position of the key, or the one to insert it at, in the order of `HashMap` and `HashSet`: the structural one if the
/// `Eq` of keys is, and that of their hashes otherwise, whatever borrowed form is looked for.
pub fn hashed_place_of<K: Borrow<Q> + Eq, Q: ?Sized + Eq + Hash>(keys: &[K], k: &Q) -> Result<usize, usize> {
    if eq_is_structural::<K>() {
        if eq_is_structural::<Q>() {
            return place_of(keys, |key| crate::cmp::order::<Q>(key.borrow(), k));
        }
        let found = keys.iter().position(|key| {
            let key: &Q = key.borrow();
            *key == *k
        });
        return found.ok_or(keys.len());
    }
    let wanted = hash_of::<Q>(k);
    let mut at = match place_of(keys, |key| {
        if hash_of::<Q>(key.borrow()) < wanted { Ordering::Less } else { Ordering::Greater }
    }) {
        Ok(at) => at,
        Err(at) => at,
    };
    while at < keys.len() {
        let key: &Q = keys[at].borrow();
        if hash_of::<Q>(key) != wanted {
            break;
        }
        if *key == *k {
            return Ok(at);
        }
        at += 1;
    }
    Err(at)
}

fn hash_of<Q: ?Sized + Hash>(k: &Q) -> u64 {
    let mut state = DefaultHasher::new();
    k.hash(&mut state);
    state.finish()
}

impl<K, V> HashMap<K, V> {
    pub fn new() -> HashMap<K, V> {
        HashMap { keys: Vec::new(), values: Vec::new(), hasher: crate::marker::PhantomData }
    }

    pub fn with_capacity(capacity: usize) -> HashMap<K, V> {
        HashMap { keys: Vec::with_capacity(capacity), values: Vec::new(), hasher: crate::marker::PhantomData }
    }
}

impl<K, V, S> HashMap<K, V, S> {
    pub fn with_hasher(_hasher: S) -> HashMap<K, V, S> {
        HashMap { keys: Vec::new(), values: Vec::new(), hasher: crate::marker::PhantomData }
    }

    pub fn with_capacity_and_hasher(capacity: usize, _hasher: S) -> HashMap<K, V, S> {
        HashMap { keys: Vec::with_capacity(capacity), values: Vec::new(), hasher: crate::marker::PhantomData }
    }

    pub fn capacity(&self) -> usize {
        self.keys.capacity()
    }

    pub fn reserve(&mut self, additional: usize) {
        self.keys.reserve(additional);
    }

    pub fn shrink_to_fit(&mut self) {
        self.keys.shrink_to_fit();
    }

    pub fn shrink_to(&mut self, min_capacity: usize) {
        self.keys.shrink_to(min_capacity);
    }
}

impl<K: Eq + Hash, V, S> HashMap<K, V, S> {
    pub fn find<Q: ?Sized + Eq + Hash>(&self, k: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        hashed_place_of::<K, Q>(&self.keys, k)
    }
}

impl<K: Eq + Hash, V, S> HashMap<K, V, S> {
    pub fn get_disjoint_mut<Q: ?Sized + Eq + Hash, const N: usize>(&mut self, ks: [&Q; N]) -> [Option<&mut V>; N]
    where
        K: Borrow<Q>,
    {
        let places: [Option<usize>; N] = crate::array::from_fn(|i| self.find::<Q>(ks[i]).ok());
        for i in 0..N {
            for j in 0..i {
                if places[i].is_some() && places[i] == places[j] {
                    panic!("duplicate keys found");
                }
            }
        }
        crate::array::from_fn(|i| match places[i] {
            Some(at) => Some(elem_mut(&mut self.values, at)),
            None => None,
        })
    }
}

impl<K, V> BTreeMap<K, V> {
    pub fn new() -> BTreeMap<K, V> {
        BTreeMap { keys: Vec::new(), values: Vec::new() }
    }

    pub fn find<Q: ?Sized + Ord>(&self, k: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        place_of(&self.keys, |key| {
            let key: &Q = key.borrow();
            Q::cmp(key, k)
        })
    }

    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        if self.keys.is_empty() { None } else { Some((&self.keys[0], &self.values[0])) }
    }

    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        let n = self.keys.len();
        if n == 0 { None } else { Some((&self.keys[n - 1], &self.values[n - 1])) }
    }

    pub fn pop_first(&mut self) -> Option<(K, V)> {
        if self.keys.is_empty() { None } else { Some((self.keys.remove(0), self.values.remove(0))) }
    }

    pub fn pop_last(&mut self) -> Option<(K, V)> {
        let key = self.keys.pop()?;
        let value = self.values.pop()?;
        Some((key, value))
    }

    /// The positions covered by a range of keys.
    pub(super) fn positions<T: ?Sized + Ord, R: RangeBounds<T>>(&self, range: &R) -> (usize, usize)
    where
        K: Borrow<T>,
    {
        super::check_range::<T, R>(range, "BTreeMap");
        let lo = match range.start_bound() {
            Bound::Included(k) => match self.find::<T>(k) {
                Ok(i) => i,
                Err(i) => i,
            },
            Bound::Excluded(k) => match self.find::<T>(k) {
                Ok(i) => i + 1,
                Err(i) => i,
            },
            Bound::Unbounded => 0,
        };
        let hi = match range.end_bound() {
            Bound::Included(k) => match self.find::<T>(k) {
                Ok(i) => i + 1,
                Err(i) => i,
            },
            Bound::Excluded(k) => match self.find::<T>(k) {
                Ok(i) => i,
                Err(i) => i,
            },
            Bound::Unbounded => self.keys.len(),
        };
        (lo, hi)
    }

    pub fn range<T: ?Sized + Ord, R: RangeBounds<T>>(&self, range: R) -> Iter<'_, K, V>
    where
        K: Borrow<T>,
    {
        let (lo, hi) = self.positions::<T, R>(&range);
        Iter { keys: &self.keys, values: &self.values, at: lo, end: hi }
    }

    pub fn range_mut<T: ?Sized + Ord, R: RangeBounds<T>>(&mut self, range: R) -> IterMut<'_, K, V>
    where
        K: Borrow<T>,
    {
        let (lo, hi) = self.positions::<T, R>(&range);
        IterMut { keys: owned(&self.keys), values: &mut self.values, at: lo, end: hi }
    }

    pub fn split_off<Q: ?Sized + Ord>(&mut self, key: &Q) -> BTreeMap<K, V>
    where
        K: Borrow<Q>,
    {
        let at = match self.find::<Q>(key) {
            Ok(i) => i,
            Err(i) => i,
        };
        BTreeMap { keys: self.keys.split_off(at), values: self.values.split_off(at) }
    }
}

macro_rules! map_methods {
    ([$($key:tt)*] [$($q:tt)*] [$($s:tt)*] $Map:ident<$($arg:ident),*>) => {
        impl<$($key)*, V, $($s)*> $Map<$($arg),*> {
            pub fn insert(&mut self, k: K, v: V) -> Option<V> {
                match self.find::<K>(&k) {
                    Ok(i) => {
                        Some(replace(&mut self.values[i], v))
                    }
                    Err(i) => {
                        self.keys.insert(i, k);
                        self.values.insert(i, v);
                        None
                    }
                }
            }

            pub fn get<Q: ?Sized $($q)*>(&self, k: &Q) -> Option<&V>
            where
                K: Borrow<Q>,
            {
                match self.find::<Q>(k) {
                    Ok(i) => Some(&self.values[i]),
                    Err(_) => None,
                }
            }

            pub fn get_key_value<Q: ?Sized $($q)*>(&self, k: &Q) -> Option<(&K, &V)>
            where
                K: Borrow<Q>,
            {
                match self.find::<Q>(k) {
                    Ok(i) => Some((&self.keys[i], &self.values[i])),
                    Err(_) => None,
                }
            }

            pub fn get_mut<Q: ?Sized $($q)*>(&mut self, k: &Q) -> Option<&mut V>
            where
                K: Borrow<Q>,
            {
                match self.find::<Q>(k) {
                    Ok(i) => Some(elem_mut(&mut self.values, i)),
                    Err(_) => None,
                }
            }

            pub fn contains_key<Q: ?Sized $($q)*>(&self, k: &Q) -> bool
            where
                K: Borrow<Q>,
            {
                self.find::<Q>(k).is_ok()
            }

            pub fn remove<Q: ?Sized $($q)*>(&mut self, k: &Q) -> Option<V>
            where
                K: Borrow<Q>,
            {
                match self.find::<Q>(k) {
                    Ok(i) => {
                        self.keys.remove(i);
                        Some(self.values.remove(i))
                    }
                    Err(_) => None,
                }
            }

            pub fn remove_entry<Q: ?Sized $($q)*>(&mut self, k: &Q) -> Option<(K, V)>
            where
                K: Borrow<Q>,
            {
                match self.find::<Q>(k) {
                    Ok(i) => Some((self.keys.remove(i), self.values.remove(i))),
                    Err(_) => None,
                }
            }

            pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
                let found = self.find::<K>(&key);
                entry(&mut self.keys, &mut self.values, key, found)
            }
        }

        impl<K, V, $($s)*> $Map<$($arg),*> {
            pub fn len(&self) -> usize {
                self.keys.len()
            }

            pub fn is_empty(&self) -> bool {
                self.keys.is_empty()
            }

            pub fn clear(&mut self) {
                self.keys = Vec::new();
                self.values = Vec::new();
            }

            pub fn iter(&self) -> Iter<'_, K, V> {
                Iter { keys: &self.keys, values: &self.values, at: 0, end: self.keys.len() }
            }

            pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
                let end = self.keys.len();
                IterMut { keys: owned(&self.keys), values: &mut self.values, at: 0, end }
            }

            pub fn keys(&self) -> Keys<'_, K, V> {
                keys(self.keys.iter())
            }

            pub fn values(&self) -> Values<'_, K, V> {
                values(self.values.iter())
            }

            pub fn values_mut(&mut self) -> ValuesMut<'_, K, V> {
                values_mut(self.values.iter_mut())
            }

            pub fn into_keys(self) -> IntoKeys<K, V> {
                into_keys(self.keys.into_iter())
            }

            pub fn into_values(self) -> IntoValues<K, V> {
                into_values(self.values.into_iter())
            }

            pub fn drain(&mut self) -> IntoIter<K, V> {
                pairs(take(&mut self.keys), take(&mut self.values))
            }

            pub fn retain<F: FnMut(&K, &mut V) -> bool>(&mut self, mut f: F) {
                let mut keys = Vec::new();
                let mut values = Vec::new();
                for i in 0..self.keys.len() {
                    let mut value = moved(&self.values[i]);
                    let key = moved(&self.keys[i]);
                    if f(&key, &mut value) {
                        keys.push(key);
                        values.push(value);
                    }
                }
                put(&mut self.keys, keys);
                put(&mut self.values, values);
            }
        }
    };
}

#[impls(HashMap)]
map_methods! { [K: Eq + Hash] [+ Eq + Hash] [S] HashMap<K, V, S> }
#[impls(BTreeMap)]
map_methods! { [K: Ord] [+ Ord] [] BTreeMap<K, V> }

impl<K, V, S> HashMap<K, V, S> {
    fn blank() -> HashMap<K, V, S> {
        HashMap { keys: Vec::new(), values: Vec::new(), hasher: crate::marker::PhantomData }
    }
}

impl<K, V> BTreeMap<K, V> {
    fn blank() -> BTreeMap<K, V> {
        BTreeMap { keys: Vec::new(), values: Vec::new() }
    }

    pub fn append(&mut self, other: &mut BTreeMap<K, V>)
    where
        K: Ord,
    {
        for (k, v) in pairs(take(&mut other.keys), take(&mut other.values)) {
            self.insert(k, v);
        }
    }
}

impl<K: PartialOrd, V: PartialOrd> PartialOrd for BTreeMap<K, V>
where
    K: Ord,
{
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.iter().partial_cmp(other.iter())
    }
}

impl<K: Ord, V: Ord> Ord for BTreeMap<K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}
