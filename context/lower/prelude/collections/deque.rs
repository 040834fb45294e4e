//! A double-ended queue: a vector whose front part is unused.

use crate::fmt;
use crate::mem::{ManuallyDrop, moved, put};
use crate::ops::{Index, IndexMut, RangeBounds};
use crate::slice::{elem_mut, owned, part};

#[moves]
#[op("repeat")]
fn filled<T>(value: T, n: usize) -> Vec<T>;

pub struct VecDeque<T> {
    elems: ManuallyDrop<Vec<T>>,
    head: usize,
    /// The promised capacity.
    capacity: usize,
}

impl<T> Drop for VecDeque<T> {
    fn drop(&mut self) {
        self.compact();
        crate::mem::drop_value::<Vec<T>>(moved(&*self.elems));
    }
}

impl<T: Clone> Clone for VecDeque<T> {
    fn clone(&self) -> VecDeque<T> {
        VecDeque::of(self.slice().to_vec())
    }
}

impl<T> VecDeque<T> {
    pub fn new() -> VecDeque<T> {
        VecDeque::of(Vec::new())
    }

    fn of(elems: Vec<T>) -> VecDeque<T> {
        VecDeque { elems: ManuallyDrop::new(elems), head: 0, capacity: 0 }
    }

    pub fn with_capacity(capacity: usize) -> VecDeque<T> {
        let mut result = VecDeque::of(Vec::with_capacity(capacity));
        result.capacity = capacity;
        result
    }

    pub fn capacity(&self) -> usize {
        self.capacity.max(self.len())
    }

    /// At least doubles the capacity, like Rust's library.
    pub fn reserve(&mut self, additional: usize) {
        let needed = self.len().checked_add(additional).expect("capacity overflow");
        if needed > self.capacity() {
            self.capacity = needed.max(self.capacity() * 2).max(4);
        }
    }

    pub fn reserve_exact(&mut self, additional: usize) {
        let needed = self.len().checked_add(additional).expect("capacity overflow");
        self.capacity = self.capacity.max(needed);
    }

    pub fn shrink_to_fit(&mut self) {
        self.capacity = 0;
    }

    pub fn shrink_to(&mut self, min_capacity: usize) {
        self.capacity = self.capacity.min(min_capacity);
    }

    pub fn len(&self) -> usize {
        self.elems.len() - self.head
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn push_back(&mut self, value: T) {
        self.elems.push(value);
    }

    pub fn push_front(&mut self, value: T) {
        if self.head > 0 {
            self.head -= 1;
            put(&mut self.elems[self.head], value);
            return;
        }
        // Doubles the free front part, so that a series of these costs one copy per element.
        let n = self.elems.len() + 1;
        let mut elems: Vec<T> = filled(value, n);
        for x in self.elems.iter() {
            elems.push(moved(x));
        }
        self.elems = ManuallyDrop::new(elems);
        self.head = n - 1;
    }

    pub fn pop_front(&mut self) -> Option<T> {
        if self.is_empty() {
            return None;
        }
        let first = moved(&self.elems[self.head]);
        self.head += 1;
        if self.head * 2 > self.elems.len() {
            self.compact();
        }
        Some(first)
    }

    pub fn pop_back(&mut self) -> Option<T> {
        if self.is_empty() { None } else { self.elems.pop() }
    }

    /// Removes the unused front part.
    fn compact(&mut self) {
        self.elems = ManuallyDrop::new(owned(part(&self.elems, self.head, self.elems.len())));
        self.head = 0;
    }

    pub fn make_contiguous(&mut self) -> &mut [T] {
        self.compact();
        &mut self.elems
    }

    /// The elements as a vector.
    pub(super) fn whole(&mut self) -> &mut Vec<T> {
        self.compact();
        &mut self.elems
    }

    pub(super) fn slice(&self) -> &[T] {
        part(&self.elems, self.head, self.elems.len())
    }

    pub fn as_slices(&self) -> (&[T], &[T]) {
        (self.slice(), &[])
    }

    pub fn front(&self) -> Option<&T> {
        self.get(0)
    }

    pub fn back(&self) -> Option<&T> {
        if self.is_empty() { None } else { Some(&self.elems[self.elems.len() - 1]) }
    }

    pub fn front_mut(&mut self) -> Option<&mut T> {
        self.get_mut(0)
    }

    pub fn back_mut(&mut self) -> Option<&mut T> {
        let n = self.elems.len();
        if self.head == n { None } else { Some(elem_mut(&mut self.elems, n - 1)) }
    }

    pub fn get(&self, index: usize) -> Option<&T> {
        if index < self.len() { Some(&self.elems[self.head + index]) } else { None }
    }

    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index < self.len() { Some(elem_mut(&mut self.elems, self.head + index)) } else { None }
    }

    pub fn swap(&mut self, i: usize, j: usize) {
        assert!(i < self.len());
        assert!(j < self.len());
        self.elems.swap(self.head + i, self.head + j);
    }

    pub fn insert(&mut self, index: usize, value: T) {
        assert!(index <= self.len(), "index out of bounds");
        self.elems.insert(self.head + index, value);
    }

    pub fn remove(&mut self, index: usize) -> Option<T> {
        if index < self.len() { Some(self.elems.remove(self.head + index)) } else { None }
    }

    pub fn truncate(&mut self, len: usize) {
        if len < self.len() {
            self.elems.truncate(self.head + len);
        }
    }

    pub fn clear(&mut self) {
        let capacity = self.capacity;
        *self = VecDeque::new();
        self.capacity = capacity;
    }

    pub fn contains(&self, x: &T) -> bool
    where
        T: PartialEq,
    {
        self.slice().contains(x)
    }

    pub fn binary_search(&self, x: &T) -> Result<usize, usize>
    where
        T: Ord,
    {
        self.slice().binary_search(x)
    }

    pub fn partition_point<P: FnMut(&T) -> bool>(&self, pred: P) -> usize {
        self.slice().partition_point(pred)
    }

    pub fn iter(&self) -> crate::slice::Iter<'_, T> {
        self.slice().iter()
    }

    pub fn iter_mut(&mut self) -> crate::slice::IterMut<'_, T> {
        self.compact();
        self.elems.iter_mut()
    }

    pub fn drain<R: RangeBounds<usize>>(&mut self, range: R) -> crate::vec::IntoIter<T> {
        self.compact();
        self.elems.drain(range)
    }

    pub fn append(&mut self, other: &mut VecDeque<T>) {
        for x in other.slice().iter() {
            self.elems.push(moved(x));
        }
        put(other, VecDeque::new());
    }

    pub fn retain<F: FnMut(&T) -> bool>(&mut self, mut f: F) {
        self.retain_mut(|x| f(&*x));
    }

    /// Swaps what is kept to the front, like Rust's library, which decides the order of drops.
    pub fn retain_mut<F: FnMut(&mut T) -> bool>(&mut self, mut f: F) {
        self.compact();
        let mut kept = 0;
        for at in 0..self.elems.len() {
            if f(&mut self.elems[at]) {
                if kept < at {
                    self.elems.swap(kept, at);
                }
                kept += 1;
            }
        }
        self.elems.truncate(kept);
    }

    pub fn rotate_left(&mut self, n: usize) {
        assert!(n <= self.len());
        self.compact();
        self.elems.rotate_left(n);
    }

    pub fn rotate_right(&mut self, n: usize) {
        assert!(n <= self.len());
        self.compact();
        self.elems.rotate_right(n);
    }

    pub fn resize(&mut self, new_len: usize, value: T)
    where
        T: Clone,
    {
        self.compact();
        self.elems.resize(new_len, value);
    }

    pub fn split_off(&mut self, at: usize) -> VecDeque<T> {
        assert!(at <= self.len(), "`at` out of bounds");
        self.compact();
        VecDeque::of(self.elems.split_off(at))
    }
}

impl<T> Default for VecDeque<T> {
    fn default() -> VecDeque<T> {
        VecDeque::new()
    }
}

impl<T> Index<usize> for VecDeque<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        self.get(index).expect("Out of bounds access")
    }
}

impl<T> IndexMut<usize> for VecDeque<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        self.get_mut(index).expect("Out of bounds access")
    }
}

impl<T> Extend<T> for VecDeque<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
        self.elems.extend(iter);
    }
}

impl<'a, T: Copy + 'a> Extend<&'a T> for VecDeque<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, iter: I) {
        for x in iter {
            self.elems.push(*x);
        }
    }
}

impl<T> FromIterator<T> for VecDeque<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> VecDeque<T> {
        VecDeque::of(Vec::from_iter(iter))
    }
}

impl<T> From<Vec<T>> for VecDeque<T> {
    fn from(elems: Vec<T>) -> VecDeque<T> {
        VecDeque::of(elems)
    }
}

impl<T, const N: usize> From<[T; N]> for VecDeque<T> {
    fn from(elems: [T; N]) -> VecDeque<T> {
        VecDeque::of(Vec::from(elems))
    }
}

impl<T> From<VecDeque<T>> for Vec<T> {
    fn from(deque: VecDeque<T>) -> Vec<T> {
        owned(ManuallyDrop::new(deque).slice())
    }
}

impl<T> IntoIterator for VecDeque<T> {
    type Item = T;
    type IntoIter = crate::vec::IntoIter<T>;

    fn into_iter(self) -> crate::vec::IntoIter<T> {
        owned(ManuallyDrop::new(self).slice()).into_iter()
    }
}

impl<'a, T> IntoIterator for &'a VecDeque<T> {
    type Item = &'a T;
    type IntoIter = crate::slice::Iter<'a, T>;

    fn into_iter(self) -> crate::slice::Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut VecDeque<T> {
    type Item = &'a mut T;
    type IntoIter = crate::slice::IterMut<'a, T>;

    fn into_iter(self) -> crate::slice::IterMut<'a, T> {
        self.iter_mut()
    }
}

impl<T: PartialEq> PartialEq for VecDeque<T> {
    fn eq(&self, other: &VecDeque<T>) -> bool {
        *self.slice() == *other.slice()
    }
}

impl<T: PartialEq> PartialEq<Vec<T>> for VecDeque<T> {
    fn eq(&self, other: &Vec<T>) -> bool {
        *self.slice() == **other
    }
}

impl<T: Eq> Eq for VecDeque<T> {}

impl<T: fmt::Debug> fmt::Debug for VecDeque<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
