//! Maps, sets and queues.

mod deque_parts;
mod extract;
mod heap;
mod entry;
mod map;
mod map_impls;
mod map_iter;
mod map_keys;
mod set;
mod deque;
mod list;

pub use heap::BinaryHeap;
pub use map::{BTreeMap, HashMap};
pub use set::{BTreeSet, HashSet};
pub use deque::VecDeque;
pub use list::LinkedList;
pub use crate::ops::Bound;
pub use crate::vec::TryReserveError;

pub mod hash_map {
    pub use super::entry::{Entry, OccupiedEntry, VacantEntry};
    pub use super::map::{HashMap, IntoIter, Iter, IterMut};
    pub use crate::hash::{DefaultHasher, RandomState};
    pub use super::extract::ExtractIf;
    pub use super::map_keys::{IntoKeys, IntoValues, Keys, Values, ValuesMut};
    pub type Drain<'a, K, V> = IntoIter<K, V>;
}

pub mod btree_map {
    pub use super::entry::{Entry, OccupiedEntry, VacantEntry};
    pub use super::map::{BTreeMap, IntoIter, Iter, IterMut};
    pub use super::map::{Iter as Range, IterMut as RangeMut};
    pub use super::extract::ExtractIf;
    pub use super::map_keys::{IntoKeys, IntoValues, Keys, Values, ValuesMut};
}

pub mod hash_set {
    pub use super::set::HashSet;
    pub use crate::slice::Iter;
    pub use crate::vec::IntoIter;
    pub type Drain<'a, T> = IntoIter<T>;
}

pub mod btree_set {
    pub use super::set::BTreeSet;
    pub use crate::slice::{Iter, Iter as Range};
    pub use crate::vec::IntoIter;
}

pub mod vec_deque {
    pub use super::deque::VecDeque;
    pub use crate::slice::{Iter, IterMut};
    pub use crate::vec::IntoIter;
    pub type Drain<'a, T> = IntoIter<T>;
}

pub mod binary_heap {
    pub use super::heap::{BinaryHeap, PeekMut};
    pub use crate::slice::Iter;
    pub use crate::vec::IntoIter;
    pub type Drain<'a, T> = IntoIter<T>;
}

pub mod linked_list {
    pub use super::list::LinkedList;
    pub use crate::slice::{Iter, IterMut};
    pub use crate::vec::IntoIter;
}

/// Fails for a range of keys that begins behind its end.
fn check_range<T: ?Sized + Ord, R: crate::ops::RangeBounds<T>>(range: &R, what: &str) {
    use crate::ops::Bound::{Excluded, Included};
    match (range.start_bound(), range.end_bound()) {
        (Excluded(start), Excluded(end)) if T::cmp(start, end).is_eq() => {
            panic!("range start and end are equal and excluded in {what}")
        }
        (Included(start) | Excluded(start), Included(end) | Excluded(end)) if T::cmp(start, end).is_gt() => {
            panic!("range start is greater than range end in {what}")
        }
        _ => {}
    }
}
