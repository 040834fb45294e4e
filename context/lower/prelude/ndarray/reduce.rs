//! Sums, products and means, computed in the order that ndarray uses.

use crate::dim::*;
use crate::numbers::{Counted, One, Zero};
use crate::{Array, ArrayBase, ArrayView, Data};
use std::ops::{Add, Div, Mul};

/// The lowest position of elements that are contiguous in some order, or `None` if they are not.
pub fn contiguous<A, D>(view: &ArrayView<'_, A, D>) -> Option<usize> {
    let n = view.lens.len();
    if crate::places::is_standard(&view.lens, &view.steps) {
        return Some(view.first);
    }
    let mut used = vec![false; n];
    let mut step: usize = 1;
    let mut first = view.first as isize;
    for _ in 0..n {
        let mut next: Option<usize> = None;
        for k in 0..n {
            let smaller = match next {
                Some(best) => view.steps[k].unsigned_abs() < view.steps[best].unsigned_abs(),
                None => true,
            };
            if !used[k] && smaller {
                next = Some(k);
            }
        }
        let k = next?;
        used[k] = true;
        if view.lens[k] != 1 {
            if view.steps[k].unsigned_abs() != step {
                return None;
            }
            if view.steps[k] < 0 {
                first += (view.lens[k] as isize - 1) * view.steps[k];
            }
        }
        step *= view.lens[k];
    }
    Some(first as usize)
}

/// Eight elements at a time.
fn unrolled<A: Clone>(xs: &[A], init: A, f: impl Fn(A, A) -> A) -> A {
    let mut acc = init.clone();
    let (mut p0, mut p1, mut p2, mut p3) = (init.clone(), init.clone(), init.clone(), init.clone());
    let (mut p4, mut p5, mut p6, mut p7) = (init.clone(), init.clone(), init.clone(), init);
    let (mut i, n) = (0, xs.len());
    while i + 8 <= n {
        p0 = f(p0, xs[i].clone());
        p1 = f(p1, xs[i + 1].clone());
        p2 = f(p2, xs[i + 2].clone());
        p3 = f(p3, xs[i + 3].clone());
        p4 = f(p4, xs[i + 4].clone());
        p5 = f(p5, xs[i + 5].clone());
        p6 = f(p6, xs[i + 6].clone());
        p7 = f(p7, xs[i + 7].clone());
        i += 8;
    }
    acc = f(acc, f(p0, p4));
    acc = f(acc, f(p1, p5));
    acc = f(acc, f(p2, p6));
    acc = f(acc, f(p3, p7));
    while i < n {
        acc = f(acc, xs[i].clone());
        i += 1;
    }
    acc
}

/// All elements: eight at a time if they are contiguous, otherwise row by row.
fn folded<A: Clone, S: Data<Elem = A>, D: Dimension>(array: &ArrayBase<S, D>, init: A, f: impl Fn(A, A) -> A) -> A {
    if let Some(elems) = array.as_slice_memory_order() {
        return unrolled(elems, init, f);
    }
    let mut all = init.clone();
    for row in array.rows() {
        let part = match row.as_slice() {
            Some(elems) => unrolled(elems, init.clone(), &f),
            None => row.iter().fold(init.clone(), |acc, x| f(acc, x.clone())),
        };
        all = f(all, part);
    }
    all
}

/// The axis with the smallest stride; the last one if there are several.
fn nearest_axis(steps: &[isize]) -> usize {
    let mut best = steps.len() - 1;
    for back in 1..steps.len() {
        let k = steps.len() - 1 - back;
        if steps[k].unsigned_abs() < steps[best].unsigned_abs() {
            best = k;
        }
    }
    best
}

impl<A, S: Data<Elem = A>, D: Dimension> ArrayBase<S, D> {
    pub fn sum(&self) -> A
    where
        A: Clone + Add<Output = A> + Zero,
    {
        folded(self, A::zero(), A::add)
    }

    pub fn product(&self) -> A
    where
        A: Clone + Mul<Output = A> + One,
    {
        folded(self, A::one(), A::mul)
    }

    pub fn mean(&self) -> Option<A>
    where
        A: Clone + Counted + Add<Output = A> + Div<Output = A> + Zero,
    {
        let n = self.len();
        if n == 0 { None } else { Some(self.sum() / A::from_usize(n)) }
    }

    pub fn scalar_sum(&self) -> A
    where
        A: Clone + Add<Output = A> + Zero,
    {
        self.sum()
    }

    pub fn sum_axis(&self, axis: Axis) -> Array<A, D::Smaller>
    where
        A: Clone + Zero + Add<Output = A>,
    {
        if axis.0 == nearest_axis(&S::view_of(self).steps) {
            return self.map_axis(axis, |lane| lane.sum());
        }
        self.along(axis, A::zero(), A::add)
    }

    pub fn product_axis(&self, axis: Axis) -> Array<A, D::Smaller>
    where
        A: Clone + One + Mul<Output = A>,
    {
        if axis.0 == nearest_axis(&S::view_of(self).steps) {
            return self.map_axis(axis, |lane| lane.product());
        }
        self.along(axis, A::one(), A::mul)
    }

    /// One part at a time along an axis.
    fn along(&self, axis: Axis, init: A, f: impl Fn(A, A) -> A) -> Array<A, D::Smaller>
    where
        A: Clone,
    {
        let mut lens = S::view_of(self).lens;
        lens.remove(axis.0);
        let mut acc = vec![init; crate::shape::size(&lens)];
        for part in self.axis_iter(axis) {
            let mut i = 0;
            for x in part.iter() {
                acc[i] = f(acc[i].clone(), x.clone());
                i += 1;
            }
        }
        D::Smaller::owned(acc, lens)
    }

    pub fn mean_axis(&self, axis: Axis) -> Option<Array<A, D::Smaller>>
    where
        A: Clone + Zero + Counted + Add<Output = A> + Div<Output = A>,
    {
        let n = self.len_of(axis);
        if n == 0 {
            return None;
        }
        let n = A::from_usize(n);
        Some(self.sum_axis(axis).mapv(|x| x / n.clone()))
    }

    pub fn cumsum(&self, axis: Axis) -> Array<A, D>
    where
        A: Clone + Add<Output = A>,
    {
        let mut result = self.to_owned();
        result.accumulate_axis_inplace(axis, |before, x| *x = x.clone() + before.clone());
        result
    }

    pub fn cumprod(&self, axis: Axis) -> Array<A, D>
    where
        A: Clone + Mul<Output = A>,
    {
        let mut result = self.to_owned();
        result.accumulate_axis_inplace(axis, |before, x| *x = x.clone() * before.clone());
        result
    }
}
