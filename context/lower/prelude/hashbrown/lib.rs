//! The crate `hashbrown` as programs see it: its maps and sets are those of the standard library, and its
//! table keeps values sorted by hash. The original finds them by groups of control bytes.

pub mod hash_table;

pub use hash_table::HashTable;
pub use std::collections::{HashMap, HashSet};

pub mod hash_map {
    pub use std::collections::hash_map::*;
    pub use std::collections::HashMap;
}

pub mod hash_set {
    pub use std::collections::hash_set::*;
    pub use std::collections::HashSet;
}

pub type DefaultHashBuilder = std::hash::RandomState;

/// The reason why no memory was reserved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TryReserveError {
    CapacityOverflow,
    AllocError { layout: () },
}

/// A value that can be compared with a key.
pub trait Equivalent<K: ?Sized> {
    fn equivalent(&self, key: &K) -> bool;
}

impl<Q: ?Sized + Eq, K: ?Sized + std::borrow::Borrow<Q>> Equivalent<K> for Q {
    fn equivalent(&self, key: &K) -> bool {
        *self == *key.borrow()
    }
}
