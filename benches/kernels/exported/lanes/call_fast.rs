/// `call` of one element.
#[allow(clippy::neg_cmp_op_on_partial_ord, clippy::nonminimal_bool)]
pub fn call(spot: f64, strike: f64, rate: f64, volatility: f64, years: f64) -> f64 {
    // call.rs:12
    let t1 = volatility * years.sqrt();
    // call.rs:13
    let t2 = (rate + 0.5 * volatility * volatility) * years;
    let t3 = ((spot / strike).ln() + t2) / t1;
    // call.rs:3
    let t4 = 1.0 / (1.0 + 0.2316419 * t3.abs());
    // call.rs:5
    let t5 = t4 * (1.781477937 + t4 * (-1.821255978 + t4 * 1.330274429));
    // call.rs:6
    let t6 = t4 * (0.31938153 + t4 * (-0.356563782 + t5));
    let mut t7 = 0.3989422804014327 * (-0.5 * t3 * t3).exp() * t6;
    // call.rs:7
    if !(t3 < 0.0) {
        t7 = 1.0 - t7;
    }
    // call.rs:14
    let t8 = spot * t7;
    let t9 = strike * (-rate * years).exp();
    let t10 = t3 - t1;
    // call.rs:3
    let t11 = 1.0 / (1.0 + 0.2316419 * t10.abs());
    // call.rs:5
    let t12 = t11 * (1.781477937 + t11 * (-1.821255978 + t11 * 1.330274429));
    // call.rs:6
    let t13 = t11 * (0.31938153 + t11 * (-0.356563782 + t12));
    let mut t14 = 0.3989422804014327 * (-0.5 * t10 * t10).exp() * t13;
    // call.rs:7
    if !(t10 < 0.0) {
        t14 = 1.0 - t14;
    }
    t8 - t9 * t14
}

/// `call` for each element of the slices, which have the same length, 64 of them at a time.
#[allow(
    clippy::manual_memcpy,
    clippy::needless_range_loop,
    clippy::neg_cmp_op_on_partial_ord,
    clippy::nonminimal_bool
)]
pub fn call_lanes(
    spot: &[f64],
    strike: f64,
    rate: f64,
    volatility: f64,
    years: f64,
    y: &mut [f64],
) {
    let element_count = y.len();
    same_length(spot, element_count, "call.rs:11:8");
    let mut spot2 = [0.0; 64];
    let mut t10 = [0.0; 64];
    let mut t28 = [0.0; 64];
    let mut t30 = [0.0; 64];
    let mut t34 = [0.0; 64];
    let mut t53 = [0.0; 64];
    let mut result = [0.0; 64];
    let mut on = [0_u64; 64];
    let mut on2 = [0_u64; 64];
    let mut first_element = 0;
    while first_element < element_count {
        // Lanes without an element have the last one.
        for lane in 0..64 {
            let element = (first_element + lane).min(element_count - 1);
            spot2[lane] = spot[element];
        }
        // call.rs:12
        let t2 = volatility * years.sqrt();
        // call.rs:13
        let t8 = (rate + 0.5 * volatility * volatility) * years;
        for lane in 0..64 {
            let t57: f64 = spot2[lane] / strike;
            let t58: f64 = ln_fast(t57);
            t10[lane] = (t58 + t8) / t2;
            // call.rs:3
            let t14: f64 = 1.0 / (1.0 + 0.2316419 * t10[lane].abs());
            // call.rs:5
            let t19: f64 = t14 * (1.781477937 + t14 * (-1.821255978 + t14 * 1.330274429));
            // call.rs:6
            let t23: f64 = t14 * (0.31938153 + t14 * (-0.356563782 + t19));
            let t59: f64 = -0.5 * t10[lane] * t10[lane];
            let t60: f64 = exp_fast(t59);
            t28[lane] = 0.3989422804014327 * t60 * t23;
            // call.rs:7
            on[lane] = mask(!(t10[lane] < 0.0));
        }
        // call.rs:14
        let t61 = (-rate * years).exp();
        for lane in 0..64 {
            // call.rs:7
            t28[lane] = blend(on[lane], 1.0 - t28[lane], t28[lane]);
            // call.rs:14
            t30[lane] = spot2[lane] * t28[lane];
            t34[lane] = strike * t61;
            let t35: f64 = t10[lane] - t2;
            // call.rs:3
            let t39: f64 = 1.0 / (1.0 + 0.2316419 * t35.abs());
            // call.rs:5
            let t44: f64 = t39 * (1.781477937 + t39 * (-1.821255978 + t39 * 1.330274429));
            // call.rs:6
            let t48: f64 = t39 * (0.31938153 + t39 * (-0.356563782 + t44));
            let t62: f64 = -0.5 * t35 * t35;
            let t63: f64 = exp_fast(t62);
            t53[lane] = 0.3989422804014327 * t63 * t48;
            // call.rs:7
            on2[lane] = mask(!(t35 < 0.0));
        }
        for lane in 0..64 {
            t53[lane] = blend(on2[lane], 1.0 - t53[lane], t53[lane]);
            result[lane] = t30[lane] - t34[lane] * t53[lane];
        }
        let end_element = element_count.min(first_element + 64);
        y[first_element..end_element].copy_from_slice(&result[..end_element - first_element]);
        first_element = end_element;
    }
}

/// All bits where a lane runs, and none where it does not.
#[inline]
fn mask(runs: bool) -> u64 {
    u64::from(runs).wrapping_neg()
}

/// The new value in a lane that runs, the old one otherwise.
#[inline]
fn blend(runs: u64, new: f64, old: f64) -> f64 {
    f64::from_bits((new.to_bits() & runs) | (old.to_bits() & !runs))
}

#[cold]
fn misfit(len: usize, found: usize, at: &str) -> ! {
    panic!("a slice of length {found} was given for {len} numbers, {}", at)
}

/// Fails if a slice of the caller has another length than the results.
fn same_length<T>(slice: &[T], len: usize, at: &str) {
    if slice.len() != len {
        misfit(len, slice.len(), at)
    }
}

/// Adding this rounds a float of less than 2^51 to an integer, whose bits are then the low bits of the mantissa.
#[rustfmt::skip]
const ROUND: f64 = 6_755_399_441_055_744.0;

#[rustfmt::skip]
const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);

#[rustfmt::skip]
const LN2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

/// `1/k!` for `k` from 2 to 13.
#[rustfmt::skip]
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
#[rustfmt::skip]
#[inline(always)]
fn exp_fast(x: f64) -> f64 {
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
#[rustfmt::skip]
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

/// The natural logarithm.
#[rustfmt::skip]
#[inline(always)]
fn ln_fast(x: f64) -> f64 {
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
