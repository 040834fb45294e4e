//! Text in units of 16 bits.

use crate::fmt;

fn push_units(units: &mut Vec<u16>, c: char) {
    let code = c as u32;
    if code < 0x10000 {
        units.push(code as u16);
    } else {
        let above = code - 0x10000;
        units.push((0xd800 + (above >> 10)) as u16);
        units.push((0xdc00 + (above & 0x3ff)) as u16);
    }
}

impl str {
    pub fn encode_utf16(&self) -> crate::vec::IntoIter<u16> {
        let mut units: Vec<u16> = Vec::new();
        for c in self.chars() {
            push_units(&mut units, c);
        }
        units.into_iter()
    }
}

impl char {
    pub fn len_utf16(self) -> usize {
        if (self as u32) < 0x10000 { 1 } else { 2 }
    }

    pub fn encode_utf16(self, dst: &mut [u16]) -> &mut [u16] {
        let mut units: Vec<u16> = Vec::new();
        push_units(&mut units, self);
        let len = units.len();
        if len > dst.len() {
            panic!(
                "encode_utf16: need {len} bytes to encode U+{:04X} but buffer has just {}",
                self as u32,
                dst.len()
            );
        }
        dst[..len].copy_from_slice(&units);
        &mut dst[..len]
    }

    pub fn decode_utf16<I: IntoIterator<Item = u16>>(iter: I) -> DecodeUtf16<I::IntoIter> {
        decode_utf16(iter)
    }
}

/// The characters of units, and the units that are half of a pair without the other one.
#[derive(Clone)]
pub struct DecodeUtf16<I> {
    units: I,
    /// A unit that was read and does not complete a pair.
    next: Option<u16>,
}

pub fn decode_utf16<I: IntoIterator<Item = u16>>(iter: I) -> DecodeUtf16<I::IntoIter> {
    DecodeUtf16 { units: iter.into_iter(), next: None }
}

impl<I: Iterator<Item = u16>> Iterator for DecodeUtf16<I> {
    type Item = Result<char, DecodeUtf16Error>;

    fn next(&mut self) -> Option<Result<char, DecodeUtf16Error>> {
        let unit = match self.next.take() {
            Some(unit) => unit,
            None => self.units.next()?,
        };
        if let Some(c) = char::from_u32(unit as u32) {
            return Some(Ok(c));
        }
        if unit >= 0xdc00 {
            return Some(Err(DecodeUtf16Error { code: unit }));
        }
        let Some(low) = self.units.next() else {
            return Some(Err(DecodeUtf16Error { code: unit }));
        };
        if low < 0xdc00 || low > 0xdfff {
            self.next = Some(low);
            return Some(Err(DecodeUtf16Error { code: unit }));
        }
        let code = 0x10000 + (((unit - 0xd800) as u32) << 10 | (low - 0xdc00) as u32);
        char::from_u32(code).map(Ok)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecodeUtf16Error {
    code: u16,
}

impl DecodeUtf16Error {
    pub fn unpaired_surrogate(&self) -> u16 {
        self.code
    }
}

impl fmt::Display for DecodeUtf16Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unpaired surrogate found: {:x}", self.code)
    }
}

impl crate::error::Error for DecodeUtf16Error {}

#[derive(Debug)]
pub struct FromUtf16Error(());

impl fmt::Display for FromUtf16Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("invalid utf-16: lone surrogate found")
    }
}

impl crate::error::Error for FromUtf16Error {}

impl String {
    pub fn from_utf16(v: &[u16]) -> Result<String, FromUtf16Error> {
        let mut text = String::new();
        for c in decode_utf16(v.iter().copied()) {
            match c {
                Ok(c) => text.push(c),
                Err(_) => return Err(FromUtf16Error(())),
            }
        }
        Ok(text)
    }

    pub fn from_utf16_lossy(v: &[u16]) -> String {
        decode_utf16(v.iter().copied()).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    }
}
