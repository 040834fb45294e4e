//! Integer arithmetic that fails where the result does not fit, by the names that exported functions for it have.

use overdub_context::ops::{self, OpDef};

/// The name of an operation, if it is such arithmetic.
pub(crate) fn checked(op: &OpDef) -> Option<&'static str> {
    const ROWS: &[(&OpDef, &str)] = &[
        (&ops::ADD, "add"),
        (&ops::SUB, "sub"),
        (&ops::MUL, "mul"),
        (&ops::DIV, "div"),
        (&ops::REM, "rem"),
        (&ops::NEG, "neg"),
        (&ops::ABS, "abs"),
        (&ops::POW, "pow"),
        (&ops::SHL, "shl"),
        (&ops::SHR, "shr"),
        (&ops::DIV_EUCLID, "div_euclid"),
        (&ops::REM_EUCLID, "rem_euclid"),
    ];
    ROWS.iter().find(|(row, _)| *row == op).map(|(_, name)| *name)
}
