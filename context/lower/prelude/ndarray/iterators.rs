//! Iterators over parts: along an axis, and over all vectors along one.

use crate::data::ViewRepr;
use crate::dim::*;
use crate::places::{Places, places};
use crate::{ArrayBase, ArrayView, ArrayView1, ArrayViewMut, ArrayViewMut1};
use std::marker::PhantomData;

/// Parts of equal shape; each position is that of a part's first element.
#[derive(Clone)]
pub struct AxisIter<'a, A, D> {
    pub elems: &'a [A],
    pub places: Places,
    pub lens: Vec<usize>,
    pub steps: Vec<isize>,
    pub rank: PhantomData<D>,
}

pub struct AxisIterMut<'a, A, D> {
    pub elems: &'a mut [A],
    pub places: Places,
    pub lens: Vec<usize>,
    pub steps: Vec<isize>,
    pub rank: PhantomData<D>,
}

macro_rules! parts {
    ($($Iter:ident $View:ident;)*) => {$(
        impl<'a, A, D> $Iter<'a, A, D> {
            pub fn part(&self, at: usize) -> $View<'a, A, D> {
                let (lens, steps) = (self.lens.to_vec(), self.steps.to_vec());
                ArrayBase { data: ViewRepr { elems: self.elems }, first: at, lens, steps, rank: PhantomData }
            }
        }

        impl<'a, A, D> Iterator for $Iter<'a, A, D> {
            type Item = $View<'a, A, D>;

            fn next(&mut self) -> Option<$View<'a, A, D>> {
                match self.places.next() {
                    Some(at) => Some(self.part(at)),
                    None => None,
                }
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                let n = self.places.count();
                (n, Some(n))
            }
        }

        impl<'a, A, D> DoubleEndedIterator for $Iter<'a, A, D> {
            fn next_back(&mut self) -> Option<$View<'a, A, D>> {
                match self.places.next_back() {
                    Some(at) => Some(self.part(at)),
                    None => None,
                }
            }
        }

        impl<A, D> ExactSizeIterator for $Iter<'_, A, D> {}
    )*};
}

parts! {
    AxisIter ArrayView;
    AxisIterMut ArrayViewMut;
}

/// All vectors along an axis; `D` is the dimension of the remaining axes.
pub struct Lanes<'a, A, D> {
    pub parts: AxisIter<'a, A, Ix1>,
    pub rest: Vec<usize>,
    pub rank: PhantomData<D>,
}

pub struct LanesMut<'a, A, D> {
    pub parts: AxisIterMut<'a, A, Ix1>,
    pub rest: Vec<usize>,
    pub rank: PhantomData<D>,
}

impl<'a, A, D> IntoIterator for Lanes<'a, A, D> {
    type Item = ArrayView1<'a, A>;
    type IntoIter = AxisIter<'a, A, Ix1>;

    fn into_iter(self) -> AxisIter<'a, A, Ix1> {
        self.parts
    }
}

impl<'a, A, D> IntoIterator for LanesMut<'a, A, D> {
    type Item = ArrayViewMut1<'a, A>;
    type IntoIter = AxisIterMut<'a, A, Ix1>;

    fn into_iter(self) -> AxisIterMut<'a, A, Ix1> {
        self.parts
    }
}

pub fn lanes<'a, A, D, E>(view: &ArrayView<'a, A, D>, axis: usize) -> Lanes<'a, A, E> {
    let (mut rest, mut steps) = (view.lens.to_vec(), view.steps.to_vec());
    let (len, step) = (rest.remove(axis), steps.remove(axis));
    let places = places(view.first, &rest, &steps);
    let parts = AxisIter { elems: view.data.elems, places, lens: vec![len], steps: vec![step], rank: PhantomData };
    Lanes { parts, rest, rank: PhantomData }
}

pub fn lanes_mut<'a, A, D, E>(view: ArrayViewMut<'a, A, D>, axis: usize) -> LanesMut<'a, A, E> {
    let (mut rest, mut steps) = (view.lens.to_vec(), view.steps.to_vec());
    let (len, step) = (rest.remove(axis), steps.remove(axis));
    let places = places(view.first, &rest, &steps);
    let parts = AxisIterMut { elems: view.data.elems, places, lens: vec![len], steps: vec![step], rank: PhantomData };
    LanesMut { parts, rest, rank: PhantomData }
}

/// The parts with `lens` and `steps` whose first elements are along an axis.
pub fn along<'a, A, E>(elems: &'a [A], first: usize, axis: (usize, isize), lens: Vec<usize>, steps: Vec<isize>) -> AxisIter<'a, A, E> {
    AxisIter { elems, places: places(first, &[axis.0], &[axis.1]), lens, steps, rank: PhantomData }
}

pub fn along_mut<'a, A, E>(
    elems: &'a mut [A],
    first: usize,
    axis: (usize, isize),
    lens: Vec<usize>,
    steps: Vec<isize>,
) -> AxisIterMut<'a, A, E> {
    AxisIterMut { elems, places: places(first, &[axis.0], &[axis.1]), lens, steps, rank: PhantomData }
}
