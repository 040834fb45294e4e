//! Gradients within a memory: the long loops of a function are checkpointed, so that what its reverse sweep needs fits.
//!
//! The first run of a loop records nothing: it counts the iterations, and measures what each would record. The reverse
//! sweep therefore knows the length of the loop, and takes its snapshots by the optimal schedule, that of Griewank and
//! Walther (*Algorithm 799: Revolve*, ACM TOMS 26, 2000), with chunks of as many iterations as fit in place of single steps.
//!
//! - WITHIN1 a loop is checkpointed if it may run again without being noticed, records something, and returns values
//!   that have placeholders; any other loop is stored, and what it records is counted.
//! - WITHIN2 the result and the derivatives are those without a limit, to the bit: the same operations run on the same
//!   values, and sums are formed in the same order.
//! - WITHIN3 what a checkpointed loop keeps never exceeds the memory left to it: the records of a chunk are measured
//!   beforehand.

mod caller;
mod driver;
mod effects;
mod family;
mod loop_sweep;
mod ops;
mod outline;
mod region;
// Tested here; derivatives load its text.
#[cfg(test)]
mod schedule;
mod schedule_funcs;
mod sizes;

pub(super) use family::{LoopCall, LoopFuncs, LoopSweeps, Within, outlined_loops};
pub(super) use ops::STORE;
pub(super) use sizes::{InnerLoop, Sizes, fixed_bytes};
