//! The front door: everything a user needs, re-exported.
#![doc = include_str!("README.md")]

pub use overdub_context as context;
pub use overdub_lower as lower;
pub use overdub_passes as passes;
