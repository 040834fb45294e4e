//! Growable arrays.

mod into_iter;
mod capacity;
mod convert;
mod extract;

pub use extract::{ExtractIf, Gap};
pub use into_iter::IntoIter;
pub use into_iter::IntoIter as Drain;
pub use capacity::TryReserveError;

use crate::mem::{ManuallyDrop, moved, put};
use crate::ops::{Deref, DerefMut, RangeBounds};
use crate::slice::{owned, part};

#[lang("vec")]
pub struct Vec<T>;

impl<T> Vec<T> {
    #[op("array")]
    pub fn new() -> Vec<T>;

    pub fn with_capacity(capacity: usize) -> Vec<T> {
        capacity::check::<T>(capacity);
        let mut result = Vec::new();
        capacity::set(&mut result, capacity);
        result
    }

    #[op("push")]
    pub fn push(&mut self, value: T);

    #[op("pop")]
    pub fn pop(&mut self) -> Option<T>;

    #[op("len")]
    pub fn len(&self) -> usize;

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn capacity(&self) -> usize {
        if capacity::size::<T>() == 0 {
            return usize::MAX;
        }
        capacity::asked(self)
    }

    /// At least doubles the capacity, like Rust's library.
    pub fn reserve(&mut self, additional: usize) {
        let saved = capacity::of(self);
        let needed = capacity::sum::<T>(self.len(), additional);
        if needed > saved {
            capacity::set(self, capacity::grown::<T>(saved, needed));
        }
    }

    pub fn reserve_exact(&mut self, additional: usize) {
        let needed = capacity::sum::<T>(self.len(), additional);
        if needed > capacity::of(self) {
            capacity::set(self, needed);
        }
    }

    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        capacity::try_sum::<T>(self.len(), additional)?;
        self.reserve(additional);
        Ok(())
    }

    pub fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError> {
        capacity::try_sum::<T>(self.len(), additional)?;
        self.reserve_exact(additional);
        Ok(())
    }

    pub fn shrink_to_fit(&mut self) {
        capacity::set(self, 0);
    }

    pub fn shrink_to(&mut self, min_capacity: usize) {
        if min_capacity < capacity::of(self) {
            capacity::set(self, min_capacity);
        }
    }

    #[op("insert")]
    pub fn insert(&mut self, index: usize, element: T);

    #[op("remove")]
    pub fn remove(&mut self, index: usize) -> T;

    #[op("swap_remove")]
    pub fn swap_remove(&mut self, index: usize) -> T;

    #[op("truncate")]
    pub fn truncate(&mut self, len: usize);

    /// Forgets the elements from a position on.
    #[moves]
    #[op("truncate")]
    pub fn cut(&mut self, len: usize);

    /// New elements are what was written behind the others; where nothing was, they are uninitialised memory: only
    /// types such as `MaybeUninit` can be that, others fail here.
    #[lang("vec_set_len")]
    pub unsafe fn set_len(&mut self, new_len: usize) {
        Vec::set_len_of(self as *mut Vec<T>, new_len)
    }

    /// `set_len` for a place.
    #[moves]
    #[lang("vec_set_len_of")]
    pub fn set_len_of(vector: *mut Vec<T>, new_len: usize) {
        capacity::check_len(&*vector, new_len);
        let mut len = set_length(vector, new_len);
        while len < new_len {
            *(&mut *vector).as_mut_ptr().add(len) = crate::mem::uninit_value();
            len = set_length(vector, new_len);
        }
    }

    /// The memory behind the elements.
    pub fn spare_capacity_mut(&mut self) -> &mut [crate::mem::MaybeUninit<T>] {
        let (len, capacity) = (self.len(), capacity::of(self));
        let spare = self.as_mut_ptr().add(len) as *mut crate::mem::MaybeUninit<T>;
        &mut *crate::ptr::slice_from_raw_parts_mut(spare, capacity - len)
    }

    pub fn clear(&mut self) {
        let saved = capacity::saved(self);
        *self = Vec::new();
        capacity::set(self, saved);
    }

    pub fn pop_if(&mut self, predicate: impl FnOnce(&mut T) -> bool) -> Option<T> {
        let n = self.len();
        if n > 0 && predicate(&mut self[n - 1]) { self.pop() } else { None }
    }

    pub fn resize(&mut self, new_len: usize, value: T)
    where
        T: Clone,
    {
        if new_len <= self.len() {
            return self.truncate(new_len);
        }
        let last = if crate::clone::is_plain::<T>() { new_len } else { new_len - 1 };
        while self.len() < last {
            self.push(T::clone(&value));
        }
        if last < new_len {
            self.push(value);
        }
    }

    pub fn resize_with<F: FnMut() -> T>(&mut self, new_len: usize, mut f: F) {
        while self.len() < new_len {
            self.push(f());
        }
        self.truncate(new_len);
    }

    #[op("id")]
    pub fn as_slice(&self) -> &[T];

    #[op("id")]
    pub fn as_mut_slice(&mut self) -> &mut [T];

    #[op("id")]
    pub fn into_boxed_slice(self) -> Box<[T]>;

    /// The elements of an allocation, which is empty afterwards.
    #[moves]
    pub unsafe fn from_raw_parts(data: *mut T, len: usize, capacity: usize) -> Vec<T> {
        capacity::check_parts(len, capacity);
        let mut result = crate::ptr::take_allocation(data, len, capacity::stated(capacity));
        capacity::set(&mut result, capacity);
        result
    }

    #[moves]
    pub fn leak<'a>(self) -> &'a mut [T] {
        &mut *(crate::ptr::place_of(self) as *mut [T])
    }

    /// The elements as those of a place that nothing can write to.
    #[op("id")]
    pub fn __leaked<'a>(self) -> &'a [T];

    pub fn append(&mut self, other: &mut Vec<T>) {
        let (saved, others) = (capacity::saved(self), capacity::saved(other));
        put(self, crate::slice::joined(self, other));
        put(other, Vec::new());
        capacity::set(self, saved);
        capacity::set(other, others);
    }

    pub fn extend_from_slice(&mut self, other: &[T])
    where
        T: Clone,
    {
        for x in other.iter() {
            self.push(T::clone(x));
        }
    }

    pub fn extend_from_within<R: RangeBounds<usize>>(&mut self, src: R)
    where
        T: Clone,
    {
        let (lo, hi) = range(&src, self.len());
        for i in lo..hi {
            self.push(T::clone(&self[i]));
        }
    }

    pub fn split_off(&mut self, at: usize) -> Vec<T> {
        let n = self.len();
        if at > n {
            panic!("`at` split index (is {at}) should be <= len (is {n})");
        }
        let tail = owned(part(self, at, n));
        self.cut(at);
        tail
    }

    pub fn drain<R: RangeBounds<usize>>(&mut self, range_: R) -> IntoIter<T> {
        let (lo, hi) = range(&range_, self.len());
        let n = self.len();
        let saved = capacity::saved(self);
        let taken = owned(part(self, lo, hi));
        put(self, crate::slice::joined(part(self, 0, lo), part(self, hi, n)));
        capacity::set(self, saved);
        taken.into_iter()
    }

    pub fn splice<R: RangeBounds<usize>, I: IntoIterator<Item = T>>(
        &mut self,
        range_: R,
        replace_with: I,
    ) -> IntoIter<T> {
        let (lo, hi) = range(&range_, self.len());
        let n = self.len();
        let taken = owned(part(self, lo, hi));
        let mut elems = owned(part(self, 0, lo));
        elems.extend(replace_with);
        let saved = capacity::saved(self);
        put(self, crate::slice::joined(&ManuallyDrop::new(elems), part(self, hi, n)));
        capacity::set(self, saved);
        taken.into_iter()
    }

    pub fn retain<F: FnMut(&T) -> bool>(&mut self, mut f: F) {
        let mut kept = Vec::new();
        for i in 0..self.len() {
            let x = moved(&self[i]);
            if f(&x) {
                kept.push(x);
            }
        }
        let saved = capacity::saved(self);
        put(self, kept);
        capacity::set(self, saved);
    }

    pub fn retain_mut<F: FnMut(&mut T) -> bool>(&mut self, mut f: F) {
        let mut kept = Vec::new();
        for i in 0..self.len() {
            let mut x = moved(&self[i]);
            if f(&mut x) {
                kept.push(x);
            }
        }
        let saved = capacity::saved(self);
        put(self, kept);
        capacity::set(self, saved);
    }

    pub fn dedup_by<F: FnMut(&mut T, &mut T) -> bool>(&mut self, mut same_bucket: F) {
        let mut kept: Vec<T> = Vec::new();
        for i in 0..self.len() {
            let mut x = moved(&self[i]);
            let n = kept.len();
            if n == 0 || !same_bucket(&mut x, &mut kept[n - 1]) {
                kept.push(x);
            }
        }
        let saved = capacity::saved(self);
        put(self, kept);
        capacity::set(self, saved);
    }

    pub fn dedup_by_key<F: FnMut(&mut T) -> K, K: PartialEq>(&mut self, mut key: F) {
        self.dedup_by(|a, b| key(a) == key(b))
    }

    pub fn dedup(&mut self)
    where
        T: PartialEq,
    {
        let mut kept: Vec<T> = Vec::new();
        for i in 0..self.len() {
            let x = moved(&self[i]);
            let n = kept.len();
            if n == 0 || !(x == kept[n - 1]) {
                kept.push(x);
            }
        }
        let saved = capacity::saved(self);
        put(self, kept);
        capacity::set(self, saved);
    }
}

/// Sets the length as far as something was written behind the elements, and returns it.
#[op("ref.set_len")]
fn set_length<T>(vector: *mut Vec<T>, len: usize) -> usize;

/// Drops the elements from a position on.
#[lang("vec_truncate")]
fn truncate<T>(elems: &mut Vec<T>, len: usize) {
    if len < elems.len() {
        drop(elems.split_off(len));
    }
}

/// The positions of a range to be removed from a vector.
fn range<R: RangeBounds<usize>>(range: &R, len: usize) -> (usize, usize) {
    if let (crate::ops::Bound::Included(lo), crate::ops::Bound::Unbounded) = (range.start_bound(), range.end_bound()) {
        if *lo > len {
            panic!("range start index {} out of range for slice of length {len}", *lo);
        }
    }
    crate::range::positions(range, len)
}

impl<T> Deref for Vec<T> {
    type Target = [T];
    #[op("id")]
    fn deref(&self) -> &[T];
}

impl<T> DerefMut for Vec<T> {
    #[op("id")]
    fn deref_mut(&mut self) -> &mut [T];
}

impl<T: Clone> Clone for Vec<T> {
    fn clone(&self) -> Vec<T> {
        self.to_vec()
    }

    fn clone_from(&mut self, source: &Vec<T>) {
        // The capacity stays.
        if crate::clone::is_plain::<T>() {
            self.clear();
            self.extend_from_slice(source);
            return;
        }
        self.truncate(source.len());
        let n = self.len();
        self.clone_from_slice(part(source, 0, n));
        self.extend_from_slice(part(source, n, source.len()));
    }
}

impl<T> Default for Vec<T> {
    fn default() -> Vec<T> {
        Vec::new()
    }
}

impl<T> FromIterator<T> for Vec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Vec<T> {
        let mut elems = Vec::new();
        let mut iter = iter.into_iter();
        if I::IntoIter::__trusted_len() {
            iter.__before_fold();
        }
        while let Some(x) = iter.next() {
            elems.push(x);
        }
        elems
    }
}

impl<T> FromIterator<T> for Box<[T]> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Box<[T]> {
        Vec::from_iter(iter).into_boxed_slice()
    }
}

impl<T> Extend<T> for Vec<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
        let mut iter = iter.into_iter();
        if I::IntoIter::__trusted_len() {
            iter.__before_fold();
        }
        while let Some(x) = iter.next() {
            self.push(x);
        }
    }
}

impl<'a, T: Copy + 'a> Extend<&'a T> for Vec<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, iter: I) {
        for x in iter {
            self.push(*x);
        }
    }
}

impl<T> IntoIterator for Vec<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        into_iter::into_iter(self)
    }
}

impl<T> IntoIterator for Box<[T]> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        into_iter::into_iter(self.into_vec())
    }
}

impl<'a, T> IntoIterator for &'a Box<[T]> {
    type Item = &'a T;
    type IntoIter = crate::slice::Iter<'a, T>;

    fn into_iter(self) -> crate::slice::Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Box<[T]> {
    type Item = &'a mut T;
    type IntoIter = crate::slice::IterMut<'a, T>;

    fn into_iter(self) -> crate::slice::IterMut<'a, T> {
        self.iter_mut()
    }
}

impl<'a, T> IntoIterator for &'a Vec<T> {
    type Item = &'a T;
    type IntoIter = crate::slice::Iter<'a, T>;

    fn into_iter(self) -> crate::slice::Iter<'a, T> {
        self.as_slice().iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Vec<T> {
    type Item = &'a mut T;
    type IntoIter = crate::slice::IterMut<'a, T>;

    fn into_iter(self) -> crate::slice::IterMut<'a, T> {
        self.as_mut_slice().iter_mut()
    }
}

impl<T: crate::hash::Hash> crate::hash::Hash for Vec<T> {
    fn hash<H: crate::hash::Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state)
    }
}
