//! Memory from the allocator. It is never exhausted, so pointers to it are never null.

use crate::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    size: usize,
    align: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayoutError;

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid parameters to Layout::from_size_align")
    }
}

impl crate::error::Error for LayoutError {}

impl Layout {
    pub const fn new<T>() -> Layout {
        Layout { size: crate::mem::size_of::<T>(), align: crate::mem::align_of::<T>() }
    }

    pub const fn array<T>(n: usize) -> Result<Layout, LayoutError> {
        match crate::mem::size_of::<T>().checked_mul(n) {
            Some(size) => Layout::from_size_align(size, crate::mem::align_of::<T>()),
            None => Err(LayoutError),
        }
    }

    pub const fn from_size_align(size: usize, align: usize) -> Result<Layout, LayoutError> {
        if align.is_power_of_two() && size <= isize::MAX as usize + 1 - align {
            Ok(Layout { size, align })
        } else {
            Err(LayoutError)
        }
    }

    pub const unsafe fn from_size_align_unchecked(size: usize, align: usize) -> Layout {
        Layout { size, align }
    }

    pub fn for_value<T: ?Sized>(value: &T) -> Layout {
        Layout { size: crate::mem::size_of_val(value), align: crate::mem::align_of_val(value) }
    }

    pub const fn align_to(&self, align: usize) -> Result<Layout, LayoutError> {
        Layout::from_size_align(self.size, if align > self.align { align } else { self.align })
    }

    pub const fn padding_needed_for(&self, align: usize) -> usize {
        self.size.next_multiple_of(align) - self.size
    }

    pub const fn pad_to_align(&self) -> Layout {
        Layout { size: self.size.next_multiple_of(self.align), align: self.align }
    }

    /// The layout of this followed by the next, and where the next begins.
    pub fn extend(&self, next: Layout) -> Result<(Layout, usize), LayoutError> {
        let align = self.align.max(next.align);
        let begin = self.size.next_multiple_of(next.align);
        let size = begin.checked_add(next.size).ok_or(LayoutError)?;
        Ok((Layout::from_size_align(size, align)?, begin))
    }

    pub const fn size(&self) -> usize {
        self.size
    }

    pub const fn align(&self) -> usize {
        self.align
    }
}

#[op("ref.alloc")]
fn allocated(bytes: usize, align: usize) -> *mut u8;

#[op("ref.alloc_zeroed")]
fn allocated_zeros(bytes: usize, align: usize) -> *mut u8;

#[op("ref.dealloc")]
fn freed(memory: *mut u8, bytes: usize, align: usize);

#[op("ref.realloc")]
fn reallocated(memory: *mut u8, bytes: usize, align: usize, new: usize) -> *mut u8;

pub unsafe fn alloc(layout: Layout) -> *mut u8 {
    allocated(layout.size, layout.align)
}

pub unsafe fn alloc_zeroed(layout: Layout) -> *mut u8 {
    allocated_zeros(layout.size, layout.align)
}

pub unsafe fn dealloc(ptr: *mut u8, layout: Layout) {
    freed(ptr, layout.size, layout.align)
}

pub unsafe fn realloc(ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
    reallocated(ptr, layout.size, layout.align, new_size)
}

pub fn handle_alloc_error(layout: Layout) -> ! {
    let bytes = layout.size;
    panic!("memory allocation of {bytes} bytes failed")
}
