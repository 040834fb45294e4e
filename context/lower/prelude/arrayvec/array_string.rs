//! Texts whose type limits the number of bytes.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::str::{FromStr, Utf8Error};

use crate::CapacityError;

#[derive(Clone, Copy)]
pub struct ArrayString<const CAP: usize> {
    text: &'static str,
}

impl<const CAP: usize> ArrayString<CAP> {
    pub fn new() -> ArrayString<CAP> {
        ArrayString { text: "" }
    }

    pub const fn new_const() -> ArrayString<CAP> {
        ArrayString { text: "" }
    }

    pub fn from(s: &str) -> Result<ArrayString<CAP>, CapacityError<&str>> {
        let mut all = ArrayString::new();
        match all.try_push_str(s) {
            Ok(()) => Ok(all),
            Err(refused) => Err(refused),
        }
    }

    pub fn from_byte_string(b: &[u8; CAP]) -> Result<ArrayString<CAP>, Utf8Error> {
        let text = std::str::from_utf8(b)?;
        Ok(ArrayString { text })
    }

    pub fn zero_filled() -> ArrayString<CAP> {
        let text = String::from_utf8(vec![0; CAP]).unwrap();
        ArrayString { text: text.__leaked() }
    }

    pub fn len(&self) -> usize {
        self.text.len()
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub const fn capacity(&self) -> usize {
        CAP
    }

    pub fn is_full(&self) -> bool {
        self.text.len() == CAP
    }

    pub fn remaining_capacity(&self) -> usize {
        CAP - self.text.len()
    }

    pub fn push(&mut self, c: char) {
        self.try_push(c).unwrap()
    }

    pub fn try_push(&mut self, c: char) -> Result<(), CapacityError<char>> {
        if c.len_utf8() > self.remaining_capacity() {
            return Err(CapacityError::new(c));
        }
        let mut text = String::from(self.text);
        text.push(c);
        self.text = text.__leaked();
        Ok(())
    }

    pub fn push_str(&mut self, s: &str) {
        self.try_push_str(s).unwrap()
    }

    pub fn try_push_str<'a>(&mut self, s: &'a str) -> Result<(), CapacityError<&'a str>> {
        if s.len() > self.remaining_capacity() {
            return Err(CapacityError::new(s));
        }
        let mut text = String::from(self.text);
        text.push_str(s);
        self.text = text.__leaked();
        Ok(())
    }

    pub fn pop(&mut self) -> Option<char> {
        let mut text = String::from(self.text);
        let last = text.pop();
        self.text = text.__leaked();
        last
    }

    pub fn truncate(&mut self, new_len: usize) {
        let mut text = String::from(self.text);
        text.truncate(new_len);
        self.text = text.__leaked();
    }

    pub fn remove(&mut self, idx: usize) -> char {
        let mut text = String::from(self.text);
        let removed = text.remove(idx);
        self.text = text.__leaked();
        removed
    }

    pub fn clear(&mut self) {
        self.text = "";
    }

    pub fn as_str(&self) -> &str {
        self.text
    }
}

impl<const CAP: usize> Deref for ArrayString<CAP> {
    type Target = str;

    fn deref(&self) -> &str {
        self.text
    }
}

impl<const CAP: usize> Default for ArrayString<CAP> {
    fn default() -> ArrayString<CAP> {
        ArrayString::new()
    }
}

impl<const CAP: usize> PartialEq for ArrayString<CAP> {
    fn eq(&self, other: &ArrayString<CAP>) -> bool {
        *self.text == *other.text
    }
}

impl<const CAP: usize> PartialEq<str> for ArrayString<CAP> {
    fn eq(&self, other: &str) -> bool {
        *self.text == *other
    }
}

impl<const CAP: usize> PartialEq<ArrayString<CAP>> for str {
    fn eq(&self, other: &ArrayString<CAP>) -> bool {
        *self == *other.text
    }
}

impl<const CAP: usize> Eq for ArrayString<CAP> {}

impl<const CAP: usize> PartialOrd for ArrayString<CAP> {
    fn partial_cmp(&self, other: &ArrayString<CAP>) -> Option<Ordering> {
        self.text.partial_cmp(other.text)
    }
}

impl<const CAP: usize> Ord for ArrayString<CAP> {
    fn cmp(&self, other: &ArrayString<CAP>) -> Ordering {
        self.text.cmp(other.text)
    }
}

impl<const CAP: usize> Hash for ArrayString<CAP> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state)
    }
}

impl<const CAP: usize> Borrow<str> for ArrayString<CAP> {
    fn borrow(&self) -> &str {
        self.text
    }
}

impl<const CAP: usize> AsRef<str> for ArrayString<CAP> {
    fn as_ref(&self) -> &str {
        self.text
    }
}

impl<const CAP: usize> fmt::Debug for ArrayString<CAP> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.text, f)
    }
}

impl<const CAP: usize> fmt::Display for ArrayString<CAP> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.text, f)
    }
}

impl<const CAP: usize> fmt::Write for ArrayString<CAP> {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        self.try_push_str(s).map_err(|_| fmt::Error)
    }

    fn write_char(&mut self, c: char) -> fmt::Result {
        self.try_push(c).map_err(|_| fmt::Error)
    }
}

impl<const CAP: usize> FromStr for ArrayString<CAP> {
    type Err = CapacityError;

    fn from_str(s: &str) -> Result<ArrayString<CAP>, CapacityError> {
        ArrayString::from(s).map_err(CapacityError::simplify)
    }
}

impl<'a, const CAP: usize> TryFrom<&'a str> for ArrayString<CAP> {
    type Error = CapacityError<&'a str>;

    fn try_from(s: &'a str) -> Result<ArrayString<CAP>, CapacityError<&'a str>> {
        ArrayString::from(s)
    }
}
