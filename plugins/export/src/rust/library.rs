//! Operations that are functions of the standard library or of the helpers.

use overdub_context::ir::{FloatTy, Ty, TyKind};
use overdub_context::ops;

use super::Printer;
use super::exprs::{Printed, Text};
use super::literals::Known;
use super::rows::binds;
use crate::ast::{Apply, Arg, Expr, Local, LocalInfo};
use crate::options::Room;
use crate::ownership::is_copied;
use crate::scopes::constant_index;

impl Printer<'_> {
    pub(super) fn other(&mut self, op: &'static ops::OpDef, apply: &Apply) -> Printed {
        let args = &apply.args;
        let ty = apply.ty;
        let first = apply.tys.first().copied().unwrap_or(Ty::unit());
        Ok(match () {
            () if op == &ops::CAST => return self.cast(&args[0].expr, first, ty),
            () if op == &ops::FROM_BITS => Text::call(format!("{ty}::from_bits"), self.values(args)?),
            () if op == &ops::CMP
                || op == &ops::TOTAL_CMP
                || op == &ops::PARTIAL_CMP
                || op == &ops::ORDER =>
            {
                let is_int =
                    matches!(first.kind(), TyKind::Int(_) | TyKind::Bool | TyKind::Char | TyKind::Str);
                let is_float = matches!(first.kind(), TyKind::Float(_));
                let name = match () {
                    () if op == &ops::PARTIAL_CMP => "partial_cmp",
                    () if is_float => "total_cmp",
                    () if is_int => "cmp",
                    () => {
                        return Err(
                            self.unsupported(format!("the order of values of type `{first}`"), apply.span)
                        );
                    }
                };
                let mut receiver = self.receiver(&args[0].expr)?;
                if first == Ty::str() {
                    receiver.push_str("[..]");
                }
                let other = self.reference(&args[1].expr)?.text;
                Text::atom(format!("{receiver}.{name}({other})"))
            }
            () if op == &ops::CLAMP => {
                let name = match first.kind() {
                    TyKind::Float(FloatTy::F64) => "clamped",
                    TyKind::Float(FloatTy::F32) => "clamped_f32",
                    _ => "clamped_int",
                };
                let texts = self.values(args)?;
                self.failing(name, texts, apply.span)
            }
            () if op == &ops::SIN_COS => return self.method_call("sin_cos", args),
            () if op == &ops::DIV_EUCLID => return self.method_call("div_euclid", args),
            () if op == &ops::REM_EUCLID => return self.method_call("rem_euclid", args),
            () if op == &ops::STR_FROM_UTF8 => {
                let bytes = self.expr(&args[0].expr, Known::Nothing)?.tight(binds::ATOM);
                Text::atom(format!("String::from_utf8({bytes}.to_vec()).ok()"))
            }
            () if op == &ops::GATHER => {
                let of = self.reference(&args[0].expr)?.text;
                let places = self.expr(&args[1].expr, Known::Nothing)?.tight(binds::ATOM);
                let places = if self.is_ref(&args[1].expr) { places } else { format!("&{places}") };
                self.failing("gathered", vec![of, places], apply.span)
            }
            () if op == &overdub_ad::SCATTER => {
                let of = self.reference(&args[0].expr)?.text;
                let order = self.expr(&args[1].expr, Known::Nothing)?.tight(binds::ATOM);
                let order = if self.is_ref(&args[1].expr) { order } else { format!("&{order}") };
                Text::call(self.helpers.call("scattered"), vec![of, order])
            }
            () if op == &ops::SORT_ORDER => {
                if let Some(plan) = args.get(2)
                    && constant_index(&plan.expr).is_none_or(|plan| plan & 3 != 0)
                {
                    return Err(self.unsupported("the order of a sort that is not stable", apply.span));
                }
                let of = self.expr(&args[0].expr, Known::Nothing)?.tight(binds::ATOM);
                let elem = first.as_array().map_or(Ty::unit(), |array| array.elem);
                let (compared, is_tried) = self.comparison(&args[1].expr, apply.tys[1], elem, apply.span)?;
                if is_tried {
                    let compare =
                        format!("|i, j| {{\n    let (a, b) = (&{of}[i], &{of}[j]);\n    {compared}\n}}");
                    let name = self.helpers.call("sorted_order");
                    let call = format!("{name}({of}.len(), {compare})?");
                    self.fails = true;
                    return Ok(Text::atom(call));
                }
                Text::atom(format!(
                    "{{\n    let mut order: Vec<usize> = (0..{of}.len()).collect();\n    \
                     order.sort_by(|&i, &j| {{\n        let (a, b) = (&{of}[i], &{of}[j]);\n        {compared}\n    }});\n    \
                     order\n}}"
                ))
            }
            () if op == &ops::SAME => return self.infix("==", binds::COMPARE, args),
            () if op == &ops::GET_CHECKED => {
                let of = self.expr(&args[0].expr, Known::Nothing)?.tight(binds::ATOM);
                let at = self.index(&args[1].expr)?;
                let copied = ty.as_nominal().is_some_and(|option| is_copied(option.args()[0]));
                Text::atom(format!("{of}.get({at}).{}()", if copied { "copied" } else { "cloned" }))
            }
            () if op == &ops::CONCAT => {
                let parts = [&args[0].expr, &args[1].expr].map(|expr| self.expr(expr, Known::Nothing));
                let [a, b] = parts;
                Text::atom(format!(
                    "[&{}[..], &{}[..]].concat()",
                    a?.tight(binds::ATOM),
                    b?.tight(binds::ATOM)
                ))
            }
            () if op == &ops::RANGE => {
                let (from, to) = (self.receiver(&args[0].expr)?, self.expr(&args[1].expr, Known::Type)?);
                let range = format!("{from}..{}", to.tight(binds::UNARY));
                let range = match self.options.room {
                    Room::Taken => range,
                    Room::Checked => format!("overdub_range({range})"),
                };
                Text::atom(format!("({range}).collect::<Vec<{first}>>()"))
            }
            () if op == &ops::ND_SUM && first == Ty::array(Ty::f64(), 1) => {
                let name = self.helpers.call("sum");
                Text::call(name, vec![self.reference(&args[0].expr)?.text])
            }
            () if op == &ops::STR_SLICE => {
                let (from, to) = (self.index(&args[1].expr)?, self.index(&args[2].expr)?);
                if self.returns_failures() {
                    let text = self.reference(&args[0].expr)?.text;
                    self.failing("text_part", vec![text, from, to], apply.span)
                } else {
                    let text = self.text_receiver(&args[0].expr)?;
                    Text::atom(format!("{text}[{from}..{to}].to_owned()"))
                }
            }
            () if op == &ops::STR_REPEAT => {
                let times = self.index(&args[1].expr)?;
                if self.returns_failures() {
                    let text = self.reference(&args[0].expr)?.text;
                    self.failing("repeated_text", vec![text, times], apply.span)
                } else {
                    let text = self.text_receiver(&args[0].expr)?;
                    let times = match self.options.room {
                        Room::Taken => times,
                        Room::Checked => format!("overdub_times({text}.len(), {times})"),
                    };
                    Text::atom(format!("{text}.repeat({times})"))
                }
            }
            () if op == &ops::STR_FROM_CHARS => {
                let chars = self.expr(&args[0].expr, Known::Nothing)?.tight(binds::ATOM);
                Text::atom(format!("{chars}.iter().collect::<String>()"))
            }
            () if op == &ops::CHAR_TO_UPPER || op == &ops::CHAR_TO_LOWER => {
                let name = if op == &ops::CHAR_TO_UPPER { "to_uppercase" } else { "to_lowercase" };
                let c = self.expr(&args[0].expr, Known::Nothing)?.tight(binds::ATOM);
                Text::atom(format!("{c}.{name}().collect::<String>()"))
            }
            () if op == &ops::CHAR_FROM_U32 => Text::call("char::from_u32", self.values(args)?),
            () if op == &ops::STR_PARSE_INT || op == &ops::STR_PARSE_FLOAT => {
                let Some(target) = ty.as_nominal().map(|option| option.args()[0]) else {
                    return Err(self.unsupported(format!("`{}`", op.name), apply.span));
                };
                let text = self.text_receiver(&args[0].expr)?;
                Text::atom(format!("{text}.parse::<{target}>().ok()"))
            }
            () if op == &ops::FMT_INT => return self.formatted_int(apply),
            () if op == &ops::FMT_FLOAT => return self.formatted_float(apply),
            () if op == &ops::FMT_STR_DEBUG || op == &ops::FMT_CHAR_DEBUG => {
                let text = self.expr(&args[0].expr, Known::Nothing)?.text;
                Text::atom(format!("format!(\"{{:?}}\", {text})"))
            }
            () if op == &ops::FMT_PAD => {
                let text = self.reference(&args[0].expr)?.text;
                let mut texts = vec![text];
                for arg in &args[1..] {
                    texts.push(self.expr(&arg.expr, Known::Type)?.text);
                }
                if let (Some(width), Room::Checked) = (texts.last_mut(), self.options.room) {
                    *width = format!("overdub_room::<char>({width})");
                }
                Text::call(self.helpers.call("pad"), texts)
            }
            () if op == &ops::PRINT || op == &ops::EPRINT => return self.print(op, &args[0].expr),
            () if op == &ops::BLACK_BOX => Text::call(self.path("std::hint::black_box"), self.values(args)?),
            () => return Err(self.unsupported(format!("the operation `{}`", op.name), apply.span)),
        })
    }

    /// An operation on the elements of vectors, of which those of length 1 are repeated.
    pub(super) fn elementwise(&mut self, op: &'static ops::OpDef, apply: &Apply) -> Printed {
        let elem = apply.ty.as_array().filter(|array| array.rank == 1).map(|array| array.elem);
        let Some(elem) = elem else {
            return Err(self.unsupported(format!("`{}` of arrays with several axes", op.name), apply.span));
        };
        let mut args = Vec::new();
        let mut tys = Vec::new();
        let mut names = Vec::new();
        for (number, (arg, ty)) in apply.args.iter().zip(&apply.tys).enumerate() {
            match ty.as_array() {
                Some(array) => {
                    let name = if names.is_empty() { "x" } else { "y" };
                    names.push((name, number));
                    self.locals.push(LocalInfo { ty: array.elem, name: None, is_ref: false, is_mut: false });
                    self.local_names.push(name.to_owned());
                    args.push(Arg::read(Expr::Local(Local(self.locals.len() as u32 - 1))));
                    tys.push(array.elem);
                }
                None => {
                    args.push(arg.clone());
                    tys.push(*ty);
                }
            }
        }
        let scalar =
            Apply { callee: apply.callee, args, tys, ty: elem, span: apply.span, is_exact: apply.is_exact };
        let body = self.op(op, &scalar)?;
        let is_tried = body.call.as_ref().is_some_and(|call| call.is_tried);
        let body = match is_tried {
            true => body.text.trim_end_matches('?').to_owned(),
            false => body.text,
        };
        match names[..] {
            [(x, number)] => {
                let of = self.expr(&apply.args[number].expr, Known::Nothing)?.tight(binds::ATOM);
                let of = of.strip_suffix(".to_vec()").map(str::to_owned).unwrap_or(of);
                let all = match is_tried {
                    true => format!("Result<Vec<{elem}>, Failure>>()?"),
                    false => format!("Vec<{elem}>>()"),
                };
                Ok(Text::atom(format!("{of}.iter().map(|&{x}| {body}).collect::<{all}")))
            }
            [(x, first), (y, second)] => {
                let a = self.reference(&apply.args[first].expr)?.text;
                let b = self.reference(&apply.args[second].expr)?.text;
                let body = if self.returns_failures() && !is_tried { format!("Ok({body})") } else { body };
                let name = self.helpers.call("zip_with");
                let args = vec![a, b, self.place(apply.span), format!("|{x}, {y}| {body}")];
                Ok(self.tried(Text::call(name, args)))
            }
            _ => Err(self.unsupported(format!("`{}` of three arrays", op.name), apply.span)),
        }
    }
}
