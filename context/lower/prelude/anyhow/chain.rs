//! The errors below one another.

use std::error::Error as StdError;

#[derive(Clone)]
pub struct Chain<'a> {
    rest: std::vec::IntoIter<&'a (dyn StdError + 'static)>,
}

impl<'a> Chain<'a> {
    pub fn new(head: &'a (dyn StdError + 'static)) -> Chain<'a> {
        let mut all = vec![head];
        let mut next = head.source();
        while let Some(error) = next {
            all.push(error);
            next = error.source();
        }
        Chain { rest: all.into_iter() }
    }
}

impl<'a> Iterator for Chain<'a> {
    type Item = &'a (dyn StdError + 'static);

    fn next(&mut self) -> Option<&'a (dyn StdError + 'static)> {
        self.rest.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rest.size_hint()
    }
}

impl DoubleEndedIterator for Chain<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.rest.next_back()
    }
}

impl ExactSizeIterator for Chain<'_> {
    fn len(&self) -> usize {
        self.rest.len()
    }
}

impl Default for Chain<'_> {
    fn default() -> Self {
        Chain { rest: Vec::new().into_iter() }
    }
}
