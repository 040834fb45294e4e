//! Arrays created from values, functions and shapes.

use crate::data::{from_elems, standard, standard_mut};
use crate::dim::*;
use crate::error::{ShapeError, incompatible};
use crate::numbers::{NdFloat, One, Zero};
use crate::shape::{from_column_major, size};
use crate::{Array, ArrayBase, ArrayView, ArrayViewMut, Data, ShapeBuilder};

pub fn arr0<A>(x: A) -> Array<A, Ix0> {
    crate::data::from_scalar(x)
}

pub fn arr1<A: Clone>(xs: &[A]) -> Array<A, Ix1> {
    Array::from(xs.to_vec())
}

pub fn arr2<A: Clone, const N: usize>(xs: &[[A; N]]) -> Array<A, Ix2> {
    Array::from(xs.to_vec())
}

pub fn arr3<A: Clone, const N: usize, const M: usize>(xs: &[[[A; N]; M]]) -> Array<A, Ix3> {
    Array::from(xs.to_vec())
}

pub use arr1 as rcarr1;
pub use arr2 as rcarr2;

pub fn aview0<A>(x: &A) -> ArrayView<'_, A, Ix0> {
    standard(std::slice::from_ref(x), Vec::new())
}

pub fn aview1<A>(xs: &[A]) -> ArrayView<'_, A, Ix1> {
    standard(xs, vec![xs.len()])
}

pub fn aview2<A, const N: usize>(xs: &[[A; N]]) -> ArrayView<'_, A, Ix2> {
    standard(xs.as_flattened(), vec![xs.len(), N])
}

pub fn aview_mut1<A>(xs: &mut [A]) -> ArrayViewMut<'_, A, Ix1> {
    let n = xs.len();
    standard_mut(xs, vec![n])
}

fn filled<A: Clone, D: Dimension>(lens: Vec<usize>, elem: A) -> Array<A, D> {
    let mut n: usize = 1;
    for len in lens.iter() {
        match n.checked_mul(*len) {
            Some(more) if more <= isize::MAX as usize => n = more,
            _ => panic!("ndarray: Shape too large, product of non-zero axis lengths overflows isize"),
        }
    }
    D::owned(vec![elem; n], lens)
}

impl<A, D: Dimension> Array<A, D> {
    pub fn from_elem<Sh: ShapeBuilder<Dim = D>>(shape: Sh, elem: A) -> Array<A, D>
    where
        A: Clone,
    {
        filled(shape.into_shape_with_order().raw_dim().axes(), elem)
    }

    pub fn zeros<Sh: ShapeBuilder<Dim = D>>(shape: Sh) -> Array<A, D>
    where
        A: Clone + Zero,
    {
        Self::from_elem(shape, A::zero())
    }

    pub fn ones<Sh: ShapeBuilder<Dim = D>>(shape: Sh) -> Array<A, D>
    where
        A: Clone + One,
    {
        Self::from_elem(shape, A::one())
    }

    pub fn default<Sh: ShapeBuilder<Dim = D>>(shape: Sh) -> Array<A, D>
    where
        A: Default,
    {
        let lens = shape.into_shape_with_order().raw_dim().axes();
        let elems = (0..size(&lens)).map(|_| A::default()).collect();
        D::owned(elems, lens)
    }

    pub fn from_shape_fn<Sh: ShapeBuilder<Dim = D>, F: FnMut(D::Pattern) -> A>(shape: Sh, mut f: F) -> Array<A, D> {
        let lens = shape.into_shape_with_order().raw_dim().axes();
        let mut elems = Vec::new();
        let mut index = vec![0; lens.len()];
        for _ in 0..size(&lens) {
            elems.push(f(D::of_axes(index.to_vec()).into_pattern()));
            crate::places::advance(&mut index, &lens);
        }
        D::owned(elems, lens)
    }

    pub fn from_shape_simple_fn<Sh: ShapeBuilder<Dim = D>, F: FnMut() -> A>(shape: Sh, mut f: F) -> Array<A, D> {
        let lens = shape.into_shape_with_order().raw_dim().axes();
        let elems = (0..size(&lens)).map(|_| f()).collect();
        D::owned(elems, lens)
    }

    pub fn from_shape_vec<Sh: ShapeBuilder<Dim = D>>(shape: Sh, v: Vec<A>) -> Result<Array<A, D>, ShapeError>
    where
        A: Clone,
    {
        let shape = shape.into_shape_with_order();
        let lens = shape.raw_dim().axes();
        if size(&lens) != v.len() {
            return Err(incompatible());
        }
        let elems = if shape.is_column_major() { from_column_major(v, &lens) } else { v };
        Ok(D::owned(elems, lens))
    }
}

impl<'a, A, D: Dimension> ArrayView<'a, A, D> {
    pub fn from_shape<Sh: ShapeBuilder<Dim = D>>(shape: Sh, xs: &'a [A]) -> Result<ArrayView<'a, A, D>, ShapeError> {
        let shape = shape.into_shape_with_order();
        let lens = shape.raw_dim().axes();
        if size(&lens) > xs.len() {
            return Err(ShapeError::from_kind(crate::ErrorKind::OutOfBounds));
        }
        if shape.is_column_major() {
            let turned: Vec<usize> = lens.iter().rev().copied().collect();
            return Ok(standard(xs, turned).reversed_axes());
        }
        Ok(standard(xs, lens))
    }
}

impl<'a, A, D: Dimension> ArrayViewMut<'a, A, D> {
    pub fn from_shape<Sh: ShapeBuilder<Dim = D>>(shape: Sh, xs: &'a mut [A]) -> Result<ArrayViewMut<'a, A, D>, ShapeError> {
        let lens = shape.into_shape_with_order().raw_dim().axes();
        if size(&lens) > xs.len() {
            return Err(ShapeError::from_kind(crate::ErrorKind::OutOfBounds));
        }
        Ok(standard_mut(xs, lens))
    }
}

impl<A> Array<A, Ix1> {
    pub fn from_vec(v: Vec<A>) -> Array<A, Ix1> {
        Array::from(v)
    }

    pub fn from_iter<I: IntoIterator<Item = A>>(iterable: I) -> Array<A, Ix1> {
        Array::from(Vec::from_iter(iterable))
    }
}

impl<A: NdFloat> Array<A, Ix1> {
    pub fn linspace(start: A, end: A, n: usize) -> Array<A, Ix1> {
        let step = if n > 1 { (end - start) / A::from_usize(n - 1) } else { A::zero() };
        Array::from_iter((0..n).map(|i| start + step * A::from_usize(i)))
    }

    pub fn range(start: A, end: A, step: A) -> Array<A, Ix1> {
        let n = ((end - start) / step).ceil().into_usize();
        Array::from_iter((0..n).map(|i| start + step * A::from_usize(i)))
    }

    pub fn logspace(base: A, start: A, end: A, n: usize) -> Array<A, Ix1> {
        let step = if n > 1 { (end - start) / A::from_usize(n - 1) } else { A::zero() };
        let sign = if base < A::zero() { -A::one() } else { A::one() };
        let base = base.abs();
        Array::from_iter((0..n).map(|i| sign * base.powf(start + step * A::from_usize(i))))
    }
}

impl<A: Clone + Zero> Array<A, Ix2> {
    pub fn eye(n: usize) -> Array<A, Ix2>
    where
        A: One,
    {
        let mut elems = vec![A::zero(); n * n];
        for i in 0..n {
            elems[i * n + i] = A::one();
        }
        from_elems(elems, vec![n, n])
    }

    pub fn from_diag<S: Data<Elem = A>>(diag: &ArrayBase<S, Ix1>) -> Array<A, Ix2> {
        let n = diag.len();
        let mut elems = vec![A::zero(); n * n];
        for i in 0..n {
            elems[i * n + i] = diag[i].clone();
        }
        from_elems(elems, vec![n, n])
    }

    pub fn from_diag_elem(n: usize, elem: A) -> Array<A, Ix2> {
        let mut elems = vec![A::zero(); n * n];
        for i in 0..n {
            elems[i * n + i] = elem.clone();
        }
        from_elems(elems, vec![n, n])
    }
}

impl<A: Default, D: Dimension> Default for Array<A, D> {
    fn default() -> Array<A, D> {
        let lens = vec![0; D::NDIM.unwrap_or(1)];
        let elems = (0..size(&lens)).map(|_| A::default()).collect();
        D::owned(elems, lens)
    }
}
