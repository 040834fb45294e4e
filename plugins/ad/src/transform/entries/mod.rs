//! Entries of a Jacobian by source transformation: each number that a function writes is accompanied by its
//! partial derivatives with respect to the inputs that were read for it.
//!
//! Forward mode with a tangent for each read instead of each direction: the tangents of a scalar are known to
//! be zero for all but a few reads, so only those few exist, as scalars of their own. A loop over local terms
//! (a stencil, a sum of residuals) then computes each entry once, in the iteration that it belongs to, and no
//! entry is zero by construction.
//!
//! - LOCALENTRY1 a read happens in the iteration of the loop in which its tangents are used: values carried
//!   from one iteration to the next do not vary.
//! - LOCALENTRY2 values that depend on floats (a branch, an index) decide neither which numbers are written
//!   nor which inputs are read: the places of entries are the same at each input of the same shape and with
//!   the same integers.
//! - LOCALENTRY3 an element of the result is written once, or is its previous value plus a term.
//!
//! Tangents may also be those with respect to intermediate numbers, which are eliminated where the result is
//! written: reverse mode within an iteration, or anything in between. The number of operations decides.
//!
//! Functions that violate these conditions are refused with the reason.

mod build;
mod context;
mod decided;
mod elimination;
mod emit;
mod places;
mod sites;

pub use context::{EntriesTransform, Writing};
pub use places::{EntryPlaces, PlacesError, Written};
