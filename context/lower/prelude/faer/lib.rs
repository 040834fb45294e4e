//! Matrices, columns and rows of faer in the calls of external callers, who pass and receive arrays.

use faer::{Col, ColRef, Mat, MatRef, Row, RowRef};
use ndarray::{Array1, Array2};
use std::entry::Entry;

impl<T: Clone> Entry for Mat<T> {
    type Passed = Array2<T>;

    fn enter(passed: Array2<T>) -> Mat<T> {
        Mat::from_fn(passed.nrows(), passed.ncols(), |i, j| passed[(i, j)].clone())
    }

    fn leave(self) -> Array2<T> {
        Array2::from_shape_fn((self.nrows(), self.ncols()), |(i, j)| self[(i, j)].clone())
    }
}

impl<'a, T: Clone> Entry for MatRef<'a, T> {
    type Passed = Array2<T>;

    fn enter(passed: Array2<T>) -> MatRef<'a, T> {
        Box::leak(Box::new(Mat::enter(passed))).as_ref()
    }

    fn leave(self) -> Array2<T> {
        Array2::from_shape_fn((self.nrows(), self.ncols()), |(i, j)| self[(i, j)].clone())
    }
}

macro_rules! of_one_axis {
    ($($Owned:ident $Ref:ident $len:ident;)*) => {$(
        impl<T: Clone> Entry for $Owned<T> {
            type Passed = Array1<T>;

            fn enter(passed: Array1<T>) -> $Owned<T> {
                $Owned::from_fn(passed.len(), |i| passed[i].clone())
            }

            fn leave(self) -> Array1<T> {
                Array1::from_shape_fn(self.$len(), |i| self[i].clone())
            }
        }

        impl<'a, T: Clone> Entry for $Ref<'a, T> {
            type Passed = Array1<T>;

            fn enter(passed: Array1<T>) -> $Ref<'a, T> {
                Box::leak(Box::new($Owned::enter(passed))).as_ref()
            }

            fn leave(self) -> Array1<T> {
                Array1::from_shape_fn(self.$len(), |i| self[i].clone())
            }
        }
    )*};
}

of_one_axis! {
    Col ColRef nrows;
    Row RowRef ncols;
}
