//! Expressions in Rust.

use overdub_context::Span;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;
use overdub_context::value::Value;

use super::Printer;
use super::elementary;
use super::literals::Known;
use super::rows::{binds, infix, method, text_method};
use super::types::NoType;
use crate::ast::{Apply, Arg, Callee, Expr, Use};
use crate::error::ExportError;
use crate::nominal::is_boxed;
use crate::places::user_span;
use crate::scopes::constant_index;

/// An expression as text.
pub(super) struct Text {
    pub(super) text: String,
    pub(super) binds: u8,
    /// The parts of a call, which may need a line each.
    pub(super) call: Option<Call>,
}

/// A call.
pub(super) struct Call {
    pub(super) callee: String,
    pub(super) args: Vec<String>,
    /// Whether the caller fails where it fails.
    pub(super) is_tried: bool,
}

impl Text {
    pub(super) fn atom(text: impl Into<String>) -> Text {
        Text { text: text.into(), binds: binds::ATOM, call: None }
    }

    pub(super) fn with(text: impl Into<String>, binds: u8) -> Text {
        Text { text: text.into(), binds, call: None }
    }

    pub(super) fn call(callee: impl Into<String>, args: Vec<String>) -> Text {
        let callee = callee.into();
        Text {
            text: format!("{callee}({})", args.join(", ")),
            binds: binds::ATOM,
            call: Some(Call { callee, args, is_tried: false }),
        }
    }

    /// The text, in parentheses unless it binds at least as tightly.
    pub(super) fn tight(self, binds: u8) -> String {
        if self.binds >= binds { self.text } else { format!("({})", self.text) }
    }
}

pub(super) type Printed = Result<Text, ExportError>;

impl Printer<'_> {
    /// There is no counterpart for a construct.
    pub(super) fn unsupported(&self, construct: impl Into<String>, span: Span) -> ExportError {
        ExportError::Unsupported { func: self.root, construct: construct.into(), span }
    }

    pub(super) fn no_type(&self, span: Span) -> impl FnOnce(NoType) -> ExportError + '_ {
        move |NoType(ty)| self.unsupported(format!("the type `{ty}` has no counterpart in plain Rust"), span)
    }

    pub(super) fn owned(&mut self, ty: Ty, span: Span) -> Result<String, ExportError> {
        let owned = self.types.owned(ty, &mut self.names);
        owned.map_err(self.no_type(span))
    }

    /// An operand as a value.
    pub(super) fn value(&mut self, arg: &Arg, known: Known) -> Printed {
        if arg.how != Use::Clone {
            return self.expr(&arg.expr, known);
        }
        let ty = self.ty(&arg.expr);
        let is_ref = matches!(&arg.expr, Expr::Local(local) if self.locals[local.0 as usize].is_ref);
        let is_boxed = self.is_boxed_place(&arg.expr);
        let text = self.expr(&arg.expr, Known::Nothing)?.tight(binds::ATOM);
        if is_boxed {
            return Ok(Text::atom(format!("(*{text}).clone()")));
        }
        Ok(Text::atom(match ty.kind() {
            TyKind::Array(_) | TyKind::Stack(_) if is_ref || is_slice(&arg.expr) => {
                format!("{text}.to_vec()")
            }
            TyKind::Str if is_ref => format!("{text}.to_owned()"),
            _ => format!("{text}.clone()"),
        }))
    }

    /// Whether an expression is a field that holds its value in a box.
    pub(super) fn is_boxed_place(&self, expr: &Expr) -> bool {
        let Expr::Apply(apply) = expr else { return false };
        let Callee::Op(op) = apply.callee else { return false };
        let field = apply.args.get(1).and_then(|arg| constant_index(&arg.expr));
        op == &ops::FIELD && field.is_some_and(|field| is_boxed(apply.tys[0], 0, field))
    }

    /// An operand as a reference.
    pub(super) fn reference(&mut self, expr: &Expr) -> Printed {
        if let Expr::Const(constant, ty) = expr {
            if let Value::Str(text) = constant.value() {
                return Ok(Text::atom(format!("{:?}", text.as_str())));
            }
            if let Some(name) = self.table(constant.value(), *ty)? {
                return Ok(Text::with(format!("&{name}"), binds::UNARY));
            }
            let text = self.literal(constant.value(), *ty, Known::Nothing)?;
            let text = match text.as_str() {
                "Vec::new()" => "[]",
                other => other.strip_prefix("vec!").unwrap_or(other),
            };
            return Ok(Text::with(format!("&{text}"), binds::UNARY));
        }
        if let Expr::Local(local) = expr
            && self.locals[local.0 as usize].is_ref
        {
            return self.expr(expr, Known::Nothing);
        }
        let Text { text, binds, call } = self.expr(expr, Known::Nothing)?;
        // A checked element is a reference that was followed.
        if let Some(inner) = text.strip_prefix('*').filter(|_| binds == binds::UNARY) {
            return Ok(Text { call, ..Text::atom(inner) });
        }
        if is_slice(expr) && text.starts_with("part(") {
            return Ok(Text { call, ..Text::atom(text) });
        }
        Ok(Text::with(format!("&{}", Text::with(text, binds).tight(binds::UNARY)), binds::UNARY))
    }

    /// Whether an expression is a local that holds a reference.
    pub(super) fn is_ref(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Local(local) if self.locals[local.0 as usize].is_ref)
    }

    pub(super) fn ty(&self, expr: &Expr) -> Ty {
        match expr {
            Expr::Const(_, ty) => *ty,
            Expr::Local(local) => self.locals[local.0 as usize].ty,
            Expr::Apply(apply) => apply.ty,
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr, known: Known) -> Printed {
        match expr {
            Expr::Const(constant, ty) => {
                let text = self.literal(constant.value(), *ty, known)?;
                let binds = if text.starts_with('-') { binds::UNARY } else { binds::ATOM };
                Ok(Text::with(text, binds))
            }
            Expr::Local(local) => Ok(Text::atom(self.local_names[local.0 as usize].clone())),
            Expr::Apply(apply) => self.apply(apply),
        }
    }

    pub(super) fn apply(&mut self, apply: &Apply) -> Printed {
        self.span = apply.span;
        match apply.callee {
            Callee::Func(name) => self.call(name, &apply.args, apply.span),
            Callee::Value if matches!(apply.tys[0].kind(), TyKind::Closure(_)) => self.call_of_closure(apply),
            Callee::Value => {
                let callee = self.expr(&apply.args[0].expr, Known::Nothing)?.tight(binds::ATOM);
                let callee = if apply.args[0].expr.is_place() && !matches!(apply.args[0].expr, Expr::Local(_))
                {
                    format!("({callee})")
                } else {
                    callee
                };
                let args = self.values(&apply.args[1..])?;
                Ok(self.tried(Text::call(callee, args)))
            }
            Callee::Op(op) => self.op(op, apply),
        }
    }

    pub(super) fn values(&mut self, args: &[Arg]) -> Result<Vec<String>, ExportError> {
        args.iter().map(|arg| Ok(self.value(arg, Known::Nothing)?.text)).collect()
    }

    /// The place of an instruction in the source, as failures name it.
    pub(super) fn place(&self, span: Span) -> String {
        let span = user_span(self.func, span);
        let file = (self.surroundings.file_name)(span.file);
        format!("{:?}", format!("{file}:{}:{}", span.line, span.column))
    }

    pub(super) fn op(&mut self, op: &'static ops::OpDef, apply: &Apply) -> Printed {
        let args = &apply.args;
        let ty = apply.ty;
        let first = apply.tys.first().copied().unwrap_or(Ty::unit());
        if apply.tys.iter().any(|ty| ty.as_array().is_some()) && is_elementwise(op) {
            return self.elementwise(op, apply);
        }
        if let Some(text) = self.structural(op, apply)? {
            return Ok(text);
        }
        if let Some(text) = self.checked(op, apply)? {
            return Ok(text);
        }
        if apply.is_exact
            && let Some((sign, binds)) = infix_of_wrapping(op)
        {
            return self.infix(sign, binds, args);
        }
        // The method may be expanded to products in another order.
        if op == &ops::POWI && ty == Ty::f64() {
            let args = args.iter().map(|arg| Ok(self.expr(&arg.expr, Known::Type)?.text));
            let args = args.collect::<Result<Vec<_>, ExportError>>()?;
            return Ok(Text::call(self.helpers.call("powi"), args));
        }
        if op == &ops::MUL_ZERO {
            let name = self.strong_product(ty == Ty::f32());
            let args = args.iter().map(|arg| Ok(self.expr(&arg.expr, Known::Type)?.text));
            let args = args.collect::<Result<Vec<_>, ExportError>>()?;
            return Ok(Text::call(name, args));
        }
        if let Some(name) = elementary::function(op, apply.is_exact) {
            let args = args.iter().map(|arg| Ok(self.expr(&arg.expr, Known::Type)?.text));
            let args = args.collect::<Result<Vec<_>, ExportError>>()?;
            return Ok(Text::call(self.helpers.elementary(name), args));
        }
        if op == &ops::NEG || op == &ops::NOT {
            let sign = if op == &ops::NEG { "-" } else { "!" };
            let inner = self.expr(&args[0].expr, Known::Type)?.tight(binds::UNARY);
            return Ok(Text::with(format!("{sign}{inner}"), binds::UNARY));
        }
        if op == &ops::ABS {
            return self.method_call("abs", args);
        }
        if let Some((sign, binds)) = infix(op, first == Ty::bool()) {
            return self.infix(sign, binds, args);
        }
        if let Some(name) = method(op) {
            return self.method_call(name, args);
        }
        if let Some((name, after)) = text_method(op) {
            let receiver = self.text_receiver(&args[0].expr)?;
            let rest = args[1..].iter().map(|arg| self.text_argument(&arg.expr));
            let rest = rest.collect::<Result<Vec<_>, _>>()?;
            return Ok(Text::atom(format!("{receiver}.{name}({}){after}", rest.join(", "))));
        }
        self.other(op, apply)
    }
}

fn is_slice(expr: &Expr) -> bool {
    matches!(expr, Expr::Apply(apply) if apply.callee == Callee::Op(&ops::SLICE))
}

/// Whether operands of a type are computed element by element.
fn is_elementwise(op: &ops::OpDef) -> bool {
    method(op).is_some()
        || op == &ops::MUL_ZERO
        || op == &ops::NEG
        || op == &ops::ABS
        || infix(op, false).is_some() && op != &ops::EQ && op != &ops::NE
}

/// The operator for arithmetic that is known not to wrap.
fn infix_of_wrapping(op: &ops::OpDef) -> Option<(&'static str, u8)> {
    match () {
        () if op == &ops::ADD_WRAPPING => infix(&ops::ADD, false),
        () if op == &ops::SUB_WRAPPING => infix(&ops::SUB, false),
        () if op == &ops::MUL_WRAPPING => infix(&ops::MUL, false),
        () => None,
    }
}
