//! Uses of a vector that a slice of its elements allows.

use overdub_context::ops::{self, OpDef};

use crate::ast::{Apply, Arg, Callee, Expr, Local, Stmt, StmtKind, Use};

/// Operations that read a vector through a slice.
const READS: [&OpDef; 3] = [&ops::GET, &ops::GET_UNCHECKED, &ops::LEN];

/// How often statements mention a vector in ways that a slice allows.
pub(crate) fn in_place_uses(stmt: &Stmt, local: Local) -> usize {
    let is_store = |apply: &Apply| matches!(apply.callee, Callee::Op(op) if op == &ops::SET || op == &ops::SET_UNCHECKED);
    let mut uses = match &stmt.kind {
        StmtKind::Update { local: of, apply, .. } => usize::from(*of == local && is_store(apply)),
        StmtKind::Slice { array, .. } => usize::from(*array == local),
        _ => 0,
    };
    stmt.exprs().into_iter().for_each(|expr| uses += reads(expr, local));
    uses + stmt.lists().into_iter().flatten().map(|inner| in_place_uses(inner, local)).sum::<usize>()
}

fn reads(expr: &Expr, local: Local) -> usize {
    let Expr::Apply(apply) = expr else { return 0 };
    let is_read = matches!(apply.callee, Callee::Op(op) if READS.contains(&op))
        && matches!(apply.args.first(), Some(Arg { expr, how: Use::Read }) if expr.is_local(local));
    usize::from(is_read) + apply.args.iter().map(|arg| reads(&arg.expr, local)).sum::<usize>()
}
