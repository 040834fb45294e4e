//! Growable text.

use crate::cmp::Ordering;
use crate::fmt;
use crate::ops::{AddAssign, Deref, RangeBounds};

#[lang("string")]
pub struct String;

#[op("id")]
fn owned(s: &str) -> String;

#[op("str.concat")]
fn joined(a: &str, b: &str) -> String;

#[op("str.slice")]
fn piece(s: &str, lo: usize, hi: usize) -> &str;

#[op("str.from_utf8")]
fn utf8(bytes: &[u8]) -> Option<String>;

#[op("str.bytes")]
fn bytes(s: &str) -> Vec<u8>;

impl String {
    pub fn len(&self) -> usize {
        self.as_str().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn new() -> String {
        owned("")
    }

    pub fn with_capacity(capacity: usize) -> String {
        if capacity > isize::MAX as usize {
            crate::macros::fail("capacity overflow");
        }
        owned("")
    }

    #[op("str.push")]
    pub fn push(&mut self, ch: char);

    #[op("str.concat")]
    pub fn push_str(&mut self, string: &str);

    #[op("id")]
    pub fn as_str(&self) -> &str;

    #[op("id")]
    pub fn as_mut_str(&mut self) -> &mut str;

    #[op("id")]
    pub fn into_boxed_str(self) -> Box<str>;

    #[moves]
    pub fn leak<'a>(self) -> &'a mut str {
        &mut *(crate::ptr::place_of(self) as *mut str)
    }

    /// The text as that of a place that nothing can write to.
    #[op("id")]
    pub fn __leaked<'a>(self) -> &'a str;

    #[op("str.bytes")]
    pub fn into_bytes(self) -> Vec<u8>;

    /// Rust only guarantees that it is at least the requested one: here every text has the maximal capacity.
    pub fn capacity(&self) -> usize {
        isize::MAX as usize
    }

    pub fn reserve(&mut self, additional: usize) {
        if additional > isize::MAX as usize - self.len() {
            crate::macros::fail("capacity overflow");
        }
    }

    pub fn reserve_exact(&mut self, additional: usize) {
        self.reserve(additional);
    }

    pub fn shrink_to_fit(&mut self) {}

    pub fn shrink_to(&mut self, _min_capacity: usize) {}

    pub fn clear(&mut self) {
        *self = owned("");
    }

    pub fn truncate(&mut self, new_len: usize) {
        if new_len <= self.len() {
            assert!(self.is_char_boundary(new_len));
            *self = owned(piece(self, 0, new_len));
        }
    }

    pub fn pop(&mut self) -> Option<char> {
        let ch = self.chars().next_back()?;
        *self = owned(piece(self, 0, self.len() - ch.len_utf8()));
        Some(ch)
    }

    pub fn remove(&mut self, idx: usize) -> char {
        let ch = match piece(self, idx, self.len()).chars().next() {
            Some(ch) => ch,
            None => panic!("cannot remove a char from the end of a string"),
        };
        *self = joined(piece(self, 0, idx), piece(self, idx + ch.len_utf8(), self.len()));
        ch
    }

    pub fn insert(&mut self, idx: usize, ch: char) {
        assert!(self.is_char_boundary(idx));
        let mut text = owned(piece(self, 0, idx));
        text.push(ch);
        *self = joined(&text, piece(self, idx, self.len()));
    }

    pub fn insert_str(&mut self, idx: usize, string: &str) {
        assert!(self.is_char_boundary(idx));
        let head = joined(piece(self, 0, idx), string);
        *self = joined(&head, piece(self, idx, self.len()));
    }

    pub fn retain<F: FnMut(char) -> bool>(&mut self, mut f: F) {
        let mut kept = String::new();
        for c in self.chars() {
            if f(c) {
                kept.push(c);
            }
        }
        *self = kept;
    }

    pub fn split_off(&mut self, at: usize) -> String {
        assert!(self.is_char_boundary(at));
        let tail = owned(piece(self, at, self.len()));
        *self = owned(piece(self, 0, at));
        tail
    }

    pub fn extend_from_within<R: RangeBounds<usize>>(&mut self, src: R) {
        let (lo, hi) = crate::range::positions(&src, self.len());
        let part = owned(piece(self, lo, hi));
        self.push_str(&part);
    }

    pub fn drain<R: RangeBounds<usize>>(&mut self, range: R) -> crate::str::Chars<'static> {
        let (lo, hi) = crate::range::positions(&range, self.len());
        let taken = piece(self, lo, hi);
        *self = joined(piece(self, 0, lo), piece(self, hi, self.len()));
        taken.chars()
    }

    pub fn replace_range<R: RangeBounds<usize>>(&mut self, range: R, replace_with: &str) {
        let (lo, hi) = crate::range::positions(&range, self.len());
        let head = joined(piece(self, 0, lo), replace_with);
        *self = joined(&head, piece(self, hi, self.len()));
    }

    pub fn from_utf8(vec: Vec<u8>) -> Result<String, FromUtf8Error> {
        match utf8(&vec) {
            Some(text) => Ok(text),
            None => {
                let error = crate::str::error_in(&vec);
                Err(FromUtf8Error { bytes: vec, error })
            }
        }
    }

    pub unsafe fn from_utf8_unchecked(bytes: Vec<u8>) -> String {
        match utf8(&bytes) {
            Some(text) => text,
            None => crate::str::not_utf8(),
        }
    }

    pub unsafe fn as_mut_vec(&mut self) -> &mut Vec<u8> {
        &mut *(self as *mut String as *mut Vec<u8>)
    }

    pub fn from_utf8_lossy(v: &[u8]) -> crate::borrow::Cow<'_, str> {
        crate::str::from_utf8_lossy(v)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FromUtf8Error {
    bytes: Vec<u8>,
    error: crate::str::Utf8Error,
}

impl FromUtf8Error {
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn utf8_error(&self) -> crate::str::Utf8Error {
        self.error
    }
}

impl fmt::Display for FromUtf8Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.error, f)
    }
}

impl crate::error::Error for FromUtf8Error {}

impl Deref for String {
    type Target = str;
    #[op("id")]
    fn deref(&self) -> &str;
}

impl Clone for String {
    #[op("id")]
    fn clone(&self) -> String;
}

impl Default for String {
    fn default() -> String {
        owned("")
    }
}

pub use crate::str::FromUtf16Error;

pub trait ToString {
    fn to_string(&self) -> String;
}

impl<T: fmt::Display + ?Sized> ToString for T {
    fn to_string(&self) -> String {
        let mut f = fmt::begin();
        fmt::Display::fmt(self, &mut f).expect("a Display implementation returned an error unexpectedly");
        f.out
    }
}

impl str {
    #[op("id")]
    pub fn to_string(&self) -> String;
}

impl String {
    #[op("id")]
    pub fn to_string(&self) -> String;
}

impl char {
    pub fn to_string(&self) -> String {
        let mut text = String::new();
        text.push(*self);
        text
    }
}

impl From<&str> for String {
    #[op("id")]
    fn from(s: &str) -> String;
}

impl From<&mut str> for String {
    fn from(s: &mut str) -> String {
        owned(s)
    }
}

impl From<&String> for String {
    fn from(s: &String) -> String {
        s.clone()
    }
}

impl From<Box<str>> for String {
    #[op("id")]
    fn from(s: Box<str>) -> String;
}

impl From<&str> for Box<str> {
    #[op("id")]
    fn from(s: &str) -> Box<str>;
}

impl From<String> for Box<str> {
    #[op("id")]
    fn from(s: String) -> Box<str>;
}

impl Box<str> {
    #[op("id")]
    pub fn into_string(self) -> String;
}

impl<T> FromIterator<T> for Box<str>
where
    String: FromIterator<T>,
{
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Box<str> {
        String::from_iter(iter).into_boxed_str()
    }
}

impl AsMut<str> for String {
    fn as_mut(&mut self) -> &mut str {
        self.as_mut_str()
    }
}

impl crate::ops::DerefMut for String {
    #[op("id")]
    fn deref_mut(&mut self) -> &mut str;
}

impl From<crate::borrow::Cow<'_, str>> for String {
    fn from(s: crate::borrow::Cow<'_, str>) -> String {
        s.into_owned()
    }
}

impl From<char> for String {
    fn from(c: char) -> String {
        c.to_string()
    }
}

impl AsRef<str> for String {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<[u8]> for String {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

macro_rules! collect {
    ($($T:ty: $text:ident, $piece:ident => $push:expr;)*) => {$(
        impl FromIterator<$T> for String {
            fn from_iter<I: IntoIterator<Item = $T>>(iter: I) -> String {
                let mut $text = String::new();
                let mut iter = iter.into_iter();
                iter.__before_fold();
                while let Some($piece) = iter.next() {
                    $push;
                }
                $text
            }
        }

        impl Extend<$T> for String {
            fn extend<I: IntoIterator<Item = $T>>(&mut self, iter: I) {
                let $text = self;
                let mut iter = iter.into_iter();
                iter.__before_fold();
                while let Some($piece) = iter.next() {
                    $push;
                }
            }
        }
    )*};
}

impl AddAssign<&String> for String {
    #[op("str.concat")]
    fn add_assign(&mut self, rhs: &String);
}

#[impls(FromIterator, Extend)]
collect! {
    char: text, c => text.push(c);
    &char: text, c => text.push(*c);
    &str: text, s => text.push_str(s);
    String: text, s => text.push_str(&s);
    Box<str>: text, s => text.push_str(&s);
    crate::borrow::Cow<'_, str>: text, s => text.push_str(&s);
}

macro_rules! equal {
    ($($A:ty, $B:ty;)*) => {$(
        impl PartialEq<$B> for $A {
            #[op("eq")]
            fn eq(&self, other: &$B) -> bool;
        }
    )*};
}

#[impls(PartialEq)]
equal! {
    String, String;
    String, str;
    String, &str;
    str, String;
    &str, String;
}

impl Eq for String {}

impl PartialOrd for String {
    #[op("partial_cmp")]
    fn partial_cmp(&self, other: &String) -> Option<Ordering>;
}

impl Ord for String {
    #[op("cmp")]
    fn cmp(&self, other: &String) -> Ordering;
}
