//! The stable sort: merges existing runs, and sorts the rest by quicksort.

use super::{Side, Sorted, Sorter};

/// Consecutive elements, sorted or not yet sorted.
#[derive(Clone, Copy)]
struct Chunk {
    len: usize,
    is_sorted: bool,
}

impl Sorter<'_> {
    pub(super) fn stable(&mut self, v: &mut [usize]) -> Sorted {
        /// An upper bound of the size of a scratch buffer for all elements.
        const MOST_BYTES: usize = 8_000_000;
        /// The size of the scratch buffer on the stack.
        const STACK_BYTES: usize = 4096;
        let len = v.len();
        let all = len.min(MOST_BYTES / self.plan.size);
        let required = (len - len / 2).max(all).max(48);
        let on_stack = STACK_BYTES / self.plan.size;
        let scratch = if on_stack >= required { on_stack } else { required };
        let is_short = len <= 2 * self.plan.small_stable().longest();
        self.merge_chunks(v, scratch, is_short)
    }

    /// Merges in the order of a tree that is balanced by the positions of runs (powersort).
    fn merge_chunks(&mut self, v: &mut [usize], scratch: usize, sorts_early: bool) -> Sorted {
        let len = v.len();
        if len < 2 {
            return Ok(());
        }
        let scale = (1_u64 << 62).div_ceil(len as u64);
        let depth_between = |left: usize, mid: usize, right: usize| {
            let (x, y) = ((left + mid) as u64, (mid + right) as u64);
            (scale.wrapping_mul(x) ^ scale.wrapping_mul(y)).leading_zeros()
        };
        let long = if len <= 64 * 64 { (len - len / 2).min(64) } else { about_root(len) };
        let mut pending: Vec<(Chunk, u32)> = Vec::new();
        let mut last = Chunk { len: 0, is_sorted: true };
        let mut at = 0;
        loop {
            let (next, depth) = if at < len {
                let next = self.next_chunk(&mut v[at..], scratch, long, sorts_early)?;
                (next, depth_between(at - last.len, at, at + next.len))
            } else {
                (Chunk { len: 0, is_sorted: true }, 0)
            };
            while pending.len() > 1
                && let Some((left, _)) = pending.pop_if(|(_, of)| *of >= depth)
            {
                let start = at - (left.len + last.len);
                last = self.joined(&mut v[start..at], scratch, left, last)?;
            }
            pending.push((last, depth));
            if at >= len {
                break;
            }
            at += next.len;
            last = next;
        }
        if last.is_sorted { Ok(()) } else { self.by_pivots_to_a_limit(v, scratch) }
    }

    fn next_chunk(
        &mut self,
        v: &mut [usize],
        scratch: usize,
        long: usize,
        sorts_early: bool,
    ) -> Sorted<Chunk> {
        let len = v.len();
        if len >= long {
            let (run, descends) = self.run_at_start(v)?;
            if run >= long {
                if descends {
                    v[..run].reverse();
                }
                return Ok(Chunk { len: run, is_sorted: true });
            }
        }
        if sorts_early {
            let len = len.min(self.plan.small_stable().longest());
            self.by_pivots(&mut v[..len], scratch, 0, None)?;
            return Ok(Chunk { len, is_sorted: true });
        }
        Ok(Chunk { len: len.min(long), is_sorted: false })
    }

    /// Joins two runs; as long as both are unsorted and fit the buffer, the result is unsorted.
    fn joined(&mut self, v: &mut [usize], scratch: usize, left: Chunk, right: Chunk) -> Sorted<Chunk> {
        let len = v.len();
        if len <= scratch && !left.is_sorted && !right.is_sorted {
            return Ok(Chunk { len, is_sorted: false });
        }
        if !left.is_sorted {
            self.by_pivots_to_a_limit(&mut v[..left.len], scratch)?;
        }
        if !right.is_sorted {
            self.by_pivots_to_a_limit(&mut v[left.len..], scratch)?;
        }
        self.merge(v, left.len, scratch)?;
        Ok(Chunk { len, is_sorted: true })
    }

    /// Merges two sorted parts, starting from the end of the longer one.
    fn merge(&mut self, v: &mut [usize], mid: usize, scratch: usize) -> Sorted {
        let len = v.len();
        if mid == 0 || mid >= len || scratch < mid.min(len - mid) {
            return Ok(());
        }
        let src = v.to_vec();
        let (mut left, mut right) = (0, mid);
        let (mut left_end, mut right_end) = (mid, len);
        if mid <= len - mid {
            let mut at = 0;
            while left < left_end && right < right_end {
                if self.less(src[right], src[left])? {
                    v[at] = src[right];
                    right += 1;
                } else {
                    v[at] = src[left];
                    left += 1;
                }
                at += 1;
            }
        } else {
            let mut at = len;
            while left < left_end && right < right_end {
                at -= 1;
                if self.less(src[right_end - 1], src[left_end - 1])? {
                    left_end -= 1;
                    v[at] = src[left_end];
                } else {
                    right_end -= 1;
                    v[at] = src[right_end];
                }
            }
        }
        let rest: Vec<usize> = src[left..left_end].iter().chain(&src[right..right_end]).copied().collect();
        // The remaining elements of one part are contiguous: after the merged ones, or before them.
        let start = if mid <= len - mid { len - rest.len() } else { 0 };
        v[start..start + rest.len()].copy_from_slice(&rest);
        Ok(())
    }

    fn by_pivots_to_a_limit(&mut self, v: &mut [usize], scratch: usize) -> Sorted {
        let limit = 2 * (v.len() | 1).ilog2();
        self.by_pivots(v, scratch, limit, None)
    }

    /// A stable quicksort. After `limit` bad pivots, runs are merged instead. `least` is a pivot that no
    /// element here is less than.
    fn by_pivots(
        &mut self,
        mut v: &mut [usize],
        scratch: usize,
        mut limit: u32,
        mut least: Option<usize>,
    ) -> Sorted {
        let small = self.plan.small_stable();
        loop {
            if v.len() <= small.longest() {
                return self.small(v, small);
            }
            if limit == 0 {
                return self.merge_chunks(v, scratch, true);
            }
            limit -= 1;
            let at = self.pivot(v)?;
            let pivot = v[at];
            let mut are_equal = match least {
                Some(least) => !self.less(least, pivot)?,
                None => false,
            };
            let mut before = 0;
            if !are_equal {
                before = self.part(v, at, Side::Less)?;
                are_equal = before == 0;
            }
            if are_equal {
                let equal = self.part(v, at, Side::NotGreater)?;
                v = &mut v[equal..];
                least = None;
                continue;
            }
            let (left, right) = v.split_at_mut(before);
            self.by_pivots(right, scratch, limit, self.plan.is_frozen.then_some(pivot))?;
            v = left;
        }
    }

    /// Moves the elements that belong before the pivot to the front, preserving the order; returns their
    /// number.
    fn part(&mut self, v: &mut [usize], pivot_at: usize, side: Side) -> Sorted<usize> {
        let pivot = v[pivot_at];
        let (mut before, mut after) = (Vec::with_capacity(v.len()), Vec::new());
        for (at, elem) in v.iter().enumerate() {
            let is_before_pivot = match at == pivot_at {
                true => side == Side::NotGreater,
                false => self.is_before(*elem, pivot, side)?,
            };
            if is_before_pivot { &mut before } else { &mut after }.push(*elem);
        }
        let count = before.len();
        v[..count].copy_from_slice(&before);
        v[count..].copy_from_slice(&after);
        Ok(count)
    }
}

/// An approximation of the square root.
fn about_root(n: usize) -> usize {
    let shift = (n | 1).ilog2().div_ceil(2);
    ((1 << shift) + (n >> shift)) / 2
}
