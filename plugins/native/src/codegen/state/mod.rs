//! The state of a function's lowering, by subject.

mod constants;
mod control;
mod ownership;

pub(super) use constants::Constants;
pub(super) use control::Control;
pub(super) use ownership::Ownership;
