//! Shared values: the values themselves, since what is shared cannot change; cells in them are shared as cells.

use crate::cmp::Ordering;
use crate::fmt;
use crate::ops::Deref;

#[lang("rc")]
pub struct Rc<T: ?Sized>;

/// A reference that keeps its target, which nothing can tell here.
pub struct Weak<T: ?Sized> {
    target: Option<Rc<T>>,
}

#[op("ref.same")]
fn same_place<T: ?Sized>(a: &Rc<T>, b: &Rc<T>) -> bool;

/// How many share a value is not known here.
#[lang("rc_count")]
fn count<T: ?Sized>(rc: &Rc<T>) -> usize;

impl<T> Rc<T> {
    #[op("id")]
    pub fn new(value: T) -> Rc<T>;

    pub fn new_cyclic<F: FnOnce(&Weak<T>) -> T>(data_fn: F) -> Rc<T> {
        Rc::new(data_fn(&Weak { target: None }))
    }

    #[op("id")]
    fn content(this: Rc<T>) -> T;

    pub fn try_unwrap(this: Rc<T>) -> Result<T, Rc<T>> {
        Ok(Rc::content(this))
    }

    pub fn into_inner(this: Rc<T>) -> Option<T> {
        Some(Rc::content(this))
    }

    pub fn unwrap_or_clone(this: Rc<T>) -> T {
        Rc::content(this)
    }
}

impl<T: ?Sized> Rc<T> {
    pub fn ptr_eq(this: &Rc<T>, other: &Rc<T>) -> bool {
        same_place(this, other)
    }

    pub fn strong_count(this: &Rc<T>) -> usize {
        count(this)
    }

    pub fn downgrade(this: &Rc<T>) -> Weak<T> {
        Weak { target: Some(*this) }
    }

    #[op("id")]
    fn place(this: &mut Rc<T>) -> &mut T;

    pub fn get_mut(this: &mut Rc<T>) -> Option<&mut T> {
        Some(Rc::place(this))
    }

    pub fn make_mut(this: &mut Rc<T>) -> &mut T {
        Rc::place(this)
    }

    #[op("id")]
    pub fn as_ref(&self) -> &T;
}

impl<T: ?Sized> Weak<T> {
    pub fn new() -> Weak<T> {
        Weak { target: None }
    }

    pub fn upgrade(&self) -> Option<Rc<T>> {
        self.target
    }
}

impl<T: ?Sized> Clone for Weak<T> {
    fn clone(&self) -> Weak<T> {
        Weak { target: self.target }
    }
}

impl<T: ?Sized> Default for Weak<T> {
    fn default() -> Weak<T> {
        Weak::new()
    }
}

impl<T: ?Sized> fmt::Debug for Weak<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(Weak)")
    }
}

impl<T: ?Sized> Deref for Rc<T> {
    type Target = T;
    #[op("id")]
    fn deref(&self) -> &T;
}

impl<T: ?Sized> Clone for Rc<T> {
    #[op("id")]
    fn clone(&self) -> Rc<T>;
}

impl<T> From<T> for Rc<T> {
    #[op("id")]
    fn from(t: T) -> Rc<T>;
}

impl<T> From<Vec<T>> for Rc<[T]> {
    #[op("id")]
    fn from(t: Vec<T>) -> Rc<[T]>;
}

impl From<&str> for Rc<str> {
    #[op("id")]
    fn from(t: &str) -> Rc<str>;
}

impl From<String> for Rc<str> {
    #[op("id")]
    fn from(t: String) -> Rc<str>;
}

impl<T: Default> Default for Rc<T> {
    fn default() -> Rc<T> {
        Rc::new(T::default())
    }
}

impl<T: ?Sized> AsRef<T> for Rc<T> {
    fn as_ref(&self) -> &T {
        &**self
    }
}

impl<T: ?Sized + PartialEq> PartialEq for Rc<T> {
    fn eq(&self, other: &Rc<T>) -> bool {
        **self == **other
    }
}

impl<T: ?Sized + Eq> Eq for Rc<T> {}

impl<T: ?Sized + PartialOrd> PartialOrd for Rc<T> {
    fn partial_cmp(&self, other: &Rc<T>) -> Option<Ordering> {
        PartialOrd::partial_cmp(&**self, &**other)
    }
}

impl<T: ?Sized + Ord> Ord for Rc<T> {
    fn cmp(&self, other: &Rc<T>) -> Ordering {
        Ord::cmp(&**self, &**other)
    }
}

impl<T: ?Sized + crate::hash::Hash> crate::hash::Hash for Rc<T> {
    fn hash<H: crate::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for Rc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Rc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T> FromIterator<T> for Rc<[T]> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Rc<[T]> {
        Rc::from(Vec::from_iter(iter))
    }
}
