//! The calling convention: layouts of values, signatures of functions, the state of a run, and entry thunks.

pub(crate) mod entry_thunks;
pub(crate) mod layout;
pub(crate) mod run_state;
pub(crate) mod signature;
pub(crate) mod uncounted;
