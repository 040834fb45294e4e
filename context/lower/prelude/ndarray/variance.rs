//! Variances, by Welford's algorithm as in ndarray.

use crate::dim::*;
use crate::{Array, ArrayBase, Data, NdFloat};

fn degrees<A: NdFloat>(n: usize, ddof: A) -> A {
    let n = A::from_usize(n);
    assert!(
        !(ddof < A::zero() || ddof > n),
        "`ddof` must not be less than zero or greater than the length of the axis",
    );
    n - ddof
}

impl<A: NdFloat, S: Data<Elem = A>, D: Dimension> ArrayBase<S, D> {
    pub fn var(&self, ddof: A) -> A {
        let dof = degrees(self.len(), ddof);
        let (mut mean, mut squares) = (A::zero(), A::zero());
        let mut i = 0;
        for x in self.in_memory_order() {
            i += 1;
            let delta = x - mean;
            mean = mean + delta / A::from_usize(i);
            squares = (x - mean).fused(delta, squares);
        }
        squares / dof
    }

    fn in_memory_order(&self) -> Vec<A> {
        match self.as_slice_memory_order() {
            Some(elems) => elems.to_vec(),
            None => self.to_elems(),
        }
    }

    pub fn std(&self, ddof: A) -> A {
        self.var(ddof).sqrt()
    }

    pub fn var_axis(&self, axis: Axis, ddof: A) -> Array<A, D::Smaller> {
        let dof = degrees(self.len_of(axis), ddof);
        let mut lens = S::view_of(self).lens;
        lens.remove(axis.0);
        let n = crate::shape::size(&lens);
        let (mut means, mut squares) = (vec![A::zero(); n], vec![A::zero(); n]);
        let mut count = 0;
        for part in self.axis_iter(axis) {
            count += 1;
            let mut i = 0;
            for x in part.iter() {
                let delta = *x - means[i];
                means[i] = means[i] + delta / A::from_usize(count);
                squares[i] = (*x - means[i]).fused(delta, squares[i]);
                i += 1;
            }
        }
        D::Smaller::owned(squares, lens).mapv(|s| s / dof)
    }

    pub fn std_axis(&self, axis: Axis, ddof: A) -> Array<A, D::Smaller> {
        self.var_axis(axis, ddof).mapv(|x| x.sqrt())
    }
}
