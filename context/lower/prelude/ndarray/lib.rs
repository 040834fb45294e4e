//! The crate `ndarray` as programs see it, written in the same Rust as the rest of the prelude.
//!
//! - N1 an owned array with a fixed number of axes is an array of the IR with elements in row-major order; one without
//!   axes is its element. Every other array is a vector of elements, a first position, lengths and strides.
//! - N2 a view has the same strides as in ndarray, so that sums are computed in the same order and round alike.
//! - N3 only the type contains the number of axes: code here uses vectors of lengths and strides.

pub mod arith;
pub mod axes;
pub mod convert;
pub mod data;
pub mod dim;
pub mod error;
pub mod floats;
pub mod fmt;
pub mod index;
pub mod iter;
pub mod iterators;
pub mod linalg;
pub mod macros;
pub mod make;
pub mod map;
pub mod numbers;
pub mod order;
pub mod places;
pub mod producer;
pub mod reduce;
pub mod shape;
pub mod slice;
pub mod stack;
pub mod variance;
pub mod zip;

pub use arith::ScalarOperand;
pub use data::{
    ArrayBase, Data, DataClone, DataMut, DataOwned, DataShared, OwnedArcRepr, OwnedRepr, RawData, RawDataClone,
    RawDataMut, ViewRepr,
};
pub use dim::{
    Axis, Dim, DimAdd, DimMax, Dimension, IntoDimension, Ix, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn, IxDynImpl, Ixs,
    RemoveAxis,
};
pub use error::{ErrorKind, ShapeError};
pub use index::NdIndex;
pub use iter::{IndexedIter, IndexedIterMut, Iter, IterMut};
pub use iterators::{AxisIter, AxisIterMut, Lanes, LanesMut};
pub use linalg::Dot;
pub use make::{arr0, arr1, arr2, arr3, aview0, aview1, aview2, aview_mut1, rcarr1, rcarr2};
pub use numbers::{AsArray, LinalgScalar, NdFloat};
pub use order::Order;
pub use shape::{Shape, ShapeArg, ShapeBuilder, StrideShape};
pub use slice::{NewAxis, Slice, SliceArg, SliceInfo, SliceInfoElem, SliceNextDim};
pub use stack::{concatenate, stack};
pub use zip::{FoldWhile, IntoNdProducer, NdProducer, Zip, indices, indices_of};

pub use crate::{array, azip, concatenate, s, stack};

pub type Array<A, D> = ArrayBase<OwnedRepr<A>, D>;
pub type ArcArray<A, D> = ArrayBase<OwnedRepr<A>, D>;
pub type CowArray<'a, A, D> = ArrayBase<OwnedRepr<A>, D>;
pub type ArrayView<'a, A, D> = ArrayBase<ViewRepr<&'a A>, D>;
pub type ArrayViewMut<'a, A, D> = ArrayBase<ViewRepr<&'a mut A>, D>;
/// The receiver of methods in ndarray 0.17: here it is a view.
pub type ArrayRef<A, D> = ArrayBase<ViewRepr<&'static A>, D>;

macro_rules! ranks {
    ($($Ix:ident: $Array:ident $ArcArray:ident $View:ident $ViewMut:ident $Ref:ident;)*) => {$(
        pub type $Array<A> = Array<A, $Ix>;
        pub type $ArcArray<A> = Array<A, $Ix>;
        pub type $View<'a, A> = ArrayView<'a, A, $Ix>;
        pub type $ViewMut<'a, A> = ArrayViewMut<'a, A, $Ix>;
        pub type $Ref<A> = ArrayRef<A, $Ix>;
    )*};
}

ranks! {
    Ix0: Array0 ArcArray0 ArrayView0 ArrayViewMut0 ArrayRef0;
    Ix1: Array1 ArcArray1 ArrayView1 ArrayViewMut1 ArrayRef1;
    Ix2: Array2 ArcArray2 ArrayView2 ArrayViewMut2 ArrayRef2;
    Ix3: Array3 ArcArray3 ArrayView3 ArrayViewMut3 ArrayRef3;
    Ix4: Array4 ArcArray4 ArrayView4 ArrayViewMut4 ArrayRef4;
    Ix5: Array5 ArcArray5 ArrayView5 ArrayViewMut5 ArrayRef5;
    Ix6: Array6 ArcArray6 ArrayView6 ArrayViewMut6 ArrayRef6;
    IxDyn: ArrayD ArcArrayD ArrayViewD ArrayViewMutD ArrayRefD;
}

pub mod prelude {
    pub use crate::ShapeBuilder as _;
    pub use crate::{
        ArcArray, Array, Array0, Array1, Array2, Array3, Array4, Array5, Array6, ArrayBase, ArrayD, ArrayRef, ArrayRef0,
        ArrayRef1, ArrayRef2, ArrayRef3, ArrayRef4, ArrayRef5, ArrayRef6, ArrayRefD, ArrayView, ArrayView0, ArrayView1,
        ArrayView2, ArrayView3, ArrayView4, ArrayView5, ArrayView6, ArrayViewD, ArrayViewMut, ArrayViewMut0,
        ArrayViewMut1, ArrayViewMut2, ArrayViewMut3, ArrayViewMut4, ArrayViewMut5, ArrayViewMut6, ArrayViewMutD, Axis,
        Dim, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn, NdFloat, arr0, arr1, arr2, array, aview0, aview1,
        aview2, azip, s,
    };
}
