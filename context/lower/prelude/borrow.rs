//! Borrowed or owned values.

use crate::fmt;
use crate::ops::Deref;

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

impl<T> Borrow<[T]> for Vec<T> {
    fn borrow(&self) -> &[T] {
        self.as_slice()
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
