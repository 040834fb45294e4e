//! Which functions are called: compilers warn of the others.

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;
use overdub_context::ir::TyKind;
use overdub_context::ops;

use crate::ast::{Apply, Callee, Expr, Function, Stmt, StmtKind};
use crate::constants::functions_in;
use crate::rust::Signature;

/// The functions that were asked for, that which `main` calls, and all that they call.
pub(super) fn reachable(functions: &[(Function, Signature)], main: Option<Symbol>) -> HashSet<Symbol> {
    let bodies: HashMap<Symbol, &Function> =
        functions.iter().map(|(function, _)| (function.symbol, function)).collect();
    let roots = functions.iter().filter(|(_, signature)| signature.name.is_some());
    let mut waiting: Vec<Symbol> = roots.map(|(function, _)| function.symbol).chain(main).collect();
    let mut found: HashSet<Symbol> = waiting.iter().copied().collect();
    while let Some(symbol) = waiting.pop() {
        if let Some(function) = bodies.get(&symbol) {
            of_list(&function.body, &mut |called| {
                if found.insert(called) {
                    waiting.push(called);
                }
            });
        }
    }
    found
}

/// The functions that a function names.
pub(super) fn called_by(function: &Function) -> Vec<Symbol> {
    let mut called = Vec::new();
    of_list(&function.body, &mut |name| called.push(name));
    called
}

fn of_list(list: &[Stmt], visit: &mut dyn FnMut(Symbol)) {
    for stmt in list {
        if let StmtKind::Update { apply, .. } = &stmt.kind {
            of_apply(apply, visit);
        } else {
            stmt.exprs().into_iter().for_each(|expr| of_expr(expr, visit));
        }
        stmt.lists().into_iter().for_each(|inner| of_list(inner, visit));
    }
}

fn of_expr(expr: &Expr, visit: &mut dyn FnMut(Symbol)) {
    match expr {
        Expr::Const(constant, _) => functions_in(constant.value(), visit),
        Expr::Local(_) => {}
        Expr::Apply(apply) => of_apply(apply, visit),
    }
}

fn of_apply(apply: &Apply, visit: &mut dyn FnMut(Symbol)) {
    let function = match apply.callee {
        Callee::Func(name) => {
            visit(name);
            None
        }
        Callee::Value => apply.tys.first(),
        Callee::Op(op) if op == &ops::ERASE => apply.tys.first(),
        // The vector comes before the comparison.
        Callee::Op(op) if op == &ops::SORT_BY || op == &ops::SORT_ORDER => apply.tys.get(1),
        Callee::Op(_) => None,
    };
    if let Some(TyKind::Closure(closure)) = function.map(|ty| ty.kind()) {
        visit(closure.code);
    }
    apply.args.iter().for_each(|arg| of_expr(&arg.expr, visit));
}
