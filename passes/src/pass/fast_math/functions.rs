//! Elementary functions without branches: one source for scalar and vector code.
//!
//! - FASTFN1 a result differs from the exact one by less than one unit in the last place, and is std's own where arguments
//!   are infinite, zero or NaN; sines and cosines beyond [`FAR`] are std's.
//! - FASTFN2 only additions, multiplications, divisions, comparisons and bit operations, each rounded once: results are
//!   the same to the bit on every machine, in scalar and in vector code.
//!
//! Reductions and polynomials follow Sun's fdlibm; the exponential's polynomial is Taylor's, long enough for FASTFN1.

/// The largest angle, in radians, that is computed here; larger ones are left to std.
pub const FAR: f64 = 65536.0;

/// Adding this rounds a float of less than 2^51 to an integer, whose bits are then the low bits of the mantissa.
pub(super) const ROUND: f64 = 6_755_399_441_055_744.0;

pub(super) const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
pub(super) const LN2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

/// `1/k!` for `k` from 2 to 13.
const FACTORIALS: [f64; 12] = [
    0.5,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
    1.0 / 6_227_020_800.0,
];

/// `e` to the power of `x`.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    // Beyond these limits the result is infinite or zero; comparisons with NaN are false, so NaN stays.
    let x = if x > 800.0 { 800.0 } else { x };
    let x = if x < -800.0 { -800.0 } else { x };
    let rounded = x * std::f64::consts::LOG2_E + ROUND;
    let k = rounded - ROUND;
    let (high, low) = (x - k * LN2_HIGH, k * LN2_LOW);
    let r = high - low;
    let lost = (high - r) - low;
    let y = 1.0 + (r + (r * r * taylor(r) + lost));
    let twos = rounded.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(2048);
    let half = twos >> 1;
    // In two steps, since the scale may overflow where the result does not.
    let first = f64::from_bits(half.wrapping_sub(1) << 52);
    let second = f64::from_bits(twos.wrapping_sub(half).wrapping_sub(1) << 52);
    y * first * second
}

/// `(e^r - 1 - r)/r²` for small `r`.
#[inline(always)]
fn taylor(r: f64) -> f64 {
    let c = &FACTORIALS;
    let (r2, pair) = (r * r, |k: usize| c[k] + c[k + 1] * r);
    let r4 = r2 * r2;
    let low = pair(0) + pair(2) * r2;
    let middle = pair(4) + pair(6) * r2;
    let high = pair(8) + pair(10) * r2;
    low + (middle + high * r4) * r4
}

/// The hyperbolic tangent.
#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    // From here on it is 1.
    let a = if x.abs() > 22.0 { 22.0 } else { x.abs() };
    let rounded = 2.0 * a * std::f64::consts::LOG2_E + ROUND;
    let k = rounded - ROUND;
    let (high, low) = (2.0 * a - k * LN2_HIGH, k * LN2_LOW);
    let r = high - low;
    let lost = (high - r) - low;
    let scale = f64::from_bits(rounded.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(1023) << 52);
    // e^2a - 1 in two parts: (scale - 1) + scale·(r + r²/2 + …).
    let square = 0.5 * upper(r) * upper(r);
    let linear = r + square;
    let square_rest = 0.5 * (r - upper(r)) * (r + upper(r));
    let small = ((square - (linear - r)) + square_rest) + (r * r * r * cubic(r) + lost);
    let first = scale - 1.0;
    let part = scale * linear;
    let sum = first + part;
    let sum_rest = (part - (sum - first)) + scale * small;
    let top = sum + sum_rest;
    let top_rest = sum_rest - (top - sum);
    let bottom = top + 2.0;
    let (larger, smaller) = if top > 2.0 { (top, 2.0) } else { (2.0, top) };
    let bottom_rest = (smaller - (bottom - larger)) + top_rest;
    // The quotient, and what its product with the divisor leaves (Dekker).
    let y = top / bottom;
    let (y_low, bottom_low) = (y - upper(y), bottom - upper(bottom));
    let left =
        top - upper(y) * upper(bottom) - upper(y) * bottom_low - y_low * upper(bottom) - y_low * bottom_low;
    let y = y + (left + (top_rest - y * bottom_rest)) / bottom;
    f64::from_bits(y.to_bits() | x.to_bits() & 0x8000_0000_0000_0000)
}

/// `(e^r - 1 - r - r²/2)/r³` for small `r`.
#[inline(always)]
fn cubic(r: f64) -> f64 {
    let c = &FACTORIALS;
    let (r2, pair) = (r * r, |k: usize| c[k] + c[k + 1] * r);
    let r4 = r2 * r2;
    let low = pair(1) + pair(3) * r2;
    let middle = pair(5) + pair(7) * r2;
    let high = pair(9) + c[11] * r2;
    low + (middle + high * r4) * r4
}

/// The upper half of the digits of a number: products of two are exact.
#[inline(always)]
pub(super) fn upper(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0xffff_ffff_f800_0000)
}

/// The natural logarithm.
#[inline(always)]
pub fn ln(x: f64) -> f64 {
    const SUBNORMAL: f64 = 18_014_398_509_481_984.0;
    const HALF_ROOT: u64 = 0x3fe6_a09e_0000_0000;
    let is_small = x < f64::MIN_POSITIVE;
    let scaled = if is_small { x * SUBNORMAL } else { x };
    // The mantissa, between the square roots of 1/2 and 2.
    let bits = scaled.to_bits().wrapping_add((1023 << 52) - HALF_ROOT);
    let exponent = f64::from_bits(bits >> 52 | 0x4330_0000_0000_0000) - 4_503_599_627_370_496.0;
    let k = exponent - if is_small { 1077.0 } else { 1023.0 };
    let mantissa = f64::from_bits((bits & 0x000f_ffff_ffff_ffff).wrapping_add(HALF_ROOT));
    let f = mantissa - 1.0;
    let half_square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w
        * (f64::from_bits(0x3fd9_9999_9997_fa04)
            + w * (f64::from_bits(0x3fcc_71c5_1d8e_78af) + w * f64::from_bits(0x3fc3_9a09_d078_c69f)));
    let odd = z
        * (f64::from_bits(0x3fe5_5555_5555_5593)
            + w * (f64::from_bits(0x3fd2_4924_9422_9359)
                + w * (f64::from_bits(0x3fc7_4664_96cb_03de) + w * f64::from_bits(0x3fc2_f112_df3e_5244))));
    let y = s * (half_square + (even + odd)) + k * f64::from_bits(0x3dea_39ef_3579_3c76) - half_square
        + f
        + k * LN2_HIGH;
    let y = if x == 0.0 { f64::NEG_INFINITY } else { y };
    let y = if x == f64::INFINITY { x } else { y };
    if x >= 0.0 { y } else { f64::NAN }
}

/// The sine of an angle in radians.
#[inline(always)]
pub fn sin(x: f64) -> f64 {
    if x.abs() <= FAR { sin_near(x) } else { x.sin() }
}

/// The cosine of an angle in radians.
#[inline(always)]
pub fn cos(x: f64) -> f64 {
    if x.abs() <= FAR { cos_near(x) } else { x.cos() }
}

/// The sine of an angle up to [`FAR`].
#[inline(always)]
pub fn sin_near(x: f64) -> f64 {
    let (quarter, y, rest) = reduced(x);
    let is_odd = quarter & 1 == 1;
    let y = if is_odd { cos_of(y, rest) } else { sin_of(y, rest) };
    // -0.0 stays -0.0.
    let y = if x == 0.0 { x } else { y };
    f64::from_bits(y.to_bits() ^ (quarter & 2) << 62)
}

/// The cosine of an angle up to [`FAR`].
#[inline(always)]
pub fn cos_near(x: f64) -> f64 {
    let (quarter, y, rest) = reduced(x);
    let is_odd = quarter & 1 == 1;
    let y = if is_odd { sin_of(y, rest) } else { cos_of(y, rest) };
    f64::from_bits(y.to_bits() ^ (quarter.wrapping_add(1) & 2) << 62)
}

/// The number of quarter turns nearest to an angle, and the remainder in two parts.
#[inline(always)]
fn reduced(x: f64) -> (u64, f64, f64) {
    const FIRST: f64 = f64::from_bits(0x3ff9_21fb_5440_0000);
    const SECOND: f64 = f64::from_bits(0x3dd0_b461_1a60_0000);
    const SECOND_REST: f64 = f64::from_bits(0x3ba3_198a_2e03_7073);
    const THIRD: f64 = f64::from_bits(0x3ba3_198a_2e00_0000);
    const THIRD_REST: f64 = f64::from_bits(0x397b_839a_2520_49c1);
    let rounded = x * std::f64::consts::FRAC_2_PI + ROUND;
    let n = rounded - ROUND;
    let first = x - n * FIRST;
    let w = n * SECOND;
    let second = first - w;
    let w = n * SECOND_REST - ((first - second) - w);
    let near = second - w;
    let near_rest = (second - near) - w;
    // More digits of π where the subtraction cancels.
    let v = n * THIRD;
    let third = second - v;
    let v = n * THIRD_REST - ((second - third) - v);
    let nearer = third - v;
    let nearer_rest = (third - nearer) - v;
    let cancels = near.abs() < 1e-10;
    let y = if cancels { nearer } else { near };
    let rest = if cancels { nearer_rest } else { near_rest };
    (rounded.to_bits(), y, rest)
}

/// The sine of `x + rest`, at most an eighth of a turn.
#[inline(always)]
fn sin_of(x: f64, rest: f64) -> f64 {
    const S1: f64 = f64::from_bits(0xbfc5_5555_5555_5549);
    let z = x * x;
    let v = z * x;
    let r = f64::from_bits(0x3f81_1111_1110_f8a6)
        + z * (f64::from_bits(0xbf2a_01a0_19c1_61d5)
            + z * (f64::from_bits(0x3ec7_1de3_57b1_fe7d)
                + z * (f64::from_bits(0xbe5a_e5e6_8a2b_9ceb) + z * f64::from_bits(0x3de5_d93a_5acf_d57c))));
    x - ((z * (0.5 * rest - v * r) - rest) - v * S1)
}

/// The cosine of `x + rest`, at most an eighth of a turn.
#[inline(always)]
fn cos_of(x: f64, rest: f64) -> f64 {
    let z = x * x;
    let w = z * z;
    let low = z
        * (f64::from_bits(0x3fa5_5555_5555_554c)
            + z * (f64::from_bits(0xbf56_c16c_16c1_5177) + z * f64::from_bits(0x3efa_01a0_19cb_1590)));
    let high = w
        * w
        * (f64::from_bits(0xbe92_7e4f_809c_52ad)
            + z * (f64::from_bits(0x3e21_ee9e_bdb4_b1c4) + z * f64::from_bits(0xbda8_fae9_be88_38d4)));
    let half = 0.5 * z;
    let whole = 1.0 - half;
    whole + (((1.0 - whole) - half) + (z * (low + high) - x * rest))
}
