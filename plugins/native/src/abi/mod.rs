//! The calling convention: layouts of values, conversion between `Value`s and words, the state of a run, entry thunks,
//! and the caller's out slots.

pub(crate) mod entry_thunks;
pub(crate) mod layout;
pub(crate) mod out_slots;
pub(crate) mod run_state;
pub(crate) mod signature;
pub(crate) mod values;
