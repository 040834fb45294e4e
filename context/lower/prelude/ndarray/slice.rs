//! Slices along all axes at once, as written with `s![..]`.

use crate::data::{view_as, view_as_mut};
use crate::dim::*;
use crate::{ArrayBase, ArrayView, ArrayViewMut, Data, DataMut};
use std::marker::PhantomData;
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slice {
    pub start: isize,
    pub end: Option<isize>,
    pub step: isize,
}

impl Slice {
    pub fn new(start: isize, end: Option<isize>, step: isize) -> Slice {
        Slice { start, end, step }
    }

    pub fn step_by(self, step: isize) -> Slice {
        Slice { step: self.step * step, ..self }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewAxis;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SliceInfoElem {
    Slice { start: isize, end: Option<isize>, step: isize },
    Index(isize),
    NewAxis,
}

impl SliceInfoElem {
    fn step_by(self, by: isize) -> SliceInfoElem {
        match self {
            SliceInfoElem::Slice { start, end, step } => SliceInfoElem::Slice { start, end, step: step * by },
            other => other,
        }
    }
}

macro_rules! of_ranges {
    ($($I:ty)*) => {$(
        impl From<Range<$I>> for Slice {
            fn from(r: Range<$I>) -> Slice {
                Slice { start: r.start as isize, end: Some(r.end as isize), step: 1 }
            }
        }

        impl From<RangeInclusive<$I>> for Slice {
            fn from(r: RangeInclusive<$I>) -> Slice {
                let end = *r.end() as isize;
                Slice { start: *r.start() as isize, end: if end == -1 { None } else { Some(end + 1) }, step: 1 }
            }
        }

        impl From<RangeFrom<$I>> for Slice {
            fn from(r: RangeFrom<$I>) -> Slice {
                Slice { start: r.start as isize, end: None, step: 1 }
            }
        }

        impl From<RangeTo<$I>> for Slice {
            fn from(r: RangeTo<$I>) -> Slice {
                Slice { start: 0, end: Some(r.end as isize), step: 1 }
            }
        }

        impl From<RangeToInclusive<$I>> for Slice {
            fn from(r: RangeToInclusive<$I>) -> Slice {
                let end = r.end as isize;
                Slice { start: 0, end: if end == -1 { None } else { Some(end + 1) }, step: 1 }
            }
        }

        impl From<$I> for SliceInfoElem {
            fn from(index: $I) -> SliceInfoElem {
                SliceInfoElem::Index(index as isize)
            }
        }

        impl SliceNextDim for $I {
            type InDim = Ix1;
            type OutDim = Ix0;
        }
    )*};
}

of_ranges! { isize usize i32 }

impl From<RangeFull> for Slice {
    fn from(_: RangeFull) -> Slice {
        Slice { start: 0, end: None, step: 1 }
    }
}

impl From<Slice> for SliceInfoElem {
    fn from(slice: Slice) -> SliceInfoElem {
        SliceInfoElem::Slice { start: slice.start, end: slice.end, step: slice.step }
    }
}

impl From<NewAxis> for SliceInfoElem {
    fn from(_: NewAxis) -> SliceInfoElem {
        SliceInfoElem::NewAxis
    }
}

/// The number of axes that an argument of `s![]` consumes and produces.
pub trait SliceNextDim {
    type InDim: Dimension;
    type OutDim: Dimension;
}

macro_rules! ranges {
    ($($Range:ty)*) => {$(
        impl<T> From<$Range> for SliceInfoElem
        where
            Slice: From<$Range>,
        {
            fn from(range: $Range) -> SliceInfoElem {
                SliceInfoElem::from(Slice::from(range))
            }
        }

        impl<T> SliceNextDim for $Range {
            type InDim = Ix1;
            type OutDim = Ix1;
        }
    )*};
}

ranges! { Range<T> RangeInclusive<T> RangeFrom<T> RangeTo<T> RangeToInclusive<T> }

impl From<RangeFull> for SliceInfoElem {
    fn from(range: RangeFull) -> SliceInfoElem {
        SliceInfoElem::from(Slice::from(range))
    }
}

impl SliceNextDim for RangeFull {
    type InDim = Ix1;
    type OutDim = Ix1;
}

impl SliceNextDim for Slice {
    type InDim = Ix1;
    type OutDim = Ix1;
}

impl SliceNextDim for NewAxis {
    type InDim = Ix0;
    type OutDim = Ix1;
}

/// Slices of each axis, for arrays with `In` axes and results with `Out` axes.
#[derive(Clone, Debug)]
pub struct SliceInfo<T, In, Out> {
    parts: T,
    taken: PhantomData<In>,
    left: PhantomData<Out>,
}

pub fn nothing() -> SliceInfo<Vec<SliceInfoElem>, Ix0, Ix0> {
    SliceInfo { parts: Vec::new(), taken: PhantomData, left: PhantomData }
}

type More<In, Out, P> = SliceInfo<
    Vec<SliceInfoElem>,
    <In as DimAdd<<P as SliceNextDim>::InDim>>::Output,
    <Out as DimAdd<<P as SliceNextDim>::OutDim>>::Output,
>;

impl<In: Dimension, Out: Dimension> SliceInfo<Vec<SliceInfoElem>, In, Out> {
    pub fn with<P: SliceNextDim>(mut self, part: P) -> More<In, Out, P>
    where
        SliceInfoElem: From<P>,
        In: DimAdd<P::InDim>,
        Out: DimAdd<P::OutDim>,
    {
        self.parts.push(SliceInfoElem::from(part));
        SliceInfo { parts: self.parts, taken: PhantomData, left: PhantomData }
    }

    pub fn with_step<P: SliceNextDim>(mut self, part: P, step: isize) -> More<In, Out, P>
    where
        SliceInfoElem: From<P>,
        In: DimAdd<P::InDim>,
        Out: DimAdd<P::OutDim>,
    {
        self.parts.push(SliceInfoElem::from(part).step_by(step));
        SliceInfo { parts: self.parts, taken: PhantomData, left: PhantomData }
    }
}

/// A value that slices an array with `D` axes.
pub trait SliceArg<D: Dimension> {
    type OutDim: Dimension;
    fn parts(&self) -> Vec<SliceInfoElem>;
}

macro_rules! slice_args {
    ($($Ix:ident)*) => {$(
        impl<Out: Dimension> SliceArg<$Ix> for SliceInfo<Vec<SliceInfoElem>, $Ix, Out> {
            type OutDim = Out;

            fn parts(&self) -> Vec<SliceInfoElem> {
                self.parts.to_vec()
            }
        }
    )*};
}

slice_args! { Ix0 Ix1 Ix2 Ix3 Ix4 Ix5 Ix6 }

impl<In: Dimension, Out: Dimension> SliceArg<IxDyn> for SliceInfo<Vec<SliceInfoElem>, In, Out> {
    type OutDim = Out;

    fn parts(&self) -> Vec<SliceInfoElem> {
        self.parts.to_vec()
    }
}

impl SliceArg<IxDyn> for [SliceInfoElem] {
    type OutDim = IxDyn;

    fn parts(&self) -> Vec<SliceInfoElem> {
        self.to_vec()
    }
}

impl<D: Dimension, T: SliceArg<D>> SliceArg<D> for &T {
    type OutDim = T::OutDim;

    fn parts(&self) -> Vec<SliceInfoElem> {
        T::parts(*self)
    }
}

/// The start of a slice of an axis, its number of elements, and their stride.
fn cut(start: isize, end: Option<isize>, step: isize, len: usize, stride: isize) -> (isize, usize, isize) {
    let n = len as isize;
    let from = if start < 0 { start + n } else { start };
    let to = match end {
        None => n,
        Some(end) => if end < 0 { end + n } else { end },
    };
    let to = if to < from { from } else { to };
    if from < 0 || from > n {
        panic!("Slice begin {} is past end of axis of length {}", from as usize, len);
    }
    if to > n {
        panic!("Slice end {} is past end of axis of length {}", to as usize, len);
    }
    if step == 0 {
        panic!("Slice stride must not be zero");
    }
    let m = (to - from) as usize;
    let by = step.unsigned_abs();
    let count = if m == 0 { 0 } else { (m - 1) / by + 1 };
    let first = if m == 0 { 0 } else if step < 0 { (to - 1) * stride } else { from * stride };
    (first, count, if count <= 1 { 0 } else { stride * step })
}

fn sliced(first: usize, lens: &[usize], steps: &[isize], parts: &[SliceInfoElem]) -> (usize, Vec<usize>, Vec<isize>) {
    let mut taken = 0;
    for part in parts {
        if !matches!(part, SliceInfoElem::NewAxis) {
            taken += 1;
        }
    }
    assert!(taken == lens.len(), "The input dimension of `info` must match the array to be sliced.");
    let (mut at, mut new_lens, mut new_steps) = (first as isize, Vec::new(), Vec::new());
    let mut k = 0;
    for part in parts {
        match *part {
            SliceInfoElem::Slice { start, end, step } => {
                let (offset, len, stride) = cut(start, end, step, lens[k], steps[k]);
                at += offset;
                new_lens.push(len);
                new_steps.push(stride);
                k += 1;
            }
            SliceInfoElem::Index(index) => {
                let i = if index < 0 { index + lens[k] as isize } else { index };
                assert!(i >= 0 && (i as usize) < lens[k], "assertion failed: index < dim");
                at += i * steps[k];
                k += 1;
            }
            SliceInfoElem::NewAxis => {
                new_lens.push(1);
                new_steps.push(0);
            }
        }
    }
    (at as usize, new_lens, new_steps)
}

impl<A, S: Data<Elem = A>, D: Dimension> ArrayBase<S, D> {
    pub fn slice<I: SliceArg<D>>(&self, info: I) -> ArrayView<'_, A, I::OutDim> {
        let view = S::view_of(self);
        let (first, lens, steps) = sliced(view.first, &view.lens, &view.steps, &info.parts());
        view_as(&view, first, lens, steps)
    }

    pub fn slice_mut<I: SliceArg<D>>(&mut self, info: I) -> ArrayViewMut<'_, A, I::OutDim>
    where
        S: DataMut,
    {
        let view = S::view_mut_of(self);
        let (first, lens, steps) = sliced(view.first, &view.lens, &view.steps, &info.parts());
        view_as_mut(view, first, lens, steps)
    }

    pub fn slice_move<I: SliceArg<D>>(self, info: I) -> ArrayBase<S::With, I::OutDim>
    where
        S: crate::convert::WithDimension<D, I::OutDim>,
    {
        let view = S::view_of(&self);
        let (first, lens, steps) = sliced(view.first, &view.lens, &view.steps, &info.parts());
        S::moved(self, first, lens, steps)
    }

    pub fn slice_axis(&self, axis: Axis, indices: Slice) -> ArrayView<'_, A, D> {
        let view = S::view_of(self);
        let (mut lens, mut steps) = (view.lens.to_vec(), view.steps.to_vec());
        let k = axis.0;
        let (offset, len, step) = cut(indices.start, indices.end, indices.step, lens[k], steps[k]);
        lens[k] = len;
        steps[k] = step;
        view_as(&view, (view.first as isize + offset) as usize, lens, steps)
    }

    pub fn slice_axis_mut(&mut self, axis: Axis, indices: Slice) -> ArrayViewMut<'_, A, D>
    where
        S: DataMut,
    {
        let view = S::view_mut_of(self);
        let (mut lens, mut steps) = (view.lens.to_vec(), view.steps.to_vec());
        let k = axis.0;
        let (offset, len, step) = cut(indices.start, indices.end, indices.step, lens[k], steps[k]);
        lens[k] = len;
        steps[k] = step;
        let first = (view.first as isize + offset) as usize;
        view_as_mut(view, first, lens, steps)
    }
}
