//! The Rust source of array operations: what `ndarray` computes, in the same order.

use crate::rules::{Applied, ArrayOpRule, Rule, rule, written};

/// The source of a function `f` that computes the operation; constant operands are not parameters.
pub(super) fn text(applied: &Applied) -> Option<String> {
    let Rule::ArrayOp(ArrayOpRule { source: Some(source), .. }) = rule(applied.op)? else { return None };
    applied.rank()?;
    let body = source(applied);
    let mut params = Vec::new();
    for (k, (ty, number)) in applied.args.iter().zip(&applied.consts).enumerate() {
        if number.is_none() {
            params.push(format!("{}: {}", NAMES.get(k)?, written(*ty, true)?));
        }
    }
    let (params, ret) = (params.join(", "), written(applied.ret, false)?);
    Some(format!("use ndarray::*;\npub fn f({params}) -> {ret} {{\n    {body}\n}}\n"))
}

/// The names of the operands.
const NAMES: [&str; 4] = ["a", "b", "c", "d"];
