/// `orbit` of one element.
pub fn orbit(x: f64, k: f64) -> f64 {
    // orbit.rs:30
    let mut y = x;
    for _ in 0..300 {
        // orbit.rs:31
        y = (y * k).sin() + x;
    }
    y
}

/// `orbit` for each element of the slices, which have the same length, 64 of them at a time.
#[allow(
    clippy::manual_memcpy,
    clippy::needless_range_loop,
    clippy::neg_cmp_op_on_partial_ord,
    clippy::nonminimal_bool
)]
pub fn orbit_lanes(x: &[f64], k: f64, y: &mut [f64]) {
    let element_count = y.len();
    same_length(x, element_count, "orbit.rs:28:8");
    let mut x2 = [0.0; 64];
    let mut y2 = [0.0; 64];
    let mut result = [0.0; 64];
    let mut t6 = [0.0; 64];
    let mut t7 = [0.0; 64];
    let mut far = [0_u64; 64];
    let mut first_element = 0;
    while first_element < element_count {
        // Lanes without an element have the last one.
        for lane in 0..64 {
            let element = (first_element + lane).min(element_count - 1);
            x2[lane] = x[element];
        }
        for lane in 0..64 {
            // orbit.rs:30
            y2[lane] = x2[lane];
        }
        for _ in 0..300 {
            let mut count = 0;
            for lane in 0..64 {
                // orbit.rs:31
                t6[lane] = y2[lane] * k;
                t7[lane] = sin_near(t6[lane]);
                far[lane] = mask(!(t6[lane].abs() <= 65536.0));
                count += far[lane] & 1;
            }
            if count > 0 {
                for lane in 0..64 {
                    if far[lane] != 0 {
                        t7[lane] = t6[lane].sin();
                    }
                }
            }
            for lane in 0..64 {
                y2[lane] = t7[lane] + x2[lane];
            }
        }
        for lane in 0..64 {
            result[lane] = y2[lane];
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

/// The sine of an angle up to [`FAR`].
#[rustfmt::skip]
#[inline(always)]
fn sin_near(x: f64) -> f64 {
    let (quarter, y, rest) = reduced(x);
    let is_odd = quarter & 1 == 1;
    let y = if is_odd { cos_of(y, rest) } else { sin_of(y, rest) };
    // -0.0 stays -0.0.
    let y = if x == 0.0 { x } else { y };
    f64::from_bits(y.to_bits() ^ (quarter & 2) << 62)
}

/// The number of quarter turns nearest to an angle, and the remainder in two parts.
#[rustfmt::skip]
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
#[rustfmt::skip]
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
#[rustfmt::skip]
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
