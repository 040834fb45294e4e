//! Arrays of any rank.

use overdub_context::ops::*;

use crate::array_ops::{DOT_ZERO, UNBROADCAST, UNDIAG, UNSLICE};

use super::{Row, Rule, Whole, each, moves};

pub(super) fn rows() -> Vec<Row> {
    let moving = each([&UNBROADCAST, &UNDIAG, &UNSLICE], moves);
    let rearranging = each([&ND_FROM_DIAG, &ND_EYE], || Rule::Whole(Whole::Rearranges));
    let computing = each(
        [
            &ND_DOT,
            &DOT_ZERO,
            &ND_OUTER,
            &ND_SUM,
            &ND_PRODUCT,
            &ND_MEAN,
            &ND_MIN,
            &ND_MAX,
            &ND_SUM_AXIS,
            &ND_PRODUCT_AXIS,
            &ND_MEAN_AXIS,
            &ND_MIN_AXIS,
            &ND_MAX_AXIS,
            &ND_CUMSUM,
            &ND_TRACE,
            &ND_NORM_L1,
            &ND_NORM_L2,
            &ND_NORM_MAX,
            &ND_INV,
            &ND_SOLVE,
            &ND_DET,
            &ND_LN_DET,
            &ND_CHOLESKY,
        ],
        || Rule::Whole(Whole::Computes),
    );
    [moving, rearranging, computing].into_iter().flatten().collect()
}
