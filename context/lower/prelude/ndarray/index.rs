//! Elements by their indices.

use crate::dim::*;
use crate::{ArrayBase, ArrayView, Data, DataMut};
use std::ops::{Index, IndexMut};

pub trait NdIndex<D> {
    fn indices(&self) -> Vec<usize>;

    /// The position of the element in the storage of a view, or `None` if the index is out of bounds.
    fn place(&self, first: usize, lens: &[usize], steps: &[isize]) -> Option<usize> {
        let index = self.indices();
        if index.len() != lens.len() {
            return None;
        }
        let mut at = first as isize;
        for k in 0..index.len() {
            if index[k] >= lens[k] {
                return None;
            }
            at += index[k] as isize * steps[k];
        }
        Some(at as usize)
    }
}

macro_rules! by_one {
    ($($T:ty, $index:ident => $i:expr;)*) => {$(
        impl NdIndex<Ix1> for $T {
            fn indices(&self) -> Vec<usize> {
                let $index = *self;
                vec![$i]
            }

            fn place(&self, first: usize, lens: &[usize], steps: &[isize]) -> Option<usize> {
                let $index = *self;
                let i: usize = $i;
                if i < lens[0] { Some((first as isize + i as isize * steps[0]) as usize) } else { None }
            }
        }
    )*};
}

by_one! {
    usize, i => i;
    [usize; 1], i => i[0];
    (usize,), i => i.0;
    Ix1, i => i[0];
}

macro_rules! by_two {
    ($($T:ty, $index:ident => $i:expr, $j:expr;)*) => {$(
        impl NdIndex<Ix2> for $T {
            fn indices(&self) -> Vec<usize> {
                let $index = *self;
                vec![$i, $j]
            }

            fn place(&self, first: usize, lens: &[usize], steps: &[isize]) -> Option<usize> {
                let $index = *self;
                let (i, j): (usize, usize) = ($i, $j);
                if i < lens[0] && j < lens[1] {
                    Some((first as isize + i as isize * steps[0] + j as isize * steps[1]) as usize)
                } else {
                    None
                }
            }
        }
    )*};
}

by_two! {
    [usize; 2], i => i[0], i[1];
    (usize, usize), i => i.0, i.1;
    Ix2, i => i[0], i[1];
}

macro_rules! by_more {
    ($($Ix:ty: $T:ty, $index:ident => $axes:expr;)*) => {$(
        impl NdIndex<$Ix> for $T {
            fn indices(&self) -> Vec<usize> {
                let $index = *self;
                $axes
            }
        }
    )*};
}

by_more! {
    Ix0: (), _i => Vec::new();
    Ix0: [usize; 0], _i => Vec::new();
    Ix0: Ix0, _i => Vec::new();
    Ix3: [usize; 3], i => i.to_vec();
    Ix3: (usize, usize, usize), i => vec![i.0, i.1, i.2];
    Ix3: Ix3, i => i.axes();
    Ix4: [usize; 4], i => i.to_vec();
    Ix4: (usize, usize, usize, usize), i => vec![i.0, i.1, i.2, i.3];
    Ix4: Ix4, i => i.axes();
    Ix5: [usize; 5], i => i.to_vec();
    Ix6: [usize; 6], i => i.to_vec();
    IxDyn: IxDyn, i => i.axes();
    IxDyn: usize, i => vec![i];
    IxDyn: &[usize], i => i.to_vec();
    IxDyn: &IxDyn, i => i.axes();
}

impl<const N: usize> NdIndex<IxDyn> for [usize; N] {
    fn indices(&self) -> Vec<usize> {
        self.to_vec()
    }
}

#[track_caller]
fn out_of_bounds(index: &[usize], lens: &[usize]) -> ! {
    panic!("ndarray: index {:?} is out of bounds for array of shape {:?}", index, lens)
}

fn place<I: NdIndex<D>, D, A>(view: &ArrayView<'_, A, D>, index: &I) -> usize {
    match index.place(view.first, &view.lens, &view.steps) {
        Some(at) => at,
        None => out_of_bounds(&index.indices(), &view.lens),
    }
}

impl<A, S: Data<Elem = A>, D: Dimension, I: NdIndex<D>> Index<I> for ArrayBase<S, D> {
    type Output = A;

    fn index(&self, index: I) -> &A {
        let view = S::view_of(self);
        &view.data.elems[place(&view, &index)]
    }
}

impl<A, S: DataMut<Elem = A>, D: Dimension, I: NdIndex<D>> IndexMut<I> for ArrayBase<S, D> {
    fn index_mut(&mut self, index: I) -> &mut A {
        let view = S::view_mut_of(self);
        match index.place(view.first, &view.lens, &view.steps) {
            Some(at) => std::slice::elem_mut(view.data.elems, at),
            None => out_of_bounds(&index.indices(), &view.lens),
        }
    }
}

impl<A, S: Data<Elem = A>, D: Dimension> ArrayBase<S, D> {
    pub fn get<I: NdIndex<D>>(&self, index: I) -> Option<&A> {
        let view = S::view_of(self);
        match index.place(view.first, &view.lens, &view.steps) {
            Some(at) => Some(&view.data.elems[at]),
            None => None,
        }
    }

    pub fn get_mut<I: NdIndex<D>>(&mut self, index: I) -> Option<&mut A>
    where
        S: DataMut,
    {
        let view = S::view_mut_of(self);
        match index.place(view.first, &view.lens, &view.steps) {
            Some(at) => Some(std::slice::elem_mut(view.data.elems, at)),
            None => None,
        }
    }

    pub unsafe fn uget<I: NdIndex<D>>(&self, index: I) -> &A {
        &self[index]
    }

    pub unsafe fn uget_mut<I: NdIndex<D>>(&mut self, index: I) -> &mut A
    where
        S: DataMut,
    {
        &mut self[index]
    }

    pub fn first(&self) -> Option<&A> {
        let view = S::view_of(self);
        if self.is_empty() { None } else { Some(&view.data.elems[view.first]) }
    }

    pub fn first_mut(&mut self) -> Option<&mut A>
    where
        S: DataMut,
    {
        let view = S::view_mut_of(self);
        if crate::shape::size(&view.lens) == 0 { None } else { Some(std::slice::elem_mut(view.data.elems, view.first)) }
    }

    pub fn last(&self) -> Option<&A> {
        let view = S::view_of(self);
        if self.is_empty() { None } else { Some(&view.data.elems[last_place(view.first, &view.lens, &view.steps)]) }
    }

    pub fn last_mut(&mut self) -> Option<&mut A>
    where
        S: DataMut,
    {
        let view = S::view_mut_of(self);
        if crate::shape::size(&view.lens) == 0 {
            return None;
        }
        let at = last_place(view.first, &view.lens, &view.steps);
        Some(std::slice::elem_mut(view.data.elems, at))
    }

    pub fn swap<I: NdIndex<D>>(&mut self, a: I, b: I)
    where
        S: DataMut,
        A: Clone,
    {
        let (x, y) = (self[a].clone(), self[b].clone());
        self[a] = y;
        self[b] = x;
    }
}

fn last_place(first: usize, lens: &[usize], steps: &[isize]) -> usize {
    let mut at = first as isize;
    for k in 0..lens.len() {
        at += (lens[k] as isize - 1) * steps[k];
    }
    at as usize
}
