//! All matches in a text, from the front and from the back.

use super::iter::{Found, after, found as all};
use super::{Pattern, Pieces};

#[op("str.slice")]
fn piece(s: &str, lo: usize, hi: usize) -> &str;

pub type MatchIndices<'a> = Found<(usize, &'a str)>;

/// All matches from the front. After an empty match the search continues after the next character.
fn forward<P: Pattern>(s: &str, pat: &mut P) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    while from <= s.len() {
        let Some((lo, hi)) = pat.find_in(piece(s, from, s.len())) else { break };
        found.push((from + lo, from + hi));
        from = if lo == hi { after(s, from + hi) } else { from + hi };
    }
    found
}

/// All matches from the back.
fn backward<P: Pattern>(s: &str, pat: &mut P) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut end = s.len();
    while let Some((lo, hi)) = pat.rfind_in(piece(s, 0, end)) {
        found.push((lo, hi));
        if lo == hi {
            if lo == 0 {
                break;
            }
            end = lo - 1;
            while !s.is_char_boundary(end) {
                end -= 1;
            }
        } else {
            end = lo;
        }
    }
    found
}

fn pieces<'a>(s: &'a str, found: Vec<(usize, usize)>) -> Pieces<'a> {
    let pieces: Vec<&str> = found.iter().map(|(lo, hi)| piece(s, *lo, *hi)).collect();
    all(pieces)
}

fn placed<'a>(s: &'a str, found: Vec<(usize, usize)>) -> MatchIndices<'a> {
    let placed: Vec<(usize, &str)> = found.iter().map(|(lo, hi)| (*lo, piece(s, *lo, *hi))).collect();
    all(placed)
}

impl str {
    pub fn matches<P: Pattern>(&self, mut pat: P) -> Pieces<'_> {
        pieces(self, forward(self, &mut pat))
    }

    pub fn rmatches<P: Pattern>(&self, mut pat: P) -> Pieces<'_> {
        pieces(self, backward(self, &mut pat))
    }

    pub fn match_indices<P: Pattern>(&self, mut pat: P) -> MatchIndices<'_> {
        placed(self, forward(self, &mut pat))
    }

    pub fn rmatch_indices<P: Pattern>(&self, mut pat: P) -> MatchIndices<'_> {
        placed(self, backward(self, &mut pat))
    }

    /// At most `n` pieces between matches, the last one first.
    pub fn rsplitn<P: Pattern>(&self, n: usize, mut pat: P) -> Pieces<'_> {
        let mut found = Vec::new();
        if n == 0 {
            return all(found);
        }
        let mut end = self.len();
        for (lo, hi) in backward(self, &mut pat) {
            if found.len() + 1 == n {
                break;
            }
            found.push(piece(self, hi, end));
            end = lo;
        }
        found.push(piece(self, 0, end));
        all(found)
    }

    pub fn rsplit_terminator<P: Pattern>(&self, pat: P) -> crate::iter::Rev<Pieces<'_>> {
        self.split_terminator(pat).rev()
    }

    pub fn trim_left(&self) -> &str {
        self.trim_start()
    }

    pub fn trim_right(&self) -> &str {
        self.trim_end()
    }

    pub fn trim_ascii_start(&self) -> &str {
        self.trim_start_matches(|c: char| c.is_ascii_whitespace())
    }

    pub fn trim_ascii_end(&self) -> &str {
        self.trim_end_matches(|c: char| c.is_ascii_whitespace())
    }

    pub fn trim_ascii(&self) -> &str {
        self.trim_ascii_start().trim_ascii_end()
    }

    pub fn make_ascii_uppercase(&mut self) {
        *self = *self.to_ascii_uppercase().as_str();
    }

    pub fn make_ascii_lowercase(&mut self) {
        *self = *self.to_ascii_lowercase().as_str();
    }

    pub fn encode_utf16(&self) -> crate::vec::IntoIter<u16> {
        let mut units: Vec<u16> = Vec::new();
        for c in self.chars() {
            let code = c as u32;
            if code < 0x10000 {
                units.push(code as u16);
            } else {
                let above = code - 0x10000;
                units.push((0xd800 + (above >> 10)) as u16);
                units.push((0xdc00 + (above & 0x3ff)) as u16);
            }
        }
        units.into_iter()
    }
}
