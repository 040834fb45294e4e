//! The trait of iterators; all its methods are derived from `next`.

use super::*;
use crate::cmp::Ordering;
use crate::ops::{ControlFlow, Try};

#[lang("iterator")]
pub trait Iterator {
    type Item;

    fn next(&mut self) -> Option<Self::Item>;

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, None)
    }

    /// Whether requesting an item is observable: a closure is called, or an item is dropped.
    fn __may_have_side_effect() -> bool {
        true
    }

    /// Whether `zip` accesses the items by position, so that it requests no more from either side than both have.
    fn __trusted_random_access() -> bool {
        false
    }

    /// Whether `size_hint` is trusted: folding over a `zip` of such iterators requests no excess items either.
    fn __trusted_len() -> bool {
        false
    }

    /// Called before all items are folded; forwarded by adaptors whose `fold` is one of the underlying iterator.
    fn __before_fold(&mut self) {}

    fn count(mut self) -> usize {
        self.__before_fold();
        let mut n = 0;
        while let Some(_) = self.next() {
            n += 1;
        }
        n
    }

    fn last(mut self) -> Option<Self::Item> {
        self.__before_fold();
        let mut last = None;
        while let Some(x) = self.next() {
            last = Some(x);
        }
        last
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        for _ in 0..n {
            if self.next().is_none() {
                return None;
            }
        }
        self.next()
    }

    fn step_by(self, step: usize) -> StepBy<Self> {
        adapters_take::step_by(self, step)
    }

    fn chain<U: IntoIterator<Item = Self::Item>>(self, other: U) -> Chain<Self, U::IntoIter> {
        adapters::chain(self, other.into_iter())
    }

    fn zip<U: IntoIterator>(self, other: U) -> Zip<Self, U::IntoIter> {
        zip(self, other)
    }

    fn map<B, F: FnMut(Self::Item) -> B>(self, f: F) -> Map<Self, F> {
        adapters::map(self, f)
    }

    fn for_each<F: FnMut(Self::Item)>(mut self, mut f: F) {
        self.__before_fold();
        while let Some(x) = self.next() {
            f(x);
        }
    }

    fn filter<P: FnMut(&Self::Item) -> bool>(self, predicate: P) -> Filter<Self, P> {
        adapters_if::filter(self, predicate)
    }

    fn filter_map<B, F: FnMut(Self::Item) -> Option<B>>(self, f: F) -> FilterMap<Self, F> {
        adapters_if::filter_map(self, f)
    }

    fn enumerate(self) -> Enumerate<Self> {
        adapters::enumerate(self)
    }

    fn peekable(self) -> Peekable<Self> {
        adapters_if::peekable(self)
    }

    fn skip_while<P: FnMut(&Self::Item) -> bool>(self, predicate: P) -> SkipWhile<Self, P> {
        adapters_if::skip_while(self, predicate)
    }

    fn take_while<P: FnMut(&Self::Item) -> bool>(self, predicate: P) -> TakeWhile<Self, P> {
        adapters_if::take_while(self, predicate)
    }

    fn map_while<B, P: FnMut(Self::Item) -> Option<B>>(self, predicate: P) -> MapWhile<Self, P> {
        adapters_if::map_while(self, predicate)
    }

    fn skip(self, n: usize) -> Skip<Self> {
        adapters_take::skip(self, n)
    }

    fn take(self, n: usize) -> Take<Self> {
        adapters_take::take(self, n)
    }

    fn scan<St, B, F: FnMut(&mut St, Self::Item) -> Option<B>>(self, initial: St, f: F) -> Scan<Self, St, F> {
        adapters_if::scan(self, initial, f)
    }

    fn flat_map<U: IntoIterator, F: FnMut(Self::Item) -> U>(self, f: F) -> FlatMap<Self, U, F> {
        adapters_flat::flat_map(self, f)
    }

    fn flatten(self) -> Flatten<Self>
    where
        Self::Item: IntoIterator,
    {
        adapters_flat::flatten(self)
    }

    fn fuse(self) -> Fuse<Self> {
        adapters_if::fuse(self)
    }

    fn inspect<F: FnMut(&Self::Item)>(self, f: F) -> Inspect<Self, F> {
        adapters::inspect(self, f)
    }

    fn by_ref(&mut self) -> &mut Self {
        self
    }

    fn collect<B: FromIterator<Self::Item>>(self) -> B {
        B::from_iter(self)
    }

    fn partition<B, F>(mut self, mut f: F) -> (B, B)
    where
        B: Default + Extend<Self::Item>,
        F: FnMut(&Self::Item) -> bool,
    {
        let mut left = B::default();
        let mut right = B::default();
        self.__before_fold();
        while let Some(x) = self.next() {
            if f(&x) {
                left.extend(Some(x));
            } else {
                right.extend(Some(x));
            }
        }
        (left, right)
    }

    fn is_partitioned<P: FnMut(Self::Item) -> bool>(mut self, mut predicate: P) -> bool {
        while let Some(x) = self.next() {
            if !predicate(x) {
                return !self.any(predicate);
            }
        }
        true
    }

    fn try_fold<B, F, R>(&mut self, init: B, mut f: F) -> R
    where
        F: FnMut(B, Self::Item) -> R,
        R: Try<Output = B>,
    {
        let mut acc = init;
        while let Some(x) = self.next() {
            match f(acc, x).branch() {
                ControlFlow::Continue(next) => acc = next,
                ControlFlow::Break(residual) => return R::from_residual(residual),
            }
        }
        R::from_output(acc)
    }

    fn try_for_each<F, R>(&mut self, mut f: F) -> R
    where
        F: FnMut(Self::Item) -> R,
        R: Try<Output = ()>,
    {
        while let Some(x) = self.next() {
            match f(x).branch() {
                ControlFlow::Continue(_) => {}
                ControlFlow::Break(residual) => return R::from_residual(residual),
            }
        }
        R::from_output(())
    }

    fn fold<B, F: FnMut(B, Self::Item) -> B>(mut self, init: B, mut f: F) -> B {
        self.__before_fold();
        let mut acc = init;
        while let Some(x) = self.next() {
            acc = f(acc, x);
        }
        acc
    }

    fn reduce<F>(mut self, f: F) -> Option<Self::Item>
    where
        F: FnMut(Self::Item, Self::Item) -> Self::Item,
    {
        match self.next() {
            Some(first) => Some(self.fold(first, f)),
            None => None,
        }
    }

    fn all<F: FnMut(Self::Item) -> bool>(&mut self, mut f: F) -> bool {
        while let Some(x) = self.next() {
            if !f(x) {
                return false;
            }
        }
        true
    }

    fn any<F: FnMut(Self::Item) -> bool>(&mut self, mut f: F) -> bool {
        while let Some(x) = self.next() {
            if f(x) {
                return true;
            }
        }
        false
    }

    fn find<P: FnMut(&Self::Item) -> bool>(&mut self, mut predicate: P) -> Option<Self::Item> {
        while let Some(x) = self.next() {
            if predicate(&x) {
                return Some(x);
            }
        }
        None
    }

    fn find_map<B, F: FnMut(Self::Item) -> Option<B>>(&mut self, mut f: F) -> Option<B> {
        while let Some(x) = self.next() {
            if let Some(found) = f(x) {
                return Some(found);
            }
        }
        None
    }

    fn position<P: FnMut(Self::Item) -> bool>(&mut self, mut predicate: P) -> Option<usize> {
        let mut i = 0;
        while let Some(x) = self.next() {
            if predicate(x) {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    fn rposition<P>(&mut self, mut predicate: P) -> Option<usize>
    where
        P: FnMut(Self::Item) -> bool,
        Self: ExactSizeIterator + DoubleEndedIterator,
    {
        let mut i = self.len();
        while let Some(x) = self.next_back() {
            i -= 1;
            if predicate(x) {
                return Some(i);
            }
        }
        None
    }

    fn max(self) -> Option<Self::Item>
    where
        Self::Item: Ord,
    {
        self.max_by(|a, b| Ord::cmp(a, b))
    }

    fn min(self) -> Option<Self::Item>
    where
        Self::Item: Ord,
    {
        self.min_by(|a, b| Ord::cmp(a, b))
    }

    fn max_by_key<B: Ord, F: FnMut(&Self::Item) -> B>(mut self, mut f: F) -> Option<Self::Item> {
        let mut best = self.next()?;
        let mut key = f(&best);
        self.__before_fold();
        while let Some(x) = self.next() {
            let next = f(&x);
            if Ord::cmp(&key, &next).is_le() {
                best = x;
                key = next;
            }
        }
        Some(best)
    }

    fn max_by<F: FnMut(&Self::Item, &Self::Item) -> Ordering>(mut self, mut compare: F) -> Option<Self::Item> {
        let mut best = self.next()?;
        self.__before_fold();
        while let Some(x) = self.next() {
            if compare(&best, &x).is_le() {
                best = x;
            }
        }
        Some(best)
    }

    fn min_by_key<B: Ord, F: FnMut(&Self::Item) -> B>(mut self, mut f: F) -> Option<Self::Item> {
        let mut best = self.next()?;
        let mut key = f(&best);
        self.__before_fold();
        while let Some(x) = self.next() {
            let next = f(&x);
            if Ord::cmp(&key, &next).is_gt() {
                best = x;
                key = next;
            }
        }
        Some(best)
    }

    fn min_by<F: FnMut(&Self::Item, &Self::Item) -> Ordering>(mut self, mut compare: F) -> Option<Self::Item> {
        let mut best = self.next()?;
        self.__before_fold();
        while let Some(x) = self.next() {
            if compare(&best, &x).is_gt() {
                best = x;
            }
        }
        Some(best)
    }

    fn rev(self) -> Rev<Self>
    where
        Self: DoubleEndedIterator,
    {
        adapters::rev(self)
    }

    fn unzip<A, B, FromA, FromB>(mut self) -> (FromA, FromB)
    where
        FromA: Default + Extend<A>,
        FromB: Default + Extend<B>,
        Self: Iterator<Item = (A, B)>,
    {
        let mut left = FromA::default();
        let mut right = FromB::default();
        self.__before_fold();
        while let Some((a, b)) = self.next() {
            left.extend(Some(a));
            right.extend(Some(b));
        }
        (left, right)
    }

    fn copied<'a, T: 'a>(self) -> Copied<Self>
    where
        Self: Iterator<Item = &'a T>,
    {
        adapters::copied(self)
    }

    fn cloned<'a, T: 'a + Clone>(self) -> Cloned<Self>
    where
        Self: Iterator<Item = &'a T>,
    {
        adapters::cloned(self)
    }

    fn cycle(self) -> Cycle<Self>
    where
        Self: Clone,
    {
        adapters::cycle(self)
    }

    fn sum<S: Sum<Self::Item>>(self) -> S {
        S::sum(self)
    }

    fn product<P: Product<Self::Item>>(self) -> P {
        P::product(self)
    }

    fn cmp<I>(self, other: I) -> Ordering
    where
        I: IntoIterator<Item = Self::Item>,
        Self::Item: Ord,
    {
        compare::cmp(self, other.into_iter())
    }

    fn partial_cmp<I>(self, other: I) -> Option<Ordering>
    where
        I: IntoIterator,
        Self::Item: PartialOrd<I::Item>,
    {
        compare::partial_cmp(self, other.into_iter())
    }

    fn eq<I>(self, other: I) -> bool
    where
        I: IntoIterator,
        Self::Item: PartialEq<I::Item>,
    {
        compare::eq(self, other.into_iter())
    }

    fn ne<I>(self, other: I) -> bool
    where
        I: IntoIterator,
        Self::Item: PartialEq<I::Item>,
    {
        !Iterator::eq(self, other)
    }

    fn lt<I>(self, other: I) -> bool
    where
        I: IntoIterator,
        Self::Item: PartialOrd<I::Item>,
    {
        Iterator::partial_cmp(self, other) == Some(Ordering::Less)
    }

    fn le<I>(self, other: I) -> bool
    where
        I: IntoIterator,
        Self::Item: PartialOrd<I::Item>,
    {
        matches!(Iterator::partial_cmp(self, other), Some(Ordering::Less | Ordering::Equal))
    }

    fn gt<I>(self, other: I) -> bool
    where
        I: IntoIterator,
        Self::Item: PartialOrd<I::Item>,
    {
        Iterator::partial_cmp(self, other) == Some(Ordering::Greater)
    }

    fn ge<I>(self, other: I) -> bool
    where
        I: IntoIterator,
        Self::Item: PartialOrd<I::Item>,
    {
        matches!(Iterator::partial_cmp(self, other), Some(Ordering::Greater | Ordering::Equal))
    }

    fn is_sorted(self) -> bool
    where
        Self::Item: PartialOrd,
    {
        self.is_sorted_by(|a, b| a <= b)
    }

    fn is_sorted_by_key<F: FnMut(Self::Item) -> K, K: PartialOrd>(self, f: F) -> bool {
        self.map(f).is_sorted()
    }

    fn is_sorted_by<F: FnMut(&Self::Item, &Self::Item) -> bool>(mut self, mut compare: F) -> bool {
        let Some(mut last) = self.next() else { return true };
        while let Some(x) = self.next() {
            if !compare(&last, &x) {
                return false;
            }
            last = x;
        }
        true
    }
}
