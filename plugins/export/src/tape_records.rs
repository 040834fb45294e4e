//! Records in place: where a loop pushes one record in each round, the tape gets all of them before it, and the loop writes each by
//! its index; where a loop pops one in each round, it reads each by its index, and they are removed after it.
//!
//! ```text
//!                                      let records = new_records(&mut tape, n);
//!   for i in 0..n {                    for i in 0..n {
//!       tape.push(x);           →          records[i] = x;
//!   }                                  }
//!
//!                                      let records = last_records(&tape, n);
//!   for i in (0..n).rev() {            for i in (0..n).rev() {
//!       let x = tape.pop();     →          let x = records[i];
//!   }                                  }
//!                                      drop_records(&mut tape, n);
//! ```
//!
//! A push compares the length of the tape with its capacity and writes it, and a pop writes it. Without them rustc vectorises a loop
//! that does little else.
//!
//! - TAPEINDEX1 the number of rounds is known before the loop, nothing leaves the loop before its end but a failure, and each round
//!   executes the push or the pop once: it is in no branch, and the loop mentions the tape nowhere else but to read its last
//!   record before the pop.
//! - TAPEINDEX2 records are scalars and tuples of them, which have a default value.

use hashbrown::HashSet;
use overdub_context::Span;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;

use crate::ast::{Apply, Arg, Callee, Expr, Function, Local, LocalInfo, LoopKind, Stmt, StmtKind, mentions};
use crate::calls::each_apply;
use crate::scopes::constant_index;
use crate::slices::{apply, number};
use crate::tape_room::stays;

/// The greatest number of parts for which Rust's tuples have a default value.
const MOST_PARTS: usize = 12;

/// Writes and reads the records of a function in place.
pub(crate) fn place_records(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    in_list(&mut body, &mut function.locals);
    function.body = body;
}

fn in_list(list: &mut Vec<Stmt>, locals: &mut Vec<LocalInfo>) {
    let mut at = 0;
    while at < list.len() {
        let (before, after) = around(&mut list[at], locals);
        list[at].lists_mut().into_iter().for_each(|inner| in_list(inner, locals));
        let (first, count) = (at + before.len(), before.len() + 1 + after.len());
        list.splice(first - before.len()..at, before);
        list.splice(first + 1..first + 1, after);
        at += count;
    }
}

/// The rounds of a loop.
struct Rounds {
    counter: Local,
    from: Expr,
    to: Expr,
    span: Span,
}

/// Places the records of a loop; returns the statements that come before and after it.
fn around(stmt: &mut Stmt, locals: &mut Vec<LocalInfo>) -> (Vec<Stmt>, Vec<Stmt>) {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut changed = HashSet::new();
    let stays = stays(stmt, &mut changed);
    let span = stmt.span;
    let StmtKind::Loop { kind: LoopKind::For { counter, from, to, is_reversed }, body, .. } = &mut stmt.kind
    else {
        return (before, after);
    };
    let is_known = |expr: &Expr| match expr {
        Expr::Const(..) => true,
        Expr::Local(local) => !changed.contains(local),
        Expr::Apply(_) => false,
    };
    let is_index = locals[counter.0 as usize].ty == Ty::usize();
    if !stays || !is_index || !is_known(from) || !is_known(to) {
        return (before, after);
    }
    let rounds = Rounds { counter: *counter, from: from.clone(), to: to.clone(), span };
    let Some(count) = rounds.count() else { return (before, after) };
    for (at, tape, is_push) in ends(body) {
        let Some(record) = record(locals[tape.0 as usize].ty) else { continue };
        if !is_only(body, at, tape, is_push) {
            continue;
        }
        let local = Local(locals.len() as u32);
        if is_push || is_read(body, at, tape) {
            let ty = locals[tape.0 as usize].ty;
            locals.push(LocalInfo { ty, name: Some("records".to_owned()), is_ref: true, is_mut: false });
            let kind = StmtKind::Records { local, tape, count: count.clone(), is_new: is_push };
            before.push(Stmt { kind, span });
        }
        if is_push {
            push(&mut body[at], local, record, rounds.index(*is_reversed));
        } else {
            let elem = element(local, record, rounds.index(!*is_reversed), span);
            body[..at].iter_mut().for_each(|stmt| replace_peeks(stmt, tape, &elem));
            pop(&mut body[at], elem);
            let kind = StmtKind::DropRecords { tape, count: count.clone() };
            after.push(Stmt { kind, span });
        }
    }
    // Pops whose record is not read.
    body.retain(|stmt| !matches!(&stmt.kind, StmtKind::Assign { targets, .. } if targets.is_empty()));
    (before, after)
}

impl Rounds {
    /// How many there are, if that can be written.
    fn count(&self) -> Option<Expr> {
        match (constant_index(&self.from), constant_index(&self.to)) {
            (Some(0), _) => Some(self.to.clone()),
            (Some(from), Some(to)) => Some(number(to.saturating_sub(from))),
            // A method is not called of a literal.
            (None, Some(_)) => None,
            (_, None) => Some(apply(
                &ops::SUB_SATURATING,
                Ty::usize(),
                [self.to.clone(), self.from.clone()],
                self.span,
            )),
        }
    }

    /// The distance of the counter from the first number of the range, or from the last one.
    fn index(&self, from_last: bool) -> Expr {
        let sub = |a: Expr, b: Expr| apply(&ops::SUB, Ty::usize(), [a, b], self.span);
        let counter = Expr::Local(self.counter);
        match (from_last, constant_index(&self.from)) {
            (true, _) => sub(sub(self.to.clone(), number(1)), counter),
            (false, Some(0)) => counter,
            (false, _) => sub(counter, self.from.clone()),
        }
    }
}

/// The pushes and pops among statements, with the tape and whether it is a push.
fn ends(body: &[Stmt]) -> Vec<(usize, Local, bool)> {
    let end = |(at, stmt): (usize, &Stmt)| match &stmt.kind {
        StmtKind::Update { local, apply, .. } if apply.callee == Callee::Op(&ops::STACK_PUSH) => {
            Some((at, *local, true))
        }
        StmtKind::Update { local, apply, .. } if apply.callee == Callee::Op(&ops::STACK_POP) => {
            Some((at, *local, false))
        }
        _ => None,
    };
    body.iter().enumerate().filter_map(end).collect()
}

/// Whether statements mention a tape once only, but for reading its last record before it is popped (TAPEINDEX1).
fn is_only(body: &[Stmt], at: usize, tape: Local, is_push: bool) -> bool {
    let (before, others) = (&body[..at], &body[at + 1..]);
    let mut read = 0;
    if !is_push {
        each_apply(before, &mut |apply| {
            let is_peek = apply.callee == Callee::Op(&ops::STACK_PEEK);
            read += usize::from(is_peek && apply.args[0].expr.is_local(tape));
        });
    }
    mentions(before, tape) == read && mentions(&body[at..=at], tape) == 1 && mentions(others, tape) == 0
}

/// Whether the record that a loop pops is read.
fn is_read(body: &[Stmt], at: usize, tape: Local) -> bool {
    matches!(body[at].kind, StmtKind::Update { part: Some(_), .. }) || mentions(&body[..at], tape) > 0
}

/// The type of the records of a tape, if they are placed (TAPEINDEX2).
fn record(tape: Ty) -> Option<Ty> {
    fn has_default(ty: Ty) -> bool {
        match ty.kind() {
            TyKind::Tuple(parts) => parts.len() <= MOST_PARTS && parts.iter().copied().all(has_default),
            _ => ty.is_number() || ty == Ty::bool(),
        }
    }
    match tape.kind() {
        TyKind::Stack(record) => Some(*record).filter(|record| has_default(*record)),
        _ => None,
    }
}

/// A record.
fn element(records: Local, ty: Ty, index: Expr, span: Span) -> Expr {
    Expr::Apply(Box::new(Apply {
        callee: Callee::Op(&ops::GET_UNCHECKED),
        args: vec![Arg::read(Expr::Local(records)), Arg::read(index)],
        tys: vec![Ty::array(ty, 1), Ty::usize()],
        ty,
        span,
        is_exact: true,
    }))
}

/// Makes a push the assignment of a record.
fn push(stmt: &mut Stmt, records: Local, ty: Ty, index: Expr) {
    if let StmtKind::Update { local, apply, .. } = &mut stmt.kind {
        *local = records;
        apply.callee = Callee::Op(&ops::SET_UNCHECKED);
        apply.args.insert(0, Arg::read(index));
        apply.tys = vec![Ty::array(ty, 1), Ty::usize(), ty];
    }
}

/// Makes a pop the use of a record; an assignment to nothing if it is not used.
fn pop(stmt: &mut Stmt, elem: Expr) {
    if let StmtKind::Update { part, declares, .. } = &stmt.kind {
        let (targets, declares) = (part.iter().map(|part| Some(*part)).collect(), *declares);
        stmt.kind = StmtKind::Assign { targets, splits: false, value: Arg::read(elem), declares };
    }
}

/// Replaces reads of the last record of a tape.
fn replace_peeks(stmt: &mut Stmt, tape: Local, elem: &Expr) {
    stmt.exprs_mut().into_iter().for_each(|expr| replace_in(expr, tape, elem));
    stmt.lists_mut().into_iter().flatten().for_each(|inner| replace_peeks(inner, tape, elem));
}

fn replace_in(expr: &mut Expr, tape: Local, elem: &Expr) {
    let Expr::Apply(apply) = expr else { return };
    if apply.callee == Callee::Op(&ops::STACK_PEEK) && apply.args[0].expr.is_local(tape) {
        *expr = elem.clone();
        return;
    }
    apply.args.iter_mut().for_each(|arg| replace_in(&mut arg.expr, tape, elem));
}
