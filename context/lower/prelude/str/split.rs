//! The pieces of a text between matches, found one by one: a predicate is called when a piece is asked for.

use super::Pattern;
use super::finds::{Matcher, matcher};

#[op("str.slice")]
fn piece(s: &str, lo: usize, hi: usize) -> &str;

/// The pieces between matches. `tail` tells whether an empty last piece is one.
#[derive(Clone)]
pub struct Split<'a, P> {
    matches: Matcher<'a, P>,
    start: usize,
    end: usize,
    finished: bool,
    tail: bool,
}

pub use Split as SplitTerminator;

pub type RSplit<'a, P> = crate::iter::Rev<Split<'a, P>>;
pub type RSplitTerminator<'a, P> = crate::iter::Rev<Split<'a, P>>;

pub fn split<P: Pattern>(s: &str, pat: P, tail: bool) -> Split<'_, P> {
    Split { matches: matcher(s, pat), start: 0, end: s.len(), finished: false, tail }
}

impl<'a, P: Pattern> Split<'a, P> {
    /// What is behind the last match.
    fn rest(&mut self) -> Option<&'a str> {
        if self.finished {
            return None;
        }
        self.finished = true;
        if self.tail || self.end > self.start { Some(piece(self.matches.text, self.start, self.end)) } else { None }
    }

    /// The next piece, with its match if it is part of the piece.
    fn forward(&mut self, inclusive: bool) -> Option<&'a str> {
        if self.finished {
            return None;
        }
        match self.matches.next() {
            Some((lo, hi)) => {
                let found = piece(self.matches.text, self.start, if inclusive { hi } else { lo });
                self.start = hi;
                Some(found)
            }
            None => self.rest(),
        }
    }

    fn backward(&mut self, inclusive: bool) -> Option<&'a str> {
        if self.finished {
            return None;
        }
        if !self.tail {
            self.tail = true;
            match self.backward(inclusive) {
                Some(last) if !last.is_empty() => return Some(last),
                _ => {}
            }
            if self.finished {
                return None;
            }
        }
        match self.matches.next_back() {
            Some((lo, hi)) => {
                let found = piece(self.matches.text, hi, self.end);
                self.end = if inclusive { hi } else { lo };
                Some(found)
            }
            None => {
                self.finished = true;
                Some(piece(self.matches.text, self.start, self.end))
            }
        }
    }
}

impl<'a, P: Pattern> Iterator for Split<'a, P> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.forward(false)
    }
}

impl<'a, P: Pattern> DoubleEndedIterator for Split<'a, P> {
    fn next_back(&mut self) -> Option<&'a str> {
        self.backward(false)
    }
}

/// The pieces with the matches that end them.
#[derive(Clone)]
pub struct SplitInclusive<'a, P> {
    pieces: Split<'a, P>,
}

pub fn split_inclusive<P: Pattern>(s: &str, pat: P) -> SplitInclusive<'_, P> {
    SplitInclusive { pieces: split(s, pat, false) }
}

impl<'a, P: Pattern> Iterator for SplitInclusive<'a, P> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.pieces.forward(true)
    }
}

impl<'a, P: Pattern> DoubleEndedIterator for SplitInclusive<'a, P> {
    fn next_back(&mut self) -> Option<&'a str> {
        self.pieces.backward(true)
    }
}

/// At most `left` pieces, the last of which is not split.
#[derive(Clone)]
pub struct SplitN<'a, P> {
    pieces: Split<'a, P>,
    left: usize,
}

pub fn splitn<P: Pattern>(s: &str, left: usize, pat: P) -> SplitN<'_, P> {
    SplitN { pieces: split(s, pat, true), left }
}

/// At most `left` pieces from the back, the last of which is not split.
#[derive(Clone)]
pub struct RSplitN<'a, P> {
    pieces: Split<'a, P>,
    left: usize,
}

pub fn rsplitn<P: Pattern>(s: &str, left: usize, pat: P) -> RSplitN<'_, P> {
    RSplitN { pieces: split(s, pat, true), left }
}

macro_rules! at_most {
    ($($SplitN:ident $next:ident;)*) => {$(
        impl<'a, P: Pattern> Iterator for $SplitN<'a, P> {
            type Item = &'a str;

            fn next(&mut self) -> Option<&'a str> {
                if self.left == 0 {
                    return None;
                }
                self.left -= 1;
                if self.left == 0 { self.pieces.rest() } else { self.pieces.$next() }
            }
        }
    )*};
}

#[impls(Iterator)]
at_most! {
    SplitN next;
    RSplitN next_back;
}
