//! Inverses, solutions and factorisations of matrices: rules in Rust.

use overdub_context::ops::*;

use super::Row;
use super::array_op::in_rust;

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&ND_INV, in_rust("inv")),
        // With one right-hand side; `solve_all` with several.
        (&ND_SOLVE, in_rust("solve")),
        (&ND_DET, in_rust("det")),
        (&ND_LN_DET, in_rust("ln_det")),
        (&ND_CHOLESKY, in_rust("cholesky")),
    ]
}
