//! Short vectors of numbers whose length is a constant, as arrays on the stack: nothing is allocated, and rustc knows their bounds.
//!
//! - STACKARRAY1 the vector is made once, from copies of a constant, and is only read and stored element by element, measured, or
//!   sliced: it is never moved, cloned, or changed as a whole.

use hashbrown::HashMap;
use overdub_context::ir::TyKind;
use overdub_context::ops;

use crate::ast::{Apply, Arg, Callee, Expr, Function, Local, Stmt, StmtKind};
use crate::scopes::constant_index;
use crate::slices::{get_index, set_index};

/// The most elements of such an array.
const MOST_ELEMENTS: usize = 64;

/// Makes arrays of vectors where that is possible.
pub(crate) fn use_stack_arrays(function: &mut Function) {
    let mut found: HashMap<Local, Uses> = HashMap::new();
    function.body.iter().for_each(|stmt| find(stmt, &mut found));
    if found.is_empty() {
        return;
    }
    function.body.iter().for_each(|stmt| count(stmt, &mut found));
    found.retain(|_, uses| uses.makers == 1 && uses.elementwise == uses.all);
    function.body.iter_mut().for_each(|stmt| replace(stmt, &found));
}

/// How often a vector is made, mentioned at all, and mentioned in one of the ways of STACKARRAY1.
#[derive(Default)]
struct Uses {
    makers: usize,
    all: usize,
    elementwise: usize,
}

/// The local that a statement declares to be a short vector, the value of its elements, and their number.
fn maker(stmt: &Stmt) -> Option<(Local, &Expr, &Expr)> {
    let StmtKind::Assign { targets, splits: false, value, declares: true } = &stmt.kind else { return None };
    let Expr::Apply(apply) = &value.expr else { return None };
    let ([Some(local)], [Arg { expr: element @ Expr::Const(..), .. }, len]) = (&targets[..], &apply.args[..])
    else {
        return None;
    };
    let is_number =
        matches!(apply.tys[0].kind(), TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_));
    let is_short = constant_index(&len.expr).is_some_and(|len| len <= MOST_ELEMENTS);
    let makes = apply.callee == Callee::Op(&ops::REPEAT) && is_number && is_short;
    makes.then_some((*local, element, &len.expr))
}

fn find(stmt: &Stmt, found: &mut HashMap<Local, Uses>) {
    if let Some((local, ..)) = maker(stmt) {
        found.entry(local).or_default().makers += 1;
    }
    stmt.lists().into_iter().flatten().for_each(|inner| find(inner, found));
}

fn count(stmt: &Stmt, found: &mut HashMap<Local, Uses>) {
    let mut elementwise = |local: Local| {
        if let Some(uses) = found.get_mut(&local) {
            uses.elementwise += 1;
        }
    };
    match &stmt.kind {
        StmtKind::Update { local, apply, part: None, .. } if set_index(apply).is_some() => {
            elementwise(*local)
        }
        StmtKind::Slice { array, .. } => elementwise(*array),
        StmtKind::Assign { .. } => maker(stmt).into_iter().for_each(|(local, ..)| elementwise(local)),
        _ => {}
    }
    stmt.exprs().into_iter().for_each(|expr| count_in(expr, &mut elementwise));
    stmt.for_each_local(&mut |local| {
        if let Some(uses) = found.get_mut(&local) {
            uses.all += 1;
        }
    });
    stmt.lists().into_iter().flatten().for_each(|inner| count(inner, found));
}

fn count_in(expr: &Expr, elementwise: &mut impl FnMut(Local)) {
    let Expr::Apply(apply) = expr else { return };
    match get_index(apply) {
        Some((array, _)) => elementwise(array),
        None => measured(apply).into_iter().for_each(&mut *elementwise),
    }
    apply.args.iter().for_each(|arg| count_in(&arg.expr, elementwise));
}

/// The local whose length an operation is.
fn measured(apply: &Apply) -> Option<Local> {
    match &apply.args[..] {
        [Arg { expr: Expr::Local(array), .. }] if apply.callee == Callee::Op(&ops::LEN) => Some(*array),
        _ => None,
    }
}

fn replace(stmt: &mut Stmt, found: &HashMap<Local, Uses>) {
    if let Some((local, element, len)) = maker(stmt)
        && found.contains_key(&local)
    {
        stmt.kind = StmtKind::StackArray { local, element: element.clone(), len: len.clone() };
    }
    stmt.lists_mut().into_iter().flatten().for_each(|inner| replace(inner, found));
}
