//! Memory: slices of arrays and of the caller, vectors of a workspace, arrays on the stack, and records of tapes.

use super::Printer;
use super::exprs::Text;
use super::failing::Growth;
use super::literals::Known;
use crate::ast::{Expr, Stmt, StmtKind};
use crate::error::ExportError;

impl Printer<'_> {
    /// A statement that makes, fills or drops memory.
    pub(super) fn memory(&mut self, stmt: &Stmt) -> Result<(), ExportError> {
        match &stmt.kind {
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
            _ => Ok(()),
        }
    }
}
