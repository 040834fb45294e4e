//! All matches in a text, from the front and from the back, found one by one.

use super::Pattern;

#[op("str.slice")]
fn piece(s: &str, lo: usize, hi: usize) -> &str;

/// The byte ranges of the matches between `front` and `back`. After an empty match the search continues after the next
/// character, or before the previous one.
#[derive(Clone)]
pub struct Matcher<'a, P> {
    pub text: &'a str,
    pat: P,
    front: usize,
    back: usize,
    /// Whether an empty match was at the start of the text.
    at_start: bool,
}

pub fn matcher<P: Pattern>(text: &str, pat: P) -> Matcher<'_, P> {
    Matcher { text, pat, front: 0, back: text.len(), at_start: false }
}

/// The position after the character at `at`; beyond the end if that is the end.
fn after(s: &str, at: usize) -> usize {
    let mut next = at + 1;
    while next < s.len() && !s.is_char_boundary(next) {
        next += 1;
    }
    next
}

impl<'a, P: Pattern> Iterator for Matcher<'a, P> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        if self.front > self.back {
            return None;
        }
        let Some((lo, hi)) = self.pat.find_in(piece(self.text, self.front, self.back)) else {
            self.front = self.back + 1;
            return None;
        };
        let (lo, hi) = (self.front + lo, self.front + hi);
        self.front = if lo == hi { after(self.text, hi) } else { hi };
        Some((lo, hi))
    }
}

impl<'a, P: Pattern> DoubleEndedIterator for Matcher<'a, P> {
    fn next_back(&mut self) -> Option<(usize, usize)> {
        if self.front > self.back || self.at_start {
            return None;
        }
        let Some((lo, hi)) = self.pat.rfind_in(piece(self.text, self.front, self.back)) else {
            self.front = self.back + 1;
            return None;
        };
        let (lo, hi) = (self.front + lo, self.front + hi);
        self.back = lo;
        if lo == hi {
            if lo == 0 {
                self.at_start = true;
            } else {
                self.back = lo - 1;
                while !self.text.is_char_boundary(self.back) {
                    self.back -= 1;
                }
            }
        }
        Some((lo, hi))
    }
}

#[derive(Clone)]
pub struct Matches<'a, P> {
    matches: Matcher<'a, P>,
}

pub type RMatches<'a, P> = crate::iter::Rev<Matches<'a, P>>;

#[derive(Clone)]
pub struct MatchIndices<'a, P> {
    matches: Matcher<'a, P>,
}

pub type RMatchIndices<'a, P> = crate::iter::Rev<MatchIndices<'a, P>>;

macro_rules! matches {
    ($($Matches:ident: $Item:ty, $text:ident, $lo:ident, $hi:ident => $item:expr;)*) => {$(
        impl<'a, P: Pattern> Iterator for $Matches<'a, P> {
            type Item = $Item;

            fn next(&mut self) -> Option<$Item> {
                let ($lo, $hi) = self.matches.next()?;
                let $text: &'a str = self.matches.text;
                Some($item)
            }
        }

        impl<'a, P: Pattern> DoubleEndedIterator for $Matches<'a, P> {
            fn next_back(&mut self) -> Option<$Item> {
                let ($lo, $hi) = self.matches.next_back()?;
                let $text: &'a str = self.matches.text;
                Some($item)
            }
        }
    )*};
}

#[impls(Iterator, DoubleEndedIterator)]
matches! {
    Matches: &'a str, text, lo, hi => piece(text, lo, hi);
    MatchIndices: (usize, &'a str), text, lo, hi => (lo, piece(text, lo, hi));
}

impl str {
    pub fn matches<P: Pattern>(&self, pat: P) -> Matches<'_, P> {
        Matches { matches: matcher(self, pat) }
    }

    pub fn rmatches<P: Pattern>(&self, pat: P) -> RMatches<'_, P> {
        self.matches(pat).rev()
    }

    pub fn match_indices<P: Pattern>(&self, pat: P) -> MatchIndices<'_, P> {
        MatchIndices { matches: matcher(self, pat) }
    }

    pub fn rmatch_indices<P: Pattern>(&self, pat: P) -> RMatchIndices<'_, P> {
        self.match_indices(pat).rev()
    }
}
