//! What is there where the number of elements is known.

use std::cmp::Ordering;

use super::{IntoParallelIterator, Par, ParallelIterator};

/// The iterator of what becomes a parallel one.
type SequentialOf<Z> = <<Z as IntoParallelIterator>::Iter as ParallelIterator>::Sequential;

impl<I: Iterator> IndexedParallelIterator for Par<I> {}

pub trait IndexedParallelIterator: ParallelIterator {
    fn len(&self) -> usize
    where
        Self::Sequential: ExactSizeIterator,
    {
        self.sequential_ref().len()
    }

    fn collect_into_vec(self, target: &mut Vec<Self::Item>) {
        target.clear();
        target.extend(self.sequential());
    }

    fn unzip_into_vecs<A, B>(self, left: &mut Vec<A>, right: &mut Vec<B>)
    where
        Self: IndexedParallelIterator<Item = (A, B)>,
    {
        left.clear();
        right.clear();
        for (a, b) in self.sequential() {
            left.push(a);
            right.push(b);
        }
    }

    fn zip<Z: IntoParallelIterator>(self, zip_op: Z) -> Par<std::iter::Zip<Self::Sequential, SequentialOf<Z>>> {
        Par(self.sequential().zip(zip_op.into_par_iter().sequential()))
    }

    fn zip_eq<Z: IntoParallelIterator>(self, zip_op: Z) -> Par<std::iter::Zip<Self::Sequential, SequentialOf<Z>>>
    where
        Self::Sequential: ExactSizeIterator,
        SequentialOf<Z>: ExactSizeIterator,
    {
        let (left, right) = (self.sequential(), zip_op.into_par_iter().sequential());
        assert_eq!(left.len(), right.len(), "iterators must have the same length");
        Par(left.zip(right))
    }

    fn interleave<X: IntoParallelIterator<Item = Self::Item>>(self, other: X) -> Par<std::vec::IntoIter<Self::Item>> {
        let (mut left, mut right) = (self.sequential(), other.into_par_iter().sequential());
        let mut all = Vec::new();
        loop {
            match (left.next(), right.next()) {
                (None, None) => return Par(all.into_iter()),
                (a, b) => {
                    all.extend(a);
                    all.extend(b);
                }
            }
        }
    }

    fn chunks(self, chunk_size: usize) -> Par<std::vec::IntoIter<Vec<Self::Item>>> {
        assert!(chunk_size != 0, "chunk_size must not be zero");
        let mut all: Vec<Vec<Self::Item>> = Vec::new();
        for item in self.sequential() {
            match all.last_mut() {
                Some(last) if last.len() < chunk_size => last.push(item),
                _ => all.push(vec![item]),
            }
        }
        Par(all.into_iter())
    }

    fn fold_chunks<T, ID: Fn() -> T, F: Fn(T, Self::Item) -> T>(
        self,
        chunk_size: usize,
        identity: ID,
        fold_op: F,
    ) -> Par<std::vec::IntoIter<T>> {
        let chunks = self.chunks(chunk_size).sequential();
        Par(chunks.map(|chunk| chunk.into_iter().fold(identity(), |sum, item| fold_op(sum, item))).collect::<Vec<T>>().into_iter())
    }

    fn cmp<I: IntoParallelIterator<Item = Self::Item>>(self, other: I) -> Ordering
    where
        Self::Item: Ord,
    {
        self.sequential().cmp(other.into_par_iter().sequential())
    }

    fn eq<I: IntoParallelIterator>(self, other: I) -> bool
    where
        Self::Item: PartialEq<I::Item>,
    {
        self.sequential().eq(other.into_par_iter().sequential())
    }

    fn enumerate(self) -> Par<std::iter::Enumerate<Self::Sequential>> {
        Par(self.sequential().enumerate())
    }

    fn step_by(self, step: usize) -> Par<std::iter::StepBy<Self::Sequential>> {
        Par(self.sequential().step_by(step))
    }

    fn skip(self, n: usize) -> Par<std::iter::Skip<Self::Sequential>> {
        Par(self.sequential().skip(n))
    }

    fn take(self, n: usize) -> Par<std::iter::Take<Self::Sequential>> {
        Par(self.sequential().take(n))
    }

    fn position_any<P: Fn(Self::Item) -> bool>(self, predicate: P) -> Option<usize> {
        let mut items = self.sequential();
        items.position(predicate)
    }

    fn position_first<P: Fn(Self::Item) -> bool>(self, predicate: P) -> Option<usize> {
        let mut items = self.sequential();
        items.position(predicate)
    }

    fn position_last<P: Fn(Self::Item) -> bool>(self, predicate: P) -> Option<usize> {
        self.positions(predicate).sequential().last()
    }

    fn positions<P: Fn(Self::Item) -> bool>(self, predicate: P) -> Par<std::vec::IntoIter<usize>> {
        let found = self.sequential().enumerate().filter_map(|(at, item)| predicate(item).then_some(at));
        Par(found.collect::<Vec<usize>>().into_iter())
    }

    fn rev(self) -> Par<std::iter::Rev<Self::Sequential>>
    where
        Self::Sequential: DoubleEndedIterator,
    {
        Par(self.sequential().rev())
    }

    fn with_min_len(self, min: usize) -> Self {
        self
    }

    fn with_max_len(self, max: usize) -> Self {
        self
    }
}
