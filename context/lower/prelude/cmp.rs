//! Equality and order.

use crate::fmt;

#[lang("partial_eq")]
pub trait PartialEq<Rhs: ?Sized = Self> {
    fn eq(&self, other: &Rhs) -> bool;

    fn ne(&self, other: &Rhs) -> bool {
        !self.eq(other)
    }
}

#[lang("eq")]
pub trait Eq: PartialEq<Self> {}

#[lang("ordering")]
pub enum Ordering {
    Less = -1,
    Equal = 0,
    Greater = 1,
}

use Ordering::{Equal, Greater, Less};

#[lang("partial_ord")]
pub trait PartialOrd<Rhs: ?Sized = Self>: PartialEq<Rhs> {
    fn partial_cmp(&self, other: &Rhs) -> Option<Ordering>;

    fn lt(&self, other: &Rhs) -> bool {
        matches!(self.partial_cmp(other), Some(Less))
    }

    fn le(&self, other: &Rhs) -> bool {
        matches!(self.partial_cmp(other), Some(Less | Equal))
    }

    fn gt(&self, other: &Rhs) -> bool {
        matches!(self.partial_cmp(other), Some(Greater))
    }

    fn ge(&self, other: &Rhs) -> bool {
        matches!(self.partial_cmp(other), Some(Greater | Equal))
    }
}

#[lang("ord")]
pub trait Ord: Eq + PartialOrd<Self> {
    fn cmp(&self, other: &Self) -> Ordering;

    fn max(self, other: Self) -> Self {
        if other < self { self } else { other }
    }

    fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    fn clamp(self, min: Self, max: Self) -> Self {
        assert!(min <= max);
        if self < min {
            min
        } else if self > max {
            max
        } else {
            self
        }
    }
}

/// Whether two values are equal if all their parts are: each `Eq` in them is derived or the library's. A
/// constant of the instance.
#[lang("eq_is_structural")]
pub fn eq_is_structural<T: ?Sized>() -> bool;

/// The structural order of any two values of a type, used by maps whose keys only have `Hash` and `Eq`.
#[op("order")]
pub fn order<T: ?Sized>(a: &T, b: &T) -> Ordering;

pub fn max<T: Ord>(v1: T, v2: T) -> T {
    v1.max(v2)
}

pub fn min<T: Ord>(v1: T, v2: T) -> T {
    v1.min(v2)
}

pub fn max_by<T, F: FnOnce(&T, &T) -> Ordering>(v1: T, v2: T, compare: F) -> T {
    if compare(&v1, &v2).is_gt() { v1 } else { v2 }
}

pub fn min_by<T, F: FnOnce(&T, &T) -> Ordering>(v1: T, v2: T, compare: F) -> T {
    if compare(&v1, &v2).is_le() { v1 } else { v2 }
}

pub fn max_by_key<T, F: FnMut(&T) -> K, K: Ord>(v1: T, v2: T, mut f: F) -> T {
    if f(&v2) < f(&v1) { v1 } else { v2 }
}

pub fn min_by_key<T, F: FnMut(&T) -> K, K: Ord>(v1: T, v2: T, mut f: F) -> T {
    if f(&v2) < f(&v1) { v2 } else { v1 }
}

impl Ordering {
    pub fn is_eq(self) -> bool {
        matches!(self, Equal)
    }

    pub fn is_ne(self) -> bool {
        !matches!(self, Equal)
    }

    pub fn is_lt(self) -> bool {
        matches!(self, Less)
    }

    pub fn is_gt(self) -> bool {
        matches!(self, Greater)
    }

    pub fn is_le(self) -> bool {
        !matches!(self, Greater)
    }

    pub fn is_ge(self) -> bool {
        !matches!(self, Less)
    }

    pub fn reverse(self) -> Ordering {
        match self {
            Less => Greater,
            Equal => Equal,
            Greater => Less,
        }
    }

    pub fn then(self, other: Ordering) -> Ordering {
        match self {
            Equal => other,
            _ => self,
        }
    }

    pub fn then_with<F: FnOnce() -> Ordering>(self, f: F) -> Ordering {
        match self {
            Equal => f(),
            _ => self,
        }
    }
}

impl Clone for Ordering {
    fn clone(&self) -> Ordering {
        *self
    }
}

impl Copy for Ordering {}

impl PartialEq for Ordering {
    fn eq(&self, other: &Ordering) -> bool {
        *self as i8 == *other as i8
    }
}

impl Eq for Ordering {}

impl PartialOrd for Ordering {
    fn partial_cmp(&self, other: &Ordering) -> Option<Ordering> {
        Some(Ord::cmp(self, other))
    }
}

impl Ord for Ordering {
    fn cmp(&self, other: &Ordering) -> Ordering {
        (*self as i8).cmp(&(*other as i8))
    }
}

impl crate::hash::Hash for Ordering {
    fn hash<H: crate::hash::Hasher>(&self, state: &mut H) {
        (*self as i64).hash(state)
    }
}

impl fmt::Debug for Ordering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Less => "Less",
            Equal => "Equal",
            Greater => "Greater",
        })
    }
}

/// Reverses the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Reverse<T>(pub T);

impl<T: PartialOrd> PartialOrd for Reverse<T> {
    fn partial_cmp(&self, other: &Reverse<T>) -> Option<Ordering> {
        PartialOrd::partial_cmp(&other.0, &self.0)
    }
}

impl<T: Ord> Ord for Reverse<T> {
    fn cmp(&self, other: &Reverse<T>) -> Ordering {
        Ord::cmp(&other.0, &self.0)
    }
}

macro_rules! scalar_order {
    ($($T:ident)*) => {$(
        impl PartialEq for $T {
            #[op("eq")]
            fn eq(&self, other: &$T) -> bool;
            #[op("ne")]
            fn ne(&self, other: &$T) -> bool;
        }

        impl PartialOrd for $T {
            #[op("partial_cmp")]
            fn partial_cmp(&self, other: &$T) -> Option<Ordering>;
            #[op("lt")]
            fn lt(&self, other: &$T) -> bool;
            #[op("le")]
            fn le(&self, other: &$T) -> bool;
            #[op("gt")]
            fn gt(&self, other: &$T) -> bool;
            #[op("ge")]
            fn ge(&self, other: &$T) -> bool;
        }
    )*};
}

macro_rules! total_order {
    ($($T:ident)*) => {$(
        impl Eq for $T {}

        impl Ord for $T {
            #[op("cmp")]
            fn cmp(&self, other: &$T) -> Ordering;
        }
    )*};
}

macro_rules! int_order {
    ($($T:ident)*) => {$(
        impl Eq for $T {}

        impl Ord for $T {
            #[op("cmp")]
            fn cmp(&self, other: &$T) -> Ordering;
            #[op("max")]
            fn max(self, other: $T) -> $T;
            #[op("min")]
            fn min(self, other: $T) -> $T;
            #[op("clamp")]
            fn clamp(self, min: $T, max: $T) -> $T;
        }
    )*};
}

#[impls(PartialEq, PartialOrd)]
scalar_order! { f64 f32 bool char str i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
#[impls(Eq, Ord)]
total_order! { bool char str }
#[impls(Eq, Ord)]
int_order! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

impl PartialEq for () {
    fn eq(&self, _other: &()) -> bool {
        true
    }
}

impl Eq for () {}

impl PartialOrd for () {
    fn partial_cmp(&self, _other: &()) -> Option<Ordering> {
        Some(Equal)
    }
}

impl Ord for () {
    fn cmp(&self, _other: &()) -> Ordering {
        Equal
    }
}

impl PartialEq for ! {
    fn eq(&self, _other: &!) -> bool {
        *self
    }
}

impl<A: ?Sized + PartialEq<B>, B: ?Sized> PartialEq<&B> for &A {
    fn eq(&self, other: &&B) -> bool {
        **self == **other
    }

    fn ne(&self, other: &&B) -> bool {
        **self != **other
    }
}

impl<A: ?Sized + PartialEq<B>, B: ?Sized> PartialEq<&mut B> for &mut A {
    fn eq(&self, other: &&mut B) -> bool {
        **self == **other
    }
}

impl<A: ?Sized + PartialEq<B>, B: ?Sized> PartialEq<&mut B> for &A {
    fn eq(&self, other: &&mut B) -> bool {
        **self == **other
    }
}

impl<A: ?Sized + PartialEq<B>, B: ?Sized> PartialEq<&B> for &mut A {
    fn eq(&self, other: &&B) -> bool {
        **self == **other
    }
}

impl<A: ?Sized + Eq> Eq for &A {}

impl<A: ?Sized + Eq> Eq for &mut A {}

impl<A: ?Sized + PartialOrd<B>, B: ?Sized> PartialOrd<&B> for &A {
    fn partial_cmp(&self, other: &&B) -> Option<Ordering> {
        PartialOrd::partial_cmp(&**self, &**other)
    }

    fn lt(&self, other: &&B) -> bool {
        **self < **other
    }

    fn le(&self, other: &&B) -> bool {
        **self <= **other
    }

    fn gt(&self, other: &&B) -> bool {
        **self > **other
    }

    fn ge(&self, other: &&B) -> bool {
        **self >= **other
    }
}

impl<A: ?Sized + PartialOrd<B>, B: ?Sized> PartialOrd<&mut B> for &mut A {
    fn partial_cmp(&self, other: &&mut B) -> Option<Ordering> {
        PartialOrd::partial_cmp(&**self, &**other)
    }
}

impl<A: ?Sized + Ord> Ord for &A {
    fn cmp(&self, other: &&A) -> Ordering {
        Ord::cmp(&**self, &**other)
    }
}

impl<A: ?Sized + Ord> Ord for &mut A {
    fn cmp(&self, other: &&mut A) -> Ordering {
        Ord::cmp(&**self, &**other)
    }
}
