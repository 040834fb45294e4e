//! Operations that are functions in `support`.

use overdub_context::ir::Ty;
use overdub_context::ops;

use super::Printer;
use super::exprs::{Printed, Text, binds};
use super::rows::is_float;
use super::types::elem;
use crate::ast::{Apply, Expr};

impl Printer<'_> {
    pub(super) fn other(&mut self, op: &'static ops::OpDef, apply: &Apply) -> Printed {
        let args = &apply.args;
        let first = apply.tys.first().copied().unwrap_or(Ty::unit());
        let of_elem = elem(first).unwrap_or(Ty::unit());
        Ok(match () {
            () if [&ops::CMP, &ops::TOTAL_CMP, &ops::PARTIAL_CMP, &ops::ORDER].contains(&op) => {
                self.ordering(op, apply)?
            }
            () if op == &ops::GATHER => {
                let of = self.slice(&args[0].expr)?;
                let (places, count) = self.places_of(&args[1].expr, apply.tys[1], apply.span)?;
                let name = self.of_vec(of_elem, "gather")?;
                Text::call(name, &[of, places, count, self.place(apply.span)])
            }
            () if op == &overdub_ad::SCATTER => {
                let of = self.slice(&args[0].expr)?;
                let (places, count) = self.places_of(&args[1].expr, apply.tys[1], apply.span)?;
                Text::call(self.of_vec(of_elem, "scatter")?, &[of, places, count])
            }
            () if op == &ops::SORT_ORDER => self.sort_order(apply)?,
            () if op == &ops::GET_CHECKED => self.checked_element(apply)?,
            () if op == &ops::CONCAT => {
                let parts = [self.slice(&args[0].expr)?, self.slice(&args[1].expr)?];
                Text::call(self.of_vec(of_elem, "concat")?, &parts)
            }
            () if op == &ops::RANGE => {
                let (from, to) = (self.addressable(&args[0].expr)?, self.addressable(&args[1].expr)?);
                let (vec, ty) = (self.owned(apply.ty, apply.span)?, self.owned(first, apply.span)?);
                let (result, counter) = (self.fresh_name("values"), self.fresh_name("k"));
                let with_len = self.of_vec(first, "with_len")?;
                self.line(&format!(
                    "{vec} {result} = {with_len}({from} < {to} ? (size_t)({to} - {from}) : 0);"
                ));
                self.line(&format!("for (size_t {counter} = 0; {counter} < {result}.len; {counter}++) {{"));
                self.line(&format!("    {result}.data[{counter}] = ({ty})({from} + ({ty}){counter});"));
                self.line("}");
                Text::atom(result)
            }
            () if op == &ops::ND_SUM && first == Ty::array(Ty::f64(), 1) => {
                let (data, len) = self.data_and_len(&args[0].expr)?;
                Text::call(self.plain("sum")?, &[data, len])
            }
            () if op == &ops::CHAR_FROM_U32 => {
                let c = self.addressable(&args[0].expr)?;
                let (some, none) = (self.option(apply.ty, Some(c.clone()))?, self.option(apply.ty, None)?);
                let is_char = format!("{c} < 0xd800 || ({c} > 0xdfff && {c} < 0x110000)");
                Text::with(format!("({is_char}) ? {some} : {none}"), binds::CHOICE)
            }
            () => return Err(self.unsupported(format!("the operation `{}`", op.name), apply.span)),
        })
    }

    /// The elements and the length of a vector of indices.
    fn places_of(
        &mut self,
        expr: &Expr,
        ty: Ty,
        span: overdub_context::Span,
    ) -> Result<(String, String), crate::error::ExportError> {
        if elem(ty) != Some(Ty::usize()) {
            return Err(self.unsupported("indices that are no `usize`s", span));
        }
        self.data_and_len(expr)
    }

    /// The order of two values.
    fn ordering(&mut self, op: &'static ops::OpDef, apply: &Apply) -> Printed {
        let (args, first) = (&apply.args, apply.tys[0]);
        let is_partial = op == &ops::PARTIAL_CMP;
        let ordering = match apply.ty.as_nominal() {
            Some(option) if is_partial => option.args()[0],
            _ => apply.ty,
        };
        let ty = self.owned(ordering, apply.span)?;
        if first == Ty::str() {
            let name = self.plain("compare_text")?;
            let (x, y) = (self.slice(&args[0].expr)?, self.slice(&args[1].expr)?);
            let order = format!("({ty})({name}({x}, {y}) + 1)");
            return match is_partial {
                true => Ok(Text::atom(self.option(apply.ty, Some(order))?)),
                false => Ok(Text::with(order, binds::UNARY)),
            };
        }
        let is_scalar = first.is_number() || first == Ty::bool() || first == Ty::char();
        if !is_scalar {
            return Err(self.unsupported(format!("the order of values of type `{first}`"), apply.span));
        }
        let of = self.owned(first, apply.span)?;
        let wanted = format!("{}_{}", if is_partial { "partial_cmp" } else { "cmp" }, self.word(first)?);
        let (ret, whole) = (self.owned(apply.ty, apply.span)?, apply.ty);
        let name = self.made(wanted.clone(), &wanted, |this, name| {
            let is_total = is_float(first) && !is_partial;
            let order = match is_total {
                true => format!("{}(x, y)", this.of_number(first, "total_cmp")?),
                false => format!("{}(x, y)", this.plain("compare_int")?),
            };
            let order = format!("({ty})({order} + 1)");
            let body = match is_partial {
                false => format!("    return {order};\n"),
                true => {
                    let (some, none) = (this.option(whole, Some(order))?, this.option(whole, None)?);
                    match is_float(first) {
                        true => format!("    return isnan(x) || isnan(y) ? {none} : {some};\n"),
                        false => format!("    return {some};\n"),
                    }
                }
            };
            Ok(format!(
                "/* The order of two numbers. */\nstatic inline {ret} {name}({of} x, {of} y) {{\n{body}}}\n"
            ))
        })?;
        Ok(Text::call(name, &self.scalars(args)?))
    }
}
