//! Raw pointers: a cell and the path from its content to a place, with arithmetic among the elements of an array.

mod methods;
mod non_null;

pub use non_null::NonNull;
pub(crate) use methods::{first, first_shared};

/// `*const T`
#[lang("const_ptr")]
pub struct ConstPtr<T: ?Sized>;

/// `*mut T`
#[lang("mut_ptr")]
pub struct MutPtr<T: ?Sized>;

#[lang("same_referent")]
#[op("ref.same")]
fn same_value<T: ?Sized>(a: &T, b: &T) -> bool;

#[op("ref.same")]
fn same_place<T: ?Sized>(a: *const T, b: *const T) -> bool;

#[moves]
#[op("ref.take_array")]
fn take_elements<T>(elems: *mut [T], capacity: usize) -> crate::vec::Vec<T>;

/// The elements from a pointer on, taken out of an allocation that is empty afterwards. It fails if the capacity is
/// known, and another one than that of the allocation.
#[moves]
pub(crate) unsafe fn take_allocation<T>(data: *mut T, len: usize, capacity: usize) -> crate::vec::Vec<T> {
    take_elements(methods::range_mut(data, len), capacity)
}

/// A reference or pointer to a place.
pub trait Places<T: ?Sized> {
    fn is(self, other: Self) -> bool;
}

impl<T: ?Sized> Places<T> for &T {
    fn is(self, other: &T) -> bool {
        same_value(self, other)
    }
}

impl<T: ?Sized> Places<T> for &mut T {
    fn is(self, other: &mut T) -> bool {
        same_place(self as *const T, other as *const T)
    }
}

impl<T: ?Sized> Places<T> for *const T {
    fn is(self, other: *const T) -> bool {
        same_place(self, other)
    }
}

impl<T: ?Sized> Places<T> for *mut T {
    fn is(self, other: *mut T) -> bool {
        same_place(self as *const T, other as *const T)
    }
}

pub fn eq<T: ?Sized, P: Places<T>>(a: P, b: P) -> bool {
    a.is(b)
}

pub fn addr_eq<T: ?Sized, U: ?Sized>(p: *const T, q: *const U) -> bool {
    same_place(p as *const (), q as *const ())
}

#[op("ref.null")]
pub fn null<T>() -> *const T;

#[op("ref.null")]
pub fn null_mut<T>() -> *mut T;

#[op("cell")]
pub(crate) fn place_of<T>(value: T) -> *mut T;

/// A pointer to no element: to the place before the first element of an empty array.
pub fn dangling<T>() -> *const T {
    dangling_mut() as *const T
}

pub fn dangling_mut<T>() -> *mut T {
    methods::first(place_of(crate::vec::Vec::<T>::new()) as *mut [T])
}

/// No integer is the address of anything: a pointer that is made from one points to no element.
#[lang("pointer_at")]
pub fn without_provenance_mut<T>(addr: usize) -> *mut T {
    if addr == 0 { null_mut() } else { dangling_mut() }
}

pub fn without_provenance<T>(addr: usize) -> *const T {
    without_provenance_mut(addr) as *const T
}

pub fn from_ref<T: ?Sized>(r: &T) -> *const T {
    r
}

pub fn from_mut<T: ?Sized>(r: &mut T) -> *mut T {
    r
}

pub fn slice_from_raw_parts<T>(data: *const T, len: usize) -> *const [T] {
    methods::range(data, len)
}

pub fn slice_from_raw_parts_mut<T>(data: *mut T, len: usize) -> *mut [T] {
    methods::range_mut(data, len)
}

#[moves]
pub unsafe fn read<T>(src: *const T) -> T {
    crate::mem::moved(&*src)
}

pub unsafe fn read_volatile<T>(src: *const T) -> T {
    crate::hint::black_box(crate::clone::same_value(&*src))
}

pub unsafe fn read_unaligned<T>(src: *const T) -> T {
    crate::clone::same_value(&*methods::anywhere(src))
}

#[moves]
pub unsafe fn write<T>(dst: *mut T, src: T) {
    *dst = src;
}

#[moves]
pub unsafe fn write_volatile<T>(dst: *mut T, src: T) {
    *dst = src;
}

#[moves]
pub unsafe fn write_unaligned<T>(dst: *mut T, src: T) {
    *methods::anywhere_mut(dst) = src;
}

#[moves]
pub unsafe fn replace<T>(dst: *mut T, src: T) -> T {
    let held = crate::clone::same_value(&*dst);
    *dst = src;
    held
}

#[moves]
pub unsafe fn swap<T>(a: *mut T, b: *mut T) {
    let held = crate::clone::same_value(&*a);
    *a = crate::clone::same_value(&*b);
    *b = held;
}

/// Bytes that are not zero are those of integers.
pub unsafe fn write_bytes<T>(dst: *mut T, val: u8, count: usize) {
    if val == 0 {
        for at in 0..count {
            write(dst.add(at), crate::mem::zeroed());
        }
    } else {
        let bytes = dst as *mut u8;
        for at in 0..count * crate::mem::size_of::<T>() {
            *bytes.add(at) = val;
        }
    }
}

/// The ranges may overlap: everything is read before anything is written.
#[moves]
pub unsafe fn copy<T>(src: *const T, dst: *mut T, count: usize) {
    if count == 1 {
        *dst = crate::clone::same_value(&*src);
    } else if count > 0 {
        let held = crate::clone::same_elements(&*methods::range(src, count));
        let mut at = 0;
        while at < count {
            *dst.add(at) = crate::clone::same_value(&held[at]);
            at += 1;
        }
    }
}

/// Whether the elements of two pointers, as many of each, are known to overlap.
#[op("ref.overlap")]
fn overlap<T>(a: *const T, b: *const T, count: usize) -> bool;

/// Fails if the elements of two pointers overlap.
pub(crate) fn check_apart<T>(a: *const T, b: *const T, count: usize) {
    if overlap(a, b, count) {
        crate::macros::fail("memory is copied or exchanged without overlap, but overlaps");
    }
}

#[moves]
pub unsafe fn copy_nonoverlapping<T>(src: *const T, dst: *mut T, count: usize) {
    check_apart(src, dst as *const T, count);
    copy(src, dst, count)
}

#[moves]
pub unsafe fn swap_nonoverlapping<T>(a: *mut T, b: *mut T, count: usize) {
    check_apart(a as *const T, b as *const T, count);
    let mut at = 0;
    while at < count {
        swap(a.add(at), b.add(at));
        at += 1;
    }
}

pub unsafe fn drop_in_place<T>(place: *mut T) {
    if crate::mem::drop_has_effect::<T>() {
        crate::mem::drop_value(crate::clone::same_value(&*place));
    }
}
