//! The crate `smallvec` as programs see it: vectors, which know of their storage only how many elements have room on the heap.
//! Capacities grow as in [smallvec 1](https://docs.rs/smallvec/1).

mod impls;

use std::ops::RangeBounds;

pub use crate::{smallvec, smallvec_inline};
pub use impls::{CollectionAllocErr, ToSmallVec};

#[macro_export]
macro_rules! smallvec {
    ($elem:expr; $n:expr) => { $crate::SmallVec::from_elem($elem, $n) };
    ($($x:expr),* $(,)?) => { $crate::SmallVec::from_vec(vec![$($x),*]) };
}

#[macro_export]
macro_rules! smallvec_inline {
    ($elem:expr; $n:expr) => { $crate::SmallVec::<[_; $n]>::from_vec(vec![$elem; $n]) };
    ($($x:expr),* $(,)?) => { $crate::SmallVec::from([$($x),*]) };
}

/// The inline storage of a few elements.
pub trait Array {
    type Item;

    fn size() -> usize;

    fn whole(elems: Vec<Self::Item>) -> Result<Self, Vec<Self::Item>>
    where
        Self: Sized;

    fn elems(self) -> Vec<Self::Item>;
}

impl<T, const N: usize> Array for [T; N] {
    type Item = T;

    fn size() -> usize {
        N
    }

    fn whole(elems: Vec<T>) -> Result<[T; N], Vec<T>> {
        elems.try_into()
    }

    fn elems(self) -> Vec<T> {
        Vec::from(self)
    }
}

pub struct SmallVec<A: Array> {
    elems: Vec<A::Item>,
    /// The capacity on the heap; zero if the elements are stored inline.
    heap: usize,
}

/// The capacity on the heap of a new vector with room for this many elements.
fn heap_for<A: Array>(capacity: usize) -> usize {
    if capacity > A::size() { capacity } else { 0 }
}

impl<A: Array> SmallVec<A> {
    /// The vector of these elements, in room for as many if it is not inline.
    fn exactly(elems: Vec<A::Item>) -> SmallVec<A> {
        let heap = heap_for::<A>(elems.len());
        SmallVec { elems, heap }
    }

    /// The vector of these elements, in the room that is reserved for as many.
    fn collected(elems: Vec<A::Item>) -> SmallVec<A> {
        let heap = heap_for::<A>(elems.len());
        SmallVec { elems, heap: if heap > 0 { heap.next_power_of_two() } else { 0 } }
    }

    pub fn capacity(&self) -> usize {
        if self.heap > 0 { self.heap } else { A::size() }
    }

    pub fn spilled(&self) -> bool {
        self.heap > 0
    }

    pub fn grow(&mut self, new_cap: usize) {
        assert!(new_cap >= self.elems.len());
        self.heap = heap_for::<A>(new_cap);
    }

    pub fn try_grow(&mut self, new_cap: usize) -> Result<(), CollectionAllocErr> {
        self.grow(new_cap);
        Ok(())
    }

    pub fn try_reserve(&mut self, additional: usize) -> Result<(), CollectionAllocErr> {
        self.reserve(additional);
        Ok(())
    }

    pub fn try_reserve_exact(&mut self, additional: usize) -> Result<(), CollectionAllocErr> {
        self.reserve_exact(additional);
        Ok(())
    }

    pub fn new() -> SmallVec<A> {
        SmallVec { elems: Vec::new(), heap: 0 }
    }

    pub const fn new_const() -> SmallVec<A> {
        SmallVec { elems: Vec::new(), heap: 0 }
    }

    pub fn with_capacity(n: usize) -> SmallVec<A> {
        SmallVec { elems: Vec::new(), heap: heap_for::<A>(n) }
    }

    pub fn from_vec(elems: Vec<A::Item>) -> SmallVec<A> {
        let heap = heap_for::<A>(elems.capacity());
        SmallVec { elems, heap }
    }

    pub fn from_buf(buf: A) -> SmallVec<A> {
        SmallVec { elems: buf.elems(), heap: 0 }
    }

    pub fn from_buf_and_len(buf: A, len: usize) -> SmallVec<A> {
        assert!(len <= A::size());
        let mut elems = buf.elems();
        elems.truncate(len);
        SmallVec { elems, heap: 0 }
    }

    pub fn from_slice(slice: &[A::Item]) -> SmallVec<A>
    where
        A::Item: Copy,
    {
        SmallVec::exactly(slice.to_vec())
    }

    pub fn from_elem(elem: A::Item, n: usize) -> SmallVec<A>
    where
        A::Item: Clone,
    {
        SmallVec::exactly(vec![elem; n])
    }

    pub fn inline_size(&self) -> usize {
        A::size()
    }

    pub fn len(&self) -> usize {
        self.elems.len()
    }

    pub fn is_empty(&self) -> bool {
        self.elems.is_empty()
    }

    pub fn push(&mut self, value: A::Item) {
        self.reserve(1);
        self.elems.push(value)
    }

    pub fn pop(&mut self) -> Option<A::Item> {
        self.elems.pop()
    }

    pub fn append<B: Array<Item = A::Item>>(&mut self, other: &mut SmallVec<B>) {
        self.reserve(other.len());
        self.elems.append(&mut other.elems)
    }

    pub fn reserve(&mut self, additional: usize) {
        let len = self.elems.len();
        if additional > self.capacity() - len {
            let needed = len.checked_add(additional).and_then(usize::checked_next_power_of_two);
            self.heap = needed.expect("capacity overflow");
        }
    }

    pub fn reserve_exact(&mut self, additional: usize) {
        let len = self.elems.len();
        if additional > self.capacity() - len {
            self.heap = len.checked_add(additional).expect("capacity overflow");
        }
    }

    pub fn shrink_to_fit(&mut self) {
        if self.spilled() {
            self.heap = heap_for::<A>(self.elems.len());
        }
    }

    pub fn truncate(&mut self, len: usize) {
        self.elems.truncate(len)
    }

    pub fn clear(&mut self) {
        self.elems.clear()
    }

    pub fn swap_remove(&mut self, index: usize) -> A::Item {
        self.elems.swap_remove(index)
    }

    pub fn remove(&mut self, index: usize) -> A::Item {
        assert!(index < self.elems.len());
        self.elems.remove(index)
    }

    pub fn insert(&mut self, index: usize, element: A::Item) {
        if index > self.elems.len() {
            panic!("index exceeds length");
        }
        self.reserve(1);
        self.elems.insert(index, element)
    }

    pub fn insert_many<I: IntoIterator<Item = A::Item>>(&mut self, index: usize, iterable: I) {
        let rest = self.elems.split_off(index);
        let mut iter = iterable.into_iter();
        self.reserve(iter.size_hint().0 + rest.len());
        while let Some(elem) = iter.next() {
            self.reserve(1 + rest.len());
            self.elems.push(elem);
        }
        self.elems.extend(rest);
    }

    pub fn insert_from_slice(&mut self, index: usize, slice: &[A::Item])
    where
        A::Item: Copy,
    {
        self.insert_many(index, slice.iter().copied())
    }

    pub fn extend_from_slice(&mut self, slice: &[A::Item])
    where
        A::Item: Copy,
    {
        self.reserve(slice.len());
        self.elems.extend_from_slice(slice)
    }

    pub fn resize(&mut self, len: usize, value: A::Item)
    where
        A::Item: Clone,
    {
        self.reserve(len.saturating_sub(self.elems.len()));
        self.elems.resize(len, value)
    }

    pub fn resize_with<F: FnMut() -> A::Item>(&mut self, new_len: usize, f: F) {
        self.reserve(new_len.saturating_sub(self.elems.len()));
        self.elems.resize_with(new_len, f)
    }

    pub fn retain<F: FnMut(&mut A::Item) -> bool>(&mut self, f: F) {
        self.elems.retain_mut(f)
    }

    pub fn retain_mut<F: FnMut(&mut A::Item) -> bool>(&mut self, f: F) {
        self.elems.retain_mut(f)
    }

    pub fn dedup(&mut self)
    where
        A::Item: PartialEq,
    {
        self.elems.dedup()
    }

    pub fn dedup_by<F: FnMut(&mut A::Item, &mut A::Item) -> bool>(&mut self, same_bucket: F) {
        self.elems.dedup_by(same_bucket)
    }

    pub fn dedup_by_key<F: FnMut(&mut A::Item) -> K, K: PartialEq>(&mut self, key: F) {
        self.elems.dedup_by_key(key)
    }

    pub fn drain<R: RangeBounds<usize>>(&mut self, range: R) -> std::vec::IntoIter<A::Item> {
        let drained: Vec<A::Item> = self.elems.drain(range).collect();
        drained.into_iter()
    }

    pub fn into_vec(self) -> Vec<A::Item> {
        self.elems
    }

    pub fn into_boxed_slice(self) -> Box<[A::Item]> {
        self.elems.into_boxed_slice()
    }

    pub fn into_inner(self) -> Result<A, SmallVec<A>> {
        if self.spilled() {
            return Err(self);
        }
        match A::whole(self.elems) {
            Ok(whole) => Ok(whole),
            Err(elems) => Err(SmallVec { elems, heap: 0 }),
        }
    }

    pub fn as_slice(&self) -> &[A::Item] {
        &self.elems
    }

    pub fn as_mut_slice(&mut self) -> &mut [A::Item] {
        &mut self.elems
    }
}
