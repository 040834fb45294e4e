//! Branches: as statements, as values, and as the values of new locals.

use overdub_context::ops;

use super::Printer;
use super::exprs::Text;
use super::layout::{IF_ELSE_WIDTH, MAX_WIDTH};
use super::literals::Known;
use super::rows::binds;
use super::stmts::Tail;
use crate::ast::{Callee, Expr, Local, Stmt, StmtKind, mentions};
use crate::error::ExportError;

type Done = Result<(), ExportError>;

impl Printer<'_> {
    /// A branch as the value of a new local.
    pub(super) fn bind(&mut self, local: Local, branch: &Stmt) -> Done {
        self.span = branch.span;
        self.comment(branch.span);
        let pattern = self.pattern(local);
        let ty = self.locals[local.0 as usize].ty;
        let before = match ty.is_number() || ty.as_nominal().is_some() {
            true => format!("let {pattern}: {} = ", self.owned(ty, branch.span)?),
            false => format!("let {pattern} = "),
        };
        match &branch.kind {
            StmtKind::Switch { on, ty, arms, otherwise } => {
                let what = (on, *ty, &arms[..], otherwise.as_deref());
                self.switch(what, (&before, ";"), Tail::Value(local))
            }
            _ => self.branches(branch, (&before, ";"), Tail::Value(local)),
        }
    }

    /// An `if` between the start and the end of a statement.
    pub(super) fn branches(&mut self, stmt: &Stmt, (before, after): (&str, &str), tail: Tail) -> Done {
        let StmtKind::If { cond, then, otherwise } = &stmt.kind else { return Ok(()) };
        let cond = self.expr(cond, Known::Type)?;
        let start = self.out.len();
        self.condition(before, &cond);
        self.nested(then, tail)?;
        match &otherwise[..] {
            [] => self.line(&format!("}}{after}")),
            [inner] if matches!(inner.kind, StmtKind::If { .. }) => {
                return self.branches(inner, ("} else ", after), tail);
            }
            otherwise => {
                self.line("} else {");
                self.nested(otherwise, tail)?;
                self.line(&format!("}}{after}"));
            }
        }
        if tail != Tail::Statement && !before.starts_with('}') {
            self.on_one_line(start, before, after);
        }
        Ok(())
    }

    /// The line that begins an `if`; a conjunction that is too long for one has a line for each part.
    pub(super) fn condition(&mut self, before: &str, cond: &Text) {
        let line = format!("{before}if {} {{", cond.text);
        let parts: Vec<&str> = cond.text.split(" && ").collect();
        let is_whole = |part: &&str| part.matches('(').count() == part.matches(')').count();
        let is_conjunction =
            cond.binds == binds::AND && parts.iter().all(is_whole) && !cond.text.contains(['"', '\'', '|']);
        if self.indent * 4 + line.chars().count() <= MAX_WIDTH || !is_conjunction {
            return self.line(&line);
        }
        self.line(&format!("{before}if {}", parts[0]));
        parts[1..].iter().for_each(|part| self.line(&format!("    && {part}")));
        self.line("{");
    }

    /// Joins the lines of an `if` with two short values.
    fn on_one_line(&mut self, start: usize, before: &str, after: &str) {
        let lines: Vec<&str> = self.out[start..].lines().map(str::trim).collect();
        let [head, then, "} else {", otherwise, _] = lines[..] else { return };
        let is_value = |text: &str| !text.starts_with("//") && !text.ends_with([';', '{', '}']);
        if !is_value(then) || !is_value(otherwise) {
            return;
        }
        let Some(head) = head.strip_prefix(before.trim_start()) else { return };
        let whole = format!("{head} {then} }} else {{ {otherwise} }}");
        let width = self.indent * 4 + before.len() + whole.chars().count() + after.len();
        if whole.chars().count() <= IF_ELSE_WIDTH && width <= MAX_WIDTH {
            self.out.truncate(start);
            self.line(&format!("{before}{whole}{after}"));
        }
    }
}

/// Whether a branch does nothing with a local but to assign it at the end of each list that ends.
pub(super) fn is_value_of(stmt: &Stmt, local: Local) -> bool {
    fn is_value(list: &[Stmt], local: Local) -> bool {
        let Some((last, before)) = list.split_last() else { return false };
        if mentions(before, local) > 0 {
            return false;
        }
        match &last.kind {
            StmtKind::Assign { targets, splits: false, value, declares: false } => {
                let mut is_read = false;
                value.for_each_local(&mut |other, _| is_read |= other == local);
                let is_payload = matches!(&value.expr, Expr::Apply(apply)
                    if apply.callee == Callee::Op(&ops::PAYLOAD));
                targets[..] == [Some(local)] && !is_read && !is_payload
            }
            StmtKind::If { .. } | StmtKind::Switch { .. } => is_value_of(last, local),
            _ => last.diverges() && mentions(std::slice::from_ref(last), local) == 0,
        }
    }
    let mut is_read = false;
    stmt.for_each_local(&mut |other| is_read |= other == local);
    // A branch without an `else` has an empty list.
    let lists = stmt.lists();
    let covers = match &stmt.kind {
        StmtKind::If { .. } => true,
        StmtKind::Switch { arms, .. } => !arms.is_empty(),
        _ => false,
    };
    covers
        && !is_read
        && !lists.iter().all(|list| crate::ast::diverge(list))
        && lists.iter().all(|list| is_value(list, local))
}
