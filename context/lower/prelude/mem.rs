//! Moving values in and out of places.

pub fn swap<T>(x: &mut T, y: &mut T) {
    let held = *x;
    *x = *y;
    *y = held;
}

pub fn replace<T>(dest: &mut T, src: T) -> T {
    let held = *dest;
    *dest = src;
    held
}

pub fn take<T: Default>(dest: &mut T) -> T {
    let held = *dest;
    *dest = T::default();
    held
}

pub fn drop<T>(_value: T) {}

pub fn forget<T>(_value: T) {}

#[lang("size_of")]
pub fn size_of<T>() -> usize;

pub fn size_of_val<T>(_value: &T) -> usize {
    size_of::<T>()
}

/// Which variant a value is.
pub struct Discriminant<T> {
    tag: i64,
    of: crate::marker::PhantomData<T>,
}

#[op("tag")]
fn tag<T>(value: &T) -> i64;

pub fn discriminant<T>(value: &T) -> Discriminant<T> {
    Discriminant { tag: tag(value), of: crate::marker::PhantomData }
}

impl<T> PartialEq for Discriminant<T> {
    fn eq(&self, other: &Self) -> bool {
        self.tag == other.tag
    }
}

impl<T> Eq for Discriminant<T> {}

impl<T> Clone for Discriminant<T> {
    fn clone(&self) -> Self {
        Discriminant { tag: self.tag, of: self.of }
    }
}

impl<T> crate::fmt::Debug for Discriminant<T> {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.debug_tuple("Discriminant").field(&self.tag).finish()
    }
}

#[lang("transmute_bits")]
pub unsafe fn transmute<A, B>(value: A) -> B;
