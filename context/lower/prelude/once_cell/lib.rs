//! The crate `once_cell` as programs see it: places that are written once, whose original keeps its state in the low bits of a
//! pointer.

mod cells;
pub mod race;

/// Cells of one thread.
pub mod unsync {
    pub use crate::cells::{Lazy, OnceCell};
}

/// Cells that threads share.
pub mod sync {
    pub use crate::cells::{Lazy, OnceCell};
}
