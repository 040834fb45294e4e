//! Expressions in C.

use overdub_context::Span;
use overdub_context::ir::TyKind;
use overdub_context::ops;

use super::Printer;
use crate::ast::{Apply, Arg, Callee, Expr, Use};
use crate::error::ExportError;
use crate::ownership::is_copied;
use crate::places::user_span;

/// How tightly an expression binds.
pub(super) mod binds {
    pub(crate) const ATOM: u8 = 100;
    pub(crate) const UNARY: u8 = 90;
    pub(crate) const PRODUCT: u8 = 80;
    pub(crate) const SUM: u8 = 70;
    pub(crate) const SHIFT: u8 = 65;
    pub(crate) const COMPARE: u8 = 60;
    pub(crate) const BITS: u8 = 50;
    pub(crate) const AND: u8 = 30;
    pub(crate) const OR: u8 = 20;
    pub(crate) const CHOICE: u8 = 10;
}

/// An expression as text.
pub(super) struct Text {
    pub(super) text: String,
    pub(super) binds: u8,
}

impl Text {
    pub(super) fn atom(text: impl Into<String>) -> Text {
        Text { text: text.into(), binds: binds::ATOM }
    }

    pub(super) fn with(text: impl Into<String>, binds: u8) -> Text {
        Text { text: text.into(), binds }
    }

    pub(super) fn call(callee: impl AsRef<str>, args: &[String]) -> Text {
        Text::atom(format!("{}({})", callee.as_ref(), args.join(", ")))
    }

    /// The text, in parentheses unless it binds at least as tightly.
    pub(super) fn tight(self, binds: u8) -> String {
        if self.binds >= binds { self.text } else { format!("({})", self.text) }
    }
}

pub(super) type Printed = Result<Text, ExportError>;

impl Printer<'_> {
    /// An operand as a value that its user owns.
    pub(super) fn value(&mut self, arg: &Arg) -> Printed {
        match arg.how {
            Use::Clone => Ok(Text::atom(self.clone_of(&arg.expr)?)),
            Use::Read if arg.expr.is_place() && !is_copied(self.ty(&arg.expr)) => {
                Ok(Text::atom(self.clone_of(&arg.expr)?))
            }
            _ => self.expr(&arg.expr),
        }
    }

    pub(super) fn values(&mut self, args: &[Arg]) -> Result<Vec<String>, ExportError> {
        args.iter().map(|arg| Ok(self.value(arg)?.text)).collect()
    }

    /// Operands that are scalars.
    pub(super) fn scalars(&mut self, args: &[Arg]) -> Result<Vec<String>, ExportError> {
        args.iter().map(|arg| Ok(self.expr(&arg.expr)?.text)).collect()
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Printed {
        match expr {
            Expr::Const(constant, ty) => self.literal(constant.value(), *ty),
            Expr::Local(local) => Ok(Text::atom(self.local(*local))),
            Expr::Apply(apply) => self.apply(apply),
        }
    }

    fn apply(&mut self, apply: &Apply) -> Printed {
        self.span = apply.span;
        match apply.callee {
            Callee::Func(name) => self.call(name, &apply.args, apply.span),
            Callee::Value if matches!(apply.tys[0].kind(), TyKind::Closure(_)) => self.call_of_closure(apply),
            Callee::Value => self.call_of_value(apply),
            Callee::Op(op) => self.op(op, apply),
        }
    }

    /// The place of an instruction in the source, as failures name it.
    pub(super) fn place(&self, span: Span) -> String {
        let span = user_span(self.func, span);
        super::literals::quoted(&format!("{}:{}:{}", span.file, span.line, span.column))
    }

    fn op(&mut self, op: &'static ops::OpDef, apply: &Apply) -> Printed {
        if apply.tys.iter().any(|ty| ty.as_array().is_some()) && super::elementwise::is_elementwise(op) {
            return self.elementwise(op, apply);
        }
        if let Some(text) = self.projection(op, apply)? {
            return Ok(text);
        }
        if let Some(text) = self.structural(op, apply)? {
            return Ok(text);
        }
        if let Some(text) = self.number(op, apply)? {
            return Ok(text);
        }
        if let Some(text) = self.of_text(op, apply)? {
            return Ok(text);
        }
        self.other(op, apply)
    }
}
