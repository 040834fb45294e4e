//! Values that are built from parts, and their parts.

use overdub_context::ir::Ty;
use overdub_context::ops;
use overdub_context::value::Value;

use super::exprs::{Call, Text};
use super::layout::SHORT_ELEMENT_WIDTH;
use super::literals::{Known, composed, literal};
use super::rows::binds;
use super::{Printer, Table, member};
use crate::ast::{Apply, Expr};
use crate::error::ExportError;
use crate::nominal::fields;
use crate::scopes::constant_index;

impl Printer<'_> {
    /// Operations that build values and take them apart.
    pub(super) fn structural(
        &mut self,
        op: &'static ops::OpDef,
        apply: &Apply,
    ) -> Result<Option<Text>, ExportError> {
        let args = &apply.args;
        let ty = apply.ty;
        let first = apply.tys.first().copied().unwrap_or(Ty::unit());
        let text = match () {
            () if op == &ops::FIELD || op == &ops::CAPTURED => {
                let of = self.expr(&args[0].expr, Known::Nothing)?.tight(binds::ATOM);
                let number = constant_index(&args[1].expr).unwrap_or(0);
                let name = match fields(first, 0).get(number) {
                    Some(field) => member(&field.name),
                    None => number.to_string(),
                };
                Text::atom(format!("{of}.{name}"))
            }
            () if op == &ops::GET_UNCHECKED => {
                let of = match &args[0].expr {
                    constant @ Expr::Const(..) => {
                        self.reference(constant)?.text.trim_start_matches('&').to_owned()
                    }
                    expr => self.expr(expr, Known::Nothing)?.tight(binds::ATOM),
                };
                Text::atom(format!("{of}[{}]", self.index(&args[1].expr)?))
            }
            () if op == &ops::GET => {
                let of = self.reference(&args[0].expr)?.text;
                let at = self.index(&args[1].expr)?;
                let name = self.helpers.call("elem");
                let place = self.place(apply.span);
                let call = self.tried(Text::call(name, vec![of, at, place]));
                Text { text: format!("*{}", call.text), binds: binds::UNARY, call: call.call }
            }
            () if op == &ops::SLICE => {
                let of = self.reference(&args[0].expr)?.text;
                let (from, to) = (self.index(&args[1].expr)?, self.index(&args[2].expr)?);
                let name = self.helpers.call("part");
                let place = self.place(apply.span);
                self.tried(Text::call(name, vec![of, from, to, place]))
            }
            () if op == &ops::STACK_PEEK => {
                let of = self.expr(&args[0].expr, Known::Nothing)?.tight(binds::ATOM);
                Text::atom(format!("{of}[{of}.len() - 1]"))
            }
            () if op == &ops::LEN || op == &ops::STACK_LEN => {
                let of = self.expr(&args[0].expr, Known::Nothing)?.tight(binds::ATOM);
                Text::atom(format!("{of}.len()"))
            }
            () if op == &ops::ARRAY && args.is_empty() => Text::atom("Vec::new()"),
            () if op == &ops::ARRAY => {
                let elems = self.values(args)?;
                let text = format!("vec![{}]", elems.join(", "));
                // Short elements are packed.
                let is_packed = elems.iter().all(|elem| elem.chars().count() <= SHORT_ELEMENT_WIDTH);
                let callee = "vec!".to_owned();
                let call = (!is_packed).then_some(Call { callee, args: elems, is_tried: false });
                Text { call, ..Text::atom(text) }
            }
            () if op == &ops::STACK_NEW => Text::atom("Vec::new()"),
            () if op == &ops::REPEAT => {
                let value = self.value(&args[0], Known::Nothing)?.text;
                let len = self.index(&args[1].expr)?;
                match self.may_be_too_long(&args[1].expr, first) {
                    true => self.failing("repeated", vec![value, len], apply.span),
                    false => {
                        let len = self.room(len, first, apply.span)?;
                        Text::atom(format!("vec![{value}; {len}]"))
                    }
                }
            }
            () if op == &ops::TUPLE || op == &ops::CLOSURE => {
                let parts = self.values(args)?;
                Text::atom(self.composed(Ty::tuple(apply.tys.iter().copied()), 0, parts)?)
            }
            () if op == &ops::STRUCT => {
                let parts = self.values(args)?;
                Text::atom(self.composed(ty, 0, parts)?)
            }
            () if op == &ops::VARIANT => {
                let tag = constant_index(&args[0].expr).unwrap_or(0);
                let parts = self.values(&args[1..])?;
                Text::atom(self.composed(ty, tag, parts)?)
            }
            () if op == &ops::SELECT => {
                let cond = self.expr(&args[0].expr, Known::Type)?.text;
                let (then, otherwise) =
                    (self.value(&args[1], Known::Type)?, self.value(&args[2], Known::Type)?);
                let text = format!("if {cond} {{ {} }} else {{ {} }}", then.text, otherwise.text);
                Text::with(text, binds::LOOSE)
            }
            () if op == &ops::DUP => self.value(&args[0], Known::Nothing)?,
            () if op == &ops::ERASE => return self.erased(apply).map(Some),
            () => return Ok(None),
        };
        Ok(Some(text))
    }

    pub(super) fn composed(&mut self, ty: Ty, tag: usize, parts: Vec<String>) -> Result<String, ExportError> {
        let text = composed(ty, tag, parts, &mut self.types, &mut self.names);
        text.map_err(self.no_type(self.span))
    }

    /// The name of a long constant array of scalars, which is declared once.
    pub(super) fn table(&mut self, value: &Value<'_>, ty: Ty) -> Result<Option<String>, ExportError> {
        let Some(array) = ty.as_array().filter(|array| array.rank == 1) else { return Ok(None) };
        let Value::Array(elems) = value else { return Ok(None) };
        let is_scalar = array.elem.is_number() || array.elem == Ty::bool() || array.elem == Ty::char();
        if !is_scalar || elems.len() < 8 {
            return Ok(None);
        }
        let mut parts = Vec::new();
        for elem in elems.iter() {
            let part = literal(&elem, array.elem, Known::Type, &mut self.types, &mut self.names);
            parts.push(part.map_err(self.no_type(self.span))?);
        }
        let text = format!("[{}; {}] = [{}];", array.elem, parts.len(), parts.join(", "));
        if let Some(known) = self.tables.iter().find(|table| table.text == text) {
            return Ok(Some(known.name.clone()));
        }
        let number = self.tables.iter().filter(|table| table.doc.is_none()).count() + 1;
        let name = self.names.unique(&format!("TABLE{number}"));
        self.tables.push(Table { name: name.clone(), text, doc: None });
        Ok(Some(name))
    }

    pub(super) fn literal(&mut self, value: &Value<'_>, ty: Ty, known: Known) -> Result<String, ExportError> {
        if let Some(name) = self.table(value, ty)? {
            return Ok(format!("{name}.to_vec()"));
        }
        let literal = literal(value, ty, known, &mut self.types, &mut self.names);
        literal.map_err(self.no_type(self.span))
    }

    /// An index or a length.
    pub(super) fn index(&mut self, expr: &Expr) -> Result<String, ExportError> {
        let text = self.expr(expr, Known::Type)?;
        let is_usize = self.ty(expr) == Ty::usize() || matches!(expr, Expr::Const(..));
        Ok(if is_usize { text.text } else { format!("{} as usize", text.tight(binds::CAST)) })
    }
}
