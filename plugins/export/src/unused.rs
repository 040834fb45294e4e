//! Assignments that nothing reads: their values are computed only if that may fail or has an effect.

use hashbrown::HashSet;
use overdub_context::ir::{Const, Ty};
use overdub_context::ops;
use overdub_context::value::Value;

use crate::ast::{Arg, Callee, Expr, Function, Local, Stmt, StmtKind, Use};
use crate::checked::is_total;

/// Removes assignments to locals that nothing reads, and what a function returns if that is `()`.
pub(crate) fn remove_unused(function: &mut Function) {
    if function.ret == Ty::unit() {
        return_nothing(&mut function.body);
    }
    loop {
        let mut read = HashSet::new();
        reads(&function.body, &mut read);
        if !remove(&mut function.body, &read) {
            return;
        }
    }
}

fn return_nothing(list: &mut [Stmt]) {
    for stmt in list {
        if let StmtKind::Return(value) = &mut stmt.kind {
            let unit = Const::new(Value::Unit).expect("`()` is data");
            *value = Arg { expr: Expr::Const(unit, Ty::unit()), how: Use::Read };
        }
        stmt.lists_mut().into_iter().for_each(|inner| return_nothing(inner));
    }
}

/// The locals that are read; one that is updated in place counts as read.
fn reads(list: &[Stmt], read: &mut HashSet<Local>) {
    for stmt in list {
        match &stmt.kind {
            StmtKind::Assign { targets, splits, value, .. } => value.for_each_local(&mut |local, _| {
                // What only changes itself is not read.
                if targets[..] != [Some(local)] || *splits || has_effect(&value.expr) {
                    read.insert(local);
                }
            }),
            StmtKind::Declare(_) => {}
            _ => stmt.for_each_local(&mut |local| {
                read.insert(local);
            }),
        }
        stmt.lists().into_iter().for_each(|inner| reads(inner, read));
    }
}

/// Returns whether something was removed.
fn remove(list: &mut Vec<Stmt>, read: &HashSet<Local>) -> bool {
    let mut changed = false;
    for stmt in list.iter_mut() {
        for inner in stmt.lists_mut() {
            changed |= remove(inner, read);
        }
    }
    let is_unread = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Assign { targets, splits: false, .. } => {
            targets.iter().flatten().all(|target| !read.contains(target))
        }
        _ => false,
    };
    for stmt in list.iter_mut().filter(|stmt| is_unread(stmt)) {
        let StmtKind::Assign { value, .. } = &stmt.kind else { continue };
        if has_effect(&value.expr) {
            stmt.kind = StmtKind::Effect(value.expr.clone());
            changed = true;
        }
    }
    let before = list.len();
    list.retain(|stmt| !is_unread(stmt));
    changed | (list.len() < before)
}

/// Whether evaluating an expression may fail, or does more than give a value.
pub(crate) fn has_effect(expr: &Expr) -> bool {
    let Expr::Apply(apply) = expr else { return false };
    let own = match apply.callee {
        Callee::Func(_) | Callee::Value => true,
        Callee::Op(op) => {
            let effects = op.effects_on(&apply.tys);
            let is_proved = apply.is_exact || op == &ops::GET_UNCHECKED || is_total(op, apply);
            effects.fails && !is_proved || effects.reads || effects.writes
        }
    };
    own || apply.args.iter().any(|arg| has_effect(&arg.expr))
}
