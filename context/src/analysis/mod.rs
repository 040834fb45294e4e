//! Analyses of functions.
//!
//! - An analysis is a snapshot: it does not apply to a function that was derived from the analysed one.
//! - Each takes time nearly linear in the size of the function and of its result; none uses recursion on the
//!   machine stack.

mod cfg;
mod dominators;
mod liveness;
mod loops;
mod pure;
mod uses;

pub use cfg::Cfg;
pub use dominators::{Dominators, Frontiers, PostDominators};
pub use liveness::Liveness;
pub use loops::{Loop, LoopId, LoopNest};
pub use pure::{is_pure, is_pure_body};
pub use uses::{Defs, for_each_use, use_counts};
