//! Which functions are called, and what calls or contains itself.

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;

use crate::ast::{Apply, Callee, Expr, Function, Stmt, StmtKind};
use crate::constants::functions_in;
use crate::nominal::fields_of;

/// The functions among these that are asked for, and all that they call: compilers warn of the others.
pub(crate) fn reachable<'f>(
    functions: impl Iterator<Item = &'f Function>,
    asked_for: impl Iterator<Item = Symbol>,
) -> HashSet<Symbol> {
    let bodies: HashMap<Symbol, &Function> = functions.map(|function| (function.symbol, function)).collect();
    let mut waiting: Vec<Symbol> = asked_for.collect();
    let mut found: HashSet<Symbol> = waiting.iter().copied().collect();
    while let Some(symbol) = waiting.pop() {
        if let Some(function) = bodies.get(&symbol) {
            waiting.extend(called_by(function).into_iter().filter(|called| found.insert(*called)));
        }
    }
    found
}

/// The functions that call themselves, perhaps by others. Who calls a function value may call all that are made of closures.
pub(crate) fn recursive<'f>(functions: impl Iterator<Item = &'f Function>) -> HashSet<Symbol> {
    let mut erased = Vec::new();
    let mut calls: HashMap<Symbol, Vec<Symbol>> = HashMap::new();
    let mut calls_values = HashSet::new();
    for function in functions {
        each_apply(&function.body, &mut |apply| match apply.callee {
            Callee::Op(op) if op == &ops::ERASE => erased.extend(code_of(apply.tys.first())),
            Callee::Value if matches!(apply.tys.first().map(|ty| ty.kind()), Some(TyKind::Fn(_))) => {
                calls_values.insert(function.symbol);
            }
            _ => {}
        });
        calls.insert(function.symbol, called_by(function));
    }
    for caller in calls_values {
        calls.entry(caller).or_default().extend(&erased);
    }
    let reaches_itself = |from: &Symbol| {
        let (mut waiting, mut seen) = (calls[from].clone(), HashSet::new());
        while let Some(name) = waiting.pop() {
            if name == *from {
                return true;
            }
            if seen.insert(name) {
                waiting.extend(calls.get(&name).into_iter().flatten());
            }
        }
        false
    };
    calls.keys().copied().filter(reaches_itself).collect()
}

/// Whether values of a type contain values of the same type, perhaps in lists.
pub(crate) fn contains_itself(ty: Ty) -> bool {
    let (mut waiting, mut seen) = (parts(ty), HashSet::new());
    while let Some(part) = waiting.pop() {
        if part == ty {
            return true;
        }
        if seen.insert(part) {
            waiting.extend(parts(part));
        }
    }
    false
}

/// The types of the parts of a value.
pub(crate) fn parts(ty: Ty) -> Vec<Ty> {
    match ty.kind() {
        TyKind::Tuple(parts) => parts.to_vec(),
        TyKind::Struct(nominal) | TyKind::Enum(nominal) => {
            nominal.body().into_iter().flat_map(fields_of).map(|field| field.ty).collect()
        }
        TyKind::Closure(closure) => closure.captures.to_vec(),
        TyKind::Array(array) => vec![array.elem],
        TyKind::Stack(elem) => vec![*elem],
        _ => Vec::new(),
    }
}

/// The functions that a function names.
pub(crate) fn called_by(function: &Function) -> Vec<Symbol> {
    let mut called = Vec::new();
    each_constant(&function.body, &mut |name| called.push(name));
    each_apply(&function.body, &mut |apply| {
        called.extend(match apply.callee {
            Callee::Func(name) => Some(name),
            Callee::Value => code_of(apply.tys.first()),
            Callee::Op(op) if op == &ops::ERASE => code_of(apply.tys.first()),
            // The vector comes before the comparison.
            Callee::Op(op) if op == &ops::SORT_BY || op == &ops::SORT_ORDER => code_of(apply.tys.get(1)),
            Callee::Op(_) => None,
        });
    });
    called
}

/// The code of a closure.
fn code_of(ty: Option<&Ty>) -> Option<Symbol> {
    match ty?.kind() {
        TyKind::Closure(closure) => Some(closure.code),
        _ => None,
    }
}

/// Calls `visit` with the operations and calls in statements.
pub(crate) fn each_apply(list: &[Stmt], visit: &mut dyn FnMut(&Apply)) {
    for stmt in list {
        match &stmt.kind {
            StmtKind::Update { apply, .. } => in_apply(apply, visit),
            _ => stmt.exprs().into_iter().for_each(|expr| in_expr(expr, visit)),
        }
        stmt.lists().into_iter().for_each(|inner| each_apply(inner, visit));
    }
}

fn in_expr(expr: &Expr, visit: &mut dyn FnMut(&Apply)) {
    if let Expr::Apply(apply) = expr {
        in_apply(apply, visit);
    }
}

fn in_apply(apply: &Apply, visit: &mut dyn FnMut(&Apply)) {
    visit(apply);
    apply.args.iter().for_each(|arg| in_expr(&arg.expr, visit));
}

/// Calls `visit` with the functions in constants of statements.
fn each_constant(list: &[Stmt], visit: &mut dyn FnMut(Symbol)) {
    for stmt in list {
        if !matches!(stmt.kind, StmtKind::Update { .. }) {
            for expr in stmt.exprs() {
                if let Expr::Const(constant, _) = expr {
                    functions_in(constant.value(), visit);
                }
            }
        }
        stmt.lists().into_iter().for_each(|inner| each_constant(inner, visit));
    }
    each_apply(list, &mut |apply| {
        for arg in &apply.args {
            if let Expr::Const(constant, _) = &arg.expr {
                functions_in(constant.value(), visit);
            }
        }
    });
}
