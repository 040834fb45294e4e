//! Dimensions: the number of axes as a type, their lengths as a value.

use crate::{Array, ArrayView, ArrayViewMut};
use std::marker::PhantomData;

pub type Ix = usize;
pub type Ixs = isize;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Axis(pub usize);

impl Axis {
    pub fn index(self) -> usize {
        self.0
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Dim<I> {
    index: I,
}

#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct IxDynImpl(Vec<usize>);

pub type Ix0 = Dim<[usize; 0]>;
pub type Ix1 = Dim<[usize; 1]>;
pub type Ix2 = Dim<[usize; 2]>;
pub type Ix3 = Dim<[usize; 3]>;
pub type Ix4 = Dim<[usize; 4]>;
pub type Ix5 = Dim<[usize; 5]>;
pub type Ix6 = Dim<[usize; 6]>;
pub type IxDyn = Dim<IxDynImpl>;

pub fn Ix0() -> Ix0 {
    Dim { index: [] }
}

pub fn Ix1(a: usize) -> Ix1 {
    Dim { index: [a] }
}

pub fn Ix2(a: usize, b: usize) -> Ix2 {
    Dim { index: [a, b] }
}

pub fn Ix3(a: usize, b: usize, c: usize) -> Ix3 {
    Dim { index: [a, b, c] }
}

pub fn Ix4(a: usize, b: usize, c: usize, d: usize) -> Ix4 {
    Dim { index: [a, b, c, d] }
}

pub fn Ix5(a: usize, b: usize, c: usize, d: usize, e: usize) -> Ix5 {
    Dim { index: [a, b, c, d, e] }
}

pub fn Ix6(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize) -> Ix6 {
    Dim { index: [a, b, c, d, e, f] }
}

pub fn IxDyn(axes: &[usize]) -> IxDyn {
    Dim { index: IxDynImpl(axes.to_vec()) }
}

pub fn Dim<T: IntoDimension>(index: T) -> T::Dim {
    index.into_dimension()
}

/// The lengths of the axes.
pub trait Dimension: Clone + Eq {
    const NDIM: Option<usize>;
    type Pattern;
    type Smaller: Dimension;
    type Larger: Dimension;

    fn axes(&self) -> Vec<usize>;
    fn of_axes(axes: Vec<usize>) -> Self;
    fn into_pattern(self) -> Self::Pattern;

    /// The view of an owned array.
    fn view_of<A>(array: &Array<A, Self>) -> ArrayView<'_, A, Self>;
    fn view_mut_of<A>(array: &mut Array<A, Self>) -> ArrayViewMut<'_, A, Self>;
    /// An array of elements in row-major order; their number must match the lengths.
    fn owned<A>(elems: Vec<A>, shape: Vec<usize>) -> Array<A, Self>;

    fn ndim(&self) -> usize {
        self.axes().len()
    }

    fn size(&self) -> usize {
        crate::shape::size(&self.axes())
    }

    fn size_checked(&self) -> Option<usize> {
        let mut n: usize = 1;
        for len in self.axes() {
            n = n.checked_mul(len)?;
        }
        Some(n)
    }

    fn slice(&self) -> Vec<usize> {
        self.axes()
    }

    fn as_array_view(&self) -> crate::ArrayView1<'_, usize> {
        crate::data::standard(self.axes().__leaked(), vec![self.ndim()])
    }

    fn into_dyn(self) -> IxDyn {
        Dim { index: IxDynImpl(self.axes()) }
    }

    fn insert_axis(&self, axis: Axis) -> Self::Larger {
        let mut axes = self.axes();
        axes.insert(axis.0, 1);
        Self::Larger::of_axes(axes)
    }

    fn zeros(ndim: usize) -> Self {
        Self::of_axes(vec![0; ndim])
    }
}

pub trait RemoveAxis: Dimension {
    fn remove_axis(&self, axis: Axis) -> Self::Smaller {
        let mut axes = self.axes();
        axes.remove(axis.0);
        Self::Smaller::of_axes(axes)
    }
}

macro_rules! fixed {
    ($($N:literal $Smaller:ident $Larger:ident: $Pattern:ty, $index:ident => $pattern:expr;)*) => {$(
        impl Dimension for Dim<[usize; $N]> {
            const NDIM: Option<usize> = Some($N);
            type Pattern = $Pattern;
            type Smaller = $Smaller;
            type Larger = $Larger;

            fn axes(&self) -> Vec<usize> {
                self.index.to_vec()
            }

            fn of_axes(axes: Vec<usize>) -> Self {
                Dim { index: *std::array::view::<usize, $N>(&axes) }
            }

            fn into_pattern(self) -> $Pattern {
                let $index = self.index;
                $pattern
            }

            fn view_of<A>(array: &Array<A, Self>) -> ArrayView<'_, A, Self> {
                crate::data::standard(crate::data::elems(array), crate::data::shape(array))
            }

            fn view_mut_of<A>(array: &mut Array<A, Self>) -> ArrayViewMut<'_, A, Self> {
                let shape = crate::data::shape(array);
                crate::data::standard_mut(crate::data::elems_mut(array), shape)
            }

            fn owned<A>(elems: Vec<A>, shape: Vec<usize>) -> Array<A, Self> {
                crate::data::from_elems(elems, shape)
            }
        }

        impl RemoveAxis for Dim<[usize; $N]> {}
    )*};
}

fixed! {
    1 Ix0 Ix2: usize, i => i[0];
    2 Ix1 Ix3: (usize, usize), i => (i[0], i[1]);
    3 Ix2 Ix4: (usize, usize, usize), i => (i[0], i[1], i[2]);
    4 Ix3 Ix5: (usize, usize, usize, usize), i => (i[0], i[1], i[2], i[3]);
    5 Ix4 Ix6: (usize, usize, usize, usize, usize), i => (i[0], i[1], i[2], i[3], i[4]);
    6 Ix5 IxDyn: (usize, usize, usize, usize, usize, usize), i => (i[0], i[1], i[2], i[3], i[4], i[5]);
}

impl Dimension for Dim<[usize; 0]> {
    const NDIM: Option<usize> = Some(0);
    type Pattern = ();
    type Smaller = Ix0;
    type Larger = Ix1;

    fn axes(&self) -> Vec<usize> {
        Vec::new()
    }

    fn of_axes(_axes: Vec<usize>) -> Self {
        Ix0()
    }

    fn into_pattern(self) {}

    fn view_of<A>(array: &Array<A, Self>) -> ArrayView<'_, A, Self> {
        crate::data::standard(std::slice::from_ref(crate::data::scalar(array)), Vec::new())
    }

    fn view_mut_of<A>(_array: &mut Array<A, Self>) -> ArrayViewMut<'_, A, Self> {
        unimplemented!("a change of an array without axes through a view: keep the number in a variable")
    }

    fn owned<A>(elems: Vec<A>, _shape: Vec<usize>) -> Array<A, Self> {
        let mut elems = elems;
        crate::data::from_scalar(elems.remove(0))
    }
}

impl Dimension for Dim<IxDynImpl> {
    const NDIM: Option<usize> = None;
    type Pattern = Self;
    type Smaller = Self;
    type Larger = Self;

    fn axes(&self) -> Vec<usize> {
        self.index.0.to_vec()
    }

    fn of_axes(axes: Vec<usize>) -> Self {
        Dim { index: IxDynImpl(axes) }
    }

    fn into_pattern(self) -> Self {
        self
    }

    fn view_of<A>(array: &Array<A, Self>) -> ArrayView<'_, A, Self> {
        crate::data::view_of_parts(array)
    }

    fn view_mut_of<A>(array: &mut Array<A, Self>) -> ArrayViewMut<'_, A, Self> {
        crate::data::view_mut_of_parts(array)
    }

    fn owned<A>(elems: Vec<A>, shape: Vec<usize>) -> Array<A, Self> {
        crate::data::of_parts(elems, shape)
    }
}

impl RemoveAxis for Dim<IxDynImpl> {}

impl<const N: usize> std::ops::Index<usize> for Dim<[usize; N]> {
    type Output = usize;

    fn index(&self, axis: usize) -> &usize {
        &self.index[axis]
    }
}

impl<I: std::fmt::Debug> std::fmt::Debug for Dim<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.index.fmt(f)
    }
}

impl<const N: usize> std::ops::IndexMut<usize> for Dim<[usize; N]> {
    fn index_mut(&mut self, axis: usize) -> &mut usize {
        &mut self.index[axis]
    }
}

impl std::ops::Index<usize> for Dim<IxDynImpl> {
    type Output = usize;

    fn index(&self, axis: usize) -> &usize {
        &self.index.0[axis]
    }
}

impl std::ops::IndexMut<usize> for Dim<IxDynImpl> {
    fn index_mut(&mut self, axis: usize) -> &mut usize {
        &mut self.index.0[axis]
    }
}

pub trait IntoDimension {
    type Dim: Dimension;
    fn into_dimension(self) -> Self::Dim;
}

impl<D: Dimension> IntoDimension for D {
    type Dim = D;

    fn into_dimension(self) -> D {
        self
    }
}

macro_rules! into_dimensions {
    ($($T:ty, $Ix:ty: $index:ident => $axes:expr;)*) => {$(
        impl IntoDimension for $T {
            type Dim = $Ix;

            fn into_dimension(self) -> $Ix {
                let $index = self;
                Dim { index: $axes }
            }
        }
    )*};
}

into_dimensions! {
    (), Ix0: _i => [];
    usize, Ix1: i => [i];
    (usize,), Ix1: i => [i.0];
    (usize, usize), Ix2: i => [i.0, i.1];
    (usize, usize, usize), Ix3: i => [i.0, i.1, i.2];
    (usize, usize, usize, usize), Ix4: i => [i.0, i.1, i.2, i.3];
    (usize, usize, usize, usize, usize), Ix5: i => [i.0, i.1, i.2, i.3, i.4];
    (usize, usize, usize, usize, usize, usize), Ix6: i => [i.0, i.1, i.2, i.3, i.4, i.5];
    Vec<usize>, IxDyn: i => IxDynImpl(i);
    &[usize], IxDyn: i => IxDynImpl(i.to_vec());
    IxDynImpl, IxDyn: i => i;
}

impl<const N: usize> IntoDimension for [usize; N]
where
    Dim<[usize; N]>: Dimension,
{
    type Dim = Dim<[usize; N]>;

    fn into_dimension(self) -> Dim<[usize; N]> {
        Dim { index: self }
    }
}

/// The larger of two numbers of axes.
pub trait DimMax<Other: Dimension> {
    type Output: Dimension;
}

impl<D: Dimension> DimMax<D> for D {
    type Output = D;
}

/// The sum of two numbers of axes.
pub trait DimAdd<Other: Dimension> {
    type Output: Dimension;
}

macro_rules! larger {
    ($($Small:ident < $($Large:ident)*;)*) => {$($(
        impl DimMax<$Small> for $Large {
            type Output = $Large;
        }

        impl DimMax<$Large> for $Small {
            type Output = $Large;
        }
    )*)*};
}

larger! {
    Ix0 < Ix1 Ix2 Ix3 Ix4 Ix5 Ix6 IxDyn;
    Ix1 < Ix2 Ix3 Ix4 Ix5 Ix6 IxDyn;
    Ix2 < Ix3 Ix4 Ix5 Ix6 IxDyn;
    Ix3 < Ix4 Ix5 Ix6 IxDyn;
    Ix4 < Ix5 Ix6 IxDyn;
    Ix5 < Ix6 IxDyn;
    Ix6 < IxDyn;
}

impl<D: Dimension> DimAdd<Ix0> for D {
    type Output = D;
}

impl<D: Dimension> DimAdd<Ix1> for D {
    type Output = D::Larger;
}

/// The type of a number of axes, without a value.
pub fn no_axes() -> PhantomData<Ix0> {
    PhantomData
}
