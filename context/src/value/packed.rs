//! Elements that are not scalars: values, or elements in a denser form provided by an executor.
//!
//! - PACK1 packed elements are equivalent to the values that they convert to: a packed array is only
//!   distinguishable by its speed.

use std::any::Any;
use std::fmt::Debug;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, OnceLock};

use super::elements::Elements;
use super::{Array, Buffer, Value};
use crate::types::Ty;

/// Elements in a custom contiguous form. Indices are below [`Pack::len`].
pub trait Pack: Any + Debug + Send + Sync {
    /// The number of elements.
    fn len(&self) -> usize;

    /// Whether there are no elements.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The size in bytes.
    fn bytes(&self) -> usize;

    /// The element at an index.
    fn get(&self, at: usize) -> Value<'static>;

    /// Whether a value can be stored as an element.
    fn fits(&self, value: &Value<'static>) -> bool;

    /// Replaces a range of elements by values that fit.
    fn splice(&mut self, range: Range<usize>, with: Vec<Value<'static>>);

    /// Swaps two elements.
    fn swap(&mut self, i: usize, j: usize);

    /// A copy of a range.
    fn copy(&self, range: Range<usize>) -> Box<dyn Pack>;
}

/// Elements that are not scalars. Dereferences to a buffer of values; mutable access unpacks them.
#[derive(Clone, Debug)]
pub enum Values {
    /// Stored as values.
    Boxed(Buffer<'static, Value<'static>>),
    /// In packed form.
    Packed(Arc<Packed>),
}

/// Packed elements, and their values once all of them have been read.
#[derive(Debug)]
pub struct Packed {
    elems: Box<dyn Pack>,
    values: OnceLock<Buffer<'static, Value<'static>>>,
}

impl Packed {
    fn new(elems: Box<dyn Pack>) -> Arc<Packed> {
        Arc::new(Packed { elems, values: OnceLock::new() })
    }

    fn values(&self) -> &Buffer<'static, Value<'static>> {
        self.values.get_or_init(|| {
            Buffer::from((0..self.elems.len()).map(|at| self.elems.get(at)).collect::<Vec<_>>())
        })
    }
}

impl Deref for Values {
    type Target = Buffer<'static, Value<'static>>;

    fn deref(&self) -> &Self::Target {
        match self {
            Values::Boxed(buffer) => buffer,
            Values::Packed(packed) => packed.values(),
        }
    }
}

impl DerefMut for Values {
    fn deref_mut(&mut self) -> &mut Self::Target {
        if let Values::Packed(packed) = self {
            *self = Values::Boxed(packed.values().clone());
        }
        match self {
            Values::Boxed(buffer) => buffer,
            Values::Packed(_) => unreachable!("packed elements were unpacked just above"),
        }
    }
}

impl From<Vec<Value<'static>>> for Values {
    fn from(values: Vec<Value<'static>>) -> Values {
        Values::Boxed(Buffer::from(values))
    }
}

/// Queries that do not unpack.
impl Values {
    /// The number of elements.
    pub(super) fn len(&self) -> usize {
        match self {
            Values::Boxed(buffer) => buffer.len(),
            Values::Packed(packed) => packed.elems.len(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Values::Boxed(buffer) => buffer.bytes(),
            Values::Packed(packed) => packed.elems.bytes(),
        }
    }

    pub(super) fn bytes_to_write(&self, len: usize) -> usize {
        match self {
            Values::Boxed(buffer) => buffer.bytes_to_write(len),
            Values::Packed(packed) if Arc::strong_count(packed) > 1 => len * size_of::<Value<'static>>(),
            Values::Packed(_) => 0,
        }
    }

    pub(super) fn as_ptr(&self) -> *const () {
        match self {
            Values::Boxed(buffer) => buffer.as_ptr().cast(),
            Values::Packed(packed) => Arc::as_ptr(packed).cast(),
        }
    }

    /// The element at an index below [`Values::len`].
    pub(super) fn value(&self, at: usize) -> Value<'static> {
        match self {
            Values::Boxed(buffer) => buffer[at].clone(),
            Values::Packed(packed) => packed.elems.get(at),
        }
    }

    /// Drops the elements from `end` on, if they are not shared.
    pub(super) fn cut(&mut self, end: usize) {
        match self {
            Values::Boxed(buffer) => buffer.cut(end),
            Values::Packed(packed) => {
                if let Some(Packed { elems, values }) = Arc::get_mut(packed) {
                    values.take();
                    let removed = end.min(elems.len())..elems.len();
                    elems.splice(removed, Vec::new());
                }
            }
        }
    }
}

/// Arrays whose elements are packed.
impl Array<'_> {
    /// A vector of packed `elem`s.
    ///
    /// ```
    /// use std::ops::Range;
    /// use overdub_context::ir::Ty;
    /// use overdub_context::value::{Array, Pack, Value};
    ///
    /// /// Pairs of an index and its square.
    /// #[derive(Debug)]
    /// struct Squares(Vec<usize>);
    ///
    /// impl Pack for Squares {
    ///     fn len(&self) -> usize {
    ///         self.0.len()
    ///     }
    ///     fn bytes(&self) -> usize {
    ///         self.0.len() * size_of::<usize>()
    ///     }
    ///     fn get(&self, at: usize) -> Value<'static> {
    ///         Value::tuple([Value::from(self.0[at]), Value::from(self.0[at] * self.0[at])])
    ///     }
    ///     fn fits(&self, _: &Value<'static>) -> bool {
    ///         false
    ///     }
    ///     fn splice(&mut self, range: Range<usize>, _: Vec<Value<'static>>) {
    ///         self.0.drain(range);
    ///     }
    ///     fn swap(&mut self, i: usize, j: usize) {
    ///         self.0.swap(i, j);
    ///     }
    ///     fn copy(&self, range: Range<usize>) -> Box<dyn Pack> {
    ///         Box::new(Squares(self.0[range].to_vec()))
    ///     }
    /// }
    ///
    /// let pair = Ty::tuple([Ty::usize(), Ty::usize()]);
    /// let mut array = Array::packed(pair, Squares((0..10).collect()));
    /// assert!(array.pop().is_some_and(|last| last.same(&Value::tuple([9_usize.into(), 81_usize.into()]))));
    /// assert_eq!((array.len(), array.as_packed::<Squares>().is_some()), (9, true));
    /// ```
    pub fn packed(elem: Ty, elems: impl Pack) -> Array<'static> {
        let len = elems.len();
        Array::from_elements(len, Elements::Other(elem, Values::Packed(Packed::new(Box::new(elems)))))
    }

    /// The packed elements, and the range that belongs to this array.
    pub fn as_packed<P: Pack>(&self) -> Option<(&P, Range<usize>)> {
        let Elements::Other(_, Values::Packed(packed)) = &self.elems else { return None };
        let elems: &dyn Any = &*packed.elems;
        Some((elems.downcast_ref()?, self.view()))
    }

    /// Edits the packed elements, if no other array shares them: `edit` gets the range of this array's
    /// elements and returns their new number. Returns `None` without changes if the elements are shared or
    /// packed in another form.
    pub fn edit_packed<P: Pack, R>(
        &mut self,
        edit: impl FnOnce(&mut P, Range<usize>) -> (usize, R),
    ) -> Option<R> {
        if self.rank() != 1 {
            return None;
        }
        let view = self.view();
        let Elements::Other(_, Values::Packed(packed)) = &mut self.elems else { return None };
        let Packed { elems, values } = Arc::get_mut(packed)?;
        let elems: &mut dyn Any = &mut **elems;
        values.take();
        let elems: &mut P = elems.downcast_mut()?;
        let (len, result) = edit(elems, view.clone());
        let most = elems.len().checked_sub(view.start)?;
        self.shape[0] = len.min(most);
        Some(result)
    }

    /// Whether the elements are packed.
    pub fn is_packed(&self) -> bool {
        matches!(&self.elems, Elements::Other(_, Values::Packed(_)))
    }

    /// Replaces a range of a vector's elements by values, if they are packed and can remain so; none
    /// otherwise.
    pub(super) fn splice_packed(&mut self, range: Range<usize>, with: &[Value<'_>]) -> Option<()> {
        let (start, len) = (self.view().start, self.len());
        let Elements::Other(_, Values::Packed(packed)) = &self.elems else { return None };
        let with: Vec<Value<'static>> = with.iter().map(|value| value.clone().into_owned()).collect();
        if self.rank() != 1 || !with.iter().all(|value| packed.elems.fits(value)) {
            return None;
        }
        let new_len = len - range.len() + with.len();
        let (elems, start) = self.make_unique_packed(start, len)?;
        if new_len != len {
            // Elements after the view do not belong to the vector.
            elems.splice(start + len..elems.len(), Vec::new());
        }
        elems.splice(start + range.start..start + range.end, with);
        self.shape[0] = new_len;
        Some(())
    }

    /// Swaps two packed elements.
    pub(super) fn swap_packed(&mut self, i: usize, j: usize) -> Option<()> {
        let (start, len) = (self.view().start, self.len());
        let (packed, start) = self.make_unique_packed(start, len)?;
        packed.swap(start + i, start + j);
        Some(())
    }

    /// The packed elements, unshared, and the index of this array's first one.
    fn make_unique_packed(&mut self, start: usize, len: usize) -> Option<(&mut dyn Pack, usize)> {
        let Elements::Other(_, Values::Packed(packed)) = &mut self.elems else { return None };
        let is_shared = Arc::get_mut(packed).is_none();
        if is_shared {
            *packed = Packed::new(packed.elems.copy(start..start + len));
            self.start = 0;
        }
        let start = self.view().start;
        let Elements::Other(_, Values::Packed(packed)) = &mut self.elems else { return None };
        let Packed { elems, values } = Arc::get_mut(packed)?;
        values.take();
        Some((&mut **elems, start))
    }
}
