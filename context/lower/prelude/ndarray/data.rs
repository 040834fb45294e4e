//! The storage of elements: owned by an array, or borrowed from another one.

use crate::dim::{Ix1, Ix2, Ix3, Ix4, Ix5, Ix6};
use crate::{Array, ArrayView, ArrayViewMut, Dimension};
use std::marker::PhantomData;

#[lang("nd_array")]
pub struct ArrayBase<S, D> {
    /// A vector that contains the elements.
    pub data: S,
    /// The position of the first one.
    pub first: usize,
    pub lens: Vec<usize>,
    pub steps: Vec<isize>,
    pub rank: PhantomData<D>,
}

#[lang("nd_owned")]
pub struct OwnedRepr<A>(pub Vec<A>);

pub use OwnedRepr as OwnedArcRepr;

pub struct ViewRepr<R: ElemRef> {
    pub elems: R::Elems,
}

/// A reference to an element: the type argument of a view, which holds a reference to a slice of them.
pub trait ElemRef {
    type Elems;
}

impl<'a, A> ElemRef for &'a A {
    type Elems = &'a [A];
}

impl<'a, A> ElemRef for &'a mut A {
    type Elems = &'a mut [A];
}

#[op("nd.elems")]
pub fn elems<A, D>(array: &Array<A, D>) -> &[A];

#[op("ref.elems")]
pub fn elems_mut<A, D>(array: &mut Array<A, D>) -> &mut [A];

#[op("nd.shape")]
pub fn shape<A, D>(array: &Array<A, D>) -> Vec<usize>;

#[op("nd.from_elems")]
pub fn from_elems<A, D>(elems: Vec<A>, shape: Vec<usize>) -> Array<A, D>;

#[op("id")]
pub fn scalar<A, D>(array: &Array<A, D>) -> &A;

#[op("id")]
pub fn from_scalar<A, D>(elem: A) -> Array<A, D>;

impl<A, D> std::entry::Entry for Array<A, D> {
    type Passed = Array<A, D>;

    fn enter(passed: Array<A, D>) -> Array<A, D> {
        passed
    }

    fn leave(self) -> Array<A, D> {
        self
    }
}

macro_rules! views_enter {
    ($($Dim:ident)*) => {$(
        impl<'a, A: Clone> std::entry::Entry for ArrayView<'a, A, $Dim> {
            type Passed = Array<A, $Dim>;

            fn enter(passed: Array<A, $Dim>) -> ArrayView<'a, A, $Dim> {
                $Dim::view_of(&passed)
            }

            fn leave(self) -> Array<A, $Dim> {
                self.to_owned()
            }
        }
    )*};
}

#[impls(Entry)]
views_enter! { Ix1 Ix2 Ix3 Ix4 Ix5 Ix6 }

/// The strides of elements in row-major order.
pub fn standard_steps(lens: &[usize]) -> Vec<isize> {
    let n = lens.len();
    let mut steps: Vec<isize> = vec![0; n];
    if crate::shape::size(lens) == 0 {
        return steps;
    }
    let mut step: isize = 1;
    for k in 0..n {
        steps[n - 1 - k] = step;
        step *= lens[n - 1 - k] as isize;
    }
    steps
}

/// A view of elements in row-major order with this shape.
pub fn standard<'a, A, D>(elems: &'a [A], lens: Vec<usize>) -> ArrayView<'a, A, D> {
    let steps = standard_steps(&lens);
    ArrayBase { data: ViewRepr { elems }, first: 0, lens, steps, rank: PhantomData }
}

pub fn standard_mut<'a, A, D>(elems: &'a mut [A], lens: Vec<usize>) -> ArrayViewMut<'a, A, D> {
    let steps = standard_steps(&lens);
    ArrayBase { data: ViewRepr { elems }, first: 0, lens, steps, rank: PhantomData }
}

/// Another view of the same elements.
pub fn view_as<'a, A, D, E>(view: &ArrayView<'a, A, D>, first: usize, lens: Vec<usize>, steps: Vec<isize>) -> ArrayView<'a, A, E> {
    ArrayBase { data: ViewRepr { elems: view.data.elems }, first, lens, steps, rank: PhantomData }
}

pub fn view_as_mut<'a, A, D, E>(
    view: ArrayViewMut<'a, A, D>,
    first: usize,
    lens: Vec<usize>,
    steps: Vec<isize>,
) -> ArrayViewMut<'a, A, E> {
    ArrayBase { data: ViewRepr { elems: view.data.elems }, first, lens, steps, rank: PhantomData }
}

pub fn view_of_parts<A, D>(array: &Array<A, D>) -> ArrayView<'_, A, D> {
    let elems = array.data.0.as_slice();
    ArrayBase {
        data: ViewRepr { elems },
        first: array.first,
        lens: array.lens.to_vec(),
        steps: array.steps.to_vec(),
        rank: PhantomData,
    }
}

pub fn view_mut_of_parts<A, D>(array: &mut Array<A, D>) -> ArrayViewMut<'_, A, D> {
    let (first, lens, steps) = (array.first, array.lens.to_vec(), array.steps.to_vec());
    ArrayBase { data: ViewRepr { elems: array.data.0.as_mut_slice() }, first, lens, steps, rank: PhantomData }
}

pub fn of_parts<A, D>(elems: Vec<A>, lens: Vec<usize>) -> Array<A, D> {
    let steps = standard_steps(&lens);
    ArrayBase { data: OwnedRepr(elems), first: 0, lens, steps, rank: PhantomData }
}

pub trait RawData {
    type Elem;
}

#[lang("nd_data")]
pub trait Data: RawData {
    fn view_of<D: Dimension>(array: &ArrayBase<Self, D>) -> ArrayView<'_, Self::Elem, D>;

    /// The element at a position in the storage.
    fn elem_of<D: Dimension>(array: &ArrayBase<Self, D>, at: usize) -> &Self::Elem {
        &Self::view_of(array).data.elems[at]
    }
}

pub trait RawDataMut: RawData {}

#[lang("nd_data_mut")]
pub trait DataMut: Data + RawDataMut {
    fn view_mut_of<D: Dimension>(array: &mut ArrayBase<Self, D>) -> ArrayViewMut<'_, Self::Elem, D>;
}

#[lang("nd_data_owned")]
pub trait DataOwned: Data {}

pub trait DataShared: Data {}

pub trait RawDataClone: RawData {}

pub trait DataClone: Data + RawDataClone {}

impl<A> RawData for OwnedRepr<A> {
    type Elem = A;
}

impl<A> Data for OwnedRepr<A> {
    fn view_of<D: Dimension>(array: &ArrayBase<Self, D>) -> ArrayView<'_, A, D> {
        D::view_of(array)
    }
}

impl<A> DataMut for OwnedRepr<A> {
    fn view_mut_of<D: Dimension>(array: &mut ArrayBase<Self, D>) -> ArrayViewMut<'_, A, D> {
        D::view_mut_of(array)
    }
}

impl<A> RawDataMut for OwnedRepr<A> {}
impl<A> DataOwned for OwnedRepr<A> {}
impl<A> DataShared for OwnedRepr<A> {}
impl<A> RawDataClone for OwnedRepr<A> {}
impl<A> DataClone for OwnedRepr<A> {}

impl<'a, A> RawData for ViewRepr<&'a A> {
    type Elem = A;
}

impl<'a, A> Data for ViewRepr<&'a A> {
    fn view_of<D: Dimension>(array: &ArrayBase<Self, D>) -> ArrayView<'_, A, D> {
        *array
    }
}

impl<'a, A> DataShared for ViewRepr<&'a A> {}
impl<'a, A> RawDataClone for ViewRepr<&'a A> {}
impl<'a, A> DataClone for ViewRepr<&'a A> {}

impl<'a, A> RawData for ViewRepr<&'a mut A> {
    type Elem = A;
}

impl<'a, A> Data for ViewRepr<&'a mut A> {
    fn view_of<D: Dimension>(array: &ArrayBase<Self, D>) -> ArrayView<'_, A, D> {
        ArrayBase {
            data: ViewRepr { elems: &*array.data.elems },
            first: array.first,
            lens: array.lens.to_vec(),
            steps: array.steps.to_vec(),
            rank: PhantomData,
        }
    }

    fn elem_of<D: Dimension>(array: &ArrayBase<Self, D>, at: usize) -> &A {
        &array.data.elems[at]
    }
}

impl<'a, A> DataMut for ViewRepr<&'a mut A> {
    fn view_mut_of<D: Dimension>(array: &mut ArrayBase<Self, D>) -> ArrayViewMut<'_, A, D> {
        let (first, lens, steps) = (array.first, array.lens.to_vec(), array.steps.to_vec());
        ArrayBase { data: ViewRepr { elems: &mut *array.data.elems }, first, lens, steps, rank: PhantomData }
    }
}

impl<'a, A> RawDataMut for ViewRepr<&'a mut A> {}

impl<A: Clone, D: Dimension> Clone for Array<A, D> {
    fn clone(&self) -> Array<A, D> {
        self.to_owned()
    }
}

impl<'a, A, D> Clone for ArrayView<'a, A, D> {
    fn clone(&self) -> ArrayView<'a, A, D> {
        *self
    }
}

impl<'a, A, D> Copy for ArrayView<'a, A, D> {}
