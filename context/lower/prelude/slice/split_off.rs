//! Taking elements off a slice, which becomes the rest.

use crate::ops::{Bound, RangeBounds};

/// Where a range without a beginning or an end divides a slice, and whether it is the part in front.
fn one_side<R: RangeBounds<usize>>(range: &R) -> (usize, bool) {
    match (range.start_bound(), range.end_bound()) {
        (Bound::Unbounded, Bound::Excluded(end)) => (*end, true),
        (Bound::Unbounded, Bound::Included(end)) => (end.saturating_add(1), true),
        (Bound::Included(start), _) => (*start, false),
        _ => crate::macros::fail("a range has two ends or none"),
    }
}

impl<T> [T] {
    /// Takes the elements from the front or the back that a range without a beginning or an end has.
    pub fn split_off<'a, R: RangeBounds<usize>>(self: &mut &'a [T], range: R) -> Option<&'a [T]> {
        let (at, is_front) = one_side::<R>(&range);
        if at > self.len() {
            return None;
        }
        let (front, back) = self.split_at(at);
        if is_front {
            *self = back;
            Some(front)
        } else {
            *self = front;
            Some(back)
        }
    }

    pub fn split_off_mut<'a, R: RangeBounds<usize>>(self: &mut &'a mut [T], range: R) -> Option<&'a mut [T]> {
        let (at, is_front) = one_side::<R>(&range);
        if at > self.len() {
            return None;
        }
        let (front, back) = crate::mem::take(self).split_at_mut(at);
        if is_front {
            *self = back;
            Some(front)
        } else {
            *self = front;
            Some(back)
        }
    }

    pub fn split_off_first<'a>(self: &mut &'a [T]) -> Option<&'a T> {
        let (first, rest) = self.split_first()?;
        *self = rest;
        Some(first)
    }

    pub fn split_off_last<'a>(self: &mut &'a [T]) -> Option<&'a T> {
        let (last, rest) = self.split_last()?;
        *self = rest;
        Some(last)
    }

    pub fn split_off_first_mut<'a>(self: &mut &'a mut [T]) -> Option<&'a mut T> {
        let (first, rest) = crate::mem::take(self).split_first_mut()?;
        *self = rest;
        Some(first)
    }

    pub fn split_off_last_mut<'a>(self: &mut &'a mut [T]) -> Option<&'a mut T> {
        let (last, rest) = crate::mem::take(self).split_last_mut()?;
        *self = rest;
        Some(last)
    }
}
