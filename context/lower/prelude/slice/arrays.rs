//! Parts of a slice as arrays.

use super::{part, part_mut};
use crate::array::{view, view_mut};

impl<T> [T] {
    pub fn first_chunk<const N: usize>(&self) -> Option<&[T; N]> {
        if self.len() < N { None } else { Some(view(part(self, 0, N))) }
    }

    pub fn first_chunk_mut<const N: usize>(&mut self) -> Option<&mut [T; N]> {
        if self.len() < N { None } else { Some(view_mut(part_mut(self, 0, N))) }
    }

    pub fn last_chunk<const N: usize>(&self) -> Option<&[T; N]> {
        let n = self.len();
        if n < N { None } else { Some(view(part(self, n - N, n))) }
    }

    pub fn last_chunk_mut<const N: usize>(&mut self) -> Option<&mut [T; N]> {
        let n = self.len();
        if n < N { None } else { Some(view_mut(part_mut(self, n - N, n))) }
    }

    pub fn split_first_chunk<const N: usize>(&self) -> Option<(&[T; N], &[T])> {
        let n = self.len();
        if n < N { None } else { Some((view(part(self, 0, N)), part(self, N, n))) }
    }

    pub fn split_first_chunk_mut<const N: usize>(&mut self) -> Option<(&mut [T; N], &mut [T])> {
        let n = self.len();
        if n < N { None } else { Some((view_mut(part_mut(self, 0, N)), part_mut(self, N, n))) }
    }

    pub fn split_last_chunk<const N: usize>(&self) -> Option<(&[T], &[T; N])> {
        let n = self.len();
        if n < N { None } else { Some((part(self, 0, n - N), view(part(self, n - N, n)))) }
    }

    pub fn split_last_chunk_mut<const N: usize>(&mut self) -> Option<(&mut [T], &mut [T; N])> {
        let n = self.len();
        if n < N { None } else { Some((part_mut(self, 0, n - N), view_mut(part_mut(self, n - N, n)))) }
    }

    pub fn as_array<const N: usize>(&self) -> Option<&[T; N]> {
        if self.len() == N { Some(view(self)) } else { None }
    }

    pub fn as_mut_array<const N: usize>(&mut self) -> Option<&mut [T; N]> {
        if self.len() == N { Some(view_mut(self)) } else { None }
    }

    pub fn as_chunks<const N: usize>(&self) -> (&[[T; N]], &[T]) {
        let end = whole::<N>(self.len());
        (rows(part(self, 0, end)), part(self, end, self.len()))
    }

    pub fn as_rchunks<const N: usize>(&self) -> (&[T], &[[T; N]]) {
        let n = self.len();
        let start = n - whole::<N>(n);
        (part(self, 0, start), rows(part(self, start, n)))
    }

    pub fn as_chunks_mut<const N: usize>(&mut self) -> (&mut [[T; N]], &mut [T]) {
        let n = self.len();
        let end = whole::<N>(n);
        (rows_mut(part_mut(self, 0, end)), part_mut(self, end, n))
    }

    pub fn as_rchunks_mut<const N: usize>(&mut self) -> (&mut [T], &mut [[T; N]]) {
        let n = self.len();
        let start = n - whole::<N>(n);
        (part_mut(self, 0, start), rows_mut(part_mut(self, start, n)))
    }
}

/// The number of elements in whole rows of `N`.
fn whole<const N: usize>(len: usize) -> usize {
    assert!(N != 0, "chunk size must be non-zero");
    len - len % N
}

fn rows<T, const N: usize>(elems: &[T]) -> &[[T; N]] {
    let mut rows = Vec::new();
    for i in 0..elems.len() / N {
        rows.push(*view::<T, N>(part(elems, i * N, (i + 1) * N)));
    }
    rows.__leaked()
}

fn rows_mut<T, const N: usize>(elems: &mut [T]) -> &mut [[T; N]] {
    let n = elems.len() / N;
    if n == 0 {
        return &mut [];
    }
    &mut *crate::ptr::slice_from_raw_parts_mut(elems.as_mut_ptr() as *mut [T; N], n)
}

impl<T, const N: usize> [[T; N]] {
    pub fn as_flattened(&self) -> &[T] {
        let mut elems = Vec::new();
        for row in self.iter() {
            for x in row.iter() {
                elems.push(*x);
            }
        }
        elems.__leaked()
    }

    pub fn as_flattened_mut(&mut self) -> &mut [T] {
        let n = self.len() * N;
        if n == 0 {
            return &mut [];
        }
        &mut *crate::ptr::slice_from_raw_parts_mut(self.as_mut_ptr() as *mut T, n)
    }
}

impl<T, const N: usize> Vec<[T; N]> {
    pub fn into_flattened(self) -> Vec<T> {
        let mut elems = Vec::new();
        for row in self {
            elems.extend(row);
        }
        elems
    }
}
