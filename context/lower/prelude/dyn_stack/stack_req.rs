//! How much memory temporary arrays need.

use core::alloc::{Layout, LayoutError};
use core::mem::{align_of, size_of};

/// A size and an alignment, which is 0 if they are larger than memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackReq {
    align: usize,
    size: usize,
}

/// The next multiple of a power of two.
pub(super) const fn rounded_up(size: usize, align: usize) -> Option<usize> {
    if align == 0 { None } else { size.checked_next_multiple_of(align) }
}

impl Default for StackReq {
    fn default() -> StackReq {
        StackReq::EMPTY
    }
}

impl StackReq {
    pub const EMPTY: StackReq = StackReq { align: 1, size: 0 };
    pub const OVERFLOW: StackReq = StackReq { align: 0, size: 0 };

    pub const fn empty() -> StackReq {
        StackReq::EMPTY
    }

    pub const fn new<T>(n: usize) -> StackReq {
        StackReq::new_aligned::<T>(n, align_of::<T>())
    }

    pub const fn new_aligned<T>(n: usize, align: usize) -> StackReq {
        if align < align_of::<T>() || !align.is_power_of_two() {
            return StackReq::OVERFLOW;
        }
        StackReq { align, size: size_of::<T>() }.array(n)
    }

    pub const fn size_bytes(&self) -> usize {
        self.size
    }

    pub const fn align_bytes(&self) -> usize {
        self.align
    }

    pub const fn unaligned_bytes_required(&self) -> usize {
        match self.layout() {
            Ok(layout) => layout.size() + (layout.align() - 1),
            Err(_) => usize::MAX,
        }
    }

    pub const fn layout(self) -> Result<Layout, LayoutError> {
        Layout::from_size_align(self.size, self.align)
    }

    /// What two parts need, each rounded up to the larger alignment: both at once, or one after the other.
    const fn with(self, other: StackReq, at_once: bool) -> StackReq {
        if self.align == 0 || other.align == 0 {
            return StackReq::OVERFLOW;
        }
        let align = if self.align > other.align { self.align } else { other.align };
        match (rounded_up(self.size, align), rounded_up(other.size, align)) {
            (Some(a), Some(b)) if at_once => match a.checked_add(b) {
                Some(size) => StackReq { align, size },
                None => StackReq::OVERFLOW,
            },
            (Some(a), Some(b)) => StackReq { align, size: if a > b { a } else { b } },
            _ => StackReq::OVERFLOW,
        }
    }

    pub const fn and(self, other: StackReq) -> StackReq {
        self.with(other, true)
    }

    pub const fn or(self, other: StackReq) -> StackReq {
        self.with(other, false)
    }

    pub const fn all_of(reqs: &[StackReq]) -> StackReq {
        let mut total = StackReq::EMPTY;
        let mut at = 0;
        while at < reqs.len() {
            total = total.and(reqs[at]);
            at += 1;
        }
        total
    }

    pub fn any_of(reqs: &[StackReq]) -> StackReq {
        reqs.iter().fold(StackReq::EMPTY, |most, req| most.or(*req))
    }

    pub const fn array(self, n: usize) -> StackReq {
        match self.size.checked_mul(n) {
            Some(size) if self.align > 0 => StackReq { align: self.align, size },
            _ => StackReq::OVERFLOW,
        }
    }
}
