//! What can be known of a function by reading it.
//!
//! - An analysis is a snapshot: it says nothing of a function that was made from the analysed one.
//! - Each takes time nearly linear in the size of the function and of its answer; none recurses on the machine's
//!   stack.

mod cfg;
mod dominators;
mod liveness;
mod loops;

pub use cfg::Cfg;
pub use dominators::{Dominators, Frontiers, PostDominators};
pub use liveness::Liveness;
pub use loops::{Loop, LoopId, LoopNest};
