//! How many floating-point operations a call is.
//!
//! - F1 each addition, subtraction, multiplication, division, remainder, square root and elementary function of a
//!   float is one; `mul_add` is two. Signs, comparisons, rounding and conversions are none.
//! - F2 on arrays it is one for each element of the result; a sum or product of n elements is n, a product of
//!   matrices is two for each product that is added up.

use overdub_context::engine::{CallSite, Called};
use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::Value;

/// Operations that are one for each element.
const ONE: &[&str] = &[
    "add",
    "sub",
    "mul",
    "div",
    "rem",
    "sqrt",
    "cbrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp",
    "exp2",
    "exp_m1",
    "ln",
    "ln_1p",
    "log2",
    "log10",
    "log",
    "hypot",
    "powi",
    "powf",
    "recip",
    "div_euclid",
    "rem_euclid",
    "to_degrees",
    "to_radians",
    "abs_sub",
];

/// Operations that are one for each element of their first operand.
const REDUCTIONS: &[&str] = &["nd.sum", "nd.product", "nd.mean", "nd.sum_axis", "nd.cumsum"];

/// For each element.
fn each(name: &str) -> u64 {
    match name {
        "mul_add" | "sin_cos" => 2,
        name => u64::from(ONE.contains(&name)),
    }
}

fn is_float(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Float(_))
}

fn is_float_array(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Array(array) if is_float(array.elem))
}

/// Whether the number depends on how many elements the result has.
pub(crate) fn by_result(call: &CallSite) -> bool {
    matches!(call.callee, Called::Op(op) if each(op.name) > 0) && is_float_array(call.ret)
}

/// The number that is known before the call.
pub(crate) fn of_args(call: &CallSite, args: &[Value<'_>]) -> u64 {
    let Called::Op(op) = call.callee else { return 0 };
    let len = |at: usize| args.get(at).and_then(Value::as_array).map_or(0, |array| array.len() as u64);
    match call.args.first() {
        Some(&ty) if is_float(ty) && !is_float_array(call.ret) => each(op.name),
        Some(&ty) if is_float_array(ty) && REDUCTIONS.contains(&op.name) => len(0),
        Some(&ty) if is_float_array(ty) && op.name == "nd.dot" => {
            // (m, k)·(k, n): each of the m·k elements meets n others.
            let columns = args.get(1).and_then(Value::as_array).map_or(1, |right| match right.shape() {
                [_, columns] => *columns as u64,
                _ => 1,
            });
            2 * len(0) * columns
        }
        _ => 0,
    }
}

/// The number that is known by the result.
pub(crate) fn of_result(call: &CallSite, result: &Value<'_>) -> u64 {
    result.as_array().map_or(0, |array| each(call.name()) * array.len() as u64)
}
