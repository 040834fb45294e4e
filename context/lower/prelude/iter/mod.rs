//! Iterators.

mod adapters;
mod adapters_flat;
mod adapters_if;
mod adapters_take;
mod collect;
mod compare;
mod iterator;
mod lent;
mod sources;
mod step;
mod sum;
mod traits;
mod zip;

pub use adapters::{Chain, Cloned, Copied, Cycle, Enumerate, Inspect, Map, Rev};
pub use adapters_flat::{FlatMap, Flatten};
pub use adapters_if::{Filter, FilterMap, Fuse, MapWhile, Peekable, Scan, SkipWhile, TakeWhile};
pub use adapters_take::{Skip, StepBy, Take};
pub use iterator::Iterator;
pub use sources::{
    Empty, FromFn, Once, OnceWith, Repeat, RepeatN, RepeatWith, Successors, empty, from_fn, once, once_with, repeat,
    repeat_n, repeat_with, successors,
};
pub use step::Step;
pub use sum::{Product, Sum};
pub use traits::{DoubleEndedIterator, ExactSizeIterator, Extend, FromIterator, FusedIterator, IntoIterator};
pub use zip::{Zip, zip};
