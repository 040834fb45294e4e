//! The vectors that code reads.

/// The words of each lane: they lie before the code.
pub(super) const ALL: [[u64; 4]; 19] = [
    [1 << 63; 4],
    [!(1 << 63); 4],
    [0x3ff0_0000_0000_0000; 4],
    [!0; 4],
    [0xff; 4],
    [0xffff; 4],
    [0xffff_ffff; 4],
    [1 << 7; 4],
    [1 << 15; 4],
    [1 << 31; 4],
    [63, 62, 61, 60],
    [59, 58, 57, 56],
    [0x4330_0000_0000_0000; 4],
    [0x4530_0000_0000_0000; 4],
    [0x4530_0000_0010_0000; 4],
    [0x4530_0000_8010_0000; 4],
    [0x4338_0000_0000_0000; 4],
    [0x41f0_0000_0000_0000; 4],
    [0x3df0_0000_0000_0000; 4],
];
pub(super) const SIGN: usize = 0;
pub(super) const MAGNITUDE: usize = 1;
pub(super) const ONE: usize = 2;
pub(super) const ONES: usize = 3;
/// The bits of integers of 8, 16 and 32 bits, and half of the number of such integers.
pub(super) const BELOW: usize = 4;
pub(super) const HALF: usize = 7;
/// How far bits are from the sign, for the first and the second four.
pub(super) const SHIFTS: usize = 10;
/// Floats: 2^52, 2^84, 2^84 + 2^52, 2^84 + 2^63 + 2^52, 2^52 + 2^51, 2^32 and its reciprocal.
pub(super) const TWO_52: usize = 12;
pub(super) const TWO_84: usize = 13;
pub(super) const TWO_84_52: usize = 14;
pub(super) const TWO_84_63_52: usize = 15;
pub(super) const SHIFTED: usize = 16;
pub(super) const TWO_32: usize = 17;
pub(super) const TWO_MINUS_32: usize = 18;
