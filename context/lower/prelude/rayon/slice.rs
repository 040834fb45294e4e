//! Slices: pieces, windows and sorting.

use std::cmp::Ordering;

use crate::iter::Par;

pub trait ParallelSlice<T: Sync> {
    fn as_parallel_slice(&self) -> &[T];

    fn par_windows(&self, window_size: usize) -> Par<std::slice::Windows<'_, T>> {
        Par(self.as_parallel_slice().windows(window_size))
    }

    fn par_chunks(&self, chunk_size: usize) -> Par<std::slice::Chunks<'_, T>> {
        assert!(chunk_size != 0, "chunk_size must not be zero");
        Par(self.as_parallel_slice().chunks(chunk_size))
    }

    fn par_chunks_exact(&self, chunk_size: usize) -> Par<std::slice::ChunksExact<'_, T>> {
        assert!(chunk_size != 0, "chunk_size must not be zero");
        Par(self.as_parallel_slice().chunks_exact(chunk_size))
    }

    fn par_rchunks(&self, chunk_size: usize) -> Par<std::slice::RChunks<'_, T>> {
        assert!(chunk_size != 0, "chunk_size must not be zero");
        Par(self.as_parallel_slice().rchunks(chunk_size))
    }

    fn par_split<P: Fn(&T) -> bool + Sync + Send>(&self, separator: P) -> Par<std::vec::IntoIter<&[T]>> {
        Par(self.as_parallel_slice().split(|x| separator(x)).collect::<Vec<&[T]>>().into_iter())
    }
}

impl<T: Sync> ParallelSlice<T> for [T] {
    fn as_parallel_slice(&self) -> &[T] {
        self
    }
}

pub trait ParallelSliceMut<T: Send> {
    fn as_parallel_slice_mut(&mut self) -> &mut [T];

    fn par_chunks_mut(&mut self, chunk_size: usize) -> Par<std::slice::ChunksMut<'_, T>> {
        assert!(chunk_size != 0, "chunk_size must not be zero");
        Par(self.as_parallel_slice_mut().chunks_mut(chunk_size))
    }

    fn par_chunks_exact_mut(&mut self, chunk_size: usize) -> Par<std::slice::ChunksExactMut<'_, T>> {
        assert!(chunk_size != 0, "chunk_size must not be zero");
        Par(self.as_parallel_slice_mut().chunks_exact_mut(chunk_size))
    }

    fn par_sort(&mut self)
    where
        T: Ord,
    {
        self.as_parallel_slice_mut().sort()
    }

    fn par_sort_by<F: Fn(&T, &T) -> Ordering + Sync>(&mut self, compare: F) {
        self.as_parallel_slice_mut().sort_by(|a, b| compare(a, b))
    }

    fn par_sort_by_key<K: Ord, F: Fn(&T) -> K + Sync>(&mut self, f: F) {
        self.as_parallel_slice_mut().sort_by_key(|x| f(x))
    }

    fn par_sort_by_cached_key<K: Ord + Send, F: Fn(&T) -> K + Sync>(&mut self, f: F) {
        self.as_parallel_slice_mut().sort_by_cached_key(|x| f(x))
    }

    fn par_sort_unstable(&mut self)
    where
        T: Ord,
    {
        self.as_parallel_slice_mut().sort_unstable()
    }

    fn par_sort_unstable_by<F: Fn(&T, &T) -> Ordering + Sync>(&mut self, compare: F) {
        self.as_parallel_slice_mut().sort_unstable_by(|a, b| compare(a, b))
    }

    fn par_sort_unstable_by_key<K: Ord, F: Fn(&T) -> K + Sync>(&mut self, f: F) {
        self.as_parallel_slice_mut().sort_unstable_by_key(|x| f(x))
    }
}

impl<T: Send> ParallelSliceMut<T> for [T] {
    fn as_parallel_slice_mut(&mut self) -> &mut [T] {
        self
    }
}
