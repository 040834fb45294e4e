//! Ranges: as slice indices and as iterators.

use crate::fmt;
use crate::iter::Step;
use crate::ops::Bound;

#[lang("range")]
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Range<Idx> {
    pub start: Idx,
    pub end: Idx,
}

#[lang("range_inclusive")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RangeInclusive<Idx> {
    pub start: Idx,
    pub end: Idx,
    pub exhausted: bool,
}

#[lang("range_from")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RangeFrom<Idx> {
    pub start: Idx,
}

#[lang("range_to")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RangeTo<Idx> {
    pub end: Idx,
}

#[lang("range_to_inclusive")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RangeToInclusive<Idx> {
    pub end: Idx,
}

#[lang("range_full")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RangeFull;

pub trait RangeBounds<T> {
    fn start_bound(&self) -> Bound<&T>;
    fn end_bound(&self) -> Bound<&T>;

    fn contains<U>(&self, item: &U) -> bool
    where
        T: PartialOrd<U>,
        U: PartialOrd<T>,
    {
        let above = match self.start_bound() {
            Bound::Included(start) => *start <= *item,
            Bound::Excluded(start) => *start < *item,
            Bound::Unbounded => true,
        };
        let below = match self.end_bound() {
            Bound::Included(end) => *item <= *end,
            Bound::Excluded(end) => *item < *end,
            Bound::Unbounded => true,
        };
        above && below
    }
}

/// The positions `lo..hi` in a sequence of `len` elements.
pub fn positions<R: RangeBounds<usize>>(range: &R, len: usize) -> (usize, usize) {
    let lo = match range.start_bound() {
        Bound::Included(lo) => *lo,
        Bound::Excluded(lo) => *lo + 1,
        Bound::Unbounded => 0,
    };
    let hi = match range.end_bound() {
        Bound::Included(hi) => *hi + 1,
        Bound::Excluded(hi) => *hi,
        Bound::Unbounded => len,
    };
    if lo > hi {
        panic!("slice index starts at {lo} but ends at {hi}");
    }
    if hi > len {
        panic!("range end index {hi} out of range for slice of length {len}");
    }
    (lo, hi)
}

macro_rules! bounds {
    ($([$($param:tt)*] $Range:ident<$End:ty>($range:ident): $start:expr, $end:expr;)*) => {$(
        impl<$($param)*> RangeBounds<T> for $Range<$End> {
            fn start_bound(&self) -> Bound<&T> {
                let $range = self;
                $start
            }

            fn end_bound(&self) -> Bound<&T> {
                let $range = self;
                $end
            }
        }
    )*};
}

#[impls(RangeBounds)]
bounds! {
    [T] Range<T>(r): Bound::Included(&r.start), Bound::Excluded(&r.end);
    [T] RangeInclusive<T>(r): Bound::Included(&r.start), if r.exhausted { Bound::Excluded(&r.end) } else { Bound::Included(&r.end) };
    [T] RangeFrom<T>(r): Bound::Included(&r.start), Bound::Unbounded;
    [T] RangeTo<T>(r): Bound::Unbounded, Bound::Excluded(&r.end);
    [T] RangeToInclusive<T>(r): Bound::Unbounded, Bound::Included(&r.end);
    ['a, T: ?Sized] Range<&'a T>(r): Bound::Included(r.start), Bound::Excluded(r.end);
    ['a, T: ?Sized] RangeInclusive<&'a T>(r): Bound::Included(r.start), Bound::Included(r.end);
    ['a, T: ?Sized] RangeFrom<&'a T>(r): Bound::Included(r.start), Bound::Unbounded;
    ['a, T: ?Sized] RangeTo<&'a T>(r): Bound::Unbounded, Bound::Excluded(r.end);
    ['a, T: ?Sized] RangeToInclusive<&'a T>(r): Bound::Unbounded, Bound::Included(r.end);
}

impl<T> RangeBounds<T> for RangeFull {
    fn start_bound(&self) -> Bound<&T> {
        Bound::Unbounded
    }

    fn end_bound(&self) -> Bound<&T> {
        Bound::Unbounded
    }
}

impl<'a, T: ?Sized> RangeBounds<T> for (Bound<&'a T>, Bound<&'a T>) {
    fn start_bound(&self) -> Bound<&T> {
        self.0
    }

    fn end_bound(&self) -> Bound<&T> {
        self.1
    }
}

impl<T> RangeBounds<T> for (Bound<T>, Bound<T>) {
    fn start_bound(&self) -> Bound<&T> {
        self.0.as_ref()
    }

    fn end_bound(&self) -> Bound<&T> {
        self.1.as_ref()
    }
}

macro_rules! contains {
    ($($Range:ident)*) => {$(
        impl<Idx: PartialOrd<Idx>> $Range<Idx> {
            pub fn contains<U>(&self, item: &U) -> bool
            where
                Idx: PartialOrd<U>,
                U: PartialOrd<Idx>,
            {
                <Self as RangeBounds<Idx>>::contains(self, item)
            }
        }
    )*};
}

contains! { Range RangeInclusive RangeFrom RangeTo RangeToInclusive }

impl<Idx: PartialOrd<Idx>> Range<Idx> {
    pub fn is_empty(&self) -> bool {
        !(self.start < self.end)
    }
}

impl<Idx> RangeInclusive<Idx> {
    pub fn new(start: Idx, end: Idx) -> Self {
        RangeInclusive { start, end, exhausted: false }
    }

    pub fn start(&self) -> &Idx {
        &self.start
    }

    pub fn end(&self) -> &Idx {
        &self.end
    }

    pub fn into_inner(self) -> (Idx, Idx) {
        (self.start, self.end)
    }

    pub fn is_empty(&self) -> bool
    where
        Idx: PartialOrd,
    {
        self.exhausted || !(self.start <= self.end)
    }
}

impl<A: Step> Iterator for Range<A> {
    type Item = A;

    fn next(&mut self) -> Option<A> {
        if self.start < self.end {
            let at = self.start;
            self.start = at.succ();
            Some(at)
        } else {
            None
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = A::steps_between(&self.start, &self.end);
        (n, Some(n))
    }

    fn __may_have_side_effect() -> bool {
        false
    }

    fn __trusted_random_access() -> bool {
        A::fits_usize()
    }

    fn __trusted_len() -> bool {
        true
    }

    fn nth(&mut self, n: usize) -> Option<A> {
        if n < A::steps_between(&self.start, &self.end) {
            let at = self.start.forward(n);
            self.start = at.succ();
            return Some(at);
        }
        self.start = self.end;
        None
    }
}

impl<A: Step> DoubleEndedIterator for Range<A> {
    fn next_back(&mut self) -> Option<A> {
        if self.start < self.end {
            self.end = self.end.pred();
            Some(self.end)
        } else {
            None
        }
    }

    fn nth_back(&mut self, n: usize) -> Option<A> {
        if n < A::steps_between(&self.start, &self.end) {
            self.end = self.end.backward(n).pred();
            return Some(self.end);
        }
        self.end = self.start;
        None
    }
}

impl<A: Step> ExactSizeIterator for Range<A> {}

impl<A: Step> Iterator for RangeInclusive<A> {
    type Item = A;

    fn next(&mut self) -> Option<A> {
        if self.exhausted || !(self.start <= self.end) {
            return None;
        }
        let at = self.start;
        if at < self.end {
            self.start = at.succ();
        } else {
            self.exhausted = true;
        }
        Some(at)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.exhausted || !(self.start <= self.end) {
            return (0, Some(0));
        }
        let n = A::steps_between(&self.start, &self.end) + 1;
        (n, Some(n))
    }

    fn __may_have_side_effect() -> bool {
        false
    }

    fn __trusted_len() -> bool {
        true
    }

    fn nth(&mut self, n: usize) -> Option<A> {
        if self.exhausted || !(self.start <= self.end) {
            return None;
        }
        let last = A::steps_between(&self.start, &self.end);
        if n < last {
            let at = self.start.forward(n);
            self.start = at.succ();
            return Some(at);
        }
        self.start = self.end;
        self.exhausted = true;
        if n == last { Some(self.end) } else { None }
    }
}

impl<A: Step> DoubleEndedIterator for RangeInclusive<A> {
    fn next_back(&mut self) -> Option<A> {
        if self.exhausted || !(self.start <= self.end) {
            return None;
        }
        let at = self.end;
        if self.start < at {
            self.end = at.pred();
        } else {
            self.exhausted = true;
        }
        Some(at)
    }
}

impl<A: Step> ExactSizeIterator for RangeInclusive<A> {}

impl<A: Step> Iterator for RangeFrom<A> {
    type Item = A;

    fn next(&mut self) -> Option<A> {
        let at = self.start;
        self.start = at.forward(1);
        Some(at)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, None)
    }

    fn __trusted_len() -> bool {
        true
    }

    fn nth(&mut self, n: usize) -> Option<A> {
        let at = self.start.forward(n);
        self.start = at.forward(1);
        Some(at)
    }
}

impl<Idx: fmt::Debug> fmt::Debug for Range<Idx> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.start, f)?;
        f.write_str("..")?;
        fmt::Debug::fmt(&self.end, f)
    }
}

impl<Idx: fmt::Debug> fmt::Debug for RangeInclusive<Idx> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.start, f)?;
        f.write_str("..=")?;
        fmt::Debug::fmt(&self.end, f)?;
        if self.exhausted {
            f.write_str(" (exhausted)")?;
        }
        Ok(())
    }
}

impl<Idx: fmt::Debug> fmt::Debug for RangeFrom<Idx> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.start, f)?;
        f.write_str("..")
    }
}

impl<Idx: fmt::Debug> fmt::Debug for RangeTo<Idx> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")?;
        fmt::Debug::fmt(&self.end, f)
    }
}

impl<Idx: fmt::Debug> fmt::Debug for RangeToInclusive<Idx> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..=")?;
        fmt::Debug::fmt(&self.end, f)
    }
}

impl fmt::Debug for RangeFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

/// The position after `last` if that is less than `len`; otherwise fails like the slice `start..=last`.
#[lang("range_past")]
fn past(start: usize, last: usize, len: usize) -> usize {
    if last < len {
        return last + 1;
    }
    if start > len {
        panic!("range start index {start} out of range for slice of length {len}");
    }
    panic!("range end index {last} out of range for slice of length {len}")
}
