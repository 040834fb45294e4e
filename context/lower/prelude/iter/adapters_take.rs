//! Adaptors that count.

#[derive(Clone, Debug)]
pub struct Take<I> {
    iter: I,
    n: usize,
}

pub fn take<I>(iter: I, n: usize) -> Take<I> {
    Take { iter, n }
}

impl<I: Iterator> Iterator for Take<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        if self.n == 0 {
            return None;
        }
        self.n -= 1;
        self.iter.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.n == 0 {
            return (0, Some(0));
        }
        let (low, high) = self.iter.size_hint();
        let high = match high {
            Some(high) if high < self.n => high,
            _ => self.n,
        };
        (low.min(self.n), Some(high))
    }

    fn __may_have_side_effect() -> bool {
        I::__may_have_side_effect()
    }

    fn __trusted_len() -> bool {
        I::__trusted_len()
    }
}

impl<I: DoubleEndedIterator + ExactSizeIterator> DoubleEndedIterator for Take<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        if self.n == 0 {
            return None;
        }
        let n = self.n;
        self.n -= 1;
        let len = self.iter.len();
        if len > n { self.iter.nth_back(len - n) } else { self.iter.next_back() }
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Take<I> {}

impl<T: Clone> DoubleEndedIterator for Take<super::Repeat<T>> {
    fn next_back(&mut self) -> Option<T> {
        self.next()
    }
}

impl<T: Clone> ExactSizeIterator for Take<super::Repeat<T>> {}

impl<A, F: FnMut() -> A> ExactSizeIterator for Take<super::RepeatWith<F>> {}

#[derive(Clone, Debug)]
pub struct Skip<I> {
    iter: I,
    n: usize,
}

pub fn skip<I>(iter: I, n: usize) -> Skip<I> {
    Skip { iter, n }
}

impl<I: Iterator> Iterator for Skip<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        if self.n > 0 {
            let n = self.n;
            self.n = 0;
            self.iter.nth(n)
        } else {
            self.iter.next()
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let (low, high) = self.iter.size_hint();
        let high = match high {
            Some(high) => Some(high.saturating_sub(self.n)),
            None => None,
        };
        (low.saturating_sub(self.n), high)
    }

    fn __before_fold(&mut self) {
        self.iter.__before_fold();
    }

    fn __may_have_side_effect() -> bool {
        I::__may_have_side_effect()
    }

    fn __trusted_random_access() -> bool {
        I::__trusted_random_access()
    }

    fn __trusted_len() -> bool {
        I::__trusted_random_access()
    }
}

impl<I: DoubleEndedIterator + ExactSizeIterator> DoubleEndedIterator for Skip<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        if self.iter.len() > self.n { self.iter.next_back() } else { None }
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Skip<I> {}

#[derive(Clone, Debug)]
pub struct StepBy<I> {
    iter: I,
    /// The number of items skipped.
    step_minus_one: usize,
    first_take: bool,
}

pub fn step_by<I>(iter: I, step: usize) -> StepBy<I> {
    assert!(step != 0);
    StepBy { iter, step_minus_one: step - 1, first_take: true }
}

impl<I: Iterator> Iterator for StepBy<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        if self.first_take {
            self.first_take = false;
            self.iter.next()
        } else {
            self.iter.nth(self.step_minus_one)
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let (low, high) = self.iter.size_hint();
        let high = match high {
            Some(high) => Some(self.step_count(high)),
            None => None,
        };
        (self.step_count(low), high)
    }

    fn __may_have_side_effect() -> bool {
        I::__may_have_side_effect()
    }

    fn __trusted_len() -> bool {
        I::__trusted_random_access()
    }
}

impl<I: Iterator> StepBy<I> {
    fn step_count(&self, n: usize) -> usize {
        if self.first_take {
            if n == 0 { 0 } else { 1 + (n - 1) / (self.step_minus_one + 1) }
        } else {
            n / (self.step_minus_one + 1)
        }
    }
}

impl<I: DoubleEndedIterator + ExactSizeIterator> DoubleEndedIterator for StepBy<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        let rest = self.iter.len() % (self.step_minus_one + 1);
        let behind = if self.first_take {
            if rest == 0 { self.step_minus_one } else { rest - 1 }
        } else {
            rest
        };
        self.iter.nth_back(behind)
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for StepBy<I> {}
