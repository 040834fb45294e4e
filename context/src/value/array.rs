//! Arrays of any rank: elements in row-major order, a view of a counted or borrowed buffer.
//!
//! - ARRAY1 the product of the shape is the number of elements, all of which are in the buffer, from `start`
//!   on.
//! - ARRAY2 clones and views are O(1); a write while another array shares the buffer first copies the view.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use smallvec::SmallVec;

use super::elements::{Elem, each_elements, each_elements_pair};
use super::spare::Spare;
use super::{Buffer, Elements, Scalar, Slice, Value, Values};
use crate::types::Ty;

/// The lengths of an array's axes; up to two are stored inline.
pub type Shape = SmallVec<[usize; 2]>;

/// An array: a shape, and the elements in row-major order.
#[derive(Clone, Debug)]
pub struct Array<'a> {
    pub(super) shape: Shape,
    pub(super) start: usize,
    pub(super) elems: Elements<'a>,
    /// The reserved capacity, in elements; see [`Array::with_capacity`].
    pub(super) capacity: usize,
    /// The id of the allocation, recorded in raw pointers into it; 0 if there are none.
    pub(super) allocation: u64,
    /// What was written behind the elements.
    pub(super) spare: Option<Arc<Spare>>,
}

impl<'a> Array<'a> {
    /// The array of this shape with these elements in row-major order; none if their number does not match.
    pub fn new(shape: &[usize], elems: Elements<'a>) -> Option<Array<'a>> {
        if shape.is_empty() || elems_of(shape)? != elems.len() {
            return None;
        }
        Some(Array {
            shape: SmallVec::from_slice(shape),
            start: 0,
            elems,
            capacity: 0,
            allocation: 0,
            spare: None,
        })
    }

    /// A vector of floats, borrowed or owned.
    pub fn from_floats(elems: std::borrow::Cow<'a, [f64]>) -> Array<'a> {
        match elems {
            std::borrow::Cow::Borrowed(elems) => Array::from_slice(elems),
            std::borrow::Cow::Owned(elems) => Array::from_vec(elems),
        }
    }

    /// A vector that owns these scalars, without a copy.
    pub fn from_vec<T: Scalar>(elems: Vec<T>) -> Array<'a> {
        Array::from_elements(elems.len(), T::wrap(Buffer::from(elems)))
    }

    /// A vector that borrows these scalars from the caller, without a copy.
    pub fn from_slice<T: Scalar>(elems: &'a [T]) -> Array<'a> {
        Array::from_elements(elems.len(), T::wrap(Buffer::from(elems)))
    }

    /// An empty vector with element type `elem`.
    pub fn empty(elem: Ty) -> Array<'a> {
        Array::from_elements(0, Elements::none(elem))
    }

    /// A vector of these values, each of type `elem`; none if one has another type (for scalar types; the
    /// contents of boxed values are not checked).
    pub fn from_values(elem: Ty, values: impl IntoIterator<Item = Value<'a>>) -> Option<Array<'a>> {
        let mut array = Array::empty(elem);
        array.extend(values)?;
        Some(array)
    }

    /// A vector of `len` copies of `value`, an `elem`.
    pub fn repeat(elem: Ty, value: Value<'a>, len: usize) -> Option<Array<'a>> {
        let mut array = Array::empty(elem);
        array.resize(len, value)?;
        Some(array)
    }

    #[inline]
    pub(super) fn from_elements(len: usize, elems: Elements<'a>) -> Array<'a> {
        Array {
            shape: Shape::from_buf_and_len([len, 0], 1),
            start: 0,
            elems,
            capacity: 0,
            allocation: 0,
            spare: None,
        }
    }

    /// The id of the array's allocation, by which raw pointers into it recognise it.
    pub(super) fn allocation(&mut self) -> u64 {
        static LAST: AtomicU64 = AtomicU64::new(0);
        if self.allocation == 0 {
            self.allocation = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        }
        self.allocation
    }

    /// The lengths of the axes.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The number of axes.
    #[inline]
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        match self.shape.as_slice() {
            [len] => *len,
            shape => shape.iter().product(),
        }
    }

    /// Whether the array has no elements.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The type of the elements.
    pub fn elem_ty(&self) -> Ty {
        self.elems.ty()
    }

    /// The reserved capacity, in elements; 0 if none was reserved.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// The array with this capacity, in the sense of `Vec::capacity`. Nothing is allocated: it is a number
    /// that edits, copies and views keep, so that it does not depend on the executor.
    #[must_use]
    pub fn with_capacity(mut self, capacity: usize) -> Array<'a> {
        self.capacity = capacity;
        self
    }

    /// The type of the array.
    pub fn ty(&self) -> Ty {
        Ty::array(self.elem_ty(), u32::try_from(self.rank()).expect("fewer axes than 2^32"))
    }

    /// The size in bytes of the whole buffer, 0 if it is borrowed from the caller, and of what is behind the elements.
    pub fn bytes(&self) -> usize {
        each_elements!(&self.elems, elems => elems.bytes()) + self.spare_bytes()
    }

    /// The number of bytes that the next write will copy: 0 if no other array shares the buffer.
    pub fn bytes_to_write(&self) -> usize {
        each_elements!(&self.elems, elems => elems.bytes_to_write(self.len()))
    }

    /// The identity of the buffer: two arrays with the same address share it.
    pub fn buffer_address(&self) -> *const () {
        each_elements!(&self.elems, elems => elems.as_ptr().cast())
    }

    /// The range of the buffer that belongs to this array.
    #[inline]
    pub fn view(&self) -> Range<usize> {
        self.start..self.start + self.len()
    }

    /// The elements in row-major order, if they are `T`s.
    pub fn as_slice<T: Scalar>(&self) -> Option<&[T]> {
        Some(&T::buffer(&self.elems)?[self.view()])
    }

    /// The elements in row-major order, if they are scalars.
    pub fn to_slice(&self) -> Option<Slice<'_>> {
        self.elems.to_slice(self.view())
    }

    /// The elements in row-major order, if they are 64-bit floats.
    pub fn as_f64s(&self) -> Option<&[f64]> {
        self.as_slice()
    }

    /// The elements in row-major order, if they are not scalars.
    pub fn as_values(&self) -> Option<&[Value<'static>]> {
        match &self.elems {
            Elements::Other(_, elems) => Some(&elems[self.view()]),
            _ => None,
        }
    }

    /// The elements for writing, if they are `T`s: in place if no other array shares them, otherwise in a
    /// copy.
    pub fn to_mut<T: Scalar>(&mut self) -> Option<&mut [T]> {
        let len = self.len();
        Some(T::buffer_mut(&mut self.elems)?.write(&mut self.start, len))
    }

    /// The elements for writing, if they are 64-bit floats: in place if no other array shares them, otherwise
    /// in a copy.
    pub fn to_f64s_mut(&mut self) -> Option<&mut [f64]> {
        self.to_mut()
    }

    /// The elements for writing, if they are not scalars; the caller must preserve their type.
    pub fn to_values_mut(&mut self) -> Option<&mut [Value<'static>]> {
        let len = self.len();
        match &mut self.elems {
            Elements::Other(_, elems) => Some(elems.write(&mut self.start, len)),
            _ => None,
        }
    }

    /// The elements as a vector, if they are `T`s: without a copy if this is their only owner.
    ///
    /// # Errors
    /// The array itself, if the elements are of another type.
    pub fn into_vec<T: Scalar>(mut self) -> Result<Vec<T>, Array<'a>> {
        let view = self.view();
        match T::buffer_mut(&mut self.elems) {
            Some(buffer) => {
                let buffer = std::mem::replace(buffer, Buffer::Borrowed(&[]));
                Ok(buffer.into_vec(view.start, view.len()))
            }
            None => Err(self),
        }
    }

    /// The elements as values, without copying them if this is their only owner.
    pub fn into_values(self) -> Vec<Value<'a>> {
        let view = self.view();
        match self.elems {
            Elements::Other(_, Values::Boxed(elems)) => elems.into_vec(view.start, view.len()),
            _ => self.iter().collect(),
        }
    }

    /// The element at `at` in row-major order.
    pub fn get(&self, at: usize) -> Option<Value<'a>> {
        if at >= self.len() {
            return None;
        }
        let at = self.start + at;
        Some(each_elements!(&self.elems, elems => Elem::to_value(&elems[at]), (_) => elems.value(at)))
    }

    /// Writes the element at `at` in row-major order; none if there is no such element or `value` has another
    /// type.
    #[must_use]
    pub fn set(&mut self, at: usize, value: Value<'a>) -> Option<()> {
        let len = self.len();
        if at >= len {
            return None;
        }
        if self.splice_packed(at..at + 1, std::slice::from_ref(&value)).is_some() {
            return Some(());
        }
        each_elements!(&mut self.elems, elems => {
            let value = Elem::of_value(value)?;
            elems.write(&mut self.start, len)[at] = value;
        });
        Some(())
    }

    /// The elements in row-major order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Value<'a>> + ExactSizeIterator + '_ {
        let (start, elems) = (self.start, &self.elems);
        (0..self.len()).map(move |at| {
            let at = start + at;
            each_elements!(elems, elems => Elem::to_value(&elems[at]), (_) => elems.value(at))
        })
    }

    /// A view of the range `from .. to` of the first axis; none if it is out of bounds.
    pub fn slice(&self, from: usize, to: usize) -> Option<Array<'a>> {
        let (rows, inner) = self.shape.split_first()?;
        if from > to || to > *rows {
            return None;
        }
        let row: usize = inner.iter().product();
        let mut part = self.clone();
        part.shape[0] = to - from;
        part.start += from * row;
        Some(part)
    }

    /// A view at index `at` of the first axis, with one axis less; none for a vector, or if `at` is out of
    /// bounds.
    pub fn row(&self, at: usize) -> Option<Array<'a>> {
        if self.rank() < 2 {
            return None;
        }
        let mut row = self.slice(at, at.checked_add(1)?)?;
        row.shape.remove(0);
        Some(row)
    }

    /// A vector view of other elements of the same buffer; `None` if the buffer is too short.
    pub fn viewed(&self, range: Range<usize>) -> Option<Array<'a>> {
        let stored = each_elements!(&self.elems, elems => elems.len());
        let is_within = range.start <= range.end && range.end <= stored && self.rank() == 1;
        is_within.then(|| {
            let mut viewed = self.clone();
            (viewed.start, viewed.shape[0]) = (range.start, range.len());
            viewed
        })
    }

    /// A vector view of this length that starts at the same element; the buffer must be long enough.
    pub fn with_len(&self, len: usize) -> Option<Array<'a>> {
        self.viewed(self.start..self.start.checked_add(len)?)
    }

    /// The same elements in another shape, with the same number of elements.
    pub fn reshape(mut self, shape: &[usize]) -> Option<Array<'a>> {
        if shape.is_empty() || elems_of(shape)? != self.len() {
            return None;
        }
        self.shape = SmallVec::from_slice(shape);
        Some(self)
    }

    /// The array with owned elements: elements borrowed from a caller are copied.
    pub(super) fn into_owned(self) -> Array<'static> {
        let view = self.view();
        let (elems, start) = self.elems.into_owned(view);
        Array {
            shape: self.shape,
            start,
            elems,
            capacity: self.capacity,
            allocation: self.allocation,
            spare: self.spare,
        }
    }

    /// Whether both have the same shape and the same elements, to the bit.
    pub fn same(&self, other: &Array<'_>) -> bool {
        self.shape == other.shape
            && each_elements_pair!((&self.elems, &other.elems), (a, b) => {
                let (a, b) = (&a[self.view()], &b[other.view()]);
                a.iter().zip(b).all(|(a, b)| a.same(b))
            }, _ => false)
    }
}

/// The number of elements of an array of this shape, if it does not overflow; as in ndarray, the product of
/// the nonzero lengths must not overflow, even if another axis has length 0.
pub fn elems_of(shape: &[usize]) -> Option<usize> {
    let nonzero_product =
        shape.iter().filter(|len| **len > 0).try_fold(1usize, |n, len| n.checked_mul(*len))?;
    let n = if shape.contains(&0) { 0 } else { nonzero_product };
    (nonzero_product <= isize::MAX as usize).then_some(n)
}
