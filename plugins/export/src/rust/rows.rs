//! Operations that Rust writes as an operator or a method.

use overdub_context::ops::{self, OpDef};

/// How tightly an expression binds.
pub(super) mod binds {
    pub(crate) const ATOM: u8 = 100;
    pub(crate) const UNARY: u8 = 90;
    pub(crate) const CAST: u8 = 85;
    pub(crate) const PRODUCT: u8 = 80;
    pub(crate) const SUM: u8 = 70;
    pub(crate) const SHIFT: u8 = 65;
    pub(crate) const BIT_AND: u8 = 60;
    pub(crate) const BIT_XOR: u8 = 55;
    pub(crate) const BIT_OR: u8 = 50;
    pub(crate) const COMPARE: u8 = 40;
    pub(crate) const AND: u8 = 30;
    pub(crate) const OR: u8 = 20;
    pub(crate) const LOOSE: u8 = 0;
}

/// The sign of a binary operator and how tightly it binds; `on_bools` selects the logical operators.
pub(super) fn infix(op: &OpDef, on_bools: bool) -> Option<(&'static str, u8)> {
    const ROWS: &[(&OpDef, &str, u8)] = &[
        (&ops::ADD, "+", binds::SUM),
        (&ops::SUB, "-", binds::SUM),
        (&ops::MUL, "*", binds::PRODUCT),
        (&ops::DIV, "/", binds::PRODUCT),
        (&ops::REM, "%", binds::PRODUCT),
        (&ops::SHL, "<<", binds::SHIFT),
        (&ops::SHR, ">>", binds::SHIFT),
        (&ops::EQ, "==", binds::COMPARE),
        (&ops::NE, "!=", binds::COMPARE),
        (&ops::LT, "<", binds::COMPARE),
        (&ops::LE, "<=", binds::COMPARE),
        (&ops::GT, ">", binds::COMPARE),
        (&ops::GE, ">=", binds::COMPARE),
    ];
    match () {
        () if op == &ops::AND && on_bools => Some(("&&", binds::AND)),
        () if op == &ops::OR && on_bools => Some(("||", binds::OR)),
        () if op == &ops::XOR && on_bools => Some(("!=", binds::COMPARE)),
        () if op == &ops::AND => Some(("&", binds::BIT_AND)),
        () if op == &ops::OR => Some(("|", binds::BIT_OR)),
        () if op == &ops::XOR => Some(("^", binds::BIT_XOR)),
        () => ROWS.iter().find(|(row, ..)| *row == op).map(|(_, sign, binds)| (*sign, *binds)),
    }
}

/// The method of the first operand that computes an operation on scalars from the others.
pub(super) fn method(op: &OpDef) -> Option<&'static str> {
    /// Operations with the name of their method.
    const SAME: &[&OpDef] = &[
        &ops::SQRT,
        &ops::CBRT,
        &ops::SIN,
        &ops::COS,
        &ops::TAN,
        &ops::ASIN,
        &ops::ACOS,
        &ops::ATAN,
        &ops::ATAN2,
        &ops::SINH,
        &ops::COSH,
        &ops::TANH,
        &ops::ASINH,
        &ops::ACOSH,
        &ops::ATANH,
        &ops::EXP,
        &ops::EXP2,
        &ops::EXP_M1,
        &ops::LN,
        &ops::LN_1P,
        &ops::LOG2,
        &ops::LOG10,
        &ops::LOG,
        &ops::HYPOT,
        &ops::POWF,
        &ops::MUL_ADD,
        &ops::FLOOR,
        &ops::CEIL,
        &ops::ROUND,
        &ops::ROUND_TIES_EVEN,
        &ops::TRUNC,
        &ops::FRACT,
        &ops::COPYSIGN,
        &ops::RECIP,
        &ops::TO_DEGREES,
        &ops::TO_RADIANS,
        &ops::POWI,
        &ops::MIN,
        &ops::MAX,
        &ops::SIGNUM,
        &ops::IS_NAN,
        &ops::IS_SIGN_POSITIVE,
        &ops::IS_SIGN_NEGATIVE,
        &ops::IS_FINITE,
        &ops::IS_NORMAL,
        &ops::IS_SUBNORMAL,
        &ops::IS_INFINITE,
        &ops::COUNT_ONES,
        &ops::COUNT_ZEROS,
        &ops::LEADING_ZEROS,
        &ops::TRAILING_ZEROS,
        &ops::LEADING_ONES,
        &ops::TRAILING_ONES,
        &ops::SWAP_BYTES,
        &ops::REVERSE_BITS,
        &ops::ROTATE_LEFT,
        &ops::ROTATE_RIGHT,
        &ops::TO_BITS,
    ];
    const ROWS: &[(&OpDef, &str)] = &[
        (&ops::ADD_WRAPPING, "wrapping_add"),
        (&ops::SUB_WRAPPING, "wrapping_sub"),
        (&ops::MUL_WRAPPING, "wrapping_mul"),
        (&ops::NEG_WRAPPING, "wrapping_neg"),
        (&ops::POW_WRAPPING, "wrapping_pow"),
        (&ops::SHL_WRAPPING, "wrapping_shl"),
        (&ops::SHR_WRAPPING, "wrapping_shr"),
        (&ops::ADD_CHECKED, "checked_add"),
        (&ops::SUB_CHECKED, "checked_sub"),
        (&ops::MUL_CHECKED, "checked_mul"),
        (&ops::DIV_CHECKED, "checked_div"),
        (&ops::REM_CHECKED, "checked_rem"),
        (&ops::DIV_EUCLID_CHECKED, "checked_div_euclid"),
        (&ops::REM_EUCLID_CHECKED, "checked_rem_euclid"),
        (&ops::NEG_CHECKED, "checked_neg"),
        (&ops::POW_CHECKED, "checked_pow"),
        (&ops::SHL_CHECKED, "checked_shl"),
        (&ops::SHR_CHECKED, "checked_shr"),
        (&ops::ADD_SATURATING, "saturating_add"),
        (&ops::SUB_SATURATING, "saturating_sub"),
        (&ops::MUL_SATURATING, "saturating_mul"),
        (&ops::POW_SATURATING, "saturating_pow"),
        (&ops::ADD_OVERFLOWING, "overflowing_add"),
        (&ops::SUB_OVERFLOWING, "overflowing_sub"),
        (&ops::MUL_OVERFLOWING, "overflowing_mul"),
        (&ops::NEG_OVERFLOWING, "overflowing_neg"),
        (&ops::POW_OVERFLOWING, "overflowing_pow"),
        (&ops::CHAR_IS_ALPHABETIC, "is_alphabetic"),
        (&ops::CHAR_IS_NUMERIC, "is_numeric"),
        (&ops::CHAR_IS_ALPHANUMERIC, "is_alphanumeric"),
        (&ops::CHAR_IS_WHITESPACE, "is_whitespace"),
        (&ops::CHAR_IS_UPPERCASE, "is_uppercase"),
        (&ops::CHAR_IS_LOWERCASE, "is_lowercase"),
    ];
    match SAME.iter().find(|row| **row == op) {
        Some(same) => Some(same.name),
        None => ROWS.iter().find(|(row, _)| *row == op).map(|(_, method)| *method),
    }
}

/// The method of a text whose other operands are texts, and what turns its result into an owned value.
pub(super) fn text_method(op: &OpDef) -> Option<(&'static str, &'static str)> {
    const ROWS: &[(&OpDef, &str, &str)] = &[
        (&ops::STR_LEN, "len", ""),
        (&ops::STR_CHARS, "chars", ".collect::<Vec<char>>()"),
        (&ops::STR_BYTES, "as_bytes", ".to_vec()"),
        (&ops::STR_FIND, "find", ""),
        (&ops::STR_CONTAINS, "contains", ""),
        (&ops::STR_STARTS_WITH, "starts_with", ""),
        (&ops::STR_ENDS_WITH, "ends_with", ""),
        (&ops::STR_TO_UPPER, "to_uppercase", ""),
        (&ops::STR_TO_LOWER, "to_lowercase", ""),
        (&ops::STR_TRIM, "trim", ".to_owned()"),
        (&ops::STR_TRIM_START, "trim_start", ".to_owned()"),
        (&ops::STR_TRIM_END, "trim_end", ".to_owned()"),
        (&ops::STR_ESCAPE_DEBUG, "escape_debug", ".to_string()"),
        (&ops::STR_SPLIT, "split", ".map(str::to_owned).collect::<Vec<String>>()"),
        (&ops::STR_SPLIT_WHITESPACE, "split_whitespace", ".map(str::to_owned).collect::<Vec<String>>()"),
        (&ops::STR_LINES, "lines", ".map(str::to_owned).collect::<Vec<String>>()"),
        (&ops::STR_REPLACE, "replace", ""),
    ];
    ROWS.iter().find(|(row, ..)| *row == op).map(|(_, method, after)| (*method, *after))
}
