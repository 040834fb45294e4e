//! Vectors that a run made and gave back, whose memory the next ones take.

use std::sync::Arc;

use overdub_context::value::{Array, Scalar};

use crate::layout::Elem;

/// So many are kept.
const MOST: usize = 16;

/// One that is needed takes the memory of one up to so many times as large.
const LARGER: usize = 4;

/// Vectors with no other owner.
#[derive(Default)]
pub(crate) struct Spare(Vec<Arc<Array<'static>>>);

impl Spare {
    /// Keeps the memory of a vector that nobody else holds.
    pub(crate) fn keep(&mut self, mut array: Arc<Array<'static>>) {
        let is_own = Arc::get_mut(&mut array).is_some_and(|own| {
            own.rank() == 1 && own.bytes_to_write() == 0 && Elem::of(own.elem_ty()).is_some()
        });
        if is_own && !array.is_empty() && self.0.len() < MOST {
            self.0.push(array);
        }
    }

    /// A vector of `len` times the same scalar in the memory of another one, if there is one that is neither too small
    /// nor much too large.
    pub(crate) fn repeat<T: Scalar>(&mut self, value: T, len: usize) -> Option<Arc<Array<'static>>> {
        let bytes = len * size_of::<T>();
        let fits = |array: &Arc<Array<'static>>| {
            array.as_slice::<T>().is_some() && (bytes..=LARGER * bytes).contains(&array.bytes())
        };
        let mut array = self.0.swap_remove(self.0.iter().rposition(fits)?);
        let own = Arc::get_mut(&mut array)?;
        own.truncate(0)?;
        own.resize(len, value.to_value())?;
        Some(array)
    }
}
