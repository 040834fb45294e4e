//! The version of a loop over slices.

use hashbrown::{HashMap, HashSet};
use overdub_context::Span;
use overdub_context::ir::Ty;
use overdub_context::ops;

use super::index::{Accesses, Counter, get_index, set_index};
use super::{Slice, apply, number};
use crate::ast::{Apply, Callee, Expr, Local, LocalInfo, LoopKind, Stmt, StmtKind};
use crate::scopes::constant_index;

/// The loop over slices, with locals of its own.
pub(super) fn over_slices(
    stmt: &Stmt,
    counter: &Counter,
    accesses: &Accesses,
    slices: &[Slice],
    locals: &mut Vec<LocalInfo>,
) -> Option<Stmt> {
    let mut fast = stmt.clone();
    let StmtKind::Loop { kind: LoopKind::For { counter: new_counter, .. }, body, .. } = &mut fast.kind else {
        return None;
    };
    let mut rewriter = Rewriter { counter, accesses, slices, exact: HashSet::new() };
    rewriter.list(body)?;
    let exact = std::mem::take(&mut rewriter.exact);
    make_exact(body, &exact);
    let mut renamed = HashMap::new();
    let mut declared: Vec<Local> = accesses.declared().iter().copied().chain([counter.local]).collect();
    declared.sort_unstable();
    for old in declared {
        let new = Local(u32::try_from(locals.len()).ok()?);
        if renamed.insert(old, new).is_none() {
            let info = locals[old.0 as usize].clone();
            locals.push(info);
        }
    }
    let new = |local: Local| renamed.get(&local).copied().unwrap_or(local);
    *new_counter = renamed[new_counter];
    body.iter_mut().for_each(|stmt| rename(stmt, &new));
    Some(fast)
}

struct Rewriter<'a> {
    counter: &'a Counter,
    accesses: &'a Accesses,
    slices: &'a [Slice],
    /// The locals by which indices are computed: they are known not to overflow (SLICES1).
    exact: HashSet<Local>,
}

impl Rewriter<'_> {
    fn list(&mut self, list: &mut [Stmt]) -> Option<()> {
        for stmt in list {
            let span = stmt.span;
            match &mut stmt.kind {
                StmtKind::Update { local, apply, .. } => {
                    if let Some(index) = set_index(apply).filter(|_| !self.accesses.is_records(*local)) {
                        let (slice, index) = self.element(*local, index, span)?;
                        *local = slice;
                        apply.callee = Callee::Op(&ops::SET_UNCHECKED);
                        apply.args[0].expr = index;
                        self.expr(&mut apply.args[1].expr)?;
                    } else {
                        apply.args.iter_mut().try_for_each(|arg| self.expr(&mut arg.expr))?;
                    }
                }
                StmtKind::Assign { value, .. } => self.expr(&mut value.expr)?,
                StmtKind::Effect(expr) | StmtKind::If { cond: expr, .. } => self.expr(expr)?,
                _ => {}
            }
            stmt.lists_mut().into_iter().try_for_each(|inner| self.list(inner))?;
        }
        Some(())
    }

    fn expr(&mut self, expr: &mut Expr) -> Option<()> {
        let Expr::Apply(apply) = expr else { return Some(()) };
        if let Some((array, index)) = get_index(apply)
            && !self.accesses.is_records(array)
        {
            let (slice, index) = self.element(array, index, apply.span)?;
            apply.callee = Callee::Op(&ops::GET_UNCHECKED);
            apply.args[0].expr = Expr::Local(slice);
            apply.args[1].expr = index;
            return Some(());
        }
        apply.args.iter_mut().try_for_each(|arg| self.expr(&mut arg.expr))
    }

    /// The slice that has an element of an array, and the index of the element in it.
    fn element(&mut self, array: Local, index: &Expr, span: Span) -> Option<(Local, Expr)> {
        let access = self.accesses.sum(index, &mut self.exact)?;
        let slice = self.slices.iter().find(|slice| slice.has(array, &access))?;
        let offset = access.offset.checked_sub(slice.offsets.0)?;
        if !access.counts {
            return Some((slice.local, number(usize::try_from(offset).ok()?)));
        }
        let counter = Expr::Local(self.counter.local);
        let index = match constant_index(&self.counter.from) {
            Some(from) => moved(counter, offset.checked_sub(i128::try_from(from).ok()?)?, span)?,
            None => moved(
                apply(&ops::SUB, Ty::usize(), [counter, self.counter.from.clone()], span),
                offset,
                span,
            )?,
        };
        Some((slice.local, index))
    }
}

/// A number plus a constant.
fn moved(from: Expr, by: i128, span: Span) -> Option<Expr> {
    let size = number(usize::try_from(by.unsigned_abs()).ok()?);
    Some(match by {
        0 => from,
        by if by > 0 => apply(&ops::ADD, Ty::usize(), [from, size], span),
        _ => apply(&ops::SUB, Ty::usize(), [from, size], span),
    })
}

/// Marks the arithmetic that defines locals as exact.
fn make_exact(list: &mut [Stmt], exact: &HashSet<Local>) {
    for stmt in list {
        if let StmtKind::Assign { targets, value, .. } = &mut stmt.kind
            && let [Some(target)] = targets[..]
            && exact.contains(&target)
        {
            expr_exact(&mut value.expr);
        }
        stmt.lists_mut().into_iter().for_each(|inner| make_exact(inner, exact));
    }
}

fn expr_exact(expr: &mut Expr) {
    if let Expr::Apply(apply) = expr {
        apply.is_exact = true;
        apply.args.iter_mut().for_each(|arg| expr_exact(&mut arg.expr));
    }
}

/// Gives the locals of a statement other names.
fn rename(stmt: &mut Stmt, new: &impl Fn(Local) -> Local) {
    let of_apply = |apply: &mut Apply| apply.args.iter_mut().for_each(|arg| rename_in(&mut arg.expr, new));
    match &mut stmt.kind {
        StmtKind::Declare(local) => *local = new(*local),
        StmtKind::Assign { targets, value, .. } => {
            targets.iter_mut().flatten().for_each(|target| *target = new(*target));
            rename_in(&mut value.expr, new);
        }
        StmtKind::Update { local, apply, part, .. } => {
            *local = new(*local);
            part.iter_mut().for_each(|part| *part = new(*part));
            of_apply(apply);
        }
        StmtKind::Effect(expr) | StmtKind::If { cond: expr, .. } => rename_in(expr, new),
        _ => {}
    }
    stmt.lists_mut().into_iter().flatten().for_each(|inner| rename(inner, new));
}

fn rename_in(expr: &mut Expr, new: &impl Fn(Local) -> Local) {
    match expr {
        Expr::Const(..) => {}
        Expr::Local(local) => *local = new(*local),
        Expr::Apply(apply) => apply.args.iter_mut().for_each(|arg| rename_in(&mut arg.expr, new)),
    }
}
