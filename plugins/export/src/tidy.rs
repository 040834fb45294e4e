//! Statements as a person writes them: `while` for a loop that begins with its condition, no label without a use, no
//! `else` after a branch that does not return.

use hashbrown::HashSet;
use overdub_context::Span;
use overdub_context::ir::{Const, Ty, TyKind};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;

use crate::ast::{Apply, Arg, Callee, Expr, Label, LoopKind, Stmt, StmtKind, diverge};

/// Tidies the body of a function.
pub(crate) fn tidy(list: &mut Vec<Stmt>) {
    for stmt in list.iter_mut() {
        for inner in stmt.lists_mut() {
            tidy(inner);
        }
    }
    *list = std::mem::take(list).into_iter().flat_map(simplified).collect();
}

/// The statements that replace one whose lists are tidy.
fn simplified(stmt: Stmt) -> Vec<Stmt> {
    let Stmt { kind, span } = stmt;
    match kind {
        StmtKind::Block { label, mut body } => {
            leave_at_end(&mut body, label, &|kind, label| matches!(kind, StmtKind::Break(l) if *l == label));
            if mentions(&body, label) {
                vec![Stmt { kind: StmtKind::Block { label, body }, span }]
            } else {
                body
            }
        }
        StmtKind::If { cond, then, otherwise } => branches(cond, then, otherwise, span),
        StmtKind::Loop { label, kind, mut body } => {
            let is_next = |kind: &StmtKind, label| matches!(kind, StmtKind::Continue(l) if *l == label);
            leave_at_end(&mut body, label, &is_next);
            let after = match kind {
                LoopKind::Forever => only_exit(label, &mut body),
                _ => Vec::new(),
            };
            let kind = match kind {
                LoopKind::Forever => conditions(label, &mut body),
                other => other,
            };
            // A counter is not read after its loop.
            if body.is_empty() && matches!(kind, LoopKind::For { .. }) {
                return after;
            }
            let mut list = vec![Stmt { kind: StmtKind::Loop { label, kind, body }, span }];
            list.extend(after);
            list
        }
        kind => vec![Stmt { kind, span }],
    }
}

/// Removes jumps at the end of a list that lead where the end leads.
fn leave_at_end(list: &mut Vec<Stmt>, label: Label, is_jump: &dyn Fn(&StmtKind, Label) -> bool) {
    while list.last().is_some_and(|stmt| is_jump(&stmt.kind, label)) {
        list.pop();
    }
    let Some(last) = list.last_mut() else { return };
    if let StmtKind::Loop { label: inner, body, .. } = &mut last.kind {
        // The end of the loop leads where the jump leads.
        if mentions(body, label) && is_jump(&StmtKind::Break(label), label) {
            retarget(body, label, *inner);
            let last = list.pop().expect("it was just seen");
            list.extend(simplified(last));
        }
        return;
    }
    match &mut last.kind {
        StmtKind::If { .. } | StmtKind::Switch { .. } => {
            for inner in last.lists_mut() {
                leave_at_end(inner, label, is_jump);
            }
        }
        _ => {}
    }
    if let StmtKind::If { .. } = last.kind {
        let last = list.pop().expect("it was just seen");
        list.extend(simplified(last));
    }
}

/// Makes jumps out of a block those out of a loop.
fn retarget(list: &mut [Stmt], from: Label, to: Label) {
    for stmt in list {
        if let StmtKind::Break(label) = &mut stmt.kind
            && *label == from
        {
            *label = to;
        }
        stmt.lists_mut().into_iter().for_each(|inner| retarget(inner, from, to));
    }
}

/// Whether a list jumps to a label.
fn mentions(list: &[Stmt], label: Label) -> bool {
    list.iter().any(|stmt| {
        matches!(stmt.kind, StmtKind::Break(l) | StmtKind::Continue(l) if l == label)
            || stmt.lists().into_iter().any(|inner| mentions(inner, label))
    })
}

fn branches(cond: Expr, then: Vec<Stmt>, otherwise: Vec<Stmt>, span: Span) -> Vec<Stmt> {
    let make = |cond, then, otherwise| Stmt { kind: StmtKind::If { cond, then, otherwise }, span };
    match (then.is_empty(), otherwise.is_empty()) {
        (true, true) => return Vec::new(),
        (true, false) => return branches(negated(cond), otherwise, then, span),
        (false, true) => return vec![both_hold(cond, then, span)],
        (false, false) => {}
    }
    // The last `if` of a function may be its value.
    let both_end = |list: &[Stmt]| matches!(list.last().map(|stmt| &stmt.kind), Some(StmtKind::Return(_)));
    if diverge(&then) && !(both_end(&then) && both_end(&otherwise) && otherwise.len() < 4) {
        let mut list = vec![make(cond, then, Vec::new())];
        list.extend(otherwise);
        list
    } else if diverge(&otherwise) && !diverge(&then) {
        let mut list = vec![make(negated(cond), otherwise, Vec::new())];
        list.extend(then);
        list
    } else {
        vec![make(cond, then, otherwise)]
    }
}

/// An `if` without an `else`; one in it alone is joined with it.
fn both_hold(cond: Expr, mut then: Vec<Stmt>, span: Span) -> Stmt {
    let mut cond = cond;
    while let [Stmt { kind: StmtKind::If { otherwise, .. }, .. }] = &then[..]
        && otherwise.is_empty()
    {
        let Some(Stmt { kind: StmtKind::If { cond: inner, then: body, .. }, .. }) = then.pop() else { break };
        cond = of_bools(&ops::AND, vec![cond, inner]);
        then = body;
    }
    Stmt { kind: StmtKind::If { cond, then, otherwise: Vec::new() }, span }
}

/// The kind of a loop that begins by leaving on conditions, which are removed.
fn conditions(label: Label, body: &mut Vec<Stmt>) -> LoopKind {
    let mut all: Option<Expr> = None;
    while let Some(Stmt { kind: StmtKind::If { then, otherwise, .. }, .. }) = body.first() {
        let leaves = matches!(&then[..], [Stmt { kind: StmtKind::Break(l), .. }] if *l == label);
        if !leaves || !otherwise.is_empty() {
            break;
        }
        let Stmt { kind: StmtKind::If { cond, .. }, .. } = body.remove(0) else { break };
        let holds = negated(cond);
        all = Some(match all {
            None => holds,
            Some(before) => of_bools(&ops::AND, vec![before, holds]),
        });
    }
    all.map_or(LoopKind::Forever, LoopKind::While)
}

fn of_bools(op: &'static OpDef, operands: Vec<Expr>) -> Expr {
    let tys = vec![Ty::bool(); operands.len()];
    let args = operands.into_iter().map(Arg::read).collect();
    Expr::Apply(Box::new(Apply {
        callee: Callee::Op(op),
        args,
        tys,
        ty: Ty::bool(),
        span: Span::unknown(),
        is_exact: false,
    }))
}

/// Moves what is done when a loop is left behind it, if it is left only where it begins.
fn only_exit(label: Label, body: &mut [Stmt]) -> Vec<Stmt> {
    let breaks = |list: &[Stmt]| exits(list, label);
    let all = breaks(body);
    let Some(Stmt { kind: StmtKind::If { then, otherwise, .. }, .. }) = body.first_mut() else {
        return Vec::new();
    };
    let leaves = matches!(then.last().map(|stmt| &stmt.kind), Some(StmtKind::Break(l)) if *l == label);
    if !leaves || !otherwise.is_empty() || all != 1 {
        return Vec::new();
    }
    let last = then.len() - 1;
    then.drain(..last).collect()
}

/// The number of statements that leave a loop or block.
fn exits(list: &[Stmt], label: Label) -> usize {
    let of = |stmt: &Stmt| {
        let own = matches!(stmt.kind, StmtKind::Break(l) if l == label);
        usize::from(own) + stmt.lists().into_iter().map(|inner| exits(inner, label)).sum::<usize>()
    };
    list.iter().map(of).sum()
}

/// The opposite of a condition.
pub(crate) fn negated(cond: Expr) -> Expr {
    if let Expr::Const(constant, ty) = &cond
        && let Value::Bool(known) = constant.value()
        && let Some(opposite) = Const::new(Value::Bool(!known))
    {
        return Expr::Const(opposite, *ty);
    }
    if let Expr::Apply(apply) = &cond
        && let Callee::Op(op) = apply.callee
    {
        if op == &ops::NOT {
            return apply.args[0].expr.clone();
        }
        let is_float = matches!(apply.tys[0].kind(), TyKind::Float(_));
        const OPPOSITES: &[(&OpDef, &OpDef)] =
            &[(&ops::LT, &ops::GE), (&ops::GT, &ops::LE), (&ops::EQ, &ops::NE)];
        for (a, b) in OPPOSITES.iter().flat_map(|&(a, b)| [(a, b), (b, a)]) {
            if op == a && (!is_float || a == &ops::EQ || a == &ops::NE) {
                return Expr::Apply(Box::new(Apply { callee: Callee::Op(b), ..(**apply).clone() }));
            }
        }
    }
    of_bools(&ops::NOT, vec![cond])
}

/// The labels that need to be written: those of blocks, and those of loops that are left from inside of another loop or
/// of a block.
pub(crate) fn used_labels(list: &[Stmt]) -> HashSet<Label> {
    fn walk(list: &[Stmt], innermost: Option<Label>, used: &mut HashSet<Label>) {
        for stmt in list {
            match &stmt.kind {
                StmtKind::Break(label) | StmtKind::Continue(label) if innermost != Some(*label) => {
                    used.insert(*label);
                }
                StmtKind::Loop { label, body, .. } => walk(body, Some(*label), used),
                StmtKind::Block { body, .. } => walk(body, None, used),
                _ => stmt.lists().into_iter().for_each(|inner| walk(inner, innermost, used)),
            }
        }
    }
    let mut used = HashSet::new();
    walk(list, None, &mut used);
    used
}
