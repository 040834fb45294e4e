//! Moving values in and out of places.

mod maybe_uninit;

pub use maybe_uninit::MaybeUninit;
pub(crate) use maybe_uninit::uninit_value;

#[moves]
pub fn swap<T>(x: &mut T, y: &mut T) {
    let held = *x;
    *x = *y;
    *y = held;
}

#[moves]
pub fn replace<T>(dest: &mut T, src: T) -> T {
    let held = *dest;
    *dest = src;
    held
}

pub fn take<T: Default>(dest: &mut T) -> T {
    replace(dest, T::default())
}

pub fn drop<T>(_value: T) {}

#[moves]
#[lang("forget")]
pub fn forget<T>(_value: T) {}

/// Whether a `T` has drop glue in Rust. A constant of the instance.
#[lang("needs_drop")]
pub fn needs_drop<T: ?Sized>() -> bool;

/// Whether dropping a `T` has an effect here, where memory is not freed by hand. A constant of the instance.
#[lang("drop_has_effect")]
pub(crate) fn drop_has_effect<T: ?Sized>() -> bool;

/// Drops a value that is still in its place; the caller must ensure that it is not read there again.
#[lang("drop_value")]
pub fn drop_value<T>(value: T);

/// The value in a place, which must then be treated as moved out of it.
#[moves]
#[op("id")]
pub fn moved<T>(place: &T) -> T;

/// Puts a value into a place whose own value was moved out.
#[moves]
pub fn put<T>(place: &mut T, value: T) {
    *place = value;
}

/// A value that is not dropped automatically.
#[lang("manually_drop")]
pub struct ManuallyDrop<T: ?Sized>;

impl<T> ManuallyDrop<T> {
    #[moves]
    #[op("id")]
    pub fn new(value: T) -> ManuallyDrop<T>;

    #[moves]
    #[op("id")]
    pub fn into_inner(slot: ManuallyDrop<T>) -> T;

    /// The value, which must not be used in its place any more.
    #[moves]
    pub unsafe fn take(slot: &mut ManuallyDrop<T>) -> T {
        moved(&**slot)
    }

    #[moves]
    pub unsafe fn drop(slot: &mut ManuallyDrop<T>) {
        drop_value(moved(&**slot))
    }
}

impl<T: ?Sized> crate::ops::Deref for ManuallyDrop<T> {
    type Target = T;
    #[op("id")]
    fn deref(&self) -> &T;
}

impl<T: ?Sized> crate::ops::DerefMut for ManuallyDrop<T> {
    #[op("id")]
    fn deref_mut(&mut self) -> &mut T;
}

#[lang("size_of")]
pub fn size_of<T>() -> usize;

#[lang("size_of_val")]
pub fn size_of_val<T: ?Sized>(value: &T) -> usize;

/// Identifies the variant of a value.
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

/// The bits of a number as another number; a pointer as a reference, and vice versa.
#[lang("transmute_directly")]
fn transmute_directly<A, B>(value: A) -> B;

/// Whether `transmute_directly` supports these types. A constant of the instance.
#[lang("transmutes_directly")]
fn transmutes_directly<A, B>() -> bool;

/// A reference or pointer as one to another type, as by a cast of pointers: what `transmute_directly` calls for these.
#[lang("transmuted_reference")]
fn transmuted_reference<X: ?Sized, Y: ?Sized>(value: &mut X) -> &mut Y {
    &mut *(value as *mut X as *mut Y)
}

#[lang("transmuted_pointer")]
fn transmuted_pointer<X: ?Sized, Y: ?Sized>(value: *mut X) -> *mut Y {
    value as *mut Y
}

#[moves]
pub unsafe fn transmute<A, B>(value: A) -> B {
    if transmutes_directly::<A, B>() {
        transmute_directly(value)
    } else {
        let place = value;
        moved(&*(&raw const place as *const B))
    }
}

pub unsafe fn transmute_copy<A, B>(value: &A) -> B {
    if transmutes_directly::<A, B>() {
        transmute_directly(crate::clone::same_value(value))
    } else {
        crate::clone::same_value(&*(value as *const A as *const B))
    }
}

/// The value whose bytes are all zero. A constant of the instance.
#[lang("zeroed")]
pub unsafe fn zeroed<T>() -> T;

#[lang("align_of")]
pub fn align_of<T>() -> usize;

#[lang("align_of_val")]
pub fn align_of_val<T: ?Sized>(value: &T) -> usize;
