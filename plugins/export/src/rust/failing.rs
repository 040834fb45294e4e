//! What fails: calls whose failure is passed on, the statement that fails, and results of functions that may fail.

use overdub_context::Span;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;

use super::Printer;
use super::exprs::Text;
use super::layout::{CALL_WIDTH, MAX_WIDTH};
use super::literals::Known;
use super::rows::binds;
use super::stmts::Tail;
use crate::ast::{Apply, Arg, Callee, Expr, Local, Stmt, StmtKind, Use, diverge};
use crate::error::ExportError;
use crate::options::{Failures, Room};
use crate::scopes::constant_index;

type Done = Result<(), ExportError>;

/// By what something grows.
#[derive(Clone, Copy)]
pub(super) enum Growth<'t> {
    /// A list by an element.
    List,
    /// A tape by so many records.
    Records(&'t str),
    /// A text by at most so many bytes.
    Text(&'t str),
}

impl Printer<'_> {
    /// Whether what fails returns an `Err`.
    pub(super) fn returns_failures(&self) -> bool {
        self.options.failures == Failures::Result
    }

    /// Whether the current function returns a `Result`.
    pub(super) fn returns_result(&self) -> bool {
        self.functions.get(&self.func).is_some_and(|function| function.returns_failures)
    }

    /// A call that may fail, whose failure the function passes on.
    pub(super) fn tried(&mut self, mut text: Text) -> Text {
        if !self.returns_failures() {
            return text;
        }
        self.fails = true;
        text.text.push('?');
        if let Some(call) = &mut text.call {
            call.is_tried = true;
        }
        text
    }

    /// A call of a helper that may fail, whose last argument is the place.
    pub(super) fn failing(&mut self, helper: &'static str, mut args: Vec<String>, span: Span) -> Text {
        let name = self.helpers.call(helper);
        args.push(self.place(span));
        self.tried(Text::call(name, args))
    }

    /// The statement that fails with a message.
    pub(super) fn fail(&mut self, message: &Expr, span: Span, tail: Tail) -> Done {
        let text = match message {
            Expr::Const(..) => self.reference(message)?.text,
            _ if !self.returns_failures() => self.reference(message)?.text,
            _ => {
                self.helpers.makes_message();
                let is_owned = match message {
                    Expr::Local(local) => !self.locals[local.0 as usize].is_ref,
                    other => !other.is_place(),
                };
                let how = if is_owned { Use::Move } else { Use::Clone };
                self.value(&Arg { expr: message.clone(), how }, Known::Type)?.text
            }
        };
        let name = self.helpers.call("fail");
        let call = Text::call(name, vec![text, self.place(span)]);
        if !self.returns_failures() {
            self.put("", call, if tail == Tail::Statement { ";" } else { "" });
            return Ok(());
        }
        self.fails = true;
        match tail {
            Tail::Return => self.put("", call, ""),
            Tail::Statement | Tail::Value(_) => self.put("return ", call, ";"),
        }
        Ok(())
    }

    /// A statement that returns a value from a function that may fail.
    pub(super) fn returned(&mut self, value: &Arg, tail: Tail) -> Done {
        let (before, after) = if tail == Tail::Return { ("", "") } else { ("return ", ";") };
        if self.ret == Ty::unit() {
            self.line(&format!("{before}Ok(()){after}"));
            return Ok(());
        }
        let mut text = self.value(value, Known::Type)?;
        if let Some(call) = &mut text.call
            && call.is_tried
            && text.binds == binds::ATOM
        {
            // The call has the result already.
            call.is_tried = false;
            text.text.pop();
            self.put(before, text, after);
            return Ok(());
        }
        let width = self.indent * 4 + before.len() + text.text.chars().count() + "Ok()".len() + after.len();
        let is_short = text.text.chars().count() <= CALL_WIDTH && width <= MAX_WIDTH;
        let has_layout = text.call.is_some()
            || matches!(&value.expr, Expr::Apply(apply) if matches!(apply.callee, Callee::Op(op)
                if [&ops::STRUCT, &ops::VARIANT, &ops::SELECT].contains(&op)));
        if is_short || has_layout || text.text.contains('\n') {
            return self.put_value(&format!("{before}Ok("), &value.expr, text, &format!("){after}"));
        }
        self.line(&format!("{before}Ok("));
        self.line(&format!("    {},", text.text));
        self.line(&format!("){after}"));
        Ok(())
    }

    /// The body of a function that may fail and returns nothing else.
    pub(super) fn unit_body(&mut self, body: &[Stmt]) -> Done {
        let body = match body {
            [before @ .., Stmt { kind: StmtKind::Return(_), .. }] => before,
            body => body,
        };
        self.list(body, Tail::Statement)?;
        if !diverge(body) {
            self.line("Ok(())");
        }
        Ok(())
    }

    /// A call for its effect, of a function that never returns: what follows is never reached.
    pub(super) fn never_returning(&mut self, expr: &Expr) -> Result<bool, ExportError> {
        let Expr::Apply(apply) = expr else { return Ok(false) };
        let is_call = !matches!(apply.callee, Callee::Op(_));
        if !is_call || !matches!(apply.ty.kind(), TyKind::Never) || !self.returns_failures() {
            return Ok(false);
        }
        let text = self.expr(expr, Known::Nothing)?;
        let is_tried = text.call.as_ref().is_some_and(|call| call.is_tried);
        if !is_tried {
            return Ok(false);
        }
        self.line(&format!("match {} {{}}", text.text));
        Ok(true)
    }

    /// Sorts a local by a comparison that may fail.
    pub(super) fn sort_by_failing(
        &mut self,
        name: &str,
        compared: &str,
        is_unstable: bool,
        span: Span,
    ) -> Done {
        if is_unstable && self.prints {
            let construct =
                "a sort that is not stable by a comparison that may fail, where something is printed";
            return Err(self.unsupported(construct, span));
        }
        let helper = self.helpers.call(if is_unstable { "sort_unstable" } else { "sort" });
        let call = Text::call(helper, vec![format!("&mut {name}"), format!("|a, b| {compared}")]);
        let call = self.tried(call);
        self.put("", call, ";");
        Ok(())
    }

    /// Whether a vector of this length may have more bytes than can be addressed, which is a failure.
    pub(super) fn may_be_too_long(&self, len: &Expr, elem: Ty) -> bool {
        let is_length_of = |apply: &Apply| {
            apply.callee == Callee::Op(&ops::LEN) && apply.tys[0].as_array().is_some_and(|of| of.elem == elem)
        };
        let is_small = match len {
            Expr::Const(..) => constant_index(len).is_some_and(|len| len <= usize::from(u16::MAX)),
            Expr::Apply(apply) => is_length_of(apply),
            Expr::Local(local) => self.lengths.get(local) == Some(&elem),
        };
        self.returns_failures() && !is_small
    }

    /// A number of elements of which a list is to be made.
    pub(super) fn room(&mut self, len: String, elem: Ty, span: Span) -> Result<String, ExportError> {
        Ok(match self.options.room {
            Room::Taken => len,
            Room::Checked => format!("overdub_room::<{}>({len})", self.owned(elem, span)?),
        })
    }

    /// Asks for the memory that the next statement may take for a list or text.
    pub(super) fn grows(&mut self, name: &str, growth: Growth<'_>) {
        match (self.options.room, growth) {
            (Room::Taken, _) => {}
            (Room::Checked, Growth::List) => self.line(&format!("overdub_grow(&mut {name});")),
            (Room::Checked, Growth::Records(count)) => {
                self.line(&format!("overdub_grow_by(&mut {name}, {count});"));
            }
            (Room::Checked, Growth::Text(bytes)) => {
                self.line(&format!("overdub_grow_text(&mut {name}, {bytes});"));
            }
        }
    }

    /// Remembers a local that is the length of a vector and does not change.
    pub(super) fn remember_length(&mut self, target: Local, value: &Expr) {
        if let Expr::Apply(apply) = value
            && apply.callee == Callee::Op(&ops::LEN)
            && let Some(of) = apply.tys[0].as_array()
            && !self.locals[target.0 as usize].is_mut
        {
            self.lengths.insert(target, of.elem);
        }
    }
}
