//! Pointers that are not null.

use crate::clone::Clone;
use crate::cmp::{Eq, Ord, Ordering, PartialEq, PartialOrd};
use crate::marker::Copy;

pub struct NonNull<T: ?Sized> {
    pointer: *mut T,
}

impl<T: ?Sized> NonNull<T> {
    pub unsafe fn new_unchecked(pointer: *mut T) -> NonNull<T> {
        if pointer.is_null() {
            crate::macros::fail("a null pointer is made a `NonNull`");
        }
        NonNull { pointer }
    }

    pub fn new(pointer: *mut T) -> Option<NonNull<T>> {
        if pointer.is_null() { None } else { Some(NonNull { pointer }) }
    }

    pub fn from_ref(r: &T) -> NonNull<T> {
        NonNull { pointer: r as *const T as *mut T }
    }

    pub fn from_mut(r: &mut T) -> NonNull<T> {
        NonNull { pointer: r }
    }

    pub fn as_ptr(self) -> *mut T {
        self.pointer
    }

    pub unsafe fn as_ref<'a>(&self) -> &'a T {
        &*self.pointer
    }

    pub unsafe fn as_mut<'a>(&mut self) -> &'a mut T {
        &mut *self.pointer
    }
}

impl<T> NonNull<T> {
    pub fn dangling() -> NonNull<T> {
        NonNull { pointer: super::dangling_mut() }
    }

    pub fn cast<U>(self) -> NonNull<U> {
        NonNull { pointer: self.pointer as *mut U }
    }

    pub unsafe fn offset(self, count: isize) -> NonNull<T> {
        NonNull { pointer: self.pointer.offset(count) }
    }

    pub unsafe fn add(self, count: usize) -> NonNull<T> {
        NonNull { pointer: self.pointer.add(count) }
    }

    pub unsafe fn sub(self, count: usize) -> NonNull<T> {
        NonNull { pointer: self.pointer.sub(count) }
    }

    pub unsafe fn offset_from(self, origin: NonNull<T>) -> isize {
        self.pointer.offset_from(origin.pointer as *const T)
    }

    pub unsafe fn read(self) -> T {
        super::read(self.pointer as *const T)
    }

    #[moves]
    pub unsafe fn write(self, value: T) {
        super::write(self.pointer, value)
    }

    #[moves]
    pub unsafe fn replace(self, value: T) -> T {
        super::replace(self.pointer, value)
    }

    pub unsafe fn swap(self, with: NonNull<T>) {
        super::swap(self.pointer, with.pointer)
    }

    pub unsafe fn drop_in_place(self) {
        super::drop_in_place(self.pointer)
    }

    pub fn slice_from_raw_parts(data: NonNull<T>, len: usize) -> NonNull<[T]> {
        NonNull { pointer: super::slice_from_raw_parts_mut(data.pointer, len) }
    }
}

impl<T: ?Sized> Copy for NonNull<T> {}

impl<T: ?Sized> Clone for NonNull<T> {
    fn clone(&self) -> NonNull<T> {
        *self
    }
}

impl<T: ?Sized> PartialEq for NonNull<T> {
    fn eq(&self, other: &NonNull<T>) -> bool {
        self.pointer == other.pointer
    }
}

impl<T: ?Sized> Eq for NonNull<T> {}

impl<T> PartialOrd for NonNull<T> {
    fn partial_cmp(&self, other: &NonNull<T>) -> Option<Ordering> {
        Some(self.pointer.cmp(&other.pointer))
    }
}

impl<T> Ord for NonNull<T> {
    fn cmp(&self, other: &NonNull<T>) -> Ordering {
        self.pointer.cmp(&other.pointer)
    }
}

impl<T: ?Sized> From<&mut T> for NonNull<T> {
    fn from(r: &mut T) -> NonNull<T> {
        NonNull { pointer: r }
    }
}

impl<T: ?Sized> From<&T> for NonNull<T> {
    fn from(r: &T) -> NonNull<T> {
        NonNull { pointer: r as *const T as *mut T }
    }
}
