//! Text without what is at its ends, and in another case.

use super::Pattern;

#[op("str.slice")]
fn piece(s: &str, lo: usize, hi: usize) -> &str;

impl str {
    pub fn trim_start_matches<P: Pattern>(&self, mut pat: P) -> &str {
        let mut rest = self;
        while let Some(n) = pat.prefix_of(rest) {
            if n == 0 {
                return rest;
            }
            rest = piece(rest, n, rest.len());
        }
        rest
    }

    pub fn trim_end_matches<P: Pattern>(&self, mut pat: P) -> &str {
        let mut rest = self;
        while let Some(n) = pat.suffix_of(rest) {
            if n == 0 {
                return rest;
            }
            rest = piece(rest, 0, rest.len() - n);
        }
        rest
    }

    pub fn trim_matches<P: Pattern + Clone>(&self, pat: P) -> &str {
        self.trim_start_matches(P::clone(&pat)).trim_end_matches(pat)
    }

    pub fn trim_left_matches<P: Pattern>(&self, pat: P) -> &str {
        self.trim_start_matches(pat)
    }

    pub fn trim_right_matches<P: Pattern>(&self, pat: P) -> &str {
        self.trim_end_matches(pat)
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
}
