//! Statements in C.

use hashbrown::HashSet;
use overdub_context::Span;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;

use super::Printer;
use super::exprs::binds;
use super::types::{declared, elem, field_name};
use super::values::address;
use crate::ast::{Arg, Callee, Expr, Label, Local, Stmt, StmtKind};
use crate::error::ExportError;
use crate::nominal::is_boxed;
use crate::places::line_due;

type Done = Result<(), ExportError>;

/// A statement that `break` leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Around {
    Loop(Label),
    Switch,
}

/// The locals that are read.
pub(super) fn reads(list: &[Stmt], found: &mut HashSet<Local>) {
    for stmt in list {
        for expr in stmt.exprs() {
            expr.for_each_local(&mut |local, _| {
                found.insert(local);
            });
        }
        if let StmtKind::Update { local, .. } | StmtKind::Drop(local) = &stmt.kind {
            found.insert(*local);
        }
        stmt.lists().into_iter().for_each(|inner| reads(inner, found));
    }
}

impl Printer<'_> {
    pub(super) fn line(&mut self, text: &str) {
        for line in text.split('\n') {
            if !line.is_empty() {
                for _ in 0..self.indent {
                    self.out.push_str("    ");
                }
                self.out.push_str(line);
            }
            self.out.push('\n');
        }
    }

    /// Writes the line of the source that a statement comes from, unless it is that of the one before.
    fn comment(&mut self, span: Span) {
        let function = (self.func, self.func_span);
        let Some((file, line)) = line_due(function, span, &mut self.commented) else { return };
        let text = match (self.source)(file, line) {
            Some(text) => format!("{line}: {}", text.trim()),
            None => format!("{file}:{line}"),
        };
        let text = text.replace("*/", "* /").replace("/*", "/ *");
        self.line(&format!("/* {text} */"));
    }

    pub(super) fn list(&mut self, list: &[Stmt]) -> Done {
        for stmt in list {
            self.stmt(stmt)?;
        }
        Ok(())
    }

    fn nested(&mut self, list: &[Stmt]) -> Done {
        self.indent += 1;
        self.list(list)?;
        self.indent -= 1;
        Ok(())
    }

    /// A statement for a variable that is declared but not read, of which compilers warn.
    pub(super) fn mark_unread(&mut self, local: Local) {
        if !self.read.contains(&local) {
            let name = self.name(local);
            self.line(&format!("(void){name};"));
        }
    }

    /// The type of a local.
    pub(super) fn local_ty(&mut self, local: Local) -> Result<String, ExportError> {
        let info = self.locals[local.0 as usize].clone();
        match info.is_ref {
            true => self.borrowed_ty(info.ty, self.span),
            false => self.owned(info.ty, self.span),
        }
    }

    fn declare(&mut self, local: Local) -> Done {
        let (ty, name) = (self.local_ty(local)?, self.name(local));
        let value = match self.emptied.contains(&local) {
            true if ty.ends_with('*') => " = NULL",
            true => " = {0}",
            false => "",
        };
        self.line(&format!("{}{value};", declared(&ty, &name)));
        self.mark_unread(local);
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Done {
        self.span = stmt.span;
        match &stmt.kind {
            StmtKind::Declare(local) => self.declare(*local),
            StmtKind::Drop(local) => {
                let ty = self.locals[local.0 as usize].ty;
                let end = self.dropped(ty, &self.name(*local))?;
                self.line(&format!("{end};"));
                Ok(())
            }
            StmtKind::Clear(local) => {
                let ty = self.locals[local.0 as usize].ty;
                let (name, empty) = (self.name(*local), self.zero(ty)?);
                self.line(&format!("{name} = {empty};"));
                Ok(())
            }
            StmtKind::Assign { targets, splits, value, declares } => {
                self.comment(stmt.span);
                self.assign(targets, *splits, value, *declares)
            }
            StmtKind::Update { local, apply, part, declares } => {
                self.comment(stmt.span);
                self.update(*local, apply, *part, *declares)
            }
            StmtKind::Reserve { .. } => Err(self.unsupported("room for a list", stmt.span)),
            StmtKind::Records { .. } | StmtKind::DropRecords { .. } => {
                Err(self.unsupported("records in place", stmt.span))
            }
            StmtKind::Zero { .. }
            | StmtKind::Fit { .. }
            | StmtKind::ZeroFrom { .. }
            | StmtKind::Copy { .. }
            | StmtKind::Reuse { .. } => Err(self.unsupported("memory of the caller", stmt.span)),
            StmtKind::StackArray { .. } => Err(self.unsupported("an array on the stack", stmt.span)),
            StmtKind::Sum { .. } => Err(self.unsupported("a sum in any order", stmt.span)),
            StmtKind::MatrixProducts { .. } => Err(self.unsupported("a kernel", stmt.span)),
            StmtKind::Slice { local, array, start, len, is_mut } => {
                self.comment(stmt.span);
                let ty = self.locals[array.0 as usize].ty;
                let elem = elem(ty).unwrap_or(Ty::unit());
                let (slice, span, of) = match is_mut {
                    true => (self.owned(ty, stmt.span)?, "span_mut", address(&self.local(*array))),
                    false => (self.borrowed_ty(ty, stmt.span)?, "span", self.slice(&Expr::Local(*array))?),
                };
                let is_long = !matches!(len, Expr::Const(..));
                let span = if is_long { format!("long_{span}") } else { span.to_owned() };
                let (start, len) = (self.index(start)?, self.index(len)?);
                let (name, span) = (self.name(*local), self.of_vec(elem, &span)?);
                self.line(&format!("{slice} {name} = {span}({of}, {start}, {len});"));
                Ok(())
            }
            StmtKind::Sliced { slices, over, otherwise } => {
                self.list(slices)?;
                let mut tests = Vec::new();
                for made in slices {
                    if let StmtKind::Slice { local, len, .. } = &made.kind {
                        tests.push(format!("{}.len == {}", self.name(*local), self.index(len)?));
                    }
                }
                self.line(&format!("if ({}) {{", tests.join(" && ")));
                self.nested(over)?;
                self.otherwise(otherwise)
            }
            StmtKind::Effect(expr) => {
                self.comment(stmt.span);
                self.effect(expr)
            }
            StmtKind::If { cond, then, otherwise } => {
                self.comment(stmt.span);
                let cond = self.expr(cond)?.text;
                self.line(&format!("if ({cond}) {{"));
                self.nested(then)?;
                self.otherwise(otherwise)
            }
            StmtKind::Switch { on, ty, arms, otherwise } => {
                self.comment(stmt.span);
                self.switch(on, *ty, arms, otherwise.as_deref())
            }
            StmtKind::Loop { label, kind, body } => {
                self.comment(stmt.span);
                self.repeated(*label, kind, body)
            }
            StmtKind::Block { label, body } => {
                self.line("{");
                self.nested(body)?;
                self.line("}");
                self.target(*label, true);
                Ok(())
            }
            StmtKind::Break(label) | StmtKind::Continue(label) => {
                self.jump(*label, matches!(stmt.kind, StmtKind::Break(_)));
                Ok(())
            }
            StmtKind::Return(value) => {
                self.comment(stmt.span);
                if matches!(self.ret.kind(), TyKind::Unit | TyKind::Never) {
                    if let Expr::Apply(_) = &value.expr {
                        self.effect(&value.expr)?;
                    }
                    self.line("return;");
                    return Ok(());
                }
                let text = self.value(value)?.text;
                self.line(&format!("return {text};"));
                Ok(())
            }
            StmtKind::Fail(message) => {
                self.comment(stmt.span);
                let at = self.place(stmt.span);
                if let Expr::Const(constant, _) = message
                    && let overdub_context::value::Value::Str(text) = constant.value()
                    && !text.contains('\0')
                {
                    let (name, text) = (self.plain("fail")?, super::literals::quoted(text));
                    self.line(&format!("{name}({text}, {at});"));
                    return Ok(());
                }
                let text = self.slice(message)?;
                let name = self.plain("fail_text")?;
                self.line(&format!("{name}({text}, {at});"));
                Ok(())
            }
        }
    }

    fn otherwise(&mut self, otherwise: &[Stmt]) -> Done {
        if otherwise.is_empty() {
            self.line("}");
            return Ok(());
        }
        if let [Stmt { kind: StmtKind::If { cond, then, otherwise }, .. }] = otherwise {
            let before = self.out.len();
            let text = self.expr(cond)?.text;
            // What is needed before the condition has its place in the branch.
            if self.out.len() == before {
                self.line(&format!("}} else if ({text}) {{"));
                self.nested(then)?;
                return self.otherwise(otherwise);
            }
            self.out.truncate(before);
        }
        self.line("} else {");
        self.nested(otherwise)?;
        self.line("}");
        Ok(())
    }

    fn effect(&mut self, expr: &Expr) -> Done {
        let Expr::Apply(apply) = expr else { return Ok(()) };
        match apply.callee {
            Callee::Op(op) if op == &ops::STEPS_ADD => return Ok(()),
            Callee::Op(op) if op == &ops::GET => {
                let (_, len) = self.data_and_len(&apply.args[0].expr)?;
                let at = self.checked_index(&apply.args[1].expr, &len, apply.span)?;
                self.line(&format!("(void){at};"));
                return Ok(());
            }
            _ => {}
        }
        let is_void = match apply.callee {
            Callee::Op(op) => op == &ops::PRINT || op == &ops::EPRINT,
            _ => matches!(apply.ty.kind(), TyKind::Unit | TyKind::Never),
        };
        let text = self.expr(expr)?;
        let text = if is_void { text.text } else { format!("(void){}", text.tight(binds::UNARY)) };
        self.line(&format!("{text};"));
        Ok(())
    }

    fn assign(&mut self, targets: &[Option<Local>], splits: bool, value: &Arg, declares: bool) -> Done {
        if splits {
            return self.split(targets, value, declares);
        }
        let [Some(target)] = targets else { return self.effect(&value.expr) };
        let target = *target;
        let info = self.locals[target.0 as usize].clone();
        let name = self.name(target);
        let is_call = matches!(&value.expr, Expr::Apply(apply) if !matches!(apply.callee, Callee::Op(_)));
        let is_unit = matches!(self.ty(&value.expr).kind(), TyKind::Unit | TyKind::Never);
        if is_unit && is_call {
            self.effect(&value.expr)?;
            if declares {
                self.line(&format!("Unit {name} = 0;"));
                self.owned(Ty::unit(), self.span)?;
                self.mark_unread(target);
            } else {
                self.line(&format!("{name} = 0;"));
            }
            return Ok(());
        }
        if !declares && !info.is_ref && self.compound(target, value)? {
            return Ok(());
        }
        let text = match info.is_ref {
            true => self.reference(&value.expr)?,
            false => self.value(value)?.text,
        };
        if declares {
            let ty = self.local_ty(target)?;
            self.line(&format!("{} = {text};", declared(&ty, &name)));
            self.mark_unread(target);
        } else {
            self.line(&format!("{name} = {text};"));
        }
        Ok(())
    }

    /// The parts of a tuple or struct as locals.
    fn split(&mut self, targets: &[Option<Local>], value: &Arg, declares: bool) -> Done {
        let ty = self.ty(&value.expr);
        let (owned, text) = (self.owned(ty, self.span)?, self.value(value)?.text);
        let whole = self.fresh_name("parts");
        self.line(&format!("{} = {text};", declared(&owned, &whole)));
        let mut is_read = false;
        for (number, target) in targets.iter().enumerate() {
            let Some(target) = target else { continue };
            is_read = true;
            let field = format!("{whole}.{}", field_name(ty, 0, number));
            let boxed = is_boxed(ty, 0, number);
            let part = if boxed { format!("*{field}") } else { field.clone() };
            let name = self.name(*target);
            if declares {
                let of = self.local_ty(*target)?;
                self.line(&format!("{} = {part};", declared(&of, &name)));
                self.mark_unread(*target);
            } else {
                self.line(&format!("{name} = {part};"));
            }
            if boxed {
                self.line(&format!("free({field});"));
            }
        }
        if !is_read {
            self.line(&format!("(void){whole};"));
        }
        Ok(())
    }
}
