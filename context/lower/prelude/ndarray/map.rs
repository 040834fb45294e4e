//! Element-wise functions and assignments.

use crate::dim::*;
use crate::shape::broadcast_to;
use crate::{Array, ArrayBase, ArrayView, ArrayView1, ArrayViewMut1, Data, DataMut};

/// Another array, broadcast to the shape of this one.
pub fn broadcast_or_panic<'a, B, E, D>(other: &ArrayView<'a, B, E>, lens: &[usize]) -> ArrayView<'a, B, D> {
    match broadcast_to(other, lens) {
        Some(view) => view,
        None => panic!("ndarray: could not broadcast array from shape: {:?} to: {:?}", other.lens, lens),
    }
}

impl<A, S: Data<Elem = A>, D: Dimension> ArrayBase<S, D> {
    pub fn map<'a, B, F: FnMut(&'a A) -> B>(&'a self, mut f: F) -> Array<B, D> {
        let mut result = Vec::new();
        for x in self.iter() {
            result.push(f(x));
        }
        D::owned(result, S::view_of(self).lens)
    }

    pub fn mapv<B, F: FnMut(A) -> B>(&self, mut f: F) -> Array<B, D>
    where
        A: Clone,
    {
        let mut result = Vec::new();
        for x in self.iter() {
            result.push(f(A::clone(x)));
        }
        D::owned(result, S::view_of(self).lens)
    }

    pub fn map_mut<'a, B, F: FnMut(&'a mut A) -> B>(&'a mut self, mut f: F) -> Array<B, D>
    where
        S: DataMut,
    {
        let lens = S::view_of(self).lens;
        let mut result = Vec::new();
        for x in self.iter_mut() {
            result.push(f(x));
        }
        D::owned(result, lens)
    }

    pub fn mapv_into<F: FnMut(A) -> A>(self, f: F) -> Array<A, D>
    where
        A: Clone,
    {
        self.mapv(f)
    }

    pub fn mapv_into_any<B, F: FnMut(A) -> B>(self, f: F) -> Array<B, D>
    where
        A: Clone,
    {
        self.mapv(f)
    }

    pub fn map_inplace<F: FnMut(&mut A)>(&mut self, mut f: F)
    where
        S: DataMut,
    {
        for x in self.iter_mut() {
            f(x);
        }
    }

    pub fn mapv_inplace<F: FnMut(A) -> A>(&mut self, mut f: F)
    where
        S: DataMut,
        A: Clone,
    {
        for x in self.iter_mut() {
            *x = f(A::clone(x));
        }
    }

    pub fn for_each<'a, F: FnMut(&'a A)>(&'a self, mut f: F) {
        for x in self.iter() {
            f(x);
        }
    }

    pub fn fold<'a, B, F: FnMut(B, &'a A) -> B>(&'a self, init: B, mut f: F) -> B {
        let mut acc = init;
        for x in self.iter() {
            acc = f(acc, x);
        }
        acc
    }

    pub fn fill(&mut self, x: A)
    where
        S: DataMut,
        A: Clone,
    {
        for elem in self.iter_mut() {
            *elem = x.clone();
        }
    }

    pub fn assign<E: Dimension, S2: Data<Elem = A>>(&mut self, rhs: &ArrayBase<S2, E>)
    where
        S: DataMut,
        A: Clone,
    {
        self.zip_mut_with(rhs, |x, y| *x = y.clone());
    }

    pub fn assign_to<E: Dimension, S2: DataMut<Elem = A>>(&self, mut to: ArrayBase<S2, E>)
    where
        A: Clone,
    {
        to.assign(self);
    }

    pub fn zip_mut_with<B, S2: Data<Elem = B>, E: Dimension, F: FnMut(&mut A, &B)>(&mut self, rhs: &ArrayBase<S2, E>, mut f: F)
    where
        S: DataMut,
    {
        let lens = S::view_of(self).lens;
        let other: ArrayView<'_, B, D> = broadcast_or_panic(&S2::view_of(rhs), &lens);
        let mut ys = other.iter();
        for x in self.iter_mut() {
            if let Some(y) = ys.next() {
                f(x, y);
            }
        }
    }

    pub fn fold_axis<B: Clone, F: FnMut(&B, &A) -> B>(&self, axis: Axis, init: B, mut fold: F) -> Array<B, D::Smaller> {
        let mut lens = S::view_of(self).lens;
        lens.remove(axis.0);
        let mut result = Vec::new();
        for lane in self.lanes(axis) {
            let mut acc = init.clone();
            for x in lane.iter() {
                acc = fold(&acc, x);
            }
            result.push(acc);
        }
        D::Smaller::owned(result, lens)
    }

    pub fn map_axis<'a, B, F: FnMut(ArrayView1<'a, A>) -> B>(&'a self, axis: Axis, mut mapping: F) -> Array<B, D::Smaller> {
        let mut lens = S::view_of(self).lens;
        lens.remove(axis.0);
        let mut result = Vec::new();
        for lane in self.lanes(axis) {
            result.push(mapping(lane));
        }
        D::Smaller::owned(result, lens)
    }

    pub fn map_axis_mut<'a, B, F: FnMut(ArrayViewMut1<'a, A>) -> B>(&'a mut self, axis: Axis, mut mapping: F) -> Array<B, D::Smaller>
    where
        S: DataMut,
    {
        let mut lens = S::view_of(self).lens;
        lens.remove(axis.0);
        let mut result = Vec::new();
        for lane in self.lanes_mut(axis) {
            result.push(mapping(lane));
        }
        D::Smaller::owned(result, lens)
    }

    pub fn accumulate_axis_inplace<F: FnMut(&A, &mut A)>(&mut self, axis: Axis, mut f: F)
    where
        S: DataMut,
    {
        for mut lane in self.lanes_mut(axis) {
            for i in 1..lane.len() {
                let (before, x) = (&lane[i - 1], &mut lane[i]);
                f(before, x);
            }
        }
    }

    pub fn scaled_add<S2: Data<Elem = A>, E: Dimension>(&mut self, alpha: A, rhs: &ArrayBase<S2, E>)
    where
        S: DataMut,
        A: crate::LinalgScalar,
    {
        self.zip_mut_with(rhs, |x, y| *x = *x + (alpha * *y));
    }
}
