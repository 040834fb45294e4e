//! Parts of a queue, searches in it, and what compares it.

use super::VecDeque;
use crate::cmp::Ordering;
use crate::hash::{Hash, Hasher};
use crate::ops::RangeBounds;
use crate::slice::part_mut;

impl<T> VecDeque<T> {
    pub fn as_mut_slices(&mut self) -> (&mut [T], &mut [T]) {
        let n = self.len();
        let elems = self.make_contiguous();
        (part_mut(elems, 0, n), part_mut(elems, n, n))
    }

    pub fn range<R: RangeBounds<usize>>(&self, range: R) -> crate::slice::Iter<'_, T> {
        let (lo, hi) = crate::range::positions(&range, self.len());
        self.slice()[lo..hi].iter()
    }

    pub fn range_mut<R: RangeBounds<usize>>(&mut self, range: R) -> crate::slice::IterMut<'_, T> {
        let (lo, hi) = crate::range::positions(&range, self.len());
        part_mut(self.make_contiguous(), lo, hi).iter_mut()
    }

    pub fn swap_remove_front(&mut self, index: usize) -> Option<T> {
        if index >= self.len() {
            return None;
        }
        self.swap(index, 0);
        self.pop_front()
    }

    pub fn swap_remove_back(&mut self, index: usize) -> Option<T> {
        let n = self.len();
        if index >= n {
            return None;
        }
        self.swap(index, n - 1);
        self.pop_back()
    }

    pub fn pop_front_if(&mut self, predicate: impl FnOnce(&mut T) -> bool) -> Option<T> {
        let first = self.front_mut()?;
        if predicate(first) { self.pop_front() } else { None }
    }

    pub fn pop_back_if(&mut self, predicate: impl FnOnce(&mut T) -> bool) -> Option<T> {
        let last = self.back_mut()?;
        if predicate(last) { self.pop_back() } else { None }
    }

    pub fn resize_with(&mut self, new_len: usize, mut generator: impl FnMut() -> T) {
        while self.len() < new_len {
            self.push_back(generator());
        }
        self.truncate(new_len);
    }

    pub fn binary_search_by<F: FnMut(&T) -> Ordering>(&self, f: F) -> Result<usize, usize> {
        self.slice().binary_search_by(f)
    }

    pub fn binary_search_by_key<B: Ord, F: FnMut(&T) -> B>(&self, b: &B, f: F) -> Result<usize, usize> {
        self.slice().binary_search_by_key(b, f)
    }
}

macro_rules! equal {
    ($([$($params:tt)*] $Other:ty: $other:ident => $slice:expr;)*) => {$(
        impl<T: PartialEq, $($params)*> PartialEq<$Other> for VecDeque<T> {
            fn eq(&self, other: &$Other) -> bool {
                let $other = other;
                *self.slice() == *$slice
            }
        }
    )*};
}

#[impls(PartialEq)]
equal! {
    [] &[T]: other => *other;
    [] &mut [T]: other => *other;
    [const N: usize] [T; N]: other => other.as_slice();
    [const N: usize] &[T; N]: other => other.as_slice();
}

impl<T: PartialOrd> PartialOrd for VecDeque<T> {
    fn partial_cmp(&self, other: &VecDeque<T>) -> Option<Ordering> {
        self.iter().partial_cmp(other.iter())
    }
}

impl<T: Ord> Ord for VecDeque<T> {
    fn cmp(&self, other: &VecDeque<T>) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl<T: Hash> Hash for VecDeque<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len());
        for x in self.iter() {
            x.hash(state);
        }
    }
}
