//! Arrays of a fixed length.

use crate::fmt;
use crate::mem::{ManuallyDrop, moved};
use crate::slice::{Iter, IterMut, elem_mut};

pub use crate::vec::IntoIter;

/// A slice with the length of the array, as an array.
#[op("id")]
pub fn view<T, const N: usize>(slice: &[T]) -> &[T; N];

#[op("id")]
pub fn view_mut<T, const N: usize>(slice: &mut [T]) -> &mut [T; N];

/// A vector with the length of the array, as an array.
#[op("id")]
fn whole<T, const N: usize>(elems: Vec<T>) -> [T; N];

#[op("id")]
fn elems<T, const N: usize>(array: [T; N]) -> Vec<T>;

pub fn from_slice<T: Clone, const N: usize>(slice: &[T]) -> [T; N] {
    whole(slice.to_vec())
}

pub fn from_fn<T, const N: usize, F: FnMut(usize) -> T>(mut cb: F) -> [T; N] {
    let mut result = Vec::new();
    for i in 0..N {
        result.push(cb(i));
    }
    whole(result)
}

#[op("array")]
pub fn from_ref<T>(value: &T) -> &[T; 1];

impl<T, const N: usize> [T; N] {
    pub fn map<U, F: FnMut(T) -> U>(self, mut f: F) -> [U; N] {
        let elems = ManuallyDrop::new(self);
        let mut result = Vec::new();
        for i in 0..N {
            result.push(f(moved(&elems[i])));
        }
        whole(result)
    }

    #[op("id")]
    pub fn as_slice(&self) -> &[T];

    #[op("id")]
    pub fn as_mut_slice(&mut self) -> &mut [T];

    pub fn each_mut(&mut self) -> [&mut T; N] {
        from_fn(|i| elem_mut(self, i))
    }

    pub fn each_ref(&self) -> [&T; N] {
        from_fn(|i| &self[i])
    }
}

macro_rules! defaults {
    ($($N:literal)*) => {$(
        impl<T: Default> Default for [T; $N] {
            fn default() -> [T; $N] {
                from_fn(|_| T::default())
            }
        }
    )*};
}

#[impls(Default)]
defaults! { 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 }

impl<T, const N: usize> IntoIterator for [T; N] {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        elems(self).into_iter()
    }

    fn __fixed_len() -> Option<usize> {
        Some(N)
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a [T; N] {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.as_slice().iter()
    }

    fn __fixed_len() -> Option<usize> {
        Some(N)
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a mut [T; N] {
    type Item = &'a mut T;
    type IntoIter = IterMut<'a, T>;

    fn into_iter(self) -> IterMut<'a, T> {
        self.as_mut_slice().iter_mut()
    }

    fn __fixed_len() -> Option<usize> {
        Some(N)
    }
}

impl<T, const N: usize> AsRef<[T]> for [T; N] {
    fn as_ref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T, const N: usize> AsMut<[T]> for [T; N] {
    fn as_mut(&mut self) -> &mut [T] {
        self.as_mut_slice()
    }
}

impl<T, const N: usize> crate::borrow::Borrow<[T]> for [T; N] {
    fn borrow(&self) -> &[T] {
        self.as_slice()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct TryFromSliceError(());

impl fmt::Display for TryFromSliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("could not convert slice to array")
    }
}

impl crate::error::Error for TryFromSliceError {}

impl<T: Copy, const N: usize> TryFrom<&[T]> for [T; N] {
    type Error = TryFromSliceError;

    fn try_from(slice: &[T]) -> Result<[T; N], TryFromSliceError> {
        if slice.len() == N { Ok(*view(slice)) } else { Err(TryFromSliceError(())) }
    }
}

impl<'a, T, const N: usize> TryFrom<&'a [T]> for &'a [T; N] {
    type Error = TryFromSliceError;

    fn try_from(slice: &'a [T]) -> Result<&'a [T; N], TryFromSliceError> {
        if slice.len() == N { Ok(view(slice)) } else { Err(TryFromSliceError(())) }
    }
}

impl<'a, T, const N: usize> TryFrom<&'a mut [T]> for &'a mut [T; N] {
    type Error = TryFromSliceError;

    fn try_from(slice: &'a mut [T]) -> Result<&'a mut [T; N], TryFromSliceError> {
        if slice.len() == N { Ok(view_mut(slice)) } else { Err(TryFromSliceError(())) }
    }
}

impl<T, const N: usize> TryFrom<Vec<T>> for [T; N] {
    type Error = Vec<T>;

    fn try_from(vec: Vec<T>) -> Result<[T; N], Vec<T>> {
        if vec.len() == N { Ok(whole(vec)) } else { Err(vec) }
    }
}

impl<T, const N: usize> TryFrom<Box<[T]>> for Box<[T; N]> {
    type Error = Box<[T]>;

    fn try_from(slice: Box<[T]>) -> Result<Box<[T; N]>, Box<[T]>> {
        if slice.len() == N { Ok(Box::new(whole(Vec::from(slice)))) } else { Err(slice) }
    }
}

impl<T: crate::hash::Hash, const N: usize> crate::hash::Hash for [T; N] {
    fn hash<H: crate::hash::Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state)
    }
}
