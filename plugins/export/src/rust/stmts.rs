//! Statements in Rust, laid out as rustfmt does.

use overdub_context::Span;
use overdub_context::ir::Ty;
use overdub_context::ops;

use super::Printer;
use super::branches::is_value_of;
use super::exprs::Text;
use super::literals::Known;
use super::rows::binds;
use crate::ast::{Callee, Expr, Local, LoopKind, Stmt, StmtKind, mentions};
use crate::error::ExportError;
use crate::places::line_due;

type Done = Result<(), ExportError>;

/// What the last statement of a list is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    /// A statement.
    Statement,
    /// The value of the function.
    Return,
    /// The value of the `let` around it, if it assigns the local.
    Value(Local),
}

impl Printer<'_> {
    /// Writes the line of the source that a statement comes from, unless it is that of the one before.
    pub(super) fn comment(&mut self, span: Span) {
        let function = (self.func, self.func_span);
        let Some((file, line)) = line_due(function, span, &mut self.commented) else { return };
        let text = match (self.surroundings.source)(file, line) {
            Some(text) => format!("// {line}: {}", text.trim()),
            None => format!("// {}:{line}", (self.surroundings.file_name)(file)),
        };
        self.line(&text);
    }

    pub(super) fn list(&mut self, list: &[Stmt], tail: Tail) -> Done {
        let mut rest = list;
        while let [stmt, after @ ..] = rest {
            let here = if after.is_empty() { tail } else { Tail::Statement };
            if let (StmtKind::Declare(local), [branch, after @ ..]) = (&stmt.kind, after)
                && !self.locals[local.0 as usize].is_ref
                && is_value_of(branch, *local)
            {
                self.bind(*local, branch)?;
                rest = after;
                continue;
            }
            self.stmt(stmt, here)?;
            rest = after;
        }
        Ok(())
    }

    pub(super) fn nested(&mut self, list: &[Stmt], tail: Tail) -> Done {
        self.indent += 1;
        self.list(list, tail)?;
        self.indent -= 1;
        Ok(())
    }

    pub(super) fn name(&self, local: Local) -> String {
        self.local_names[local.0 as usize].clone()
    }

    /// The pattern of a new local.
    pub(super) fn pattern(&self, local: Local) -> String {
        let name = self.name(local);
        if self.locals[local.0 as usize].is_mut { format!("mut {name}") } else { name }
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt, tail: Tail) -> Done {
        self.span = stmt.span;
        match &stmt.kind {
            // Rust ends values by itself.
            StmtKind::Drop(_) | StmtKind::Clear(_) => Ok(()),
            StmtKind::Declare(local) => {
                let pattern = self.pattern(*local);
                let info = self.locals[local.0 as usize].clone();
                match info.ty.is_number() {
                    true => self.line(&format!("let {pattern}: {};", info.ty)),
                    false => self.line(&format!("let {pattern};")),
                }
                Ok(())
            }
            StmtKind::Assign { targets, value, .. } if is_target(tail, targets) => {
                self.comment(stmt.span);
                let text = self.value(value, Known::Type)?;
                self.put_value("", &value.expr, text, "")
            }
            StmtKind::Assign { targets, splits, value, declares } => {
                self.comment(stmt.span);
                self.assign(targets, *splits, value, *declares)
            }
            StmtKind::Update { local, apply, part, declares } => {
                self.comment(stmt.span);
                self.update(*local, apply, *part, *declares)
            }
            StmtKind::Sum { total, subtracts, counter, count, body, value } => {
                self.comment(stmt.span);
                let (total, sign) = (self.name(*total), if *subtracts { "-" } else { "+" });
                let helper = self.helpers.call("sum_of");
                let count = self.expr(count, Known::Type)?.text;
                self.line(&format!("{total} {sign}= {helper}({count}, |{}| {{", self.name(*counter)));
                self.nested(body, Tail::Statement)?;
                let value = self.expr(value, Known::Type)?.text;
                self.line(&format!("    {value}"));
                self.line("});");
                Ok(())
            }
            StmtKind::Slice { .. }
            | StmtKind::Reuse { .. }
            | StmtKind::Zero { .. }
            | StmtKind::StackArray { .. }
            | StmtKind::Fit { .. }
            | StmtKind::ZeroFrom { .. }
            | StmtKind::Copy { .. }
            | StmtKind::Reserve { .. }
            | StmtKind::Records { .. }
            | StmtKind::DropRecords { .. } => self.memory(stmt),
            StmtKind::Sliced { slices, over, otherwise } => {
                self.comment(stmt.span);
                self.sliced(slices, over, otherwise)
            }
            StmtKind::MatrixProducts { products, resets, otherwise } => {
                self.comment(stmt.span);
                self.matrix_products(products, (resets, otherwise))
            }
            StmtKind::Effect(expr) => {
                self.comment(stmt.span);
                if matches!(expr, Expr::Apply(apply) if apply.callee == Callee::Op(&ops::STEPS_ADD)) {
                    return Ok(());
                }
                if let Expr::Apply(apply) = expr
                    && apply.callee == Callee::Op(&ops::PAYLOAD)
                {
                    return self.checked_variant(apply);
                }
                if self.never_returning(expr)? {
                    return Ok(());
                }
                let text = match expr {
                    // A checked element is only checked.
                    Expr::Apply(apply) if apply.callee == Callee::Op(&ops::GET) => self.reference(expr)?,
                    _ => self.expr(expr, Known::Nothing)?,
                };
                let is_call = matches!(expr, Expr::Apply(apply)
                    if apply.callee == Callee::Op(&ops::PRINT) || apply.callee == Callee::Op(&ops::EPRINT));
                let is_check = matches!(expr, Expr::Apply(apply) if apply.callee == Callee::Op(&ops::GET));
                let returns_unit = is_call || is_check || self.ty(expr) == Ty::unit() && text.call.is_some();
                self.put(if returns_unit { "" } else { "let _ = " }, text, ";");
                Ok(())
            }
            StmtKind::If { .. } => {
                self.comment(stmt.span);
                self.branches(stmt, ("", ""), tail)
            }
            StmtKind::Switch { on, ty, arms, otherwise } => {
                self.comment(stmt.span);
                self.switch((on, *ty, arms, otherwise.as_deref()), ("", ""), tail)
            }
            StmtKind::Loop { label, kind, body } => {
                self.comment(stmt.span);
                let label =
                    if self.labels.contains(label) { format!("'loop{}: ", label.0) } else { String::new() };
                let head = match kind {
                    LoopKind::Forever => "loop".to_owned(),
                    LoopKind::While(cond) => format!("while {}", self.expr(cond, Known::Type)?.text),
                    LoopKind::For { counter, from, to, is_reversed } => {
                        let name =
                            if mentions(body, *counter) > 0 { self.name(*counter) } else { "_".to_owned() };
                        let known = matches!(from, Expr::Const(..)) && matches!(to, Expr::Const(..));
                        let known = if known { Known::Nothing } else { Known::Type };
                        let from = self.expr(from, known)?.tight(binds::UNARY);
                        let to = self.expr(to, known)?.tight(binds::UNARY);
                        match is_reversed {
                            true => format!("for {name} in ({from}..{to}).rev()"),
                            false => format!("for {name} in {from}..{to}"),
                        }
                    }
                };
                self.line(&format!("{label}{head} {{"));
                self.nested(body, Tail::Statement)?;
                self.line("}");
                Ok(())
            }
            StmtKind::Block { label, body } => {
                self.line(&format!("'block{}: {{", label.0));
                self.nested(body, Tail::Statement)?;
                self.line("}");
                Ok(())
            }
            StmtKind::Break(label) | StmtKind::Continue(label) => {
                let word = if matches!(stmt.kind, StmtKind::Break(_)) { "break" } else { "continue" };
                let is_loop = self.loops.contains(label);
                let label = match (is_loop, self.labels.contains(label) || !is_loop) {
                    (_, false) => String::new(),
                    (true, true) => format!(" 'loop{}", label.0),
                    (false, true) => format!(" 'block{}", label.0),
                };
                self.line(&format!("{word}{label};"));
                Ok(())
            }
            StmtKind::Return(value) => {
                if self.returns_result() {
                    self.comment(stmt.span);
                    return self.returned(value, tail);
                }
                let is_tail = tail == Tail::Return;
                if self.ret == Ty::unit() && is_tail {
                    return Ok(());
                }
                self.comment(stmt.span);
                let text = self.value(value, Known::Type)?;
                let (before, after) = if is_tail { ("", "") } else { ("return ", ";") };
                let before = if self.ret == Ty::unit() { "return" } else { before };
                let text = if self.ret == Ty::unit() { Text::atom("") } else { text };
                self.put_value(before, &value.expr, text, after)
            }
            StmtKind::Fail(message) => {
                self.comment(stmt.span);
                self.fail(message, stmt.span, tail)
            }
        }
    }
}

fn is_target(tail: Tail, targets: &[Option<Local>]) -> bool {
    matches!((tail, targets), (Tail::Value(local), [Some(target)]) if local == *target)
}
