//! The characters, bytes, lines and words of a text.

use crate::fmt;

/// Pieces of a text, found in advance; the number is not exposed.
#[derive(Clone)]
pub struct Found<T> {
    items: crate::vec::IntoIter<T>,
}

fn found<T>(items: Vec<T>) -> Found<T> {
    Found { items: items.into_iter() }
}

impl<T> Iterator for Found<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.items.next()
    }
}

impl<T> DoubleEndedIterator for Found<T> {
    fn next_back(&mut self) -> Option<T> {
        self.items.next_back()
    }
}

type Pieces<'a> = Found<&'a str>;

#[derive(Clone)]
pub struct Bytes<'a> {
    bytes: crate::vec::IntoIter<u8>,
    of: crate::marker::PhantomData<&'a str>,
}

pub fn bytes(s: &str) -> Bytes<'_> {
    Bytes { bytes: all_bytes(s).into_iter(), of: crate::marker::PhantomData }
}

impl fmt::Debug for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Bytes").field(&self.bytes.as_slice().iter().copied()).finish()
    }
}

impl Iterator for Bytes<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        self.bytes.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.bytes.size_hint()
    }

    fn count(self) -> usize {
        self.bytes.count()
    }

    fn nth(&mut self, n: usize) -> Option<u8> {
        self.bytes.nth(n)
    }

    fn __may_have_side_effect() -> bool {
        false
    }

    fn __trusted_random_access() -> bool {
        true
    }

    fn __trusted_len() -> bool {
        true
    }
}

impl DoubleEndedIterator for Bytes<'_> {
    fn next_back(&mut self) -> Option<u8> {
        self.bytes.next_back()
    }
}

impl ExactSizeIterator for Bytes<'_> {}

pub type Lines<'a> = Pieces<'a>;

pub type SplitWhitespace<'a> = Pieces<'a>;

pub type SplitAsciiWhitespace<'a> = Pieces<'a>;

#[op("str.slice")]
fn piece(s: &str, lo: usize, hi: usize) -> &str;

#[op("str.bytes")]
fn all_bytes(s: &str) -> Vec<u8>;

#[op("str.chars")]
fn all_chars(s: &str) -> Vec<char>;

#[op("str.lines")]
fn all_lines(s: &str) -> Vec<&str>;

#[op("str.split_whitespace")]
fn words(s: &str) -> Vec<&str>;

pub fn lines(s: &str) -> Lines<'_> {
    found(all_lines(s))
}

pub fn split_whitespace(s: &str) -> SplitWhitespace<'_> {
    found(words(s))
}

pub fn split_ascii_whitespace(s: &str) -> SplitWhitespace<'_> {
    let mut words: Vec<&str> = s.split(|c: char| c.is_ascii_whitespace()).collect();
    words.retain(|word| !word.is_empty());
    found(words)
}

#[derive(Clone)]
pub struct Chars<'a> {
    text: &'a str,
    chars: Vec<char>,
    at: usize,
    end: usize,
}

pub fn chars(s: &str) -> Chars<'_> {
    let chars = all_chars(s);
    let end = chars.len();
    Chars { text: s, chars, at: 0, end }
}

impl<'a> Chars<'a> {
    pub fn as_str(&self) -> &'a str {
        let (mut from, mut to) = (0, self.text.len());
        for c in &self.chars[..self.at] {
            from += c.len_utf8();
        }
        for c in &self.chars[self.end..] {
            to -= c.len_utf8();
        }
        piece(self.text, from, to)
    }
}

impl fmt::Debug for Chars<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Chars(")?;
        f.debug_list().entries(self.clone()).finish()?;
        f.write_str(")")
    }
}

impl Iterator for Chars<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        if self.at < self.end {
            let i = self.at;
            self.at = i.wrapping_add(1);
            Some(self.chars[i])
        } else {
            None
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let mut bytes = 0;
        for i in self.at..self.end {
            bytes += self.chars[i].len_utf8();
        }
        ((bytes + 3) / 4, Some(bytes))
    }

    fn count(self) -> usize {
        self.end - self.at
    }
}

impl DoubleEndedIterator for Chars<'_> {
    fn next_back(&mut self) -> Option<char> {
        if self.at < self.end {
            self.end = self.end.wrapping_sub(1);
            Some(self.chars[self.end])
        } else {
            None
        }
    }
}

#[derive(Clone)]
pub struct CharIndices<'a> {
    chars: Chars<'a>,
    front: usize,
    back: usize,
}

pub fn char_indices(s: &str) -> CharIndices<'_> {
    CharIndices { chars: chars(s), front: 0, back: s.len() }
}

impl<'a> CharIndices<'a> {
    pub fn as_str(&self) -> &'a str {
        self.chars.as_str()
    }

    /// The position of the next character.
    pub fn offset(&self) -> usize {
        self.front
    }
}

impl fmt::Debug for CharIndices<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("CharIndices");
        fields.field("front_offset", &self.front).field("iter", &self.chars).finish()
    }
}

impl Iterator for CharIndices<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<(usize, char)> {
        let c = self.chars.next()?;
        let at = self.front;
        self.front += c.len_utf8();
        Some((at, c))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.chars.size_hint()
    }

    fn count(self) -> usize {
        self.chars.count()
    }
}

impl DoubleEndedIterator for CharIndices<'_> {
    fn next_back(&mut self) -> Option<(usize, char)> {
        let c = self.chars.next_back()?;
        self.back -= c.len_utf8();
        Some((self.back, c))
    }
}
