//! Adaptors that omit items, stop early, or look ahead.

#[derive(Clone)]
pub struct Filter<I, P> {
    iter: I,
    predicate: P,
}

pub fn filter<I, P>(iter: I, predicate: P) -> Filter<I, P> {
    Filter { iter, predicate }
}

impl<I: Iterator, P: FnMut(&I::Item) -> bool> Iterator for Filter<I, P> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        while let Some(x) = self.iter.next() {
            if (self.predicate)(&x) {
                return Some(x);
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.iter.size_hint().1)
    }

    fn __before_fold(&mut self) {
        self.iter.__before_fold();
    }
}

impl<I: DoubleEndedIterator, P: FnMut(&I::Item) -> bool> DoubleEndedIterator for Filter<I, P> {
    fn next_back(&mut self) -> Option<I::Item> {
        while let Some(x) = self.iter.next_back() {
            if (self.predicate)(&x) {
                return Some(x);
            }
        }
        None
    }
}

#[derive(Clone)]
pub struct FilterMap<I, F> {
    iter: I,
    f: F,
}

pub fn filter_map<I, F>(iter: I, f: F) -> FilterMap<I, F> {
    FilterMap { iter, f }
}

impl<B, I: Iterator, F: FnMut(I::Item) -> Option<B>> Iterator for FilterMap<I, F> {
    type Item = B;

    fn next(&mut self) -> Option<B> {
        while let Some(x) = self.iter.next() {
            if let Some(y) = (self.f)(x) {
                return Some(y);
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.iter.size_hint().1)
    }

    fn __before_fold(&mut self) {
        self.iter.__before_fold();
    }
}

impl<B, I: DoubleEndedIterator, F: FnMut(I::Item) -> Option<B>> DoubleEndedIterator for FilterMap<I, F> {
    fn next_back(&mut self) -> Option<B> {
        while let Some(x) = self.iter.next_back() {
            if let Some(y) = (self.f)(x) {
                return Some(y);
            }
        }
        None
    }
}

#[derive(Clone)]
pub struct TakeWhile<I, P> {
    iter: I,
    done: bool,
    predicate: P,
}

pub fn take_while<I, P>(iter: I, predicate: P) -> TakeWhile<I, P> {
    TakeWhile { iter, done: false, predicate }
}

impl<I: Iterator, P: FnMut(&I::Item) -> bool> Iterator for TakeWhile<I, P> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        if self.done {
            return None;
        }
        match self.iter.next() {
            Some(x) => {
                if (self.predicate)(&x) {
                    Some(x)
                } else {
                    self.done = true;
                    None
                }
            }
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.done { (0, Some(0)) } else { (0, self.iter.size_hint().1) }
    }
}

#[derive(Clone)]
pub struct SkipWhile<I, P> {
    iter: I,
    started: bool,
    predicate: P,
}

pub fn skip_while<I, P>(iter: I, predicate: P) -> SkipWhile<I, P> {
    SkipWhile { iter, started: false, predicate }
}

impl<I: Iterator, P: FnMut(&I::Item) -> bool> Iterator for SkipWhile<I, P> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        while let Some(x) = self.iter.next() {
            if self.started || !(self.predicate)(&x) {
                self.started = true;
                return Some(x);
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.iter.size_hint().1)
    }

    fn __before_fold(&mut self) {
        self.iter.__before_fold();
    }
}

#[derive(Clone)]
pub struct MapWhile<I, P> {
    iter: I,
    predicate: P,
}

pub fn map_while<I, P>(iter: I, predicate: P) -> MapWhile<I, P> {
    MapWhile { iter, predicate }
}

impl<B, I: Iterator, P: FnMut(I::Item) -> Option<B>> Iterator for MapWhile<I, P> {
    type Item = B;

    fn next(&mut self) -> Option<B> {
        match self.iter.next() {
            Some(x) => (self.predicate)(x),
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.iter.size_hint().1)
    }
}

#[derive(Clone)]
pub struct Scan<I, St, F> {
    iter: I,
    f: F,
    state: St,
}

pub fn scan<I, St, F>(iter: I, state: St, f: F) -> Scan<I, St, F> {
    Scan { iter, f, state }
}

impl<B, I: Iterator, St, F: FnMut(&mut St, I::Item) -> Option<B>> Iterator for Scan<I, St, F> {
    type Item = B;

    fn next(&mut self) -> Option<B> {
        match self.iter.next() {
            Some(x) => (self.f)(&mut self.state, x),
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.iter.size_hint().1)
    }
}

#[derive(Clone, Debug)]
pub struct Fuse<I> {
    iter: Option<I>,
}

pub fn fuse<I>(iter: I) -> Fuse<I> {
    Fuse { iter: Some(iter) }
}

impl<I: Iterator> Iterator for Fuse<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let item = match &mut self.iter {
            Some(iter) => iter.next(),
            None => return None,
        };
        if item.is_none() {
            self.iter = None;
        }
        item
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.iter {
            Some(iter) => iter.size_hint(),
            None => (0, Some(0)),
        }
    }

    fn __may_have_side_effect() -> bool {
        I::__may_have_side_effect()
    }

    fn __trusted_random_access() -> bool {
        I::__trusted_random_access()
    }

    fn __trusted_len() -> bool {
        I::__trusted_len()
    }

    fn __before_fold(&mut self) {
        if let Some(iter) = &mut self.iter {
            iter.__before_fold();
        }
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Fuse<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        let item = match &mut self.iter {
            Some(iter) => iter.next_back(),
            None => return None,
        };
        if item.is_none() {
            self.iter = None;
        }
        item
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Fuse<I> {}

#[derive(Clone)]
pub struct Peekable<I: Iterator> {
    iter: I,
    peeked: Option<Option<I::Item>>,
}

impl<I: Iterator + crate::fmt::Debug> crate::fmt::Debug for Peekable<I>
where
    I::Item: crate::fmt::Debug,
{
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.debug_struct("Peekable").field("iter", &self.iter).field("peeked", &self.peeked).finish()
    }
}

pub fn peekable<I: Iterator>(iter: I) -> Peekable<I> {
    Peekable { iter, peeked: None }
}

impl<I: Iterator> Iterator for Peekable<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        match self.peeked.take() {
            Some(item) => item,
            None => self.iter.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let more = match &self.peeked {
            Some(None) => return (0, Some(0)),
            Some(Some(_)) => 1,
            None => 0,
        };
        let (low, high) = self.iter.size_hint();
        let high = match high {
            Some(high) => high.checked_add(more),
            None => None,
        };
        (low.saturating_add(more), high)
    }

    fn __may_have_side_effect() -> bool {
        I::__may_have_side_effect()
    }

    fn __trusted_len() -> bool {
        I::__trusted_len()
    }

    fn __before_fold(&mut self) {
        self.iter.__before_fold();
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Peekable<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        match &self.peeked {
            Some(None) => None,
            Some(Some(_)) => match self.iter.next_back() {
                Some(x) => Some(x),
                None => self.peeked.take().flatten(),
            },
            None => self.iter.next_back(),
        }
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Peekable<I> {}

impl<I: Iterator> Peekable<I> {
    fn fill(&mut self) {
        if self.peeked.is_none() {
            self.peeked = Some(self.iter.next());
        }
    }

    pub fn peek(&mut self) -> Option<&I::Item> {
        self.fill();
        match &self.peeked {
            Some(Some(item)) => Some(item),
            _ => None,
        }
    }

    pub fn peek_mut(&mut self) -> Option<&mut I::Item> {
        self.fill();
        match &mut self.peeked {
            Some(Some(item)) => Some(item),
            _ => None,
        }
    }

    pub fn next_if(&mut self, func: impl FnOnce(&I::Item) -> bool) -> Option<I::Item> {
        match self.next() {
            Some(x) => {
                if func(&x) {
                    Some(x)
                } else {
                    self.peeked = Some(Some(x));
                    None
                }
            }
            None => {
                self.peeked = Some(None);
                None
            }
        }
    }

    pub fn next_if_eq<T: ?Sized>(&mut self, expected: &T) -> Option<I::Item>
    where
        I::Item: PartialEq<T>,
    {
        self.next_if(|next| *next == *expected)
    }
}
