//! Identity of references.

#[op("ref.same")]
fn same<T: ?Sized>(a: &T, b: &T) -> bool;

pub fn eq<T: ?Sized>(a: &T, b: &T) -> bool {
    same(a, b)
}

pub unsafe fn read<T>(src: &T) -> T {
    crate::clone::same_value(src)
}

pub unsafe fn read_volatile<T>(src: &T) -> T {
    crate::hint::black_box(crate::clone::same_value(src))
}

pub unsafe fn write_volatile<T>(dst: &mut T, src: T) {
    *dst = src;
}

pub unsafe fn write<T>(dst: &mut T, src: T) {
    *dst = src;
}

pub unsafe fn read_unaligned<T>(src: &T) -> T {
    crate::clone::same_value(src)
}
