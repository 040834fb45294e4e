//! Less common ways to split slices, and bytes as text.

use super::{elem_mut, part, part_mut};
use crate::cmp::Ordering;

pub type Parts<'a, T> = crate::vec::IntoIter<&'a [T]>;
pub type PartsMut<'a, T> = crate::vec::IntoIter<&'a mut [T]>;

/// The positions where a predicate holds.
fn hits<T, F: FnMut(&T) -> bool>(slice: &[T], mut pred: F) -> Vec<usize> {
    let mut found = Vec::new();
    for i in 0..slice.len() {
        if pred(&slice[i]) {
            found.push(i);
        }
    }
    found
}

impl<T> [T] {
    pub fn split_inclusive<F: FnMut(&T) -> bool>(&self, pred: F) -> Parts<'_, T> {
        let mut parts = Vec::new();
        let mut start = 0;
        for i in hits(self, pred) {
            parts.push(part(self, start, i + 1));
            start = i + 1;
        }
        if start < self.len() {
            parts.push(part(self, start, self.len()));
        }
        parts.into_iter()
    }

    pub fn rsplit<F: FnMut(&T) -> bool>(&self, pred: F) -> crate::iter::Rev<Parts<'_, T>> {
        let parts: Vec<&[T]> = self.split(pred).collect();
        parts.into_iter().rev()
    }

    pub fn rsplitn<F: FnMut(&T) -> bool>(&self, n: usize, pred: F) -> Parts<'_, T> {
        let mut parts = Vec::new();
        if n == 0 {
            return parts.into_iter();
        }
        let mut end = self.len();
        for i in hits(self, pred).into_iter().rev() {
            if parts.len() + 1 == n {
                break;
            }
            parts.push(part(self, i + 1, end));
            end = i;
        }
        parts.push(part(self, 0, end));
        parts.into_iter()
    }

    pub fn split_mut<F: FnMut(&T) -> bool>(&mut self, pred: F) -> PartsMut<'_, T> {
        let (found, n) = (hits(self, pred), self.len());
        let mut parts = Vec::new();
        let mut start = 0;
        for i in found {
            parts.push(part_mut(self, start, i));
            start = i + 1;
        }
        parts.push(part_mut(self, start, n));
        parts.into_iter()
    }

    pub fn chunk_by_mut<F: FnMut(&T, &T) -> bool>(&mut self, mut pred: F) -> PartsMut<'_, T> {
        let n = self.len();
        let mut ends = Vec::new();
        for i in 1..n {
            if !pred(&self[i - 1], &self[i]) {
                ends.push(i);
            }
        }
        if n > 0 {
            ends.push(n);
        }
        let mut parts = Vec::new();
        let mut start = 0;
        for end in ends {
            parts.push(part_mut(self, start, end));
            start = end;
        }
        parts.into_iter()
    }

    pub fn rchunks_mut(&mut self, chunk_size: usize) -> PartsMut<'_, T> {
        assert!(chunk_size != 0, "chunk size must be non-zero");
        let mut parts = Vec::new();
        let mut end = self.len();
        while end > 0 {
            let start = if end < chunk_size { 0 } else { end - chunk_size };
            parts.push(part_mut(self, start, end));
            end = start;
        }
        parts.into_iter()
    }

    pub fn strip_prefix(&self, prefix: &[T]) -> Option<&[T]>
    where
        T: PartialEq,
    {
        if self.starts_with(prefix) { Some(part(self, prefix.len(), self.len())) } else { None }
    }

    pub fn strip_suffix(&self, suffix: &[T]) -> Option<&[T]>
    where
        T: PartialEq,
    {
        if self.ends_with(suffix) { Some(part(self, 0, self.len() - suffix.len())) } else { None }
    }

    pub fn split_first_chunk<const N: usize>(&self) -> Option<(&[T; N], &[T])> {
        let n = self.len();
        if n < N { None } else { Some((crate::array::view(part(self, 0, N)), part(self, N, n))) }
    }

    pub fn split_last_chunk<const N: usize>(&self) -> Option<(&[T], &[T; N])> {
        let n = self.len();
        if n < N { None } else { Some((part(self, 0, n - N), crate::array::view(part(self, n - N, n)))) }
    }

    pub fn select_nth_unstable_by_key<K: Ord, F: FnMut(&T) -> K>(&mut self, index: usize, mut f: F) -> (&mut [T], &mut T, &mut [T]) {
        self.select_nth_unstable_by(index, |a, b| -> Ordering { K::cmp(&f(a), &f(b)) })
    }

    pub fn get_disjoint_mut<const N: usize>(&mut self, indices: [usize; N]) -> Result<[&mut T; N], GetDisjointMutError> {
        for i in 0..N {
            if indices[i] >= self.len() {
                return Err(GetDisjointMutError::IndexOutOfBounds);
            }
            for j in 0..i {
                if indices[i] == indices[j] {
                    return Err(GetDisjointMutError::OverlappingIndices);
                }
            }
        }
        Ok(crate::array::from_fn(|k| elem_mut(self, indices[k])))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GetDisjointMutError {
    IndexOutOfBounds,
    OverlappingIndices,
}

impl crate::fmt::Display for GetDisjointMutError {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.write_str(match self {
            GetDisjointMutError::IndexOutOfBounds => "an index is out of bounds",
            GetDisjointMutError::OverlappingIndices => "there were overlapping indices",
        })
    }
}

impl crate::error::Error for GetDisjointMutError {}

impl [u8] {
    pub fn is_ascii(&self) -> bool {
        self.iter().all(|b| *b < 128)
    }

    pub fn to_ascii_uppercase(&self) -> Vec<u8> {
        self.iter().map(|b| b.to_ascii_uppercase()).collect()
    }

    pub fn to_ascii_lowercase(&self) -> Vec<u8> {
        self.iter().map(|b| b.to_ascii_lowercase()).collect()
    }

    pub fn make_ascii_uppercase(&mut self) {
        for b in self.iter_mut() {
            *b = b.to_ascii_uppercase();
        }
    }

    pub fn make_ascii_lowercase(&mut self) {
        for b in self.iter_mut() {
            *b = b.to_ascii_lowercase();
        }
    }

    pub fn eq_ignore_ascii_case(&self, other: &[u8]) -> bool {
        self.to_ascii_lowercase() == other.to_ascii_lowercase()
    }

    pub fn trim_ascii_start(&self) -> &[u8] {
        let mut lo = 0;
        while lo < self.len() && self[lo].is_ascii_whitespace() {
            lo += 1;
        }
        part(self, lo, self.len())
    }

    pub fn trim_ascii_end(&self) -> &[u8] {
        let mut hi = self.len();
        while hi > 0 && self[hi - 1].is_ascii_whitespace() {
            hi -= 1;
        }
        part(self, 0, hi)
    }

    pub fn trim_ascii(&self) -> &[u8] {
        self.trim_ascii_start().trim_ascii_end()
    }
}
