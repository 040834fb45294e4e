//! Parts of arrays along their axes.

use crate::data::{view_as, view_as_mut};
use crate::dim::*;
use crate::iterators::{AxisIter, AxisIterMut, Lanes, LanesMut, along, along_mut, lanes, lanes_mut};
use crate::{Array, ArrayBase, ArrayView, ArrayView1, ArrayViewMut, ArrayViewMut1, Data, DataMut};

/// The position of the first element at an index of an axis.
fn place(first: usize, lens: &[usize], steps: &[isize], axis: usize, index: usize) -> usize {
    assert!(index < lens[axis], "assertion failed: index < dim");
    (first as isize + index as isize * steps[axis]) as usize
}

fn without<T: Copy>(all: &[T], axis: usize) -> Vec<T> {
    let mut rest = all.to_vec();
    rest.remove(axis);
    rest
}

impl<A, S: Data<Elem = A>, D: Dimension> ArrayBase<S, D> {
    pub fn index_axis(&self, axis: Axis, index: usize) -> ArrayView<'_, A, D::Smaller> {
        let view = S::view_of(self);
        let first = place(view.first, &view.lens, &view.steps, axis.0, index);
        view_as(&view, first, without(&view.lens, axis.0), without(&view.steps, axis.0))
    }

    pub fn index_axis_mut(&mut self, axis: Axis, index: usize) -> ArrayViewMut<'_, A, D::Smaller>
    where
        S: DataMut,
    {
        let view = S::view_mut_of(self);
        let first = place(view.first, &view.lens, &view.steps, axis.0, index);
        let (lens, steps) = (without(&view.lens, axis.0), without(&view.steps, axis.0));
        view_as_mut(view, first, lens, steps)
    }

    pub fn index_axis_move(self, axis: Axis, index: usize) -> ArrayBase<S::With, D::Smaller>
    where
        S: crate::convert::WithDimension<D, D::Smaller>,
    {
        let view = S::view_of(&self);
        let first = place(view.first, &view.lens, &view.steps, axis.0, index);
        S::moved(self, first, without(&view.lens, axis.0), without(&view.steps, axis.0))
    }

    pub fn collapse_axis(&mut self, axis: Axis, index: usize)
    where
        S: crate::convert::WithDimension<D, D, With = S>,
    {
        let view = S::view_of(self);
        let first = place(view.first, &view.lens, &view.steps, axis.0, index);
        let mut lens = view.lens;
        lens[axis.0] = 1;
        *self = S::moved(*self, first, lens, view.steps);
    }

    pub fn axis_iter(&self, axis: Axis) -> AxisIter<'_, A, D::Smaller> {
        let view = S::view_of(self);
        let (len, step) = (view.lens[axis.0], view.steps[axis.0]);
        along(view.data.elems, view.first, (len, step), without(&view.lens, axis.0), without(&view.steps, axis.0))
    }

    pub fn axis_iter_mut(&mut self, axis: Axis) -> AxisIterMut<'_, A, D::Smaller>
    where
        S: DataMut,
    {
        let view = S::view_mut_of(self);
        let (len, step) = (view.lens[axis.0], view.steps[axis.0]);
        let (lens, steps) = (without(&view.lens, axis.0), without(&view.steps, axis.0));
        along_mut(view.data.elems, view.first, (len, step), lens, steps)
    }

    pub fn outer_iter(&self) -> AxisIter<'_, A, D::Smaller> {
        self.axis_iter(Axis(0))
    }

    pub fn outer_iter_mut(&mut self) -> AxisIterMut<'_, A, D::Smaller>
    where
        S: DataMut,
    {
        self.axis_iter_mut(Axis(0))
    }

    /// Chunks of `size` along an axis; the last one is shorter if the length is not a multiple.
    pub fn axis_chunks_iter(&self, axis: Axis, size: usize) -> std::vec::IntoIter<ArrayView<'_, A, D>> {
        assert!(size > 0, "Chunk size must be nonzero.");
        let view = S::view_of(self);
        let (len, step) = (view.lens[axis.0], view.steps[axis.0]);
        let mut chunks = Vec::new();
        let mut from = 0;
        while from < len {
            let mut lens = view.lens.to_vec();
            lens[axis.0] = if len - from < size { len - from } else { size };
            let first = (view.first as isize + from as isize * step) as usize;
            chunks.push(view_as(&view, first, lens, view.steps.to_vec()));
            from += size;
        }
        chunks.into_iter()
    }

    pub fn lanes(&self, axis: Axis) -> Lanes<'_, A, D::Smaller> {
        lanes(&S::view_of(self), axis.0)
    }

    pub fn lanes_mut(&mut self, axis: Axis) -> LanesMut<'_, A, D::Smaller>
    where
        S: DataMut,
    {
        lanes_mut(S::view_mut_of(self), axis.0)
    }

    pub fn rows(&self) -> Lanes<'_, A, D::Smaller> {
        let view = S::view_of(self);
        lanes(&view, view.lens.len() - 1)
    }

    pub fn rows_mut(&mut self) -> LanesMut<'_, A, D::Smaller>
    where
        S: DataMut,
    {
        let view = S::view_mut_of(self);
        let last = view.lens.len() - 1;
        lanes_mut(view, last)
    }

    pub fn genrows(&self) -> Lanes<'_, A, D::Smaller> {
        self.rows()
    }

    pub fn genrows_mut(&mut self) -> LanesMut<'_, A, D::Smaller>
    where
        S: DataMut,
    {
        self.rows_mut()
    }

    pub fn columns(&self) -> Lanes<'_, A, D::Smaller> {
        lanes(&S::view_of(self), 0)
    }

    pub fn columns_mut(&mut self) -> LanesMut<'_, A, D::Smaller>
    where
        S: DataMut,
    {
        lanes_mut(S::view_mut_of(self), 0)
    }

    pub fn gencolumns(&self) -> Lanes<'_, A, D::Smaller> {
        self.columns()
    }

    pub fn gencolumns_mut(&mut self) -> LanesMut<'_, A, D::Smaller>
    where
        S: DataMut,
    {
        self.columns_mut()
    }

    pub fn diag(&self) -> ArrayView1<'_, A> {
        let view = S::view_of(self);
        let (len, step) = diagonal(&view.lens, &view.steps);
        view_as(&view, view.first, vec![len], vec![step])
    }

    pub fn diag_mut(&mut self) -> ArrayViewMut1<'_, A>
    where
        S: DataMut,
    {
        let view = S::view_mut_of(self);
        let (len, step) = diagonal(&view.lens, &view.steps);
        let first = view.first;
        view_as_mut(view, first, vec![len], vec![step])
    }

    pub fn into_diag(self) -> Array<A, Ix1>
    where
        A: Clone,
    {
        self.diag().to_owned()
    }

    /// The parts at these indices of an axis, concatenated.
    pub fn select(&self, axis: Axis, indices: &[usize]) -> Array<A, D>
    where
        A: Clone,
    {
        let mut lens = S::view_of(self).lens;
        lens[axis.0] = indices.len();
        let parts: Vec<ArrayView<'_, A, D::Smaller>> = indices.iter().map(|i| self.index_axis(axis, *i)).collect();
        D::owned(crate::stack::interleaved(&parts, axis.0, &lens), lens)
    }

    /// Windows of a shape at every position where one fits.
    pub fn windows<E: IntoDimension<Dim = D>>(&self, size: E) -> std::vec::IntoIter<ArrayView<'_, A, D>> {
        let view = S::view_of(self);
        let size = size.into_dimension().axes();
        let mut starts = Vec::new();
        for k in 0..size.len() {
            assert!(size[k] > 0, "window-size must not be zero");
            starts.push(if view.lens[k] < size[k] { 0 } else { view.lens[k] - size[k] + 1 });
        }
        let mut firsts = crate::places::places(view.first, &starts, &view.steps);
        let mut windows = Vec::new();
        while let Some(first) = firsts.next() {
            windows.push(view_as(&view, first, size.to_vec(), view.steps.to_vec()));
        }
        windows.into_iter()
    }

    pub fn split_at(self, axis: Axis, index: usize) -> (ArrayBase<S::With, D>, ArrayBase<S::With, D>)
    where
        S: crate::convert::WithDimension<D, D>,
    {
        let view = S::view_of(&self);
        let (len, step) = (view.lens[axis.0], view.steps[axis.0]);
        assert!(index <= len, "assertion failed: index <= self.len_of(axis)");
        let (mut left, mut right) = (view.lens.to_vec(), view.lens.to_vec());
        left[axis.0] = index;
        right[axis.0] = len - index;
        let second = (view.first as isize + if index == len { 0 } else { index as isize * step }) as usize;
        (S::moved(self, view.first, left, view.steps.to_vec()), S::moved(self, second, right, view.steps.to_vec()))
    }
}

fn diagonal(lens: &[usize], steps: &[isize]) -> (usize, isize) {
    let len = lens.iter().copied().min().unwrap_or(1);
    (len, steps.iter().sum())
}

impl<A, S: Data<Elem = A>> ArrayBase<S, Ix2> {
    pub fn row(&self, index: usize) -> ArrayView1<'_, A> {
        self.index_axis(Axis(0), index)
    }

    pub fn row_mut(&mut self, index: usize) -> ArrayViewMut1<'_, A>
    where
        S: DataMut,
    {
        self.index_axis_mut(Axis(0), index)
    }

    pub fn column(&self, index: usize) -> ArrayView1<'_, A> {
        self.index_axis(Axis(1), index)
    }

    pub fn column_mut(&mut self, index: usize) -> ArrayViewMut1<'_, A>
    where
        S: DataMut,
    {
        self.index_axis_mut(Axis(1), index)
    }
}
