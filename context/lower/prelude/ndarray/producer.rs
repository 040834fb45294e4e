//! Producers of an item for each index of a shape: arrays, their parts, indices.

use crate::dim::*;
use crate::iterators::{AxisIter, AxisIterMut, Lanes, LanesMut};
use crate::places::{Places, advance, places};
use crate::{ArrayBase, ArrayView, ArrayView1, ArrayViewMut, ArrayViewMut1, Data, DataMut};
use std::marker::PhantomData;
use std::slice::{elem, elem_mut};

pub trait NdProducer {
    type Item;
    type Dim: Dimension;
    fn lens(&self) -> Vec<usize>;
    fn places(&self) -> Places;
    fn at(&self, place: usize) -> Self::Item;
}

pub trait IntoNdProducer {
    type Item;
    type Dim: Dimension;
    type Output: NdProducer<Item = Self::Item, Dim = Self::Dim>;
    fn into_producer(self) -> Self::Output;
}

impl<P: NdProducer> IntoNdProducer for P {
    type Item = P::Item;
    type Dim = P::Dim;
    type Output = P;

    fn into_producer(self) -> P {
        self
    }
}

impl<'a, A, S: Data<Elem = A>, D: Dimension> IntoNdProducer for &'a ArrayBase<S, D> {
    type Item = &'a A;
    type Dim = D;
    type Output = ArrayView<'a, A, D>;

    fn into_producer(self) -> ArrayView<'a, A, D> {
        self.view()
    }
}

impl<'a, A, S: DataMut<Elem = A>, D: Dimension> IntoNdProducer for &'a mut ArrayBase<S, D> {
    type Item = &'a mut A;
    type Dim = D;
    type Output = ArrayViewMut<'a, A, D>;

    fn into_producer(self) -> ArrayViewMut<'a, A, D> {
        self.view_mut()
    }
}

impl<'a, A> IntoNdProducer for &'a Vec<A> {
    type Item = &'a A;
    type Dim = Ix1;
    type Output = ArrayView1<'a, A>;

    fn into_producer(self) -> ArrayView1<'a, A> {
        crate::aview1(self.as_slice())
    }
}

impl<'a, A> IntoNdProducer for &'a [A] {
    type Item = &'a A;
    type Dim = Ix1;
    type Output = ArrayView1<'a, A>;

    fn into_producer(self) -> ArrayView1<'a, A> {
        crate::aview1(self)
    }
}

impl<'a, A> IntoNdProducer for &'a mut Vec<A> {
    type Item = &'a mut A;
    type Dim = Ix1;
    type Output = ArrayViewMut1<'a, A>;

    fn into_producer(self) -> ArrayViewMut1<'a, A> {
        crate::aview_mut1(self.as_mut_slice())
    }
}

impl<'a, A> IntoNdProducer for &'a mut [A] {
    type Item = &'a mut A;
    type Dim = Ix1;
    type Output = ArrayViewMut1<'a, A>;

    fn into_producer(self) -> ArrayViewMut1<'a, A> {
        crate::aview_mut1(self)
    }
}

impl<'a, A, D: Dimension> NdProducer for ArrayView<'a, A, D> {
    type Item = &'a A;
    type Dim = D;

    fn lens(&self) -> Vec<usize> {
        self.lens.to_vec()
    }

    fn places(&self) -> Places {
        places(self.first, &self.lens, &self.steps)
    }

    fn at(&self, place: usize) -> &'a A {
        elem(self.data.elems, place)
    }
}

impl<'a, A, D: Dimension> NdProducer for ArrayViewMut<'a, A, D> {
    type Item = &'a mut A;
    type Dim = D;

    fn lens(&self) -> Vec<usize> {
        self.lens.to_vec()
    }

    fn places(&self) -> Places {
        places(self.first, &self.lens, &self.steps)
    }

    fn at(&self, place: usize) -> &'a mut A {
        elem_mut(self.data.elems, place)
    }
}

macro_rules! part_producers {
    ($($Iter:ident $View:ident;)*) => {$(
        impl<'a, A, D: Dimension> NdProducer for $Iter<'a, A, D> {
            type Item = $View<'a, A, D>;
            type Dim = Ix1;

            fn lens(&self) -> Vec<usize> {
                vec![self.places.count()]
            }

            fn places(&self) -> Places {
                self.places.clone()
            }

            fn at(&self, place: usize) -> $View<'a, A, D> {
                self.part(place)
            }
        }
    )*};
}

part_producers! {
    AxisIter ArrayView;
    AxisIterMut ArrayViewMut;
}

macro_rules! lane_producers {
    ($($Lanes:ident $View:ident;)*) => {$(
        impl<'a, A, D: Dimension> NdProducer for $Lanes<'a, A, D> {
            type Item = $View<'a, A>;
            type Dim = D;

            fn lens(&self) -> Vec<usize> {
                self.rest.to_vec()
            }

            fn places(&self) -> Places {
                self.parts.places.clone()
            }

            fn at(&self, place: usize) -> $View<'a, A> {
                self.parts.part(place)
            }
        }
    )*};
}

lane_producers! {
    Lanes ArrayView1;
    LanesMut ArrayViewMut1;
}

/// All indices of a shape.
#[derive(Clone)]
pub struct Indices<D> {
    pub lens: Vec<usize>,
    pub next: Option<Vec<usize>>,
    pub rank: PhantomData<D>,
}

pub fn indices<E: IntoDimension>(shape: E) -> Indices<E::Dim> {
    let lens = shape.into_dimension().axes();
    let next = if crate::shape::size(&lens) == 0 { None } else { Some(vec![0; lens.len()]) };
    Indices { lens, next, rank: PhantomData }
}

pub fn indices_of<A, S: Data<Elem = A>, D: Dimension>(array: &ArrayBase<S, D>) -> Indices<D> {
    indices(array.raw_dim())
}

impl<D: Dimension> Iterator for Indices<D> {
    type Item = D::Pattern;

    fn next(&mut self) -> Option<D::Pattern> {
        match self.next.take() {
            Some(index) => {
                let mut after = index.to_vec();
                if advance(&mut after, &self.lens) {
                    self.next = Some(after);
                }
                Some(D::of_axes(index).into_pattern())
            }
            None => None,
        }
    }
}

impl<D: Dimension> NdProducer for Indices<D> {
    type Item = D::Pattern;
    type Dim = D;

    fn lens(&self) -> Vec<usize> {
        self.lens.to_vec()
    }

    fn places(&self) -> Places {
        places(0, &self.lens, &crate::data::standard_steps(&self.lens))
    }

    fn at(&self, place: usize) -> D::Pattern {
        let mut rest = place;
        let mut index = vec![0; self.lens.len()];
        for back in 0..index.len() {
            let k = index.len() - 1 - back;
            index[k] = rest % self.lens[k];
            rest /= self.lens[k];
        }
        D::of_axes(index).into_pattern()
    }
}
