//! Conversion to the sparse matrices of `faer`, which can factor them.

use faer::sparse::{SparseColMat, SparseRowMat, SymbolicSparseRowMat};

use crate::{SparseMatrix, SparsityPattern};

impl SparsityPattern {
    /// The positions of the entries in compressed rows. `faer` has indices of one type, so the columns are
    /// copied once for all matrices of the pattern.
    pub fn to_faer(&self) -> SymbolicSparseRowMat<usize> {
        let columns = self.columns().iter().map(|col| *col as usize).collect();
        // CSR1 and CSR2 imply what is checked here.
        SymbolicSparseRowMat::new_checked(self.rows(), self.cols(), self.offsets().to_vec(), None, columns)
    }
}

impl SparseMatrix {
    /// The matrix in compressed rows.
    pub fn to_faer(&self) -> SparseRowMat<usize, f64> {
        SparseRowMat::new(self.pattern().to_faer(), self.values().to_vec())
    }

    /// The matrix in compressed columns, the form that `faer` factors.
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use faer::linalg::solvers::Solve;
    /// use overdub_sparsity::api::Sparse;
    ///
    /// #[dub]
    /// fn chain(x: &[f64]) -> Vec<f64> { (0..x.len()).map(|i| x[i] * x[i] - x[i / 2]).collect() }
    ///
    /// let at = Sparse::jacobian(chain, (&[0.0; 5][..],))?.evaluate((&[1.0, 2.0, 3.0, 4.0, 5.0][..],))?;
    /// let b = faer::Col::from_fn(5, |i| 1.0 + i as f64);
    /// let x = at.to_faer_columns().sp_lu().expect("it is not singular").solve(&b);
    /// let back = at.product(&(0..5).map(|i| x[i]).collect::<Vec<_>>());
    /// assert!((0..5).all(|i| (back[i] - b[i]).abs() < 1e-14));
    /// # Ok::<(), overdub::Error>(())
    /// ```
    pub fn to_faer_columns(&self) -> SparseColMat<usize, f64> {
        self.to_faer().to_col_major().expect("CSR3: there are no more entries than an index counts")
    }
}
