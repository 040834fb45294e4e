//! Two iterators side by side.

#[derive(Clone)]
pub struct Zip<A, B> {
    a: A,
    b: B,
    /// Whether `b` must have an item before one is requested from `a`.
    together: bool,
}

impl<A: Iterator + crate::fmt::Debug, B: Iterator + crate::fmt::Debug> crate::fmt::Debug for Zip<A, B> {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        let mut fields = f.debug_struct("Zip");
        if !(A::__trusted_random_access() && B::__trusted_random_access()) {
            fields.field("a", &self.a).field("b", &self.b);
        }
        fields.finish()
    }
}

pub fn zip<A: IntoIterator, B: IntoIterator>(a: A, b: B) -> Zip<A::IntoIter, B::IntoIter> {
    let together = A::IntoIter::__trusted_random_access() && B::IntoIter::__trusted_random_access();
    Zip { a: a.into_iter(), b: b.into_iter(), together }
}

impl<A: Iterator, B: Iterator> Iterator for Zip<A, B> {
    type Item = (A::Item, B::Item);

    fn next(&mut self) -> Option<(A::Item, B::Item)> {
        if A::__may_have_side_effect() && self.together && self.b.size_hint().0 == 0 {
            return None;
        }
        match self.a.next() {
            Some(x) => match self.b.next() {
                Some(y) => Some((x, y)),
                None => None,
            },
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let (low_a, high_a) = self.a.size_hint();
        let (low_b, high_b) = self.b.size_hint();
        let high = match (high_a, high_b) {
            (Some(x), Some(y)) => Some(x.min(y)),
            (Some(x), None) => Some(x),
            (None, high) => high,
        };
        (low_a.min(low_b), high)
    }

    fn __may_have_side_effect() -> bool {
        A::__may_have_side_effect() || B::__may_have_side_effect()
    }

    fn __trusted_random_access() -> bool {
        A::__trusted_random_access() && B::__trusted_random_access()
    }

    fn __trusted_len() -> bool {
        A::__trusted_len() && B::__trusted_len()
    }

    fn __before_fold(&mut self) {
        if A::__trusted_len() && B::__trusted_len() {
            self.together = true;
        } else {
            self.a.__before_fold();
            self.b.__before_fold();
        }
    }
}

impl<A, B> DoubleEndedIterator for Zip<A, B>
where
    A: DoubleEndedIterator + ExactSizeIterator,
    B: DoubleEndedIterator + ExactSizeIterator,
{
    fn next_back(&mut self) -> Option<(A::Item, B::Item)> {
        if Self::__trusted_random_access() && self.size_hint().0 == 0 {
            return None;
        }
        while self.a.len() > self.b.len() {
            self.a.next_back();
        }
        while self.b.len() > self.a.len() {
            self.b.next_back();
        }
        match (self.a.next_back(), self.b.next_back()) {
            (Some(x), Some(y)) => Some((x, y)),
            _ => None,
        }
    }
}

impl<A: ExactSizeIterator, B: ExactSizeIterator> ExactSizeIterator for Zip<A, B> {}
