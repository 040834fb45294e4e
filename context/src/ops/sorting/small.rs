//! Sorting of few elements.

use super::{Plan, Sorted, Sorter, contradicts_itself};

/// The algorithm for few elements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Small {
    /// Insertion sort.
    Inserting,
    /// Sorts two halves, whose first elements are sorted by fixed comparisons, and merges them.
    Halves,
    /// Sorting networks.
    Networks,
}

impl Small {
    /// The largest length to which the algorithm applies.
    pub(super) fn longest(self) -> usize {
        if self == Small::Inserting { 16 } else { 32 }
    }
}

impl Plan {
    /// The algorithm of a stable sort for few elements.
    pub(super) fn small_stable(self) -> Small {
        if self.is_frozen { Small::Halves } else { Small::Inserting }
    }

    /// The algorithm of an unstable sort for few elements.
    pub(super) fn small_unstable(self) -> Small {
        /// The maximum size of the scratch space on the stack.
        const MAX_STACK_BYTES: usize = 4096;
        if self.is_frozen && self.is_copy && self.size <= 8 {
            Small::Networks
        } else if self.is_frozen && self.size.saturating_mul(48) <= MAX_STACK_BYTES {
            Small::Halves
        } else {
            Small::Inserting
        }
    }
}

/// The comparisons of the network for nine elements.
const NINE: &[(u8, u8)] = &[
    (0, 3),
    (1, 7),
    (2, 5),
    (4, 8),
    (0, 7),
    (2, 4),
    (3, 8),
    (5, 6),
    (0, 2),
    (1, 3),
    (4, 5),
    (7, 8),
    (1, 4),
    (3, 6),
    (5, 7),
    (0, 1),
    (2, 4),
    (3, 5),
    (6, 8),
    (2, 3),
    (4, 5),
    (6, 7),
    (1, 2),
    (3, 4),
    (5, 6),
];

/// The comparisons of the network for thirteen elements.
const THIRTEEN: &[(u8, u8)] = &[
    (0, 12),
    (1, 10),
    (2, 9),
    (3, 7),
    (5, 11),
    (6, 8),
    (1, 6),
    (2, 3),
    (4, 11),
    (7, 9),
    (8, 10),
    (0, 4),
    (1, 2),
    (3, 6),
    (7, 8),
    (9, 10),
    (11, 12),
    (4, 6),
    (5, 9),
    (8, 11),
    (10, 12),
    (0, 5),
    (3, 8),
    (4, 7),
    (6, 11),
    (9, 10),
    (0, 1),
    (2, 5),
    (6, 9),
    (7, 8),
    (10, 11),
    (1, 3),
    (2, 4),
    (5, 6),
    (9, 10),
    (1, 2),
    (3, 4),
    (5, 7),
    (6, 8),
    (2, 3),
    (4, 5),
    (6, 7),
    (8, 9),
    (3, 4),
    (5, 6),
];

impl Sorter<'_> {
    pub(super) fn small(&mut self, v: &mut [usize], how: Small) -> Sorted {
        match how {
            _ if v.len() < 2 => Ok(()),
            Small::Inserting => self.insert_from(v, 1),
            Small::Halves => self.halves(v),
            Small::Networks => self.networks(v),
        }
    }

    fn halves(&mut self, v: &mut [usize]) -> Sorted {
        let (len, half) = (v.len(), v.len() / 2);
        let (left, right) = v.split_at_mut(half);
        let first = if self.plan.size <= 16 && len >= 16 {
            self.sort_eight(&mut left[..8])?;
            self.sort_eight(&mut right[..8])?;
            8
        } else if len >= 8 {
            self.sort_four(&mut left[..4])?;
            self.sort_four(&mut right[..4])?;
            4
        } else {
            1
        };
        self.insert_from(left, first)?;
        self.insert_from(right, first)?;
        self.merge_from_both_ends(v)
    }

    /// Sorts four elements by five comparisons.
    fn sort_four(&mut self, v: &mut [usize]) -> Sorted {
        let swaps_first = self.less(v[1], v[0])?;
        let swaps_second = self.less(v[3], v[2])?;
        let (a, b) = if swaps_first { (v[1], v[0]) } else { (v[0], v[1]) };
        let (c, d) = if swaps_second { (v[3], v[2]) } else { (v[2], v[3]) };
        let least_is_right = self.less(c, a)?;
        let greatest_is_left = self.less(d, b)?;
        let least = if least_is_right { c } else { a };
        let greatest = if greatest_is_left { b } else { d };
        let (left, right) = match (least_is_right, greatest_is_left) {
            (true, true) => (a, d),
            (true, false) => (a, b),
            (false, true) => (c, d),
            (false, false) => (b, c),
        };
        let (low, high) = if self.less(right, left)? { (right, left) } else { (left, right) };
        v.copy_from_slice(&[least, low, high, greatest]);
        Ok(())
    }

    fn sort_eight(&mut self, v: &mut [usize]) -> Sorted {
        self.sort_four(&mut v[..4])?;
        self.sort_four(&mut v[4..])?;
        self.merge_from_both_ends(v)
    }

    /// Merges two sorted halves, alternately from the front and from the back; fails if these do not meet.
    fn merge_from_both_ends(&mut self, v: &mut [usize]) -> Sorted {
        let (len, half) = (v.len(), v.len() / 2);
        let src = v.to_vec();
        let (mut left, mut right) = (0, half);
        // The ends of the elements that remain at the back.
        let (mut left_end, mut right_end) = (half, len);
        for k in 0..half {
            if self.less(src[right], src[left])? {
                v[k] = src[right];
                right += 1;
            } else {
                v[k] = src[left];
                left += 1;
            }
            if self.less(src[right_end - 1], src[left_end - 1])? {
                left_end -= 1;
                v[len - 1 - k] = src[left_end];
            } else {
                right_end -= 1;
                v[len - 1 - k] = src[right_end];
            }
        }
        if len % 2 == 1 {
            if left < left_end {
                v[half] = src[left];
                left += 1;
            } else {
                v[half] = src[right];
                right += 1;
            }
        }
        if (left, right) == (left_end, right_end) { Ok(()) } else { Err(contradicts_itself()) }
    }

    fn networks(&mut self, v: &mut [usize]) -> Sorted {
        /// The length from which halves are sorted and merged.
        const LONG: usize = 18;
        if v.len() < LONG {
            return self.network(v);
        }
        let (left, right) = v.split_at_mut(v.len() / 2);
        self.network(left)?;
        self.network(right)?;
        self.merge_from_both_ends(v)
    }

    fn network(&mut self, v: &mut [usize]) -> Sorted {
        let (count, network) = match v.len() {
            13.. => (13, THIRTEEN),
            9.. => (9, NINE),
            _ => (1, &[][..]),
        };
        for (a, b) in network {
            let (a, b) = (usize::from(*a), usize::from(*b));
            if self.less(v[b], v[a])? {
                v.swap(a, b);
            }
        }
        self.insert_from(v, count)
    }
}
