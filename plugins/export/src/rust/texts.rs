//! Texts: methods, formats, output.

use overdub_context::ir::{Const, Ty, TyKind};
use overdub_context::ops;
use overdub_context::value::Value;

use super::Printer;
use super::exprs::{Printed, Text};
use super::literals::Known;
use super::rows::binds;
use crate::ast::{Apply, Expr};
use crate::error::ExportError;
use crate::options::Library;
use crate::places::user_span;
use crate::scopes::constant_index;

impl Printer<'_> {
    /// An operand as text that a method of `str` takes.
    pub(super) fn text_argument(&mut self, expr: &Expr) -> Result<String, ExportError> {
        match expr {
            Expr::Local(local) if !self.locals[local.0 as usize].is_ref => {
                Ok(format!("{}.as_str()", self.local_names[local.0 as usize]))
            }
            _ => Ok(self.reference(expr)?.text),
        }
    }

    pub(super) fn text_receiver(&mut self, expr: &Expr) -> Result<String, ExportError> {
        match expr {
            Expr::Const(..) => Ok(self.reference(expr)?.text),
            _ => Ok(self.expr(expr, Known::Nothing)?.tight(binds::ATOM)),
        }
    }

    pub(super) fn formatted_int(&mut self, apply: &Apply) -> Printed {
        let is_signed = matches!(apply.tys[0].kind(), TyKind::Int(int) if int.is_signed());
        let style = match (constant_index(&apply.args[1].expr), is_signed) {
            (Some(10), _) => "",
            (Some(16), false) => ":x",
            (Some(8), false) => ":o",
            (Some(2), false) => ":b",
            _ => return Err(self.unsupported("an integer printed to this radix", apply.span)),
        };
        let receiver = self.receiver(&apply.args[0].expr)?;
        Ok(Text::atom(if style.is_empty() {
            format!("{receiver}.to_string()")
        } else {
            format!("format!(\"{{{style}}}\", {receiver})")
        }))
    }

    pub(super) fn formatted_float(&mut self, apply: &Apply) -> Printed {
        let style = constant_index(&apply.args[1].expr);
        let precision = match &apply.args[2].expr {
            Expr::Const(constant, _) => constant.value().as_int().map(|(_, n)| n),
            _ => None,
        };
        let plus = match &apply.args[3].expr {
            Expr::Const(constant, _) => matches!(constant.value(), Value::Bool(true)),
            condition => {
                let condition = self.expr(condition, Known::Type)?.text;
                let with = |plus: bool| {
                    let mut apply = apply.clone();
                    let plus = Const::new(Value::Bool(plus)).expect("a bool is data");
                    apply.args[3].expr = Expr::Const(plus, Ty::bool());
                    apply
                };
                let (then, otherwise) =
                    (self.formatted_float(&with(true))?.text, self.formatted_float(&with(false))?.text);
                let text = format!("if {condition} {{ {then} }} else {{ {otherwise} }}");
                return Ok(Text::with(text, binds::LOOSE));
            }
        };
        let letter = match style {
            Some(0) => "",
            Some(1) => "?",
            Some(2) => "e",
            Some(3) => "E",
            _ => return Err(self.unsupported("a float printed in a style that is not constant", apply.span)),
        };
        let mut spec = String::new();
        if plus {
            spec.push('+');
        }
        match precision {
            Some(-1) => {}
            Some(n) => spec.push_str(&format!(".{n}")),
            None => {
                return Err(
                    self.unsupported("a float printed to a precision that is not constant", apply.span)
                );
            }
        }
        spec.push_str(letter);
        let spec = if spec.is_empty() { spec } else { format!(":{spec}") };
        let x = self.receiver(&apply.args[0].expr)?;
        let is_plain = x.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && x.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        Ok(Text::atom(match (spec.is_empty(), is_plain) {
            (true, _) => format!("{x}.to_string()"),
            (false, true) => format!("format!(\"{{{x}{spec}}}\")"),
            (false, false) => format!("format!(\"{{{spec}}}\", {x})"),
        }))
    }

    pub(super) fn print(&mut self, op: &ops::OpDef, expr: &Expr) -> Printed {
        if self.options.library == Library::NoStd {
            let span = user_span(self.func, self.span);
            return Err(self.unsupported("what it prints needs the standard library", span));
        }
        self.prints = true;
        let name = if op == &ops::PRINT { "print" } else { "eprint" };
        if let Expr::Const(constant, _) = expr
            && let Value::Str(text) = constant.value()
        {
            let (text, name) = match text.strip_suffix('\n') {
                Some(line) => (line, format!("{name}ln")),
                None => (text.as_str(), name.to_owned()),
            };
            let text = format!("{text:?}").replace('{', "{{").replace('}', "}}");
            let text = if text == "\"\"" && name.ends_with("ln") { String::new() } else { text };
            return Ok(Text::atom(format!("{name}!({text})")));
        }
        let text = self.expr(expr, Known::Nothing)?;
        let is_name = matches!(expr, Expr::Local(_));
        Ok(Text::atom(if is_name {
            format!("{name}!(\"{{{}}}\")", text.text)
        } else {
            format!("{name}!(\"{{}}\", {})", text.text)
        }))
    }
}
