//! Numbers as text.

use super::{Binary, Debug, Display, Formatter, LowerExp, LowerHex, Octal, Result, UpperExp, UpperHex};

macro_rules! integers {
    ($($T:ident $U:ident;)*) => {$(
        impl Display for $T {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                let digits = digits_of(*self, 10);
                match digits.strip_prefix("-") {
                    Some(digits) => f.pad_integral(false, "", digits),
                    None => f.pad_integral(true, "", &digits),
                }
            }
        }

        impl Debug for $T {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                match f.spec.hex {
                    'x' => LowerHex::fmt(self, f),
                    'X' => UpperHex::fmt(self, f),
                    _ => Display::fmt(self, f),
                }
            }
        }

        impl LowerHex for $T {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                f.pad_integral(true, "0x", &digits_of(*self as $U, 16))
            }
        }

        impl UpperHex for $T {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                f.pad_integral(true, "0x", &digits_of(*self as $U, 16).to_uppercase())
            }
        }

        impl Binary for $T {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                f.pad_integral(true, "0b", &digits_of(*self as $U, 2))
            }
        }

        impl Octal for $T {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                f.pad_integral(true, "0o", &digits_of(*self as $U, 8))
            }
        }
    )*};
}

/// The digits of an integer, in lower case, preceded by the sign.
#[op("fmt.int")]
fn digits_of<T>(value: T, radix: i64) -> String;

#[impls(Display, Debug, LowerHex, UpperHex, Binary, Octal)]
integers! {
    i8 u8; i16 u16; i32 u32; i64 u64; i128 u128; isize usize;
    u8 u8; u16 u16; u32 u32; u64 u64; u128 u128; usize usize;
}

/// A float; style 0 is `{}`, 1 `{:?}`, 2 `{:e}`, 3 `{:E}`; a precision of -1 is none.
#[op("fmt.float")]
fn digits_of_float<T>(value: T, style: i64, precision: i64, plus: bool) -> String;

/// Writes a float: zeros are inserted between its sign and its digits.
fn write_float(f: &mut Formatter<'_>, text: &str) -> Result {
    match text.chars().next() {
        Some('-') => f.pad_number("-", &text[1..]),
        Some('+') => f.pad_number("+", &text[1..]),
        _ => f.pad_number("", text),
    }
}

fn precision_of(f: &Formatter<'_>) -> i64 {
    match f.spec.precision {
        Some(digits) => digits as i64,
        None => -1,
    }
}

macro_rules! floats {
    ($($Trait:ident $style:literal: $($T:ident)*;)*) => {$($(
        impl $Trait for $T {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                let text = digits_of_float(*self, $style, precision_of(f), f.spec.plus);
                write_float(f, &text)
            }
        }
    )*)*};
}

#[impls(Display, Debug, LowerExp, UpperExp)]
floats! {
    Display 0: f64 f32;
    Debug 1: f64 f32;
    LowerExp 2: f64 f32;
    UpperExp 3: f64 f32;
}

macro_rules! int_exp {
    ($($T:ident)*) => {$(
        impl LowerExp for $T {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                let text = exponential(&digits_of(*self, 10), f.spec.precision, "e");
                let text = if f.spec.plus && *self >= 0 { "+".to_string() + &text } else { text };
                write_float(f, &text)
            }
        }

        impl UpperExp for $T {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                let text = exponential(&digits_of(*self, 10), f.spec.precision, "E");
                let text = if f.spec.plus && *self >= 0 { "+".to_string() + &text } else { text };
                write_float(f, &text)
            }
        }
    )*};
}

#[impls(LowerExp, UpperExp)]
int_exp! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

/// `1234` as `1.234e3`, rounded half to even to `precision` digits after the point.
fn exponential(number: &str, precision: Option<usize>, mark: &str) -> String {
    let (sign, digits) = match number.strip_prefix("-") {
        Some(digits) => ("-", digits),
        None => ("", number),
    };
    let mut exponent = digits.len() - 1;
    let mut kept: Vec<u8> = digits.as_bytes().to_vec();
    match precision {
        None => {
            while kept.len() > 1 && kept[kept.len() - 1] == b'0' {
                kept.pop();
            }
        }
        Some(places) => {
            if kept.len() > places + 1 {
                let rest = kept.split_off(places + 1);
                let half = rest[0] == b'5' && rest[1..].iter().all(|d| *d == b'0');
                let odd = kept[places] % 2 == 1;
                if rest[0] > b'5' || rest[0] == b'5' && (!half || odd) {
                    exponent += round_up(&mut kept);
                }
            }
            while kept.len() < places + 1 {
                kept.push(b'0');
            }
        }
    }
    let text = String::from_utf8(kept).unwrap();
    let point = if text.len() > 1 { "." } else { "" };
    format!("{sign}{}{point}{}{mark}{exponent}", &text[..1], &text[1..])
}

/// Increments the last digit; returns 1 if that adds a digit, in which case the last one is dropped.
fn round_up(digits: &mut Vec<u8>) -> usize {
    let mut i = digits.len();
    while i > 0 {
        i -= 1;
        if digits[i] < b'9' {
            digits[i] += 1;
            return 0;
        }
        digits[i] = b'0';
    }
    digits.insert(0, b'1');
    digits.pop();
    1
}
