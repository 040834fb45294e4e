//! Buffers of elements: counted and shared until written, or borrowed from the caller.

use std::ops::Deref;
use std::sync::Arc;

/// Contiguous elements: borrowed from the caller, or counted.
#[derive(Clone, Debug)]
pub enum Buffer<'a, T> {
    /// Borrowed from the caller; never written.
    Borrowed(&'a [T]),
    /// Allocated here, with a reference count.
    Counted(Arc<Vec<T>>),
}

impl<T> Buffer<'_, T> {
    /// The size in bytes; 0 if the buffer is borrowed.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Buffer::Borrowed(_) => 0,
            Buffer::Counted(elems) => elems.capacity().saturating_mul(size_of::<T>()),
        }
    }
}

impl<T> Buffer<'_, T> {
    /// The number of bytes that writing to a view of this length will copy.
    pub(super) fn bytes_to_write(&self, len: usize) -> usize {
        if self.is_shared() { len * size_of::<T>() } else { 0 }
    }

    /// Whether the buffer has another owner. There are no weak references to buffers, so the strong count
    /// suffices; [`Arc::make_mut`] would copy in any case.
    fn is_shared(&self) -> bool {
        match self {
            Buffer::Borrowed(_) => true,
            Buffer::Counted(elems) => Arc::strong_count(elems) > 1,
        }
    }
}

impl<T: Clone> Buffer<'_, T> {
    /// The vector that contains the view of length `len` at `start`, truncated at the end of the view, so
    /// that pushed elements follow the view. It is the same vector if it has no other owner; otherwise a copy
    /// of the view, with `start` set to 0.
    pub(super) fn make_unique(&mut self, start: &mut usize, len: usize) -> &mut Vec<T> {
        let elems = self.unshared(start, len);
        elems.truncate(*start + len);
        elems
    }

    /// The view of length `len` at `start`, for writing: in place if the vector has no other owner; otherwise
    /// a copy of the view, with `start` set to 0.
    pub(super) fn write(&mut self, start: &mut usize, len: usize) -> &mut [T] {
        let elems = self.unshared(start, len);
        &mut elems[*start..*start + len]
    }

    /// Drops the elements from `end` on, if the vector has no other owner.
    pub(super) fn cut(&mut self, end: usize) {
        if let Buffer::Counted(elems) = self
            && let Some(elems) = Arc::get_mut(elems)
        {
            elems.truncate(end);
        }
    }

    /// The vector for writing: the same one if it has no other owner; otherwise a copy of the view, with
    /// `start` set to 0.
    pub(super) fn unshared(&mut self, start: &mut usize, len: usize) -> &mut Vec<T> {
        if self.is_shared() {
            *self = Buffer::from(self[*start..*start + len].to_vec());
            *start = 0;
        }
        let Buffer::Counted(elems) = self else { unreachable!("a borrowed buffer was replaced just above") };
        Arc::make_mut(elems)
    }

    /// The view of length `len` at `start` as a vector: the same one if it has no other owner and starts at
    /// 0, otherwise a copy.
    pub(super) fn into_vec(self, start: usize, len: usize) -> Vec<T> {
        match self {
            Buffer::Counted(elems) if start == 0 => {
                let mut elems = match Arc::try_unwrap(elems) {
                    Ok(elems) => elems,
                    Err(shared) => return shared[..len].to_vec(),
                };
                elems.truncate(len);
                elems
            }
            _ => self[start..start + len].to_vec(),
        }
    }
}

impl<T> From<Vec<T>> for Buffer<'_, T> {
    fn from(elems: Vec<T>) -> Self {
        Buffer::Counted(Arc::new(elems))
    }
}

impl<'a, T> From<&'a [T]> for Buffer<'a, T> {
    fn from(elems: &'a [T]) -> Self {
        Buffer::Borrowed(elems)
    }
}

impl<T> Deref for Buffer<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Buffer::Borrowed(elems) => elems,
            Buffer::Counted(elems) => elems,
        }
    }
}
