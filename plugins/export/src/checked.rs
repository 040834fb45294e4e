//! Integer arithmetic that fails where the result does not fit, by the names that exported functions for it have.

use overdub_context::ir::{IntTy, TyKind};
use overdub_context::ops::{self, OpDef};

use crate::ast::{Apply, Expr};

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

/// Whether integer arithmetic with a constant cannot fail.
pub(crate) fn is_total(op: &OpDef, apply: &Apply) -> bool {
    let Some(Expr::Const(constant, _)) = apply.args.get(1).map(|arg| &arg.expr) else { return false };
    let Some((_, n)) = constant.value().as_int() else { return false };
    let bits = match apply.tys[0].kind() {
        TyKind::Int(int) => IntTy::bits(*int),
        _ => 0,
    };
    match () {
        () if op == &ops::DIV || op == &ops::REM => n != 0 && n != -1,
        () if op == &ops::DIV_EUCLID || op == &ops::REM_EUCLID => n != 0 && n != -1,
        () if op == &ops::SHL || op == &ops::SHR => (0..i128::from(bits)).contains(&n),
        () => false,
    }
}
