//! Loops for which a version over slices gains nothing: rustc does not vectorise them, and beside what their rounds take the checks of
//! indices take no time that can be measured.

use overdub_context::ops::{self, OpDef};

use super::Slice;
use crate::ast::{Callee, Stmt};
use crate::calls::each_apply;

/// Functions of the library, which are called for one element after the other.
const LIBRARY: &[&OpDef] = &[
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
];

/// Whether rustc may vectorise a loop over slices: rounds change no element that the others change, and call nothing of the library.
pub(super) fn is_vectorisable(over: &Stmt, slices: &[Slice]) -> bool {
    let mut calls_library = false;
    each_apply(std::slice::from_ref(over), &mut |apply| {
        calls_library |= matches!(apply.callee, Callee::Op(op) if LIBRARY.contains(&op));
    });
    !calls_library && !slices.iter().any(|slice| slice.is_mut && !slice.counts)
}
