//! Values that are built from parts.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;

use super::Printer;
use super::exprs::{Text, binds};
use super::types::elem;
use crate::ast::Apply;
use crate::error::ExportError;
use crate::scopes::constant_index;

impl Printer<'_> {
    /// Operations that build values.
    pub(super) fn structural(
        &mut self,
        op: &'static ops::OpDef,
        apply: &Apply,
    ) -> Result<Option<Text>, ExportError> {
        let args = &apply.args;
        let ty = apply.ty;
        let text = match () {
            () if op == &ops::SLICE => {
                Text::atom(self.slice(&crate::ast::Expr::Apply(Box::new(apply.clone())))?)
            }
            () if op == &ops::LEN || op == &ops::STACK_LEN || op == &ops::STR_LEN => {
                Text::atom(self.data_and_len(&args[0].expr)?.1)
            }
            () if op == &ops::ARRAY => {
                let parts = self.values(args)?;
                self.vector(elem(ty).unwrap_or(Ty::unit()), parts)?
            }
            () if op == &ops::STACK_NEW => self.empty(ty)?,
            () if op == &ops::REPEAT => {
                let name = self.of_vec(apply.tys[0], "repeat")?;
                let value = self.value(&args[0])?.text;
                Text::call(name, &[value, self.index(&args[1].expr)?])
            }
            () if op == &ops::TUPLE || op == &ops::CLOSURE => {
                let parts = self.values(args)?;
                let ty = if parts.is_empty() { Ty::unit() } else { Ty::tuple(apply.tys.iter().copied()) };
                Text::atom(self.composed(ty, 0, parts)?)
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
                let cond = self.expr(&args[0].expr)?.tight(binds::COMPARE);
                let then = self.expr(&args[1].expr)?.tight(binds::COMPARE);
                let otherwise = self.expr(&args[2].expr)?.tight(binds::COMPARE);
                Text::with(format!("{cond} ? {then} : {otherwise}"), binds::CHOICE)
            }
            () if op == &ops::DUP => self.value(&args[0])?,
            () if op == &ops::BLACK_BOX => Text::atom(self.clone_of(&args[0].expr)?),
            () if op == &ops::ERASE => return self.erased(apply).map(Some),
            () if op == &ops::TAG => self.tag_of(&args[0].expr)?,
            () if op == &ops::EQ || op == &ops::NE || op == &ops::SAME => {
                let first = apply.tys[0];
                if first.is_number() || first == Ty::bool() || first == Ty::char() {
                    let sign = if op == &ops::NE { "!=" } else { "==" };
                    return self.infix(sign, binds::COMPARE, args).map(Some);
                }
                let equal = if first == Ty::str() {
                    let name = self.plain("equal_text")?;
                    format!("{name}({}, {})", self.slice(&args[0].expr)?, self.slice(&args[1].expr)?)
                } else if elem(first).is_some() {
                    let (x, y) = (self.slice_place(&args[0].expr)?, self.slice_place(&args[1].expr)?);
                    self.equal(first, &x, &y)?
                } else {
                    let (x, y) = (self.addressable(&args[0].expr)?, self.addressable(&args[1].expr)?);
                    self.equal(first, &x, &y)?
                };
                let is_call = !matches!(first.kind(), TyKind::Enum(_)) || !equal.contains(" == ");
                let equal = Text::with(equal, if is_call { binds::ATOM } else { binds::COMPARE });
                if op == &ops::NE {
                    Text::with(format!("!{}", equal.tight(binds::ATOM)), binds::UNARY)
                } else {
                    equal
                }
            }
            () => return Ok(None),
        };
        Ok(Some(text))
    }

    /// A place of a slice with the elements of a vector.
    fn slice_place(&mut self, expr: &crate::ast::Expr) -> Result<String, ExportError> {
        if let crate::ast::Expr::Local(local) = expr
            && !self.lengths.contains_key(local)
        {
            return Ok(self.name(*local));
        }
        let name = self.fresh_name("slice");
        let (ty, slice) = (self.borrowed_ty(self.ty(expr), self.span)?, self.slice(expr)?);
        self.line(&format!("{ty} {name} = {slice};"));
        Ok(name)
    }

    /// An element, if there is one.
    pub(super) fn checked_element(&mut self, apply: &Apply) -> Result<Text, ExportError> {
        let args = &apply.args;
        let of = self.slice(&args[0].expr)?;
        let at = self.index(&args[1].expr)?;
        let elem = elem(apply.tys[0]).unwrap_or(Ty::unit());
        let (slice, option) =
            (self.borrowed_ty(apply.tys[0], apply.span)?, self.owned(apply.ty, apply.span)?);
        let wanted = format!("{}_get", self.word(Ty::array(elem, 1))?);
        let ty = apply.ty;
        let name = self.made(format!("get {elem}"), &wanted, |this, name| {
            let value = this.cloned(elem, "values.data[i]")?;
            let (some, none) = (this.option(ty, Some(value))?, this.option(ty, None)?);
            Ok(format!(
                "/* The element at an index, if there is one. */\nstatic inline {option} {name}({slice} values, size_t i) {{\n    \
                 return i < values.len ? {some} : {none};\n}}\n"
            ))
        })?;
        Ok(Text::call(name, &[of, at]))
    }
}
