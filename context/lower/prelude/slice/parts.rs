//! What is at the ends of slices, selections, and bytes as text.

use super::part;
use crate::cmp::Ordering;

impl<T> [T] {
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

    pub fn select_nth_unstable_by_key<K: Ord, F: FnMut(&T) -> K>(&mut self, index: usize, mut f: F) -> (&mut [T], &mut T, &mut [T]) {
        self.select_nth_unstable_by(index, |a, b| -> Ordering { K::cmp(&f(a), &f(b)) })
    }
}

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
