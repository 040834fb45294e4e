//! Numbers and their methods.

use std::hint::black_box;

fn show<T: std::fmt::Debug>(x: T) -> String {
    format!("{x:?}")
}

pub fn integers() -> String {
    let a = (
        7i32.pow(3),
        (-7i32).rem_euclid(3),
        (-7i32).div_euclid(3),
        (-7) / 3,
        (-7) % 3,
        7u32.isqrt(),
        (-5i32).signum(),
    );
    let b = (
        250u8.wrapping_add(10),
        250u8.checked_add(10),
        250u8.saturating_add(10),
        250u8.overflowing_add(10),
        i32::MIN.wrapping_abs(),
    );
    let c = (
        12u32.leading_zeros(),
        12u32.trailing_zeros(),
        0xF0u8.count_ones(),
        1u16.rotate_right(1),
        0x12345678u32.swap_bytes(),
        6u8.reverse_bits(),
    );
    let d = (
        10u32.abs_diff(14),
        (-3i8).unsigned_abs(),
        100u64.ilog2(),
        1000u32.ilog10(),
        81u32.ilog(3),
        5u32.next_power_of_two(),
        8u8.is_power_of_two(),
    );
    let e = (i64::MAX, u8::MIN, i128::MIN, u128::MAX, usize::BITS, i16::MAX, u32::MAX as f32);
    let f = (
        7u32.div_ceil(2),
        7u32.next_multiple_of(4),
        5i32.checked_rem(0),
        i32::MIN.checked_neg(),
        2i32.checked_pow(31),
        1u8.checked_shl(9),
    );
    let g = (
        0x1234u16.to_be_bytes(),
        0x1234u16.to_le_bytes(),
        u32::from_be_bytes([0, 0, 1, 2]),
        i16::from_le_bytes([0xff, 0xff]),
        1i32.is_positive(),
    );
    show((a, b, c, d, e, f, g))
}

pub fn casts() -> String {
    let a = (
        300i32 as u8,
        -1i32 as u32,
        3.99f64 as i32,
        -3.99 as i64,
        f64::NAN as i32,
        1e20 as i32,
        -1.0 as u8,
        255u8 as i8,
    );
    let b = (
        'a' as u32,
        97u8 as char,
        true as i32,
        1u64 as f32,
        i64::MAX as f64,
        0.1f32 as f64,
        1e30 as f32,
        u32::MAX as f32,
    );
    let c = (
        f64::from(1i32),
        f64::from(0.5f32),
        i64::from(3u32),
        u8::try_from(300i32).is_err(),
        u8::try_from(200i32),
        i8::try_from(200u8),
        usize::try_from(-1i64).is_err(),
    );
    let d: (u16, i128, f64, char) = (5u8.into(), (-4i64).into(), 2u16.into(), 'x'.into());
    let e = (
        char::from(65u8),
        char::from_u32(0x41),
        char::from_digit(7, 10),
        u32::from('z'),
        u8::try_from('é'),
        i32::from(true),
    );
    show((a, b, c, d, e))
}

pub fn floats() -> String {
    // LLVM folds functions of constants by other code than what computes them when the program runs.
    let (x, half) = (black_box(2.7f64), black_box(0.5f64));
    let a = (
        x.floor(),
        x.ceil(),
        x.round(),
        x.trunc(),
        x.fract(),
        (-2.5f64).round(),
        2.5f64.round_ties_even(),
        (-0.3f64).ceil(),
    );
    let b = (
        x.sqrt(),
        x.cbrt(),
        x.powi(-3),
        x.powf(0.5),
        x.exp(),
        x.ln(),
        x.log10(),
        x.log2(),
        x.log(3.0),
        x.exp_m1(),
        x.ln_1p(),
        x.exp2(),
    );
    let c = (
        x.sin_cos(),
        x.tan(),
        half.asin(),
        half.acos(),
        x.atan(),
        x.atan2(-1.0),
        x.sinh(),
        x.cosh(),
        x.tanh(),
        x.asinh(),
        x.acosh(),
        half.atanh(),
    );
    let d = (
        x.recip(),
        x.to_degrees(),
        x.to_radians(),
        x.hypot(1.0),
        x.mul_add(2.0, 1.0),
        x.copysign(-0.0),
        (-x).abs(),
        (-x).signum(),
        x.rem_euclid(2.0),
        (-x).rem_euclid(2.0),
        (-x).div_euclid(2.0),
        x % 2.0,
    );
    let e = (
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::EPSILON,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MIN,
        f32::EPSILON,
        f32::MAX,
    );
    let f = (
        x.to_bits(),
        f64::from_bits(0x4000000000000000),
        x.is_nan(),
        x.is_finite(),
        f64::NAN.is_nan(),
        (1.0 / 0.0f64).is_infinite(),
        (-0.0f64).is_sign_negative(),
        x.classify(),
        0.0f64.classify(),
        1e-310f64.classify(),
    );
    let g =
        (1.0f64.next_up(), x.midpoint(3.0), x.to_be_bytes(), f64::from_le_bytes([0, 0, 0, 0, 0, 0, 240, 63]));
    let h = (
        0.1f32 + 0.2,
        1.5f32.sin(),
        2f32.powf(0.3),
        1e10f32,
        16777217i32 as f32,
        f32::from_bits(1),
        0.1f32 as f64,
    );
    show((a, b, c, d, e, f)) + &show((g, h))
}

pub fn constants() -> String {
    use std::f64::consts::*;
    let a =
        (PI, E, TAU, FRAC_PI_2, FRAC_PI_3, FRAC_PI_4, FRAC_1_PI, FRAC_2_SQRT_PI, SQRT_2, LN_2, LN_10, LOG2_E);
    let b = (
        std::f32::consts::PI,
        std::f64::EPSILON,
        std::i32::MAX,
        core::f64::consts::LOG10_2,
        f32::MANTISSA_DIGITS,
        f64::DIGITS,
        u8::MAX,
    );
    show((a, b))
}

pub fn parses() -> String {
    let a = (
        "42".parse::<i32>(),
        "-7".parse::<i8>(),
        "+5".parse::<u8>(),
        "".parse::<i32>(),
        "x".parse::<i32>(),
        "300".parse::<u8>(),
        "-129".parse::<i8>(),
        "-".parse::<i32>(),
        "-1".parse::<u8>(),
    );
    let b = (
        "1.5".parse::<f64>(),
        "1e3".parse::<f64>(),
        "inf".parse::<f64>(),
        "NaN".parse::<f64>().map(|x| x.is_nan()),
        ".5".parse::<f32>(),
        "abc".parse::<f64>(),
        "".parse::<f64>(),
    );
    let c = (
        "true".parse::<bool>(),
        "no".parse::<bool>(),
        "q".parse::<char>(),
        "qq".parse::<char>(),
        "text".parse::<String>(),
    );
    let d = (i32::from_str_radix("-ff", 16), u8::from_str_radix("102", 2), u64::from_str_radix("zz", 36));
    let e = (
        "x".parse::<i32>().unwrap_err().to_string(),
        "300".parse::<u8>().unwrap_err().to_string(),
        "".parse::<f64>().unwrap_err().to_string(),
        u8::try_from(300i32).unwrap_err().to_string(),
    );
    show((a, b, c, d, e))
}

pub fn operators() -> String {
    use std::ops::*;
    let a = (
        Add::add(1, 2),
        3.0.mul(2.0),
        7.rem(4),
        (-3).neg(),
        true.not(),
        6.bitand(3),
        1.shl(4u32),
        (&2) + (&3),
        &2.5 * 2.0,
    );
    let mut x = 5;
    x += &3;
    x <<= 2u32;
    x ^= 1;
    x.add_assign(2);
    let f: fn(f64, f64) -> f64 = f64::add;
    let b = [1.0, 2.0, 3.0].into_iter().fold(0.0, Add::add);
    let c = [2.0, 3.0].iter().copied().map(f64::sqrt).sum::<f64>();
    fn dot<T: Mul<Output = T> + Add<Output = T> + Copy + Default>(a: &[T], b: &[T]) -> T {
        a.iter().zip(b).fold(T::default(), |s, (x, y)| s + *x * *y)
    }
    show((a, x, f(1.0, 2.5), b, c, dot(&[1, 2], &[3, 4]), dot(&[0.5], &[4.0])))
}

pub fn wrappers() -> String {
    use std::num::{NonZeroU32, Wrapping};
    let a = Wrapping(250u8) + Wrapping(10);
    let mut b = Wrapping(1u32);
    b *= Wrapping(0x9E3779B9);
    b -= Wrapping(1);
    let c = (NonZeroU32::new(0), NonZeroU32::new(5).map(|n| n.get()));
    show((a, b.0, c)) + &a.to_string()
}
