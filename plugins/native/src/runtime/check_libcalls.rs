//! Libcalls of the checking mode, which instrumented code calls. Their contract is that of the other
//! libcalls.

use crate::abi::layout::{Component, Counted, Elem};
use crate::checks::{self, Access, Elements};
use crate::side_tables::FrameSite;
use crate::values::packed_elements;

/// The counted words among the words of these layouts.
fn counted<'w>(site: &'w FrameSite, words: &'w [u64]) -> impl Iterator<Item = (Counted, u64)> + Clone + 'w {
    let components = site.layouts.iter().flat_map(|layout| &layout.components).zip(words);
    components.filter_map(|(component, word)| match component {
        Component::Counted(counted) => Some((*counted, *word)),
        _ => None,
    })
}

/// The site, and the words at an address.
///
/// # Safety
/// The code block keeps the site, and the words are at the address.
unsafe fn words_at<'w>(site: *const FrameSite, at: *const u64) -> (&'w FrameSite, &'w [u64]) {
    // SAFETY: passed on.
    unsafe { (&*site, std::slice::from_raw_parts(at, (*site).words)) }
}

/// Records that a function begins with these words of parameters.
pub(crate) unsafe extern "C" fn enter_frame(site: *const FrameSite, at: *const u64) {
    // SAFETY: the module's contract.
    let (site, words) = unsafe { words_at(site, at) };
    checks::enter(counted(site, words));
}

/// Records that a function ends with these words of its result.
pub(crate) unsafe extern "C" fn leave_frame(site: *const FrameSite, at: *const u64) {
    // SAFETY: the module's contract.
    let (site, words) = unsafe { words_at(site, at) };
    checks::leave_frame(counted(site, words));
}

/// Records that a value lends words to the current frame.
pub(crate) unsafe extern "C" fn lend_words(site: *const FrameSite, at: *const u64) {
    // SAFETY: the module's contract.
    let (site, words) = unsafe { words_at(site, at) };
    checks::lend(counted(site, words));
}

/// Records that words were stored to a row.
pub(crate) unsafe extern "C" fn row_put(site: *const FrameSite, place: *const u64) {
    // SAFETY: the module's contract.
    let (site, words) = unsafe { words_at(site, place) };
    checks::row_put(place as usize, counted(site, words));
}

/// Records that the words of a row are moved out of it.
pub(crate) unsafe extern "C" fn row_moved_out(site: *const FrameSite, place: *const u64) {
    // SAFETY: the module's contract.
    let (site, words) = unsafe { words_at(site, place) };
    checks::row_moved_out(place as usize, counted(site, words));
}

/// The number of bits that encode the kind of access, below the number of elements.
pub(crate) const ACCESS_BITS: u32 = 2;

/// Encodes the kind of an access and its number of elements.
pub(crate) fn encode_access(access: Access, count: i64) -> i64 {
    count << ACCESS_BITS | access as i64
}

fn access_of(encoded: u64) -> (Access, u64) {
    let access = match encoded & ((1 << ACCESS_BITS) - 1) {
        0 => Access::Read,
        1 => Access::Write,
        _ => Access::Append,
    };
    (access, encoded >> ACCESS_BITS)
}

/// Checks an access to scalars of a vector.
pub(crate) extern "C" fn check_vector(elem: Elem, handle: u64, data: u64, len: u64, from: u64, encoded: u64) {
    let (access, count) = access_of(encoded);
    checks::vector(elem, Elements { handle, data, len, from, count }, access);
}

/// Checks an access to rows of this size in bytes.
pub(crate) extern "C" fn check_rows(bytes: u32, handle: u64, data: u64, len: u64, from: u64, encoded: u64) {
    let (access, count) = access_of(encoded);
    checks::rows(
        bytes as usize,
        Elements { handle, data, len, from, count },
        access,
        packed_elements::places,
    );
}

/// Checks an access to a tape; if `is_unique` is not 0, also that it has one owner.
pub(crate) extern "C" fn check_tape(word: u64, is_unique: u32) {
    checks::tape(word, is_unique != 0);
}

/// Records that a vector was taken from the pool.
pub(crate) extern "C" fn unpool_vector(handle: u64) {
    checks::unpooled(Counted::Array, handle);
}
