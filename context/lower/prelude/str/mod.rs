//! Text.

mod escape;
mod finds;
mod iter;
mod pattern;
mod split;
mod trim;
mod utf16;
mod utf8;

pub use escape::Escaped;
pub use escape::Escaped as EscapeDebug;
pub use escape::Escaped as EscapeDefault;
pub use escape::Escaped as EscapeUnicode;
pub use finds::{MatchIndices, Matches, RMatchIndices, RMatches};
pub use iter::{Bytes, CharIndices, Chars, Lines, SplitAsciiWhitespace, SplitWhitespace};
pub use split::{RSplit, RSplitN, RSplitTerminator, Split, SplitInclusive, SplitN, SplitTerminator};
pub use utf16::{DecodeUtf16, DecodeUtf16Error, FromUtf16Error, decode_utf16};
pub use pattern::Pattern;
pub(crate) use utf8::not_utf8;
pub use utf8::{
    Utf8Chunk, Utf8Chunks, Utf8Error, error_in, from_utf8, from_utf8_lossy, from_utf8_mut, from_utf8_unchecked, from_utf8_unchecked_mut,
};

use crate::fmt;
use crate::ops::{Index, Range, RangeBounds, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

pub trait FromStr: Sized {
    type Err;
    fn from_str(s: &str) -> Result<Self, Self::Err>;
}

#[op("str.slice")]
fn piece(s: &str, lo: usize, hi: usize) -> &str;

#[op("id")]
fn owned(s: &str) -> String;

impl str {
    #[op("str.len")]
    pub fn len(&self) -> usize;

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn as_str(&self) -> &str {
        self
    }

    #[op("str.bytes")]
    pub fn as_bytes(&self) -> &[u8];

    pub unsafe fn as_bytes_mut(&mut self) -> &mut [u8] {
        &mut *(self as *mut str as *mut [u8])
    }

    pub fn as_ptr(&self) -> *const u8 {
        self.as_bytes().as_ptr()
    }

    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        (&mut *(self as *mut str as *mut [u8])).as_mut_ptr()
    }

    pub fn is_char_boundary(&self, index: usize) -> bool {
        let n = self.len();
        index == 0 || index == n || index < n && (self.as_bytes()[index] as i8) >= -64
    }

    pub fn floor_char_boundary(&self, index: usize) -> usize {
        let mut at = index.min(self.len());
        while !self.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    pub fn ceil_char_boundary(&self, index: usize) -> usize {
        let mut at = index.min(self.len());
        while !self.is_char_boundary(at) {
            at += 1;
        }
        at
    }

    pub fn chars(&self) -> Chars<'_> {
        iter::chars(self)
    }

    pub fn char_indices(&self) -> CharIndices<'_> {
        iter::char_indices(self)
    }

    pub fn bytes(&self) -> Bytes<'_> {
        iter::bytes(self)
    }

    pub fn lines(&self) -> Lines<'_> {
        iter::lines(self)
    }

    pub fn split_whitespace(&self) -> SplitWhitespace<'_> {
        iter::split_whitespace(self)
    }

    pub fn split_ascii_whitespace(&self) -> SplitWhitespace<'_> {
        iter::split_ascii_whitespace(self)
    }

    #[op("str.trim")]
    pub fn trim(&self) -> &str;
    #[op("str.trim_start")]
    pub fn trim_start(&self) -> &str;
    #[op("str.trim_end")]
    pub fn trim_end(&self) -> &str;
    #[op("str.to_upper")]
    pub fn to_uppercase(&self) -> String;
    #[op("str.to_lower")]
    pub fn to_lowercase(&self) -> String;

    pub fn to_ascii_uppercase(&self) -> String {
        self.chars().map(|c| c.to_ascii_uppercase()).collect()
    }

    pub fn to_ascii_lowercase(&self) -> String {
        self.chars().map(|c| c.to_ascii_lowercase()).collect()
    }

    pub fn eq_ignore_ascii_case(&self, other: &str) -> bool {
        self.to_ascii_lowercase() == other.to_ascii_lowercase()
    }

    pub fn is_ascii(&self) -> bool {
        self.as_bytes().iter().all(|b| *b < 128)
    }

    #[op("str.repeat")]
    pub fn repeat(&self, n: usize) -> String;

    pub fn parse<F: FromStr>(&self) -> Result<F, F::Err> {
        F::from_str(self)
    }

    pub fn contains<P: Pattern>(&self, mut pat: P) -> bool {
        pat.find_in(self).is_some()
    }

    pub fn starts_with<P: Pattern>(&self, mut pat: P) -> bool {
        pat.prefix_of(self).is_some()
    }

    pub fn ends_with<P: Pattern>(&self, mut pat: P) -> bool {
        pat.suffix_of(self).is_some()
    }

    pub fn find<P: Pattern>(&self, mut pat: P) -> Option<usize> {
        match pat.find_in(self) {
            Some((lo, _)) => Some(lo),
            None => None,
        }
    }

    pub fn rfind<P: Pattern>(&self, mut pat: P) -> Option<usize> {
        match pat.rfind_in(self) {
            Some((lo, _)) => Some(lo),
            None => None,
        }
    }

    pub fn strip_prefix<P: Pattern>(&self, mut prefix: P) -> Option<&str> {
        match prefix.prefix_of(self) {
            Some(n) => Some(piece(self, n, self.len())),
            None => None,
        }
    }

    pub fn strip_suffix<P: Pattern>(&self, mut suffix: P) -> Option<&str> {
        match suffix.suffix_of(self) {
            Some(n) => Some(piece(self, 0, self.len() - n)),
            None => None,
        }
    }

    pub fn split_once<P: Pattern>(&self, mut delimiter: P) -> Option<(&str, &str)> {
        match delimiter.find_in(self) {
            Some((lo, hi)) => Some((piece(self, 0, lo), piece(self, hi, self.len()))),
            None => None,
        }
    }

    pub fn rsplit_once<P: Pattern>(&self, mut delimiter: P) -> Option<(&str, &str)> {
        match delimiter.rfind_in(self) {
            Some((lo, hi)) => Some((piece(self, 0, lo), piece(self, hi, self.len()))),
            None => None,
        }
    }

    pub fn split<P: Pattern>(&self, pat: P) -> Split<'_, P> {
        split::split(self, pat, true)
    }

    pub fn rsplit<P: Pattern>(&self, pat: P) -> RSplit<'_, P> {
        split::split(self, pat, true).rev()
    }

    pub fn split_terminator<P: Pattern>(&self, pat: P) -> SplitTerminator<'_, P> {
        split::split(self, pat, false)
    }

    pub fn rsplit_terminator<P: Pattern>(&self, pat: P) -> RSplitTerminator<'_, P> {
        split::split(self, pat, false).rev()
    }

    pub fn split_inclusive<P: Pattern>(&self, pat: P) -> SplitInclusive<'_, P> {
        split::split_inclusive(self, pat)
    }

    pub fn splitn<P: Pattern>(&self, n: usize, pat: P) -> SplitN<'_, P> {
        split::splitn(self, n, pat)
    }

    pub fn rsplitn<P: Pattern>(&self, n: usize, pat: P) -> RSplitN<'_, P> {
        split::rsplitn(self, n, pat)
    }

    pub fn replace<P: Pattern>(&self, from: P, to: &str) -> String {
        self.replacen(from, to, usize::MAX)
    }

    pub fn replacen<P: Pattern>(&self, pat: P, to: &str, count: usize) -> String {
        let mut out = String::new();
        let mut first = true;
        for part in self.splitn(count.saturating_add(1), pat) {
            if !first {
                out.push_str(to);
            }
            first = false;
            out.push_str(part);
        }
        out
    }

    pub fn split_at(&self, mid: usize) -> (&str, &str) {
        (piece(self, 0, mid), piece(self, mid, self.len()))
    }

    pub fn split_at_checked(&self, mid: usize) -> Option<(&str, &str)> {
        if self.is_char_boundary(mid) { Some(self.split_at(mid)) } else { None }
    }

    pub unsafe fn get_unchecked<R: RangeBounds<usize>>(&self, range: R) -> &str {
        match self.get(range) {
            Some(part) => part,
            None => crate::macros::fail("a part of a text is taken without a check, and does not exist"),
        }
    }

    pub fn get<R: RangeBounds<usize>>(&self, range: R) -> Option<&str> {
        let (lo, hi) = part_of(self, range)?;
        Some(piece(self, lo, hi))
    }

    pub fn get_mut<R: RangeBounds<usize>>(&mut self, range: R) -> Option<&mut str> {
        let (lo, hi) = part_of(self, range)?;
        Some(part_mut(self.as_bytes_mut(), lo, hi))
    }

    pub fn split_at_mut(&mut self, mid: usize) -> (&mut str, &mut str) {
        let n = self.len();
        if !self.is_char_boundary(mid) {
            crate::macros::fail("failed to slice string");
        }
        let (first, last) = self.as_bytes_mut().split_at_mut(mid);
        (part_mut(first, 0, mid), part_mut(last, 0, n - mid))
    }
}

/// Bytes of a text as a text: a reference to a part of a text is one to its bytes.
fn part_mut(bytes: &mut [u8], lo: usize, hi: usize) -> &mut str {
    &mut *(&mut bytes[lo..hi] as *mut [u8] as *mut str)
}

/// The bounds of a part of a text, if there is one.
fn part_of<R: RangeBounds<usize>>(text: &str, range: R) -> Option<(usize, usize)> {
        let lo = match range.start_bound() {
            crate::ops::Bound::Included(lo) => *lo,
            crate::ops::Bound::Excluded(lo) => *lo + 1,
            crate::ops::Bound::Unbounded => 0,
        };
        let hi = match range.end_bound() {
            crate::ops::Bound::Included(hi) => *hi + 1,
            crate::ops::Bound::Excluded(hi) => *hi,
            crate::ops::Bound::Unbounded => text.len(),
        };
        let is_part = lo <= hi && hi <= text.len() && text.is_char_boundary(lo) && text.is_char_boundary(hi);
        if is_part { Some((lo, hi)) } else { None }
}

macro_rules! index {
    ($($R:ty: $range:ident, $len:ident => ($lo:expr, $hi:expr);)*) => {$(
        impl Index<$R> for str {
            type Output = str;

            fn index(&self, $range: $R) -> &str {
                let $len = self.len();
                piece(self, $lo, $hi)
            }
        }

        impl Index<$R> for String {
            type Output = str;

            fn index(&self, $range: $R) -> &str {
                let $len = self.len();
                piece(self, $lo, $hi)
            }
        }
    )*};
}

#[impls(Index)]
index! {
    Range<usize>: r, len => (r.start, r.end);
    RangeInclusive<usize>: r, len => (r.start, r.end + 1);
    RangeFrom<usize>: r, len => (r.start, len);
    RangeTo<usize>: r, len => (0, r.end);
    RangeToInclusive<usize>: r, len => (0, r.end + 1);
    RangeFull: r, len => (0, len);
}

#[derive(Clone, PartialEq, Eq)]
pub struct ParseBoolError(());

impl fmt::Debug for ParseBoolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ParseBoolError")
    }
}

impl fmt::Display for ParseBoolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("provided string was not `true` or `false`")
    }
}

impl crate::error::Error for ParseBoolError {}

impl FromStr for bool {
    type Err = ParseBoolError;

    fn from_str(s: &str) -> Result<bool, ParseBoolError> {
        if *s == *"true" {
            Ok(true)
        } else if *s == *"false" {
            Ok(false)
        } else {
            Err(ParseBoolError(()))
        }
    }
}

impl FromStr for String {
    type Err = crate::convert::Infallible;

    fn from_str(s: &str) -> Result<String, crate::convert::Infallible> {
        Ok(owned(s))
    }
}
