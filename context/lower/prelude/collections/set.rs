//! Sets: elements in order.

use super::map::{hashed_place_of, place_of};
use crate::borrow::Borrow;
use crate::cmp::Ordering;
use crate::fmt;
use crate::hash::Hash;
use crate::ops::{BitAnd, BitOr, BitXor, Bound, RangeBounds, Sub};

pub struct HashSet<T, S = crate::hash::RandomState> {
    pub(super) elems: Vec<T>,
    hasher: crate::marker::PhantomData<S>,
}

pub struct BTreeSet<T> {
    pub(super) elems: Vec<T>,
}

impl<T> HashSet<T> {
    pub fn new() -> HashSet<T> {
        HashSet { elems: Vec::new(), hasher: crate::marker::PhantomData }
    }

    pub fn with_capacity(capacity: usize) -> HashSet<T> {
        HashSet { elems: Vec::with_capacity(capacity), hasher: crate::marker::PhantomData }
    }
}

impl<T, S> HashSet<T, S> {
    fn from_sorted(elems: Vec<T>) -> HashSet<T, S> {
        HashSet { elems, hasher: crate::marker::PhantomData }
    }

    pub fn with_hasher(_hasher: S) -> HashSet<T, S> {
        HashSet::from_sorted(Vec::new())
    }

    pub fn with_capacity_and_hasher(capacity: usize, _hasher: S) -> HashSet<T, S> {
        HashSet::from_sorted(Vec::with_capacity(capacity))
    }

    pub fn capacity(&self) -> usize {
        self.elems.capacity()
    }

    pub fn reserve(&mut self, additional: usize) {
        self.elems.reserve(additional);
    }

    pub fn shrink_to_fit(&mut self) {
        self.elems.shrink_to_fit();
    }
}

impl<T: Eq + Hash, S> HashSet<T, S> {
    fn find<Q: ?Sized + Eq + Hash>(&self, k: &Q) -> Result<usize, usize>
    where
        T: Borrow<Q>,
    {
        hashed_place_of::<T, Q>(&self.elems, k)
    }
}

impl<T> BTreeSet<T> {
    pub fn new() -> BTreeSet<T> {
        BTreeSet { elems: Vec::new() }
    }

    fn from_sorted(elems: Vec<T>) -> BTreeSet<T> {
        BTreeSet { elems }
    }

    fn find<Q: ?Sized + Ord>(&self, k: &Q) -> Result<usize, usize>
    where
        T: Borrow<Q>,
    {
        place_of(&self.elems, |elem| {
            let elem: &Q = elem.borrow();
            Q::cmp(elem, k)
        })
    }

    pub fn first(&self) -> Option<&T> {
        self.elems.first()
    }

    pub fn last(&self) -> Option<&T> {
        self.elems.last()
    }

    pub fn pop_first(&mut self) -> Option<T> {
        if self.elems.is_empty() { None } else { Some(self.elems.remove(0)) }
    }

    pub fn pop_last(&mut self) -> Option<T> {
        self.elems.pop()
    }

    pub fn append(&mut self, other: &mut BTreeSet<T>)
    where
        T: Ord,
    {
        for x in crate::mem::take(&mut other.elems) {
            self.insert(x);
        }
    }

    pub fn split_off<Q: ?Sized + Ord>(&mut self, value: &Q) -> BTreeSet<T>
    where
        T: Borrow<Q>,
    {
        let at = self.find::<Q>(value).unwrap_or_else(|i| i);
        BTreeSet { elems: self.elems.split_off(at) }
    }

    /// The positions covered by a range of elements.
    pub(super) fn positions<Q: ?Sized + Ord, R: RangeBounds<Q>>(&self, range: &R) -> (usize, usize)
    where
        T: Borrow<Q>,
    {
        super::check_range::<Q, R>(range, "BTreeSet");
        let lo = match range.start_bound() {
            Bound::Included(k) => self.find::<Q>(k).unwrap_or_else(|i| i),
            Bound::Excluded(k) => self.find::<Q>(k).map_or_else(|i| i, |i| i + 1),
            Bound::Unbounded => 0,
        };
        let hi = match range.end_bound() {
            Bound::Included(k) => self.find::<Q>(k).map_or_else(|i| i, |i| i + 1),
            Bound::Excluded(k) => self.find::<Q>(k).unwrap_or_else(|i| i),
            Bound::Unbounded => self.elems.len(),
        };
        (lo, hi)
    }

    pub fn range<Q: ?Sized + Ord, R: RangeBounds<Q>>(&self, range: R) -> crate::slice::Iter<'_, T>
    where
        T: Borrow<Q>,
    {
        let (lo, hi) = self.positions::<Q, R>(&range);
        self.elems[lo..hi].iter()
    }
}

macro_rules! set_methods {
    ([$($t:tt)*] [$($q:tt)*] [$($s:tt)*] $Set:ident<$($arg:ident),*>) => {
        impl<$($t)*, $($s)*> $Set<$($arg),*> {
            pub fn insert(&mut self, value: T) -> bool {
                match self.find::<T>(&value) {
                    Ok(_) => false,
                    Err(i) => {
                        self.elems.insert(i, value);
                        true
                    }
                }
            }

            pub fn replace(&mut self, value: T) -> Option<T> {
                match self.find::<T>(&value) {
                    Ok(i) => {
                        Some(crate::mem::replace(&mut self.elems[i], value))
                    }
                    Err(i) => {
                        self.elems.insert(i, value);
                        None
                    }
                }
            }

            pub fn contains<Q: ?Sized $($q)*>(&self, value: &Q) -> bool
            where
                T: Borrow<Q>,
            {
                self.find::<Q>(value).is_ok()
            }

            pub fn get<Q: ?Sized $($q)*>(&self, value: &Q) -> Option<&T>
            where
                T: Borrow<Q>,
            {
                match self.find::<Q>(value) {
                    Ok(i) => Some(&self.elems[i]),
                    Err(_) => None,
                }
            }

            pub fn remove<Q: ?Sized $($q)*>(&mut self, value: &Q) -> bool
            where
                T: Borrow<Q>,
            {
                self.take::<Q>(value).is_some()
            }

            pub fn take<Q: ?Sized $($q)*>(&mut self, value: &Q) -> Option<T>
            where
                T: Borrow<Q>,
            {
                match self.find::<Q>(value) {
                    Ok(i) => Some(self.elems.remove(i)),
                    Err(_) => None,
                }
            }

            pub fn is_subset(&self, other: &Self) -> bool {
                self.elems.iter().all(|x| other.find::<T>(x).is_ok())
            }

            pub fn is_superset(&self, other: &Self) -> bool {
                other.is_subset(self)
            }

            pub fn is_disjoint(&self, other: &Self) -> bool {
                !self.elems.iter().any(|x| other.find::<T>(x).is_ok())
            }

            /// The elements of this set that are, or are not, in the other.
            fn filter_by_membership(&self, other: &Self, inside: bool) -> Vec<T> {
                let mut found = Vec::new();
                for x in self.elems.iter() {
                    if other.find::<T>(x).is_ok() == inside {
                        found.push(*x);
                    }
                }
                found
            }

            fn joined(&self, other: &Self) -> Self {
                let mut all: Self = $Set::from_sorted(self.elems);
                for x in other.elems.iter() {
                    all.insert(*x);
                }
                all
            }

            pub fn union<'a>(&'a self, other: &'a Self) -> crate::slice::Iter<'a, T> {
                self.joined(other).elems.__leaked().iter()
            }

            pub fn intersection<'a>(&'a self, other: &'a Self) -> crate::slice::Iter<'a, T> {
                self.filter_by_membership(other, true).__leaked().iter()
            }

            pub fn difference<'a>(&'a self, other: &'a Self) -> crate::slice::Iter<'a, T> {
                self.filter_by_membership(other, false).__leaked().iter()
            }

            pub fn symmetric_difference<'a>(&'a self, other: &'a Self) -> crate::slice::Iter<'a, T> {
                (self ^ other).elems.__leaked().iter()
            }
        }

        impl<T, $($s)*> $Set<$($arg),*> {
            pub fn len(&self) -> usize {
                self.elems.len()
            }

            pub fn is_empty(&self) -> bool {
                self.elems.is_empty()
            }

            pub fn clear(&mut self) {
                self.elems = Vec::new();
            }

            pub fn iter(&self) -> crate::slice::Iter<'_, T> {
                self.elems.iter()
            }

            pub fn drain(&mut self) -> crate::vec::IntoIter<T> {
                crate::mem::take(&mut self.elems).into_iter()
            }

            pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F) {
                self.elems.retain(f);
            }
        }
    };
}

#[impls(HashSet)]
set_methods! { [T: Eq + Hash] [+ Eq + Hash] [S] HashSet<T, S> }
#[impls(BTreeSet)]
set_methods! { [T: Ord] [+ Ord] [] BTreeSet<T> }

macro_rules! set_operators {
    ([$($t:tt)*] [$($q:tt)*] [$($s:tt)*] $Set:ident<$($arg:ident),*>) => {
        impl<$($t)*, $($s)*> BitOr<&$Set<$($arg),*>> for &$Set<$($arg),*> {
            type Output = $Set<$($arg),*>;

            fn bitor(self, rhs: &$Set<$($arg),*>) -> $Set<$($arg),*> {
                self.joined(rhs)
            }
        }

        impl<$($t)*, $($s)*> BitAnd<&$Set<$($arg),*>> for &$Set<$($arg),*> {
            type Output = $Set<$($arg),*>;

            fn bitand(self, rhs: &$Set<$($arg),*>) -> $Set<$($arg),*> {
                $Set::from_sorted(self.filter_by_membership(rhs, true))
            }
        }

        impl<$($t)*, $($s)*> Sub<&$Set<$($arg),*>> for &$Set<$($arg),*> {
            type Output = $Set<$($arg),*>;

            fn sub(self, rhs: &$Set<$($arg),*>) -> $Set<$($arg),*> {
                $Set::from_sorted(self.filter_by_membership(rhs, false))
            }
        }

        impl<$($t)*, $($s)*> BitXor<&$Set<$($arg),*>> for &$Set<$($arg),*> {
            type Output = $Set<$($arg),*>;

            fn bitxor(self, rhs: &$Set<$($arg),*>) -> $Set<$($arg),*> {
                let mut either: $Set<$($arg),*> = $Set::from_sorted(self.filter_by_membership(rhs, false));
                for x in rhs.filter_by_membership(self, false) {
                    either.insert(x);
                }
                either
            }
        }
    };
}

#[impls(BitOr, BitAnd, Sub, BitXor)]
set_operators! { [T: Eq + Hash] [+ Eq + Hash] [S] HashSet<T, S> }
#[impls(BitOr, BitAnd, Sub, BitXor)]
set_operators! { [T: Ord] [+ Ord] [] BTreeSet<T> }

macro_rules! set_traits {
    ([$($t:tt)*] [$($q:tt)*] [$($s:tt)*] $Set:ident<$($arg:ident),*>) => {
        impl<$($t)*, $($s)*> Extend<T> for $Set<$($arg),*> {
            fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
                let mut iter = iter.into_iter();
                iter.__before_fold();
                while let Some(x) = iter.next() {
                    self.insert(x);
                }
            }
        }

        impl<'a, $($t)*, $($s)*> Extend<&'a T> for $Set<$($arg),*> {
            fn extend<I: IntoIterator<Item = &'a T>>(&mut self, iter: I) {
                let mut iter = iter.into_iter();
                iter.__before_fold();
                while let Some(x) = iter.next() {
                    self.insert(*x);
                }
            }
        }

        impl<$($t)*, $($s)*> FromIterator<T> for $Set<$($arg),*> {
            fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
                let mut set: Self = $Set::from_sorted(Vec::new());
                let mut iter = iter.into_iter();
                iter.__before_fold();
                while let Some(x) = iter.next() {
                    set.insert(x);
                }
                set
            }
        }

        impl<$($t)*, const N: usize> From<[T; N]> for $Set<T> {
            fn from(elems: [T; N]) -> Self {
                Self::from_iter(elems)
            }
        }

        impl<$($t)*, $($s)*> PartialEq for $Set<$($arg),*> {
            fn eq(&self, other: &Self) -> bool {
                self.elems.len() == other.elems.len() && self.is_subset(other)
            }
        }

        impl<$($t)*, $($s)*> Eq for $Set<$($arg),*> {}

        impl<T, $($s)*> Default for $Set<$($arg),*> {
            fn default() -> Self {
                $Set::from_sorted(Vec::new())
            }
        }

        impl<T: Clone, $($s)*> Clone for $Set<$($arg),*> {
            fn clone(&self) -> Self {
                $Set::from_sorted(self.elems.clone())
            }
        }

        impl<T: fmt::Debug, $($s)*> fmt::Debug for $Set<$($arg),*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_set().entries(self.elems.iter()).finish()
            }
        }
    };
}

#[impls(Extend, FromIterator, From, PartialEq, Eq, Default, Clone, Debug)]
set_traits! { [T: Eq + Hash] [+ Eq + Hash] [S] HashSet<T, S> }
#[impls(Extend, FromIterator, From, PartialEq, Eq, Default, Clone, Debug)]
set_traits! { [T: Ord] [+ Ord] [] BTreeSet<T> }

macro_rules! set_loops {
    ([$($s:tt)*] $Set:ident<$($arg:ident),*>) => {
        impl<T, $($s)*> IntoIterator for $Set<$($arg),*> {
            type Item = T;
            type IntoIter = crate::vec::IntoIter<T>;

            fn into_iter(self) -> crate::vec::IntoIter<T> {
                self.elems.into_iter()
            }
        }

        impl<'a, T, $($s)*> IntoIterator for &'a $Set<$($arg),*> {
            type Item = &'a T;
            type IntoIter = crate::slice::Iter<'a, T>;

            fn into_iter(self) -> crate::slice::Iter<'a, T> {
                self.elems.iter()
            }
        }
    };
}

#[impls(IntoIterator)]
set_loops! { [S] HashSet<T, S> }
#[impls(IntoIterator)]
set_loops! { [] BTreeSet<T> }

impl<T: Ord> PartialOrd for BTreeSet<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.elems.cmp(&other.elems))
    }
}

impl<T: Ord> Ord for BTreeSet<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.elems.cmp(&other.elems)
    }
}
