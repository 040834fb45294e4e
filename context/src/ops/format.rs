//! Values as text, exactly as Rust's standard library prints them.

use super::host_types::{Fallible, Operand, domain, ill_typed};
use super::macros::{ops, rows};
use super::type_rules::int_ty;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::Ty;
use crate::value::Value;

ops! {
    /// The digits of an integer to a radix of 2 to 36, in lower case, after its sign.
    FMT_INT = "fmt.int", Exactly(2), int_text_ty, FAILS, int_text;
}

rows! { FLOATS: floats;
    /// A float in a style (0 `{}`, 1 `{:?}`, 2 `{:e}`, 3 `{:E}`), to a precision (-1 for none), with or
    /// without a plus sign.
    FMT_FLOAT = "fmt.float" (x: F, style: i64, precision: i64, plus: bool) -> Fallible<String> => {
        let places = places(precision)?;
        match (style, places, plus) {
            (0, None, false) => Ok(format!("{x}")),
            (0, None, true) => Ok(format!("{x:+}")),
            (0, Some(p), false) => Ok(format!("{x:.p$}")),
            (0, Some(p), true) => Ok(format!("{x:+.p$}")),
            (1, None, false) => Ok(format!("{x:?}")),
            (1, None, true) => Ok(format!("{x:+?}")),
            (1, Some(p), false) => Ok(format!("{x:.p$?}")),
            (1, Some(p), true) => Ok(format!("{x:+.p$?}")),
            (2, None, false) => Ok(format!("{x:e}")),
            (2, None, true) => Ok(format!("{x:+e}")),
            (2, Some(p), false) => Ok(format!("{x:.p$e}")),
            (2, Some(p), true) => Ok(format!("{x:+.p$e}")),
            (3, None, false) => Ok(format!("{x:E}")),
            (3, None, true) => Ok(format!("{x:+E}")),
            (3, Some(p), false) => Ok(format!("{x:.p$E}")),
            (3, Some(p), true) => Ok(format!("{x:+.p$E}")),
            _ => Err(domain(format!("floats have no style {style}"))),
        }
    };
}

rows! { TEXTS: scalars;
    /// A character in quotes, escaped.
    FMT_CHAR_DEBUG = "fmt.char_debug" (c: char) -> String => format!("{c:?}");
    /// A text in quotes, escaped.
    FMT_STR_DEBUG = "fmt.str_debug" (s: &str) -> String => format!("{s:?}");
    /// A text padded to a width in characters, aligned left (0), centred (1) or right (2).
    FMT_PAD = "fmt.pad" (s: &str, fill: char, align: i64, width: usize) -> Fallible<String> =>
        pad(s, fill, align, width);
}

/// The largest precision or width that Rust supports.
const MOST: usize = u16::MAX as usize;

fn out_of_range() -> Failure {
    domain("Formatting argument out of range")
}

fn int_text_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [n, radix] if int_ty(Some(n)).is_some() && *radix == Ty::i64() => Ok(Ty::str()),
        _ => Err(TypeFault::takes("an integer, and an i64 for the radix")),
    }
}

fn int_text<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let (negative, magnitude, radix) = match &*args {
        [Value::U128(n), radix] => (false, **n, i64::of(radix)),
        [n, radix] => match n.as_int() {
            Some((_, n)) => (n < 0, n.unsigned_abs(), i64::of(radix)),
            None => return Err(ill_typed("fmt.int", args)),
        },
        _ => return Err(ill_typed("fmt.int", args)),
    };
    match radix {
        Some(radix @ 2..=36) => Ok(Value::str(digits(negative, magnitude, radix as u32))),
        Some(radix) => Err(domain(format!("integers have no text to the radix {radix}"))),
        None => Err(ill_typed("fmt.int", args)),
    }
}

fn digits(negative: bool, mut magnitude: u128, radix: u32) -> String {
    let mut digits = Vec::new();
    loop {
        // A digit is less than the radix, which is at most 36.
        digits.push(char::from_digit((magnitude % u128::from(radix)) as u32, radix).unwrap_or('0'));
        magnitude /= u128::from(radix);
        if magnitude == 0 {
            break;
        }
    }
    digits.extend(negative.then_some('-'));
    digits.into_iter().rev().collect()
}

fn places(precision: i64) -> Fallible<Option<usize>> {
    match precision {
        -1 => Ok(None),
        _ => usize::try_from(precision).ok().filter(|p| *p <= MOST).map(Some).ok_or_else(out_of_range),
    }
}

fn pad(s: &str, fill: char, align: i64, width: usize) -> Fallible<String> {
    if width > MOST {
        return Err(out_of_range());
    }
    let missing = width.saturating_sub(s.chars().count());
    let before = match align {
        0 => 0,
        1 => missing / 2,
        2 => missing,
        _ => return Err(domain(format!("texts have no alignment {align}"))),
    };
    let fill = |count: usize| std::iter::repeat_n(fill, count);
    Ok(fill(before).chain(s.chars()).chain(fill(missing - before)).collect())
}
