//! Iterators over the pairs of a map.

use crate::mem::{ManuallyDrop, moved};
use crate::slice::elem_mut;

#[derive(Clone)]
#[unbounded]
pub struct Iter<'a, K, V> {
    pub keys: &'a [K],
    pub values: &'a [V],
    pub at: usize,
    pub end: usize,
}

pub struct IterMut<'a, K, V> {
    pub keys: Vec<K>,
    pub values: &'a mut [V],
    pub at: usize,
    pub end: usize,
}

pub struct IntoIter<K, V> {
    keys: ManuallyDrop<Vec<K>>,
    values: ManuallyDrop<Vec<V>>,
    at: usize,
    end: usize,
}

pub fn pairs<K, V>(keys: Vec<K>, values: Vec<V>) -> IntoIter<K, V> {
    let end = keys.len();
    IntoIter { keys: ManuallyDrop::new(keys), values: ManuallyDrop::new(values), at: 0, end }
}

impl<K, V> Drop for IntoIter<K, V> {
    fn drop(&mut self) {
        while self.at < self.end {
            drop(self.next());
        }
    }
}

macro_rules! iterate {
    ($Iter:ident [$($life:tt)*] $Item:ty: $it:ident, $i:ident => $pair:expr) => {
        impl<$($life)* K, V> Iterator for $Iter<$($life)* K, V> {
            type Item = $Item;

            fn next(&mut self) -> Option<$Item> {
                if self.at < self.end {
                    let ($it, $i) = (self, self.at);
                    $it.at = $i.wrapping_add(1);
                    Some($pair)
                } else {
                    None
                }
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                let n = self.end.wrapping_sub(self.at);
                (n, Some(n))
            }
        }

        impl<$($life)* K, V> DoubleEndedIterator for $Iter<$($life)* K, V> {
            fn next_back(&mut self) -> Option<$Item> {
                if self.at < self.end {
                    self.end = self.end.wrapping_sub(1);
                    let ($it, $i) = (self, self.end);
                    Some($pair)
                } else {
                    None
                }
            }
        }

        impl<$($life)* K, V> ExactSizeIterator for $Iter<$($life)* K, V> {}
    };
}

iterate! { Iter ['a,] (&'a K, &'a V): it, i => (&it.keys[i], &it.values[i]) }
iterate! { IterMut ['a,] (&'a K, &'a mut V): it, i => (&it.keys[i], elem_mut(it.values, i)) }
iterate! { IntoIter [] (K, V): it, i => (moved(&it.keys[i]), moved(&it.values[i])) }

impl<K: crate::fmt::Debug, V: crate::fmt::Debug> crate::fmt::Debug for Iter<'_, K, V> {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<K: crate::fmt::Debug, V: crate::fmt::Debug> crate::fmt::Debug for IntoIter<K, V> {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        let (keys, values) = (&self.keys[..], &self.values[..]);
        f.debug_list().entries(Iter { keys, values, at: self.at, end: self.end }).finish()
    }
}
