//! Arithmetic, comparisons and functions of numbers.

use overdub_context::ir::{IntTy, Ty, TyKind};
use overdub_context::ops::{self, OpDef};

use super::Printer;
use super::exprs::{Printed, Text, binds};
use super::rows::{FITS, LIBRARY, SUPPORT, infix, is_float, row};
use crate::ast::{Apply, Arg, Expr};
use crate::checked::checked;
use crate::checked::is_total;
use crate::error::ExportError;

impl Printer<'_> {
    /// Operations on numbers and bools.
    pub(super) fn number(&mut self, op: &'static OpDef, apply: &Apply) -> Result<Option<Text>, ExportError> {
        let (args, first) = (&apply.args, apply.tys.first().copied().unwrap_or(Ty::unit()));
        let is_scalar = first.is_number() || first == Ty::bool() || first == Ty::char();
        if !is_scalar {
            return Ok(None);
        }
        let is_int = matches!(first.kind(), TyKind::Int(_));
        if is_int
            && let Some(name) = checked(op)
            && !apply.is_exact
            && (!is_total(op, apply) || [&ops::DIV_EUCLID, &ops::REM_EUCLID].contains(&op))
        {
            let name = self.of_number(first, name)?;
            let mut texts = self.scalars(args)?;
            if op == &ops::SHL || op == &ops::SHR {
                texts[1] = self.count(&args[1].expr, apply.tys[1])?;
            }
            texts.push(self.place(apply.span));
            return Ok(Some(Text::call(name, &texts)));
        }
        if is_int && let Some((_, name, is_option)) = FITS.iter().find(|(row, ..)| *row == op) {
            return self.fitting(name, *is_option, apply).map(Some);
        }
        if is_int && (op == &ops::DIV || op == &ops::REM || op == &ops::SHR || op == &ops::SHL) {
            return self.total(op, apply).map(Some);
        }
        let exact = match () {
            () if !apply.is_exact => op,
            () if op == &ops::ADD_WRAPPING => &ops::ADD,
            () if op == &ops::SUB_WRAPPING => &ops::SUB,
            () if op == &ops::MUL_WRAPPING => &ops::MUL,
            () => op,
        };
        let text = match () {
            () if op == &ops::NEG => {
                let inner = self.expr(&args[0].expr)?;
                let is_signed = inner.text.starts_with('-');
                let inner = if is_signed { format!("({})", inner.text) } else { inner.tight(binds::UNARY) };
                Text::with(format!("-{inner}"), binds::UNARY)
            }
            () if op == &ops::NOT && first == Ty::bool() => {
                Text::with(format!("!{}", self.expr(&args[0].expr)?.tight(binds::ATOM)), binds::UNARY)
            }
            () if op == &ops::NOT => {
                let ty = self.owned(first, apply.span)?;
                Text::with(format!("({ty})~{}", self.expr(&args[0].expr)?.tight(binds::UNARY)), binds::UNARY)
            }
            () if first == Ty::bool() && (op == &ops::AND || op == &ops::OR) => {
                let (sign, tight) = if op == &ops::AND { ("&&", binds::AND) } else { ("||", binds::OR) };
                let mut sides = Vec::new();
                for arg in args {
                    let text = self.expr(&arg.expr)?;
                    sides.push(if text.binds == tight { text.text } else { text.tight(binds::BITS + 1) });
                }
                Text::with(sides.join(&format!(" {sign} ")), tight)
            }
            () if first == Ty::bool() && op == &ops::XOR => self.infix("!=", binds::COMPARE, args)?,
            () if is_float(first) && op == &ops::REM => Text::call(libm("fmod", first), &self.scalars(args)?),
            () if let Some((sign, tight)) = infix(exact) => {
                if let Some(text) = self.known_comparison(exact, apply)? {
                    return Ok(Some(text));
                }
                self.infix(sign, tight, args)?
            }
            () if is_float(first)
                && let Some(name) = row(LIBRARY, op) =>
            {
                Text::call(libm(name, first), &self.scalars(args)?)
            }
            () if let Some(name) = row(SUPPORT, op) => {
                let name = self.of_number(first, name)?;
                Text::call(name, &self.scalars(args)?)
            }
            () => return self.further(op, apply),
        };
        Ok(Some(text))
    }

    /// Operations that are expressions of others.
    fn further(&mut self, op: &'static OpDef, apply: &Apply) -> Result<Option<Text>, ExportError> {
        let (args, first) = (&apply.args, apply.tys[0]);
        let of_first = |this: &mut Self| this.expr(&args[0].expr);
        Ok(Some(match () {
            () if op == &ops::RECIP => {
                let inner = of_first(self)?.tight(binds::PRODUCT + 1);
                Text::with(format!("{} / {inner}", one(first)), binds::PRODUCT)
            }
            () if op == &ops::FRACT => {
                let x = self.addressable(&args[0].expr)?;
                Text::with(format!("{x} - {}({x})", libm("trunc", first)), binds::SUM)
            }
            () if op == &ops::LOG => {
                let texts = self.scalars(args)?;
                let ln = libm("log", first);
                Text::with(format!("{ln}({}) / {ln}({})", texts[0], texts[1]), binds::PRODUCT)
            }
            () if op == &ops::TO_DEGREES || op == &ops::TO_RADIANS => {
                let factor = match (op == &ops::TO_DEGREES, first == Ty::f32()) {
                    (true, true) => format!("{:?}f", 57.295_78_f32),
                    (true, false) => format!("{:?}", 180.0 / std::f64::consts::PI),
                    (false, true) => format!("{:?}f", std::f32::consts::PI / 180.0),
                    (false, false) => format!("{:?}", std::f64::consts::PI / 180.0),
                };
                let inner = of_first(self)?.tight(binds::PRODUCT);
                Text::with(format!("{inner} * {factor}"), binds::PRODUCT)
            }
            () if op == &ops::IS_NAN => Text::atom(format!("(isnan({}) != 0)", of_first(self)?.text)),
            () if op == &ops::IS_NORMAL => Text::atom(format!("(isnormal({}) != 0)", of_first(self)?.text)),
            () if op == &ops::IS_SUBNORMAL => {
                let x = of_first(self)?;
                Text::atom(format!("{}({})", self.of_number(apply.tys[0], "is_subnormal")?, x.text))
            }
            () if op == &ops::IS_FINITE => Text::atom(format!("(isfinite({}) != 0)", of_first(self)?.text)),
            () if op == &ops::IS_INFINITE => Text::atom(format!("(isinf({}) != 0)", of_first(self)?.text)),
            () if op == &ops::IS_SIGN_NEGATIVE => {
                Text::atom(format!("(signbit({}) != 0)", of_first(self)?.text))
            }
            () if op == &ops::IS_SIGN_POSITIVE => {
                Text::atom(format!("(signbit({}) == 0)", of_first(self)?.text))
            }
            () if op == &ops::COUNT_ZEROS || op == &ops::LEADING_ONES || op == &ops::TRAILING_ONES => {
                let name = match () {
                    () if op == &ops::COUNT_ZEROS => "count_ones",
                    () if op == &ops::LEADING_ONES => "leading_zeros",
                    () => "trailing_zeros",
                };
                let name = self.of_number(first, name)?;
                let ty = self.owned(first, apply.span)?;
                let inner = of_first(self)?.tight(binds::UNARY);
                Text::atom(format!("{name}(({ty})~{inner})"))
            }
            () if op == &ops::ROTATE_RIGHT => {
                let name = self.of_number(first, "rotate_left")?;
                let bits = self.bits(first);
                let texts = self.scalars(args)?;
                Text::atom(format!("{name}({}, {bits}u - ({}) % {bits}u)", texts[0], texts[1]))
            }
            () if op == &ops::FROM_BITS => {
                let name = self.of_number(apply.ty, "from_bits")?;
                Text::call(name, &self.scalars(args)?)
            }
            () if op == &ops::CLAMP => {
                let name = self.of_number(first, "clamped")?;
                let mut texts = self.scalars(args)?;
                texts.push(self.place(apply.span));
                Text::call(name, &texts)
            }
            () if op == &ops::CAST => return self.cast(&args[0].expr, first, apply.ty).map(Some),
            () if op == &ops::SIN_COS => {
                let x = self.addressable(&args[0].expr)?;
                let parts = ["sin", "cos"].map(|name| format!("{}({x})", libm(name, first)));
                Text::atom(self.composed(apply.ty, 0, parts.to_vec())?)
            }
            () => return Ok(None),
        }))
    }

    pub(super) fn infix(&mut self, sign: &str, tight: u8, args: &[Arg]) -> Printed {
        let left = self.expr(&args[0].expr)?;
        let right = self.expr(&args[1].expr)?;
        if sign == "+" && matches!(args[1].expr, Expr::Const(..)) && right.text.starts_with('-') {
            let left = left.tight(tight);
            return Ok(Text::with(format!("{left} - {}", &right.text[1..]), tight));
        }
        let (left, right) = match tight {
            binds::COMPARE => (left.tight(binds::SUM), right.tight(binds::SUM)),
            binds::BITS => (left.tight(binds::UNARY), right.tight(binds::UNARY)),
            _ => (left.tight(tight), right.tight(tight + 1)),
        };
        Ok(Text::with(format!("{left} {sign} {right}"), tight))
    }

    /// A comparison of an unsigned number with zero, or of a number with itself, that does not depend on the number: compilers
    /// warn of it.
    fn known_comparison(&mut self, op: &OpDef, apply: &Apply) -> Result<Option<Text>, ExportError> {
        let is_unsigned = matches!(apply.tys[0].kind(), TyKind::Int(int) if !int.is_signed());
        let [left, right] = &apply.args[..] else { return Ok(None) };
        if !is_float(apply.tys[0])
            && let (Expr::Local(x), Expr::Local(y)) = (&left.expr, &right.expr)
            && x == y
            && infix(op).is_some_and(|(_, tight)| tight == binds::COMPARE)
        {
            let known = [&ops::EQ, &ops::LE, &ops::GE].contains(&op);
            let name = self.local(*x);
            return Ok(Some(Text::atom(format!("((void){name}, {known})"))));
        }
        let is_zero = |arg: &Arg| matches!(&arg.expr, Expr::Const(c, _) if c.value().as_index() == Some(0));
        let known = match (is_zero(&apply.args[0]), is_zero(&apply.args[1])) {
            (_, true) if op == &ops::LT => false,
            (_, true) if op == &ops::GE => true,
            (true, _) if op == &ops::GT => false,
            (true, _) if op == &ops::LE => true,
            _ => return Ok(None),
        };
        if !is_unsigned {
            return Ok(None);
        }
        let other = if is_zero(&apply.args[1]) { &apply.args[0] } else { &apply.args[1] };
        let other = self.expr(&other.expr)?.tight(binds::UNARY);
        Ok(Some(Text::atom(format!("((void){other}, {known})"))))
    }

    /// A division or shift by a constant that cannot fail.
    fn total(&mut self, op: &'static OpDef, apply: &Apply) -> Printed {
        let ty = apply.tys[0];
        let is_signed = matches!(ty.kind(), TyKind::Int(int) if int.is_signed());
        if op == &ops::SHL || op == &ops::SHR && is_signed {
            let name = if op == &ops::SHL { "shl_wrapping" } else { "shr_wrapping" };
            let name = self.of_number(ty, name)?;
            return Ok(Text::call(name, &self.scalars(&apply.args)?));
        }
        let left = self.expr(&apply.args[0].expr)?;
        let right = self.expr(&apply.args[1].expr)?.tight(binds::UNARY);
        Ok(match () {
            () if op == &ops::SHR => {
                Text::with(format!("{} >> {right}", left.tight(binds::UNARY)), binds::SHIFT)
            }
            () => {
                let sign = if op == &ops::DIV { "/" } else { "%" };
                let tight = if op == &ops::DIV { binds::PRODUCT } else { binds::UNARY };
                Text::with(format!("{} {sign} {right}", left.tight(tight)), binds::PRODUCT)
            }
        })
    }

    pub(super) fn bits(&self, ty: Ty) -> u32 {
        match ty.kind() {
            TyKind::Int(int) => IntTy::bits(*int),
            _ => 0,
        }
    }

    pub(super) fn cast(&mut self, expr: &Expr, from: Ty, to: Ty) -> Printed {
        if from == to {
            return self.expr(expr);
        }
        let ty = self.owned(to, self.span)?;
        if is_float(from) && matches!(to.kind(), TyKind::Int(_)) {
            let name = self.of_number(to, "from_f64")?;
            return Ok(Text::atom(format!("{name}({})", self.expr(expr)?.text)));
        }
        let inner = self.expr(expr)?.tight(binds::UNARY);
        Ok(Text::with(format!("({ty}){inner}"), binds::UNARY))
    }
}

/// The function of the C library for a float type.
pub(super) fn libm(name: &str, ty: Ty) -> String {
    if ty == Ty::f32() { format!("{name}f") } else { name.to_owned() }
}

fn one(ty: Ty) -> &'static str {
    if ty == Ty::f32() { "1.0f" } else { "1.0" }
}
