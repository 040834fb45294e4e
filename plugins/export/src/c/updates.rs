//! Operations that change a local in place.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;

use super::Printer;
use super::types::{declared, elem, field_name, variant_member};
use crate::ast::{Apply, Arg, Callee, Expr, Local};
use crate::error::ExportError;
use crate::nominal::is_boxed;
use crate::ownership::is_copied;
use crate::scopes::constant_index;

type Done = Result<(), ExportError>;

impl Printer<'_> {
    /// An operation on a local in place.
    pub(super) fn update(
        &mut self,
        local: Local,
        apply: &Apply,
        part: Option<Local>,
        declares: bool,
    ) -> Done {
        let Callee::Op(op) = apply.callee else { return Ok(()) };
        let name = self.local(local);
        let of = apply.tys[0];
        let args = &apply.args;
        let elem = elem(of).unwrap_or(Ty::unit());
        let at = self.place(apply.span);
        match () {
            () if op == &ops::SET || op == &ops::SET_UNCHECKED => {
                let index = match op == &ops::SET {
                    true => self.checked_index(&args[0].expr, &format!("{name}.len"), apply.span)?,
                    false => self.index(&args[0].expr)?,
                };
                if !is_copied(elem) {
                    let value = self.value(&args[1])?.text;
                    let set = self.of_vec(elem, "set")?;
                    self.line(&format!("{set}(&{name}, {index}, {value});"));
                    return Ok(());
                }
                let get = |other: &Apply| {
                    let is_get = other.callee == Callee::Op(&ops::GET_UNCHECKED);
                    is_get && other.args[1].expr.is_same(&args[0].expr) && other.args[0].expr.is_local(local)
                };
                self.store(&format!("{name}.data[{index}]"), &args[1], &get, elem)
            }
            () if op == &ops::WITH_FIELD => {
                let number = constant_index(&args[0].expr).unwrap_or(0);
                let place = self.field_place(&name, of, 0, number, None);
                let get = |other: &Apply| {
                    other.callee == Callee::Op(&ops::FIELD)
                        && other.args[1].expr.is_same(&args[0].expr)
                        && other.args[0].expr.is_local(local)
                };
                self.store(&place, &args[1], &get, apply.tys[2])
            }
            () if op == &ops::WITH_PAYLOAD => {
                let (tag, number) =
                    (constant_index(&args[0].expr).unwrap_or(0), constant_index(&args[1].expr).unwrap_or(0));
                self.checked_variant(&name, of, tag, apply.span)?;
                let place = self.field_place(&name, of, tag, number, Some(tag));
                self.store(&place, &args[2], &|_| false, apply.tys[3])
            }
            () if op == &ops::TAKE_FIELD => {
                let number = constant_index(&args[0].expr).unwrap_or(0);
                let place = self.field_place(&name, of, 0, number, None);
                let ty = of.parts(0).and_then(|parts| parts.get(number).copied());
                self.take(part, declares, &place, ty.unwrap_or(Ty::unit()))
            }
            () if op == &ops::TAKE_ELEM => {
                let index = self.checked_index(&args[0].expr, &format!("{name}.len"), apply.span)?;
                let place = match is_copied(elem) {
                    true => format!("{name}.data[{index}]"),
                    // The index is evaluated once.
                    false => {
                        let (pointer, ty) = (self.fresh_name("elem"), self.owned(elem, apply.span)?);
                        let pointee = if ty.ends_with('*') { ty } else { format!("{ty} ") };
                        self.line(&format!("{pointee}*{pointer} = &{name}.data[{index}];"));
                        format!("(*{pointer})")
                    }
                };
                self.take(part, declares, &place, elem)
            }
            () if op == &ops::TAKE_PAYLOAD => {
                let (tag, number) =
                    (constant_index(&args[0].expr).unwrap_or(0), constant_index(&args[1].expr).unwrap_or(0));
                self.checked_variant(&name, of, tag, apply.span)?;
                let place = self.field_place(&name, of, tag, number, Some(tag));
                let ty = of.parts(tag as u32).and_then(|parts| parts.get(number).copied());
                self.take(part, declares, &place, ty.unwrap_or(Ty::unit()))
            }
            () if op == &ops::SORT_BY => self.sort(local, apply),
            () if op == &ops::STR_PUSH => {
                let (push, c) = (self.plain("text_push")?, self.expr(&args[0].expr)?.text);
                self.line(&format!("{push}(&{name}, {c});"));
                Ok(())
            }
            () if op == &ops::STR_CONCAT => {
                let (append, text) = (self.plain("text_append")?, self.slice(&args[0].expr)?);
                self.line(&format!("{append}(&{name}, {text});"));
                Ok(())
            }
            () if op == &ops::POP => {
                let option = part.map_or(apply.ty, |part| self.locals[part.0 as usize].ty);
                let Some(part) = part else {
                    let name_of = self.of_vec(elem, "truncate")?;
                    self.line(&format!("{name_of}(&{name}, {name}.len > 0 ? {name}.len - 1 : 0);"));
                    return Ok(());
                };
                let pop = self.pop(elem, option)?;
                self.taken(Some(part), declares, elem, &format!("{pop}(&{name})"))
            }
            () if op == &ops::STACK_POP => {
                let last = self.of_vec(elem, "last")?;
                self.taken(part, declares, elem, &format!("{last}(&{name})"))
            }
            () if op == &ops::REMOVE || op == &ops::SWAP_REMOVE => {
                let remove = self.of_vec(elem, if op == &ops::REMOVE { "remove" } else { "swap_remove" })?;
                let index = self.index(&args[0].expr)?;
                self.taken(part, declares, elem, &format!("{remove}(&{name}, {index}, {at})"))
            }
            () => self.edit(op, &name, elem, apply),
        }
    }

    /// A part that was taken out: it is kept, or ends.
    fn taken(&mut self, part: Option<Local>, declares: bool, ty: Ty, text: &str) -> Done {
        match part {
            Some(part) if declares => {
                let name = self.name(part);
                let ty = self.owned(self.locals[part.0 as usize].ty, self.span)?;
                self.line(&format!("{} = {text};", declared(&ty, &name)));
                self.mark_unread(part);
            }
            Some(part) => {
                let name = self.name(part);
                self.line(&format!("{name} = {text};"));
            }
            None if is_copied(ty) => self.line(&format!("(void){text};")),
            None => {
                let (name, owned) = (self.fresh_name("taken"), self.owned(ty, self.span)?);
                self.line(&format!("{} = {text};", declared(&owned, &name)));
                let end = self.dropped(ty, &name)?;
                self.line(&format!("{end};"));
            }
        }
        Ok(())
    }

    /// Moves out a part; the hole that it leaves may be dropped, and is filled before it is read.
    fn take(&mut self, part: Option<Local>, declares: bool, place: &str, ty: Ty) -> Done {
        if is_copied(ty) {
            return match part {
                Some(_) => self.taken(part, declares, ty, place),
                None => Ok(()),
            };
        }
        self.taken(part, declares, ty, place)?;
        let empty = self.zero(ty)?;
        self.line(&format!("{place} = {empty};"));
        Ok(())
    }

    /// A value that may be dropped.
    pub(super) fn zero(&mut self, ty: Ty) -> Result<String, ExportError> {
        if matches!(ty.kind(), TyKind::Fn(_)) {
            return Ok("NULL".to_owned());
        }
        Ok(format!("({}){{0}}", self.owned(ty, self.span)?))
    }

    /// The place of a field of a struct in a place, or of a variant.
    fn field_place(&self, name: &str, ty: Ty, tag: usize, number: usize, variant: Option<usize>) -> String {
        let member = variant.map(|tag| format!("as.{}.", variant_member(ty, tag))).unwrap_or_default();
        let place = format!("{name}.{member}{}", field_name(ty, tag, number));
        if is_boxed(ty, tag, number) { format!("(*{place})") } else { place }
    }

    fn checked_variant(&mut self, name: &str, ty: Ty, tag: usize, span: overdub_context::Span) -> Done {
        let (check, variant, at) = (self.plain("check_variant")?, self.variant(ty, tag)?, self.place(span));
        self.line(&format!("{check}({name}.tag == {variant}, {at});"));
        Ok(())
    }

    /// Stores a value into a place; `reads` recognises the place's current value.
    fn store(&mut self, place: &str, value: &Arg, reads: &dyn Fn(&Apply) -> bool, ty: Ty) -> Done {
        if !is_copied(ty) {
            let text = self.value(value)?.text;
            let (name, owned) = (self.fresh_name("value"), self.owned(ty, self.span)?);
            self.line(&format!("{} = {text};", declared(&owned, &name)));
            let end = self.dropped(ty, place)?;
            self.line(&format!("{end};"));
            self.line(&format!("{place} = {name};"));
            return Ok(());
        }
        if let Expr::Apply(apply) = &value.expr
            && let Some(sign) = compound_sign(apply)
        {
            let is_place = |arg: &Arg| matches!(&arg.expr, Expr::Apply(inner) if reads(inner));
            let commutes = sign == "+" || sign == "*";
            let other = match (is_place(&apply.args[0]), is_place(&apply.args[1])) {
                (true, _) => Some(&apply.args[1].expr),
                (false, true) if commutes => Some(&apply.args[0].expr),
                _ => None,
            };
            if let Some(other) = other {
                let text = self.expr(other)?.text;
                self.line(&format!("{place} {sign}= {text};"));
                return Ok(());
            }
        }
        let text = self.value(value)?.text;
        self.line(&format!("{place} = {text};"));
        Ok(())
    }

    /// `x += y`, if the value is the local with something added.
    pub(super) fn compound(&mut self, target: Local, value: &Arg) -> Result<bool, ExportError> {
        let Expr::Apply(apply) = &value.expr else { return Ok(false) };
        let Some(sign) = compound_sign(apply) else { return Ok(false) };
        let is_target = |arg: &Arg| arg.expr.is_local(target);
        let other = match (is_target(&apply.args[0]), is_target(&apply.args[1])) {
            (true, _) => &apply.args[1].expr,
            (false, true) if sign == "+" || sign == "*" => &apply.args[0].expr,
            _ => return Ok(false),
        };
        let (name, text) = (self.name(target), self.expr(other)?.text);
        self.line(&format!("{name} {sign}= {text};"));
        Ok(true)
    }
}

/// The sign of an operation on floats, or on integers that fit, which has an assigning form.
fn compound_sign(apply: &Apply) -> Option<&'static str> {
    let Callee::Op(op) = apply.callee else { return None };
    let is_float = matches!(apply.ty.kind(), TyKind::Float(_)) && apply.tys.iter().all(|ty| *ty == apply.ty);
    let is_exact = apply.is_exact && matches!(apply.ty.kind(), TyKind::Int(_));
    let rows: [(&[&ops::OpDef], &str); 3] = [
        (&[&ops::ADD, &ops::ADD_WRAPPING], "+"),
        (&[&ops::SUB, &ops::SUB_WRAPPING], "-"),
        (&[&ops::MUL, &ops::MUL_WRAPPING], "*"),
    ];
    let found = rows.iter().find(|(row, _)| row.contains(&op) && (is_exact || is_float && row[0] == op));
    found.map(|(_, sign)| *sign).or((is_float && op == &ops::DIV).then_some("/"))
}
