//! A double-ended list, implemented as a queue.

use super::VecDeque;
use crate::fmt;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkedList<T> {
    items: VecDeque<T>,
}

impl<T> LinkedList<T> {
    pub fn new() -> LinkedList<T> {
        LinkedList { items: VecDeque::new() }
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn clear(&mut self) {
        self.items.clear();
    }

    pub fn push_front(&mut self, elt: T) {
        self.items.push_front(elt);
    }

    pub fn push_back(&mut self, elt: T) {
        self.items.push_back(elt);
    }

    pub fn pop_front(&mut self) -> Option<T> {
        self.items.pop_front()
    }

    pub fn pop_back(&mut self) -> Option<T> {
        self.items.pop_back()
    }

    pub fn front(&self) -> Option<&T> {
        self.items.front()
    }

    pub fn back(&self) -> Option<&T> {
        self.items.back()
    }

    pub fn front_mut(&mut self) -> Option<&mut T> {
        self.items.front_mut()
    }

    pub fn back_mut(&mut self) -> Option<&mut T> {
        self.items.back_mut()
    }

    pub fn contains(&self, x: &T) -> bool
    where
        T: PartialEq,
    {
        self.items.contains(x)
    }

    pub fn append(&mut self, other: &mut LinkedList<T>) {
        self.items.append(&mut other.items);
    }

    pub fn split_off(&mut self, at: usize) -> LinkedList<T> {
        assert!(at <= self.len(), "Cannot split off at a nonexistent index");
        LinkedList { items: self.items.split_off(at) }
    }

    pub fn extract_if<F: FnMut(&mut T) -> bool>(&mut self, filter: F) -> crate::vec::ExtractIf<'_, T, F> {
        self.items.whole().extract_if(.., filter)
    }

    pub fn iter(&self) -> crate::slice::Iter<'_, T> {
        self.items.iter()
    }

    pub fn iter_mut(&mut self) -> crate::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }
}

impl<T> Default for LinkedList<T> {
    fn default() -> LinkedList<T> {
        LinkedList::new()
    }
}

impl<T> Extend<T> for LinkedList<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
        let mut iter = iter.into_iter();
        iter.__before_fold();
        while let Some(x) = iter.next() {
            self.push_back(x);
        }
    }
}

impl<T> FromIterator<T> for LinkedList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> LinkedList<T> {
        let mut list = LinkedList::new();
        list.extend(iter);
        list
    }
}

impl<T, const N: usize> From<[T; N]> for LinkedList<T> {
    fn from(elems: [T; N]) -> LinkedList<T> {
        LinkedList::from_iter(elems)
    }
}

impl<T> IntoIterator for LinkedList<T> {
    type Item = T;
    type IntoIter = <VecDeque<T> as IntoIterator>::IntoIter;

    fn into_iter(self) -> <VecDeque<T> as IntoIterator>::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a LinkedList<T> {
    type Item = &'a T;
    type IntoIter = crate::slice::Iter<'a, T>;

    fn into_iter(self) -> crate::slice::Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut LinkedList<T> {
    type Item = &'a mut T;
    type IntoIter = crate::slice::IterMut<'a, T>;

    fn into_iter(self) -> crate::slice::IterMut<'a, T> {
        self.iter_mut()
    }
}

impl<T: fmt::Debug> fmt::Debug for LinkedList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
