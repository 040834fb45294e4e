//! Strided parts and rearrangements of arrays, like ndarray's views, but copied in row-major order.

use smallvec::SmallVec;

use super::{Array, Shape, Value, elems_of};

/// The indices of the elements of a strided view: a start, and a length and a step for each axis.
#[derive(Clone, Debug)]
pub struct Strided {
    /// The index of the first element.
    pub start: usize,
    /// The length of each axis.
    pub shape: Shape,
    /// The index increment along each axis; 0 repeats, a negative step goes backwards.
    pub steps: SmallVec<[isize; 2]>,
}

impl Strided {
    /// All elements of an array of this shape.
    pub fn all(shape: &[usize]) -> Strided {
        let mut step = 1usize;
        let mut steps: SmallVec<[isize; 2]> = SmallVec::from_elem(0, shape.len());
        for (slot, len) in steps.iter_mut().zip(shape).rev() {
            *slot = step.cast_signed();
            step = step.saturating_mul((*len).max(1));
        }
        Strided { start: 0, shape: SmallVec::from_slice(shape), steps }
    }

    /// The number of elements.
    pub fn count(&self) -> Option<usize> {
        elems_of(&self.shape)
    }

    /// The view at index `at` along `axis`, without that axis.
    #[must_use]
    pub fn index_axis(mut self, axis: usize, at: usize) -> Strided {
        self.start = self.start.wrapping_add_signed(self.steps[axis].wrapping_mul(at.cast_signed()));
        self.shape.remove(axis);
        self.steps.remove(axis);
        self
    }

    /// The indices, in row-major order.
    pub fn places(&self) -> Places<'_> {
        let left = self.count().unwrap_or(0);
        Places { view: self, at: SmallVec::from_elem(0, self.shape.len()), next: self.start, left }
    }
}

/// An iterator over the indices of a [`Strided`] view, in row-major order.
#[derive(Clone, Debug)]
pub struct Places<'v> {
    view: &'v Strided,
    at: Shape,
    next: usize,
    left: usize,
}

impl Iterator for Places<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let place = self.next;
        for axis in (0..self.at.len()).rev() {
            let step = self.view.steps[axis];
            self.at[axis] += 1;
            if self.at[axis] < self.view.shape[axis] {
                self.next = self.next.wrapping_add_signed(step);
                break;
            }
            let rewind = step.wrapping_mul((self.at[axis] - 1).cast_signed());
            self.next = self.next.wrapping_add_signed(rewind.wrapping_neg());
            self.at[axis] = 0;
        }
        Some(place)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Places<'_> {}

impl<'a> Array<'a> {
    /// The elements of a view, whose indices must exist, in its shape.
    pub fn strided(&self, view: &Strided) -> Option<Array<'a>> {
        self.gather(view.places()).reshape(&view.shape)
    }

    /// Writes the elements of `part` to the indices of a view, which must exist.
    #[must_use]
    pub fn scatter(&mut self, view: &Strided, part: &Array<'a>) -> Option<()> {
        if part.elem_ty() != self.elem_ty() || part.len() != view.count()? {
            return None;
        }
        view.places()
            .zip(part.iter())
            .try_for_each(|(place, value): (usize, Value<'a>)| self.set(place, value))
    }
}
