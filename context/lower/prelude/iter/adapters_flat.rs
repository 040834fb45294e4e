//! Iterators of iterators, flattened.

/// The size hint, given those of the items between, in front and at the back; `U` may fix the length of each.
fn size<U: IntoIterator>(
    between: (usize, Option<usize>),
    front: (usize, Option<usize>),
    back: (usize, Option<usize>),
) -> (usize, Option<usize>) {
    if U::__at_most_one() {
        let low = if U::__fixed_len() == Some(1) { between.0 } else { 0 };
        let front = front.0.saturating_add(back.0);
        let high = match between.1 {
            Some(high) => high.checked_add(front),
            None => None,
        };
        return (low.saturating_add(front), high);
    }
    let low = front.0.saturating_add(back.0);
    let (Some(high_front), Some(high_back)) = (front.1, back.1) else { return (sum_low::<U>(between.0, low), None) };
    let high = match (U::__fixed_len(), between) {
        (Some(n), (_, Some(high))) => match n.checked_mul(high) {
            Some(high) => high_front.checked_add(high_back).and_then(|ends| ends.checked_add(high)),
            None => None,
        },
        (None, (0, Some(0))) => high_front.checked_add(high_back),
        _ => None,
    };
    (sum_low::<U>(between.0, low), high)
}

fn sum_low<U: IntoIterator>(between: usize, low: usize) -> usize {
    match U::__fixed_len() {
        Some(n) => between.saturating_mul(n).saturating_add(low),
        None => low,
    }
}

fn size_of_part<I: Iterator>(part: &Option<I>) -> (usize, Option<usize>) {
    match part {
        Some(iter) => iter.size_hint(),
        None => (0, Some(0)),
    }
}

#[derive(Clone)]
pub struct FlatMap<I, U: IntoIterator, F> {
    iter: I,
    f: F,
    front: Option<U::IntoIter>,
    back: Option<U::IntoIter>,
}

pub fn flat_map<I, U: IntoIterator, F>(iter: I, f: F) -> FlatMap<I, U, F> {
    FlatMap { iter, f, front: None, back: None }
}

impl<I: Iterator, U: IntoIterator, F: FnMut(I::Item) -> U> Iterator for FlatMap<I, U, F> {
    type Item = U::Item;

    fn next(&mut self) -> Option<U::Item> {
        loop {
            if let Some(front) = &mut self.front {
                if let Some(x) = front.next() {
                    return Some(x);
                }
                self.front = None;
            }
            match self.iter.next() {
                Some(x) => self.front = Some((self.f)(x).into_iter()),
                None => {
                    return match &mut self.back {
                        Some(back) => back.next(),
                        None => None,
                    };
                }
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        size::<U>(self.iter.size_hint(), size_of_part(&self.front), size_of_part(&self.back))
    }

    fn __trusted_len() -> bool {
        U::__fixed_len().is_some() && !U::__at_most_one() && I::__trusted_len()
    }

    fn __before_fold(&mut self) {
        self.iter.__before_fold();
    }
}

impl<I, U, F> DoubleEndedIterator for FlatMap<I, U, F>
where
    I: DoubleEndedIterator,
    U: IntoIterator,
    U::IntoIter: DoubleEndedIterator,
    F: FnMut(I::Item) -> U,
{
    fn next_back(&mut self) -> Option<U::Item> {
        loop {
            if let Some(back) = &mut self.back {
                if let Some(x) = back.next_back() {
                    return Some(x);
                }
                self.back = None;
            }
            match self.iter.next_back() {
                Some(x) => self.back = Some((self.f)(x).into_iter()),
                None => {
                    return match &mut self.front {
                        Some(front) => front.next_back(),
                        None => None,
                    };
                }
            }
        }
    }
}

#[derive(Clone)]
pub struct Flatten<I: Iterator>
where
    I::Item: IntoIterator,
{
    iter: I,
    front: Option<<I::Item as IntoIterator>::IntoIter>,
    back: Option<<I::Item as IntoIterator>::IntoIter>,
}

pub fn flatten<I: Iterator>(iter: I) -> Flatten<I>
where
    I::Item: IntoIterator,
{
    Flatten { iter, front: None, back: None }
}

impl<I: Iterator> Iterator for Flatten<I>
where
    I::Item: IntoIterator,
{
    type Item = <I::Item as IntoIterator>::Item;

    fn next(&mut self) -> Option<<I::Item as IntoIterator>::Item> {
        loop {
            if let Some(front) = &mut self.front {
                if let Some(x) = front.next() {
                    return Some(x);
                }
                self.front = None;
            }
            match self.iter.next() {
                Some(x) => self.front = Some(x.into_iter()),
                None => {
                    return match &mut self.back {
                        Some(back) => back.next(),
                        None => None,
                    };
                }
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        size::<I::Item>(self.iter.size_hint(), size_of_part(&self.front), size_of_part(&self.back))
    }

    fn __trusted_len() -> bool {
        <I::Item as IntoIterator>::__fixed_len().is_some() && !<I::Item as IntoIterator>::__at_most_one() && I::__trusted_len()
    }

    fn __before_fold(&mut self) {
        self.iter.__before_fold();
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Flatten<I>
where
    I::Item: IntoIterator,
    <I::Item as IntoIterator>::IntoIter: DoubleEndedIterator,
{
    fn next_back(&mut self) -> Option<<I::Item as IntoIterator>::Item> {
        loop {
            if let Some(back) = &mut self.back {
                if let Some(x) = back.next_back() {
                    return Some(x);
                }
                self.back = None;
            }
            match self.iter.next_back() {
                Some(x) => self.back = Some(x.into_iter()),
                None => {
                    return match &mut self.front {
                        Some(front) => front.next_back(),
                        None => None,
                    };
                }
            }
        }
    }
}
