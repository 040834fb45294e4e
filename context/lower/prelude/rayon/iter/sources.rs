//! What parallel iterators are made of.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::ops::{Range, RangeBounds, RangeInclusive};

use super::{Par, ParallelIterator};

pub trait IntoParallelIterator {
    type Iter: ParallelIterator<Item = Self::Item>;
    type Item;

    fn into_par_iter(self) -> Self::Iter;
}

impl<T: ParallelIterator> IntoParallelIterator for T {
    type Iter = T;
    type Item = T::Item;

    fn into_par_iter(self) -> T {
        self
    }
}

/// Types whose parallel iterators have the elements of their iterators.
macro_rules! by_iterator {
    ($(($($generics:tt)*) $ty:ty;)*) => {
        $(
            impl<$($generics)*> IntoParallelIterator for $ty {
                type Iter = Par<<$ty as IntoIterator>::IntoIter>;
                type Item = <$ty as IntoIterator>::Item;

                fn into_par_iter(self) -> Self::Iter {
                    Par(self.into_iter())
                }
            }
        )*
    };
}

by_iterator! {
    (T) Vec<T>;
    ('a, T) &'a Vec<T>;
    ('a, T) &'a mut Vec<T>;
    ('a, T) &'a [T];
    ('a, T) &'a mut [T];
    (T, const N: usize) [T; N];
    ('a, T, const N: usize) &'a [T; N];
    ('a, T, const N: usize) &'a mut [T; N];
    (T) Option<T>;
    ('a, T) &'a Option<T>;
    ('a, T) &'a mut Option<T>;
    (T) VecDeque<T>;
    ('a, T) &'a VecDeque<T>;
    ('a, T) &'a mut VecDeque<T>;
    (K, V, S) HashMap<K, V, S>;
    ('a, K, V, S) &'a HashMap<K, V, S>;
    ('a, K, V, S) &'a mut HashMap<K, V, S>;
    (K, V) BTreeMap<K, V>;
    ('a, K, V) &'a BTreeMap<K, V>;
    ('a, K, V) &'a mut BTreeMap<K, V>;
    (T, S) HashSet<T, S>;
    ('a, T, S) &'a HashSet<T, S>;
    (T) BTreeSet<T>;
    ('a, T) &'a BTreeSet<T>;
    (T) BinaryHeap<T>;
    ('a, T) &'a BinaryHeap<T>;
}

/// One impl for ranges of all types, so that the type of their literals may be found later.
macro_rules! ranges {
    ($($Range:ident)*) => {
        $(
            impl<T> IntoParallelIterator for $Range<T>
            where
                $Range<T>: Iterator,
            {
                type Iter = Par<$Range<T>>;
                type Item = <$Range<T> as Iterator>::Item;

                fn into_par_iter(self) -> Par<$Range<T>> {
                    Par(self)
                }
            }
        )*
    };
}

ranges! { Range RangeInclusive }

pub trait IntoParallelRefIterator<'data> {
    type Iter: ParallelIterator<Item = Self::Item>;
    type Item;

    fn par_iter(&'data self) -> Self::Iter;
}

impl<'data, I: 'data + ?Sized> IntoParallelRefIterator<'data> for I
where
    &'data I: IntoParallelIterator,
{
    type Iter = <&'data I as IntoParallelIterator>::Iter;
    type Item = <&'data I as IntoParallelIterator>::Item;

    fn par_iter(&'data self) -> Self::Iter {
        self.into_par_iter()
    }
}

pub trait IntoParallelRefMutIterator<'data> {
    type Iter: ParallelIterator<Item = Self::Item>;
    type Item;

    fn par_iter_mut(&'data mut self) -> Self::Iter;
}

impl<'data, I: 'data + ?Sized> IntoParallelRefMutIterator<'data> for I
where
    &'data mut I: IntoParallelIterator,
{
    type Iter = <&'data mut I as IntoParallelIterator>::Iter;
    type Item = <&'data mut I as IntoParallelIterator>::Item;

    fn par_iter_mut(&'data mut self) -> Self::Iter {
        self.into_par_iter()
    }
}

pub trait ParallelBridge: Sized {
    fn par_bridge(self) -> Par<Self>;
}

impl<T: Iterator> ParallelBridge for T {
    fn par_bridge(self) -> Par<T> {
        Par(self)
    }
}

pub trait ParallelDrainRange<Idx = usize> {
    type Item;

    fn par_drain<R: RangeBounds<Idx>>(self, range: R) -> Par<std::vec::IntoIter<Self::Item>>;
}

impl<'a, T> ParallelDrainRange<usize> for &'a mut Vec<T> {
    type Item = T;

    fn par_drain<R: RangeBounds<usize>>(self, range: R) -> Par<std::vec::IntoIter<T>> {
        Par(self.drain(range).collect::<Vec<T>>().into_iter())
    }
}

pub trait ParallelDrainFull {
    type Item;

    fn par_drain(self) -> Par<std::vec::IntoIter<Self::Item>>;
}

impl<'a, K, V> ParallelDrainFull for &'a mut HashMap<K, V> {
    type Item = (K, V);

    fn par_drain(self) -> Par<std::vec::IntoIter<(K, V)>> {
        Par(self.drain().collect::<Vec<(K, V)>>().into_iter())
    }
}

pub fn once<T>(item: T) -> Par<std::iter::Once<T>> {
    Par(std::iter::once(item))
}

pub fn empty<T>() -> Par<std::iter::Empty<T>> {
    Par(std::iter::empty())
}

pub fn repeat_n<T: Clone>(element: T, n: usize) -> Par<std::vec::IntoIter<T>> {
    Par(vec![element; n].into_iter())
}
