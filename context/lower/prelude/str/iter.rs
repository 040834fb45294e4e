//! Pieces of a text.

use super::Pattern;

pub type Bytes<'a> = crate::vec::IntoIter<u8>;

/// Pieces that were found at once.
pub type Pieces<'a> = crate::vec::IntoIter<&'a str>;

pub type Lines<'a> = Pieces<'a>;

pub type SplitWhitespace<'a> = Pieces<'a>;

#[op("str.slice")]
fn piece(s: &str, lo: usize, hi: usize) -> &str;

#[op("str.chars")]
fn all_chars(s: &str) -> Vec<char>;

#[op("str.lines")]
fn all_lines(s: &str) -> Vec<&str>;

#[op("str.split_whitespace")]
fn words(s: &str) -> Vec<&str>;

#[op("str.from_chars")]
fn from_chars(chars: &[char]) -> &str;

pub fn lines(s: &str) -> Lines<'_> {
    all_lines(s).into_iter()
}

pub fn split_whitespace(s: &str) -> SplitWhitespace<'_> {
    words(s).into_iter()
}

/// At most `n` pieces between matches.
pub fn split<P: Pattern>(s: &str, mut pat: P, n: usize) -> Pieces<'_> {
    let mut pieces = Vec::new();
    if n == 0 {
        return pieces.into_iter();
    }
    let mut start = 0;
    // An empty match is looked for behind the last one's character.
    let mut from = 0;
    while pieces.len() + 1 < n && from <= s.len() {
        let Some((lo, hi)) = pat.find_in(piece(s, from, s.len())) else { break };
        pieces.push(piece(s, start, from + lo));
        start = from + hi;
        from = if lo == hi { after(s, start) } else { start };
    }
    pieces.push(piece(s, start, s.len()));
    pieces.into_iter()
}

/// Behind the character at `at`; past the end at the end.
pub fn after(s: &str, at: usize) -> usize {
    let mut next = at + 1;
    while next < s.len() && !s.is_char_boundary(next) {
        next += 1;
    }
    next
}

pub fn split_terminator<P: Pattern>(s: &str, pat: P) -> Pieces<'_> {
    let mut pieces: Vec<&str> = split(s, pat, usize::MAX).collect();
    if pieces[pieces.len() - 1].is_empty() {
        pieces.pop();
    }
    pieces.into_iter()
}

pub fn split_inclusive<P: Pattern>(s: &str, mut pat: P) -> Pieces<'_> {
    let mut pieces = Vec::new();
    let mut start = 0;
    while let Some((_, hi)) = pat.find_in(piece(s, start, s.len())) {
        pieces.push(piece(s, start, start + hi));
        start += hi;
    }
    if start < s.len() {
        pieces.push(piece(s, start, s.len()));
    }
    pieces.into_iter()
}

#[derive(Clone)]
pub struct Chars<'a> {
    chars: Vec<char>,
    at: usize,
    end: usize,
    of: crate::marker::PhantomData<&'a str>,
}

pub fn chars(s: &str) -> Chars<'_> {
    let chars = all_chars(s);
    let end = chars.len();
    Chars { chars, at: 0, end, of: crate::marker::PhantomData }
}

impl<'a> Chars<'a> {
    pub fn as_str(&self) -> &'a str {
        from_chars(&self.chars[self.at..self.end])
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
        let n = self.end - self.at;
        ((n + 3) / 4, Some(n))
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

impl Iterator for CharIndices<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<(usize, char)> {
        let c = self.chars.next()?;
        let at = self.front;
        self.front += c.len_utf8();
        Some((at, c))
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
