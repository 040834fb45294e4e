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
    pub use crate::slice::{Iter as Keys, Iter as Values, IterMut as ValuesMut};
    pub use crate::vec::{IntoIter as IntoKeys, IntoIter as IntoValues};
    pub type Drain<'a, K, V> = IntoIter<K, V>;
}

pub mod btree_map {
    pub use super::entry::{Entry, OccupiedEntry, VacantEntry};
    pub use super::map::{BTreeMap, IntoIter, Iter, IterMut};
    pub use super::map::{Iter as Range, IterMut as RangeMut};
    pub use crate::slice::{Iter as Keys, Iter as Values, IterMut as ValuesMut};
    pub use crate::vec::{IntoIter as IntoKeys, IntoIter as IntoValues};
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
