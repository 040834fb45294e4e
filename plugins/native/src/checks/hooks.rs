//! What compiled code calls in the checking mode. Their contract is that of the helpers.

use super::{Access, Elements, ledger};
use super::{access, shared_holders};
use crate::abi::layout::{Component, Counted, Elem};
use crate::compiled::FrameSite;

/// The counted words among those of some layouts.
fn counted<'w>(site: &'w FrameSite, words: &'w [u64]) -> impl Iterator<Item = (Counted, u64)> + Clone + 'w {
    let components = site.layouts.iter().flat_map(|layout| &layout.components).zip(words);
    components.filter_map(|(component, word)| match component {
        Component::Counted(counted) => Some((*counted, *word)),
        _ => None,
    })
}

/// The site and the words behind an address.
///
/// # Safety
/// The code block keeps the site, and its words are there.
unsafe fn words_at<'w>(site: *const FrameSite, at: *const u64) -> (&'w FrameSite, &'w [u64]) {
    // SAFETY: passed on.
    unsafe { (&*site, std::slice::from_raw_parts(at, (*site).words)) }
}

/// A function begins, with the words of its parameters.
pub(crate) unsafe extern "C" fn enter_frame(site: *const FrameSite, at: *const u64) {
    // SAFETY: the module's contract.
    let (site, words) = unsafe { words_at(site, at) };
    ledger::enter(counted(site, words));
}

/// A function ends, with the words of its result.
pub(crate) unsafe extern "C" fn leave_frame(site: *const FrameSite, at: *const u64) {
    // SAFETY: the module's contract.
    let (site, words) = unsafe { words_at(site, at) };
    ledger::leave(counted(site, words));
}

/// A value lends words to the function at hand.
pub(crate) unsafe extern "C" fn lend_words(site: *const FrameSite, at: *const u64) {
    // SAFETY: the module's contract.
    let (site, words) = unsafe { words_at(site, at) };
    ledger::lend(counted(site, words));
}

/// The words of a row were written.
pub(crate) unsafe extern "C" fn row_put(site: *const FrameSite, place: *const u64) {
    // SAFETY: the module's contract.
    let (site, words) = unsafe { words_at(site, place) };
    shared_holders::row_put(place as usize, counted(site, words));
}

/// The words of a row are taken out of it.
pub(crate) unsafe extern "C" fn row_taken(site: *const FrameSite, place: *const u64) {
    // SAFETY: the module's contract.
    let (site, words) = unsafe { words_at(site, place) };
    shared_holders::row_taken(place as usize, counted(site, words));
}

/// Bits below the element count that encode the kind of access.
pub(crate) const ACCESS_BITS: u32 = 2;

/// What is done, and to how many elements.
pub(crate) fn does(access: Access, count: i64) -> i64 {
    count << ACCESS_BITS | access as i64
}

fn access_of(does: u64) -> (Access, u64) {
    let access = match does & ((1 << ACCESS_BITS) - 1) {
        0 => Access::Read,
        1 => Access::Write,
        _ => Access::Append,
    };
    (access, does >> ACCESS_BITS)
}

/// Scalars of a vector are accessed.
pub(crate) extern "C" fn check_vector(elem: Elem, handle: u64, data: u64, len: u64, from: u64, does: u64) {
    let (access, count) = access_of(does);
    access::vector(elem, Elements { handle, data, len, from, count }, access);
}

/// An access to rows, with the bytes of a row.
pub(crate) extern "C" fn check_rows(bytes: u32, handle: u64, data: u64, len: u64, from: u64, does: u64) {
    let (access, count) = access_of(does);
    access::rows(bytes as usize, Elements { handle, data, len, from, count }, access);
}

/// A tape is read, or changed if it is thought to have no other owner.
pub(crate) extern "C" fn check_tape(word: u64, is_unique: u32) {
    access::tape(word, is_unique != 0);
}

/// A vector was taken from the pool of free memory.
pub(crate) extern "C" fn unpool_vector(handle: u64) {
    ledger::unpooled(Counted::Array, handle);
}
