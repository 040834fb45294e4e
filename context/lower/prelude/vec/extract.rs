//! Elements taken out of a vector where a predicate holds, when they are asked for.

use super::{Vec, capacity, range};
use crate::mem::{moved, put};
use crate::ops::RangeBounds;
use crate::slice::{joined, part};

/// A vector that is read from the front: of the elements before `at`, the last `gone` places are empty. Dropping it
/// closes the gap.
#[lang("gap")]
pub struct Gap<'a, T> {
    elems: &'a mut Vec<T>,
    at: usize,
    gone: usize,
}

impl<T> Drop for Gap<'_, T> {
    fn drop(&mut self) {
        if self.gone > 0 {
            let n = self.elems.len();
            let saved = capacity::saved(self.elems);
            put(self.elems, joined(part(self.elems, 0, self.at - self.gone), part(self.elems, self.at, n)));
            capacity::set(self.elems, saved);
        }
    }
}

impl<'a, T> Gap<'a, T> {
    pub fn at(elems: &'a mut Vec<T>, at: usize) -> Gap<'a, T> {
        Gap { elems, at, gone: 0 }
    }

    pub fn position(&self) -> usize {
        self.at
    }

    pub fn next(&mut self) -> &mut T {
        &mut self.elems[self.at]
    }

    /// Moves the next element out.
    pub fn take(&mut self) -> T {
        let taken = moved(&self.elems[self.at]);
        self.at += 1;
        self.gone += 1;
        taken
    }

    /// Moves the next element to the end of what is kept.
    pub fn keep(&mut self) {
        if self.gone > 0 {
            put(&mut self.elems[self.at - self.gone], moved(&self.elems[self.at]));
        }
        self.at += 1;
    }
}

pub struct ExtractIf<'a, T, F> {
    gap: Gap<'a, T>,
    end: usize,
    pred: F,
}

impl<T, F: FnMut(&mut T) -> bool> Iterator for ExtractIf<'_, T, F> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        while self.gap.position() < self.end {
            if (self.pred)(self.gap.next()) {
                return Some(self.gap.take());
            }
            self.gap.keep();
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.end - self.gap.position()))
    }
}

impl<T> Vec<T> {
    pub fn extract_if<F: FnMut(&mut T) -> bool, R: RangeBounds<usize>>(
        &mut self,
        range_: R,
        filter: F,
    ) -> ExtractIf<'_, T, F> {
        let (at, end) = range(&range_, self.len());
        ExtractIf { gap: Gap::at(self, at), end, pred: filter }
    }
}
