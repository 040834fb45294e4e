//! Entries of a Jacobian by source transformation: each number that a function writes is followed by its partial
//! derivatives in the inputs that were read for it.
//!
//! Forward mode with a tangent for each read instead of each direction: the tangents of a scalar are known to be zero for
//! all reads but a few, so only those few are there, as scalars of their own. A loop over local terms (a stencil, a sum of
//! residuals) then computes each entry once, in the round that it belongs to, and no entry is zero by construction.
//!
//! - LOCALENTRY1 a read happens in the round of the loop in which its tangents are used: what is carried from one round to the
//!   next does not vary.
//! - LOCALENTRY2 what floats decide (a branch, an index) decides neither which numbers are written nor which inputs are read:
//!   the places of entries are the same at each input of the same shape and with the same integers.
//! - LOCALENTRY3 an element of the result is written once, or added to what it was.
//!
//! Tangents may be those in intermediate numbers, too, which are eliminated where the result is written: reverse mode within a
//! round, or anything between. The number of operations decides.
//!
//! Functions that do not keep these are refused with the reason.

mod build;
mod context;
mod decided;
mod elimination;
mod places;
mod sites;

pub use context::{EntriesTransform, Writing};
pub use places::{EntryPlaces, PlacesError, Written};
