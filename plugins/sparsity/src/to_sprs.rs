//! Conversion to the sparse matrices of the crate `sprs`.

use sprs::{CsMatI, CsMatViewI};

use crate::SparseMatrix;

impl SparseMatrix {
    /// The matrix in compressed rows, without copying.
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub_sparsity::api::Sparse;
    ///
    /// #[dub]
    /// fn chain(x: &[f64]) -> Vec<f64> { x.windows(2).map(|w| w[1] * w[0]).collect() }
    ///
    /// let at = Sparse::jacobian(chain, (&[0.0; 3][..],))?.evaluate((&[1.0, 2.0, 3.0][..],))?;
    /// let gram = &at.as_sprs() * &at.to_sprs_columns().transpose_view();
    /// assert_eq!(gram.to_dense(), ndarray::arr2(&[[5.0, 3.0], [3.0, 13.0]]));
    /// # Ok::<(), overdub::Error>(())
    /// ```
    pub fn as_sprs(&self) -> CsMatViewI<'_, f64, u32, usize> {
        let pattern = self.pattern();
        let size = (pattern.rows(), pattern.cols());
        CsMatViewI::try_new(size, pattern.offsets(), pattern.columns(), self.values())
            .map_err(|(.., error)| error)
            .expect("CSR1, CSR2: offsets rise, and so do the columns of a row")
    }

    /// The matrix in compressed columns.
    pub fn to_sprs_columns(&self) -> CsMatI<f64, u32, usize> {
        self.as_sprs().to_csc()
    }
}
