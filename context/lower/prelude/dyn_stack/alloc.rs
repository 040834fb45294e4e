//! The error of an allocation.

pub use super::mem::AllocError;
