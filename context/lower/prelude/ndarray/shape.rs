//! Shapes: construction, queries, and changes that do not move elements.

use crate::data::view_as;
use crate::dim::*;
use crate::error::{ShapeError, incompatible};
use crate::{Array, ArrayBase, ArrayView, Data, Order};

/// The number of elements of a shape.
pub fn size(lens: &[usize]) -> usize {
    let mut n: usize = 1;
    for len in lens {
        n *= *len;
    }
    n
}

#[derive(Clone, Copy, Debug)]
pub struct Shape<D> {
    dim: D,
    column_major: bool,
}

pub use Shape as StrideShape;

impl<D: Dimension> Shape<D> {
    pub fn raw_dim(&self) -> &D {
        &self.dim
    }

    pub fn size(&self) -> usize {
        self.dim.size()
    }

    pub fn is_column_major(&self) -> bool {
        self.column_major
    }
}

pub trait ShapeBuilder {
    type Dim: Dimension;
    fn into_shape_with_order(self) -> Shape<Self::Dim>;

    fn set_f(self, is_f: bool) -> Shape<Self::Dim> {
        let mut shape = self.into_shape_with_order();
        shape.column_major = is_f;
        shape
    }

    fn f(self) -> Shape<Self::Dim> {
        self.set_f(true)
    }
}

impl<T: IntoDimension> ShapeBuilder for T {
    type Dim = T::Dim;

    fn into_shape_with_order(self) -> Shape<T::Dim> {
        Shape { dim: self.into_dimension(), column_major: false }
    }
}

impl<D: Dimension> ShapeBuilder for Shape<D> {
    type Dim = D;

    fn into_shape_with_order(self) -> Shape<D> {
        self
    }
}

pub trait ShapeArg {
    type Dim: Dimension;
    fn into_shape_and_order(self) -> (Self::Dim, Option<Order>);
}

impl<T: IntoDimension> ShapeArg for T {
    type Dim = T::Dim;

    fn into_shape_and_order(self) -> (T::Dim, Option<Order>) {
        (self.into_dimension(), None)
    }
}

impl<T: IntoDimension> ShapeArg for (T, Order) {
    type Dim = T::Dim;

    fn into_shape_and_order(self) -> (T::Dim, Option<Order>) {
        (self.0.into_dimension(), Some(self.1))
    }
}

/// Reorders elements from column-major to row-major order.
pub fn from_column_major<A: Clone>(elems: Vec<A>, lens: &[usize]) -> Vec<A> {
    let view: ArrayView<'_, A, IxDyn> = crate::data::standard(&elems, reversed(lens));
    view.reversed_axes().to_elems()
}

fn reversed(lens: &[usize]) -> Vec<usize> {
    lens.iter().rev().copied().collect()
}

impl<A, S: Data<Elem = A>, D: Dimension> ArrayBase<S, D> {
    pub fn len(&self) -> usize {
        size(&S::view_of(self).lens)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn ndim(&self) -> usize {
        S::view_of(self).lens.len()
    }

    pub fn shape(&self) -> &[usize] {
        S::view_of(self).lens.__leaked()
    }

    pub fn strides(&self) -> &[isize] {
        S::view_of(self).steps.__leaked()
    }

    pub fn len_of(&self, axis: Axis) -> usize {
        S::view_of(self).lens[axis.0]
    }

    pub fn stride_of(&self, axis: Axis) -> isize {
        S::view_of(self).steps[axis.0]
    }

    pub fn raw_dim(&self) -> D {
        D::of_axes(S::view_of(self).lens)
    }

    pub fn dim(&self) -> D::Pattern {
        self.raw_dim().into_pattern()
    }

    pub fn is_standard_layout(&self) -> bool {
        let view = S::view_of(self);
        crate::places::is_standard(&view.lens, &view.steps)
    }

    pub fn into_dyn(self) -> ArrayBase<S::With, IxDyn>
    where
        S: crate::convert::WithDimension<D, IxDyn>,
    {
        S::with_dim(self)
    }

    pub fn into_dimensionality<E: Dimension>(self) -> Result<ArrayBase<S::With, E>, ShapeError>
    where
        S: crate::convert::WithDimension<D, E>,
    {
        match E::NDIM {
            Some(n) if n != self.ndim() => Err(incompatible()),
            _ => Ok(S::with_dim(self)),
        }
    }

    pub fn into_shape_with_order<E: ShapeArg>(self, shape: E) -> Result<ArrayBase<S::With, E::Dim>, ShapeError>
    where
        S: crate::convert::WithDimension<D, E::Dim>,
    {
        let (dim, order) = shape.into_shape_and_order();
        let lens = dim.axes();
        if size(&lens) != self.len() {
            return Err(incompatible());
        }
        S::reshaped(self, lens, order.unwrap_or(Order::RowMajor))
    }

    pub fn into_shape<E: IntoDimension>(self, shape: E) -> Result<ArrayBase<S::With, E::Dim>, ShapeError>
    where
        S: crate::convert::WithDimension<D, E::Dim>,
    {
        let lens = shape.into_dimension().axes();
        if size(&lens) != self.len() {
            return Err(incompatible());
        }
        S::reshaped(self, lens, Order::RowMajor)
    }

    /// A copy in another shape.
    pub fn to_shape<E: ShapeArg>(&self, shape: E) -> Result<Array<A, E::Dim>, ShapeError>
    where
        A: Clone,
    {
        let (dim, order) = shape.into_shape_and_order();
        let lens = dim.axes();
        if size(&lens) != self.len() {
            return Err(incompatible());
        }
        let view = S::view_of(self);
        Ok(crate::convert::reordered(&view, lens, order.unwrap_or(Order::RowMajor)))
    }

    pub fn flatten(&self) -> Array<A, Ix1>
    where
        A: Clone,
    {
        Ix1::owned(self.to_elems(), vec![self.len()])
    }

    pub fn into_flat(self) -> Array<A, Ix1>
    where
        A: Clone,
    {
        self.flatten()
    }

    pub fn broadcast<E: IntoDimension>(&self, shape: E) -> Option<ArrayView<'_, A, E::Dim>> {
        let view = S::view_of(self);
        broadcast_to(&view, &shape.into_dimension().axes())
    }

    pub fn t(&self) -> ArrayView<'_, A, D> {
        S::view_of(self).reversed_axes()
    }

    pub fn insert_axis(self, axis: Axis) -> ArrayBase<S::With, D::Larger>
    where
        S: crate::convert::WithDimension<D, D::Larger>,
    {
        let view = S::view_of(&self);
        let (mut lens, mut steps) = (view.lens, view.steps);
        assert!(axis.0 <= lens.len());
        lens.insert(axis.0, 1);
        steps.insert(axis.0, 0);
        S::restrided(self, lens, steps)
    }

    pub fn remove_axis(self, axis: Axis) -> ArrayBase<S::With, D::Smaller>
    where
        S: crate::convert::WithDimension<D, D::Smaller>,
    {
        self.index_axis_move(axis, 0)
    }

    pub fn reversed_axes(self) -> ArrayBase<S::With, D>
    where
        S: crate::convert::WithDimension<D, D>,
    {
        let view = S::view_of(&self);
        let (mut lens, mut steps) = (view.lens, view.steps);
        lens.reverse();
        steps.reverse();
        S::restrided(self, lens, steps)
    }

    pub fn permuted_axes<T: IntoDimension<Dim = D>>(self, axes: T) -> ArrayBase<S::With, D>
    where
        S: crate::convert::WithDimension<D, D>,
    {
        let view = S::view_of(&self);
        let axes = axes.into_dimension().axes();
        let mut used = vec![false; axes.len()];
        for axis in axes.iter() {
            assert!(!used[*axis], "each axis must be listed exactly once");
            used[*axis] = true;
        }
        let lens = axes.iter().map(|k| view.lens[*k]).collect();
        let steps = axes.iter().map(|k| view.steps[*k]).collect();
        S::restrided(self, lens, steps)
    }

    pub fn swap_axes(&mut self, ax: usize, bx: usize)
    where
        S: crate::convert::WithDimension<D, D, With = S>,
    {
        let view = S::view_of(self);
        let (mut lens, mut steps) = (view.lens, view.steps);
        lens.swap(ax, bx);
        steps.swap(ax, bx);
        *self = S::restrided(*self, lens, steps);
    }

    pub fn invert_axis(&mut self, axis: Axis)
    where
        S: crate::convert::WithDimension<D, D, With = S>,
    {
        let view = S::view_of(self);
        let (len, step) = (view.lens[axis.0], view.steps[axis.0]);
        let mut steps = view.steps;
        steps[axis.0] = -step;
        let first = if len == 0 { view.first } else { (view.first as isize + (len as isize - 1) * step) as usize };
        *self = S::moved(*self, first, view.lens, steps);
    }
}

impl<A, S: Data<Elem = A>> ArrayBase<S, Ix2> {
    pub fn nrows(&self) -> usize {
        S::view_of(self).lens[0]
    }

    pub fn ncols(&self) -> usize {
        S::view_of(self).lens[1]
    }

    pub fn is_square(&self) -> bool {
        self.nrows() == self.ncols()
    }
}

/// The view broadcast to a shape, or `None` if it is incompatible.
pub fn broadcast_to<'a, A, D, E>(view: &ArrayView<'a, A, D>, lens: &[usize]) -> Option<ArrayView<'a, A, E>> {
    let (n, own) = (lens.len(), view.lens.len());
    if own > n {
        return None;
    }
    let mut steps: Vec<isize> = vec![0; n];
    for back in 0..own {
        let (k, j) = (n - 1 - back, own - 1 - back);
        if view.lens[j] == lens[k] {
            steps[k] = view.steps[j];
        } else if view.lens[j] != 1 {
            return None;
        }
    }
    Some(view_as(view, view.first, lens.to_vec(), steps))
}

/// The shape that two shapes broadcast to, or `None` if they are incompatible.
pub fn common(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut lens = long.to_vec();
    let more = long.len() - short.len();
    for k in 0..short.len() {
        let (x, y) = (lens[more + k], short[k]);
        if x != y {
            if x == 1 {
                lens[more + k] = y;
            } else if y != 1 {
                return None;
            }
        }
    }
    Some(lens)
}
