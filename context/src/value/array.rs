//! Arrays of any rank: elements in row-major order, a view of a counted or borrowed buffer.
//!
//! - A1 the product of the shape is the number of elements, all of which lie in the buffer from `start` on.
//! - A2 a clone is O(1) and so is a view; who writes while another sees the buffer writes to a copy of its view.

use std::ops::Range;

use smallvec::SmallVec;

use super::elements::{Elem, each_elements, each_elements_pair};
use super::{Buffer, Elements, Scalar, Value};
use crate::ir::Ty;

/// The lengths of an array's axes; up to two are stored in place.
pub type Shape = SmallVec<[usize; 2]>;

/// An array: a shape, and the elements in row-major order.
#[derive(Clone, Debug)]
pub struct Array<'a> {
    shape: Shape,
    start: usize,
    elems: Elements<'a>,
}

impl<'a> Array<'a> {
    /// The array of this shape with these elements in row-major order; none if they are not as many.
    pub fn new(shape: &[usize], elems: Elements<'a>) -> Option<Array<'a>> {
        if shape.is_empty() || elems_of(shape)? != elems.len() {
            return None;
        }
        Some(Array { shape: SmallVec::from_slice(shape), start: 0, elems })
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
        Array::from_buffer(elems.len(), T::wrap(Buffer::from(elems)))
    }

    /// A vector that borrows these scalars from the caller, without a copy.
    pub fn from_slice<T: Scalar>(elems: &'a [T]) -> Array<'a> {
        Array::from_buffer(elems.len(), T::wrap(Buffer::from(elems)))
    }

    /// A vector of `elem`s without any.
    pub fn empty(elem: Ty) -> Array<'a> {
        Array::from_buffer(0, Elements::none(elem))
    }

    /// A vector of these values, each of type `elem`; none if one is of another type (a scalar one, that is: what
    /// is inside boxed values is not looked at).
    pub fn from_values(elem: Ty, values: impl IntoIterator<Item = Value<'a>>) -> Option<Array<'a>> {
        let mut array = Array::empty(elem);
        array.extend(values)?;
        Some(array)
    }

    /// A vector of `len` times `value`, an `elem`.
    pub fn repeat(elem: Ty, value: Value<'a>, len: usize) -> Option<Array<'a>> {
        let mut array = Array::empty(elem);
        array.resize(len, value)?;
        Some(array)
    }

    fn from_buffer(len: usize, elems: Elements<'a>) -> Array<'a> {
        Array { shape: SmallVec::from_slice(&[len]), start: 0, elems }
    }

    /// The lengths of its axes.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The number of its axes.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number of its elements.
    pub fn len(&self) -> usize {
        match self.shape.as_slice() {
            [len] => *len,
            shape => shape.iter().product(),
        }
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The type of its elements.
    pub fn elem_ty(&self) -> Ty {
        self.elems.ty()
    }

    /// Its type.
    pub fn ty(&self) -> Ty {
        Ty::array(self.elem_ty(), u32::try_from(self.rank()).expect("fewer axes than 2^32"))
    }

    /// The bytes that its buffer takes, beyond its view too; none if it is borrowed from the caller.
    pub fn bytes(&self) -> usize {
        each_elements!(&self.elems, elems => elems.bytes())
    }

    /// The bytes that the next write will copy: none if no other array sees its buffer.
    pub fn bytes_to_write(&self) -> usize {
        each_elements!(&self.elems, elems => elems.bytes_to_write(self.len()))
    }

    /// What tells its buffer from others: two arrays with one address share it.
    pub fn buffer_address(&self) -> *const () {
        each_elements!(&self.elems, elems => elems.as_ptr().cast())
    }

    fn view(&self) -> Range<usize> {
        self.start..self.start + self.len()
    }

    /// Its elements in row-major order, if they are `T`s.
    pub fn as_slice<T: Scalar>(&self) -> Option<&[T]> {
        Some(&T::buffer(&self.elems)?[self.view()])
    }

    /// Its elements in row-major order, if they are 64-bit floats.
    pub fn as_f64s(&self) -> Option<&[f64]> {
        self.as_slice()
    }

    /// Its elements in row-major order, if they are not scalars.
    pub fn as_values(&self) -> Option<&[Value<'static>]> {
        match &self.elems {
            Elements::Other(_, elems) => Some(&elems[self.view()]),
            _ => None,
        }
    }

    /// Its elements, to be written, if they are `T`s: in place if no other array sees them, else a copy.
    pub fn to_mut<T: Scalar>(&mut self) -> Option<&mut [T]> {
        let len = self.len();
        Some(T::buffer_mut(&mut self.elems)?.write(&mut self.start, len))
    }

    /// Its elements, to be written, if they are 64-bit floats: in place if no other array sees them, else a copy.
    pub fn to_f64s_mut(&mut self) -> Option<&mut [f64]> {
        self.to_mut()
    }

    /// Its elements, to be written, if they are not scalars; their type must stay.
    pub fn to_values_mut(&mut self) -> Option<&mut [Value<'static>]> {
        let len = self.len();
        match &mut self.elems {
            Elements::Other(_, elems) => Some(elems.write(&mut self.start, len)),
            _ => None,
        }
    }

    /// Its elements as a vector, if they are `T`s: without a copy if it is their only owner.
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

    /// Its elements as values, without copying them if it is their only owner.
    pub fn into_values(self) -> Vec<Value<'a>> {
        let view = self.view();
        match self.elems {
            Elements::Other(_, elems) => elems.into_vec(view.start, view.len()),
            _ => self.iter().collect(),
        }
    }

    /// The element at `at` in row-major order.
    pub fn get(&self, at: usize) -> Option<Value<'a>> {
        if at >= self.len() {
            return None;
        }
        Some(each_elements!(&self.elems, elems => Elem::to_value(&elems[self.start + at])))
    }

    /// Writes the element at `at` in row-major order; none if there is no such element or `value` is not one.
    #[must_use]
    pub fn set(&mut self, at: usize, value: Value<'a>) -> Option<()> {
        let len = self.len();
        if at >= len {
            return None;
        }
        each_elements!(&mut self.elems, elems => {
            let value = Elem::of_value(value)?;
            elems.write(&mut self.start, len)[at] = value;
        });
        Some(())
    }

    /// Its elements in row-major order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Value<'a>> + ExactSizeIterator + '_ {
        let (start, elems) = (self.start, &self.elems);
        (0..self.len()).map(move |at| each_elements!(elems, elems => Elem::to_value(&elems[start + at])))
    }

    /// Its part `from .. to` along the first axis: a view. None if that is not within it.
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

    /// Its part at `at` of the first axis, of one axis less: a view. None for a vector, or if `at` is not within.
    pub fn row(&self, at: usize) -> Option<Array<'a>> {
        if self.rank() < 2 {
            return None;
        }
        let mut row = self.slice(at, at.checked_add(1)?)?;
        row.shape.remove(0);
        Some(row)
    }

    /// The same elements in another shape, which must hold as many.
    pub fn reshape(mut self, shape: &[usize]) -> Option<Array<'a>> {
        if shape.is_empty() || elems_of(shape)? != self.len() {
            return None;
        }
        self.shape = SmallVec::from_slice(shape);
        Some(self)
    }

    /// The same array, owning its elements: those borrowed from a caller are copied.
    pub(super) fn into_owned(self) -> Array<'static> {
        let view = self.view();
        let (elems, start) = self.elems.into_owned(view);
        Array { shape: self.shape, start, elems }
    }

    /// Whether both have one shape and the same elements to the bit.
    pub fn same(&self, other: &Array<'_>) -> bool {
        self.shape == other.shape
            && each_elements_pair!((&self.elems, &other.elems), (a, b) => {
                let (a, b) = (&a[self.view()], &b[other.view()]);
                a.iter().zip(b).all(|(a, b)| a.same(b))
            }, _ => false)
    }
}

/// How many elements an array of this shape has, if that can be counted; as ndarray counts, an axis of length 0 does
/// not excuse others that are too long together.
pub fn elems_of(shape: &[usize]) -> Option<usize> {
    let beside_empty = shape.iter().filter(|len| **len > 0).try_fold(1usize, |n, len| n.checked_mul(*len))?;
    let n = if shape.contains(&0) { 0 } else { beside_empty };
    (beside_empty <= isize::MAX as usize).then_some(n)
}

/// Edits of vectors: arrays of one axis. On others they do nothing and return none.
impl<'a> Array<'a> {
    /// Appends an element.
    #[must_use]
    pub fn push(&mut self, value: Value<'a>) -> Option<()> {
        let len = self.vector_len()?;
        each_elements!(&mut self.elems, elems => {
            let value = Elem::of_value(value)?;
            elems.alone(&mut self.start, len).push(value);
        });
        self.shape[0] = len + 1;
        Some(())
    }

    /// Appends a scalar to a vector of such; its elements, to be written.
    ///
    /// ```
    /// use overdub_context::value::Array;
    /// let mut array = Array::from_vec(vec![1.0, 2.0]);
    /// assert_eq!(array.push_scalar(3.0), Some(&mut [1.0, 2.0, 3.0][..]));
    /// assert_eq!(array.push_scalar(true), None);
    /// ```
    pub fn push_scalar<T: Scalar>(&mut self, value: T) -> Option<&mut [T]> {
        let len = self.vector_len()?;
        let elems = T::buffer_mut(&mut self.elems)?.alone(&mut self.start, len);
        elems.push(value);
        self.shape[0] = len + 1;
        Some(&mut elems[self.start..])
    }

    /// Removes the last element; none if there is none.
    pub fn pop(&mut self) -> Option<Value<'a>> {
        let last = self.vector_len()?.checked_sub(1)?;
        let value = self.get(last)?;
        self.truncate(last)?;
        Some(value)
    }

    /// Keeps the first `len` elements, or all if there are fewer.
    pub fn truncate(&mut self, len: usize) -> Option<()> {
        let len = self.vector_len()?.min(len);
        self.shape[0] = len;
        // What is cut off must not be kept alive: an array among it would be copied when its new owner writes.
        each_elements!(&mut self.elems, elems => elems.cut(self.start + len));
        Some(())
    }

    /// Inserts an element before the one at `at`.
    #[must_use]
    pub fn insert(&mut self, at: usize, value: Value<'a>) -> Option<()> {
        let len = self.vector_len()?;
        if at > len {
            return None;
        }
        each_elements!(&mut self.elems, elems => {
            let value = Elem::of_value(value)?;
            let elems = elems.alone(&mut self.start, len);
            elems.insert(self.start + at, value);
        });
        self.shape[0] = len + 1;
        Some(())
    }

    /// Removes the element at `at`.
    pub fn remove(&mut self, at: usize) -> Option<Value<'a>> {
        let len = self.vector_len()?;
        if at >= len {
            return None;
        }
        self.shape[0] = len - 1;
        Some(each_elements!(&mut self.elems, elems => {
            let elems = elems.alone(&mut self.start, len);
            Elem::to_value(&elems.remove(self.start + at))
        }))
    }

    /// Makes it `len` long: cuts it off or appends `value`s.
    #[must_use]
    pub fn resize(&mut self, len: usize, value: Value<'a>) -> Option<()> {
        let old = self.vector_len()?;
        each_elements!(&mut self.elems, elems => {
            let value = Elem::of_value(value)?;
            let elems = elems.alone(&mut self.start, old);
            elems.resize(self.start + len, value);
        });
        self.shape[0] = len;
        Some(())
    }

    /// Appends these values; none if one is not an element.
    #[must_use]
    pub fn extend(&mut self, values: impl IntoIterator<Item = Value<'a>>) -> Option<()> {
        let old = self.vector_len()?;
        self.shape[0] = each_elements!(&mut self.elems, elems => {
            let elems = elems.alone(&mut self.start, old);
            let values = values.into_iter();
            elems.reserve(values.size_hint().0);
            for value in values {
                elems.push(Elem::of_value(value)?);
            }
            elems.len() - self.start
        });
        Some(())
    }

    /// Appends the elements of `other`, if they are of the same type.
    #[must_use]
    pub fn append(&mut self, other: &Array<'a>) -> Option<()> {
        let len = self.vector_len()?;
        each_elements_pair!((&mut self.elems, &other.elems), (elems, more) => {
            elems.alone(&mut self.start, len).extend_from_slice(&more[other.view()]);
        }, _ => return None);
        self.shape[0] = len + other.len();
        Some(())
    }

    fn vector_len(&self) -> Option<usize> {
        match self.shape.as_slice() {
            [len] => Some(*len),
            _ => None,
        }
    }
}

/// Edits of elements in row-major order, whatever the shape.
impl<'a> Array<'a> {
    /// Exchanges two elements.
    #[must_use]
    pub fn swap(&mut self, i: usize, j: usize) -> Option<()> {
        let len = self.len();
        if i >= len || j >= len {
            return None;
        }
        each_elements!(&mut self.elems, elems => elems.write(&mut self.start, len).swap(i, j));
        Some(())
    }

    /// Turns the order of the elements `from .. to` around.
    #[must_use]
    pub fn reverse(&mut self, from: usize, to: usize) -> Option<()> {
        let len = self.len();
        each_elements!(&mut self.elems, elems => {
            elems.write(&mut self.start, len).get_mut(from..to)?.reverse();
        });
        Some(())
    }

    /// Rotates the elements so that the one at `mid` is the first.
    #[must_use]
    pub fn rotate_left(&mut self, mid: usize) -> Option<()> {
        let len = self.len();
        if mid > len {
            return None;
        }
        each_elements!(&mut self.elems, elems => elems.write(&mut self.start, len).rotate_left(mid));
        Some(())
    }

    /// Copies the elements `from .. to` to where `dest` is.
    #[must_use]
    pub fn copy_within(&mut self, from: usize, to: usize, dest: usize) -> Option<()> {
        let len = self.len();
        if from > to || to > len || dest > len - (to - from) {
            return None;
        }
        let part = self.gather(from..to);
        self.set_slice(dest, &part)
    }

    /// Makes every element `value`.
    #[must_use]
    pub fn fill(&mut self, value: Value<'a>) -> Option<()> {
        let len = self.len();
        each_elements!(&mut self.elems, elems => {
            let value = Elem::of_value(value)?;
            elems.write(&mut self.start, len).fill(value);
        });
        Some(())
    }

    /// Writes the elements of `part` from `at` on.
    #[must_use]
    pub fn set_slice(&mut self, at: usize, part: &Array<'a>) -> Option<()> {
        let len = self.len();
        let end = at.checked_add(part.len())?;
        if end > len {
            return None;
        }
        each_elements_pair!((&mut self.elems, &part.elems), (elems, part_elems) => {
            elems.write(&mut self.start, len)[at..end].clone_from_slice(&part_elems[part.view()]);
        }, _ => return None);
        Some(())
    }

    /// The elements at these places, which must exist, in this order, as a vector.
    pub fn gather(&self, places: impl IntoIterator<Item = usize>) -> Array<'a> {
        fn picked<'a, T: Clone>(elems: &[T], places: impl IntoIterator<Item = usize>) -> Buffer<'a, T> {
            Buffer::from(places.into_iter().map(|at| elems[at].clone()).collect::<Vec<_>>())
        }
        let view = self.view();
        macro_rules! gather {
            ($($variant:ident)*) => {
                match &self.elems {
                    $(Elements::$variant(elems) => Elements::$variant(picked(&elems[view], places)),)*
                    Elements::Other(ty, elems) => Elements::Other(*ty, picked(&elems[view], places)),
                }
            };
        }
        let elems = gather!(F64 F32 Bool Char I8 I16 I32 I64 I128 Isize U8 U16 U32 U64 U128 Usize);
        let len = each_elements!(&elems, elems => elems.len());
        Array::from_buffer(len, elems)
    }
}
