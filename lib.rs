//! The front door: everything a user needs, re-exported.
#![doc = include_str!("README.md")]

pub use overdub_context as context;
pub use overdub_lower as lower;
pub use overdub_passes as passes;

pub use overdub_context::engine::{Context, ctx, ctx_with};
#[doc(hidden)]
pub use overdub_lower::__private;
pub use overdub_lower::door::{Callable, Error, overdub, run};
pub use overdub_macros::dub;

/// What most programs need: `use overdub::prelude::*`.
pub mod prelude {
    pub use crate::{Context, ctx, ctx_with, dub, overdub, run};
}
