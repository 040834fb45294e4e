//! Shared mutable places.

use crate::cmp::Ordering;
use crate::fmt;
use crate::ops::{Deref, DerefMut};

#[lang("cell")]
pub struct Cell<T: ?Sized>;

#[lang("ref_cell")]
pub struct RefCell<T: ?Sized>;

impl<T> Cell<T> {
    #[op("cell")]
    pub fn new(value: T) -> Cell<T>;

    #[op("ref.get")]
    pub fn get(&self) -> T;

    #[op("ref.set")]
    pub fn set(&self, value: T);

    #[op("ref.get")]
    pub fn into_inner(self) -> T;

    #[op("id")]
    pub fn get_mut(&mut self) -> &mut T;

    pub fn replace(&self, value: T) -> T {
        let held = self.get();
        self.set(value);
        held
    }

    pub fn take(&self) -> T
    where
        T: Default,
    {
        self.replace(T::default())
    }

    pub fn swap(&self, other: &Cell<T>) {
        let held = self.get();
        self.set(other.get());
        other.set(held);
    }

    pub fn update(&self, f: impl FnOnce(T) -> T) {
        self.set(f(self.get()));
    }
}

#[op("ref.get")]
fn content<T: ?Sized>(cell: &RefCell<T>) -> &T;

#[op("id")]
fn place<T: ?Sized>(cell: &RefCell<T>) -> &mut T;

impl<T> RefCell<T> {
    #[op("cell")]
    pub fn new(value: T) -> RefCell<T>;

    #[op("ref.get")]
    pub fn into_inner(self) -> T;

    pub fn replace(&self, value: T) -> T {
        crate::mem::replace(place(self), value)
    }

    pub fn replace_with<F: FnOnce(&mut T) -> T>(&self, f: F) -> T {
        let new = f(place(self));
        crate::mem::replace(place(self), new)
    }

    pub fn take(&self) -> T
    where
        T: Default,
    {
        self.replace(T::default())
    }

    pub fn swap(&self, other: &RefCell<T>) {
        let held = self.replace(*content(other));
        *place(other) = held;
    }
}

impl<T: ?Sized> RefCell<T> {
    pub fn borrow(&self) -> Ref<'_, T> {
        Ref { guarded__: content(self) }
    }

    pub fn borrow_mut(&self) -> RefMut<'_, T> {
        RefMut { guarded__: place(self) }
    }

    pub fn try_borrow(&self) -> Result<Ref<'_, T>, BorrowError> {
        Ok(self.borrow())
    }

    pub fn try_borrow_mut(&self) -> Result<RefMut<'_, T>, BorrowMutError> {
        Ok(self.borrow_mut())
    }

    #[op("id")]
    pub fn get_mut(&mut self) -> &mut T;
}

#[derive(Clone, Debug)]
pub struct BorrowError(());

#[derive(Clone, Debug)]
pub struct BorrowMutError(());

pub struct Ref<'b, T: ?Sized> {
    guarded__: &'b T,
}

impl<'b, T: ?Sized> Ref<'b, T> {
    pub fn map<U: ?Sized, F: FnOnce(&T) -> &U>(orig: Ref<'b, T>, f: F) -> Ref<'b, U> {
        Ref { guarded__: f(orig.guarded__) }
    }

    pub fn clone(orig: &Ref<'b, T>) -> Ref<'b, T> {
        Ref { guarded__: orig.guarded__ }
    }
}

impl<T: ?Sized> Deref for Ref<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.guarded__
    }
}

pub struct RefMut<'b, T: ?Sized> {
    guarded__: &'b mut T,
}

impl<'b, T: ?Sized> RefMut<'b, T> {
    pub fn map<U: ?Sized, F: FnOnce(&mut T) -> &mut U>(orig: RefMut<'b, T>, f: F) -> RefMut<'b, U> {
        RefMut { guarded__: f(orig.guarded__) }
    }
}

impl<T: ?Sized> Deref for RefMut<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &*self.guarded__
    }
}

impl<T: ?Sized> DerefMut for RefMut<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut *self.guarded__
    }
}

macro_rules! guards {
    ($($G:ident)*) => {$(
        impl<T: ?Sized + fmt::Display> fmt::Display for $G<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&**self, f)
            }
        }

        impl<T: ?Sized + fmt::Debug> fmt::Debug for $G<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&**self, f)
            }
        }
    )*};
}

#[impls(Display, Debug)]
guards! { Ref RefMut }

impl<T> Clone for Cell<T> {
    fn clone(&self) -> Cell<T> {
        Cell::new(self.get())
    }
}

impl<T: Clone> Clone for RefCell<T> {
    fn clone(&self) -> RefCell<T> {
        RefCell::new(T::clone(content(self)))
    }
}

impl<T: Default> Default for Cell<T> {
    fn default() -> Cell<T> {
        Cell::new(T::default())
    }
}

impl<T: Default> Default for RefCell<T> {
    fn default() -> RefCell<T> {
        RefCell::new(T::default())
    }
}

impl<T> From<T> for Cell<T> {
    fn from(t: T) -> Cell<T> {
        Cell::new(t)
    }
}

impl<T> From<T> for RefCell<T> {
    fn from(t: T) -> RefCell<T> {
        RefCell::new(t)
    }
}

impl<T: PartialEq> PartialEq for Cell<T> {
    fn eq(&self, other: &Cell<T>) -> bool {
        self.get() == other.get()
    }
}

impl<T: PartialEq> PartialEq for RefCell<T> {
    fn eq(&self, other: &RefCell<T>) -> bool {
        *content(self) == *content(other)
    }
}

impl<T: PartialOrd> PartialOrd for Cell<T> {
    fn partial_cmp(&self, other: &Cell<T>) -> Option<Ordering> {
        PartialOrd::partial_cmp(&self.get(), &other.get())
    }
}

impl<T: PartialOrd> PartialOrd for RefCell<T> {
    fn partial_cmp(&self, other: &RefCell<T>) -> Option<Ordering> {
        PartialOrd::partial_cmp(content(self), content(other))
    }
}

impl<T: fmt::Debug> fmt::Debug for Cell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cell").field("value", &self.get()).finish()
    }
}

impl<T: fmt::Debug> fmt::Debug for RefCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RefCell").field("value", content(self)).finish()
    }
}

/// A place that is written once.
pub struct OnceCell<T> {
    inner: RefCell<Option<T>>,
}

impl<T> OnceCell<T> {
    pub fn new() -> OnceCell<T> {
        OnceCell { inner: RefCell::new(None) }
    }

    pub fn get(&self) -> Option<&T> {
        content(&self.inner).as_ref()
    }

    pub fn set(&self, value: T) -> Result<(), T> {
        if self.get().is_some() {
            return Err(value);
        }
        *place(&self.inner) = Some(value);
        Ok(())
    }

    pub fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T {
        if self.get().is_none() {
            *place(&self.inner) = Some(f());
        }
        self.get().unwrap()
    }

    pub fn into_inner(self) -> Option<T> {
        self.inner.into_inner()
    }
}

impl<T> Default for OnceCell<T> {
    fn default() -> OnceCell<T> {
        OnceCell::new()
    }
}
