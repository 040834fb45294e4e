//! Rows of which each lane reads and writes its own one.

use crate::kernels::{LANES, Lane};

/// Reads the word of each of these lanes in the row that `at` names for it, which is one of the rows.
///
/// It is a loop over bits and no closure, which would be called for each lane.
#[inline(always)]
pub(super) fn read(rows: &[Lane], at: &Lane, d: &mut Lane, lanes: u64) {
    let mut left = lanes;
    while left != 0 {
        let lane = left.trailing_zeros() as usize % LANES;
        left &= left - 1;
        d[lane] = rows[at[lane] as usize][lane];
    }
}

/// Writes the word of each of these lanes to the row that `at` names for it, which is one of the rows.
#[inline(always)]
pub(super) fn write(rows: &mut [Lane], at: &Lane, a: &Lane, lanes: u64) {
    let mut left = lanes;
    while left != 0 {
        let lane = left.trailing_zeros() as usize % LANES;
        left &= left - 1;
        rows[at[lane] as usize][lane] = a[lane];
    }
}

/// As [`write`], for the bits of a mask as words 0 and 1.
#[inline(always)]
pub(super) fn write_bits(rows: &mut [Lane], at: &Lane, bits: u64, lanes: u64) {
    let mut left = lanes;
    while left != 0 {
        let lane = left.trailing_zeros() as usize % LANES;
        left &= left - 1;
        rows[at[lane] as usize][lane] = bits >> lane & 1;
    }
}

/// The bits that each of these lanes has in the row that `at` names for it.
#[inline(always)]
pub(super) fn read_bits(rows: &[Lane], at: &Lane, lanes: u64) -> u64 {
    let (mut left, mut bits) = (lanes, 0);
    while left != 0 {
        let lane = left.trailing_zeros() as usize % LANES;
        left &= left - 1;
        bits |= (rows[at[lane] as usize][lane] & 1) << lane;
    }
    bits
}
