//! Iterators of iterators as one.

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
