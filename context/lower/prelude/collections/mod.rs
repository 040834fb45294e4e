//! Maps, sets and queues.

mod heap;
mod entry;
mod map;
mod map_impls;
mod map_iter;
mod set;
mod deque;
mod list;

pub use heap::BinaryHeap;
pub use map::{BTreeMap, HashMap};
pub use set::{BTreeSet, HashSet};
pub use deque::VecDeque;
pub use list::LinkedList;

pub mod hash_map {
    pub use super::entry::{Entry, OccupiedEntry, VacantEntry};
    pub use super::map::{HashMap, IntoIter, Iter, IterMut};
    pub use crate::hash::{DefaultHasher, RandomState};
}

pub mod btree_map {
    pub use super::entry::{Entry, OccupiedEntry, VacantEntry};
    pub use super::map::{BTreeMap, IntoIter, Iter, IterMut};
}

pub mod hash_set {
    pub use super::set::HashSet;
}

pub mod btree_set {
    pub use super::set::BTreeSet;
}

pub mod vec_deque {
    pub use super::deque::VecDeque;
}

pub mod binary_heap {
    pub use super::heap::BinaryHeap;
}

pub mod linked_list {
    pub use super::list::LinkedList;
}
