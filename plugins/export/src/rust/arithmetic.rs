//! Operators and methods of numbers.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;

use super::Printer;
use super::exprs::{Printed, Text};
use super::literals::Known;
use super::rows::binds;
use crate::ast::{Apply, Arg, Callee, Expr};
use crate::checked::{checked, is_total};
use crate::error::ExportError;
use crate::scopes::constant_index;

impl Printer<'_> {
    pub(super) fn infix(&mut self, sign: &str, binds: u8, args: &[Arg]) -> Printed {
        let is_const = |arg: &Arg| matches!(arg.expr, Expr::Const(..));
        let known = if is_const(&args[0]) && is_const(&args[1]) { Known::Nothing } else { Known::Type };
        if let Some(text) = self.emptiness(sign, args)? {
            return Ok(text);
        }
        let sign = if self.is_comparison_with_least(sign, args) { "==" } else { sign };
        // A text is compared with a literal as it is.
        let is_text =
            |arg: &Arg| matches!(&arg.expr, Expr::Const(constant, _) if constant.value().as_str().is_some());
        let side = |printer: &mut Self, at: usize| {
            let is_compared =
                is_text(&args[at]) && !is_text(&args[1 - at]) && !printer.is_ref(&args[1 - at].expr);
            if is_compared { printer.reference(&args[at].expr) } else { printer.expr(&args[at].expr, known) }
        };
        let mut left = side(self, 0)?;
        let mut right = side(self, 1)?;
        // A struct literal may not begin the block of an `if`.
        for side in [&mut left, &mut right] {
            if side.binds == binds::ATOM && side.text.contains(" { ") {
                side.binds = binds::LOOSE;
            }
        }
        let mut sign = sign;
        if sign == "+"
            && is_const(&args[1])
            && let Some(positive) = right.text.strip_prefix('-')
        {
            (sign, right) = ("-", Text::atom(positive));
        }
        let is_bitwise = |binds: u8| (binds::BIT_OR..=binds::SHIFT).contains(&binds);
        // Comparisons do not associate; mixed bit operations are hard to read; `as` before `<` does not parse.
        let tight = match binds {
            binds::COMPARE => binds::SHIFT + 1,
            _ if is_bitwise(binds) => binds::UNARY,
            _ => binds,
        };
        let ends_in_cast = left
            .text
            .rsplit_once(" as ")
            .is_some_and(|(_, ty)| ty.chars().all(|c| c.is_ascii_alphanumeric()));
        let left_tight = if sign.starts_with('<') && ends_in_cast { binds::ATOM } else { tight };
        let left = left.tight(left_tight);
        let right = right.tight(if binds == binds::COMPARE { tight } else { tight + 1 });
        Ok(Text::with(format!("{left} {sign} {right}"), binds))
    }

    /// Whether an unsigned number is compared with zero so that only equality holds.
    fn is_comparison_with_least(&self, sign: &str, args: &[Arg]) -> bool {
        let is_unsigned = matches!(self.ty(&args[0].expr).kind(), TyKind::Int(int) if !int.is_signed());
        let zero = |at: usize| constant_index(&args[at].expr) == Some(0);
        is_unsigned && (sign == "<=" && zero(1) || sign == ">=" && zero(0))
    }

    /// A comparison of a length with zero.
    fn emptiness(&mut self, sign: &str, args: &[Arg]) -> Result<Option<Text>, ExportError> {
        let length = |arg: &Arg| match &arg.expr {
            Expr::Apply(apply) if apply.callee == Callee::Op(&ops::LEN) => Some(apply.args[0].expr.clone()),
            _ => None,
        };
        let number = |arg: &Arg| constant_index(&arg.expr);
        let (of, is_empty) =
            match (sign, length(&args[0]), length(&args[1]), number(&args[0]), number(&args[1])) {
                ("<", None, Some(of), Some(0), _) | (">", Some(of), None, _, Some(0)) => (of, false),
                ("!=", None, Some(of), Some(0), _) | ("!=", Some(of), None, _, Some(0)) => (of, false),
                ("==", None, Some(of), Some(0), _) | ("==", Some(of), None, _, Some(0)) => (of, true),
                ("<", Some(of), None, _, Some(1)) | ("<=", Some(of), None, _, Some(0)) => (of, true),
                (">=", None, Some(of), Some(0), _) | (">", None, Some(of), Some(1), _) => (of, true),
                (">=", Some(of), None, _, Some(1)) | ("<=", None, Some(of), Some(1), _) => (of, false),
                _ => return Ok(None),
            };
        let of = self.expr(&of, Known::Nothing)?.tight(binds::ATOM);
        Ok(Some(match is_empty {
            true => Text::atom(format!("{of}.is_empty()")),
            false => Text::with(format!("!{of}.is_empty()"), binds::UNARY),
        }))
    }

    pub(super) fn method_call(&mut self, name: &str, args: &[Arg]) -> Printed {
        if let Some(text) = self.float_function(name, args)? {
            return Ok(text);
        }
        let receiver = self.receiver(&args[0].expr)?;
        let rest = args[1..].iter().map(|arg| Ok(self.expr(&arg.expr, Known::Type)?.text));
        let rest = rest.collect::<Result<Vec<_>, ExportError>>()?;
        Ok(Text::atom(format!("{receiver}.{name}({})", rest.join(", "))))
    }

    /// A number as the receiver of a method, which needs a type.
    pub(super) fn receiver(&mut self, expr: &Expr) -> Result<String, ExportError> {
        let text = self.expr(expr, Known::Nothing)?;
        let needs_suffix = matches!(expr, Expr::Const(..))
            && text.text.ends_with(|c: char| c.is_ascii_digit())
            && !text.text.contains('_')
            && self.ty(expr).is_number();
        let ty = self.ty(expr);
        let text = if needs_suffix { Text::with(format!("{}_{ty}", text.text), text.binds) } else { text };
        Ok(text.tight(binds::ATOM))
    }

    /// Arithmetic on integers, which fails where the result does not fit.
    pub(super) fn checked(
        &mut self,
        op: &'static ops::OpDef,
        apply: &Apply,
    ) -> Result<Option<Text>, ExportError> {
        let TyKind::Int(int) = apply.ty.kind() else { return Ok(None) };
        let Some(name) = checked(op) else { return Ok(None) };
        if apply.is_exact || is_total(op, apply) {
            return Ok(None);
        }
        let Some(name) = self.helpers.checked(name, int.name()) else { return Ok(None) };
        let mut texts = Vec::new();
        for (number, arg) in apply.args.iter().enumerate() {
            let mut text = self.expr(&arg.expr, Known::Type)?;
            if number == 1 && (op == &ops::SHL || op == &ops::SHR) && apply.tys[1] != Ty::u32() {
                // A count that does not fit is too large in any case.
                let inner = text.text;
                text = match &arg.expr {
                    Expr::Const(constant, _) => {
                        let count = constant.value().as_int().map(|(_, n)| n);
                        let fits = count.is_some_and(|n| u32::try_from(n).is_ok());
                        Text::atom(if fits { inner } else { "u32::MAX".to_owned() })
                    }
                    _ => Text::atom(format!("u32::try_from({inner}).unwrap_or(u32::MAX)")),
                };
            }
            texts.push(text.text);
        }
        texts.push(self.place(apply.span));
        Ok(Some(self.tried(Text::call(name, texts))))
    }

    pub(super) fn cast(&mut self, expr: &Expr, from: Ty, to: Ty) -> Printed {
        if from == to {
            return self.expr(expr, Known::Nothing);
        }
        let inner = match expr {
            Expr::Const(..) => self.receiver(expr)?,
            _ => self.expr(expr, Known::Nothing)?.tight(binds::CAST),
        };
        let is_bool_to_float = from == Ty::bool() && matches!(to.kind(), TyKind::Float(_));
        if is_bool_to_float {
            return Ok(Text::atom(format!("{to}::from({inner})")));
        }
        Ok(Text::with(format!("{inner} as {to}"), binds::CAST))
    }
}
