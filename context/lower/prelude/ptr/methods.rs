//! The methods of raw pointers.

use crate::clone::Clone;
use crate::cmp::{Eq, Ord, Ordering, PartialEq, PartialOrd};
use crate::fmt;
use crate::marker::Copy;

#[op("ref.is_null")]
fn is_null<T: ?Sized>(pointer: *const T) -> bool;

#[op("ref.offset")]
fn moved<T>(pointer: *const T, by: isize) -> *const T;

#[op("ref.offset")]
fn moved_mut<T>(pointer: *mut T, by: isize) -> *mut T;

#[op("ref.distance")]
fn distance<T>(to: *const T, from: *const T) -> isize;

#[op("ref.position")]
fn position<T>(pointer: *const T) -> usize;

#[op("ref.first")]
pub fn first<T>(elems: *mut [T]) -> *mut T;

#[op("ref.first")]
pub fn first_shared<T>(elems: *const [T]) -> *const T;

#[op("ref.range")]
pub fn range<T>(data: *const T, len: usize) -> *const [T];

#[op("ref.range")]
pub fn range_mut<T>(data: *mut T, len: usize) -> *mut [T];

#[op("ref.len")]
fn len<T>(elems: *const [T]) -> usize;

/// A pointer that may point between the multiples of its alignment.
#[op("ref.unaligned")]
pub fn anywhere<T>(pointer: *const T) -> *const T;

#[op("ref.unaligned")]
pub fn anywhere_mut<T>(pointer: *mut T) -> *mut T;

/// The number of elements to the next one at a multiple of `align` bytes. Arrays begin at multiples of any alignment.
fn align_offset<T>(pointer: *const T, align: usize) -> usize {
    if !align.is_power_of_two() {
        crate::macros::fail("align_offset: align is not a power-of-two");
    }
    let size = crate::mem::size_of::<T>();
    if size == 0 {
        return 0;
    }
    let byte = position(pointer).wrapping_mul(size);
    // A multiple repeats after at most `align` elements.
    (0..align).find(|elems| byte.wrapping_add(elems.wrapping_mul(size)) % align == 0).unwrap_or(usize::MAX)
}

/// A distance that is not negative.
fn as_unsigned(distance: isize) -> usize {
    if distance < 0 {
        crate::macros::fail("the distance of two pointers is negative, and is taken as a `usize`");
    }
    distance as usize
}

/// `to as usize - from as usize`: the one number that the addresses of two pointers determine.
#[lang("bytes_apart")]
fn bytes_apart<T>(to: *const T, from: *const T) -> usize {
    let elems = distance(to, from);
    if elems < 0 {
        crate::macros::fail("attempt to subtract with overflow");
    }
    elems as usize * crate::mem::size_of::<T>()
}

/// The greatest alignment of which arrays are known to begin at a multiple.
const GREATEST_ALIGN: usize = 1 << 12;

/// How far an address is behind a multiple of a power of two. Arrays begin at multiples of any alignment.
fn behind_multiple<T>(pointer: *const T, align: usize) -> usize {
    if !align.is_power_of_two() || align > GREATEST_ALIGN {
        crate::macros::fail("of an address, only the remainder by a power of two up to 4096 is known");
    }
    position(pointer).wrapping_mul(crate::mem::size_of::<T>()) & (align - 1)
}

/// `pointer as usize % align`
#[lang("address_remainder")]
fn address_remainder<T>(pointer: *const T, align: usize) -> usize {
    behind_multiple(pointer, align)
}

/// `pointer as usize & bits`
#[lang("address_bits")]
fn address_bits<T>(pointer: *const T, bits: usize) -> usize {
    if bits >= GREATEST_ALIGN {
        crate::macros::fail("of an address, only the remainder by a power of two up to 4096 is known");
    }
    behind_multiple(pointer, GREATEST_ALIGN) & bits
}

/// A count of elements as an offset; it fails beyond the size of any allocation.
fn offset_of_count(count: usize) -> isize {
    count as isize
}

macro_rules! pointers {
    ($($P:ident $moved:ident)*) => {$(
        impl<T: ?Sized> super::$P<T> {
            pub fn is_null(self) -> bool {
                is_null(self as *const T)
            }

            pub fn cast_const(self) -> *const T {
                self as *const T
            }

            pub fn cast_mut(self) -> *mut T {
                self as *mut T
            }
        }

        impl<T> super::$P<T> {
            pub fn cast<U>(self) -> super::$P<U> {
                self as super::$P<U>
            }

            pub unsafe fn offset(self, count: isize) -> super::$P<T> {
                $moved(self, count)
            }

            pub unsafe fn add(self, count: usize) -> super::$P<T> {
                $moved(self, offset_of_count(count))
            }

            pub unsafe fn sub(self, count: usize) -> super::$P<T> {
                $moved(self, offset_of_count(count).wrapping_neg())
            }

            pub fn wrapping_offset(self, count: isize) -> super::$P<T> {
                $moved(self, count)
            }

            pub fn wrapping_add(self, count: usize) -> super::$P<T> {
                $moved(self, offset_of_count(count))
            }

            pub fn wrapping_sub(self, count: usize) -> super::$P<T> {
                $moved(self, offset_of_count(count).wrapping_neg())
            }

            pub unsafe fn offset_from(self, origin: *const T) -> isize {
                distance(self as *const T, origin)
            }

            pub fn align_offset(self, align: usize) -> usize {
                align_offset(self as *const T, align)
            }

            pub unsafe fn offset_from_unsigned(self, origin: *const T) -> usize {
                as_unsigned(distance(self as *const T, origin))
            }

            pub unsafe fn read(self) -> T {
                super::read(self as *const T)
            }

            pub unsafe fn read_volatile(self) -> T {
                super::read_volatile(self as *const T)
            }

            pub unsafe fn read_unaligned(self) -> T {
                super::read_unaligned(self as *const T)
            }

            pub unsafe fn copy_to(self, dest: *mut T, count: usize) {
                super::copy(self as *const T, dest, count)
            }

            pub unsafe fn copy_to_nonoverlapping(self, dest: *mut T, count: usize) {
                super::copy_nonoverlapping(self as *const T, dest, count)
            }

            pub unsafe fn as_ref<'a>(self) -> Option<&'a T> {
                if self.is_null() { None } else { Some(&*self) }
            }

            pub fn is_aligned(self) -> bool {
                true
            }
        }

        impl<T> super::$P<[T]> {
            pub fn len(self) -> usize {
                len(self as *const [T])
            }

            pub fn is_empty(self) -> bool {
                len(self as *const [T]) == 0
            }
        }

        impl<T: ?Sized> fmt::Debug for super::$P<T> {
            fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
                crate::macros::fail("a pointer is shown, whose address is not known")
            }
        }

        impl<T: ?Sized> Copy for super::$P<T> {}

        impl<T: ?Sized> Clone for super::$P<T> {
            fn clone(&self) -> super::$P<T> {
                *self
            }
        }

        impl<T: ?Sized> PartialEq for super::$P<T> {
            fn eq(&self, other: &super::$P<T>) -> bool {
                super::same_place(*self as *const T, *other as *const T)
            }
        }

        impl<T: ?Sized> Eq for super::$P<T> {}

        impl<T> PartialOrd for super::$P<T> {
            fn partial_cmp(&self, other: &super::$P<T>) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl<T> Ord for super::$P<T> {
            fn cmp(&self, other: &super::$P<T>) -> Ordering {
                distance(*self as *const T, *other as *const T).cmp(&0)
            }
        }
    )*};
}

pointers!(ConstPtr moved MutPtr moved_mut);

impl<T> super::ConstPtr<[T]> {
    pub fn as_ptr(self) -> *const T {
        first_shared(self)
    }
}

impl<T> super::MutPtr<[T]> {
    pub fn as_mut_ptr(self) -> *mut T {
        first(self)
    }
}

impl<T> super::MutPtr<T> {
    #[moves]
    pub unsafe fn write(self, value: T) {
        super::write(self, value)
    }

    #[moves]
    pub unsafe fn write_volatile(self, value: T) {
        super::write(self, value)
    }

    #[moves]
    pub unsafe fn write_unaligned(self, value: T) {
        super::write_unaligned(self, value)
    }

    #[moves]
    pub unsafe fn replace(self, value: T) -> T {
        super::replace(self, value)
    }

    pub unsafe fn swap(self, with: *mut T) {
        super::swap(self, with)
    }

    pub unsafe fn copy_from(self, src: *const T, count: usize) {
        super::copy(src, self, count)
    }

    pub unsafe fn copy_from_nonoverlapping(self, src: *const T, count: usize) {
        super::copy_nonoverlapping(src, self, count)
    }

    pub unsafe fn write_bytes(self, val: u8, count: usize) {
        super::write_bytes(self, val, count)
    }

    pub unsafe fn as_mut<'a>(self) -> Option<&'a mut T> {
        if self.is_null() { None } else { Some(&mut *self) }
    }

    pub unsafe fn drop_in_place(self) {
        super::drop_in_place(self)
    }
}
