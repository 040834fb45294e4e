//! Memory that may contain a value.

use crate::clone::Clone;
use crate::fmt;
use crate::marker::Copy;

#[lang("maybe_uninit")]
pub enum MaybeUninit<T> {
    Uninit,
    Init(T),
}

/// The value of a type that is valid without initialisation, such as an array of `MaybeUninit`; fails for other types.
#[lang("uninit_value")]
pub(crate) fn uninit_value<T>() -> T;

/// Whether values of a type contain arrays, which may be written element by element.
#[lang("has_elements")]
fn has_elements<T>() -> bool;

/// A value of such a type whose elements are not initialised.
#[lang("uninit_elements")]
fn uninit_elements<T>() -> T;

/// An array of elements that are not initialised.
#[lang("uninit_array")]
fn uninit_array<T, const N: usize>() -> [T; N] {
    let mut array: MaybeUninit<[T; N]> = MaybeUninit::Uninit;
    let slots = &mut array as *mut MaybeUninit<[T; N]> as *mut [MaybeUninit<T>; N];
    crate::ptr::write(slots, MaybeUninit::<T>::uninit_array());
    match array {
        MaybeUninit::Init(array) => array,
        MaybeUninit::Uninit => crate::macros::fail("internal: an array was not written"),
    }
}

/// Whether a part of a value was not initialised.
#[lang("has_hole")]
fn has_hole<T>(value: &T) -> bool;

impl<T> MaybeUninit<T> {
    pub const fn uninit() -> MaybeUninit<T> {
        MaybeUninit::Uninit
    }

    #[moves]
    pub const fn new(value: T) -> MaybeUninit<T> {
        MaybeUninit::Init(value)
    }

    pub fn zeroed() -> MaybeUninit<T> {
        MaybeUninit::Init(super::zeroed())
    }

    pub fn uninit_array<const N: usize>() -> [MaybeUninit<T>; N] {
        crate::array::from_fn(|_| MaybeUninit::Uninit)
    }

    pub fn as_ptr(&self) -> *const T {
        self as *const MaybeUninit<T> as *const T
    }

    pub fn as_mut_ptr(&mut self) -> *mut T {
        if has_elements::<T>() {
            if let MaybeUninit::Uninit = self {
                *self = MaybeUninit::Init(uninit_elements());
            }
        }
        self as *mut MaybeUninit<T> as *mut T
    }

    #[moves]
    pub fn write(&mut self, value: T) -> &mut T {
        *self = MaybeUninit::Init(value);
        &mut *(self as *mut MaybeUninit<T> as *mut T)
    }

    #[moves]
    pub unsafe fn assume_init(self) -> T {
        match self {
            MaybeUninit::Init(value) => {
                if has_hole(&value) {
                    crate::macros::fail("memory that was not initialised is read");
                }
                value
            }
            MaybeUninit::Uninit => uninit_value(),
        }
    }

    pub unsafe fn assume_init_read(&self) -> T {
        match self {
            MaybeUninit::Init(value) => crate::clone::same_value(value),
            MaybeUninit::Uninit => uninit_value(),
        }
    }

    pub unsafe fn assume_init_ref(&self) -> &T {
        match self {
            MaybeUninit::Init(value) => value,
            MaybeUninit::Uninit => crate::macros::fail("memory that was not initialised is read"),
        }
    }

    pub unsafe fn assume_init_mut(&mut self) -> &mut T {
        &mut *(self as *mut MaybeUninit<T> as *mut T)
    }

    pub unsafe fn assume_init_drop(&mut self) {
        crate::ptr::drop_in_place(self as *mut MaybeUninit<T> as *mut T)
    }

    pub fn slice_as_ptr(this: &[MaybeUninit<T>]) -> *const T {
        this.as_ptr() as *const T
    }

    pub fn slice_as_mut_ptr(this: &mut [MaybeUninit<T>]) -> *mut T {
        this.as_mut_ptr() as *mut T
    }
}

impl<T: Copy> Copy for MaybeUninit<T> {}

impl<T: Copy> Clone for MaybeUninit<T> {
    fn clone(&self) -> MaybeUninit<T> {
        crate::clone::same_value(self)
    }
}

impl<T> fmt::Debug for MaybeUninit<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MaybeUninit<")?;
        f.write_str(crate::any::type_name::<T>())?;
        f.write_str(">")
    }
}
