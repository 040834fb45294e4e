//! Side tables: data that compiled code refers to by address.
//!
//! - CODE2 data that code refers to by address is kept together with the code and does not move.

mod constants;
mod entries;
mod sites;

pub(crate) use constants::Constant;
pub(crate) use entries::{Entries, Entry};
pub(crate) use sites::{CallSite, FailSite, FrameSite, OpArg, OpSite};

use crate::checks::Site;
use crate::values::tape::TapeSite;

/// The data that the code of one function refers to (CODE2). Items are boxed, since the lists grow while code
/// with their addresses is being generated.
#[expect(clippy::vec_box, reason = "the addresses stay while the lists grow")]
#[derive(Default)]
pub(crate) struct SideTables {
    pub(crate) fail_sites: Vec<Box<FailSite>>,
    pub(crate) op_sites: Vec<Box<OpSite>>,
    pub(crate) call_sites: Vec<Box<CallSite>>,
    pub(crate) floats: Vec<Box<[u64; 32]>>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) tape_sites: Vec<Box<TapeSite>>,
    /// Used only by the checking mode.
    pub(crate) sites: Vec<Box<Site>>,
    pub(crate) frame_sites: Vec<Box<FrameSite>>,
    /// The vectors of the result that the function creates by `repeat`, by their first components.
    pub(crate) created_vectors: Vec<usize>,
    /// Whether the function passes arrays to other code.
    pub(crate) shows_arrays: bool,
    /// Whether the function fits into the stack space that is always left.
    pub(crate) fits_reserved_stack: bool,
}
