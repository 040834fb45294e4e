//! Places: locals and their parts, as values and as what looks at them.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;

use super::Printer;
use super::exprs::{Printed, Text};
use super::types::{field_name, has_slice, variant_member};
use super::values::address;
use crate::ast::{Callee, Expr, Local};
use crate::error::ExportError;
use crate::nominal::is_boxed;
use crate::ownership::is_copied;
use crate::scopes::constant_index;

type Line = Result<String, ExportError>;

impl Printer<'_> {
    pub(super) fn name(&self, local: Local) -> String {
        self.local_names[local.0 as usize].clone()
    }

    pub(super) fn ty(&self, expr: &Expr) -> Ty {
        match expr {
            Expr::Const(_, ty) => *ty,
            Expr::Local(local) => self.locals[local.0 as usize].ty,
            Expr::Apply(apply) => apply.ty,
        }
    }

    fn is_pointer(&self, local: Local) -> bool {
        let info = &self.locals[local.0 as usize];
        info.is_ref && !has_slice(info.ty) && !super::is_function(info.ty)
    }

    /// The value in a local, of which slices have no whole one.
    pub(super) fn local(&self, local: Local) -> String {
        if self.is_pointer(local) { format!("(*{})", self.name(local)) } else { self.name(local) }
    }

    /// The elements and the length of a vector, tape or text that is looked at.
    pub(super) fn data_and_len(&mut self, expr: &Expr) -> Result<(String, String), ExportError> {
        if let Expr::Local(local) = expr
            && let Some(len) = self.lengths.get(local)
        {
            return Ok((self.name(*local), len.clone()));
        }
        if let Expr::Const(constant, ty) = expr
            && let Some((name, len)) = self.table(constant.value(), *ty)?
        {
            return Ok((name, len.to_string()));
        }
        let place = self.expr(expr)?.tight(super::exprs::binds::ATOM);
        Ok((format!("{place}.data"), format!("{place}.len")))
    }

    /// A slice of a vector, tape or text.
    pub(super) fn slice(&mut self, expr: &Expr) -> Line {
        let ty = self.ty(expr);
        if let Expr::Local(local) = expr
            && self.locals[local.0 as usize].is_ref
            && !self.lengths.contains_key(local)
        {
            return Ok(self.name(*local));
        }
        if let Expr::Apply(apply) = expr
            && apply.callee == Callee::Op(&ops::SLICE)
        {
            let of = self.slice(&apply.args[0].expr)?;
            let from = self.index(&apply.args[1].expr)?;
            let to = self.index(&apply.args[2].expr)?;
            let elem = super::types::elem(ty).unwrap_or(Ty::unit());
            let name = self.of_vec(elem, "part")?;
            return Ok(format!("{name}({of}, {from}, {to}, {})", self.place(apply.span)));
        }
        let (data, len) = self.data_and_len(expr)?;
        let slice = self.borrowed_ty(ty, self.span)?;
        Ok(format!("({slice}){{{data}, {len}}}"))
    }

    /// An operand that is looked at, as a parameter that is a reference takes it.
    pub(super) fn reference(&mut self, expr: &Expr) -> Line {
        let ty = self.ty(expr);
        if has_slice(ty) {
            return self.slice(expr);
        }
        if let Expr::Local(local) = expr
            && self.is_pointer(*local)
        {
            return Ok(self.name(*local));
        }
        if super::is_function(ty) {
            return Ok(self.expr(expr)?.text);
        }
        let place = self.addressable(expr)?;
        Ok(address(&place))
    }

    /// A place with the value of an expression.
    pub(super) fn addressable(&mut self, expr: &Expr) -> Line {
        if let Expr::Local(local) = expr {
            return Ok(self.local(*local));
        }
        let text = self.expr(expr)?.tight(super::exprs::binds::ATOM);
        if expr.is_place() {
            return Ok(text);
        }
        let name = self.fresh_name("value");
        let ty = self.owned(self.ty(expr), self.span)?;
        self.line(&format!("{} = {text};", super::types::declared(&ty, &name)));
        Ok(name)
    }

    /// The place of a part of a value.
    pub(super) fn projection(
        &mut self,
        op: &'static ops::OpDef,
        apply: &crate::ast::Apply,
    ) -> Result<Option<Text>, ExportError> {
        let args = &apply.args;
        let first = apply.tys.first().copied().unwrap_or(Ty::unit());
        let text = match () {
            () if op == &ops::FIELD || op == &ops::CAPTURED => {
                let number = constant_index(&args[1].expr).unwrap_or(0);
                let of = self.member_of(&args[0].expr)?;
                let text = format!("{of}{}", field_name(first, 0, number));
                if is_boxed(first, 0, number) { format!("(*{text})") } else { text }
            }
            () if op == &ops::GET_UNCHECKED => {
                let (data, _) = self.data_and_len(&args[0].expr)?;
                format!("{data}[{}]", self.index(&args[1].expr)?)
            }
            () if op == &ops::GET => {
                let (data, len) = self.data_and_len(&args[0].expr)?;
                let at = self.checked_index(&args[1].expr, &len, apply.span)?;
                format!("{data}[{at}]")
            }
            () if op == &ops::STACK_PEEK => {
                let (data, len) = self.data_and_len(&args[0].expr)?;
                format!("{data}[{len} - 1]")
            }
            () if op == &ops::PAYLOAD => {
                let (Some(tag), Some(number)) =
                    (constant_index(&args[1].expr), constant_index(&args[2].expr))
                else {
                    return Err(
                        self.unsupported("a field of an enum by a number that is not constant", apply.span)
                    );
                };
                let of = self.enum_of(&args[0].expr, first, tag, apply.span)?;
                let text =
                    format!("{of}as.{}.{}", variant_member(first, tag), field_name(first, tag, number));
                if is_boxed(first, tag, number) { format!("(*{text})") } else { text }
            }
            () => return Ok(None),
        };
        Ok(Some(Text::atom(text)))
    }

    /// An enum that must have a variant, up to the name of a member.
    fn enum_of(&mut self, expr: &Expr, ty: Ty, tag: usize, span: overdub_context::Span) -> Line {
        let of = self.member_of(expr)?;
        let is_known = matches!(expr, Expr::Local(local) if self.variants.contains(&(*local, tag)));
        let has_others =
            ty.as_nominal().and_then(|nominal| nominal.variants()).is_some_and(|all| all.len() > 1);
        if has_others && !is_known {
            let check = self.plain("check_variant")?;
            let variant = self.variant(ty, tag)?;
            let place = self.place(span);
            self.line(&format!("{check}({of}tag == {variant}, {place});"));
        }
        Ok(of)
    }

    /// The value of an expression, up to the name of a member.
    pub(super) fn member_of(&mut self, expr: &Expr) -> Line {
        if let Expr::Local(local) = expr
            && self.is_pointer(*local)
        {
            return Ok(format!("{}->", self.name(*local)));
        }
        Ok(format!("{}.", self.expr(expr)?.tight(super::exprs::binds::ATOM)))
    }

    /// The number of an enum's variant.
    pub(super) fn tag_of(&mut self, expr: &Expr) -> Printed {
        let ty = self.ty(expr);
        self.owned(ty, self.span)?;
        match super::types::is_plain_enum(ty) {
            true => self.expr(expr),
            false => Ok(Text::atom(format!("{}tag", self.member_of(expr)?))),
        }
    }

    /// An index or a length.
    pub(super) fn index(&mut self, expr: &Expr) -> Line {
        let text = self.expr(expr)?;
        let is_usize = self.ty(expr) == Ty::usize() || matches!(expr, Expr::Const(..));
        Ok(if is_usize { text.text } else { format!("(size_t){}", text.tight(super::exprs::binds::UNARY)) })
    }

    /// An index that is checked.
    pub(super) fn checked_index(&mut self, expr: &Expr, len: &str, span: overdub_context::Span) -> Line {
        let at = self.index(expr)?;
        let name = self.plain("at_index")?;
        Ok(format!("{name}({at}, {len}, {})", self.place(span)))
    }

    /// A copy of the value in a place.
    pub(super) fn clone_of(&mut self, expr: &Expr) -> Line {
        let ty = self.ty(expr);
        if is_copied(ty) {
            return Ok(self.expr(expr)?.text);
        }
        if matches!(expr, Expr::Const(..)) {
            return Ok(self.expr(expr)?.text);
        }
        if has_slice(ty) {
            let slice = self.slice(expr)?;
            let name = match super::types::elem(ty) {
                Some(elem) => self.of_vec(elem, "clone")?,
                None => self.plain("text_clone")?,
            };
            return Ok(format!("{name}({slice})"));
        }
        let place = match expr {
            Expr::Local(local) => self.local(*local),
            _ => self.expr(expr)?.tight(super::exprs::binds::ATOM),
        };
        self.cloned(ty, &place)
    }

    /// The type of a closure's captured values, or of another value.
    pub(super) fn is_closure(ty: Ty) -> bool {
        matches!(ty.kind(), TyKind::Closure(_))
    }
}
