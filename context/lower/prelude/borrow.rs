//! Borrowed or owned values.

use crate::cmp::Ordering;
use crate::fmt;
use crate::ops::{Add, AddAssign, Deref};

pub trait Borrow<Borrowed: ?Sized> {
    fn borrow(&self) -> &Borrowed;
}

pub trait BorrowMut<Borrowed: ?Sized>: Borrow<Borrowed> {
    fn borrow_mut(&mut self) -> &mut Borrowed;
}

impl<T: ?Sized> Borrow<T> for T {
    fn borrow(&self) -> &T {
        self
    }
}

impl<T: ?Sized> BorrowMut<T> for T {
    fn borrow_mut(&mut self) -> &mut T {
        self
    }
}

impl<T: ?Sized> Borrow<T> for &T {
    fn borrow(&self) -> &T {
        &**self
    }
}

impl<T: ?Sized> Borrow<T> for &mut T {
    fn borrow(&self) -> &T {
        &**self
    }
}

impl<T: ?Sized> BorrowMut<T> for &mut T {
    fn borrow_mut(&mut self) -> &mut T {
        &mut **self
    }
}

impl<T, const N: usize> BorrowMut<[T]> for [T; N] {
    fn borrow_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T> Borrow<[T]> for Vec<T> {
    fn borrow(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T> BorrowMut<[T]> for Vec<T> {
    fn borrow_mut(&mut self) -> &mut [T] {
        self.as_mut_slice()
    }
}

impl Borrow<str> for String {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl<T: ?Sized> Borrow<T> for Box<T> {
    fn borrow(&self) -> &T {
        &**self
    }
}

impl<T: ?Sized> BorrowMut<T> for Box<T> {
    fn borrow_mut(&mut self) -> &mut T {
        &mut **self
    }
}

impl BorrowMut<str> for String {
    fn borrow_mut(&mut self) -> &mut str {
        self.as_mut_str()
    }
}

impl<T: ?Sized> Borrow<T> for crate::rc::Rc<T> {
    fn borrow(&self) -> &T {
        &**self
    }
}

pub trait ToOwned {
    type Owned: Borrow<Self>;
    fn to_owned(&self) -> Self::Owned;
}

impl<T: Clone> ToOwned for T {
    type Owned = T;

    fn to_owned(&self) -> T {
        T::clone(self)
    }
}

impl<T: Clone> ToOwned for [T] {
    type Owned = Vec<T>;

    fn to_owned(&self) -> Vec<T> {
        self.to_vec()
    }
}

impl ToOwned for str {
    type Owned = String;

    fn to_owned(&self) -> String {
        self.to_string()
    }
}

#[lang("cow")]
pub enum Cow<'a, B: ?Sized + ToOwned> {
    Borrowed(&'a B),
    Owned(<B as ToOwned>::Owned),
}

use Cow::{Borrowed, Owned};

impl<B: ?Sized + ToOwned> Cow<'_, B> {
    pub fn is_borrowed(&self) -> bool {
        matches!(*self, Borrowed(_))
    }

    pub fn is_owned(&self) -> bool {
        !self.is_borrowed()
    }

    pub fn into_owned(self) -> B::Owned {
        match self {
            Borrowed(borrowed) => borrowed.to_owned(),
            Owned(owned) => owned,
        }
    }

    pub fn to_mut(&mut self) -> &mut B::Owned {
        if let Borrowed(borrowed) = self {
            *self = Owned(borrowed.to_owned());
        }
        match self {
            Owned(owned) => owned,
            Borrowed(_) => unreachable!(),
        }
    }
}

impl<B: ?Sized + ToOwned> Deref for Cow<'_, B> {
    type Target = B;

    fn deref(&self) -> &B {
        match self {
            Borrowed(borrowed) => *borrowed,
            Owned(owned) => owned.borrow(),
        }
    }
}

impl<B: ?Sized + ToOwned> Clone for Cow<'_, B> {
    fn clone(&self) -> Self {
        match self {
            Borrowed(b) => Borrowed(*b),
            Owned(o) => {
                let b: &B = o.borrow();
                Owned(b.to_owned())
            }
        }
    }
}

impl<B: ?Sized + ToOwned> AsRef<B> for Cow<'_, B> {
    fn as_ref(&self) -> &B {
        &**self
    }
}

impl<B: ?Sized + ToOwned + PartialEq<C>, C: ?Sized + ToOwned> PartialEq<Cow<'_, C>> for Cow<'_, B> {
    fn eq(&self, other: &Cow<'_, C>) -> bool {
        **self == **other
    }
}

impl PartialEq<str> for Cow<'_, str> {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for Cow<'_, str> {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl<B: ?Sized + ToOwned + fmt::Display> fmt::Display for Cow<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl<B: ?Sized + ToOwned + fmt::Debug> fmt::Debug for Cow<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<B: ?Sized + ToOwned> Borrow<B> for Cow<'_, B> {
    fn borrow(&self) -> &B {
        &**self
    }
}

impl<B: ?Sized + ToOwned + Eq> Eq for Cow<'_, B> {}

impl<B: ?Sized + ToOwned + PartialOrd> PartialOrd for Cow<'_, B> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        PartialOrd::partial_cmp(&**self, &**other)
    }
}

impl<B: ?Sized + ToOwned + Ord> Ord for Cow<'_, B> {
    fn cmp(&self, other: &Self) -> Ordering {
        Ord::cmp(&**self, &**other)
    }
}

impl<B: ?Sized + ToOwned + crate::hash::Hash> crate::hash::Hash for Cow<'_, B> {
    fn hash<H: crate::hash::Hasher>(&self, state: &mut H) {
        crate::hash::Hash::hash(&**self, state)
    }
}

impl<B: ?Sized + ToOwned> Default for Cow<'_, B>
where
    B::Owned: Default,
{
    fn default() -> Self {
        Owned(<B as ToOwned>::Owned::default())
    }
}

impl<'a> Add<&'a str> for Cow<'a, str> {
    type Output = Cow<'a, str>;

    fn add(mut self, rhs: &'a str) -> Cow<'a, str> {
        self += rhs;
        self
    }
}

impl<'a> Add<Cow<'a, str>> for Cow<'a, str> {
    type Output = Cow<'a, str>;

    fn add(mut self, rhs: Cow<'a, str>) -> Cow<'a, str> {
        self += rhs;
        self
    }
}

impl<'a> AddAssign<&'a str> for Cow<'a, str> {
    fn add_assign(&mut self, rhs: &'a str) {
        if self.is_empty() {
            *self = Borrowed(rhs);
        } else if !rhs.is_empty() {
            self.to_mut().push_str(rhs);
        }
    }
}

impl<'a> AddAssign<Cow<'a, str>> for Cow<'a, str> {
    fn add_assign(&mut self, rhs: Cow<'a, str>) {
        if self.is_empty() {
            *self = rhs;
        } else if !rhs.is_empty() {
            self.to_mut().push_str(&rhs);
        }
    }
}

macro_rules! equal_texts {
    ($($A:ty, $B:ty;)*) => {$(
        impl PartialEq<$B> for $A {
            fn eq(&self, other: &$B) -> bool {
                let (a, b): (&str, &str) = (self.as_ref(), other.as_ref());
                *a == *b
            }
        }
    )*};
}

#[impls(PartialEq)]
equal_texts! {
    Cow<'_, str>, String;
    str, Cow<'_, str>;
    &str, Cow<'_, str>;
    String, Cow<'_, str>;
}

impl<'a> From<&'a String> for Cow<'a, str> {
    fn from(s: &'a String) -> Cow<'a, str> {
        Borrowed(s.as_str())
    }
}

impl<'a, T: Clone, const N: usize> From<&'a [T; N]> for Cow<'a, [T]> {
    fn from(s: &'a [T; N]) -> Cow<'a, [T]> {
        Borrowed(s.as_slice())
    }
}

impl<'a, T: Clone> From<&'a Vec<T>> for Cow<'a, [T]> {
    fn from(v: &'a Vec<T>) -> Cow<'a, [T]> {
        Borrowed(v.as_slice())
    }
}

impl<T: Clone> From<Cow<'_, [T]>> for Vec<T> {
    fn from(s: Cow<'_, [T]>) -> Vec<T> {
        s.into_owned()
    }
}

impl<T: Clone> FromIterator<T> for Cow<'_, [T]> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        Owned(Vec::from_iter(iter))
    }
}

impl FromIterator<char> for Cow<'_, str> {
    fn from_iter<I: IntoIterator<Item = char>>(iter: I) -> Self {
        Owned(String::from_iter(iter))
    }
}

impl FromIterator<String> for Cow<'_, str> {
    fn from_iter<I: IntoIterator<Item = String>>(iter: I) -> Self {
        Owned(String::from_iter(iter))
    }
}

impl<'b> FromIterator<&'b str> for Cow<'_, str> {
    fn from_iter<I: IntoIterator<Item = &'b str>>(iter: I) -> Self {
        Owned(String::from_iter(iter))
    }
}

impl<'a> From<&'a str> for Cow<'a, str> {
    fn from(s: &'a str) -> Cow<'a, str> {
        Borrowed(s)
    }
}

impl From<String> for Cow<'_, str> {
    fn from(s: String) -> Self {
        Owned(s)
    }
}

impl<'a, T: Clone> From<&'a [T]> for Cow<'a, [T]> {
    fn from(s: &'a [T]) -> Cow<'a, [T]> {
        Borrowed(s)
    }
}

impl<T: Clone> From<Vec<T>> for Cow<'_, [T]> {
    fn from(v: Vec<T>) -> Self {
        Owned(v)
    }
}
