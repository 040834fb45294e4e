//! A priority queue: elements in ascending order.

use crate::fmt;

#[derive(Clone)]
pub struct BinaryHeap<T> {
    sorted: Vec<T>,
}

impl<T: Ord> BinaryHeap<T> {
    pub fn new() -> BinaryHeap<T> {
        BinaryHeap { sorted: Vec::new() }
    }

    pub fn with_capacity(capacity: usize) -> BinaryHeap<T> {
        BinaryHeap { sorted: Vec::with_capacity(capacity) }
    }

    pub fn capacity(&self) -> usize {
        self.sorted.capacity()
    }

    pub fn reserve(&mut self, additional: usize) {
        self.sorted.reserve(additional);
    }

    pub fn push(&mut self, item: T) {
        let mut lo = 0;
        let mut hi = self.sorted.len();
        while lo < hi {
            let mid = lo + (hi - lo) / 2;
            if self.sorted[mid] < item {
                lo = mid + 1;
            } else {
                hi = mid;
            }
        }
        self.sorted.insert(lo, item);
    }

    pub fn append(&mut self, other: &mut BinaryHeap<T>) {
        for x in crate::mem::take(&mut other.sorted) {
            self.push(x);
        }
    }
}

impl<T> BinaryHeap<T> {
    pub fn pop(&mut self) -> Option<T> {
        self.sorted.pop()
    }

    pub fn peek(&self) -> Option<&T> {
        self.sorted.last()
    }

    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    pub fn clear(&mut self) {
        self.sorted = Vec::new();
    }

    pub fn iter(&self) -> crate::iter::Rev<crate::slice::Iter<'_, T>> {
        self.sorted.iter().rev()
    }

    pub fn into_sorted_vec(self) -> Vec<T> {
        self.sorted
    }

    pub fn into_vec(self) -> Vec<T> {
        self.sorted.into_iter().rev().collect()
    }

    pub fn drain(&mut self) -> crate::vec::IntoIter<T> {
        let taken: Vec<T> = crate::mem::take(&mut self.sorted).into_iter().rev().collect();
        taken.into_iter()
    }

    pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F) {
        self.sorted.retain(f);
    }
}

impl<T: Ord> Default for BinaryHeap<T> {
    fn default() -> BinaryHeap<T> {
        BinaryHeap::new()
    }
}

impl<T: Ord> Extend<T> for BinaryHeap<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
        for x in iter {
            self.push(x);
        }
    }
}

impl<T: Ord> FromIterator<T> for BinaryHeap<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> BinaryHeap<T> {
        BinaryHeap::from(Vec::from_iter(iter))
    }
}

impl<T: Ord> From<Vec<T>> for BinaryHeap<T> {
    fn from(mut vec: Vec<T>) -> BinaryHeap<T> {
        vec.sort();
        BinaryHeap { sorted: vec }
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for BinaryHeap<T> {
    fn from(elems: [T; N]) -> BinaryHeap<T> {
        BinaryHeap::from(Vec::from(elems))
    }
}

impl<T> IntoIterator for BinaryHeap<T> {
    type Item = T;
    type IntoIter = crate::vec::IntoIter<T>;

    fn into_iter(self) -> crate::vec::IntoIter<T> {
        self.into_vec().into_iter()
    }
}

impl<'a, T> IntoIterator for &'a BinaryHeap<T> {
    type Item = &'a T;
    type IntoIter = crate::iter::Rev<crate::slice::Iter<'a, T>>;

    fn into_iter(self) -> crate::iter::Rev<crate::slice::Iter<'a, T>> {
        self.iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for BinaryHeap<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
