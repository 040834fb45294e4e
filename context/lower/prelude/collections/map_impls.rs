//! Trait impls of maps.

use super::map::{BTreeMap, HashMap};
use super::map_iter::{IntoIter, Iter, IterMut, pairs};
use crate::borrow::Borrow;
use crate::fmt;
use crate::hash::Hash;
use crate::ops::Index;

macro_rules! map_traits {
    ([$($key:tt)*] [$($q:tt)*] [$($s:tt)*] $Map:ident<$($arg:ident),*>) => {
        impl<$($key)*, V, $($s)*> Extend<(K, V)> for $Map<$($arg),*> {
            fn extend<T: IntoIterator<Item = (K, V)>>(&mut self, iter: T) {
                let mut iter = iter.into_iter();
                iter.__before_fold();
                while let Some((k, v)) = iter.next() {
                    self.insert(k, v);
                }
            }
        }

        impl<'a, $($key)*, V, $($s)*> Extend<(&'a K, &'a V)> for $Map<$($arg),*> {
            fn extend<T: IntoIterator<Item = (&'a K, &'a V)>>(&mut self, iter: T) {
                let mut iter = iter.into_iter();
                iter.__before_fold();
                while let Some((k, v)) = iter.next() {
                    self.insert(*k, *v);
                }
            }
        }

        impl<$($key)*, V, $($s)*> FromIterator<(K, V)> for $Map<$($arg),*> {
            fn from_iter<T: IntoIterator<Item = (K, V)>>(iter: T) -> Self {
                let mut map: Self = Default::default();
                let mut iter = iter.into_iter();
                iter.__before_fold();
                while let Some((k, v)) = iter.next() {
                    map.insert(k, v);
                }
                map
            }
        }

        impl<$($key)*, V, const N: usize> From<[(K, V); N]> for $Map<K, V> {
            fn from(pairs: [(K, V); N]) -> Self {
                Self::from_iter(pairs)
            }
        }

        impl<$($key)*, V: PartialEq, $($s)*> PartialEq for $Map<$($arg),*> {
            fn eq(&self, other: &Self) -> bool {
                if self.keys.len() != other.keys.len() {
                    return false;
                }
                for i in 0..self.keys.len() {
                    match other.find::<K>(&self.keys[i]) {
                        Ok(j) if self.values[i] == other.values[j] => {}
                        _ => return false,
                    }
                }
                true
            }
        }

        impl<$($key)*, Q: ?Sized $($q)*, V, $($s)*> Index<&Q> for $Map<$($arg),*>
        where
            K: Borrow<Q>,
        {
            type Output = V;

            fn index(&self, key: &Q) -> &V {
                match self.find::<Q>(key) {
                    Ok(i) => &self.values[i],
                    Err(_) => crate::macros::fail("no entry found for key"),
                }
            }
        }

        impl<K, V, $($s)*> Default for $Map<$($arg),*> {
            fn default() -> Self {
                $Map::blank()
            }
        }

        impl<K: Clone, V: Clone, $($s)*> Clone for $Map<$($arg),*> {
            fn clone(&self) -> Self {
                let mut copy: Self = $Map::blank();
                copy.keys = self.keys.clone();
                copy.values = self.values.clone();
                copy
            }
        }

        impl<K: fmt::Debug, V: fmt::Debug, $($s)*> fmt::Debug for $Map<$($arg),*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_map().entries(self.iter()).finish()
            }
        }
    };
}

#[impls(Extend, FromIterator, From, PartialEq, Index, Default, Clone, Debug)]
map_traits! { [K: Eq + Hash] [+ Eq + Hash] [S] HashMap<K, V, S> }
#[impls(Extend, FromIterator, From, PartialEq, Index, Default, Clone, Debug)]
map_traits! { [K: Ord] [+ Ord] [] BTreeMap<K, V> }

macro_rules! map_loops {
    ([$($s:tt)*] $Map:ident<$($arg:ident),*>) => {
        impl<K, V, $($s)*> IntoIterator for $Map<$($arg),*> {
            type Item = (K, V);
            type IntoIter = IntoIter<K, V>;

            fn into_iter(self) -> IntoIter<K, V> {
                pairs(self.keys, self.values)
            }
        }

        impl<'a, K, V, $($s)*> IntoIterator for &'a $Map<$($arg),*> {
            type Item = (&'a K, &'a V);
            type IntoIter = Iter<'a, K, V>;

            fn into_iter(self) -> Iter<'a, K, V> {
                self.iter()
            }
        }

        impl<'a, K, V, $($s)*> IntoIterator for &'a mut $Map<$($arg),*> {
            type Item = (&'a K, &'a mut V);
            type IntoIter = IterMut<'a, K, V>;

            fn into_iter(self) -> IterMut<'a, K, V> {
                self.iter_mut()
            }
        }
    };
}

#[impls(IntoIterator)]
map_loops! { [S] HashMap<K, V, S> }
#[impls(IntoIterator)]
map_loops! { [] BTreeMap<K, V> }
