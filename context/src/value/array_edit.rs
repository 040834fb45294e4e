//! Edits of arrays: in place if no other array shares the elements.

use super::elements::{Elem, each_elements, each_elements_pair};
use super::{Array, Buffer, Elements, Scalar, Value, Values};

/// Edits of vectors: arrays of one axis. On other arrays they do nothing and return none.
impl<'a> Array<'a> {
    /// Appends an element.
    #[must_use]
    pub fn push(&mut self, value: Value<'a>) -> Option<()> {
        let len = self.vector_len()?;
        if self.splice_packed(len..len, std::slice::from_ref(&value)).is_some() {
            return Some(());
        }
        each_elements!(&mut self.elems, elems => {
            let value = Elem::of_value(value)?;
            elems.make_unique(&mut self.start, len).push(value);
        });
        self.shape[0] = len + 1;
        Some(())
    }

    /// Appends a scalar to a vector of scalars of its type. The buffer is extended beyond the vector to a
    /// power of two of elements, where the only owner of the array may write further elements and include
    /// them by [`Array::with_len`]; returns the whole buffer.
    ///
    /// ```
    /// use overdub_context::value::Array;
    /// let mut array = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0]);
    /// let buffer = array.push_growing(5.0).expect("they are floats");
    /// assert_eq!(buffer.len(), 8);
    /// buffer[5] = 6.0;
    /// assert_eq!(array.as_f64s(), Some(&[1.0, 2.0, 3.0, 4.0, 5.0][..]));
    /// let longer = array.with_len(6).expect("the buffer has six");
    /// assert_eq!(longer.as_f64s(), Some(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0][..]));
    /// assert!(array.push_growing(true).is_none() && array.with_len(9).is_none());
    /// ```
    pub fn push_growing<T: Scalar>(&mut self, value: T) -> Option<&mut [T]> {
        const FEWEST: usize = 4;
        let len = self.vector_len()?;
        let elems = T::buffer_mut(&mut self.elems)?.unshared(&mut self.start, len);
        elems.drain(..self.start);
        self.start = 0;
        let capacity = (len + 1).next_power_of_two().max(FEWEST);
        if elems.len() < capacity {
            elems.reserve_exact(capacity - elems.len());
            elems.resize(capacity, value);
        }
        elems[len] = value;
        self.shape[0] = len + 1;
        Some(elems)
    }

    /// Removes and returns the last element; none if the vector is empty.
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
        // Removed elements are dropped, because an array among them would otherwise be copied when its new
        // owner writes to it.
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
        if self.splice_packed(at..at, std::slice::from_ref(&value)).is_some() {
            return Some(());
        }
        each_elements!(&mut self.elems, elems => {
            let value = Elem::of_value(value)?;
            let elems = elems.make_unique(&mut self.start, len);
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
        if self.is_packed() {
            let removed = self.get(at);
            self.splice_packed(at..at + 1, &[])?;
            return removed;
        }
        self.shape[0] = len - 1;
        Some(each_elements!(&mut self.elems, elems => {
            let elems = elems.make_unique(&mut self.start, len);
            Elem::to_value(&elems.remove(self.start + at))
        }))
    }

    /// Changes the length to `len`: truncates, or appends copies of `value`.
    #[must_use]
    pub fn resize(&mut self, len: usize, value: Value<'a>) -> Option<()> {
        let old = self.vector_len()?;
        if self.is_packed() {
            let more = vec![value.clone(); len.saturating_sub(old)];
            if self.splice_packed(len.min(old)..old, &more).is_some() {
                return Some(());
            }
        }
        each_elements!(&mut self.elems, elems => {
            let value = Elem::of_value(value)?;
            let elems = elems.make_unique(&mut self.start, old);
            elems.resize(self.start + len, value);
        });
        self.shape[0] = len;
        Some(())
    }

    /// Appends these values; none if one does not have the element type.
    #[must_use]
    pub fn extend(&mut self, values: impl IntoIterator<Item = Value<'a>>) -> Option<()> {
        let old = self.vector_len()?;
        if self.is_packed() {
            let values: Vec<Value<'a>> = values.into_iter().collect();
            return match self.splice_packed(old..old, &values) {
                Some(()) => Some(()),
                None => self.extend_boxed(old, &mut values.into_iter()),
            };
        }
        self.extend_boxed(old, &mut values.into_iter())
    }

    /// Not generic over the iterator: it is compiled for each type of element already.
    fn extend_boxed(&mut self, old: usize, values: &mut dyn Iterator<Item = Value<'a>>) -> Option<()> {
        self.shape[0] = each_elements!(&mut self.elems, elems => {
            let elems = elems.make_unique(&mut self.start, old);
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
        if self.is_packed() && self.elem_ty() == other.elem_ty() {
            let values: Vec<Value<'a>> = other.iter().collect();
            if self.splice_packed(len..len, &values).is_some() {
                return Some(());
            }
        }
        each_elements_pair!((&mut self.elems, &other.elems), (elems, more) => {
            elems.make_unique(&mut self.start, len).extend_from_slice(&more[other.view()]);
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

/// Edits of elements in row-major order, independent of the shape.
impl<'a> Array<'a> {
    /// Swaps two elements.
    #[must_use]
    pub fn swap(&mut self, i: usize, j: usize) -> Option<()> {
        let len = self.len();
        if i >= len || j >= len {
            return None;
        }
        if self.swap_packed(i, j).is_some() {
            return Some(());
        }
        each_elements!(&mut self.elems, elems => elems.write(&mut self.start, len).swap(i, j));
        Some(())
    }

    /// Reverses the elements `from .. to`.
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

    /// Copies the elements `from .. to` to the position `dest`.
    #[must_use]
    pub fn copy_within(&mut self, from: usize, to: usize, dest: usize) -> Option<()> {
        let len = self.len();
        if from > to || to > len || dest > len - (to - from) {
            return None;
        }
        let part = self.gather(from..to);
        self.set_slice(dest, &part)
    }

    /// Sets every element to `value`.
    #[must_use]
    pub fn fill(&mut self, value: Value<'a>) -> Option<()> {
        let len = self.len();
        each_elements!(&mut self.elems, elems => {
            let value = Elem::of_value(value)?;
            elems.write(&mut self.start, len).fill(value);
        });
        Some(())
    }

    /// Writes the elements of `part`, starting at `at`.
    #[must_use]
    pub fn set_slice(&mut self, at: usize, part: &Array<'a>) -> Option<()> {
        let len = self.len();
        let end = at.checked_add(part.len())?;
        if end > len {
            return None;
        }
        if self.is_packed() {
            let values: Vec<Value<'a>> = part.iter().collect();
            if part.elem_ty() == self.elem_ty() && self.splice_packed(at..end, &values).is_some() {
                return Some(());
            }
        }
        each_elements_pair!((&mut self.elems, &part.elems), (elems, part_elems) => {
            elems.write(&mut self.start, len)[at..end].clone_from_slice(&part_elems[part.view()]);
        }, _ => return None);
        Some(())
    }

    /// The elements at these indices, which must exist, in this order, as a vector.
    pub fn gather(&self, places: impl IntoIterator<Item = usize>) -> Array<'a> {
        fn picked<'a, T: Clone>(elems: &[T], places: impl IntoIterator<Item = usize>) -> Buffer<'a, T> {
            Buffer::from(places.into_iter().map(|at| elems[at].clone()).collect::<Vec<_>>())
        }
        let view = self.view();
        macro_rules! gather {
            ($($variant:ident)*) => {
                match &self.elems {
                    $(Elements::$variant(elems) => Elements::$variant(picked(&elems[view], places)),)*
                    Elements::Other(ty, elems) => Elements::Other(*ty, Values::Boxed(picked(&elems[view], places))),
                }
            };
        }
        let elems = gather!(F64 F32 Bool Char I8 I16 I32 I64 I128 Isize U8 U16 U32 U64 U128 Usize);
        let len = each_elements!(&elems, elems => elems.len());
        Array::from_elements(len, elems)
    }
}
