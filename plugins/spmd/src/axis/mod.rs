//! One function on several ranks: collectives, the context that gives them their meaning, and the ranks themselves.

mod bind;
mod cast;
mod communicator;
mod context;
mod exchange;
mod numbers;
mod ops;
mod primitives;
mod threads;
mod varying;
mod wire;

pub use bind::bind;
pub(crate) use bind::{MappedAxes, in_mapped_call};
pub use communicator::{Alone, CommError, Communicator};
pub use context::OnAxis;
pub use numbers::{Mean, Numbers, Ordered};
pub use primitives::{
    all_gather, all_to_all, axis_index, axis_size, broadcast, pmax, pmean, pmin, ppermute, psum,
};
pub use threads::{RanksError, ThreadRank, ranks};
