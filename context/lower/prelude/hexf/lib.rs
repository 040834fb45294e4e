//! The crate `hexf` as programs see it: floats written in hexadecimal.

#[macro_export]
macro_rules! hexf64 {
    ($text:literal) => {
        $crate::value_of($text)
    };
}

#[macro_export]
macro_rules! hexf32 {
    ($text:literal) => {
        $crate::value_of($text) as f32
    };
}

/// The value of a literal that rustc accepts, `-0x1.8p3`: one of these is representable, so nothing is rounded.
pub fn value_of(text: &str) -> f64 {
    let bytes = text.as_bytes();
    let is_negative = bytes.first() == Some(&b'-');
    let signs = usize::from(is_negative || bytes.first() == Some(&b'+'));
    let (mut mantissa, mut exponent, mut places, mut at) = (0_u64, 0_i64, None, signs + 2);
    while at < bytes.len() && bytes[at] != b'p' && bytes[at] != b'P' {
        match bytes[at] {
            b'_' => {}
            b'.' => places = Some(0_i64),
            digit => {
                // Zeros at the end may be more than there is room for.
                if mantissa >> 60 != 0 {
                    exponent += 4;
                } else {
                    let digit = (digit as char).to_digit(16).expect("invalid hexadecimal float literal");
                    mantissa = mantissa * 16 + u64::from(digit);
                }
                places = places.map(|places| places + 4);
            }
        }
        at += 1;
    }
    let power = text.get(at + 1..).expect("invalid hexadecimal float literal").replace('_', "");
    let power: i64 = power.parse().expect("invalid hexadecimal float literal");
    exponent += power - places.unwrap_or(0);
    while mantissa != 0 && mantissa % 2 == 0 {
        mantissa /= 2;
        exponent += 1;
    }
    // Each step is exact, since the result is representable.
    let (mut value, mut steps) = (mantissa as f64, exponent);
    while steps != 0 && value != 0.0 {
        value *= if steps > 0 { 2.0 } else { 0.5 };
        steps -= steps.signum();
    }
    if is_negative { -value } else { value }
}
