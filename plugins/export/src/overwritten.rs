//! Dead store elimination: a slice of the caller is not zeroed where a loop overwrites it before anything reads it.
//!
//! ```text
//!                               same_length(dx, n);
//!   zero(dx, n);                zero_from(dx, m);
//!   for i in 0..m {      →      for i in 0..m {
//!       dx[i] = …;                  dx[i] = …;
//!   }                           }
//! ```
//!
//! - OVERWRITTEN1 the loop is the first that mentions the slice, counts from zero, and stores to the element of its counter in each
//!   round, before the round mentions the slice otherwise; it accesses no other element, and is not left before its end. Where the
//!   program fails in it, what the slice holds is not specified.

use crate::ast::{Expr, Function, Local, LoopKind, Stmt, StmtKind, mentions};
use crate::scopes::constant_index;
use crate::slices::{get_index, set_index};

/// Leaves out the zeros that loops overwrite.
pub(crate) fn remove_overwritten_zeros(function: &mut Function) {
    let body = &mut function.body;
    let mut at = 0;
    while at < body.len() {
        if let StmtKind::Zero { slice, len } = &body[at].kind
            && let Some((of, from)) = overwriting_loop(&body[at + 1..], *slice)
        {
            let (slice, len) = (*slice, len.clone());
            body[at].kind = StmtKind::Fit { slice, len: len.clone() };
            if !is_same(&from, &len) {
                let place = at + 1 + of;
                let span = body[place].span;
                body.insert(place, Stmt { kind: StmtKind::ZeroFrom { slice, from }, span });
            }
        }
        at += 1;
    }
}

/// Whether two numbers are the same local.
fn is_same(a: &Expr, b: &Expr) -> bool {
    matches!((a, b), (Expr::Local(a), Expr::Local(b)) if a == b)
}

/// The place of the loop that overwrites a slice before anything else mentions it, and the number of elements that it overwrites.
fn overwriting_loop(list: &[Stmt], slice: Local) -> Option<(usize, Expr)> {
    let at = (0..list.len()).find(|&at| mentions(&list[at..=at], slice) > 0)?;
    let StmtKind::Loop { kind: LoopKind::For { counter, from, to, .. }, body, .. } = &list[at].kind else {
        return None;
    };
    let is_simple = matches!(to, Expr::Const(..) | Expr::Local(_));
    if constant_index(from) != Some(0) || !is_simple || leaves(body) {
        return None;
    }
    let store = (0..body.len()).find(|&at| mentions(&body[at..=at], slice) > 0)?;
    let stores = is_store(&body[store], slice, *counter) && mentions(&body[store..=store], slice) == 1;
    let accessed: usize = body[store..].iter().map(|stmt| accesses(stmt, slice, *counter)).sum();
    (stores && accessed == mentions(body, slice)).then(|| (at, to.clone()))
}

/// Whether a statement stores to the element of the counter.
fn is_store(stmt: &Stmt, slice: Local, counter: Local) -> bool {
    let StmtKind::Update { local, apply, part: None, .. } = &stmt.kind else { return false };
    *local == slice && set_index(apply).is_some_and(|index| is_counter(index, counter))
}

fn is_counter(index: &Expr, counter: Local) -> bool {
    matches!(index, Expr::Local(local) if *local == counter)
}

/// How often a statement reads the element of the counter, or stores to it.
fn accesses(stmt: &Stmt, slice: Local, counter: Local) -> usize {
    let read: usize = stmt.exprs().into_iter().map(|expr| reads(expr, slice, counter)).sum();
    let inner = stmt.lists().into_iter().flatten().map(|stmt| accesses(stmt, slice, counter));
    usize::from(is_store(stmt, slice, counter)) + read + inner.sum::<usize>()
}

fn reads(expr: &Expr, slice: Local, counter: Local) -> usize {
    let Expr::Apply(apply) = expr else { return 0 };
    if get_index(apply).is_some_and(|(array, index)| array == slice && is_counter(index, counter)) {
        return 1;
    }
    apply.args.iter().map(|arg| reads(&arg.expr, slice, counter)).sum()
}

/// Whether a statement of a list ends the round, the loop or the call.
fn leaves(list: &[Stmt]) -> bool {
    list.iter().any(|stmt| {
        let leaves_itself =
            matches!(stmt.kind, StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(_));
        leaves_itself || stmt.lists().into_iter().any(|inner| leaves(inner))
    })
}
