//! Comparisons of slices, vectors and arrays with each other.

use crate::cmp::Ordering;

impl<T: PartialEq<U>, U> PartialEq<[U]> for [T] {
    fn eq(&self, other: &[U]) -> bool {
        let n = self.len();
        if n != other.len() {
            return false;
        }
        for i in 0..n {
            if self[i] != other[i] {
                return false;
            }
        }
        true
    }
}

impl<T: Eq> Eq for [T] {}

impl<T: Eq> Eq for Vec<T> {}

impl<T: Eq, const N: usize> Eq for [T; N] {}

#[op("id")]
fn view<A: ?Sized, T>(elems: &A) -> &[T];

macro_rules! equal {
    ($([$($params:tt)*] $A:ty, $B:ty;)*) => {$(
        impl<T: PartialEq<U>, U, $($params)*> PartialEq<$B> for $A {
            fn eq(&self, other: &$B) -> bool {
                *view::<$A, T>(self) == *view::<$B, U>(other)
            }
        }
    )*};
}

#[impls(PartialEq)]
equal! {
    [] Vec<T>, Vec<U>;
    [] Vec<T>, [U];
    [] Vec<T>, &[U];
    [] Vec<T>, &mut [U];
    [] [T], Vec<U>;
    [] &[T], Vec<U>;
    [] &mut [T], Vec<U>;
    [const N: usize] Vec<T>, [U; N];
    [const N: usize] Vec<T>, &[U; N];
    [const N: usize] [T; N], [U; N];
    [const N: usize] [T; N], [U];
    [const N: usize] [T], [U; N];
    [const N: usize] [T; N], &[U];
    [const N: usize] &[T], [U; N];
    [const N: usize] [T; N], Vec<U>;
}

fn order<T: Ord>(a: &[T], b: &[T]) -> Ordering {
    let n = a.len().min(b.len());
    for i in 0..n {
        match T::cmp(&a[i], &b[i]) {
            Ordering::Equal => {}
            order => return order,
        }
    }
    a.len().cmp(&b.len())
}

fn partial_order<T: PartialOrd>(a: &[T], b: &[T]) -> Option<Ordering> {
    let n = a.len().min(b.len());
    for i in 0..n {
        match T::partial_cmp(&a[i], &b[i]) {
            Some(Ordering::Equal) => {}
            order => return order,
        }
    }
    Some(a.len().cmp(&b.len()))
}

macro_rules! ordered {
    ($([$($params:tt)*] $A:ty;)*) => {$(
        impl<T: PartialOrd, $($params)*> PartialOrd for $A {
            fn partial_cmp(&self, other: &$A) -> Option<Ordering> {
                partial_order(view::<$A, T>(self), view::<$A, T>(other))
            }
        }

        impl<T: Ord, $($params)*> Ord for $A {
            fn cmp(&self, other: &$A) -> Ordering {
                order(view::<$A, T>(self), view::<$A, T>(other))
            }
        }
    )*};
}

#[impls(PartialOrd, Ord)]
ordered! {
    [] [T];
    [] Vec<T>;
    [const N: usize] [T; N];
}
