//! How values cross between compiled code and everything else: layouts, words, entry thunks and the caller's out slots.

pub(crate) mod entry_thunks;
pub(crate) mod layout;
pub(crate) mod out_slots;
pub(crate) mod signature;
pub(crate) mod values;
