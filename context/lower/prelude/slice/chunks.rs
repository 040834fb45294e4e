//! Iterators over several elements at a time.

use super::{part, part_mut};

#[derive(Clone, Debug)]
#[unbounded]
pub struct Windows<'a, T> {
    slice: &'a [T],
    size: usize,
    at: usize,
    /// One after the last start.
    end: usize,
}

pub fn windows<T>(slice: &[T], size: usize) -> Windows<'_, T> {
    if size == 0 {
        crate::macros::fail("window size must be non-zero");
    }
    let len = slice.len();
    let end = if len < size { 0 } else { len - size + 1 };
    Windows { slice, size, at: 0, end }
}

#[derive(Clone, Debug)]
#[unbounded]
pub struct ArrayWindows<'a, T, const N: usize> {
    windows: Windows<'a, T>,
}

pub fn array_windows<T, const N: usize>(slice: &[T]) -> ArrayWindows<'_, T, N> {
    ArrayWindows { windows: windows(slice, N) }
}

impl<'a, T, const N: usize> Iterator for ArrayWindows<'a, T, N> {
    type Item = &'a [T; N];

    fn next(&mut self) -> Option<&'a [T; N]> {
        match self.windows.next() {
            Some(window) => Some(crate::array::view(window)),
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.windows.size_hint()
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

impl<T, const N: usize> ExactSizeIterator for ArrayWindows<'_, T, N> {}

/// Chunks of `size` elements from `at` to `end`; the last one has the remaining ones.
#[derive(Clone, Debug)]
#[unbounded]
pub struct Chunks<'a, T> {
    slice: &'a [T],
    size: usize,
    at: usize,
    end: usize,
}

pub fn nonzero(size: usize) {
    if size == 0 {
        crate::macros::fail("chunk size must be non-zero");
    }
}

pub fn chunks<T>(slice: &[T], size: usize) -> Chunks<'_, T> {
    nonzero(size);
    Chunks { slice, size, at: 0, end: slice.len() }
}

pub struct ChunksMut<'a, T> {
    slice: &'a mut [T],
    size: usize,
    at: usize,
    end: usize,
}

pub fn chunks_mut<T>(slice: &mut [T], size: usize) -> ChunksMut<'_, T> {
    nonzero(size);
    let end = slice.len();
    ChunksMut { slice, size, at: 0, end }
}

/// The end of the next chunk, or `None` if nothing is left.
fn chunk_end(at: usize, size: usize, end: usize) -> Option<usize> {
    if at >= end {
        None
    } else if end - at < size {
        Some(end)
    } else {
        Some(at + size)
    }
}

/// The start of the last chunk, or `None` if nothing is left.
fn last_start(at: usize, size: usize, end: usize) -> Option<usize> {
    if at >= end {
        return None;
    }
    let rest = (end - at) % size;
    Some(if rest == 0 { end - size } else { end - rest })
}

pub fn chunk_count(at: usize, size: usize, end: usize) -> usize {
    if at >= end { 0 } else { (end - at - 1) / size + 1 }
}

#[derive(Clone, Debug)]
#[unbounded]
pub struct ChunksExact<'a, T> {
    chunks: Chunks<'a, T>,
    remainder: &'a [T],
}

pub fn chunks_exact<T>(slice: &[T], size: usize) -> ChunksExact<'_, T> {
    nonzero(size);
    let len = slice.len();
    let end = len - len % size;
    ChunksExact { chunks: Chunks { slice, size, at: 0, end }, remainder: part(slice, end, len) }
}

impl<'a, T> ChunksExact<'a, T> {
    pub fn remainder(&self) -> &'a [T] {
        self.remainder
    }
}

pub struct ChunksExactMut<'a, T> {
    chunks: ChunksMut<'a, T>,
    len: usize,
}

pub fn chunks_exact_mut<T>(slice: &mut [T], size: usize) -> ChunksExactMut<'_, T> {
    nonzero(size);
    let len = slice.len();
    ChunksExactMut { chunks: ChunksMut { slice, size, at: 0, end: len - len % size }, len }
}

impl<'a, T> ChunksExactMut<'a, T> {
    pub fn into_remainder(self) -> &'a mut [T] {
        part_mut(self.chunks.slice, self.len - self.len % self.chunks.size, self.len)
    }
}

macro_rules! iterate {
    ($Chunks:ident $part:ident: $($ty:tt)*) => {
        impl<'a, T> Iterator for $Chunks<'a, T> {
            type Item = $($ty)*;

            fn next(&mut self) -> Option<$($ty)*> {
                let lo = self.at;
                match chunk_end(lo, self.size, self.end) {
                    Some(hi) => {
                        self.at = hi;
                        Some($part(self.slice, lo, hi))
                    }
                    None => None,
                }
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                let n = chunk_count(self.at, self.size, self.end);
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

        impl<'a, T> DoubleEndedIterator for $Chunks<'a, T> {
            fn next_back(&mut self) -> Option<$($ty)*> {
                let hi = self.end;
                match last_start(self.at, self.size, hi) {
                    Some(lo) => {
                        self.end = lo;
                        Some($part(self.slice, lo, hi))
                    }
                    None => None,
                }
            }
        }

        impl<'a, T> ExactSizeIterator for $Chunks<'a, T> {}
    };
}

iterate! { Chunks part: &'a [T] }
iterate! { ChunksMut part_mut: &'a mut [T] }

macro_rules! iterate_exact {
    ($Chunks:ident: $($ty:tt)*) => {
        impl<'a, T> Iterator for $Chunks<'a, T> {
            type Item = $($ty)*;

            fn next(&mut self) -> Option<$($ty)*> {
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

        impl<'a, T> DoubleEndedIterator for $Chunks<'a, T> {
            fn next_back(&mut self) -> Option<$($ty)*> {
                self.chunks.next_back()
            }
        }

        impl<'a, T> ExactSizeIterator for $Chunks<'a, T> {}
    };
}

iterate_exact! { ChunksExact: &'a [T] }
iterate_exact! { ChunksExactMut: &'a mut [T] }

impl<'a, T> Iterator for Windows<'a, T> {
    type Item = &'a [T];

    fn next(&mut self) -> Option<&'a [T]> {
        if self.at < self.end {
            let lo = self.at;
            self.at = lo.wrapping_add(1);
            Some(part(self.slice, lo, lo + self.size))
        } else {
            None
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.end - self.at;
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

impl<'a, T> DoubleEndedIterator for Windows<'a, T> {
    fn next_back(&mut self) -> Option<&'a [T]> {
        if self.at < self.end {
            self.end -= 1;
            Some(part(self.slice, self.end, self.end + self.size))
        } else {
            None
        }
    }
}

impl<T> ExactSizeIterator for Windows<'_, T> {}

/// Runs of consecutive elements that satisfy a predicate.
#[derive(Clone)]
pub struct ChunkBy<'a, T, F> {
    slice: &'a [T],
    pred: F,
}

pub fn chunk_by<T, F>(slice: &[T], pred: F) -> ChunkBy<'_, T, F> {
    ChunkBy { slice, pred }
}

impl<'a, T, F: FnMut(&T, &T) -> bool> Iterator for ChunkBy<'a, T, F> {
    type Item = &'a [T];

    fn next(&mut self) -> Option<&'a [T]> {
        let n = self.slice.len();
        if n == 0 {
            return None;
        }
        let mut end = 1;
        while end < n && (self.pred)(&self.slice[end - 1], &self.slice[end]) {
            end += 1;
        }
        let chunk = part(self.slice, 0, end);
        self.slice = part(self.slice, end, n);
        Some(chunk)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.slice.len();
        (if n == 0 { 0 } else { 1 }, Some(n))
    }
}

impl<'a, T, F: FnMut(&T, &T) -> bool> DoubleEndedIterator for ChunkBy<'a, T, F> {
    fn next_back(&mut self) -> Option<&'a [T]> {
        let n = self.slice.len();
        if n == 0 {
            return None;
        }
        let mut start = n - 1;
        while start > 0 && (self.pred)(&self.slice[start - 1], &self.slice[start]) {
            start -= 1;
        }
        let chunk = part(self.slice, start, n);
        self.slice = part(self.slice, 0, start);
        Some(chunk)
    }
}
