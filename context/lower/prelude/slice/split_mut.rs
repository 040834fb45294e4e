//! Parts of a slice that can be written, found when they are asked for.

use super::chunks::{chunk_count, nonzero};
use super::part_mut;

/// The parts of `lo..hi` between separators.
pub struct SplitMut<'a, T, P> {
    slice: &'a mut [T],
    lo: usize,
    hi: usize,
    finished: bool,
    pred: P,
}

pub type RSplitMut<'a, T, P> = crate::iter::Rev<SplitMut<'a, T, P>>;

impl<'a, T, P: FnMut(&T) -> bool> SplitMut<'a, T, P> {
    fn rest(&mut self) -> Option<&'a mut [T]> {
        if self.finished {
            return None;
        }
        self.finished = true;
        Some(part_mut(self.slice, self.lo, self.hi))
    }
}

impl<'a, T, P: FnMut(&T) -> bool> Iterator for SplitMut<'a, T, P> {
    type Item = &'a mut [T];

    fn next(&mut self) -> Option<&'a mut [T]> {
        if self.finished {
            return None;
        }
        for i in self.lo..self.hi {
            if (self.pred)(&self.slice[i]) {
                let start = self.lo;
                self.lo = i + 1;
                return Some(part_mut(self.slice, start, i));
            }
        }
        self.rest()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.finished { (0, Some(0)) } else { (1, Some(self.hi - self.lo + 1)) }
    }
}

impl<'a, T, P: FnMut(&T) -> bool> DoubleEndedIterator for SplitMut<'a, T, P> {
    fn next_back(&mut self) -> Option<&'a mut [T]> {
        if self.finished {
            return None;
        }
        for i in (self.lo..self.hi).rev() {
            if (self.pred)(&self.slice[i]) {
                let end = self.hi;
                self.hi = i;
                return Some(part_mut(self.slice, i + 1, end));
            }
        }
        self.rest()
    }
}

/// At most `left` parts, the last of which is not split.
pub struct SplitNMut<'a, T, P> {
    parts: SplitMut<'a, T, P>,
    left: usize,
}

/// At most `left` parts from the back, the last of which is not split.
pub struct RSplitNMut<'a, T, P> {
    parts: SplitMut<'a, T, P>,
    left: usize,
}

macro_rules! at_most {
    ($($SplitN:ident $next:ident;)*) => {$(
        impl<'a, T, P: FnMut(&T) -> bool> Iterator for $SplitN<'a, T, P> {
            type Item = &'a mut [T];

            fn next(&mut self) -> Option<&'a mut [T]> {
                if self.left == 0 {
                    return None;
                }
                self.left -= 1;
                if self.left == 0 { self.parts.rest() } else { self.parts.$next() }
            }
        }
    )*};
}

#[impls(Iterator)]
at_most! {
    SplitNMut next;
    RSplitNMut next_back;
}

/// The parts of `lo..hi` with the separators that end them.
pub struct SplitInclusiveMut<'a, T, P> {
    slice: &'a mut [T],
    lo: usize,
    hi: usize,
    pred: P,
}

impl<'a, T, P: FnMut(&T) -> bool> Iterator for SplitInclusiveMut<'a, T, P> {
    type Item = &'a mut [T];

    fn next(&mut self) -> Option<&'a mut [T]> {
        let start = self.lo;
        if start == self.hi {
            return None;
        }
        while self.lo < self.hi {
            self.lo += 1;
            if (self.pred)(&self.slice[self.lo - 1]) {
                break;
            }
        }
        Some(part_mut(self.slice, start, self.lo))
    }
}

impl<'a, T, P: FnMut(&T) -> bool> DoubleEndedIterator for SplitInclusiveMut<'a, T, P> {
    fn next_back(&mut self) -> Option<&'a mut [T]> {
        let end = self.hi;
        if self.lo == end {
            return None;
        }
        // The last element ends its part, whatever it is.
        self.hi -= 1;
        while self.lo < self.hi && !(self.pred)(&self.slice[self.hi - 1]) {
            self.hi -= 1;
        }
        Some(part_mut(self.slice, self.hi, end))
    }
}

/// Runs of consecutive elements of `lo..hi` that satisfy a predicate.
pub struct ChunkByMut<'a, T, P> {
    slice: &'a mut [T],
    lo: usize,
    hi: usize,
    pred: P,
}

impl<'a, T, P: FnMut(&T, &T) -> bool> Iterator for ChunkByMut<'a, T, P> {
    type Item = &'a mut [T];

    fn next(&mut self) -> Option<&'a mut [T]> {
        let start = self.lo;
        if start == self.hi {
            return None;
        }
        self.lo += 1;
        while self.lo < self.hi && (self.pred)(&self.slice[self.lo - 1], &self.slice[self.lo]) {
            self.lo += 1;
        }
        Some(part_mut(self.slice, start, self.lo))
    }
}

impl<'a, T, P: FnMut(&T, &T) -> bool> DoubleEndedIterator for ChunkByMut<'a, T, P> {
    fn next_back(&mut self) -> Option<&'a mut [T]> {
        let end = self.hi;
        if self.lo == end {
            return None;
        }
        self.hi -= 1;
        while self.lo < self.hi && (self.pred)(&self.slice[self.hi - 1], &self.slice[self.hi]) {
            self.hi -= 1;
        }
        Some(part_mut(self.slice, self.hi, end))
    }
}

/// Chunks of `lo..hi` from the end; the last one has the remaining elements.
pub struct RChunksMut<'a, T> {
    slice: &'a mut [T],
    size: usize,
    lo: usize,
    hi: usize,
}

pub struct RChunksExactMut<'a, T> {
    chunks: RChunksMut<'a, T>,
    rest: usize,
}

impl<'a, T> RChunksExactMut<'a, T> {
    pub fn into_remainder(self) -> &'a mut [T] {
        part_mut(self.chunks.slice, 0, self.rest)
    }
}

impl<'a, T> Iterator for RChunksMut<'a, T> {
    type Item = &'a mut [T];

    fn next(&mut self) -> Option<&'a mut [T]> {
        let end = self.hi;
        if self.lo == end {
            return None;
        }
        self.hi = if end - self.lo < self.size { self.lo } else { end - self.size };
        Some(part_mut(self.slice, self.hi, end))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = chunk_count(self.lo, self.size, self.hi);
        (n, Some(n))
    }
}

impl<'a, T> DoubleEndedIterator for RChunksMut<'a, T> {
    fn next_back(&mut self) -> Option<&'a mut [T]> {
        let start = self.lo;
        if start == self.hi {
            return None;
        }
        let rest = (self.hi - start) % self.size;
        self.lo = start + if rest == 0 { self.size } else { rest };
        Some(part_mut(self.slice, start, self.lo))
    }
}

impl<T> ExactSizeIterator for RChunksMut<'_, T> {}

impl<'a, T> Iterator for RChunksExactMut<'a, T> {
    type Item = &'a mut [T];

    fn next(&mut self) -> Option<&'a mut [T]> {
        self.chunks.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.chunks.size_hint()
    }
}

impl<'a, T> DoubleEndedIterator for RChunksExactMut<'a, T> {
    fn next_back(&mut self) -> Option<&'a mut [T]> {
        self.chunks.next_back()
    }
}

impl<T> ExactSizeIterator for RChunksExactMut<'_, T> {}

impl<T> [T] {
    pub fn split_mut<F: FnMut(&T) -> bool>(&mut self, pred: F) -> SplitMut<'_, T, F> {
        let hi = self.len();
        SplitMut { slice: self, lo: 0, hi, finished: false, pred }
    }

    pub fn rsplit_mut<F: FnMut(&T) -> bool>(&mut self, pred: F) -> RSplitMut<'_, T, F> {
        self.split_mut(pred).rev()
    }

    pub fn splitn_mut<F: FnMut(&T) -> bool>(&mut self, n: usize, pred: F) -> SplitNMut<'_, T, F> {
        SplitNMut { parts: self.split_mut(pred), left: n }
    }

    pub fn rsplitn_mut<F: FnMut(&T) -> bool>(&mut self, n: usize, pred: F) -> RSplitNMut<'_, T, F> {
        RSplitNMut { parts: self.split_mut(pred), left: n }
    }

    pub fn split_inclusive_mut<F: FnMut(&T) -> bool>(&mut self, pred: F) -> SplitInclusiveMut<'_, T, F> {
        let hi = self.len();
        SplitInclusiveMut { slice: self, lo: 0, hi, pred }
    }

    pub fn chunk_by_mut<F: FnMut(&T, &T) -> bool>(&mut self, pred: F) -> ChunkByMut<'_, T, F> {
        let hi = self.len();
        ChunkByMut { slice: self, lo: 0, hi, pred }
    }

    pub fn rchunks_mut(&mut self, chunk_size: usize) -> RChunksMut<'_, T> {
        nonzero(chunk_size);
        let hi = self.len();
        RChunksMut { slice: self, size: chunk_size, lo: 0, hi }
    }

    pub fn rchunks_exact_mut(&mut self, chunk_size: usize) -> RChunksExactMut<'_, T> {
        nonzero(chunk_size);
        let hi = self.len();
        let rest = hi % chunk_size;
        RChunksExactMut { chunks: RChunksMut { slice: self, size: chunk_size, lo: rest, hi }, rest }
    }
}
