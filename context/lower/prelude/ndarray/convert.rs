//! Views, copies, and the same elements with another type or shape.

use crate::data::{ViewRepr, from_elems, view_as, view_as_mut};
use crate::dim::*;
use crate::error::{ErrorKind, ShapeError};
use crate::{Array, ArrayBase, ArrayView, ArrayViewMut, Data, DataMut, Order, OwnedRepr};

/// The result of changing the number of axes of an array.
pub trait WithDimension<D: Dimension, E: Dimension>: Data {
    type With;
    fn with_dim(array: ArrayBase<Self, D>) -> ArrayBase<Self::With, E>;
    fn moved(array: ArrayBase<Self, D>, first: usize, lens: Vec<usize>, steps: Vec<isize>) -> ArrayBase<Self::With, E>;
    fn reshaped(array: ArrayBase<Self, D>, lens: Vec<usize>, order: Order) -> Result<ArrayBase<Self::With, E>, ShapeError>;

    fn restrided(array: ArrayBase<Self, D>, lens: Vec<usize>, steps: Vec<isize>) -> ArrayBase<Self::With, E> {
        let first = Self::view_of(&array).first;
        Self::moved(array, first, lens, steps)
    }
}

impl<A: Clone, D: Dimension, E: Dimension> WithDimension<D, E> for OwnedRepr<A> {
    type With = OwnedRepr<A>;

    fn with_dim(array: Array<A, D>) -> Array<A, E> {
        let lens = array.shape().to_vec();
        E::owned(array.to_elems(), lens)
    }

    fn moved(array: Array<A, D>, first: usize, lens: Vec<usize>, steps: Vec<isize>) -> Array<A, E> {
        let view = D::view_of(&array);
        let other: ArrayView<'_, A, E> = view_as(&view, first, lens, steps);
        other.to_owned()
    }

    fn reshaped(array: Array<A, D>, lens: Vec<usize>, order: Order) -> Result<Array<A, E>, ShapeError> {
        let view = D::view_of(&array);
        Ok(reordered(&view, lens, order))
    }
}

impl<'a, A, D: Dimension, E: Dimension> WithDimension<D, E> for ViewRepr<&'a A> {
    type With = ViewRepr<&'a A>;

    fn with_dim(array: ArrayView<'a, A, D>) -> ArrayView<'a, A, E> {
        view_as(&array, array.first, array.lens, array.steps)
    }

    fn moved(array: ArrayView<'a, A, D>, first: usize, lens: Vec<usize>, steps: Vec<isize>) -> ArrayView<'a, A, E> {
        view_as(&array, first, lens, steps)
    }

    fn reshaped(array: ArrayView<'a, A, D>, lens: Vec<usize>, order: Order) -> Result<ArrayView<'a, A, E>, ShapeError> {
        let steps = steps_of(&array.lens, &array.steps, &lens, order)?;
        Ok(view_as(&array, array.first, lens, steps))
    }
}

impl<'a, A, D: Dimension, E: Dimension> WithDimension<D, E> for ViewRepr<&'a mut A> {
    type With = ViewRepr<&'a mut A>;

    fn with_dim(array: ArrayViewMut<'a, A, D>) -> ArrayViewMut<'a, A, E> {
        let (first, lens, steps) = (array.first, array.lens.to_vec(), array.steps.to_vec());
        view_as_mut(array, first, lens, steps)
    }

    fn moved(array: ArrayViewMut<'a, A, D>, first: usize, lens: Vec<usize>, steps: Vec<isize>) -> ArrayViewMut<'a, A, E> {
        view_as_mut(array, first, lens, steps)
    }

    fn reshaped(array: ArrayViewMut<'a, A, D>, lens: Vec<usize>, order: Order) -> Result<ArrayViewMut<'a, A, E>, ShapeError> {
        let steps = steps_of(&array.lens, &array.steps, &lens, order)?;
        let first = array.first;
        Ok(view_as_mut(array, first, lens, steps))
    }
}

/// The strides of a view in another shape, if its elements are in that order.
fn steps_of(lens: &[usize], steps: &[isize], new: &[usize], order: Order) -> Result<Vec<isize>, ShapeError> {
    if order.is_row_major() {
        if crate::places::is_standard(lens, steps) {
            return Ok(crate::data::standard_steps(new));
        }
    } else {
        let (lens, steps): (Vec<usize>, Vec<isize>) =
            (lens.iter().rev().copied().collect(), steps.iter().rev().copied().collect());
        if crate::places::is_standard(&lens, &steps) {
            let new: Vec<usize> = new.iter().rev().copied().collect();
            let mut steps = crate::data::standard_steps(&new);
            steps.reverse();
            return Ok(steps);
        }
    }
    Err(ShapeError::from_kind(ErrorKind::IncompatibleLayout))
}

/// The elements of a view in an order, in another shape.
pub fn reordered<A: Clone, D: Dimension, E: Dimension>(view: &ArrayView<'_, A, D>, lens: Vec<usize>, order: Order) -> Array<A, E> {
    if order.is_row_major() {
        return E::owned(view.to_elems(), lens);
    }
    let turned = (*view).reversed_axes().to_elems();
    E::owned(crate::shape::from_column_major(turned, &lens), lens)
}

impl<A, S: Data<Elem = A>, D: Dimension> ArrayBase<S, D> {
    pub fn view(&self) -> ArrayView<'_, A, D> {
        S::view_of(self)
    }

    pub fn view_mut(&mut self) -> ArrayViewMut<'_, A, D>
    where
        S: DataMut,
    {
        S::view_mut_of(self)
    }

    /// The elements in logical order.
    pub fn to_elems(&self) -> Vec<A>
    where
        A: Clone,
    {
        let view = S::view_of(self);
        if crate::places::is_standard(&view.lens, &view.steps) {
            return std::slice::part(view.data.elems, view.first, view.first + crate::shape::size(&view.lens)).to_vec();
        }
        view.iter().cloned().collect()
    }

    pub fn to_owned(&self) -> Array<A, D>
    where
        A: Clone,
    {
        D::owned(self.to_elems(), S::view_of(self).lens)
    }

    pub fn into_owned(self) -> Array<A, D>
    where
        A: Clone,
    {
        self.to_owned()
    }

    pub fn to_shared(&self) -> Array<A, D>
    where
        A: Clone,
    {
        self.to_owned()
    }

    pub fn into_shared(self) -> Array<A, D>
    where
        A: Clone,
    {
        self.to_owned()
    }

    pub fn as_standard_layout(&self) -> Array<A, D>
    where
        A: Clone,
    {
        self.to_owned()
    }

    pub fn as_slice(&self) -> Option<&[A]> {
        let view = S::view_of(self);
        if crate::places::is_standard(&view.lens, &view.steps) {
            Some(std::slice::part(view.data.elems, view.first, view.first + crate::shape::size(&view.lens)))
        } else {
            None
        }
    }

    pub fn as_slice_mut(&mut self) -> Option<&mut [A]>
    where
        S: DataMut,
    {
        let view = S::view_mut_of(self);
        if crate::places::is_standard(&view.lens, &view.steps) {
            let end = view.first + crate::shape::size(&view.lens);
            Some(std::slice::part_mut(view.data.elems, view.first, end))
        } else {
            None
        }
    }

    pub fn as_slice_memory_order(&self) -> Option<&[A]> {
        let view = S::view_of(self);
        match crate::reduce::contiguous(&view) {
            Some(first) => Some(std::slice::part(view.data.elems, first, first + crate::shape::size(&view.lens))),
            None => None,
        }
    }

    pub fn into_raw_vec(self) -> Vec<A>
    where
        A: Clone,
    {
        self.to_elems()
    }

    pub fn into_raw_vec_and_offset(self) -> (Vec<A>, Option<usize>)
    where
        A: Clone,
    {
        let elems = self.to_elems();
        let offset = if elems.is_empty() { None } else { Some(0) };
        (elems, offset)
    }
}

impl<A, S: Data<Elem = A>> ArrayBase<S, Ix1> {
    pub fn to_vec(&self) -> Vec<A>
    where
        A: Clone,
    {
        self.to_elems()
    }
}

impl<A: Clone, S: Data<Elem = A>> ArrayBase<S, Ix0> {
    pub fn into_scalar(self) -> A {
        let view = S::view_of(&self);
        view.data.elems[view.first].clone()
    }
}

impl<'a, A, D: Dimension> ArrayView<'a, A, D> {
    pub fn reborrow(self) -> ArrayView<'a, A, D> {
        self
    }

    pub fn to_slice(&self) -> Option<&'a [A]> {
        self.as_slice()
    }
}

impl<A> From<Vec<A>> for Array<A, Ix1> {
    #[op("id")]
    fn from(elems: Vec<A>) -> Array<A, Ix1>;
}

impl<A> FromIterator<A> for Array<A, Ix1> {
    fn from_iter<I: IntoIterator<Item = A>>(iter: I) -> Array<A, Ix1> {
        Array::from(Vec::from_iter(iter))
    }
}

impl<A: Clone, const N: usize> From<[A; N]> for Array<A, Ix1> {
    fn from(elems: [A; N]) -> Array<A, Ix1> {
        Array::from(elems.to_vec())
    }
}

impl<A: Clone> From<&[A]> for Array<A, Ix1> {
    fn from(elems: &[A]) -> Array<A, Ix1> {
        Array::from(elems.to_vec())
    }
}

impl<A: Clone, const N: usize> From<Vec<[A; N]>> for Array<A, Ix2> {
    fn from(rows: Vec<[A; N]>) -> Array<A, Ix2> {
        let mut elems = Vec::new();
        for row in rows.iter() {
            elems.extend_from_slice(row.as_slice());
        }
        from_elems(elems, vec![rows.len(), N])
    }
}

impl<A: Clone, const N: usize, const M: usize> From<[[A; N]; M]> for Array<A, Ix2> {
    fn from(rows: [[A; N]; M]) -> Array<A, Ix2> {
        Array::from(rows.to_vec())
    }
}

impl<A: Clone, const N: usize, const M: usize> From<Vec<[[A; N]; M]>> for Array<A, Ix3> {
    fn from(blocks: Vec<[[A; N]; M]>) -> Array<A, Ix3> {
        let mut elems = Vec::new();
        for block in blocks.iter() {
            for row in block.iter() {
                elems.extend_from_slice(row.as_slice());
            }
        }
        from_elems(elems, vec![blocks.len(), M, N])
    }
}

impl<A: Clone, const N: usize, const M: usize, const L: usize> From<[[[A; N]; M]; L]> for Array<A, Ix3> {
    fn from(blocks: [[[A; N]; M]; L]) -> Array<A, Ix3> {
        Array::from(blocks.to_vec())
    }
}

impl<'a, A> From<&'a [A]> for ArrayView<'a, A, Ix1> {
    fn from(elems: &'a [A]) -> ArrayView<'a, A, Ix1> {
        crate::data::standard(elems, vec![elems.len()])
    }
}

impl<'a, A> From<&'a Vec<A>> for ArrayView<'a, A, Ix1> {
    fn from(elems: &'a Vec<A>) -> ArrayView<'a, A, Ix1> {
        crate::data::standard(elems.as_slice(), vec![elems.len()])
    }
}

impl<'a, A, const N: usize> From<&'a [A; N]> for ArrayView<'a, A, Ix1> {
    fn from(elems: &'a [A; N]) -> ArrayView<'a, A, Ix1> {
        crate::data::standard(elems.as_slice(), vec![N])
    }
}

impl<'a, A> From<&'a mut [A]> for ArrayViewMut<'a, A, Ix1> {
    fn from(elems: &'a mut [A]) -> ArrayViewMut<'a, A, Ix1> {
        let n = elems.len();
        crate::data::standard_mut(elems, vec![n])
    }
}

impl<'a, A, S: Data<Elem = A>, D: Dimension> From<&'a ArrayBase<S, D>> for ArrayView<'a, A, D> {
    fn from(array: &'a ArrayBase<S, D>) -> ArrayView<'a, A, D> {
        array.view()
    }
}

impl<'a, A: Clone, D: Dimension> From<ArrayView<'a, A, D>> for Array<A, D> {
    fn from(view: ArrayView<'a, A, D>) -> Array<A, D> {
        view.to_owned()
    }
}

impl<A, D: Dimension> std::ops::Deref for Array<A, D> {
    type Target = crate::ArrayRef<A, D>;

    fn deref(&self) -> &crate::ArrayRef<A, D> {
        &D::view_of(self)
    }
}

impl<'a, A, D: Dimension> std::ops::Deref for ArrayViewMut<'a, A, D> {
    type Target = crate::ArrayRef<A, D>;

    fn deref(&self) -> &crate::ArrayRef<A, D> {
        &ViewRepr::view_of(self)
    }
}
