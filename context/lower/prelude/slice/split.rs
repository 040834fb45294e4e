//! Splitting at separator elements.

use super::part;

#[derive(Clone)]
pub struct Split<'a, T, F> {
    rest: Option<&'a [T]>,
    pred: F,
}

pub fn split<T, F>(slice: &[T], pred: F) -> Split<'_, T, F> {
    Split { rest: Some(slice), pred }
}

impl<'a, T, F: FnMut(&T) -> bool> Iterator for Split<'a, T, F> {
    type Item = &'a [T];

    fn next(&mut self) -> Option<&'a [T]> {
        let rest = self.rest?;
        let n = rest.len();
        for i in 0..n {
            if (self.pred)(&rest[i]) {
                self.rest = Some(part(rest, i + 1, n));
                return Some(part(rest, 0, i));
            }
        }
        self.rest = None;
        Some(rest)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.rest {
            Some(rest) => (1, Some(rest.len() + 1)),
            None => (0, Some(0)),
        }
    }
}

impl<'a, T, F: FnMut(&T) -> bool> DoubleEndedIterator for Split<'a, T, F> {
    fn next_back(&mut self) -> Option<&'a [T]> {
        let rest = self.rest?;
        let n = rest.len();
        for i in (0..n).rev() {
            if (self.pred)(&rest[i]) {
                self.rest = Some(part(rest, 0, i));
                return Some(part(rest, i + 1, n));
            }
        }
        self.rest = None;
        Some(rest)
    }
}

pub type RSplit<'a, T, F> = crate::iter::Rev<Split<'a, T, F>>;

/// At most `left` parts, the last of which is not split.
#[derive(Clone)]
pub struct SplitN<'a, T, F> {
    pieces: Split<'a, T, F>,
    left: usize,
}

pub fn splitn<T, F>(slice: &[T], left: usize, pred: F) -> SplitN<'_, T, F> {
    SplitN { pieces: split(slice, pred), left }
}

/// At most `left` parts from the back, the last of which is not split.
#[derive(Clone)]
pub struct RSplitN<'a, T, F> {
    pieces: Split<'a, T, F>,
    left: usize,
}

pub fn rsplitn<T, F>(slice: &[T], left: usize, pred: F) -> RSplitN<'_, T, F> {
    RSplitN { pieces: split(slice, pred), left }
}

macro_rules! at_most {
    ($($SplitN:ident $next:ident;)*) => {$(
        impl<'a, T, F: FnMut(&T) -> bool> Iterator for $SplitN<'a, T, F> {
            type Item = &'a [T];

            fn next(&mut self) -> Option<&'a [T]> {
                if self.left == 0 {
                    return None;
                }
                self.left -= 1;
                if self.left == 0 {
                    let rest = self.pieces.rest;
                    self.pieces.rest = None;
                    return rest;
                }
                self.pieces.$next()
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                let (low, high) = self.pieces.size_hint();
                let high = match high {
                    Some(high) => high.min(self.left),
                    None => self.left,
                };
                (low.min(self.left), Some(high))
            }
        }
    )*};
}

#[impls(Iterator)]
at_most! {
    SplitN next;
    RSplitN next_back;
}

/// The parts with the separators that end them.
#[derive(Clone)]
pub struct SplitInclusive<'a, T, F> {
    rest: &'a [T],
    pred: F,
}

pub fn split_inclusive<T, F>(slice: &[T], pred: F) -> SplitInclusive<'_, T, F> {
    SplitInclusive { rest: slice, pred }
}

impl<'a, T, F: FnMut(&T) -> bool> Iterator for SplitInclusive<'a, T, F> {
    type Item = &'a [T];

    fn next(&mut self) -> Option<&'a [T]> {
        let (rest, n) = (self.rest, self.rest.len());
        if n == 0 {
            return None;
        }
        let mut end = 1;
        while !(self.pred)(&rest[end - 1]) && end < n {
            end += 1;
        }
        self.rest = part(rest, end, n);
        Some(part(rest, 0, end))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.rest.len();
        (if n == 0 { 0 } else { 1 }, Some(n))
    }
}

impl<'a, T, F: FnMut(&T) -> bool> DoubleEndedIterator for SplitInclusive<'a, T, F> {
    fn next_back(&mut self) -> Option<&'a [T]> {
        let (rest, n) = (self.rest, self.rest.len());
        if n == 0 {
            return None;
        }
        // The last element ends its part, whatever it is.
        let mut start = n - 1;
        while start > 0 && !(self.pred)(&rest[start - 1]) {
            start -= 1;
        }
        self.rest = part(rest, 0, start);
        Some(part(rest, start, n))
    }
}
