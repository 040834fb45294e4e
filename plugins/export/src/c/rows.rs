//! Operations on numbers, and what they are in C.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops::{self, OpDef};

use super::exprs::binds;

/// Functions of floats in the C library, as the operation and the name for doubles.
pub(super) const LIBRARY: &[(&OpDef, &str)] = &[
    (&ops::SQRT, "sqrt"),
    (&ops::CBRT, "cbrt"),
    (&ops::SIN, "sin"),
    (&ops::COS, "cos"),
    (&ops::TAN, "tan"),
    (&ops::ASIN, "asin"),
    (&ops::ACOS, "acos"),
    (&ops::ATAN, "atan"),
    (&ops::ATAN2, "atan2"),
    (&ops::SINH, "sinh"),
    (&ops::COSH, "cosh"),
    (&ops::TANH, "tanh"),
    (&ops::EXP, "exp"),
    (&ops::EXP2, "exp2"),
    (&ops::EXP_M1, "expm1"),
    (&ops::LN, "log"),
    (&ops::LN_1P, "log1p"),
    (&ops::LOG2, "log2"),
    (&ops::LOG10, "log10"),
    (&ops::HYPOT, "hypot"),
    (&ops::POWF, "pow"),
    (&ops::MUL_ADD, "fma"),
    (&ops::FLOOR, "floor"),
    (&ops::CEIL, "ceil"),
    (&ops::ROUND, "round"),
    (&ops::ROUND_TIES_EVEN, "rint"),
    (&ops::TRUNC, "trunc"),
    (&ops::COPYSIGN, "copysign"),
    (&ops::ABS, "fabs"),
    (&ops::REM, "fmod"),
];

/// Functions of numbers in `support`, whatever their type.
pub(super) const SUPPORT: &[(&OpDef, &str)] = &[
    (&ops::MIN, "min"),
    (&ops::MAX, "max"),
    (&ops::SIGNUM, "signum"),
    (&ops::MUL_ZERO, "mul_zero"),
    (&ops::POWI, "powi"),
    (&ops::ASINH, "asinh"),
    (&ops::ACOSH, "acosh"),
    (&ops::ATANH, "atanh"),
    (&ops::DIV_EUCLID, "div_euclid"),
    (&ops::REM_EUCLID, "rem_euclid"),
    (&ops::ADD_WRAPPING, "add_wrapping"),
    (&ops::SUB_WRAPPING, "sub_wrapping"),
    (&ops::MUL_WRAPPING, "mul_wrapping"),
    (&ops::NEG_WRAPPING, "neg_wrapping"),
    (&ops::POW_WRAPPING, "pow_wrapping"),
    (&ops::SHL_WRAPPING, "shl_wrapping"),
    (&ops::SHR_WRAPPING, "shr_wrapping"),
    (&ops::ADD_SATURATING, "add_saturating"),
    (&ops::SUB_SATURATING, "sub_saturating"),
    (&ops::MUL_SATURATING, "mul_saturating"),
    (&ops::POW_SATURATING, "pow_saturating"),
    (&ops::COUNT_ONES, "count_ones"),
    (&ops::LEADING_ZEROS, "leading_zeros"),
    (&ops::TRAILING_ZEROS, "trailing_zeros"),
    (&ops::ROTATE_LEFT, "rotate_left"),
    (&ops::REVERSE_BITS, "reverse_bits"),
    (&ops::SWAP_BYTES, "swap_bytes"),
    (&ops::TO_BITS, "to_bits"),
];

/// Integer arithmetic whose result is an option, or goes with whether it overflowed.
pub(super) const FITS: &[(&OpDef, &str, bool)] = &[
    (&ops::ADD_CHECKED, "add", true),
    (&ops::SUB_CHECKED, "sub", true),
    (&ops::MUL_CHECKED, "mul", true),
    (&ops::DIV_CHECKED, "div", true),
    (&ops::REM_CHECKED, "rem", true),
    (&ops::DIV_EUCLID_CHECKED, "div_euclid", true),
    (&ops::REM_EUCLID_CHECKED, "rem_euclid", true),
    (&ops::NEG_CHECKED, "neg", true),
    (&ops::POW_CHECKED, "pow", true),
    (&ops::SHL_CHECKED, "shl", true),
    (&ops::SHR_CHECKED, "shr", true),
    (&ops::ADD_OVERFLOWING, "add", false),
    (&ops::SUB_OVERFLOWING, "sub", false),
    (&ops::MUL_OVERFLOWING, "mul", false),
    (&ops::NEG_OVERFLOWING, "neg", false),
    (&ops::POW_OVERFLOWING, "pow", false),
];

/// What a table says of an operation.
pub(super) fn row<T: Copy>(rows: &[(&OpDef, T)], op: &OpDef) -> Option<T> {
    rows.iter().find(|(row, _)| *row == op).map(|(_, found)| *found)
}

/// Whether a type is that of a float.
pub(super) fn is_float(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Float(_))
}

/// Whether an operation has rows here.
pub(super) fn is_of_numbers(op: &OpDef) -> bool {
    row(LIBRARY, op).is_some()
        || row(SUPPORT, op).is_some()
        || crate::checked::checked(op).is_some()
        || infix(op).is_some()
        || [&ops::NOT, &ops::FRACT, &ops::RECIP, &ops::LOG, &ops::TO_DEGREES, &ops::TO_RADIANS, &ops::IS_NAN]
            .contains(&op)
        || [
            &ops::IS_FINITE,
            &ops::IS_NORMAL,
            &ops::IS_SUBNORMAL,
            &ops::IS_INFINITE,
            &ops::IS_SIGN_NEGATIVE,
            &ops::IS_SIGN_POSITIVE,
        ]
        .contains(&op)
}

/// The sign of a binary operator and how tightly it binds.
pub(super) fn infix(op: &OpDef) -> Option<(&'static str, u8)> {
    const ROWS: &[(&OpDef, (&str, u8))] = &[
        (&ops::ADD, ("+", binds::SUM)),
        (&ops::SUB, ("-", binds::SUM)),
        (&ops::MUL, ("*", binds::PRODUCT)),
        (&ops::DIV, ("/", binds::PRODUCT)),
        (&ops::EQ, ("==", binds::COMPARE)),
        (&ops::NE, ("!=", binds::COMPARE)),
        (&ops::LT, ("<", binds::COMPARE)),
        (&ops::LE, ("<=", binds::COMPARE)),
        (&ops::GT, (">", binds::COMPARE)),
        (&ops::GE, (">=", binds::COMPARE)),
        (&ops::AND, ("&", binds::BITS)),
        (&ops::OR, ("|", binds::BITS)),
        (&ops::XOR, ("^", binds::BITS)),
    ];
    row(ROWS, op)
}
