//! Slices: consecutive elements.

mod arrays;
mod chunks;
mod compare;
mod disjoint;
mod index;
mod iter;
mod join;
mod parts;
mod rchunks;
mod sort;
mod split;
mod split_mut;
mod split_off;

pub use chunks::{
    ArrayWindows, ChunkBy, Chunks, ChunksExact, ChunksExactMut, ChunksMut, Windows,
};
pub use disjoint::{GetDisjointMutError, GetDisjointMutIndex};
pub use index::SliceIndex;
pub use iter::{Iter, IterMut};
pub use join::{Concat, Join};
pub use rchunks::{RChunks, RChunksExact};
pub use split::{RSplit, RSplitN, Split, SplitInclusive, SplitN};
pub use split_mut::{
    ChunkByMut, RChunksExactMut, RChunksMut, RSplitMut, RSplitNMut, SplitInclusiveMut, SplitMut, SplitNMut,
};

#[op("ref.elem")]
pub fn elem_mut<T>(slice: &mut [T], i: usize) -> &mut T;

#[op("ref.slice")]
pub fn part_mut<T>(slice: &mut [T], lo: usize, hi: usize) -> &mut [T];

/// Fails for a null pointer, which no slice may have.
fn check_parts<T>(data: *const T) {
    if data.is_null() {
        crate::macros::fail("a slice is made of a null pointer");
    }
}

pub unsafe fn from_raw_parts<'a, T>(data: *const T, len: usize) -> &'a [T] {
    check_parts(data);
    &*crate::ptr::slice_from_raw_parts(data, len)
}

pub unsafe fn from_raw_parts_mut<'a, T>(data: *mut T, len: usize) -> &'a mut [T] {
    check_parts(data as *const T);
    &mut *crate::ptr::slice_from_raw_parts_mut(data, len)
}

pub fn from_mut<T>(value: &mut T) -> &mut [T] {
    &mut *crate::ptr::slice_from_raw_parts_mut(value, 1)
}

#[op("get")]
pub fn elem<T>(slice: &[T], i: usize) -> &T;

#[op("slice")]
pub fn part<T>(slice: &[T], lo: usize, hi: usize) -> &[T];

/// The elements themselves: `to_vec` for elements whose copies are the elements.
#[moves]
#[op("id")]
pub fn owned<T>(slice: &[T]) -> Vec<T>;

#[op("array")]
pub fn from_ref<T>(value: &T) -> &[T];

#[moves]
#[op("concat")]
pub fn joined<T>(a: &[T], b: &[T]) -> Vec<T>;

#[op("set_slice")]
fn set_part<T>(slice: &mut [T], lo: usize, part: &[T]);

impl<T> [T] {
    pub fn into_vec(self: Box<[T]>) -> Vec<T> {
        Vec::from(self)
    }

    #[lang("slice_len")]
    #[op("len")]
    pub fn len(&self) -> usize;

    #[lang("slice_is_empty")]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn first(&self) -> Option<&T> {
        if self.is_empty() { None } else { Some(&self[0]) }
    }

    pub fn first_mut(&mut self) -> Option<&mut T> {
        if self.is_empty() { None } else { Some(elem_mut(self, 0)) }
    }

    pub fn last(&self) -> Option<&T> {
        let n = self.len();
        if n == 0 { None } else { Some(&self[n - 1]) }
    }

    pub fn last_mut(&mut self) -> Option<&mut T> {
        let n = self.len();
        if n == 0 { None } else { Some(elem_mut(self, n - 1)) }
    }

    pub fn split_first(&self) -> Option<(&T, &[T])> {
        let n = self.len();
        if n == 0 { None } else { Some((&self[0], part(self, 1, n))) }
    }

    pub fn split_first_mut(&mut self) -> Option<(&mut T, &mut [T])> {
        let n = self.len();
        if n == 0 { None } else { Some((elem_mut(self, 0), part_mut(self, 1, n))) }
    }

    pub fn split_last(&self) -> Option<(&T, &[T])> {
        let n = self.len();
        if n == 0 { None } else { Some((&self[n - 1], part(self, 0, n - 1))) }
    }

    pub fn split_last_mut(&mut self) -> Option<(&mut T, &mut [T])> {
        let n = self.len();
        if n == 0 { None } else { Some((elem_mut(self, n - 1), part_mut(self, 0, n - 1))) }
    }

    pub fn get<I: SliceIndex<[T]>>(&self, index: I) -> Option<&I::Output> {
        index.get(self)
    }

    pub fn get_mut<I: SliceIndex<[T]>>(&mut self, index: I) -> Option<&mut I::Output> {
        index.get_mut(self)
    }

    pub unsafe fn get_unchecked<I: SliceIndex<[T]>>(&self, index: I) -> &I::Output {
        index.index(self)
    }

    pub unsafe fn get_unchecked_mut<I: SliceIndex<[T]>>(&mut self, index: I) -> &mut I::Output {
        index.index_mut(self)
    }

    #[op("swap")]
    pub fn swap(&mut self, a: usize, b: usize);

    #[op("reverse")]
    pub fn reverse(&mut self);

    pub fn iter(&self) -> Iter<'_, T> {
        iter::iter(self)
    }

    pub fn iter_mut(&mut self) -> IterMut<'_, T> {
        iter::iter_mut(self)
    }

    pub fn windows(&self, size: usize) -> Windows<'_, T> {
        chunks::windows(self, size)
    }

    pub fn array_windows<const N: usize>(&self) -> ArrayWindows<'_, T, N> {
        chunks::array_windows(self)
    }

    pub fn chunks(&self, chunk_size: usize) -> Chunks<'_, T> {
        chunks::chunks(self, chunk_size)
    }

    pub fn chunks_mut(&mut self, chunk_size: usize) -> ChunksMut<'_, T> {
        chunks::chunks_mut(self, chunk_size)
    }

    pub fn chunks_exact(&self, chunk_size: usize) -> ChunksExact<'_, T> {
        chunks::chunks_exact(self, chunk_size)
    }

    pub fn chunks_exact_mut(&mut self, chunk_size: usize) -> ChunksExactMut<'_, T> {
        chunks::chunks_exact_mut(self, chunk_size)
    }

    pub fn rchunks(&self, chunk_size: usize) -> RChunks<'_, T> {
        rchunks::rchunks(self, chunk_size)
    }

    pub fn rchunks_exact(&self, chunk_size: usize) -> RChunksExact<'_, T> {
        rchunks::rchunks_exact(self, chunk_size)
    }

    pub fn chunk_by<F: FnMut(&T, &T) -> bool>(&self, pred: F) -> ChunkBy<'_, T, F> {
        chunks::chunk_by(self, pred)
    }

    pub fn split_at(&self, mid: usize) -> (&[T], &[T]) {
        let n = self.len();
        if mid > n {
            crate::macros::fail("mid > len");
        }
        (part(self, 0, mid), part(self, mid, n))
    }

    pub fn split_at_mut(&mut self, mid: usize) -> (&mut [T], &mut [T]) {
        let n = self.len();
        if mid > n {
            crate::macros::fail("mid > len");
        }
        (part_mut(self, 0, mid), part_mut(self, mid, n))
    }

    pub fn split_at_mut_checked(&mut self, mid: usize) -> Option<(&mut [T], &mut [T])> {
        if mid <= self.len() { Some(self.split_at_mut(mid)) } else { None }
    }

    pub unsafe fn split_at_unchecked(&self, mid: usize) -> (&[T], &[T]) {
        self.split_at(mid)
    }

    pub unsafe fn split_at_mut_unchecked(&mut self, mid: usize) -> (&mut [T], &mut [T]) {
        self.split_at_mut(mid)
    }

    pub fn split_at_checked(&self, mid: usize) -> Option<(&[T], &[T])> {
        if mid <= self.len() { Some(self.split_at(mid)) } else { None }
    }

    pub fn split<F: FnMut(&T) -> bool>(&self, pred: F) -> Split<'_, T, F> {
        split::split(self, pred)
    }

    pub fn splitn<F: FnMut(&T) -> bool>(&self, n: usize, pred: F) -> SplitN<'_, T, F> {
        split::splitn(self, n, pred)
    }

    pub fn rsplit<F: FnMut(&T) -> bool>(&self, pred: F) -> RSplit<'_, T, F> {
        split::split(self, pred).rev()
    }

    pub fn rsplitn<F: FnMut(&T) -> bool>(&self, n: usize, pred: F) -> RSplitN<'_, T, F> {
        split::rsplitn(self, n, pred)
    }

    pub fn split_inclusive<F: FnMut(&T) -> bool>(&self, pred: F) -> SplitInclusive<'_, T, F> {
        split::split_inclusive(self, pred)
    }

    #[moves]
    pub fn rotate_left(&mut self, mid: usize) {
        assert!(mid <= self.len());
        let n = self.len();
        *self = *joined(part(self, mid, n), part(self, 0, mid));
    }

    #[moves]
    pub fn rotate_right(&mut self, k: usize) {
        assert!(k <= self.len());
        let n = self.len();
        *self = *joined(part(self, n - k, n), part(self, 0, n - k));
    }

    pub fn fill(&mut self, value: T)
    where
        T: Clone,
    {
        let n = self.len();
        if crate::clone::is_plain::<T>() {
            for i in 0..n {
                self[i] = T::clone(&value);
            }
        } else if n > 0 {
            for i in 0..n - 1 {
                self[i] = T::clone(&value);
            }
            self[n - 1] = value;
        }
    }

    pub fn fill_with<F: FnMut() -> T>(&mut self, mut f: F) {
        for i in 0..self.len() {
            self[i] = f();
        }
    }

    pub fn clone_from_slice(&mut self, src: &[T])
    where
        T: Clone,
    {
        if self.len() != src.len() {
            panic!("destination and source slices have different lengths");
        }
        if crate::clone::is_plain::<T>() {
            *self = *src;
            return;
        }
        for i in 0..src.len() {
            self[i] = T::clone(&src[i]);
        }
    }

    pub fn copy_from_slice(&mut self, src: &[T])
    where
        T: Copy,
    {
        if self.len() != src.len() {
            panic!(
                "copy_from_slice: source slice length ({}) does not match destination slice length ({})",
                src.len(),
                self.len()
            );
        }
        *self = *src;
    }

    pub fn copy_within<R: crate::ops::RangeBounds<usize>>(&mut self, src: R, dest: usize)
    where
        T: Copy,
    {
        let (lo, hi) = crate::range::positions(&src, self.len());
        assert!(dest <= self.len() - (hi - lo), "dest is out of bounds");
        let moved = part(self, lo, hi);
        set_part(self, dest, moved);
    }

    pub fn swap_with_slice(&mut self, other: &mut [T]) {
        assert!(self.len() == other.len(), "destination and source slices have different lengths");
        crate::mem::swap(self, other);
    }

    pub fn to_vec(&self) -> Vec<T>
    where
        T: Clone,
    {
        if crate::clone::is_plain::<T>() {
            return owned(self);
        }
        let mut elems = Vec::new();
        for x in self.iter() {
            elems.push(T::clone(x));
        }
        elems
    }

    #[op("id")]
    pub fn into_vec(self) -> Vec<T>;

    pub fn repeat(&self, n: usize) -> Vec<T>
    where
        T: Copy,
    {
        let mut elems = Vec::new();
        for _ in 0..n {
            elems.extend_from_slice(self);
        }
        elems
    }

    pub fn concat<Item: ?Sized>(&self) -> <Self as Concat<Item>>::Output
    where
        Self: Concat<Item>,
    {
        Concat::concat(self)
    }

    pub fn join<Separator>(&self, sep: Separator) -> <Self as Join<Separator>>::Output
    where
        Self: Join<Separator>,
    {
        Join::join(self, sep)
    }

    #[lang("slice_as_ptr")]
    pub fn as_ptr(&self) -> *const T {
        crate::ptr::first_shared(self)
    }

    /// `as_ptr` for a place.
    #[lang("slice_as_ptr_of")]
    pub fn as_ptr_of(elems: *const [T]) -> *const T {
        crate::ptr::first_shared(elems)
    }

    pub fn as_mut_ptr(&mut self) -> *mut T {
        crate::ptr::first(self)
    }

    pub fn as_ptr_range(&self) -> crate::ops::Range<*const T> {
        let start = self.as_ptr();
        start..start.wrapping_add(self.len())
    }

    pub fn as_mut_ptr_range(&mut self) -> crate::ops::Range<*mut T> {
        let len = self.len();
        let start = self.as_mut_ptr();
        start..start.wrapping_add(len)
    }
}

impl<T> Default for Box<[T]> {
    fn default() -> Self {
        Vec::new().into_boxed_slice()
    }
}

impl<'a, T> IntoIterator for &'a [T] {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut [T] {
    type Item = &'a mut T;
    type IntoIter = IterMut<'a, T>;

    fn into_iter(self) -> IterMut<'a, T> {
        self.iter_mut()
    }
}

impl<T: crate::hash::Hash> crate::hash::Hash for [T] {
    fn hash<H: crate::hash::Hasher>(&self, state: &mut H) {
        state.write_usize(self.len());
        for x in self.iter() {
            x.hash(state);
        }
    }
}
