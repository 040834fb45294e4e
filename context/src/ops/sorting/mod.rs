//! The sorting algorithms of Rust's library, with the same sequence of comparisons.
//!
//! An inconsistent comparison, or one with effects, reveals which elements are compared and when; so the
//! algorithms are those of Rust 1.95, driftsort for stable and ipnsort for unstable sorts, with their
//! thresholds. They sort the indices of elements.
//!
//! - SORT1 whatever the comparison returns, each index occurs once in the result, or the sort fails.

mod select;
mod small;
mod stable;
mod unstable;

use crate::failure::{Failure, FailureKind};

/// The parameters that determine the algorithm.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    kind: u64,
    /// The size of an element in bytes, as rustc lays it out.
    size: usize,
    /// Whether elements contain no cell.
    is_frozen: bool,
    /// Whether an element is `Copy`.
    is_copy: bool,
}

/// The largest length that is sorted by insertion.
const FEW: usize = 20;

impl Plan {
    /// A stable sort of floats.
    pub(super) const STABLE: Plan = Plan { kind: 0, size: 8, is_frozen: true, is_copy: true };

    /// Decodes a plan: from the lowest bit on, two bits for the kind (stable, unstable, selection), one for
    /// each flag, the rest for the size.
    pub(super) fn of(bits: u64) -> Plan {
        Plan {
            kind: bits & 3,
            is_frozen: bits & 4 != 0,
            is_copy: bits & 8 != 0,
            size: usize::try_from(bits >> 4).unwrap_or(usize::MAX),
        }
    }

    /// The indices below `len`, sorted; for a selection, `nth` is the position that has to hold the right
    /// element.
    pub(super) fn order(
        self,
        len: usize,
        nth: usize,
        is_less: &mut dyn FnMut(usize, usize) -> Result<bool, Failure>,
    ) -> Result<Vec<usize>, Failure> {
        let mut order: Vec<usize> = (0..len).collect();
        let mut sorter = Sorter { plan: self, is_less };
        if self.size == 0 {
            return Ok(order);
        }
        match self.kind {
            2 if nth < len => sorter.select(&mut order, nth)?,
            2 => {}
            _ if len < 2 => {}
            _ if len <= FEW => sorter.insert_from(&mut order, 1)?,
            1 => sorter.unstable(&mut order)?,
            _ => sorter.stable(&mut order)?,
        }
        Ok(order)
    }
}

type Sorted<T = ()> = Result<T, Failure>;

/// A comparison, and the plan of the sort.
struct Sorter<'s> {
    plan: Plan,
    is_less: &'s mut dyn FnMut(usize, usize) -> Result<bool, Failure>,
}

/// The direction of a comparison with a pivot.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Whether the element is less than the pivot.
    Less,
    /// Whether the pivot is not less than the element.
    NotGreater,
}

impl Sorter<'_> {
    fn less(&mut self, a: usize, b: usize) -> Sorted<bool> {
        (self.is_less)(a, b)
    }

    /// Whether an element belongs before a pivot.
    fn is_before(&mut self, elem: usize, pivot: usize, side: Side) -> Sorted<bool> {
        match side {
            Side::Less => self.less(elem, pivot),
            Side::NotGreater => Ok(!self.less(pivot, elem)?),
        }
    }

    /// Inserts the last element into the preceding ones, which are sorted.
    fn insert_last(&mut self, v: &mut [usize]) -> Sorted {
        let mut at = v.len() - 1;
        let inserted = v[at];
        while at > 0 && self.less(inserted, v[at - 1])? {
            v[at] = v[at - 1];
            at -= 1;
        }
        v[at] = inserted;
        Ok(())
    }

    /// Inserts the elements from `first` on into the preceding ones, which are sorted.
    fn insert_from(&mut self, v: &mut [usize], first: usize) -> Sorted {
        for end in first..v.len() {
            self.insert_last(&mut v[..=end])?;
        }
        Ok(())
    }

    /// The length of the run at the start, and whether it is strictly descending.
    fn run_at_start(&mut self, v: &[usize]) -> Sorted<(usize, bool)> {
        if v.len() < 2 {
            return Ok((v.len(), false));
        }
        let descends = self.less(v[1], v[0])?;
        let mut len = 2;
        while len < v.len() && self.less(v[len], v[len - 1])? == descends {
            len += 1;
        }
        Ok((len, descends))
    }

    /// The position of a pivot: a median of three, or for many elements of medians.
    fn pivot(&mut self, v: &[usize]) -> Sorted<usize> {
        /// The length from which medians of medians are used.
        const MANY: usize = 64;
        let eighth = v.len() / 8;
        let (a, b, c) = (0, eighth * 4, eighth * 7);
        if v.len() < MANY { self.median(v, a, b, c) } else { self.median_of(v, [a, b, c], eighth, MANY) }
    }

    fn median_of(&mut self, v: &[usize], at: [usize; 3], n: usize, many: usize) -> Sorted<usize> {
        let mut at = at;
        if n * 8 >= many {
            let eighth = n / 8;
            for start in &mut at {
                let parts = [*start, *start + eighth * 4, *start + eighth * 7];
                *start = self.median_of(v, parts, eighth, many)?;
            }
        }
        self.median(v, at[0], at[1], at[2])
    }

    fn median(&mut self, v: &[usize], a: usize, b: usize, c: usize) -> Sorted<usize> {
        let (below_b, below_c) = (self.less(v[a], v[b])?, self.less(v[a], v[c])?);
        if below_b != below_c {
            return Ok(a);
        }
        Ok(if self.less(v[b], v[c])? == below_b { b } else { c })
    }
}

#[cold]
fn contradicts_itself() -> Failure {
    let message = "user-provided comparison function does not correctly implement a total order";
    Failure::new(FailureKind::Panic, message)
}
