//! A local for each part of a tuple out of which parts are moved (OWNED2).

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::Ty;
use overdub_context::ops;

use crate::ast::{Apply, Arg, Callee, Expr, Function, Local, LocalInfo, LoopKind, Stmt, StmtKind, Use};
use crate::scopes::constant_index;

/// Replaces tuples by their parts where a part is moved; where that is not possible, the part is cloned instead.
pub(super) fn split(function: &mut Function) {
    let mut moved = HashSet::new();
    each_arg(&mut function.body, &mut |arg| {
        if arg.how == Use::Move
            && let Some((local, _)) = part(&arg.expr)
        {
            moved.insert(local);
        }
    });
    if moved.is_empty() {
        return;
    }
    let mut whole: HashSet<Local> = function.params.iter().copied().collect();
    wholes(&function.body, &mut whole);
    let mut parts: HashMap<Local, Vec<Local>> = HashMap::new();
    let mut split: Vec<Local> = moved.iter().copied().filter(|local| !whole.contains(local)).collect();
    split.sort();
    for local in split {
        let LocalInfo { ty, is_ref, .. } = function.locals[local.0 as usize].clone();
        let Some(tys) = ty.parts(0).filter(|_| !is_ref) else { continue };
        let tys: Vec<Ty> = tys.into_iter().collect();
        let first = function.locals.len() as u32;
        parts.insert(local, (first..first + tys.len() as u32).map(Local).collect());
        let infos = tys.into_iter().map(|ty| LocalInfo { ty, name: None, is_ref: false, is_mut: false });
        function.locals.extend(infos);
    }
    each_arg(&mut function.body, &mut |arg| {
        let Some((local, number)) = part(&arg.expr) else { return };
        match parts.get(&local) {
            Some(parts) => arg.expr = Expr::Local(parts[number]),
            None if arg.how == Use::Move => arg.how = Use::Clone,
            None => {}
        }
    });
    each_list(&mut function.body, &mut |list| {
        for stmt in std::mem::take(list) {
            match stmt.kind {
                StmtKind::Declare(local) if parts.contains_key(&local) => {
                    let each = parts[&local]
                        .iter()
                        .map(|&part| Stmt { kind: StmtKind::Declare(part), span: stmt.span });
                    list.extend(each);
                }
                StmtKind::Assign { targets, value, declares, .. } if matches!(targets[..], [Some(target)] if parts.contains_key(&target)) =>
                {
                    let of = targets[0].and_then(|target| parts.get(&target));
                    let targets = of.into_iter().flatten().map(|&part| Some(part)).collect();
                    let kind = StmtKind::Assign { targets, splits: true, value, declares };
                    list.push(Stmt { kind, span: stmt.span });
                }
                kind => list.push(Stmt { kind, span: stmt.span }),
            }
        }
    });
}

/// The local and the number, if an expression is a part of a local.
fn part(expr: &Expr) -> Option<(Local, usize)> {
    let Expr::Apply(apply) = expr else { return None };
    let Callee::Op(op) = apply.callee else { return None };
    match (&apply.args[..], op == &ops::FIELD || op == &ops::CAPTURED) {
        ([Arg { expr: Expr::Local(local), .. }, number], true) => {
            Some((*local, constant_index(&number.expr)?))
        }
        _ => None,
    }
}

/// The locals that are used other than by their parts and in an assignment of the whole.
fn wholes(list: &[Stmt], found: &mut HashSet<Local>) {
    fn of_expr(expr: &Expr, found: &mut HashSet<Local>) {
        match expr {
            Expr::Const(..) => {}
            Expr::Local(local) => {
                found.insert(*local);
            }
            Expr::Apply(_) if part(expr).is_some() => {}
            Expr::Apply(apply) => apply.args.iter().for_each(|arg| of_expr(&arg.expr, found)),
        }
    }
    for stmt in list {
        stmt.exprs().into_iter().for_each(|expr| of_expr(expr, found));
        match &stmt.kind {
            StmtKind::Assign { targets, splits: true, .. } => found.extend(targets.iter().flatten().copied()),
            StmtKind::Update { local, part, .. } => {
                found.insert(*local);
                found.extend(part.iter().copied());
            }
            _ => {}
        }
        stmt.lists().into_iter().for_each(|inner| wholes(inner, found));
    }
}

fn each_list(list: &mut Vec<Stmt>, change: &mut dyn FnMut(&mut Vec<Stmt>)) {
    change(list);
    for stmt in list {
        stmt.lists_mut().into_iter().for_each(|inner| each_list(inner, change));
    }
}

/// Calls `change` with each operand, outer ones first.
fn each_arg(list: &mut [Stmt], change: &mut dyn FnMut(&mut Arg)) {
    fn of_apply(apply: &mut Apply, change: &mut dyn FnMut(&mut Arg)) {
        apply.args.iter_mut().for_each(|arg| of_arg(arg, change));
    }
    fn of_arg(arg: &mut Arg, change: &mut dyn FnMut(&mut Arg)) {
        change(arg);
        if let Expr::Apply(apply) = &mut arg.expr {
            of_apply(apply, change);
        }
    }
    fn of_expr(expr: &mut Expr, change: &mut dyn FnMut(&mut Arg)) {
        let mut arg = Arg::read(expr.clone());
        of_arg(&mut arg, change);
        *expr = arg.expr;
    }
    for stmt in list {
        match &mut stmt.kind {
            StmtKind::Assign { value, .. } | StmtKind::Return(value) => of_arg(value, change),
            StmtKind::Update { apply, .. } => of_apply(apply, change),
            StmtKind::Effect(expr)
            | StmtKind::If { cond: expr, .. }
            | StmtKind::Switch { on: expr, .. }
            | StmtKind::Fail(expr)
            | StmtKind::Loop { kind: LoopKind::While(expr), .. } => of_expr(expr, change),
            StmtKind::Loop { kind: LoopKind::For { from, to, .. }, .. } => {
                of_expr(from, change);
                of_expr(to, change);
            }
            _ => {}
        }
        stmt.lists_mut().into_iter().for_each(|inner| each_arg(inner, change));
    }
}
