//! Texts: UTF-8, indexed by bytes, like Rust's `str`.

use std::sync::Arc;

use super::array::{bounds, is_index, range_within, reserve};
use super::host_types::{ill_typed, option};
use super::macros::{ops, rows, with_int};
use super::type_rules::int_ty;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::{FloatTy, Ty, TyKind};
use crate::value::{Text, Value};

rows! { QUERIES: scalars;
    /// The number of bytes of a text.
    STR_LEN = "str.len" (s: &str) -> usize => s.len();
    /// The characters of a text.
    STR_CHARS = "str.chars" (s: &str) -> Vec<char> => s.chars().collect();
    /// The text consisting of these characters.
    STR_FROM_CHARS = "str.from_chars" (chars: &[char]) -> String => chars.iter().collect();
    /// The text with these bytes, if they are valid UTF-8.
    STR_FROM_UTF8 = "str.from_utf8" (bytes: &[u8]) -> Option<String> =>
        std::str::from_utf8(bytes).ok().map(str::to_owned);
    /// The byte index of the first occurrence of the second text in the first, if there is one.
    STR_FIND = "str.find" (s: &str, part: &str) -> Option<usize> => s.find(part);
    /// Whether the second text occurs in the first.
    STR_CONTAINS = "str.contains" (s: &str, part: &str) -> bool => s.contains(part);
    /// Whether the first text starts with the second.
    STR_STARTS_WITH = "str.starts_with" (s: &str, part: &str) -> bool => s.starts_with(part);
    /// Whether the first text ends with the second.
    STR_ENDS_WITH = "str.ends_with" (s: &str, part: &str) -> bool => s.ends_with(part);
    /// The text in upper case.
    STR_TO_UPPER = "str.to_upper" (s: &str) -> String => s.to_uppercase();
    /// The text in lower case.
    STR_TO_LOWER = "str.to_lower" (s: &str) -> String => s.to_lowercase();
    /// The text without white space at its ends.
    STR_TRIM = "str.trim" (s: &str) -> String => s.trim().to_owned();
    /// The text without white space at its start.
    STR_TRIM_START = "str.trim_start" (s: &str) -> String => s.trim_start().to_owned();
    /// The text without white space at its end.
    STR_TRIM_END = "str.trim_end" (s: &str) -> String => s.trim_end().to_owned();
    /// The text with unprintable characters, quotes and backslashes escaped.
    STR_ESCAPE_DEBUG = "str.escape_debug" (s: &str) -> String => s.escape_debug().to_string();
    /// The parts of the first text between the occurrences of the second.
    STR_SPLIT = "str.split" (s: &str, at: &str) -> Vec<String> => owned(s.split(at));
    /// The parts of a text between white space.
    STR_SPLIT_WHITESPACE = "str.split_whitespace" (s: &str) -> Vec<String> => owned(s.split_whitespace());
    /// The lines of a text.
    STR_LINES = "str.lines" (s: &str) -> Vec<String> => owned(s.lines());
}

ops! {
    /// The bytes of a text; those of parts of one text share a buffer.
    STR_BYTES = "str.bytes", Exactly(1), bytes_ty, PURE, bytes;
    /// The first text, followed by the second.
    STR_CONCAT = "str.concat", Exactly(2), concat_ty, FAILS, concat;
    /// The text with a character appended.
    STR_PUSH = "str.push", Exactly(2), push_ty, FAILS, push;
    /// The bytes of a text from an index up to, but excluding, another, which must be at character
    /// boundaries.
    STR_SLICE = "str.slice", Exactly(3), slice_ty, FAILS, slice;
    /// The text repeated.
    STR_REPEAT = "str.repeat", Exactly(2), repeat_ty, FAILS, repeat;
    /// The first text with occurrences of the second replaced by the third.
    STR_REPLACE = "str.replace", Exactly(3), replace_ty, FAILS, replace;
    /// The integer written in a text, if it is valid; the result is declared as an `Option` of the type.
    STR_PARSE_INT = "str.parse_int", Exactly(1), parse_int_ty, PURE, parse_int;
    /// The float written in a text, if it is valid; the result is declared as an `Option` of the type.
    STR_PARSE_FLOAT = "str.parse_float", Exactly(1), parse_float_ty, PURE, parse_float;
}

fn owned<'s>(pieces: impl Iterator<Item = &'s str>) -> Vec<String> {
    pieces.map(str::to_owned).collect()
}

fn operands(tys: &OperandTys<'_>, takes: &[Ty], words: &str) -> Result<Ty, TypeFault> {
    if tys.args == takes { Ok(Ty::str()) } else { Err(TypeFault::takes(words)) }
}

fn bytes_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    operands(tys, &[Ty::str()], "(text: str)").map(|_| Ty::array(Ty::u8(), 1))
}

fn concat_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    operands(tys, &[Ty::str(), Ty::str()], "two texts")
}

fn push_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    operands(tys, &[Ty::str(), Ty::char()], "a text and a character")
}

fn replace_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    operands(tys, &[Ty::str(), Ty::str(), Ty::str()], "three texts")
}

fn slice_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [s, from, to] if *s == Ty::str() && is_index(*from) && is_index(*to) => Ok(*s),
        _ => Err(TypeFault::takes("a text and two indices (`usize` or `i64`)")),
    }
}

fn repeat_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [s, n] if *s == Ty::str() && is_index(*n) => Ok(*s),
        _ => Err(TypeFault::takes("a text and a count (`usize` or `i64`)")),
    }
}

/// The number type to parse: that of the declared `Option`.
fn parsed(ret: Option<Ty>) -> Option<Ty> {
    let option = ret.filter(|ty| matches!(ty.kind(), TyKind::Enum(_)))?.as_nominal()?;
    let number = *option.args().first()?;
    (Some(Ty::option(number)) == ret).then_some(number)
}

fn parse_int_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (tys.args, tys.declared) {
        ([s], Some(ret)) if *s == Ty::str() && int_ty(parsed(Some(ret)).as_ref()).is_some() => Ok(ret),
        _ => Err(TypeFault::takes("a text, where the result is declared to be an `Option` of an integer")),
    }
}

fn parse_float_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (tys.args, tys.declared.and_then(|ret| Some((ret, parsed(Some(ret))?)))) {
        ([s], Some((ret, number))) if *s == Ty::str() && matches!(number.kind(), TyKind::Float(_)) => Ok(ret),
        _ => Err(TypeFault::takes("a text, where the result is declared to be an `Option` of a float")),
    }
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

fn bytes<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match args {
        [Value::Str(text)] => Ok(Value::Array(text.byte_array())),
        _ => Err(ill_typed("str.bytes", args)),
    }
}

/// Reserves space for `more` bytes in a text, accounting for the allocation.
fn grow<'t>(cx: &mut OpCx<'_, '_>, text: &'t mut Arc<Text>, more: usize) -> Result<&'t mut String, Failure> {
    /// A text grows by doubling; from this length on, growth is accounted for.
    const LONG: usize = 4096;
    let len = text.len().saturating_add(more);
    if len > LONG && len > text.capacity() {
        reserve(cx, Ty::u8(), len.saturating_mul(2))?;
    }
    Ok(Text::to_mut(text))
}

fn concat<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match args {
        [Value::Str(a), Value::Str(b)] => {
            grow(cx, a, b.len())?.push_str(b);
            Ok(args[0].take())
        }
        _ => Err(ill_typed("str.concat", args)),
    }
}

fn push<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match args {
        [Value::Str(text), Value::Char(c)] => {
            grow(cx, text, c.len_utf8())?.push(*c);
            Ok(args[0].take())
        }
        _ => Err(ill_typed("str.push", args)),
    }
}

fn slice<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Str(text), from, to] = &*args else { return Err(ill_typed("str.slice", args)) };
    // This reports operands that are not indices; faults of the range itself are reported in the words for
    // texts.
    let range = range_within("str.slice", from, to, text.len());
    let (Some(from), Some(to)) = (from.as_index(), to.as_index()) else {
        return range.map(|_| Value::Unit);
    };
    match text.part(from..to) {
        Some(part) => Ok(Value::Str(part)),
        None => Err(bounds(slice_fault(text, from, to))),
    }
}

/// The reason why `from .. to` is not a part of a text, in Rust's words.
fn slice_fault(text: &str, from: usize, to: usize) -> String {
    /// The length of the excerpt that Rust shows.
    const SHOWN: usize = 256;
    let cut = text.floor_char_boundary(SHOWN);
    let more = if cut < text.len() { "[...]" } else { "" };
    let shown = format!("`{}`{more}", &text[..cut]);
    for (name, at) in [("start", from), ("end", to)] {
        if at > text.len() {
            return format!("{name} byte index {at} is out of bounds of {shown}");
        }
    }
    if from > to {
        return format!("begin > end ({from} > {to}) when slicing {shown}");
    }
    let (name, at) = if text.is_char_boundary(from) { ("end", to) } else { ("start", from) };
    let start = text.floor_char_boundary(at);
    let inside = text[start..].chars().next().unwrap_or_default();
    let end = start + inside.len_utf8();
    format!(
        "{name} byte index {at} is not a char boundary; it is inside {inside:?} (bytes {start}..{end}) of {shown}"
    )
}

fn repeat<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Str(text), n] = &*args else { return Err(ill_typed("str.repeat", args)) };
    let n = super::array::length("str.repeat", n)?;
    reserve(cx, Ty::u8(), text.len().saturating_mul(n))?;
    Ok(Value::str(text.repeat(n)))
}

fn replace<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Str(text), Value::Str(from), Value::Str(to)] = &*args else {
        return Err(ill_typed("str.replace", args));
    };
    if to.len() > from.len() {
        let growth = text.matches(&***from).count().saturating_mul(to.len() - from.len());
        reserve(cx, Ty::u8(), text.len().saturating_add(growth))?;
    }
    Ok(Value::str(text.replace(&***from, to)))
}

fn parse_int<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Str(text)] = &*args else { return Err(ill_typed("str.parse_int", args)) };
    let number = parsed(Some(cx.ret));
    with_int!(ints, int_ty(number.as_ref()),
        T => Ok(option(cx.ret, text.parse::<T>().ok().map(Value::from))),
        Err(ill_typed("str.parse_int", args)))
}

fn parse_float<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Str(text)] = &*args else { return Err(ill_typed("str.parse_float", args)) };
    match parsed(Some(cx.ret)).map(|ty| ty.kind()) {
        Some(TyKind::Float(FloatTy::F64)) => Ok(option(cx.ret, text.parse().ok().map(Value::F64))),
        Some(TyKind::Float(FloatTy::F32)) => Ok(option(cx.ret, text.parse().ok().map(Value::F32))),
        _ => Err(ill_typed("str.parse_float", args)),
    }
}
