//! The crate `arrayvec` as programs see it: vectors whose type limits the number of elements.

mod array_string;

pub use array_string::ArrayString;

use std::borrow::{Borrow, BorrowMut};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut, RangeBounds};

/// There is no room for an element; the error returns it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CapacityError<T = ()> {
    element: T,
}

impl<T> CapacityError<T> {
    pub fn new(element: T) -> CapacityError<T> {
        CapacityError { element }
    }

    pub fn element(self) -> T {
        self.element
    }

    pub fn simplify(self) -> CapacityError {
        CapacityError { element: () }
    }
}

impl<T> fmt::Display for CapacityError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("insufficient capacity")
    }
}

impl<T> fmt::Debug for CapacityError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CapacityError: insufficient capacity")
    }
}

impl<T> std::error::Error for CapacityError<T> {}

pub struct ArrayVec<T, const CAP: usize> {
    elems: Vec<T>,
}

impl<T, const CAP: usize> ArrayVec<T, CAP> {
    pub fn new() -> ArrayVec<T, CAP> {
        ArrayVec { elems: Vec::new() }
    }

    pub const fn new_const() -> ArrayVec<T, CAP> {
        ArrayVec { elems: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.elems.len()
    }

    pub fn is_empty(&self) -> bool {
        self.elems.is_empty()
    }

    pub fn capacity(&self) -> usize {
        CAP
    }

    pub fn is_full(&self) -> bool {
        self.elems.len() == CAP
    }

    pub fn remaining_capacity(&self) -> usize {
        CAP - self.elems.len()
    }

    pub fn push(&mut self, element: T) {
        self.try_push(element).unwrap()
    }

    pub fn try_push(&mut self, element: T) -> Result<(), CapacityError<T>> {
        if self.elems.len() == CAP {
            return Err(CapacityError::new(element));
        }
        self.elems.push(element);
        Ok(())
    }

    pub unsafe fn push_unchecked(&mut self, element: T) {
        self.push(element)
    }

    pub fn truncate(&mut self, new_len: usize) {
        self.elems.truncate(new_len)
    }

    pub fn clear(&mut self) {
        self.elems.clear()
    }

    pub fn insert(&mut self, index: usize, element: T) {
        self.try_insert(index, element).unwrap()
    }

    pub fn try_insert(&mut self, index: usize, element: T) -> Result<(), CapacityError<T>> {
        if index > self.elems.len() {
            let len = self.elems.len();
            panic!("ArrayVec::try_insert: index {} is out of bounds in vector of length {}", index, len);
        }
        if self.elems.len() == CAP {
            return Err(CapacityError::new(element));
        }
        self.elems.insert(index, element);
        Ok(())
    }

    pub fn pop(&mut self) -> Option<T> {
        self.elems.pop()
    }

    pub fn swap_remove(&mut self, index: usize) -> T {
        let len = self.elems.len();
        match self.swap_pop(index) {
            Some(element) => element,
            None => panic!("ArrayVec::swap_remove: index {} is out of bounds in vector of length {}", index, len),
        }
    }

    pub fn swap_pop(&mut self, index: usize) -> Option<T> {
        if index < self.elems.len() { Some(self.elems.swap_remove(index)) } else { None }
    }

    pub fn remove(&mut self, index: usize) -> T {
        let len = self.elems.len();
        match self.pop_at(index) {
            Some(element) => element,
            None => panic!("ArrayVec::remove: index {} is out of bounds in vector of length {}", index, len),
        }
    }

    pub fn pop_at(&mut self, index: usize) -> Option<T> {
        if index < self.elems.len() { Some(self.elems.remove(index)) } else { None }
    }

    pub fn retain<F: FnMut(&mut T) -> bool>(&mut self, f: F) {
        self.elems.retain_mut(f)
    }

    pub fn try_extend_from_slice(&mut self, other: &[T]) -> Result<(), CapacityError>
    where
        T: Copy,
    {
        if self.remaining_capacity() < other.len() {
            return Err(CapacityError::new(()));
        }
        self.elems.extend_from_slice(other);
        Ok(())
    }

    pub fn drain<R: RangeBounds<usize>>(&mut self, range: R) -> std::vec::IntoIter<T> {
        let drained: Vec<T> = self.elems.drain(range).collect();
        drained.into_iter()
    }

    pub fn into_inner(self) -> Result<[T; CAP], ArrayVec<T, CAP>> {
        match self.elems.try_into() {
            Ok(elems) => Ok(elems),
            Err(elems) => Err(ArrayVec { elems }),
        }
    }

    pub fn take(&mut self) -> ArrayVec<T, CAP> {
        std::mem::take(self)
    }

    pub fn as_slice(&self) -> &[T] {
        &self.elems
    }

    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.elems
    }
}

impl<T, const CAP: usize> Deref for ArrayVec<T, CAP> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.elems
    }
}

impl<T, const CAP: usize> DerefMut for ArrayVec<T, CAP> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.elems
    }
}

impl<T, const CAP: usize> From<[T; CAP]> for ArrayVec<T, CAP> {
    fn from(elems: [T; CAP]) -> ArrayVec<T, CAP> {
        ArrayVec { elems: Vec::from(elems) }
    }
}

impl<T: Clone, const CAP: usize> TryFrom<&[T]> for ArrayVec<T, CAP> {
    type Error = CapacityError;

    fn try_from(elems: &[T]) -> Result<ArrayVec<T, CAP>, CapacityError> {
        if CAP < elems.len() { Err(CapacityError::new(())) } else { Ok(ArrayVec { elems: elems.to_vec() }) }
    }
}

impl<T, const CAP: usize> Extend<T> for ArrayVec<T, CAP> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
        for element in iter {
            if self.elems.len() == CAP {
                panic!("ArrayVec: capacity exceeded in extend/from_iter");
            }
            self.elems.push(element);
        }
    }
}

impl<T, const CAP: usize> FromIterator<T> for ArrayVec<T, CAP> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> ArrayVec<T, CAP> {
        let mut all = ArrayVec::new();
        all.extend(iter);
        all
    }
}

impl<T, const CAP: usize> IntoIterator for ArrayVec<T, CAP> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> std::vec::IntoIter<T> {
        self.elems.into_iter()
    }
}

impl<'a, T, const CAP: usize> IntoIterator for &'a ArrayVec<T, CAP> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> std::slice::Iter<'a, T> {
        self.elems.iter()
    }
}

impl<'a, T, const CAP: usize> IntoIterator for &'a mut ArrayVec<T, CAP> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> std::slice::IterMut<'a, T> {
        self.elems.iter_mut()
    }
}

impl<T: Clone, const CAP: usize> Clone for ArrayVec<T, CAP> {
    fn clone(&self) -> ArrayVec<T, CAP> {
        ArrayVec { elems: self.elems.clone() }
    }
}

impl<T, const CAP: usize> Default for ArrayVec<T, CAP> {
    fn default() -> ArrayVec<T, CAP> {
        ArrayVec::new()
    }
}

impl<T: Hash, const CAP: usize> Hash for ArrayVec<T, CAP> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.elems.hash(state)
    }
}

impl<T: PartialEq, const CAP: usize> PartialEq for ArrayVec<T, CAP> {
    fn eq(&self, other: &ArrayVec<T, CAP>) -> bool {
        self.elems == other.elems
    }
}

impl<T: PartialEq, const CAP: usize> PartialEq<[T]> for ArrayVec<T, CAP> {
    fn eq(&self, other: &[T]) -> bool {
        self.as_slice() == other
    }
}

impl<T: Eq, const CAP: usize> Eq for ArrayVec<T, CAP> {}

impl<T: PartialOrd, const CAP: usize> PartialOrd for ArrayVec<T, CAP> {
    fn partial_cmp(&self, other: &ArrayVec<T, CAP>) -> Option<Ordering> {
        self.elems.partial_cmp(&other.elems)
    }
}

impl<T: Ord, const CAP: usize> Ord for ArrayVec<T, CAP> {
    fn cmp(&self, other: &ArrayVec<T, CAP>) -> Ordering {
        self.elems.cmp(&other.elems)
    }
}

impl<T, const CAP: usize> Borrow<[T]> for ArrayVec<T, CAP> {
    fn borrow(&self) -> &[T] {
        self
    }
}

impl<T, const CAP: usize> BorrowMut<[T]> for ArrayVec<T, CAP> {
    fn borrow_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T, const CAP: usize> AsRef<[T]> for ArrayVec<T, CAP> {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T, const CAP: usize> AsMut<[T]> for ArrayVec<T, CAP> {
    fn as_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T: fmt::Debug, const CAP: usize> fmt::Debug for ArrayVec<T, CAP> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.elems.fmt(f)
    }
}
