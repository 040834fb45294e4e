//! Pairs and elements taken out of maps, sets and lists where a predicate holds, when they are asked for.

use super::{BTreeMap, BTreeSet, HashMap, HashSet};
use crate::borrow::Borrow;
use crate::ops::RangeBounds;
use crate::vec::Gap;

pub struct ExtractIf<'a, K, V, F> {
    keys: Gap<'a, K>,
    values: Gap<'a, V>,
    end: usize,
    pred: F,
}

fn extract_if<'a, K, V, F>(
    keys: &'a mut Vec<K>,
    values: &'a mut Vec<V>,
    (at, end): (usize, usize),
    pred: F,
) -> ExtractIf<'a, K, V, F> {
    ExtractIf { keys: Gap::at(keys, at), values: Gap::at(values, at), end, pred }
}

impl<K, V, F: FnMut(&K, &mut V) -> bool> Iterator for ExtractIf<'_, K, V, F> {
    type Item = (K, V);

    fn next(&mut self) -> Option<(K, V)> {
        while self.keys.position() < self.end {
            if (self.pred)(self.keys.next(), self.values.next()) {
                return Some((self.keys.take(), self.values.take()));
            }
            self.keys.keep();
            self.values.keep();
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.end - self.keys.position()))
    }
}

impl<K, V, S> HashMap<K, V, S> {
    pub fn extract_if<F: FnMut(&K, &mut V) -> bool>(&mut self, pred: F) -> ExtractIf<'_, K, V, F> {
        let end = self.keys.len();
        extract_if(&mut self.keys, &mut self.values, (0, end), pred)
    }
}

impl<K, V> BTreeMap<K, V> {
    pub fn extract_if<F: FnMut(&K, &mut V) -> bool, R: RangeBounds<K>>(
        &mut self,
        range: R,
        pred: F,
    ) -> ExtractIf<'_, K, V, F>
    where
        K: Ord,
    {
        let places = self.positions::<K, R>(&range);
        extract_if(&mut self.keys, &mut self.values, places, pred)
    }
}

impl<T, S> HashSet<T, S> {
    pub fn extract_if<F: FnMut(&T) -> bool>(&mut self, mut pred: F) -> impl Iterator<Item = T> {
        self.elems.extract_if(.., move |x| pred(&*x))
    }
}

impl<T> BTreeSet<T> {
    pub fn extract_if<F: FnMut(&T) -> bool, R: RangeBounds<T>>(
        &mut self,
        range: R,
        mut pred: F,
    ) -> impl Iterator<Item = T>
    where
        T: Ord,
    {
        let (lo, hi) = self.positions::<T, R>(&range);
        self.elems.extract_if(lo..hi, move |x| pred(&*x))
    }
}
