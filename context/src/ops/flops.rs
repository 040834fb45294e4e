//! How much an operation computes with floats: what a counter counts, and what may make a NaN out of numbers.
//!
//! - F1 each addition, subtraction, multiplication, division, remainder, square root and elementary function of a
//!   float is one; `mul_add` and `sin_cos` are two. Signs, comparisons, rounding and conversions are none.
//! - F2 a sum or product of n elements is n, a product of matrices is two for each product that is added up;
//!   factoring one is what the textbook counts, in its leading power.

use std::sync::LazyLock;

use hashbrown::HashMap;

use super::*;

/// How many floating-point operations an operation is, on floats or arrays of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flops {
    /// It computes no float.
    None,
    /// So many for each element of the result; of a scalar, one element.
    PerElement(u64),
    /// So many for each element of the first operand.
    PerOperand(u64),
    /// One for each row of the first operand, a matrix.
    PerRow,
    /// That of a product of its operands, matrices or vectors.
    MatrixProduct,
    /// So many thirds of n³, for a first operand of n rows; where there is a second one, n² twice for each of its columns.
    Factors(u64),
}

/// A row is an operation and how much it is.
macro_rules! rows {
    ($($flops:expr => $($op:ident)+;)*) => {
        static FLOPS: LazyLock<HashMap<&'static OpDef, Flops>> = LazyLock::new(|| {
            HashMap::from_iter([$($((&$op, $flops),)+)*])
        });
    };
}

rows! {
    Flops::PerElement(1) => ADD SUB MUL DIV REM DIV_EUCLID REM_EUCLID ABS_SUB RECIP TO_DEGREES TO_RADIANS;
    Flops::PerElement(1) => SQRT CBRT SIN COS TAN ASIN ACOS ATAN ATAN2 SINH COSH TANH ASINH ACOSH ATANH;
    Flops::PerElement(1) => EXP EXP2 EXP_M1 LN LN_1P LOG2 LOG10 LOG HYPOT POWI POWF MUL_ZERO;
    Flops::PerElement(2) => MUL_ADD SIN_COS;
    Flops::PerOperand(1) => ND_SUM ND_PRODUCT ND_MEAN ND_SUM_AXIS ND_PRODUCT_AXIS ND_MEAN_AXIS ND_CUMSUM ND_NORM_L1;
    Flops::PerOperand(2) => ND_NORM_L2;
    Flops::PerElement(1) => ND_OUTER;
    Flops::PerRow => ND_TRACE;
    Flops::MatrixProduct => ND_DOT;
    Flops::Factors(1) => ND_CHOLESKY;
    Flops::Factors(2) => ND_DET ND_LN_DET ND_SOLVE;
    Flops::Factors(6) => ND_INV;
}

/// How many floating-point operations an operation is, on floats or arrays of them.
///
/// ```
/// use overdub_context::ops::{self, Flops};
/// assert_eq!(ops::flops(&ops::SIN), Flops::PerElement(1));
/// assert_eq!(ops::flops(&ops::NEG), Flops::None);
/// ```
pub fn flops(op: &'static OpDef) -> Flops {
    FLOPS.get(&op).copied().unwrap_or(Flops::None)
}
