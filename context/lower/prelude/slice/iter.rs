//! Iterators over elements.

use super::{elem, elem_mut, part, part_mut};

#[derive(Clone)]
#[unbounded]
pub struct Iter<'a, T> {
    slice: &'a [T],
    at: usize,
    end: usize,
}

pub fn iter<T>(slice: &[T]) -> Iter<'_, T> {
    Iter { slice, at: 0, end: slice.len() }
}

impl<'a, T> Iter<'a, T> {
    pub fn as_slice(&self) -> &'a [T] {
        part(self.slice, self.at, self.end)
    }
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        if self.at < self.end {
            let i = self.at;
            self.at = i.wrapping_add(1);
            Some(elem(self.slice, i))
        } else {
            None
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.end.wrapping_sub(self.at);
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

    fn count(self) -> usize {
        self.end.wrapping_sub(self.at)
    }

    fn nth(&mut self, n: usize) -> Option<&'a T> {
        if n < self.end.wrapping_sub(self.at) {
            let i = self.at.wrapping_add(n);
            self.at = i.wrapping_add(1);
            Some(elem(self.slice, i))
        } else {
            self.at = self.end;
            None
        }
    }

    fn last(mut self) -> Option<&'a T> {
        self.next_back()
    }
}

impl<'a, T> DoubleEndedIterator for Iter<'a, T> {
    fn next_back(&mut self) -> Option<&'a T> {
        if self.at < self.end {
            self.end = self.end.wrapping_sub(1);
            Some(elem(self.slice, self.end))
        } else {
            None
        }
    }

    fn nth_back(&mut self, n: usize) -> Option<&'a T> {
        if n < self.end.wrapping_sub(self.at) {
            self.end = self.end.wrapping_sub(n).wrapping_sub(1);
            Some(elem(self.slice, self.end))
        } else {
            self.end = self.at;
            None
        }
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}

impl<T> Default for Iter<'_, T> {
    fn default() -> Self {
        iter(&[])
    }
}

impl<T> AsRef<[T]> for Iter<'_, T> {
    fn as_ref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T: crate::fmt::Debug> crate::fmt::Debug for Iter<'_, T> {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.debug_tuple("Iter").field(self.as_slice()).finish()
    }
}

pub struct IterMut<'a, T> {
    slice: &'a mut [T],
    at: usize,
    end: usize,
}

pub fn iter_mut<T>(slice: &mut [T]) -> IterMut<'_, T> {
    let end = slice.len();
    IterMut { slice, at: 0, end }
}

impl<'a, T> IterMut<'a, T> {
    pub fn into_slice(self) -> &'a mut [T] {
        part_mut(self.slice, self.at, self.end)
    }
}

impl<'a, T> Iterator for IterMut<'a, T> {
    type Item = &'a mut T;

    fn next(&mut self) -> Option<&'a mut T> {
        if self.at < self.end {
            let i = self.at;
            self.at = i.wrapping_add(1);
            Some(elem_mut(self.slice, i))
        } else {
            None
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.end.wrapping_sub(self.at);
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

    fn nth(&mut self, n: usize) -> Option<&'a mut T> {
        if n < self.end.wrapping_sub(self.at) {
            let i = self.at.wrapping_add(n);
            self.at = i.wrapping_add(1);
            Some(elem_mut(self.slice, i))
        } else {
            self.at = self.end;
            None
        }
    }
}

impl<'a, T> DoubleEndedIterator for IterMut<'a, T> {
    fn next_back(&mut self) -> Option<&'a mut T> {
        if self.at < self.end {
            self.end = self.end.wrapping_sub(1);
            Some(elem_mut(self.slice, self.end))
        } else {
            None
        }
    }
}

impl<T> ExactSizeIterator for IterMut<'_, T> {}
