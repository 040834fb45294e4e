//! Elementary functions without branches in loops over slices, in fast arithmetic: rustc vectorises them, where it calls those of
//! the library for one element after the other. Sines and cosines stay the library's, since the others are for small angles alone.

use overdub_context::ir::Ty;
use overdub_passes::fast_math::{EXP_FAST, LN_FAST, OPS, POWF_FAST, TANH_FAST};

use crate::ast::{Callee, Expr, Stmt};

/// Replaces the functions of `f64` in statements.
pub(super) fn replace_functions(list: &mut [Stmt]) {
    for stmt in list {
        stmt.exprs_mut().into_iter().for_each(replace);
        stmt.lists_mut().into_iter().for_each(|inner| replace_functions(inner));
    }
}

fn replace(expr: &mut Expr) {
    let Expr::Apply(apply) = expr else { return };
    apply.args.iter_mut().for_each(|arg| replace(&mut arg.expr));
    let Callee::Op(op) = apply.callee else { return };
    let mut known =
        OPS.iter().filter(|(fast, _)| [&EXP_FAST, &LN_FAST, &TANH_FAST, &POWF_FAST].contains(fast));
    if apply.ty == Ty::f64()
        && let Some((fast, _)) = known.find(|(_, slow)| *slow == op)
    {
        apply.callee = Callee::Op(fast);
    }
}
