//! Iterators that are not based on others.

#[derive(Clone, Debug)]
pub struct Empty<T> {
    of: crate::marker::PhantomData<T>,
}

pub fn empty<T>() -> Empty<T> {
    Empty { of: crate::marker::PhantomData }
}

impl<T> Iterator for Empty<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(0))
    }

    fn __trusted_len() -> bool {
        true
    }
}

impl<T> DoubleEndedIterator for Empty<T> {
    fn next_back(&mut self) -> Option<T> {
        None
    }
}

impl<T> ExactSizeIterator for Empty<T> {}

pub use crate::option::IntoIter as Once;

pub fn once<T>(value: T) -> Once<T> {
    Some(value).into_iter()
}

#[derive(Clone)]
pub struct OnceWith<F> {
    make: Option<F>,
}

pub fn once_with<A, F: FnOnce() -> A>(make: F) -> OnceWith<F> {
    OnceWith { make: Some(make) }
}

impl<A, F: FnOnce() -> A> Iterator for OnceWith<F> {
    type Item = A;

    fn next(&mut self) -> Option<A> {
        let make = self.make.take()?;
        Some(make())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = if self.make.is_some() { 1 } else { 0 };
        (n, Some(n))
    }

    fn __trusted_len() -> bool {
        true
    }
}

impl<A, F: FnOnce() -> A> DoubleEndedIterator for OnceWith<F> {
    fn next_back(&mut self) -> Option<A> {
        self.next()
    }
}

impl<A, F: FnOnce() -> A> ExactSizeIterator for OnceWith<F> {}

#[derive(Clone, Debug)]
pub struct Repeat<A> {
    element: A,
}

pub fn repeat<A: Clone>(element: A) -> Repeat<A> {
    Repeat { element }
}

impl<A: Clone> Iterator for Repeat<A> {
    type Item = A;

    fn next(&mut self) -> Option<A> {
        Some(A::clone(&self.element))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, None)
    }

    fn __trusted_len() -> bool {
        true
    }
}

impl<A: Clone> DoubleEndedIterator for Repeat<A> {
    fn next_back(&mut self) -> Option<A> {
        Some(A::clone(&self.element))
    }
}

#[derive(Clone, Debug)]
pub struct RepeatN<A> {
    count: usize,
    element: Option<A>,
}

pub fn repeat_n<A: Clone>(element: A, count: usize) -> RepeatN<A> {
    RepeatN { count, element: if count == 0 { None } else { Some(element) } }
}

impl<A: Clone> Iterator for RepeatN<A> {
    type Item = A;

    fn next(&mut self) -> Option<A> {
        if self.count == 0 {
            return None;
        }
        self.count -= 1;
        if self.count == 0 { self.element.take() } else { self.element.clone() }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count, Some(self.count))
    }

    fn __trusted_len() -> bool {
        true
    }
}

impl<A: Clone> DoubleEndedIterator for RepeatN<A> {
    fn next_back(&mut self) -> Option<A> {
        self.next()
    }
}

impl<A: Clone> ExactSizeIterator for RepeatN<A> {}

#[derive(Clone)]
pub struct RepeatWith<F> {
    repeater: F,
}

pub fn repeat_with<A, F: FnMut() -> A>(repeater: F) -> RepeatWith<F> {
    RepeatWith { repeater }
}

impl<A, F: FnMut() -> A> Iterator for RepeatWith<F> {
    type Item = A;

    fn next(&mut self) -> Option<A> {
        Some((self.repeater)())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, None)
    }

    fn __trusted_len() -> bool {
        true
    }
}

#[derive(Clone)]
pub struct FromFn<F> {
    f: F,
}

pub fn from_fn<T, F: FnMut() -> Option<T>>(f: F) -> FromFn<F> {
    FromFn { f }
}

impl<T, F: FnMut() -> Option<T>> Iterator for FromFn<F> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        (self.f)()
    }
}

#[derive(Clone)]
pub struct Successors<T, F> {
    next: Option<T>,
    succ: F,
}

pub fn successors<T, F: FnMut(&T) -> Option<T>>(first: Option<T>, succ: F) -> Successors<T, F> {
    Successors { next: first, succ }
}

impl<T, F: FnMut(&T) -> Option<T>> Iterator for Successors<T, F> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let item = self.next.take()?;
        self.next = (self.succ)(&item);
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.next.is_some() { (1, None) } else { (0, Some(0)) }
    }
}
