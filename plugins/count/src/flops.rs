//! The number of floating-point operations of a call: the cost of its operation, for its arguments and
//! result.

use overdub_context::engine::{CallSite, Called};
use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::Value;

use crate::cost::{Cost, cost};

/// The cost of the operation of a call; that of a function is counted in its calls.
fn of_op(call: &CallSite) -> Cost {
    match call.callee {
        Called::Op(op) => cost(op).unwrap_or(Cost::None),
        Called::Func(_) | Called::Closure(_) | Called::Value => Cost::None,
    }
}

/// Whether the cost of the operation of a call is unknown.
pub(crate) fn is_unknown(call: &CallSite) -> bool {
    matches!(call.callee, Called::Op(op) if cost(op).is_none())
}

fn is_float(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Float(_))
}

fn is_float_array(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Array(array) if is_float(array.elem))
}

/// Whether the number depends on the number of elements of the result.
pub(crate) fn by_result(call: &CallSite) -> bool {
    matches!(of_op(call), Cost::PerElement(_)) && is_float_array(call.ret)
}

/// The number that is known before the call.
pub(crate) fn of_args(call: &CallSite, args: &[Value<'_>]) -> u64 {
    let Some(&ty) = call.args.first() else { return 0 };
    let first = args.first().and_then(Value::as_array);
    let len = first.map_or(0, |array| array.len() as u64);
    match of_op(call) {
        Cost::PerElement(each) if is_float(ty) && !is_float_array(call.ret) => each,
        Cost::PerOperand(each) if is_float_array(ty) => each * len,
        Cost::PerRow if is_float_array(ty) => {
            first.and_then(|array| array.shape().first()).map_or(0, |rows| *rows as u64)
        }
        Cost::Factors(thirds) if is_float_array(ty) => {
            let rows = first.and_then(|array| array.shape().first()).map_or(0, |rows| *rows as u64);
            let right = args.get(1).and_then(Value::as_array).map_or(0, |right| right.len() as u64);
            thirds * rows.pow(3) / 3 + 2 * rows * right
        }
        Cost::MatrixProduct if is_float_array(ty) => {
            // (m, k)·(k, n): each of the m·k elements is multiplied with n others.
            let columns = args.get(1).and_then(Value::as_array).map_or(1, |right| match right.shape() {
                [_, columns] => *columns as u64,
                _ => 1,
            });
            2 * len * columns
        }
        _ => 0,
    }
}

/// The number that is known after the call.
pub(crate) fn of_result(call: &CallSite, result: &Value<'_>) -> u64 {
    match of_op(call) {
        Cost::PerElement(each) => result.as_array().map_or(0, |array| each * array.len() as u64),
        _ => 0,
    }
}
