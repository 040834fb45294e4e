//! A priority queue: a binary heap that compares and moves the elements that Rust's compares and moves, so that equal
//! elements come in the same order, and so do all elements in its vector.

use crate::fmt;
use crate::ops::{Deref, DerefMut};

#[derive(Clone)]
pub struct BinaryHeap<T> {
    data: Vec<T>,
}

impl<T: Ord> BinaryHeap<T> {
    pub fn new() -> BinaryHeap<T> {
        BinaryHeap { data: Vec::new() }
    }

    pub fn with_capacity(capacity: usize) -> BinaryHeap<T> {
        BinaryHeap { data: Vec::with_capacity(capacity) }
    }

    pub fn capacity(&self) -> usize {
        self.data.capacity()
    }

    pub fn reserve(&mut self, additional: usize) {
        self.data.reserve(additional);
    }

    pub fn push(&mut self, item: T) {
        self.data.push(item);
        self.sift_up(self.data.len() - 1);
    }

    pub fn pop(&mut self) -> Option<T> {
        let mut item = self.data.pop()?;
        if !self.data.is_empty() {
            crate::mem::swap(&mut item, &mut self.data[0]);
            self.sift_down_to_bottom();
        }
        Some(item)
    }

    pub fn peek_mut(&mut self) -> Option<PeekMut<'_, T>> {
        if self.data.is_empty() { None } else { Some(PeekMut { heap: self, is_changed: false }) }
    }

    pub fn append(&mut self, other: &mut BinaryHeap<T>) {
        if self.data.len() < other.data.len() {
            crate::mem::swap(&mut self.data, &mut other.data);
        }
        let start = self.data.len();
        self.data.append(&mut other.data);
        self.rebuild_tail(start);
    }

    pub fn into_sorted_vec(mut self) -> Vec<T> {
        let mut end = self.data.len();
        while end > 1 {
            end -= 1;
            self.data.swap(0, end);
            self.sift_down(0, end);
        }
        self.into_vec()
    }

    pub fn retain<F: FnMut(&T) -> bool>(&mut self, mut f: F) {
        let mut first_removed = self.data.len();
        let mut at = 0;
        self.data.retain(|item| {
            let keeps = f(item);
            if !keeps && at < first_removed {
                first_removed = at;
            }
            at += 1;
            keeps
        });
        self.rebuild_tail(first_removed);
    }

    /// Moves an element up to below a greater one.
    fn sift_up(&mut self, at: usize) {
        let mut at = at;
        while at > 0 {
            let parent = (at - 1) / 2;
            if self.data[at] <= self.data[parent] {
                return;
            }
            self.data.swap(at, parent);
            at = parent;
        }
    }

    /// Moves an element down to above smaller ones, among the elements before `end`.
    fn sift_down(&mut self, at: usize, end: usize) {
        let mut at = at;
        let mut child = 2 * at + 1;
        while child + 1 < end {
            if self.data[child] <= self.data[child + 1] {
                child += 1;
            }
            if self.data[at] >= self.data[child] {
                return;
            }
            self.data.swap(at, child);
            at = child;
            child = 2 * at + 1;
        }
        if child + 1 == end && self.data[at] < self.data[child] {
            self.data.swap(at, child);
        }
    }

    /// Moves the first element to a leaf, and from there up: it was one, so it mostly stays there.
    fn sift_down_to_bottom(&mut self) {
        let end = self.data.len();
        let mut at = 0;
        let mut child = 1;
        while child + 1 < end {
            if self.data[child] <= self.data[child + 1] {
                child += 1;
            }
            self.data.swap(at, child);
            at = child;
            child = 2 * at + 1;
        }
        if child + 1 == end {
            self.data.swap(at, child);
            at = child;
        }
        self.sift_up(at);
    }

    fn rebuild(&mut self) {
        let end = self.data.len();
        let mut at = end / 2;
        while at > 0 {
            at -= 1;
            self.sift_down(at, end);
        }
    }

    /// Makes a heap of one up to `start` and other elements: by building it anew where that takes fewer comparisons.
    fn rebuild_tail(&mut self, start: usize) {
        let end = self.data.len();
        if start == end {
            return;
        }
        let tail = end - start;
        let is_less_anew = if start < tail {
            true
        } else if end <= 2048 {
            2 * end < tail * start.ilog2() as usize
        } else {
            2 * end < tail * 11
        };
        if is_less_anew {
            self.rebuild();
        } else {
            for at in start..end {
                self.sift_up(at);
            }
        }
    }
}

impl<T> BinaryHeap<T> {
    pub fn peek(&self) -> Option<&T> {
        self.data.first()
    }

    pub fn len(&self) -> usize {
        self.data.len()
    }

    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    pub fn clear(&mut self) {
        self.data.clear();
    }

    pub fn as_slice(&self) -> &[T] {
        &self.data
    }

    pub fn iter(&self) -> crate::slice::Iter<'_, T> {
        self.data.iter()
    }

    pub fn into_vec(self) -> Vec<T> {
        self.data
    }

    pub fn drain(&mut self) -> crate::vec::IntoIter<T> {
        crate::mem::take(&mut self.data).into_iter()
    }
}

/// The greatest element, which may be changed: then it moves to its place.
#[lang("peek_mut")]
pub struct PeekMut<'a, T: Ord> {
    heap: &'a mut BinaryHeap<T>,
    is_changed: bool,
}

impl<'a, T: Ord> PeekMut<'a, T> {
    pub fn pop(mut this: PeekMut<'a, T>) -> T {
        this.is_changed = false;
        this.heap.pop().unwrap()
    }
}

impl<T: Ord> Deref for PeekMut<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.heap.data[0]
    }
}

impl<T: Ord> DerefMut for PeekMut<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.is_changed = true;
        &mut self.heap.data[0]
    }
}

impl<T: Ord> Drop for PeekMut<'_, T> {
    fn drop(&mut self) {
        if self.is_changed {
            let end = self.heap.data.len();
            self.heap.sift_down(0, end);
        }
    }
}

impl<T: Ord + fmt::Debug> fmt::Debug for PeekMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PeekMut").field(&self.heap.data[0]).finish()
    }
}

impl<T: Ord> Default for BinaryHeap<T> {
    fn default() -> BinaryHeap<T> {
        BinaryHeap::new()
    }
}

impl<T: Ord> Extend<T> for BinaryHeap<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
        let start = self.data.len();
        self.data.extend(iter);
        self.rebuild_tail(start);
    }
}

impl<'a, T: Ord + Copy> Extend<&'a T> for BinaryHeap<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, iter: I) {
        self.extend(iter.into_iter().cloned());
    }
}

impl<T: Ord> FromIterator<T> for BinaryHeap<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> BinaryHeap<T> {
        BinaryHeap::from(Vec::from_iter(iter))
    }
}

impl<T: Ord> From<Vec<T>> for BinaryHeap<T> {
    fn from(vec: Vec<T>) -> BinaryHeap<T> {
        let mut heap = BinaryHeap { data: vec };
        heap.rebuild();
        heap
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for BinaryHeap<T> {
    fn from(elems: [T; N]) -> BinaryHeap<T> {
        BinaryHeap::from(Vec::from(elems))
    }
}

impl<T> From<BinaryHeap<T>> for Vec<T> {
    fn from(heap: BinaryHeap<T>) -> Vec<T> {
        heap.data
    }
}

impl<T> IntoIterator for BinaryHeap<T> {
    type Item = T;
    type IntoIter = crate::vec::IntoIter<T>;

    fn into_iter(self) -> crate::vec::IntoIter<T> {
        self.data.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a BinaryHeap<T> {
    type Item = &'a T;
    type IntoIter = crate::slice::Iter<'a, T>;

    fn into_iter(self) -> crate::slice::Iter<'a, T> {
        self.iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for BinaryHeap<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
