//! The calling convention: layouts of values, conversion between `Value`s and words, entry thunks, and the caller's
//! out slots.

pub(crate) mod entry_thunks;
pub(crate) mod layout;
pub(crate) mod out_slots;
pub(crate) mod signature;
pub(crate) mod values;
