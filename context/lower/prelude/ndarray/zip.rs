//! Iteration over several arrays at once.

use crate::dim::*;
use crate::producer::Indices;
use crate::{Array, ArrayBase, ArrayView, DataMut};
use std::marker::PhantomData;

pub use crate::producer::{IntoNdProducer, NdProducer, indices, indices_of};

fn misfit(lens: &[usize]) -> ! {
    panic!("assertion failed: part.equal_dim(dimension), where the shape is {:?}", lens)
}

#[derive(Clone, Copy, Debug)]
pub enum FoldWhile<T> {
    Continue(T),
    Done(T),
}

impl<T> FoldWhile<T> {
    pub fn into_inner(self) -> T {
        match self {
            FoldWhile::Continue(x) | FoldWhile::Done(x) => x,
        }
    }

    pub fn is_done(&self) -> bool {
        matches!(*self, FoldWhile::Done(_))
    }
}

pub struct Zip<Parts, D> {
    parts: Parts,
    lens: Vec<usize>,
    rank: PhantomData<D>,
}

impl<P: NdProducer> Zip<(P,), P::Dim> {
    pub fn from<IP: IntoNdProducer<Output = P, Dim = P::Dim, Item = P::Item>>(p: IP) -> Self {
        let part = p.into_producer();
        let lens = part.lens();
        Zip { parts: (part,), lens, rank: PhantomData }
    }
}

impl<P: NdProducer> Zip<(Indices<P::Dim>, P), P::Dim> {
    pub fn indexed<IP: IntoNdProducer<Output = P, Dim = P::Dim, Item = P::Item>>(p: IP) -> Self {
        let part = p.into_producer();
        let lens = part.lens();
        let at = Indices { lens: lens.to_vec(), next: None, rank: PhantomData };
        Zip { parts: (at, part), lens, rank: PhantomData }
    }
}

macro_rules! zips {
    ($($P:ident $p:ident $i:tt $places:ident),* ) => {
        impl<$($P: NdProducer,)* D: Dimension> Zip<($($P,)*), D> {
            pub fn for_each<F: FnMut($($P::Item),*)>(self, mut f: F) {
                $(let $p = self.parts.$i;
                let mut $places = $p.places();)*
                for _ in 0..crate::shape::size(&self.lens) {
                    f($($p.at($places.next().unwrap())),*);
                }
            }

            pub fn apply<F: FnMut($($P::Item),*)>(self, f: F) {
                self.for_each(f)
            }

            pub fn fold<Acc, F: FnMut(Acc, $($P::Item),*) -> Acc>(self, acc: Acc, mut f: F) -> Acc {
                $(let $p = self.parts.$i;
                let mut $places = $p.places();)*
                let mut acc = acc;
                for _ in 0..crate::shape::size(&self.lens) {
                    acc = f(acc, $($p.at($places.next().unwrap())),*);
                }
                acc
            }

            pub fn fold_while<Acc, F: FnMut(Acc, $($P::Item),*) -> FoldWhile<Acc>>(self, acc: Acc, mut f: F) -> FoldWhile<Acc> {
                $(let $p = self.parts.$i;
                let mut $places = $p.places();)*
                let mut acc = acc;
                for _ in 0..crate::shape::size(&self.lens) {
                    match f(acc, $($p.at($places.next().unwrap())),*) {
                        FoldWhile::Continue(more) => acc = more,
                        FoldWhile::Done(last) => return FoldWhile::Done(last),
                    }
                }
                FoldWhile::Continue(acc)
            }

            pub fn all<F: FnMut($($P::Item),*) -> bool>(self, mut f: F) -> bool {
                $(let $p = self.parts.$i;
                let mut $places = $p.places();)*
                for _ in 0..crate::shape::size(&self.lens) {
                    if !f($($p.at($places.next().unwrap())),*) {
                        return false;
                    }
                }
                true
            }

            pub fn any<F: FnMut($($P::Item),*) -> bool>(self, mut f: F) -> bool {
                $(let $p = self.parts.$i;
                let mut $places = $p.places();)*
                for _ in 0..crate::shape::size(&self.lens) {
                    if f($($p.at($places.next().unwrap())),*) {
                        return true;
                    }
                }
                false
            }

            pub fn map_collect<R, F: FnMut($($P::Item),*) -> R>(self, mut f: F) -> Array<R, D> {
                $(let $p = self.parts.$i;
                let mut $places = $p.places();)*
                let mut result = Vec::new();
                for _ in 0..crate::shape::size(&self.lens) {
                    result.push(f($($p.at($places.next().unwrap())),*));
                }
                D::owned(result, self.lens)
            }

            pub fn map_assign_into<R, S: DataMut<Elem = R>, F: FnMut($($P::Item),*) -> R>(self, into: &mut ArrayBase<S, D>, f: F) {
                let result = self.map_collect(f);
                let mut ys = result.iter();
                for x in into.iter_mut() {
                    if let Some(y) = ys.next() {
                        *x = *y;
                    }
                }
            }

            pub fn size(&self) -> usize {
                crate::shape::size(&self.lens)
            }
        }
    };
}

macro_rules! longer {
    ($($P:ident $i:tt),*) => {
        impl<$($P: NdProducer,)* D: Dimension> Zip<($($P,)*), D> {
            pub fn and<IP: IntoNdProducer<Dim = D>>(self, p: IP) -> Zip<($($P,)* IP::Output), D> {
                let part = p.into_producer();
                if part.lens() != self.lens {
                    misfit(&self.lens);
                }
                Zip { parts: ($(self.parts.$i,)* part), lens: self.lens, rank: PhantomData }
            }

            pub fn and_broadcast<'a, A, E: Dimension, IP: IntoNdProducer<Dim = E, Output = ArrayView<'a, A, E>, Item = &'a A>>(
                self,
                p: IP,
            ) -> Zip<($($P,)* ArrayView<'a, A, D>), D> {
                let part: ArrayView<'a, A, D> = crate::map::broadcast_or_panic(&p.into_producer(), &self.lens);
                Zip { parts: ($(self.parts.$i,)* part), lens: self.lens, rank: PhantomData }
            }
        }
    };
}

zips! { P1 p1 0 places1 }
zips! { P1 p1 0 places1, P2 p2 1 places2 }
zips! { P1 p1 0 places1, P2 p2 1 places2, P3 p3 2 places3 }
zips! { P1 p1 0 places1, P2 p2 1 places2, P3 p3 2 places3, P4 p4 3 places4 }
zips! { P1 p1 0 places1, P2 p2 1 places2, P3 p3 2 places3, P4 p4 3 places4, P5 p5 4 places5 }
zips! { P1 p1 0 places1, P2 p2 1 places2, P3 p3 2 places3, P4 p4 3 places4, P5 p5 4 places5, P6 p6 5 places6 }

longer! { P1 0 }
longer! { P1 0, P2 1 }
longer! { P1 0, P2 1, P3 2 }
longer! { P1 0, P2 1, P3 2, P4 3 }
longer! { P1 0, P2 1, P3 2, P4 3, P5 4 }
