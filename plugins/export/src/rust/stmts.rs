//! Statements in Rust, laid out as rustfmt does.

use overdub_context::Span;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;
use overdub_context::value::Value;

use super::Printer;
use super::exprs::Text;
use super::failing::Growth;
use super::layout::{IF_ELSE_WIDTH, MAX_WIDTH};
use super::literals::Known;
use super::rows::binds;
use crate::ast::{Arg, Callee, Expr, Local, LoopKind, Stmt, StmtKind};
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

    /// A branch as the value of a new local.
    fn bind(&mut self, local: Local, branch: &Stmt) -> Done {
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
            StmtKind::Slice { local, array, start, len, is_mut } => {
                self.comment(stmt.span);
                let (of, helper) = match (is_mut, len) {
                    (true, Expr::Const(..)) => (self.changed(*array), "span_mut"),
                    (true, _) => (self.changed(*array), "long_span_mut"),
                    (false, Expr::Const(..)) => (self.reference(&Expr::Local(*array))?.text, "span"),
                    (false, _) => (self.reference(&Expr::Local(*array))?.text, "long_span"),
                };
                let [start, len] = [start, len].map(|expr| self.expr(expr, Known::Type));
                let text = Text::call(self.helpers.call(helper), vec![of, start?.text, len?.text]);
                self.put(&format!("let {} = ", self.name(*local)), text, ";");
                Ok(())
            }
            StmtKind::Sliced { slices, over, otherwise } => {
                self.comment(stmt.span);
                self.sliced(slices, over, otherwise)
            }
            StmtKind::MatrixProducts { products, resets, otherwise } => {
                self.comment(stmt.span);
                self.matrix_products(products, (resets, otherwise))
            }
            StmtKind::Reuse { local, fill } => self.reuse(*local, fill.as_ref(), stmt.span),
            StmtKind::Zero { slice, len } => {
                let len = self.expr(len, Known::Type)?.text;
                self.written("zero", vec![self.name(*slice), len], stmt.span)
            }
            StmtKind::StackArray { local, element, len } => {
                self.comment(stmt.span);
                let (element, len) = (self.expr(element, Known::Nothing)?, self.expr(len, Known::Type)?);
                let pattern = self.pattern(*local);
                self.line(&format!("let {pattern} = [{}; {}];", element.text, len.text));
                Ok(())
            }
            StmtKind::Fit { slice, len } => {
                let len = self.expr(len, Known::Type)?.text;
                self.written("same_length", vec![self.name(*slice), len], stmt.span)
            }
            StmtKind::ZeroFrom { slice, from } => {
                let from = self.expr(from, Known::Type)?.text;
                let helper = self.helpers.call("zero_from");
                self.put("", Text::call(helper, vec![self.name(*slice), from]), ";");
                Ok(())
            }
            StmtKind::Copy { slice, from } => {
                let from = self.reference(from)?.text;
                self.written("copy", vec![self.name(*slice), from], stmt.span)
            }
            StmtKind::Reserve { list, room } => {
                self.comment(stmt.span);
                let room = self.expr(room, Known::Type)?.text;
                let list = self.changed(*list);
                let text = Text::call(self.helpers.call("make_room"), vec![list, room]);
                self.put("", text, ";");
                Ok(())
            }
            StmtKind::Records { local, tape, count, is_new } => {
                self.comment(stmt.span);
                let count = self.expr(count, Known::Type)?.text;
                let (of, helper) = match is_new {
                    true => (self.changed(*tape), "new_records"),
                    false => (self.reference(&Expr::Local(*tape))?.text, "last_records"),
                };
                if *is_new {
                    self.grows(&self.name(*tape), Growth::Records(&count));
                }
                let text = Text::call(self.helpers.call(helper), vec![of, count]);
                self.put(&format!("let {} = ", self.name(*local)), text, ";");
                Ok(())
            }
            StmtKind::DropRecords { tape, count } => {
                let count = self.expr(count, Known::Type)?.text;
                let tape = self.changed(*tape);
                let text = Text::call(self.helpers.call("drop_records"), vec![tape, count]);
                self.put("", text, ";");
                Ok(())
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
                        let name = if self.is_mentioned(*counter, body) {
                            self.name(*counter)
                        } else {
                            "_".to_owned()
                        };
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

    pub(super) fn is_mentioned(&self, local: Local, list: &[Stmt]) -> bool {
        list.iter().any(|stmt| {
            let mut found = false;
            stmt.for_each_local(&mut |other| found |= other == local);
            found || stmt.lists().into_iter().any(|inner| self.is_mentioned(local, inner))
        })
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

    pub(super) fn assign(
        &mut self,
        targets: &[Option<Local>],
        splits: bool,
        value: &Arg,
        declares: bool,
    ) -> Done {
        let before = match targets {
            [Some(target)] if declares && !splits => {
                self.remember_length(*target, &value.expr);
                format!("let {} = ", self.declared(*target, value))
            }
            [Some(target)] if !splits => {
                if let Some(done) = self.compound(*target, value) {
                    return done;
                }
                format!("{} = ", self.name(*target))
            }
            targets => {
                let each = targets.iter().map(|target| match target {
                    Some(target) if declares => self.pattern(*target),
                    Some(target) => self.name(*target),
                    None => "_".to_owned(),
                });
                let each: Vec<String> = each.collect();
                let tuple = match &each[..] {
                    [one] => format!("({one},)"),
                    each => format!("({})", each.join(", ")),
                };
                format!("{}{tuple} = ", if declares { "let " } else { "" })
            }
        };
        if let ([Some(target)], Expr::Apply(apply)) = (targets, &value.expr) {
            if apply.callee == Callee::Op(&ops::PAYLOAD) {
                return self.payload(*target, apply, declares);
            }
            if self.locals[target.0 as usize].is_ref {
                let text = self.reference(&value.expr)?;
                self.put(&before, text, ";");
                return Ok(());
            }
        }
        let known = match targets {
            [Some(_)] if declares && !before.contains(':') && matches!(value.expr, Expr::Const(..)) => {
                Known::Nothing
            }
            _ => Known::Type,
        };
        let text = self.value(value, known)?;
        self.put_value(&before, &value.expr, text, ";")
    }

    /// The pattern of a new local, with its type where a constant leaves it open.
    pub(super) fn declared(&mut self, target: Local, value: &Arg) -> String {
        let pattern = self.pattern(target);
        let ty = self.locals[target.0 as usize].ty;
        let is_empty = match &value.expr {
            Expr::Apply(apply) => {
                let is_constant = |arg: &Arg| matches!(arg.expr, Expr::Const(..));
                let of_constants = apply.args.iter().all(is_constant);
                matches!(apply.callee, Callee::Op(op)
                    if op == &ops::STACK_NEW
                        || op == &ops::ARRAY && of_constants
                        || op == &ops::SELECT && apply.args[1..].iter().all(is_constant)
                        || op == &ops::VARIANT)
            }
            Expr::Const(constant, ty) => {
                matches!(ty.kind(), TyKind::Array(_) | TyKind::Stack(_) | TyKind::Enum(_) | TyKind::Tuple(_))
                    || self.locals[target.0 as usize].is_mut && ty.is_number()
                    || matches!(ty.kind(), TyKind::Int(_)) && *ty != Ty::i32()
                    || matches!(constant.value(), Value::F32(_))
            }
            Expr::Local(_) => false,
        };
        match (is_empty, self.types.owned(ty, &mut self.names)) {
            (true, Ok(ty)) => format!("{pattern}: {ty}"),
            _ => pattern,
        }
    }
}

fn is_target(tail: Tail, targets: &[Option<Local>]) -> bool {
    matches!((tail, targets), (Tail::Value(local), [Some(target)]) if local == *target)
}

/// Whether a branch does nothing with a local but to assign it at the end of each list that ends.
fn is_value_of(stmt: &Stmt, local: Local) -> bool {
    fn is_value(list: &[Stmt], local: Local) -> bool {
        let Some((last, before)) = list.split_last() else { return false };
        if before.iter().any(|stmt| mentions(stmt, local)) {
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
            _ => last.diverges() && !mentions(last, local),
        }
    }
    fn mentions(stmt: &Stmt, local: Local) -> bool {
        let mut found = false;
        stmt.for_each_local(&mut |other| found |= other == local);
        found || stmt.lists().into_iter().flatten().any(|stmt| mentions(stmt, local))
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
