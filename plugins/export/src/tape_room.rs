//! Room for tapes before loops whose trip counts are known, so that they are not copied while they grow.
//!
//! - TAPEROOM1 a tape gets room for the records that counted loops in one another push in each round. The numbers of their rounds are
//!   known before the outermost one, and nothing leaves it before its end but a failure: the room is not larger than what is
//!   recorded unless the program fails.
//! - TAPEROOM2 where there is no room for so much, the tape grows as it is recorded: a failure comes where it comes without this.

use hashbrown::HashSet;
use overdub_context::Span;
use overdub_context::ir::Ty;
use overdub_context::ops;

use crate::ast::{Callee, Expr, Function, Local, LocalInfo, LoopKind, Stmt, StmtKind};
use crate::scopes::constant_index;
use crate::slices::{apply, number};

/// Makes room for the tapes of a function.
pub(crate) fn make_room(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    in_list(&mut body, &function.locals);
    function.body = body;
}

/// Makes room before the loops of a list that are in no other.
fn in_list(list: &mut Vec<Stmt>, locals: &[LocalInfo]) {
    let mut at = 0;
    while at < list.len() {
        let (found, span) = (records(&list[at], locals), list[at].span);
        if !matches!(list[at].kind, StmtKind::Loop { .. }) {
            list[at].lists_mut().into_iter().for_each(|inner| in_list(inner, locals));
        }
        let count = found.len();
        let room =
            found.into_iter().map(|(list, room)| Stmt { kind: StmtKind::Reserve { list, room }, span });
        list.splice(at..at, room);
        at += count + 1;
    }
}

/// The tapes on which a loop records, each with the number of records.
fn records(stmt: &Stmt, locals: &[LocalInfo]) -> Vec<(Local, Expr)> {
    let StmtKind::Loop { kind: LoopKind::For { .. }, .. } = &stmt.kind else { return Vec::new() };
    let mut changed = HashSet::new();
    if !stays(stmt, &mut changed) {
        return Vec::new();
    }
    let mut records = Records { changed, locals, found: Vec::new() };
    records.stmt(stmt, &[]);
    records.found
}

/// Whether nothing leaves a statement before its end but a failure; finds the locals that it changes or declares.
pub(crate) fn stays(stmt: &Stmt, changed: &mut HashSet<Local>) -> bool {
    match &stmt.kind {
        StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(_) => return false,
        StmtKind::Declare(local) | StmtKind::Drop(local) | StmtKind::Clear(local) => {
            changed.insert(*local);
        }
        StmtKind::Assign { targets, .. } => changed.extend(targets.iter().flatten()),
        // A tape is changed by its records alone.
        StmtKind::Update { local, apply, part, .. } => {
            changed.extend((apply.callee != Callee::Op(&ops::STACK_PUSH)).then_some(*local));
            changed.extend(part);
        }
        StmtKind::Loop { kind: LoopKind::For { counter, .. }, .. } => {
            changed.insert(*counter);
        }
        _ => {}
    }
    stmt.lists().into_iter().flatten().all(|inner| stays(inner, changed))
}

struct Records<'a> {
    changed: HashSet<Local>,
    locals: &'a [LocalInfo],
    found: Vec<(Local, Expr)>,
}

impl Records<'_> {
    /// Notes what a statement records in loops with these numbers of rounds.
    fn stmt(&mut self, stmt: &Stmt, rounds: &[Expr]) {
        match &stmt.kind {
            StmtKind::Loop { kind: LoopKind::For { counter, from, to, .. }, body, .. } => {
                let is_index = self.locals[counter.0 as usize].ty == Ty::usize();
                if !is_index || !self.is_known(from) || !self.is_known(to) {
                    return;
                }
                let this = match constant_index(from) {
                    Some(0) => to.clone(),
                    _ if matches!(to, Expr::Const(..)) => return,
                    _ => apply(&ops::SUB_SATURATING, Ty::usize(), [to.clone(), from.clone()], stmt.span),
                };
                let rounds: Vec<Expr> = rounds.iter().cloned().chain([this]).collect();
                body.iter().for_each(|inner| self.stmt(inner, &rounds));
            }
            StmtKind::Update { local, apply, .. }
                if apply.callee == Callee::Op(&ops::STACK_PUSH) && !self.changed.contains(local) =>
            {
                self.add(*local, rounds, stmt.span);
            }
            _ => {}
        }
    }

    /// Whether an expression is known before the outermost loop.
    fn is_known(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(..) => true,
            Expr::Local(local) => !self.changed.contains(local),
            Expr::Apply(_) => false,
        }
    }

    fn add(&mut self, tape: Local, rounds: &[Expr], span: Span) {
        // A method is not called of a literal.
        let (literals, others): (Vec<&Expr>, Vec<&Expr>) =
            rounds.iter().partition(|expr| matches!(expr, Expr::Const(..)));
        let product = others.into_iter().chain(literals).cloned().reduce(|product, next| {
            match (constant_index(&product), constant_index(&next)) {
                (Some(a), Some(b)) => number(a.saturating_mul(b)),
                _ => apply(&ops::MUL_SATURATING, Ty::usize(), [product, next], span),
            }
        });
        let Some(product) = product else { return };
        match self.found.iter_mut().find(|(known, _)| *known == tape) {
            Some((_, room)) => {
                let sum = match (constant_index(room), constant_index(&product)) {
                    (Some(a), Some(b)) => number(a.saturating_add(b)),
                    (Some(_), None) => {
                        apply(&ops::ADD_SATURATING, Ty::usize(), [product, room.clone()], span)
                    }
                    _ => apply(&ops::ADD_SATURATING, Ty::usize(), [room.clone(), product], span),
                };
                *room = sum;
            }
            None => self.found.push((tape, product)),
        }
    }
}
