//! Words of counted components that own no count: holes, and the word of lent vectors.

use std::sync::{Arc, LazyLock};

use overdub_context::value::Array;

use crate::abi::layout::{Counted, HOLES};

/// The word of a vector whose elements the caller lends for the call (WORD5).
pub(crate) fn lent() -> u64 {
    static LENT: LazyLock<Arc<Array<'static>>> = LazyLock::new(|| Arc::new(Array::from_slice::<f64>(&[])));
    Arc::as_ptr(&LENT) as usize as u64
}

/// Whether the first word of a vector is that of lent elements.
pub(crate) fn is_lent(word: u64) -> bool {
    word == lent()
}

/// Whether a word owns no count: it is a hole (ABI3), or that of a lent vector.
pub(crate) fn owns_nothing(counted: Counted, word: u64) -> bool {
    word < HOLES || counted == Counted::Array && is_lent(word)
}
