//! The places of a sequence of bytes, by [Knuth, Morris and Pratt](https://doi.org/10.1137/0206024): linear in the text and
//! the sequence.

use std::borrow::Cow;

pub fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    Finder::new(needle).find(haystack)
}

pub fn rfind(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    FinderRev::new(needle).rfind(haystack)
}

pub fn find_iter<'h, 'n, N: 'n + ?Sized + AsRef<[u8]>>(haystack: &'h [u8], needle: &'n N) -> FindIter<'h, 'n> {
    FindIter { haystack, finder: Finder::new(needle), pos: 0 }
}

pub fn rfind_iter<'h, 'n, N: 'n + ?Sized + AsRef<[u8]>>(
    haystack: &'h [u8],
    needle: &'n N,
) -> FindRevIter<'h, 'n> {
    FindRevIter { haystack, finder: FinderRev::new(needle), pos: Some(haystack.len()) }
}

/// For each beginning of the needle, the length of its longest border: a beginning that is also its end.
fn borders(needle: &[u8], at: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut borders = vec![0; needle.len()];
    let mut border = 0;
    for k in 1..needle.len() {
        while border > 0 && needle[at(k)] != needle[at(border)] {
            border = borders[border - 1];
        }
        if needle[at(k)] == needle[at(border)] {
            border += 1;
        }
        borders[k] = border;
    }
    borders
}

#[derive(Clone, Debug)]
pub struct Finder<'n> {
    needle: Cow<'n, [u8]>,
    borders: Vec<usize>,
}

impl<'n> Finder<'n> {
    pub fn new<B: ?Sized + AsRef<[u8]>>(needle: &'n B) -> Finder<'n> {
        FinderBuilder::new().build_forward(needle)
    }

    pub fn find(&self, haystack: &[u8]) -> Option<usize> {
        let needle = self.needle();
        if needle.is_empty() {
            return Some(0);
        }
        let mut same = 0;
        for (k, byte) in haystack.iter().enumerate() {
            while same > 0 && *byte != needle[same] {
                same = self.borders[same - 1];
            }
            if *byte == needle[same] {
                same += 1;
            }
            if same == needle.len() {
                return Some(k + 1 - same);
            }
        }
        None
    }

    pub fn find_iter<'a, 'h>(&'a self, haystack: &'h [u8]) -> FindIter<'h, 'a> {
        FindIter { haystack, finder: self.as_ref(), pos: 0 }
    }

    pub fn into_owned(self) -> Finder<'static> {
        Finder { needle: Cow::Owned(self.needle.into_owned()), borders: self.borders }
    }

    pub fn as_ref(&self) -> Finder<'_> {
        Finder { needle: Cow::Borrowed(self.needle()), borders: self.borders.clone() }
    }

    pub fn needle(&self) -> &[u8] {
        &self.needle
    }
}

#[derive(Clone, Debug)]
pub struct FinderRev<'n> {
    needle: Cow<'n, [u8]>,
    borders: Vec<usize>,
}

impl<'n> FinderRev<'n> {
    pub fn new<B: ?Sized + AsRef<[u8]>>(needle: &'n B) -> FinderRev<'n> {
        FinderBuilder::new().build_reverse(needle)
    }

    pub fn rfind<B: AsRef<[u8]>>(&self, haystack: B) -> Option<usize> {
        let (haystack, needle) = (haystack.as_ref(), self.needle());
        let Some(last) = needle.len().checked_sub(1) else { return Some(haystack.len()) };
        let mut same = 0;
        for (k, byte) in haystack.iter().enumerate().rev() {
            while same > 0 && *byte != needle[last - same] {
                same = self.borders[same - 1];
            }
            if *byte == needle[last - same] {
                same += 1;
            }
            if same == needle.len() {
                return Some(k);
            }
        }
        None
    }

    pub fn rfind_iter<'a, 'h>(&'a self, haystack: &'h [u8]) -> FindRevIter<'h, 'a> {
        FindRevIter { haystack, finder: self.as_ref(), pos: Some(haystack.len()) }
    }

    pub fn into_owned(self) -> FinderRev<'static> {
        FinderRev { needle: Cow::Owned(self.needle.into_owned()), borders: self.borders }
    }

    pub fn as_ref(&self) -> FinderRev<'_> {
        FinderRev { needle: Cow::Borrowed(self.needle()), borders: self.borders.clone() }
    }

    pub fn needle(&self) -> &[u8] {
        &self.needle
    }
}

/// What a search may try before it compares; it changes no result.
#[derive(Clone, Copy, Debug, Default)]
pub enum Prefilter {
    None,
    #[default]
    Auto,
}

#[derive(Clone, Debug, Default)]
pub struct FinderBuilder {
    prefilter: Prefilter,
}

impl FinderBuilder {
    pub fn new() -> FinderBuilder {
        FinderBuilder::default()
    }

    pub fn build_forward<'n, B: ?Sized + AsRef<[u8]>>(&self, needle: &'n B) -> Finder<'n> {
        let needle = needle.as_ref();
        Finder { needle: Cow::Borrowed(needle), borders: borders(needle, |k| k) }
    }

    pub fn build_forward_owned<B: Into<Box<[u8]>>>(&self, needle: B) -> Finder<'static> {
        let needle = needle.into().into_vec();
        let borders = borders(&needle, |k| k);
        Finder { needle: Cow::Owned(needle), borders }
    }

    pub fn build_reverse<'n, B: ?Sized + AsRef<[u8]>>(&self, needle: &'n B) -> FinderRev<'n> {
        let needle = needle.as_ref();
        FinderRev { needle: Cow::Borrowed(needle), borders: borders(needle, |k| needle.len() - 1 - k) }
    }

    pub fn build_reverse_owned<B: Into<Box<[u8]>>>(&self, needle: B) -> FinderRev<'static> {
        let needle = needle.into().into_vec();
        let borders = borders(&needle, |k| needle.len() - 1 - k);
        FinderRev { needle: Cow::Owned(needle), borders }
    }

    pub fn prefilter(&mut self, prefilter: Prefilter) -> &mut FinderBuilder {
        self.prefilter = prefilter;
        self
    }
}

#[derive(Clone, Debug)]
pub struct FindIter<'h, 'n> {
    haystack: &'h [u8],
    finder: Finder<'n>,
    pos: usize,
}

impl<'h, 'n> FindIter<'h, 'n> {
    pub fn into_owned(self) -> FindIter<'h, 'static> {
        FindIter { haystack: self.haystack, finder: self.finder.into_owned(), pos: self.pos }
    }
}

impl<'h, 'n> Iterator for FindIter<'h, 'n> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let at = self.pos + self.finder.find(self.haystack.get(self.pos..)?)?;
        self.pos = at + self.finder.needle().len().max(1);
        Some(at)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let Some(left) = self.haystack.len().checked_sub(self.pos) else { return (0, Some(0)) };
        match self.finder.needle().len() {
            0 => (left.saturating_add(1), left.checked_add(1)),
            len => (0, Some(left / len)),
        }
    }
}

#[derive(Clone, Debug)]
pub struct FindRevIter<'h, 'n> {
    haystack: &'h [u8],
    finder: FinderRev<'n>,
    pos: Option<usize>,
}

impl<'h, 'n> FindRevIter<'h, 'n> {
    pub fn into_owned(self) -> FindRevIter<'h, 'static> {
        FindRevIter { haystack: self.haystack, finder: self.finder.into_owned(), pos: self.pos }
    }
}

impl<'h, 'n> Iterator for FindRevIter<'h, 'n> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let pos = self.pos?;
        let at = self.finder.rfind(&self.haystack[..pos])?;
        self.pos = if at == pos { pos.checked_sub(1) } else { Some(at) };
        Some(at)
    }
}
