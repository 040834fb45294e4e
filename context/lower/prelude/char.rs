//! Characters.

use crate::fmt;
use crate::str::FromStr;
pub use crate::str::{DecodeUtf16, DecodeUtf16Error, decode_utf16};
pub use crate::str::Escaped as EscapeDebug;
pub use crate::str::Escaped as EscapeDefault;
pub use crate::str::Escaped as EscapeUnicode;

pub const MAX: char = '\u{10FFFF}';
pub const REPLACEMENT_CHARACTER: char = '\u{FFFD}';
pub const UNICODE_VERSION: (u8, u8, u8) = (17, 0, 0);

#[op("char.from_u32")]
pub fn from_u32(code: u32) -> Option<char>;

/// A number that is no character fails here, where Rust calls it undefined.
pub const unsafe fn from_u32_unchecked(code: u32) -> char {
    match from_u32(code) {
        Some(c) => c,
        None => crate::macros::fail("a number that is no character is read as one"),
    }
}

pub fn from_digit(num: u32, radix: u32) -> Option<char> {
    if radix > 36 {
        crate::macros::fail("from_digit: radix is too high (maximum 36)");
    }
    if num >= radix {
        return None;
    }
    let num = num as u8;
    Some(if num < 10 { (b'0' + num) as char } else { (b'a' + num - 10) as char })
}

#[op("char.to_upper")]
fn upper(c: char) -> String;

#[op("char.to_lower")]
fn lower(c: char) -> String;

impl char {
    pub const MIN: char = '\0';
    pub const MAX: char = '\u{10FFFF}';
    pub const REPLACEMENT_CHARACTER: char = '\u{FFFD}';
    pub const UNICODE_VERSION: (u8, u8, u8) = UNICODE_VERSION;

    #[op("char.is_alphabetic")]
    pub fn is_alphabetic(self) -> bool;
    #[op("char.is_numeric")]
    pub fn is_numeric(self) -> bool;
    #[op("char.is_alphanumeric")]
    pub fn is_alphanumeric(self) -> bool;
    #[op("char.is_whitespace")]
    pub fn is_whitespace(self) -> bool;
    #[op("char.is_uppercase")]
    pub fn is_uppercase(self) -> bool;
    #[op("char.is_lowercase")]
    pub fn is_lowercase(self) -> bool;

    pub fn is_control(self) -> bool {
        let code = self as u32;
        code < 0x20 || code >= 0x7f && code < 0xa0
    }

    #[op("char.from_u32")]
    pub fn from_u32(code: u32) -> Option<char>;

    pub fn from_digit(num: u32, radix: u32) -> Option<char> {
        from_digit(num, radix)
    }

    pub const unsafe fn from_u32_unchecked(code: u32) -> char {
        from_u32_unchecked(code)
    }

    pub fn is_digit(self, radix: u32) -> bool {
        self.to_digit(radix).is_some()
    }

    pub fn to_digit(self, radix: u32) -> Option<u32> {
        if radix < 2 || radix > 36 {
            crate::macros::fail("to_digit: invalid radix -- radix must be in the range 2 to 36 inclusive");
        }
        let code = self as u32;
        let digit = if code >= 48 && code <= 57 {
            code - 48
        } else if code >= 97 && code <= 122 {
            code - 87
        } else if code >= 65 && code <= 90 {
            code - 55
        } else {
            return None;
        };
        if digit < radix { Some(digit) } else { None }
    }

    pub fn len_utf8(self) -> usize {
        let code = self as u32;
        if code < 0x80 {
            1
        } else if code < 0x800 {
            2
        } else if code < 0x10000 {
            3
        } else {
            4
        }
    }

    pub fn encode_utf8(self, dst: &mut [u8]) -> &mut str {
        let text = crate::string::String::from(self);
        let len = text.len();
        if len > dst.len() {
            panic!(
                "encode_utf8: need {len} bytes to encode U+{:04X} but buffer has just {}",
                self as u32,
                dst.len()
            );
        }
        dst[..len].copy_from_slice(text.as_bytes());
        unsafe { crate::str::from_utf8_unchecked_mut(&mut dst[..len]) }
    }

    pub fn to_uppercase(self) -> CaseMapping {
        CaseMapping { chars: upper(self).chars() }
    }

    pub fn to_lowercase(self) -> CaseMapping {
        CaseMapping { chars: lower(self).chars() }
    }

    pub fn is_ascii(&self) -> bool {
        (*self as u32) < 128
    }

    pub fn is_ascii_digit(&self) -> bool {
        matches!(*self, '0'..='9')
    }

    pub fn is_ascii_hexdigit(&self) -> bool {
        matches!(*self, '0'..='9' | 'a'..='f' | 'A'..='F')
    }

    pub fn is_ascii_lowercase(&self) -> bool {
        matches!(*self, 'a'..='z')
    }

    pub fn is_ascii_uppercase(&self) -> bool {
        matches!(*self, 'A'..='Z')
    }

    pub fn is_ascii_alphabetic(&self) -> bool {
        matches!(*self, 'a'..='z' | 'A'..='Z')
    }

    pub fn is_ascii_alphanumeric(&self) -> bool {
        matches!(*self, 'a'..='z' | 'A'..='Z' | '0'..='9')
    }

    pub fn is_ascii_whitespace(&self) -> bool {
        matches!(*self, ' ' | '\t' | '\n' | '\r' | '\x0C')
    }

    pub fn is_ascii_punctuation(&self) -> bool {
        matches!(*self, '!'..='/' | ':'..='@' | '['..='`' | '{'..='~')
    }

    pub fn is_ascii_graphic(&self) -> bool {
        matches!(*self, '!'..='~')
    }

    pub fn is_ascii_control(&self) -> bool {
        matches!(*self, '\0'..='\x1F' | '\x7F')
    }

    pub fn to_ascii_uppercase(&self) -> char {
        if self.is_ascii_lowercase() { (*self as u8 - 32) as char } else { *self }
    }

    pub fn to_ascii_lowercase(&self) -> char {
        if self.is_ascii_uppercase() { (*self as u8 + 32) as char } else { *self }
    }

    pub fn eq_ignore_ascii_case(&self, other: &char) -> bool {
        self.to_ascii_lowercase() == other.to_ascii_lowercase()
    }
}

impl u8 {
    pub fn is_ascii(&self) -> bool {
        *self < 128
    }

    pub fn is_ascii_digit(&self) -> bool {
        (*self as char).is_ascii_digit()
    }

    pub fn is_ascii_alphabetic(&self) -> bool {
        (*self as char).is_ascii_alphabetic()
    }

    pub fn is_ascii_alphanumeric(&self) -> bool {
        (*self as char).is_ascii_alphanumeric()
    }

    pub fn is_ascii_lowercase(&self) -> bool {
        (*self as char).is_ascii_lowercase()
    }

    pub fn is_ascii_uppercase(&self) -> bool {
        (*self as char).is_ascii_uppercase()
    }

    pub fn is_ascii_whitespace(&self) -> bool {
        (*self as char).is_ascii_whitespace()
    }

    pub fn to_ascii_uppercase(&self) -> u8 {
        (*self as char).to_ascii_uppercase() as u8
    }

    pub fn to_ascii_lowercase(&self) -> u8 {
        (*self as char).to_ascii_lowercase() as u8
    }

    pub fn make_ascii_uppercase(&mut self) {
        *self = self.to_ascii_uppercase();
    }

    pub fn make_ascii_lowercase(&mut self) {
        *self = self.to_ascii_lowercase();
    }

    pub fn eq_ignore_ascii_case(&self, other: &u8) -> bool {
        self.to_ascii_lowercase() == other.to_ascii_lowercase()
    }

    pub fn is_ascii_hexdigit(&self) -> bool {
        (*self as char).is_ascii_hexdigit()
    }

    pub fn is_ascii_punctuation(&self) -> bool {
        (*self as char).is_ascii_punctuation()
    }

    pub fn is_ascii_graphic(&self) -> bool {
        (*self as char).is_ascii_graphic()
    }

    pub fn is_ascii_control(&self) -> bool {
        (*self as char).is_ascii_control()
    }
}

/// The characters that a character maps to in another case.
#[derive(Clone)]
pub struct CaseMapping {
    chars: crate::str::Chars<'static>,
}

pub use CaseMapping as ToUppercase;
pub use CaseMapping as ToLowercase;

impl Iterator for CaseMapping {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        self.chars.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.chars.clone().count();
        (n, Some(n))
    }
}

impl DoubleEndedIterator for CaseMapping {
    fn next_back(&mut self) -> Option<char> {
        self.chars.next_back()
    }
}

impl ExactSizeIterator for CaseMapping {}

impl fmt::Display for CaseMapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.chars.clone().collect::<String>())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CharTryFromError(pub ());

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TryFromCharError(pub ());

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CharErrorKind {
    EmptyString,
    TooManyChars,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseCharError {
    kind: CharErrorKind,
}

impl FromStr for char {
    type Err = ParseCharError;

    fn from_str(s: &str) -> Result<char, ParseCharError> {
        let mut chars = s.chars();
        match (chars.next(), chars.next()) {
            (None, None) => Err(ParseCharError { kind: CharErrorKind::EmptyString }),
            (Some(c), None) => Ok(c),
            _ => Err(ParseCharError { kind: CharErrorKind::TooManyChars }),
        }
    }
}

impl fmt::Display for ParseCharError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.kind {
            CharErrorKind::EmptyString => "cannot parse char from empty string",
            CharErrorKind::TooManyChars => "too many characters in string",
        })
    }
}

impl fmt::Display for CharTryFromError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("converted integer out of range for `char`")
    }
}

impl fmt::Display for TryFromCharError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("unicode code point out of range")
    }
}

impl crate::error::Error for ParseCharError {}

impl crate::error::Error for CharTryFromError {}

impl crate::error::Error for TryFromCharError {}

impl bool {
    pub fn then<T, F: FnOnce() -> T>(self, f: F) -> Option<T> {
        if self { Some(f()) } else { None }
    }

    pub fn then_some<T>(self, t: T) -> Option<T> {
        if self { Some(t) } else { None }
    }
}
