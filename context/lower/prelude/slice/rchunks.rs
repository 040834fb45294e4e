//! Iterators over several elements at a time, from the end.

use super::chunks::{chunk_count, nonzero};
use super::part;

#[derive(Clone, Debug)]
#[unbounded]
pub struct RChunks<'a, T> {
    slice: &'a [T],
    size: usize,
}

pub fn rchunks<T>(slice: &[T], size: usize) -> RChunks<'_, T> {
    nonzero(size);
    RChunks { slice, size }
}

impl<'a, T> Iterator for RChunks<'a, T> {
    type Item = &'a [T];

    fn next(&mut self) -> Option<&'a [T]> {
        let n = self.slice.len();
        if n == 0 {
            return None;
        }
        let lo = n.saturating_sub(self.size);
        let chunk = part(self.slice, lo, n);
        self.slice = part(self.slice, 0, lo);
        Some(chunk)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = chunk_count(0, self.size, self.slice.len());
        (n, Some(n))
    }

    fn __may_have_side_effect() -> bool {
        false
    }

    fn __trusted_random_access() -> bool {
        true
    }

    fn __trusted_len() -> bool {
        true
    }
}

impl<'a, T> DoubleEndedIterator for RChunks<'a, T> {
    fn next_back(&mut self) -> Option<&'a [T]> {
        let n = self.slice.len();
        if n == 0 {
            return None;
        }
        let rest = n % self.size;
        let hi = if rest == 0 { self.size } else { rest };
        let chunk = part(self.slice, 0, hi);
        self.slice = part(self.slice, hi, n);
        Some(chunk)
    }
}

impl<T> ExactSizeIterator for RChunks<'_, T> {}

#[derive(Clone, Debug)]
#[unbounded]
pub struct RChunksExact<'a, T> {
    chunks: RChunks<'a, T>,
    remainder: &'a [T],
}

pub fn rchunks_exact<T>(slice: &[T], size: usize) -> RChunksExact<'_, T> {
    nonzero(size);
    let n = slice.len();
    let rest = n % size;
    RChunksExact { chunks: rchunks(part(slice, rest, n), size), remainder: part(slice, 0, rest) }
}

impl<'a, T> RChunksExact<'a, T> {
    pub fn remainder(&self) -> &'a [T] {
        self.remainder
    }
}

impl<'a, T> Iterator for RChunksExact<'a, T> {
    type Item = &'a [T];

    fn next(&mut self) -> Option<&'a [T]> {
        self.chunks.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.chunks.size_hint()
    }

    fn __may_have_side_effect() -> bool {
        false
    }

    fn __trusted_random_access() -> bool {
        true
    }

    fn __trusted_len() -> bool {
        true
    }
}

impl<'a, T> DoubleEndedIterator for RChunksExact<'a, T> {
    fn next_back(&mut self) -> Option<&'a [T]> {
        self.chunks.next_back()
    }
}

impl<T> ExactSizeIterator for RChunksExact<'_, T> {}
