//! Integer arithmetic that tells whether its result fits, and the counts of shifts.

use overdub_context::ir::{Ty, TyKind};

use super::Printer;
use super::exprs::{Printed, Text};
use crate::ast::{Apply, Expr};
use crate::error::ExportError;

impl Printer<'_> {
    /// The count of a shift as a `uint32_t`, of which those that do not fit are too large in any case.
    pub(super) fn count(&mut self, expr: &Expr, ty: Ty) -> Result<String, ExportError> {
        if let Expr::Const(constant, _) = expr {
            let count = constant.value().as_int().and_then(|(_, n)| u32::try_from(n).ok());
            return Ok(count.map_or("UINT32_MAX".to_owned(), |n| n.to_string()));
        }
        if ty == Ty::u32() {
            return Ok(self.expr(expr)?.text);
        }
        let text = self.addressable(expr)?;
        let negative = match ty.kind() {
            TyKind::Int(int) if int.is_signed() => format!("{text} < 0 || "),
            _ => String::new(),
        };
        Ok(match self.bits(ty) {
            8 | 16 if negative.is_empty() => text,
            bits if bits <= 32 => format!("{}{text}", negative.replace(" || ", " ? UINT32_MAX : (uint32_t)")),
            _ => format!("{negative}{text} > UINT32_MAX ? UINT32_MAX : (uint32_t){text}"),
        })
    }

    /// Arithmetic whose result is an option, or goes with whether it overflowed.
    pub(super) fn fitting(&mut self, name: &'static str, is_option: bool, apply: &Apply) -> Printed {
        let (ty, of) = (apply.tys[0], apply.ty);
        let fits = self.of_number(ty, &format!("{name}_fits"))?;
        let int = self.owned(ty, apply.span)?;
        let ret = self.owned(of, apply.span)?;
        let suffix = if is_option { "checked" } else { "overflowing" };
        let second = match (apply.tys.get(1), name) {
            (None, _) => "",
            (_, "pow" | "shl" | "shr") => ", uint32_t y",
            _ => ", INT y",
        };
        let second = second.replace("INT", &int);
        let arg = if second.is_empty() { "x" } else { "x, y" };
        let wanted = format!("{name}_{suffix}_{ty}");
        let function = self.made(wanted.clone(), &wanted, |this, made| {
            let body = if is_option {
                let some = this.option(of, Some("result".to_owned()))?;
                let none = this.option(of, None)?;
                format!("    return {fits}({arg}, &result) ? {some} : {none};\n")
            } else {
                let pair = this.composed(of, 0, vec!["result".to_owned(), "!fits".to_owned()])?;
                format!("    bool fits = {fits}({arg}, &result);\n    return {pair};\n")
            };
            let doc = if is_option { "if it fits" } else { "and whether it overflowed" };
            Ok(format!(
                "/* `{name}`, {doc}. */\nstatic inline {ret} {made}({int} x{second}) {{\n    {int} result;\n{body}}}\n"
            ))
        })?;
        Ok(Text::call(function, &self.scalars(&apply.args)?))
    }
}
