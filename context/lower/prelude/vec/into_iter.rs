//! The owning iterator of a vector.

use crate::mem::{ManuallyDrop, drop_has_effect};
use crate::slice::part;

#[moves]
#[op("get")]
fn moved<T>(elems: &Vec<T>, i: usize) -> T;

pub struct IntoIter<T> {
    elems: ManuallyDrop<Vec<T>>,
    at: usize,
    end: usize,
}

pub fn into_iter<T>(elems: Vec<T>) -> IntoIter<T> {
    let end = elems.len();
    IntoIter { elems: ManuallyDrop::new(elems), at: 0, end }
}

impl<T: Clone> Clone for IntoIter<T> {
    fn clone(&self) -> IntoIter<T> {
        into_iter(self.as_slice().to_vec())
    }
}

impl<T> Drop for IntoIter<T> {
    fn drop(&mut self) {
        while self.at < self.end {
            drop(self.next());
        }
    }
}

impl<T> IntoIter<T> {
    pub fn as_slice(&self) -> &[T] {
        part(&self.elems, self.at, self.end)
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.at < self.end {
            let i = self.at;
            self.at = i.wrapping_add(1);
            Some(moved(&self.elems, i))
        } else {
            None
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.end.wrapping_sub(self.at);
        (n, Some(n))
    }

    fn __may_have_side_effect() -> bool {
        drop_has_effect::<T>()
    }

    fn __trusted_len() -> bool {
        true
    }

    fn count(self) -> usize {
        self.end.wrapping_sub(self.at)
    }

    fn nth(&mut self, n: usize) -> Option<T> {
        if drop_has_effect::<T>() {
            for _ in 0..n {
                drop(self.next());
            }
            return self.next();
        }
        if n < self.end.wrapping_sub(self.at) {
            let i = self.at.wrapping_add(n);
            self.at = i.wrapping_add(1);
            Some(moved(&self.elems, i))
        } else {
            self.at = self.end;
            None
        }
    }
}

impl<T> DoubleEndedIterator for IntoIter<T> {
    fn next_back(&mut self) -> Option<T> {
        if self.at < self.end {
            self.end = self.end.wrapping_sub(1);
            Some(moved(&self.elems, self.end))
        } else {
            None
        }
    }
}

impl<T> ExactSizeIterator for IntoIter<T> {}

impl<T: crate::fmt::Debug> crate::fmt::Debug for IntoIter<T> {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.debug_tuple("IntoIter").field(self.as_slice()).finish()
    }
}
