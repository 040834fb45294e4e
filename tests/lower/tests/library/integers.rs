//! Integers with one of the other signedness, and arithmetic of which the type says what overflow is.

use std::num::{NonZero, NonZeroI8, NonZeroU8, NonZeroU32, Saturating, Wrapping};

const SIGNED: [i8; 9] = [-128, -127, -64, -7, -1, 0, 1, 10, 127];
const UNSIGNED: [u8; 8] = [0, 1, 2, 7, 10, 127, 128, 255];

fn pairs<T: Copy, U: Copy, R: std::fmt::Debug>(xs: &[T], ys: &[U], f: impl Fn(T, U) -> R) -> String {
    let mut all = String::new();
    for &x in xs {
        for &y in ys {
            all += &format!("{:?} ", f(x, y));
        }
    }
    all
}

pub fn signed_with_unsigned() -> String {
    let small = pairs(&SIGNED, &UNSIGNED, |a, b| {
        let wraps = (a.wrapping_add_unsigned(b), a.wrapping_sub_unsigned(b));
        let saturates = (a.saturating_add_unsigned(b), a.saturating_sub_unsigned(b));
        let tells = (a.overflowing_add_unsigned(b), a.overflowing_sub_unsigned(b));
        (wraps, saturates, tells, a.checked_add_unsigned(b), a.checked_sub_unsigned(b))
    });
    let large = pairs(&[i128::MIN, -3, 0, 1 << 70, i128::MAX], &[0, 5, 1 << 127, u128::MAX], |a, b| {
        (a.saturating_add_unsigned(b), a.saturating_sub_unsigned(b), a.overflowing_add_unsigned(b))
    });
    small + &large
}

pub fn unsigned_with_signed() -> String {
    let small = pairs(&UNSIGNED, &SIGNED, |a, b| {
        let wraps = (a.wrapping_add_signed(b), a.wrapping_sub_signed(b));
        let saturates = (a.saturating_add_signed(b), a.saturating_sub_signed(b));
        let tells = (a.overflowing_add_signed(b), a.overflowing_sub_signed(b));
        (wraps, saturates, tells, a.checked_add_signed(b), a.checked_sub_signed(b))
    });
    let large = pairs(&[0, 7, 1 << 63, u64::MAX], &[i64::MIN, -8, 0, i64::MAX], |a, b| {
        (a.saturating_add_signed(b), a.overflowing_add_signed(b), a.saturating_sub_signed(b))
    });
    small + &large
}

pub fn strict_arithmetic() -> String {
    let all = (
        5_u32.strict_add(3),
        5_u32.strict_sub(3),
        5_i32.strict_mul(-3),
        7_i32.strict_div(-2),
        7_i32.strict_rem(-2),
    );
    let more = (
        2_u8.strict_pow(3),
        (-5_i32).strict_neg(),
        (-5_i32).strict_abs(),
        1_u8.strict_shl(3),
        100_u8.strict_shr(3),
    );
    let mixed = (
        5_u8.strict_add_signed(-3),
        5_u8.strict_sub_signed(-3),
        5_i8.strict_add_unsigned(3),
        5_i8.strict_sub_unsigned(30),
    );
    let euclid = pairs(&[-128_i8, -7, 127], &[-1_i8, -2, 3], |a, b| {
        (a.overflowing_div_euclid(b), a.overflowing_rem_euclid(b))
    });
    format!(
        "{all:?} {more:?} {mixed:?} {euclid} {} {}",
        7_i8.strict_div_euclid(-2),
        (-7_i8).strict_rem_euclid(2)
    )
}

pub fn adds_strictly() -> String {
    250_u8.strict_add(10).to_string()
}

pub fn negates_strictly() -> String {
    i8::MIN.strict_neg().to_string()
}

pub fn shifts_strictly() -> String {
    1_u8.strict_shl(8).to_string()
}

pub fn adds_what_is_negative_strictly() -> String {
    5_u8.strict_add_signed(-13).to_string()
}

pub fn saturating_and_wrapping() -> String {
    let mut w = Saturating(1_u8);
    w -= 2;
    let s =
        (Saturating(i32::MIN) - Saturating(2), -Saturating(-128_i8), Saturating(-128_i8) / Saturating(-1), w);
    let more =
        (Saturating(3_u8).pow(9), Saturating::<u8>::MAX, Saturating(7) % Saturating(4), !Saturating(0_u8));
    format!("{s:?} {more:?} {:?} {:?}", Saturating(6) & Saturating(3), Wrapping(i32::MAX) * Wrapping(2))
}

pub fn numbers_that_are_not_zero() -> String {
    let (a, b) = (NonZeroU8::new(200).unwrap(), NonZeroU8::new(6).unwrap());
    let sums =
        (a.checked_add(100), a.saturating_add(100), a | b, b | 1, a.midpoint(b), a.div_ceil(b), a.isqrt());
    let bits = (b.trailing_zeros(), b.leading_zeros(), b.checked_next_power_of_two());
    let n = NonZeroI8::new(-5).unwrap();
    let signs =
        (-n, n.abs(), n.unsigned_abs(), n.checked_neg(), n.is_positive(), NonZeroI8::MIN.checked_abs());
    let parsed = ("7".parse::<NonZeroI8>(), "-0".parse::<NonZeroI8>(), "300".parse::<NonZeroU8>());
    let why = "0".parse::<NonZeroU32>().map_err(|error| (error.kind().clone(), error.to_string()));
    format!("{sums:?} {bits:?} {signs:?} {parsed:?} {why:?} {:?}", NonZero::new(0_u16))
}

pub fn characters_as_numbers() -> String {
    format!(
        "{:?} {:?} {:?}",
        u16::try_from('é'),
        u16::try_from('😀').is_err(),
        u8::try_from('€').map_err(|e| e.to_string())
    )
}
