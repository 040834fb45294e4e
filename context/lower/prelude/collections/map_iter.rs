//! The pairs of a map, one by one.

use crate::slice::elem_mut;

#[derive(Clone)]
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

#[derive(Clone)]
pub struct IntoIter<K, V> {
    pub keys: Vec<K>,
    pub values: Vec<V>,
    pub at: usize,
    pub end: usize,
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
iterate! { IntoIter [] (K, V): it, i => (it.keys[i], it.values[i]) }
