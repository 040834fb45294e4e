//! Iterators over elements.

use crate::dim::*;
use crate::places::{Places, advance, places};
use crate::{Array, ArrayBase, ArrayView, ArrayViewMut, Data, DataMut};
use std::marker::PhantomData;
use std::slice::{elem, elem_mut};

#[derive(Clone)]
pub struct Iter<'a, A, D> {
    elems: &'a [A],
    places: Places,
    rank: PhantomData<D>,
}

impl<'a, A, D> Iterator for Iter<'a, A, D> {
    type Item = &'a A;

    fn next(&mut self) -> Option<&'a A> {
        match self.places.next() {
            Some(at) => Some(elem(self.elems, at)),
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.places.count();
        (n, Some(n))
    }
}

impl<'a, A> DoubleEndedIterator for Iter<'a, A, Ix1> {
    fn next_back(&mut self) -> Option<&'a A> {
        match self.places.next_back() {
            Some(at) => Some(elem(self.elems, at)),
            None => None,
        }
    }
}

impl<A, D> ExactSizeIterator for Iter<'_, A, D> {}

pub struct IterMut<'a, A, D> {
    elems: &'a mut [A],
    places: Places,
    rank: PhantomData<D>,
}

impl<'a, A, D> Iterator for IterMut<'a, A, D> {
    type Item = &'a mut A;

    fn next(&mut self) -> Option<&'a mut A> {
        match self.places.next() {
            Some(at) => Some(elem_mut(self.elems, at)),
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.places.count();
        (n, Some(n))
    }
}

impl<'a, A> DoubleEndedIterator for IterMut<'a, A, Ix1> {
    fn next_back(&mut self) -> Option<&'a mut A> {
        match self.places.next_back() {
            Some(at) => Some(elem_mut(self.elems, at)),
            None => None,
        }
    }
}

impl<A, D> ExactSizeIterator for IterMut<'_, A, D> {}

/// Elements with their indices.
pub struct Indexed<I, D> {
    elems: I,
    index: Vec<usize>,
    lens: Vec<usize>,
    rank: PhantomData<D>,
}

pub type IndexedIter<'a, A, D> = Indexed<Iter<'a, A, D>, D>;
pub type IndexedIterMut<'a, A, D> = Indexed<IterMut<'a, A, D>, D>;

impl<I: Iterator, D: Dimension> Iterator for Indexed<I, D> {
    type Item = (D::Pattern, I::Item);

    fn next(&mut self) -> Option<(D::Pattern, I::Item)> {
        match self.elems.next() {
            Some(x) => {
                let at = D::of_axes(self.index.to_vec()).into_pattern();
                advance(&mut self.index, &self.lens);
                Some((at, x))
            }
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.elems.size_hint()
    }
}

impl<I: ExactSizeIterator, D: Dimension> ExactSizeIterator for Indexed<I, D> {}

impl<A, S: Data<Elem = A>, D: Dimension> ArrayBase<S, D> {
    pub fn iter(&self) -> Iter<'_, A, D> {
        let view = S::view_of(self);
        Iter { elems: view.data.elems, places: places(view.first, &view.lens, &view.steps), rank: PhantomData }
    }

    pub fn iter_mut(&mut self) -> IterMut<'_, A, D>
    where
        S: DataMut,
    {
        let view = S::view_mut_of(self);
        let places = places(view.first, &view.lens, &view.steps);
        IterMut { elems: view.data.elems, places, rank: PhantomData }
    }

    pub fn indexed_iter(&self) -> IndexedIter<'_, A, D> {
        let lens = S::view_of(self).lens;
        Indexed { elems: self.iter(), index: vec![0; lens.len()], lens, rank: PhantomData }
    }

    pub fn indexed_iter_mut(&mut self) -> IndexedIterMut<'_, A, D>
    where
        S: DataMut,
    {
        let lens = S::view_of(self).lens;
        Indexed { elems: self.iter_mut(), index: vec![0; lens.len()], lens, rank: PhantomData }
    }
}

impl<A: Clone, D: Dimension> IntoIterator for Array<A, D> {
    type Item = A;
    type IntoIter = std::vec::IntoIter<A>;

    fn into_iter(self) -> std::vec::IntoIter<A> {
        self.to_elems().into_iter()
    }
}

impl<'a, A, D: Dimension> IntoIterator for ArrayView<'a, A, D> {
    type Item = &'a A;
    type IntoIter = Iter<'a, A, D>;

    fn into_iter(self) -> Iter<'a, A, D> {
        self.iter()
    }
}

impl<'a, A, D: Dimension> IntoIterator for ArrayViewMut<'a, A, D> {
    type Item = &'a mut A;
    type IntoIter = IterMut<'a, A, D>;

    fn into_iter(mut self) -> IterMut<'a, A, D> {
        self.iter_mut()
    }
}

impl<'a, A, S: Data<Elem = A>, D: Dimension> IntoIterator for &'a ArrayBase<S, D> {
    type Item = &'a A;
    type IntoIter = Iter<'a, A, D>;

    fn into_iter(self) -> Iter<'a, A, D> {
        self.iter()
    }
}

impl<'a, A, S: DataMut<Elem = A>, D: Dimension> IntoIterator for &'a mut ArrayBase<S, D> {
    type Item = &'a mut A;
    type IntoIter = IterMut<'a, A, D>;

    fn into_iter(self) -> IterMut<'a, A, D> {
        self.iter_mut()
    }
}
