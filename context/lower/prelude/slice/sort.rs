//! Sorting.

use super::part;
use crate::cmp::Ordering;
use crate::mem::{ManuallyDrop, moved, put};

/// The properties of a `T` that choose a sort algorithm, as `sort_by` takes them: whether it is free of
/// cells, whether it is `Copy`, its size.
#[lang("sort_plan")]
fn plan<T>() -> usize;

/// The plan of an unstable sort.
const UNSTABLE: usize = 1;
/// The plan of a sort that only places the element of one position.
const NTH: usize = 2;

fn less<T: PartialOrd>(a: &T, b: &T) -> Ordering {
    if *a < *b { Ordering::Less } else { Ordering::Equal }
}

impl<T> [T] {
    #[op("sort_by")]
    fn sort_to_plan<F: FnMut(&T, &T) -> Ordering>(&mut self, compare: F, plan: usize);

    #[op("sort_by")]
    fn select_to_plan<F: FnMut(&T, &T) -> Ordering>(&mut self, compare: F, plan: usize, nth: usize);

    pub fn sort_by<F: FnMut(&T, &T) -> Ordering>(&mut self, compare: F) {
        self.sort_to_plan(compare, plan::<T>());
    }

    pub fn sort(&mut self)
    where
        T: Ord,
    {
        self.sort_by(|a, b| less(a, b));
    }

    pub fn sort_by_key<K: Ord, F: FnMut(&T) -> K>(&mut self, mut f: F) {
        self.sort_by(|a, b| less(&f(a), &f(b)));
    }

    pub fn sort_by_cached_key<K: Ord, F: FnMut(&T) -> K>(&mut self, mut f: F) {
        let mut keyed: Vec<(K, ManuallyDrop<T>)> = Vec::new();
        for x in self.iter() {
            keyed.push((f(x), ManuallyDrop::new(moved(x))));
        }
        keyed.sort_by(|a, b| K::cmp(&a.0, &b.0));
        for i in 0..self.len() {
            put(&mut self[i], moved(&*keyed[i].1));
        }
    }

    pub fn sort_unstable(&mut self)
    where
        T: Ord,
    {
        self.sort_unstable_by(|a, b| less(a, b));
    }

    pub fn sort_unstable_by<F: FnMut(&T, &T) -> Ordering>(&mut self, compare: F) {
        self.sort_to_plan(compare, plan::<T>() + UNSTABLE);
    }

    pub fn sort_unstable_by_key<K: Ord, F: FnMut(&T) -> K>(&mut self, mut f: F) {
        self.sort_unstable_by(|a, b| less(&f(a), &f(b)));
    }

    pub fn select_nth_unstable(&mut self, index: usize) -> (&mut [T], &mut T, &mut [T])
    where
        T: Ord,
    {
        self.select_nth_unstable_by(index, |a, b| less(a, b))
    }

    pub fn select_nth_unstable_by_key<K: Ord, F: FnMut(&T) -> K>(
        &mut self,
        index: usize,
        mut f: F,
    ) -> (&mut [T], &mut T, &mut [T]) {
        self.select_nth_unstable_by(index, |a, b| less(&f(a), &f(b)))
    }

    pub fn select_nth_unstable_by<F>(&mut self, index: usize, compare: F) -> (&mut [T], &mut T, &mut [T])
    where
        F: FnMut(&T, &T) -> Ordering,
    {
        let n = self.len();
        if index >= n {
            panic!("partition_at_index index {index} greater than length of slice {n}");
        }
        self.select_to_plan(compare, plan::<T>() + NTH, index);
        (super::part_mut(self, 0, index), super::elem_mut(self, index), super::part_mut(self, index + 1, n))
    }

    pub fn is_sorted(&self) -> bool
    where
        T: PartialOrd,
    {
        self.is_sorted_by(|a, b| a <= b)
    }

    pub fn is_sorted_by<F: FnMut(&T, &T) -> bool>(&self, mut compare: F) -> bool {
        for i in 1..self.len() {
            if !compare(&self[i - 1], &self[i]) {
                return false;
            }
        }
        true
    }

    pub fn is_sorted_by_key<F: FnMut(&T) -> K, K: PartialOrd>(&self, mut f: F) -> bool {
        for i in 1..self.len() {
            if !(f(&self[i - 1]) <= f(&self[i])) {
                return false;
            }
        }
        true
    }

    /// If several elements are `Equal`, finds the same one as the library of Rust 1.95.
    pub fn binary_search_by<F: FnMut(&T) -> Ordering>(&self, mut f: F) -> Result<usize, usize> {
        let mut size = self.len();
        if size == 0 {
            return Err(0);
        }
        let mut base = 0;
        while size > 1 {
            let half = size / 2;
            let mid = base + half;
            if !f(&self[mid]).is_gt() {
                base = mid;
            }
            size -= half;
        }
        match f(&self[base]) {
            Ordering::Equal => Ok(base),
            Ordering::Less => Err(base + 1),
            Ordering::Greater => Err(base),
        }
    }

    pub fn binary_search(&self, x: &T) -> Result<usize, usize>
    where
        T: Ord,
    {
        self.binary_search_by(|p| T::cmp(p, x))
    }

    pub fn binary_search_by_key<B: Ord, F: FnMut(&T) -> B>(&self, b: &B, mut f: F) -> Result<usize, usize> {
        self.binary_search_by(|k| B::cmp(&f(k), b))
    }

    pub fn partition_point<P: FnMut(&T) -> bool>(&self, mut pred: P) -> usize {
        match self.binary_search_by(|x| if pred(x) { Ordering::Less } else { Ordering::Greater }) {
            Ok(i) => i,
            Err(i) => i,
        }
    }

    pub fn starts_with(&self, needle: &[T]) -> bool
    where
        T: PartialEq,
    {
        let n = needle.len();
        self.len() >= n && *part(self, 0, n) == *needle
    }

    pub fn ends_with(&self, needle: &[T]) -> bool
    where
        T: PartialEq,
    {
        let (m, n) = (self.len(), needle.len());
        m >= n && *part(self, m - n, m) == *needle
    }

    pub fn contains(&self, x: &T) -> bool
    where
        T: PartialEq,
    {
        for y in self.iter() {
            if *y == *x {
                return true;
            }
        }
        false
    }
}
