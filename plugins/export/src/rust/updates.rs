//! Operations that change a local in place.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;

use super::exprs::Text;
use super::failing::Growth;
use super::layout::broken_place;
use super::literals::Known;
use super::rows::{binds, infix};
use super::{Printer, member};
use crate::ast::{Apply, Arg, Callee, Expr, Local};
use crate::checked::is_total;
use crate::error::ExportError;
use crate::nominal::{fields, is_boxed};
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
        let name = self.name(local);
        let of = apply.tys[0];
        let args = &apply.args;
        let elem = of.as_array().map_or(Ty::unit(), |array| array.elem);
        let part_before = match part {
            Some(part) if declares => format!("let {} = ", self.pattern(part)),
            Some(part) => format!("{} = ", self.name(part)),
            None => String::new(),
        };
        match () {
            () if op == &ops::SET || op == &ops::SET_UNCHECKED => {
                let at = self.index(&args[0].expr)?;
                let place = if op == &ops::SET {
                    let place = self.failing("elem_mut", vec![self.changed(local), at], apply.span);
                    broken_place(&place)
                } else {
                    format!("{name}[{at}]")
                };
                let get = |other: &Apply| {
                    let is_get = other.callee == Callee::Op(&ops::GET_UNCHECKED);
                    is_get && other.args[1].expr.is_same(&args[0].expr) && other.args[0].expr.is_local(local)
                };
                self.store(&place, &args[1], &get, elem)
            }
            () if op == &ops::WITH_FIELD => {
                let number = constant_index(&args[0].expr).unwrap_or(0);
                let place = self.field_place(&name, of, number);
                let place = if is_boxed(of, 0, number) { format!("*{place}") } else { place };
                let get = |other: &Apply| {
                    let is_field = other.callee == Callee::Op(&ops::FIELD);
                    is_field
                        && other.args[1].expr.is_same(&args[0].expr)
                        && other.args[0].expr.is_local(local)
                };
                let ty = apply.tys[2];
                self.store(&place, &args[1], &get, ty)
            }
            () if op == &ops::WITH_PAYLOAD => {
                let (tag, number) =
                    (constant_index(&args[0].expr).unwrap_or(0), constant_index(&args[1].expr).unwrap_or(0));
                let value = self.value(&args[2], Known::Type)?.text;
                let pattern = self.variant_pattern(of, tag, number, "field")?;
                let stars = if is_boxed(of, tag, number) { "**" } else { "*" };
                let has_others = of.as_nominal().and_then(|n| n.variants()).is_some_and(|all| all.len() > 1);
                if has_others {
                    self.line(&format!("if let {pattern} = &mut {name} {{"));
                    self.line(&format!("    {stars}field = {value};"));
                    self.line("}");
                } else {
                    self.line(&format!("let {pattern} = &mut {name};"));
                    self.line(&format!("{stars}field = {value};"));
                }
                Ok(())
            }
            () if op == &ops::PUSH || op == &ops::STACK_PUSH || op == &ops::STR_PUSH => {
                let value = self.value(&args[0], Known::Type)?;
                self.grows(&name, if op == &ops::STR_PUSH { Growth::Text("4") } else { Growth::List });
                self.put("", Text::call(format!("{name}.push"), vec![value.text]), ";");
                Ok(())
            }
            () if op == &ops::STR_CONCAT => {
                if let Expr::Const(constant, _) = &args[0].expr
                    && let Some(text) = constant.value().as_str()
                    && let (Some(only), None) = (text.chars().next(), text.chars().nth(1))
                {
                    self.grows(&name, Growth::Text("4"));
                    self.line(&format!("{name}.push({only:?});"));
                    return Ok(());
                }
                let text = self.reference(&args[0].expr)?.text;
                self.grows(&name, Growth::Text(&format!("str::len({text})")));
                self.put("", Text::call(format!("{name}.push_str"), vec![text]), ";");
                Ok(())
            }
            () if op == &ops::POP => {
                let text = Text::call(format!("{name}.pop"), Vec::new());
                self.put(&part_before, text, ";");
                Ok(())
            }
            () if op == &ops::STACK_POP => {
                if part.is_none() {
                    self.line(&format!("{name}.pop();"));
                    return Ok(());
                }
                let text = Text::atom(format!("{name}.pop().expect(\"a record of each round\")"));
                self.put(&part_before, text, ";");
                Ok(())
            }
            () if op == &ops::REMOVE => {
                let at = self.index(&args[0].expr)?;
                let call = self.failing("removed", vec![format!("&mut {name}"), at], apply.span);
                self.put(&part_before, call, ";");
                Ok(())
            }
            () if op == &ops::INSERT => {
                let at = self.index(&args[0].expr)?;
                let value = self.value(&args[1], Known::Type)?.text;
                self.grows(&name, Growth::List);
                let call = self.failing("inserted", vec![format!("&mut {name}"), at, value], apply.span);
                self.put("", call, ";");
                Ok(())
            }
            () if op == &ops::TAKE_FIELD => {
                let number = constant_index(&args[0].expr).unwrap_or(0);
                let place = self.field_place(&name, of, number);
                let place = if is_boxed(of, 0, number) { format!("*{place}") } else { place };
                let ty = part.map_or(Ty::unit(), |part| self.locals[part.0 as usize].ty);
                self.take(&part_before, place, ty)
            }
            () if op == &ops::TAKE_ELEM => {
                let at = self.index(&args[0].expr)?;
                let place = self.failing("elem_mut", vec![format!("&mut {name}"), at], apply.span);
                self.take(&part_before, format!("*{}", place.text), elem)
            }
            () if op == &ops::TAKE_PAYLOAD => {
                let Some(part) = part else { return Ok(()) };
                let apply = Apply {
                    callee: Callee::Op(&ops::PAYLOAD),
                    args: vec![Arg::read(Expr::Local(local)), args[0].clone(), args[1].clone()],
                    ty: self.locals[part.0 as usize].ty,
                    ..apply.clone()
                };
                self.payload(part, &apply, declares)
            }
            () if op == &ops::SORT_BY => {
                let plan =
                    args.get(1).map_or(Some(0), |plan| constant_index(&plan.expr)).map(|plan| plan & 3);
                let method = match plan {
                    Some(0) => "sort_by",
                    Some(1) => "sort_unstable_by",
                    _ => return Err(self.unsupported("a partial sort", apply.span)),
                };
                let (compared, is_tried) = self.comparison(&args[0].expr, apply.tys[1], elem, apply.span)?;
                if is_tried {
                    return self.sort_by_failing(&name, &compared, plan == Some(1), apply.span);
                }
                self.line(&format!("{name}.{method}(|a, b| {compared});"));
                Ok(())
            }
            () if op == &ops::SET_SLICE => {
                let at = self.index(&args[0].expr)?;
                let values = self.reference(&args[1].expr)?.text;
                if self.returns_failures() {
                    let call = self.failing("stored", vec![format!("&mut {name}"), at, values], apply.span);
                    self.put("", call, ";");
                    return Ok(());
                }
                let bare = values.trim_start_matches('&');
                let copy = if is_copied(elem) { "copy_from_slice" } else { "clone_from_slice" };
                self.line(&format!("{name}[{at}..][..{bare}.len()].{copy}({values});"));
                Ok(())
            }
            () => {
                const METHODS: &[(&ops::OpDef, &str)] = &[
                    (&ops::TRUNCATE, "truncate"),
                    (&ops::RESIZE, "resize"),
                    (&ops::WITH_ROOM, "reserve"),
                    (&ops::SWAP, "swap"),
                    (&ops::REVERSE, "reverse"),
                    (&ops::ARRAY_ROTATE_LEFT, "rotate_left"),
                    (&ops::ARRAY_ROTATE_RIGHT, "rotate_right"),
                    (&ops::FILL, "fill"),
                    (&ops::SWAP_REMOVE, "swap_remove"),
                ];
                const FAILING: &[(&ops::OpDef, &str)] = &[
                    (&ops::RESIZE, "resized"),
                    (&ops::SWAP, "swapped"),
                    (&ops::ARRAY_ROTATE_LEFT, "rotated_left"),
                    (&ops::ARRAY_ROTATE_RIGHT, "rotated_right"),
                    (&ops::SWAP_REMOVE, "swap_removed"),
                    (&ops::COPY_WITHIN, "copied_within"),
                ];
                let elem = apply.tys[0].as_array().map(|array| array.elem);
                if op == &ops::COPY_WITHIN && !elem.is_some_and(is_copied) {
                    let message = "the operation `copy_within` on elements that are not `Copy`";
                    return Err(self.unsupported(message.to_owned(), apply.span));
                }
                let failing = FAILING.iter().find(|(row, _)| *row == op && self.returns_failures());
                if op == &ops::COPY_WITHIN && failing.is_none() {
                    let [from, to, at] = [0, 1, 2].map(|n| self.index(&args[n].expr));
                    let args = vec![format!("{}..{}", from?, to?), at?];
                    self.put("", Text::call(format!("{name}.copy_within"), args), ";");
                    return Ok(());
                }
                let Some((_, method)) = failing.or_else(|| METHODS.iter().find(|(row, _)| *row == op)) else {
                    return Err(self.unsupported(format!("the operation `{}`", op.name), apply.span));
                };
                let mut texts = Vec::new();
                for (number, (arg, ty)) in args.iter().zip(&apply.tys[1..]).enumerate() {
                    let is_elem = op == &ops::FILL || op == &ops::RESIZE && number == 1;
                    let is_index = matches!(ty.kind(), TyKind::Int(_)) && !is_elem;
                    texts.push(if is_index {
                        self.index(&arg.expr)?
                    } else {
                        self.value(arg, Known::Type)?.text
                    });
                }
                if let ([first, ..], Some(elem), true) =
                    (&mut texts[..], elem, op == &ops::RESIZE || op == &ops::WITH_ROOM)
                {
                    *first = self.room(std::mem::take(first), elem, apply.span)?;
                }
                let call = match failing {
                    Some(_) => {
                        texts.insert(0, format!("&mut {name}"));
                        self.failing(method, texts, apply.span)
                    }
                    None => Text::call(format!("{name}.{method}"), texts),
                };
                self.put(&part_before, call, ";");
                Ok(())
            }
        }
    }

    /// Moves out a part; the hole that it leaves is filled before it is read.
    pub(super) fn take(&mut self, before: &str, place: String, ty: Ty) -> Done {
        let text = match () {
            // Nothing takes it: only whether it exists is checked.
            () if is_copied(ty) && before.is_empty() => match place.strip_prefix('*') {
                Some(checked) => Text::atom(checked),
                None => return Ok(()),
            },
            () if is_copied(ty) => Text::atom(place),
            () if has_default(ty) => {
                let place = place
                    .strip_prefix("*elem_mut")
                    .map_or(format!("&mut {place}"), |rest| format!("elem_mut{rest}"));
                Text::call(self.path("std::mem::take"), vec![place])
            }
            () => Text::atom(format!("{}.clone()", Text::with(place, binds::UNARY).tight(binds::ATOM))),
        };
        self.put(before, text, ";");
        Ok(())
    }

    pub(super) fn field_place(&self, name: &str, ty: Ty, number: usize) -> String {
        match fields(ty, 0).get(number) {
            Some(field) if !field.name.starts_with(|c: char| c.is_ascii_digit()) => {
                format!("{name}.{}", member(&field.name))
            }
            _ => format!("{name}.{number}"),
        }
    }

    /// Stores a value into a place; `reads` recognises the place's current value.
    pub(super) fn store(&mut self, place: &str, value: &Arg, reads: &dyn Fn(&Apply) -> bool, ty: Ty) -> Done {
        if let Expr::Apply(apply) = &value.expr
            && let Callee::Op(op) = apply.callee
            && let Some(sign) = self.compound_sign(op, apply)
        {
            let is_place = |arg: &Arg| matches!(&arg.expr, Expr::Apply(inner) if reads(inner));
            let other = match (is_place(&apply.args[0]), is_place(&apply.args[1])) {
                (true, _) => Some(&apply.args[1].expr),
                (false, true) if op == &ops::ADD || op == &ops::MUL => Some(&apply.args[0].expr),
                _ => None,
            };
            if let Some(other) = other {
                let text = self.expr(other, Known::Type)?;
                self.put(&format!("{place} {sign}= "), text, ";");
                return Ok(());
            }
        }
        let known = if ty == Ty::unit() { Known::Nothing } else { Known::Type };
        let text = self.value(value, known)?;
        self.put_value(&format!("{place} = "), &value.expr, text, ";")
    }

    /// `x += y`, if the value is the local with something added.
    pub(super) fn compound(&mut self, target: Local, value: &Arg) -> Option<Done> {
        let Expr::Apply(apply) = &value.expr else { return None };
        let Callee::Op(op) = apply.callee else { return None };
        let sign = self.compound_sign(op, apply)?;
        let is_target = |arg: &Arg| matches!(arg.expr, Expr::Local(local) if local == target);
        let other = match (is_target(&apply.args[0]), is_target(&apply.args[1])) {
            (true, _) => &apply.args[1].expr,
            (false, true) if op == &ops::ADD || op == &ops::MUL => &apply.args[0].expr,
            _ => return None,
        };
        let name = self.name(target);
        Some(self.expr(other, Known::Type).map(|text| self.put(&format!("{name} {sign}= "), text, ";")))
    }

    /// The operator of an operation that has an assigning form.
    pub(super) fn compound_sign(&self, op: &ops::OpDef, apply: &Apply) -> Option<&'static str> {
        let is_float =
            matches!(apply.ty.kind(), TyKind::Float(_)) && apply.tys.iter().all(|ty| *ty == apply.ty);
        let is_exact = apply.is_exact && matches!(apply.ty.kind(), TyKind::Int(_));
        let arithmetic = [&ops::ADD, &ops::SUB, &ops::MUL, &ops::DIV, &ops::REM];
        let known = match () {
            () if is_float && arithmetic.contains(&op) => op,
            () if is_exact && op == &ops::ADD_WRAPPING => &ops::ADD,
            () if is_exact && op == &ops::SUB_WRAPPING => &ops::SUB,
            () if is_exact && op == &ops::MUL_WRAPPING => &ops::MUL,
            () if is_exact && arithmetic[..3].contains(&op) => op,
            () if [&ops::AND, &ops::OR, &ops::XOR].contains(&op) && apply.ty != Ty::bool() => op,
            () if [&ops::DIV, &ops::REM, &ops::SHL, &ops::SHR].contains(&op) && is_total(op, apply) => op,
            () => return None,
        };
        infix(known, false).map(|(sign, _)| sign)
    }
}

/// Whether the standard library has a default value of the type.
fn has_default(ty: Ty) -> bool {
    match ty.kind() {
        TyKind::Array(_) | TyKind::Str | TyKind::Stack(_) => true,
        TyKind::Tuple(parts) => parts.len() <= 12 && parts.iter().all(|&part| has_default(part)),
        TyKind::Enum(_) => ty.as_option().is_some(),
        _ => is_copied(ty) && ty.as_nominal().is_none(),
    }
}
