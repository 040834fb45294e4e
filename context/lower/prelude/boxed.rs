//! Values on the heap, represented as the values themselves.

use crate::error::Error;
use crate::fmt;
use crate::ops::{Deref, DerefMut};

#[lang("box")]
pub struct Box<T: ?Sized>;

impl<T> Box<T> {
    #[op("id")]
    pub fn new(x: T) -> Box<T>;

    #[op("id")]
    pub fn into_inner(boxed: Box<T>) -> T;

}

impl<T> Box<T> {
    pub fn pin(x: T) -> crate::pin::Pin<Box<T>> {
        crate::pin::Pin::new(Box::new(x))
    }

    pub fn into_pin(boxed: Box<T>) -> crate::pin::Pin<Box<T>> {
        crate::pin::Pin::new(boxed)
    }

    pub fn new_uninit() -> Box<crate::mem::MaybeUninit<T>> {
        Box::new(crate::mem::MaybeUninit::uninit())
    }
}

impl<T> Box<[T]> {
    pub fn new_uninit_slice(len: usize) -> Box<[crate::mem::MaybeUninit<T>]> {
        (0..len).map(|_| crate::mem::MaybeUninit::uninit()).collect()
    }
}

impl<T> Box<[crate::mem::MaybeUninit<T>]> {
    #[moves]
    pub unsafe fn assume_init(self) -> Box<[T]> {
        let elems = self.into_iter().map(|elem| unsafe { crate::mem::MaybeUninit::assume_init(elem) });
        elems.collect()
    }
}

impl<T> Box<crate::mem::MaybeUninit<T>> {
    #[moves]
    pub unsafe fn assume_init(self) -> Box<T> {
        Box::new(crate::mem::MaybeUninit::assume_init(Box::into_inner(self)))
    }
}

impl<T: ?Sized> Box<T> {
    /// A cell that contains the value, which is never dropped.
    #[moves]
    #[op("cell")]
    pub fn into_raw(b: Box<T>) -> *mut T;

    /// The value in a cell, which is freed.
    #[moves]
    #[op("ref.free")]
    pub unsafe fn from_raw(raw: *mut T) -> Box<T>;

    #[moves]
    pub fn leak<'a>(b: Box<T>) -> &'a mut T {
        &mut *Box::into_raw(b)
    }

    #[op("id")]
    pub fn as_ref(&self) -> &T;
}

impl<T: ?Sized> Deref for Box<T> {
    type Target = T;
    #[op("id")]
    fn deref(&self) -> &T;
}

impl<T: ?Sized> DerefMut for Box<T> {
    #[op("id")]
    fn deref_mut(&mut self) -> &mut T;
}

impl<T: Clone> Clone for Box<T> {
    fn clone(&self) -> Box<T> {
        Box::new(T::clone(&**self))
    }
}

impl<T: Clone> Clone for Box<[T]> {
    fn clone(&self) -> Box<[T]> {
        (**self).to_vec().into_boxed_slice()
    }
}

impl<T: Default> Default for Box<T> {
    fn default() -> Box<T> {
        Box::new(T::default())
    }
}

impl Default for Box<str> {
    fn default() -> Box<str> {
        String::new().into_boxed_str()
    }
}

impl<T> Default for Box<[T]> {
    fn default() -> Box<[T]> {
        Vec::new().into_boxed_slice()
    }
}

impl<T> From<T> for Box<T> {
    #[op("id")]
    fn from(t: T) -> Box<T>;
}

impl<T: ?Sized> AsRef<T> for Box<T> {
    fn as_ref(&self) -> &T {
        &**self
    }
}

impl<T: ?Sized> AsMut<T> for Box<T> {
    fn as_mut(&mut self) -> &mut T {
        &mut **self
    }
}

impl<T: ?Sized + PartialEq> PartialEq for Box<T> {
    fn eq(&self, other: &Box<T>) -> bool {
        **self == **other
    }
}

impl<T: ?Sized + Eq> Eq for Box<T> {}

impl<T: ?Sized + PartialOrd> PartialOrd for Box<T> {
    fn partial_cmp(&self, other: &Box<T>) -> Option<crate::cmp::Ordering> {
        PartialOrd::partial_cmp(&**self, &**other)
    }
}

impl<T: ?Sized + Ord> Ord for Box<T> {
    fn cmp(&self, other: &Box<T>) -> crate::cmp::Ordering {
        Ord::cmp(&**self, &**other)
    }
}

impl<T: ?Sized + crate::hash::Hash> crate::hash::Hash for Box<T> {
    fn hash<H: crate::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for Box<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Box<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<E: Error> From<E> for Box<dyn Error> {
    fn from(err: E) -> Box<dyn Error> {
        Box::new(err)
    }
}

impl From<&str> for Box<dyn Error> {
    fn from(err: &str) -> Box<dyn Error> {
        Box::new(crate::error::Text(err.to_string()))
    }
}

impl From<String> for Box<dyn Error> {
    fn from(err: String) -> Box<dyn Error> {
        Box::new(crate::error::Text(err))
    }
}
