//! Slice indices: a single element or a range of them.

use super::{elem, elem_mut, part, part_mut};
use crate::ops::{Index, IndexMut, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

pub trait SliceIndex<S: ?Sized> {
    type Output: ?Sized;
    fn get(self, slice: &S) -> Option<&Self::Output>;
    fn get_mut(self, slice: &mut S) -> Option<&mut Self::Output>;
    fn index(self, slice: &S) -> &Self::Output;
    fn index_mut(self, slice: &mut S) -> &mut Self::Output;
}

impl<T> SliceIndex<[T]> for usize {
    type Output = T;

    fn get(self, slice: &[T]) -> Option<&T> {
        if self < slice.len() { Some(elem(slice, self)) } else { None }
    }

    fn get_mut(self, slice: &mut [T]) -> Option<&mut T> {
        if self < slice.len() { Some(elem_mut(slice, self)) } else { None }
    }

    fn index(self, slice: &[T]) -> &T {
        elem(slice, self)
    }

    fn index_mut(self, slice: &mut [T]) -> &mut T {
        elem_mut(slice, self)
    }
}

macro_rules! ranges {
    ($($R:ty: $range:ident, $len:ident => ($lo:expr, $hi:expr);)*) => {$(
        impl<T> SliceIndex<[T]> for $R {
            type Output = [T];

            fn get(self, slice: &[T]) -> Option<&[T]> {
                let ($range, $len) = (self, slice.len());
                let (lo, hi): (usize, usize) = ($lo, $hi);
                if lo <= hi && hi <= $len { Some(part(slice, lo, hi)) } else { None }
            }

            fn get_mut(self, slice: &mut [T]) -> Option<&mut [T]> {
                let ($range, $len) = (self, slice.len());
                let (lo, hi): (usize, usize) = ($lo, $hi);
                if lo <= hi && hi <= $len { Some(part_mut(slice, lo, hi)) } else { None }
            }

            fn index(self, slice: &[T]) -> &[T] {
                let ($range, $len) = (self, slice.len());
                part(slice, $lo, $hi)
            }

            fn index_mut(self, slice: &mut [T]) -> &mut [T] {
                let ($range, $len) = (self, slice.len());
                part_mut(slice, $lo, $hi)
            }
        }
    )*};
}

#[impls(SliceIndex)]
ranges! {
    Range<usize>: r, len => (r.start, r.end);
    RangeInclusive<usize>: r, len => (if r.exhausted { r.end + 1 } else { r.start }, r.end + 1);
    RangeFrom<usize>: r, len => (r.start, len);
    RangeTo<usize>: r, len => (0, r.end);
    RangeToInclusive<usize>: r, len => (0, r.end + 1);
    RangeFull: r, len => (0, len);
}

impl<T, I: SliceIndex<[T]>> Index<I> for [T] {
    type Output = I::Output;

    fn index(&self, index: I) -> &I::Output {
        index.index(self)
    }
}

impl<T, I: SliceIndex<[T]>> IndexMut<I> for [T] {
    fn index_mut(&mut self, index: I) -> &mut I::Output {
        index.index_mut(self)
    }
}

impl<T, I: SliceIndex<[T]>> Index<I> for Vec<T> {
    type Output = I::Output;

    fn index(&self, index: I) -> &I::Output {
        index.index(self)
    }
}

impl<T, I: SliceIndex<[T]>> IndexMut<I> for Vec<T> {
    fn index_mut(&mut self, index: I) -> &mut I::Output {
        index.index_mut(self)
    }
}

impl<T, I: SliceIndex<[T]>, const N: usize> Index<I> for [T; N] {
    type Output = I::Output;

    fn index(&self, index: I) -> &I::Output {
        index.index(self)
    }
}

impl<T, I: SliceIndex<[T]>, const N: usize> IndexMut<I> for [T; N] {
    fn index_mut(&mut self, index: I) -> &mut I::Output {
        index.index_mut(self)
    }
}
