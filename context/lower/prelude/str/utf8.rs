//! Bytes that should be UTF-8, and the positions where they are not.

use crate::borrow::Cow;
use crate::fmt;

#[op("str.from_utf8")]
fn utf8(bytes: &[u8]) -> Option<String>;

pub fn from_utf8(v: &[u8]) -> Result<&str, Utf8Error> {
    match utf8(v) {
        Some(text) => Ok(text.__leaked()),
        None => Err(error_in(v)),
    }
}

/// Bytes that are not UTF-8 fail here, where Rust calls every use of the result undefined.
pub unsafe fn from_utf8_unchecked(v: &[u8]) -> &str {
    match utf8(v) {
        Some(text) => text.__leaked(),
        None => not_utf8(),
    }
}

pub fn from_utf8_mut(v: &mut [u8]) -> Result<&mut str, Utf8Error> {
    match utf8(v) {
        Some(_) => Ok(&mut *(v as *mut [u8] as *mut str)),
        None => Err(error_in(v)),
    }
}

pub unsafe fn from_utf8_unchecked_mut(v: &mut [u8]) -> &mut str {
    match utf8(v) {
        Some(_) => &mut *(v as *mut [u8] as *mut str),
        None => not_utf8(),
    }
}

pub(crate) fn not_utf8() -> ! {
    crate::macros::fail("bytes that are not UTF-8 are taken for text without a check")
}

impl str {
    pub const fn from_utf8(v: &[u8]) -> Result<&str, Utf8Error> {
        from_utf8(v)
    }

    pub const fn from_utf8_mut(v: &mut [u8]) -> Result<&mut str, Utf8Error> {
        from_utf8_mut(v)
    }

    pub const unsafe fn from_utf8_unchecked(v: &[u8]) -> &str {
        from_utf8_unchecked(v)
    }

    pub const unsafe fn from_utf8_unchecked_mut(v: &mut [u8]) -> &mut str {
        from_utf8_unchecked_mut(v)
    }
}

/// Replaces each invalid sequence by one replacement character.
pub fn from_utf8_lossy(v: &[u8]) -> Cow<'_, str> {
    if let Some(text) = utf8(v) {
        return Cow::Borrowed(text.__leaked());
    }
    let mut text = String::new();
    let mut rest = v;
    loop {
        let Some(valid) = utf8(rest) else {
            let error = error_in(rest);
            if let Some(valid) = utf8(&rest[..error.valid_up_to]) {
                text.push_str(&valid);
            }
            text.push('\u{FFFD}');
            let Some(len) = error.error_len() else { break };
            rest = &rest[error.valid_up_to + len..];
            continue;
        };
        text.push_str(&valid);
        break;
    }
    Cow::Owned(text)
}

/// A valid part of bytes, and the invalid sequence behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Utf8Chunk<'a> {
    valid: &'a str,
    invalid: &'a [u8],
}

impl<'a> Utf8Chunk<'a> {
    pub fn valid(&self) -> &'a str {
        self.valid
    }

    pub fn invalid(&self) -> &'a [u8] {
        self.invalid
    }
}

#[derive(Clone)]
pub struct Utf8Chunks<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Utf8Chunks<'a> {
    type Item = Utf8Chunk<'a>;

    fn next(&mut self) -> Option<Utf8Chunk<'a>> {
        let rest = self.rest;
        if rest.is_empty() {
            return None;
        }
        let (valid, end) = match from_utf8(rest) {
            Ok(_) => (rest.len(), rest.len()),
            Err(error) => {
                let at = error.valid_up_to;
                (at, error.error_len().map_or(rest.len(), |len| at + len))
            }
        };
        self.rest = &rest[end..];
        Some(Utf8Chunk { valid: from_utf8(&rest[..valid]).unwrap(), invalid: &rest[valid..end] })
    }
}

impl [u8] {
    pub fn utf8_chunks(&self) -> Utf8Chunks<'_> {
        Utf8Chunks { rest: self }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Utf8Error {
    valid_up_to: usize,
    error_len: Option<u8>,
}

impl Utf8Error {
    pub fn valid_up_to(&self) -> usize {
        self.valid_up_to
    }

    pub fn error_len(&self) -> Option<usize> {
        match self.error_len {
            Some(len) => Some(len as usize),
            None => None,
        }
    }
}

impl fmt::Display for Utf8Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.valid_up_to;
        match self.error_len {
            Some(len) => write!(f, "invalid utf-8 sequence of {len} bytes from index {at}"),
            None => write!(f, "incomplete utf-8 byte sequence from index {at}"),
        }
    }
}

impl crate::error::Error for Utf8Error {}

/// The first error in bytes that are not UTF-8.
pub fn error_in(v: &[u8]) -> Utf8Error {
    let mut valid_up_to = 0;
    loop {
        match sequence(v, valid_up_to) {
            Ok(len) => valid_up_to += len,
            Err(error_len) => return Utf8Error { valid_up_to, error_len },
        }
    }
}

/// The length of the character at `at`; on error the length of the invalid sequence, or `None` if bytes are missing.
fn sequence(v: &[u8], at: usize) -> Result<usize, Option<u8>> {
    if at >= v.len() {
        return Err(None);
    }
    let first = v[at];
    let (len, low, high) = match first {
        0x00..=0x7F => return Ok(1),
        0xC2..=0xDF => (2, 0x80, 0xBF),
        0xE0 => (3, 0xA0, 0xBF),
        0xED => (3, 0x80, 0x9F),
        0xE1..=0xEF => (3, 0x80, 0xBF),
        0xF0 => (4, 0x90, 0xBF),
        0xF1..=0xF3 => (4, 0x80, 0xBF),
        0xF4 => (4, 0x80, 0x8F),
        _ => return Err(Some(1)),
    };
    for i in 1..len {
        if at + i >= v.len() {
            return Err(None);
        }
        let byte = v[at + i];
        let follows = if i == 1 { low <= byte && byte <= high } else { byte >= 0x80 && byte <= 0xBF };
        if !follows {
            return Err(Some(i as u8));
        }
    }
    Ok(len)
}
