//! Pinned values: values do not move here unless the program moves them, so a pin is its pointer.

use crate::fmt;
use crate::ops::{Deref, DerefMut};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pin<Ptr> {
    pointer: Ptr,
}

impl<Ptr: Deref> Pin<Ptr> {
    pub fn new(pointer: Ptr) -> Pin<Ptr> {
        Pin { pointer }
    }

    pub unsafe fn new_unchecked(pointer: Ptr) -> Pin<Ptr> {
        Pin { pointer }
    }

    pub fn as_ref(&self) -> Pin<&Ptr::Target> {
        Pin { pointer: &*self.pointer }
    }

    pub fn into_inner(pin: Pin<Ptr>) -> Ptr {
        pin.pointer
    }

    pub unsafe fn into_inner_unchecked(pin: Pin<Ptr>) -> Ptr {
        pin.pointer
    }
}

impl<Ptr: DerefMut> Pin<Ptr> {
    pub fn as_mut(&mut self) -> Pin<&mut Ptr::Target> {
        Pin { pointer: &mut *self.pointer }
    }

    pub fn set(&mut self, value: Ptr::Target) {
        *self.pointer = value;
    }
}

impl<'a, T: ?Sized> Pin<&'a T> {
    pub fn get_ref(self) -> &'a T {
        self.pointer
    }

    pub unsafe fn map_unchecked<U: ?Sized, F: FnOnce(&T) -> &U>(self, func: F) -> Pin<&'a U> {
        Pin { pointer: func(self.pointer) }
    }
}

impl<'a, T: ?Sized> Pin<&'a mut T> {
    pub fn get_mut(self) -> &'a mut T {
        self.pointer
    }

    pub unsafe fn get_unchecked_mut(self) -> &'a mut T {
        self.pointer
    }

    pub fn into_ref(self) -> Pin<&'a T> {
        Pin { pointer: self.pointer }
    }

    pub unsafe fn map_unchecked_mut<U: ?Sized, F: FnOnce(&mut T) -> &mut U>(self, func: F) -> Pin<&'a mut U> {
        Pin { pointer: func(self.pointer) }
    }
}

impl<Ptr: Deref> Deref for Pin<Ptr> {
    type Target = Ptr::Target;

    fn deref(&self) -> &Ptr::Target {
        &*self.pointer
    }
}

impl<Ptr: DerefMut> DerefMut for Pin<Ptr> {
    fn deref_mut(&mut self) -> &mut Ptr::Target {
        &mut *self.pointer
    }
}

impl<Ptr: fmt::Debug> fmt::Debug for Pin<Ptr> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pointer.fmt(f)
    }
}

impl<Ptr: fmt::Display> fmt::Display for Pin<Ptr> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pointer.fmt(f)
    }
}

impl<T: ?Sized> From<Box<T>> for Pin<Box<T>> {
    fn from(boxed: Box<T>) -> Pin<Box<T>> {
        Pin { pointer: boxed }
    }
}
