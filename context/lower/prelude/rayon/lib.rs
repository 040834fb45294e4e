//! The crate `rayon` as programs see it: the order of a parallel iterator is that of the elements, on one thread.
//!
//! - RAYON1 where rayon leaves the order open (sums, reductions, folds, side effects), it is that of one thread.

pub mod iter;
pub mod pool;
pub mod slice;
pub mod str;

pub use pool::{
    Scope, ScopeFifo, ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder, current_num_threads, current_thread_index, in_place_scope,
    max_num_threads, scope, scope_fifo, spawn, spawn_fifo,
};

pub mod prelude {
    pub use crate::iter::{
        FromParallelIterator, IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator,
        IntoParallelRefMutIterator, ParallelBridge, ParallelDrainFull, ParallelDrainRange, ParallelExtend,
        ParallelIterator,
    };
    pub use crate::slice::{ParallelSlice, ParallelSliceMut};
    pub use crate::str::ParallelString;
}

pub fn join<A, B, RA, RB>(oper_a: A, oper_b: B) -> (RA, RB)
where
    A: FnOnce() -> RA + Send,
    B: FnOnce() -> RB + Send,
    RA: Send,
    RB: Send,
{
    let a = oper_a();
    (a, oper_b())
}

/// What `join_context` tells its closures.
#[derive(Debug)]
pub struct FnContext {
    migrated: bool,
}

impl FnContext {
    pub fn migrated(&self) -> bool {
        self.migrated
    }
}

pub fn join_context<A, B, RA, RB>(oper_a: A, oper_b: B) -> (RA, RB)
where
    A: FnOnce(FnContext) -> RA + Send,
    B: FnOnce(FnContext) -> RB + Send,
    RA: Send,
    RB: Send,
{
    let a = oper_a(FnContext { migrated: false });
    (a, oper_b(FnContext { migrated: false }))
}
