//! Parallel iterators: an iterator whose methods are those of rayon.

mod indexed;
mod sources;

use std::cmp::Ordering;
use std::iter::{Once, Product, Sum};

pub use indexed::IndexedParallelIterator;
pub use sources::{
    IntoParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelBridge, ParallelDrainFull,
    ParallelDrainRange, empty, once, repeat_n,
};

/// The parallel iterator of an iterator.
#[derive(Clone, Debug)]
pub struct Par<I>(pub I);

/// A value that is there or is the end: `Option` and `Result`.
pub trait Try {
    type Output;

    fn of(output: Self::Output) -> Self;

    fn output(self) -> Result<Self::Output, Self>
    where
        Self: Sized;
}

impl<T> Try for Option<T> {
    type Output = T;

    fn of(output: T) -> Option<T> {
        Some(output)
    }

    fn output(self) -> Result<T, Option<T>> {
        self.ok_or(None)
    }
}

impl<T, E> Try for Result<T, E> {
    type Output = T;

    fn of(output: T) -> Result<T, E> {
        Ok(output)
    }

    fn output(self) -> Result<T, Result<T, E>> {
        self.map_err(Err)
    }
}

pub trait FromParallelIterator<T: Send> {
    fn from_par_iter<I: IntoParallelIterator<Item = T>>(par_iter: I) -> Self;
}

impl<T: Send, C: FromIterator<T>> FromParallelIterator<T> for C {
    fn from_par_iter<I: IntoParallelIterator<Item = T>>(par_iter: I) -> C {
        par_iter.into_par_iter().sequential().collect()
    }
}

pub trait ParallelExtend<T: Send> {
    fn par_extend<I: IntoParallelIterator<Item = T>>(&mut self, par_iter: I);
}

impl<T: Send, C: Extend<T>> ParallelExtend<T> for C {
    fn par_extend<I: IntoParallelIterator<Item = T>>(&mut self, par_iter: I) {
        self.extend(par_iter.into_par_iter().sequential())
    }
}

impl<I: Iterator> ParallelIterator for Par<I> {
    type Item = I::Item;
    type Sequential = I;

    fn sequential(self) -> I {
        self.0
    }

    fn sequential_ref(&self) -> &I {
        &self.0
    }
}

pub trait ParallelIterator: Sized {
    type Item;
    type Sequential: Iterator<Item = Self::Item>;

    /// The elements in their order.
    fn sequential(self) -> Self::Sequential;

    fn sequential_ref(&self) -> &Self::Sequential;

    fn for_each<OP: Fn(Self::Item)>(self, op: OP) {
        for item in self.sequential() {
            op(item);
        }
    }

    fn for_each_with<OP: Fn(&mut T, Self::Item), T: Clone>(self, init: T, op: OP) {
        let mut init = init;
        for item in self.sequential() {
            op(&mut init, item);
        }
    }

    fn for_each_init<OP: Fn(&mut T, Self::Item), INIT: Fn() -> T, T>(self, init: INIT, op: OP) {
        let mut value = init();
        for item in self.sequential() {
            op(&mut value, item);
        }
    }

    fn try_for_each<OP: Fn(Self::Item) -> R, R: Try<Output = ()>>(self, op: OP) -> R {
        for item in self.sequential() {
            if let Err(end) = op(item).output() {
                return end;
            }
        }
        R::of(())
    }

    fn try_for_each_with<OP: Fn(&mut T, Self::Item) -> R, T: Clone, R: Try<Output = ()>>(self, init: T, op: OP) -> R {
        let mut init = init;
        for item in self.sequential() {
            if let Err(end) = op(&mut init, item).output() {
                return end;
            }
        }
        R::of(())
    }

    fn count(self) -> usize {
        self.sequential().count()
    }

    fn map<F: Fn(Self::Item) -> R, R>(self, map_op: F) -> Par<std::iter::Map<Self::Sequential, F>> {
        Par(self.sequential().map(map_op))
    }

    fn map_with<F: Fn(&mut T, Self::Item) -> R, T: Clone, R>(self, init: T, map_op: F) -> Par<impl Iterator<Item = R>> {
        let mut init = init;
        Par(self.sequential().map(move |item| map_op(&mut init, item)))
    }

    fn map_init<F: Fn(&mut T, Self::Item) -> R, INIT: Fn() -> T, T, R>(
        self,
        init: INIT,
        map_op: F,
    ) -> Par<impl Iterator<Item = R>> {
        let mut value = init();
        Par(self.sequential().map(move |item| map_op(&mut value, item)))
    }

    fn cloned<'a, T: 'a + Clone>(self) -> Par<std::iter::Cloned<Self::Sequential>>
    where
        Self: ParallelIterator<Item = &'a T>,
    {
        Par(self.sequential().cloned())
    }

    fn copied<'a, T: 'a + Copy>(self) -> Par<std::iter::Copied<Self::Sequential>>
    where
        Self: ParallelIterator<Item = &'a T>,
    {
        Par(self.sequential().copied())
    }

    fn inspect<OP: Fn(&Self::Item)>(self, inspect_op: OP) -> Par<std::iter::Inspect<Self::Sequential, OP>> {
        Par(self.sequential().inspect(inspect_op))
    }

    fn update<F: Fn(&mut Self::Item)>(self, update_op: F) -> Par<impl Iterator<Item = Self::Item>> {
        Par(self.sequential().map(move |item| {
            let mut item = item;
            update_op(&mut item);
            item
        }))
    }

    fn filter<P: Fn(&Self::Item) -> bool>(self, filter_op: P) -> Par<std::iter::Filter<Self::Sequential, P>> {
        Par(self.sequential().filter(filter_op))
    }

    fn filter_map<P: Fn(Self::Item) -> Option<R>, R>(
        self,
        filter_op: P,
    ) -> Par<std::iter::FilterMap<Self::Sequential, P>> {
        Par(self.sequential().filter_map(filter_op))
    }

    fn flat_map<F: Fn(Self::Item) -> PI, PI: IntoParallelIterator>(
        self,
        map_op: F,
    ) -> Par<impl Iterator<Item = PI::Item>> {
        Par(self.sequential().flat_map(move |item| map_op(item).into_par_iter().sequential()))
    }

    fn flat_map_iter<F: Fn(Self::Item) -> SI, SI: IntoIterator>(
        self,
        map_op: F,
    ) -> Par<std::iter::FlatMap<Self::Sequential, SI, F>> {
        Par(self.sequential().flat_map(map_op))
    }

    fn flatten(self) -> Par<impl Iterator<Item = <Self::Item as IntoParallelIterator>::Item>>
    where
        Self::Item: IntoParallelIterator,
    {
        Par(self.sequential().flat_map(|items| items.into_par_iter().sequential()))
    }

    fn flatten_iter(self) -> Par<std::iter::Flatten<Self::Sequential>>
    where
        Self::Item: IntoIterator,
    {
        Par(self.sequential().flatten())
    }

    fn reduce<OP: Fn(Self::Item, Self::Item) -> Self::Item, ID: Fn() -> Self::Item>(
        self,
        identity: ID,
        op: OP,
    ) -> Self::Item {
        self.sequential().fold(identity(), op)
    }

    fn reduce_with<OP: Fn(Self::Item, Self::Item) -> Self::Item>(self, op: OP) -> Option<Self::Item> {
        self.sequential().reduce(op)
    }

    fn try_reduce<T, OP: Fn(T, T) -> Self::Item, ID: Fn() -> T>(self, identity: ID, op: OP) -> Self::Item
    where
        Self::Item: Try<Output = T>,
    {
        let mut sum = identity();
        for item in self.sequential() {
            match item.output() {
                Ok(item) => {
                    let next: Self::Item = op(sum, item);
                    match next.output() {
                        Ok(next) => sum = next,
                        Err(end) => return end,
                    }
                }
                Err(end) => return end,
            }
        }
        Self::Item::of(sum)
    }

    fn try_reduce_with<T, OP: Fn(T, T) -> Self::Item>(self, op: OP) -> Option<Self::Item>
    where
        Self::Item: Try<Output = T>,
    {
        let mut sum: Option<T> = None;
        for item in self.sequential() {
            let item = match item.output() {
                Ok(item) => item,
                Err(end) => return Some(end),
            };
            sum = match sum {
                None => Some(item),
                Some(sum) => {
                    let next: Self::Item = op(sum, item);
                    match next.output() {
                        Ok(next) => Some(next),
                        Err(end) => return Some(end),
                    }
                }
            };
        }
        sum.map(Self::Item::of)
    }

    fn fold<T, ID: Fn() -> T, F: Fn(T, Self::Item) -> T>(self, identity: ID, fold_op: F) -> Par<Once<T>> {
        Par(std::iter::once(self.sequential().fold(identity(), fold_op)))
    }

    fn fold_with<F: Fn(T, Self::Item) -> T, T: Clone>(self, init: T, fold_op: F) -> Par<Once<T>> {
        Par(std::iter::once(self.sequential().fold(init, fold_op)))
    }

    fn try_fold<T, R: Try<Output = T>, ID: Fn() -> T, F: Fn(T, Self::Item) -> R>(
        self,
        identity: ID,
        fold_op: F,
    ) -> Par<Once<R>> {
        let mut sum = identity();
        for item in self.sequential() {
            match fold_op(sum, item).output() {
                Ok(next) => sum = next,
                Err(end) => return Par(std::iter::once(end)),
            }
        }
        Par(std::iter::once(R::of(sum)))
    }

    fn sum<S: Sum<Self::Item> + Sum<S>>(self) -> S {
        self.sequential().sum()
    }

    fn product<P: Product<Self::Item> + Product<P>>(self) -> P {
        self.sequential().product()
    }

    fn min(self) -> Option<Self::Item>
    where
        Self::Item: Ord,
    {
        self.sequential().min()
    }

    fn min_by<F: Fn(&Self::Item, &Self::Item) -> Ordering>(self, f: F) -> Option<Self::Item> {
        self.sequential().min_by(f)
    }

    fn min_by_key<K: Ord, F: Fn(&Self::Item) -> K>(self, f: F) -> Option<Self::Item> {
        self.sequential().min_by_key(f)
    }

    fn max(self) -> Option<Self::Item>
    where
        Self::Item: Ord,
    {
        self.sequential().max()
    }

    fn max_by<F: Fn(&Self::Item, &Self::Item) -> Ordering>(self, f: F) -> Option<Self::Item> {
        self.sequential().max_by(f)
    }

    fn max_by_key<K: Ord, F: Fn(&Self::Item) -> K>(self, f: F) -> Option<Self::Item> {
        self.sequential().max_by_key(f)
    }

    fn chain<C: IntoParallelIterator<Item = Self::Item>>(
        self,
        chain: C,
    ) -> Par<std::iter::Chain<Self::Sequential, <C::Iter as ParallelIterator>::Sequential>> {
        Par(self.sequential().chain(chain.into_par_iter().sequential()))
    }

    fn find_any<P: Fn(&Self::Item) -> bool>(self, predicate: P) -> Option<Self::Item> {
        self.sequential().find(predicate)
    }

    fn find_first<P: Fn(&Self::Item) -> bool>(self, predicate: P) -> Option<Self::Item> {
        self.sequential().find(predicate)
    }

    fn find_last<P: Fn(&Self::Item) -> bool>(self, predicate: P) -> Option<Self::Item> {
        self.sequential().filter(predicate).last()
    }

    fn find_map_any<P: Fn(Self::Item) -> Option<R>, R>(self, predicate: P) -> Option<R> {
        self.sequential().find_map(predicate)
    }

    fn find_map_first<P: Fn(Self::Item) -> Option<R>, R>(self, predicate: P) -> Option<R> {
        self.sequential().find_map(predicate)
    }

    fn find_map_last<P: Fn(Self::Item) -> Option<R>, R>(self, predicate: P) -> Option<R> {
        self.sequential().filter_map(predicate).last()
    }

    fn any<P: Fn(Self::Item) -> bool>(self, predicate: P) -> bool {
        self.sequential().any(predicate)
    }

    fn all<P: Fn(Self::Item) -> bool>(self, predicate: P) -> bool {
        self.sequential().all(predicate)
    }

    fn while_some<T>(self) -> Par<impl Iterator<Item = T>>
    where
        Self: ParallelIterator<Item = Option<T>>,
    {
        Par(self.sequential().map_while(|item| item))
    }

    fn panic_fuse(self) -> Self {
        self
    }

    fn collect<C: FromParallelIterator<Self::Item>>(self) -> C {
        C::from_par_iter(self)
    }

    fn collect_vec_list(self) -> std::collections::LinkedList<Vec<Self::Item>> {
        let mut list = std::collections::LinkedList::new();
        list.push_back(self.sequential().collect());
        list
    }

    fn unzip<A, B, FromA: Default + Extend<A>, FromB: Default + Extend<B>>(self) -> (FromA, FromB)
    where
        Self: ParallelIterator<Item = (A, B)>,
    {
        self.sequential().unzip()
    }

    fn partition<A: Default + Extend<Self::Item>, B: Default + Extend<Self::Item>, P: Fn(&Self::Item) -> bool>(
        self,
        predicate: P,
    ) -> (A, B) {
        let (mut yes, mut no) = (A::default(), B::default());
        for item in self.sequential() {
            if predicate(&item) {
                yes.extend([item]);
            } else {
                no.extend([item]);
            }
        }
        (yes, no)
    }

    fn take_any(self, n: usize) -> Par<std::iter::Take<Self::Sequential>> {
        Par(self.sequential().take(n))
    }

    fn skip_any(self, n: usize) -> Par<std::iter::Skip<Self::Sequential>> {
        Par(self.sequential().skip(n))
    }

    fn take_any_while<P: Fn(&Self::Item) -> bool>(
        self,
        predicate: P,
    ) -> Par<std::iter::TakeWhile<Self::Sequential, P>> {
        Par(self.sequential().take_while(predicate))
    }

    fn skip_any_while<P: Fn(&Self::Item) -> bool>(
        self,
        predicate: P,
    ) -> Par<std::iter::SkipWhile<Self::Sequential, P>> {
        Par(self.sequential().skip_while(predicate))
    }
}
