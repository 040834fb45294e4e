//! Sums over slices in fast arithmetic: a loop that adds up becomes a sum of eight parts, which rustc vectorises.
//!
//! ```text
//!   for i in 0..n {
//!       let x = xs_part[i];              →     total += sum_of(n, |i| {
//!       total += x * x;                            let x = xs_part[i];
//!   }                                              x * x
//!                                              });
//! ```

use overdub_context::ir::Ty;
use overdub_context::ops;

use super::index::Counter;
use crate::ast::{Apply, Callee, Expr, Local, LocalInfo, LoopKind, Stmt, StmtKind};
use crate::scopes::constant_index;
use crate::unused::has_effect;

/// The local that a loop adds to in each round, besides writing elements, if there is one.
pub(super) fn total(
    body: &[Stmt],
    counter: &Counter,
    carried: &[Local],
    locals: &[LocalInfo],
) -> Option<Local> {
    let ([total], [before @ .., last]) = (carried, body) else { return None };
    let is_plain = |stmt: &Stmt| {
        matches!(stmt.kind, StmtKind::Assign { declares: true, .. } | StmtKind::Update { part: None, .. })
    };
    let mentions = |list: &[Stmt]| {
        let mut found = false;
        list.iter().for_each(|stmt| stmt.for_each_local(&mut |local| found |= local == *total));
        found
    };
    let (_, value) = added(last, *total)?;
    let mut is_twice = false;
    value.for_each_local(&mut |local, _| is_twice |= local == *total);
    let is_sum = locals[total.0 as usize].ty == Ty::f64() && constant_index(&counter.from) == Some(0);
    (is_sum && before.iter().all(is_plain) && !mentions(before) && !is_twice).then_some(*total)
}

/// The sum that replaces such a loop.
pub(super) fn sum(fast: Stmt, total: Local) -> Option<Stmt> {
    let StmtKind::Loop { kind: LoopKind::For { counter, to, .. }, mut body, .. } = fast.kind else {
        return None;
    };
    let last = body.pop()?;
    let (subtracts, value) = added(&last, total)?;
    // A failure could not leave the sum.
    let may_fail = |stmt: &Stmt| stmt.exprs().into_iter().any(has_effect);
    if body.iter().any(may_fail) || has_effect(value) {
        return None;
    }
    let value = value.clone();
    let kind = StmtKind::Sum { total, subtracts, counter, count: to, body, value };
    Some(Stmt { kind, span: fast.span })
}

/// Whether a statement subtracts from a local, or adds to it, and what.
fn added(stmt: &Stmt, total: Local) -> Option<(bool, &Expr)> {
    let StmtKind::Assign { targets, splits: false, value, declares: false } = &stmt.kind else { return None };
    let (Expr::Apply(apply), [Some(target)]) = (&value.expr, &targets[..]) else { return None };
    let Apply { callee: Callee::Op(op), args, .. } = &**apply else { return None };
    match &args[..] {
        [a, b] if *target == total && *op == &ops::ADD && a.expr.is_local(total) => Some((false, &b.expr)),
        [a, b] if *target == total && *op == &ops::ADD && b.expr.is_local(total) => Some((false, &a.expr)),
        [a, b] if *target == total && *op == &ops::SUB && a.expr.is_local(total) => Some((true, &b.expr)),
        _ => None,
    }
}
