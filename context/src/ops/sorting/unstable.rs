//! The unstable sort: quicksort, and heapsort after bad pivots.

use super::{Side, Sorted, Sorter};

impl Sorter<'_> {
    pub(super) fn unstable(&mut self, v: &mut [usize]) -> Sorted {
        let (run, descends) = self.run_at_start(v)?;
        if run == v.len() {
            if descends {
                v.reverse();
            }
            return Ok(());
        }
        let limit = 2 * (v.len() | 1).ilog2();
        self.by_unstable_pivots(v, None, limit)
    }

    fn by_unstable_pivots(
        &mut self,
        mut v: &mut [usize],
        mut least: Option<usize>,
        mut limit: u32,
    ) -> Sorted {
        let small = self.plan.small_unstable();
        loop {
            if v.len() <= small.longest() {
                return self.small(v, small);
            }
            if limit == 0 {
                return self.by_heap(v);
            }
            limit -= 1;
            let at = self.pivot(v)?;
            if let Some(pivot) = least
                && !self.less(pivot, v[at])?
            {
                let equal = self.divide(v, at, Side::NotGreater)?;
                v = &mut v[equal + 1..];
                least = None;
                continue;
            }
            let before = self.divide(v, at, Side::Less)?;
            let pivot = v[before];
            let (left, right) = v.split_at_mut(before);
            self.by_unstable_pivots(left, least, limit)?;
            v = &mut right[1..];
            least = Some(pivot);
        }
    }

    /// Partitions the elements by the pivot; returns its final position.
    pub(super) fn divide(&mut self, v: &mut [usize], pivot_at: usize, side: Side) -> Sorted<usize> {
        /// The size above which elements are moved as rarely as possible.
        const LARGE: usize = 96;
        if v.is_empty() {
            return Ok(0);
        }
        v.swap(0, pivot_at);
        let pivot = v[0];
        let rest = &mut v[1..];
        let before = if self.plan.size <= LARGE {
            self.divide_in_one_pass(rest, pivot, side)?
        } else {
            self.divide_from_both_ends(rest, pivot, side)?
        };
        v.swap(0, before);
        Ok(before)
    }

    /// Moves each element to the place of the first one that belongs after the pivot, which in turn moves to
    /// the place vacated last.
    fn divide_in_one_pass(&mut self, v: &mut [usize], pivot: usize, side: Side) -> Sorted<usize> {
        let Some(first) = v.first().copied() else { return Ok(0) };
        let (mut before, mut gap) = (0, 0);
        for at in 1..=v.len() {
            let elem = v.get(at).copied().unwrap_or(first);
            let is_before_pivot = self.is_before(elem, pivot, side)?;
            v[gap] = v[before];
            v[before] = elem;
            gap = at;
            before += usize::from(is_before_pivot);
        }
        Ok(before)
    }

    fn divide_from_both_ends(&mut self, v: &mut [usize], pivot: usize, side: Side) -> Sorted<usize> {
        let (mut left, mut right) = (0, v.len());
        // The place vacated last, and the first element moved.
        let mut gap: Option<(usize, usize)> = None;
        while !v.is_empty() {
            while left < right && self.is_before(v[left], pivot, side)? {
                left += 1;
            }
            loop {
                right = right.wrapping_sub(1);
                if left >= right || right == usize::MAX || self.is_before(v[right], pivot, side)? {
                    break;
                }
            }
            if left >= right || right == usize::MAX {
                break;
            }
            gap = match gap {
                None => Some((right, v[left])),
                Some((at, first)) => {
                    v[at] = v[left];
                    Some((right, first))
                }
            };
            v[left] = v[right];
            left += 1;
        }
        if let Some((at, first)) = gap {
            v[at] = first;
        }
        Ok(left)
    }

    fn by_heap(&mut self, v: &mut [usize]) -> Sorted {
        let len = v.len();
        for i in (0..len + len / 2).rev() {
            let node = if i >= len {
                i - len
            } else {
                v.swap(0, i);
                0
            };
            self.sift_down(&mut v[..i.min(len)], node)?;
        }
        Ok(())
    }

    fn sift_down(&mut self, v: &mut [usize], mut node: usize) -> Sorted {
        loop {
            let mut child = 2 * node + 1;
            if child >= v.len() {
                return Ok(());
            }
            if child + 1 < v.len() && self.less(v[child], v[child + 1])? {
                child += 1;
            }
            if !self.less(v[node], v[child])? {
                return Ok(());
            }
            v.swap(node, child);
            node = child;
        }
    }
}
