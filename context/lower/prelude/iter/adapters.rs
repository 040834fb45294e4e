//! Adaptors that return the items of the underlying iterator, changed or in another order.

#[derive(Clone)]
pub struct Map<I, F> {
    iter: I,
    f: F,
}

pub fn map<I, F>(iter: I, f: F) -> Map<I, F> {
    Map { iter, f }
}

impl<B, I: Iterator, F: FnMut(I::Item) -> B> Iterator for Map<I, F> {
    type Item = B;

    fn next(&mut self) -> Option<B> {
        match self.iter.next() {
            Some(x) => Some((self.f)(x)),
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.iter.size_hint()
    }

    fn __trusted_random_access() -> bool {
        I::__trusted_random_access()
    }

    fn __trusted_len() -> bool {
        I::__trusted_len()
    }

    fn __before_fold(&mut self) {
        self.iter.__before_fold();
    }
}

impl<B, I: DoubleEndedIterator, F: FnMut(I::Item) -> B> DoubleEndedIterator for Map<I, F> {
    fn next_back(&mut self) -> Option<B> {
        match self.iter.next_back() {
            Some(x) => Some((self.f)(x)),
            None => None,
        }
    }
}

impl<B, I: ExactSizeIterator, F: FnMut(I::Item) -> B> ExactSizeIterator for Map<I, F> {}

#[derive(Clone, Debug)]
pub struct Enumerate<I> {
    iter: I,
    count: usize,
}

pub fn enumerate<I>(iter: I) -> Enumerate<I> {
    Enumerate { iter, count: 0 }
}

impl<I: Iterator> Iterator for Enumerate<I> {
    type Item = (usize, I::Item);

    fn next(&mut self) -> Option<(usize, I::Item)> {
        match self.iter.next() {
            Some(x) => {
                let i = self.count;
                self.count += 1;
                Some((i, x))
            }
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.iter.size_hint()
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
        self.iter.__before_fold();
    }
}

impl<I: ExactSizeIterator + DoubleEndedIterator> DoubleEndedIterator for Enumerate<I> {
    fn next_back(&mut self) -> Option<(usize, I::Item)> {
        match self.iter.next_back() {
            Some(x) => Some((self.count + self.iter.len(), x)),
            None => None,
        }
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Enumerate<I> {}

/// Two iterators in parallel.
///
/// The library of Rust 1.95 requests no more items from either side than both have if it can access them by position,
/// or if it trusts both lengths and folds over all: inner closures are then not called for an unpaired item.
#[derive(Clone, Debug)]
pub struct Rev<I> {
    iter: I,
}

pub fn rev<I>(iter: I) -> Rev<I> {
    Rev { iter }
}

impl<I: DoubleEndedIterator> Iterator for Rev<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.iter.next_back()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.iter.size_hint()
    }

    fn __may_have_side_effect() -> bool {
        I::__may_have_side_effect()
    }

    fn __trusted_len() -> bool {
        I::__trusted_len()
    }

    fn nth(&mut self, n: usize) -> Option<I::Item> {
        self.iter.nth_back(n)
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Rev<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        self.iter.next()
    }
}

impl<I: ExactSizeIterator + DoubleEndedIterator> ExactSizeIterator for Rev<I> {}

#[derive(Clone, Debug)]
pub struct Copied<I> {
    it: I,
}

pub fn copied<I>(iter: I) -> Copied<I> {
    Copied { it: iter }
}

impl<'a, T: 'a, I: Iterator<Item = &'a T>> Iterator for Copied<I> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match self.it.next() {
            Some(x) => Some(*x),
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.it.size_hint()
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
        self.it.__before_fold();
    }

    fn nth(&mut self, n: usize) -> Option<T> {
        match self.it.nth(n) {
            Some(x) => Some(*x),
            None => None,
        }
    }
}

impl<'a, T: 'a, I: DoubleEndedIterator<Item = &'a T>> DoubleEndedIterator for Copied<I> {
    fn next_back(&mut self) -> Option<T> {
        match self.it.next_back() {
            Some(x) => Some(*x),
            None => None,
        }
    }
}

impl<'a, T: 'a, I: ExactSizeIterator<Item = &'a T>> ExactSizeIterator for Copied<I> {}

#[derive(Clone, Debug)]
pub struct Cloned<I> {
    it: I,
}

pub fn cloned<I>(iter: I) -> Cloned<I> {
    Cloned { it: iter }
}

impl<'a, T: 'a + Clone, I: Iterator<Item = &'a T>> Iterator for Cloned<I> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match self.it.next() {
            Some(x) => Some(T::clone(x)),
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.it.size_hint()
    }

    fn __trusted_random_access() -> bool {
        I::__trusted_random_access()
    }

    fn __trusted_len() -> bool {
        I::__trusted_len()
    }

    fn __before_fold(&mut self) {
        self.it.__before_fold();
    }
}

impl<'a, T: 'a + Clone, I: DoubleEndedIterator<Item = &'a T>> DoubleEndedIterator for Cloned<I> {
    fn next_back(&mut self) -> Option<T> {
        match self.it.next_back() {
            Some(x) => Some(T::clone(x)),
            None => None,
        }
    }
}

impl<'a, T: 'a + Clone, I: ExactSizeIterator<Item = &'a T>> ExactSizeIterator for Cloned<I> {}

#[derive(Clone, Debug)]
pub struct Chain<A, B> {
    a: Option<A>,
    b: Option<B>,
}

pub fn chain<A, B>(a: A, b: B) -> Chain<A, B> {
    Chain { a: Some(a), b: Some(b) }
}

impl<A: Iterator, B: Iterator<Item = A::Item>> Iterator for Chain<A, B> {
    type Item = A::Item;

    fn next(&mut self) -> Option<A::Item> {
        if let Some(a) = &mut self.a {
            if let Some(x) = a.next() {
                return Some(x);
            }
            self.a = None;
        }
        match &mut self.b {
            Some(b) => b.next(),
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let (low_a, high_a) = match &self.a {
            Some(a) => a.size_hint(),
            None => (0, Some(0)),
        };
        let (low_b, high_b) = match &self.b {
            Some(b) => b.size_hint(),
            None => (0, Some(0)),
        };
        let high = match (high_a, high_b) {
            (Some(x), Some(y)) => x.checked_add(y),
            _ => None,
        };
        (low_a.saturating_add(low_b), high)
    }

    fn __may_have_side_effect() -> bool {
        A::__may_have_side_effect() || B::__may_have_side_effect()
    }

    fn __trusted_len() -> bool {
        A::__trusted_len() && B::__trusted_len()
    }

    fn __before_fold(&mut self) {
        if let Some(a) = &mut self.a {
            a.__before_fold();
        }
        if let Some(b) = &mut self.b {
            b.__before_fold();
        }
    }
}

impl<A: DoubleEndedIterator, B: DoubleEndedIterator<Item = A::Item>> DoubleEndedIterator for Chain<A, B> {
    fn next_back(&mut self) -> Option<A::Item> {
        if let Some(b) = &mut self.b {
            if let Some(x) = b.next_back() {
                return Some(x);
            }
            self.b = None;
        }
        match &mut self.a {
            Some(a) => a.next_back(),
            None => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Cycle<I> {
    orig: I,
    iter: I,
}

pub fn cycle<I: Clone>(iter: I) -> Cycle<I> {
    Cycle { orig: I::clone(&iter), iter }
}

impl<I: Clone + Iterator> Iterator for Cycle<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        match self.iter.next() {
            Some(x) => Some(x),
            None => {
                self.iter = I::clone(&self.orig);
                self.iter.next()
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self.orig.size_hint() {
            (0, Some(0)) => (0, Some(0)),
            (0, _) => (0, None),
            _ => (usize::MAX, None),
        }
    }
}

#[derive(Clone)]
pub struct Inspect<I, F> {
    iter: I,
    f: F,
}

pub fn inspect<I, F>(iter: I, f: F) -> Inspect<I, F> {
    Inspect { iter, f }
}

impl<I: Iterator, F: FnMut(&I::Item)> Iterator for Inspect<I, F> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        match self.iter.next() {
            Some(x) => {
                (self.f)(&x);
                Some(x)
            }
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.iter.size_hint()
    }

    fn __before_fold(&mut self) {
        self.iter.__before_fold();
    }
}

impl<I: DoubleEndedIterator, F: FnMut(&I::Item)> DoubleEndedIterator for Inspect<I, F> {
    fn next_back(&mut self) -> Option<I::Item> {
        match self.iter.next_back() {
            Some(x) => {
                (self.f)(&x);
                Some(x)
            }
            None => None,
        }
    }
}

impl<I: ExactSizeIterator, F: FnMut(&I::Item)> ExactSizeIterator for Inspect<I, F> {}
