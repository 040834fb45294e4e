//! Arithmetic that may fail: on integers, and between bounds.

use overdub_context::Span;
use overdub_context::ir::{IntTy, Ty, TyKind};
use overdub_context::ops::{self, OpDef};

use super::build::Builder;
use super::exprs::{Made, apply, int, not};
use super::refused;
use crate::ast::{Apply, Expr};

impl Builder<'_> {
    /// Integer arithmetic that does not fail in lanes that run, and gives something in the others.
    pub(super) fn in_bounds(
        &mut self,
        op: &'static OpDef,
        ty: Ty,
        args: Vec<(Expr, Ty)>,
        span: Span,
    ) -> Expr {
        match wrapping(op) {
            Some(wrapping) => self.wrapped(wrapping, ty, args, span),
            // No lane may divide by zero.
            None => self.called(exact(apply(op, ty, args, span)), ty, span),
        }
    }

    fn wrapped(&mut self, op: &'static OpDef, ty: Ty, mut args: Vec<(Expr, Ty)>, span: Span) -> Expr {
        let takes_count = op == &ops::SHL_WRAPPING || op == &ops::SHR_WRAPPING || op == &ops::POW_WRAPPING;
        if let (true, Some((count, of))) = (takes_count, args.get_mut(1))
            && *of != Ty::u32()
        {
            *count = apply(&ops::CAST, Ty::u32(), vec![(count.clone(), *of)], span);
            *of = Ty::u32();
        }
        let value = apply(op, ty, args, span);
        if op == &ops::POW_WRAPPING { self.called(value, ty, span) } else { value }
    }

    /// A value between two bounds.
    pub(super) fn clamped(&mut self, ty: Ty, args: Vec<(Expr, Ty)>, span: Span) -> Expr {
        let args: Vec<Expr> = args.into_iter().map(|(expr, _)| self.bound(expr, span)).collect();
        let [x, least, most] = [0, 1, 2].map(|at| args[at].clone());
        let test =
            |op, a: &Expr, b: &Expr| apply(op, Ty::bool(), vec![(a.clone(), ty), (b.clone(), ty)], span);
        self.fail_if(Some(not(test(&ops::LE, &least, &most), span)));
        let select = |cond: Expr, then: Expr, otherwise: Expr| -> Expr {
            apply(&ops::SELECT, ty, vec![(cond, Ty::bool()), (then, ty), (otherwise, ty)], span)
        };
        let above = test(&ops::GT, &x, &most);
        let below = test(&ops::LT, &x, &least);
        let at_most = self.bound(select(above, most, x), span);
        select(below, least, at_most)
    }

    /// Integer arithmetic that fails where the result does not fit.
    pub(super) fn checked(&mut self, op: &'static OpDef, of: &Apply, args: Vec<(Expr, Ty)>) -> Made {
        let (ty, span) = (of.ty, of.span);
        let TyKind::Int(number) = ty.kind() else {
            return Err(refused(self.function, format!("it has `{}`", op.name), span));
        };
        let number = *number;
        let args: Vec<(Expr, Ty)> = args.into_iter().map(|(expr, ty)| (self.bound(expr, span), ty)).collect();
        let test = |op: &'static OpDef, a: Expr, b: Expr| apply(op, Ty::bool(), vec![(a, ty), (b, ty)], span);
        let bits = |op: &'static OpDef, a: Expr, b: Expr| apply(op, ty, vec![(a, ty), (b, ty)], span);
        let a = args[0].0.clone();
        let b = args.get(1).map(|(expr, _)| expr.clone());
        let zero = || int(number, 0);
        if let (true, Some(b)) = (op == &ops::ADD || op == &ops::SUB, &b) {
            let wrapping = if op == &ops::ADD { &ops::ADD_WRAPPING } else { &ops::SUB_WRAPPING };
            let value = self.bound(apply(wrapping, ty, args, span), span);
            let b = b.clone();
            let overflows = match (number.is_signed(), op == &ops::ADD) {
                (false, true) => test(&ops::LT, value.clone(), a),
                (false, false) => test(&ops::LT, a, b),
                // Overflow changes the sign against that of both operands.
                (true, is_add) => {
                    let first = bits(&ops::XOR, a.clone(), value.clone());
                    let second = match is_add {
                        true => bits(&ops::XOR, b, value.clone()),
                        false => bits(&ops::XOR, a, b),
                    };
                    test(&ops::LT, bits(&ops::AND, first, second), zero())
                }
            };
            self.fail_if(Some(overflows));
            return Ok(value);
        }
        if op == &ops::MUL
            && let Some(b) = &b
            && let Some(overflows) = self.product_overflows(&a, b, number, span)
        {
            let overflows = self.bound(overflows, span);
            self.fail_if(Some(overflows));
            return Ok(apply(&ops::MUL_WRAPPING, ty, args, span));
        }
        let overflowing = match () {
            () if op == &ops::MUL => Some(&ops::MUL_OVERFLOWING),
            () if op == &ops::POW => Some(&ops::POW_OVERFLOWING),
            () if op == &ops::NEG => Some(&ops::NEG_OVERFLOWING),
            () => None,
        };
        if let Some(overflowing) = overflowing {
            let pair = Ty::tuple([ty, Ty::bool()]);
            let both = apply(overflowing, pair, args.clone(), span);
            let part = |number: i128, of: Ty| {
                apply(&ops::FIELD, of, vec![(both.clone(), pair), (int(IntTy::I64, number), Ty::i64())], span)
            };
            let (overflows, value) = (part(1, Ty::bool()), part(0, ty));
            let value = self.bound(value, span);
            self.fail_if(Some(overflows));
            return Ok(value);
        }
        if op == &ops::ABS {
            self.fail_if(Some(test(&ops::EQ, a.clone(), int(number, least(number)))));
            let negative = test(&ops::LT, a.clone(), zero());
            let negated = apply(&ops::NEG_WRAPPING, ty, vec![(a.clone(), ty)], span);
            let of = vec![(negative, Ty::bool()), (negated, ty), (a, ty)];
            return Ok(apply(&ops::SELECT, ty, of, span));
        }
        let Some(b) = b else {
            return Err(refused(self.function, format!("it has `{}`", op.name), span));
        };
        if op == &ops::SHL || op == &ops::SHR {
            let of = args[1].1;
            let TyKind::Int(count) = of.kind() else {
                return Err(refused(self.function, format!("it has `{}`", op.name), span));
            };
            let (width, none) = (int(*count, i128::from(number.bits())), int(*count, 0));
            let tests =
                |op: &'static OpDef, to: Expr| apply(op, Ty::bool(), vec![(b.clone(), of), (to, of)], span);
            let mut outside = tests(&ops::GE, width);
            if count.is_signed() {
                let below = tests(&ops::LT, none);
                outside = apply(&ops::OR, Ty::bool(), vec![(outside, Ty::bool()), (below, Ty::bool())], span);
            }
            self.fail_if(Some(outside));
            let wrapping = if op == &ops::SHL { &ops::SHL_WRAPPING } else { &ops::SHR_WRAPPING };
            return Ok(self.wrapped(wrapping, ty, args, span));
        }
        // A quotient or remainder. Where there is none, the divisor is one.
        let mut fails = test(&ops::EQ, b.clone(), zero());
        if number.is_signed() {
            let least = test(&ops::EQ, a.clone(), int(number, least(number)));
            let minus = test(&ops::EQ, b.clone(), int(number, -1));
            let both = apply(&ops::AND, Ty::bool(), vec![(least, Ty::bool()), (minus, Ty::bool())], span);
            fails = apply(&ops::OR, Ty::bool(), vec![(fails, Ty::bool()), (both, Ty::bool())], span);
        }
        let fails = self.bound(fails, span);
        self.fail_if(Some(fails.clone()));
        let of = vec![(fails, Ty::bool()), (int(number, 1), ty), (b, ty)];
        let divisor = self.bound(apply(&ops::SELECT, ty, of, span), span);
        let quotient = apply(op, ty, vec![(a, ty), (divisor, ty)], span);
        Ok(self.bound(exact(quotient), span))
    }

    /// Whether a product does not fit, by instructions that there are for lanes; none if there are not.
    fn product_overflows(&self, a: &Expr, b: &Expr, of: IntTy, span: Span) -> Option<Expr> {
        let ty = Ty::int(of);
        let constant = |expr: &Expr| match expr {
            Expr::Const(constant, _) => constant.value().as_int().map(|(_, n)| n),
            _ => None,
        };
        let factors = [(constant(a), b), (constant(b), a)];
        let most = if of.is_signed() { -(least(of) + 1) } else { (1 << of.bits()) - 1 };
        if let Some((Some(factor), other)) =
            factors.into_iter().find(|(factor, _)| factor.is_some_and(|n| n > 1))
        {
            let test = |op: &'static OpDef, n: i128| {
                apply(op, Ty::bool(), vec![(other.clone(), ty), (int(of, n), ty)], span)
            };
            let above = test(&ops::GT, most / factor);
            return Some(match of.is_signed() {
                false => above,
                true => {
                    let below = test(&ops::LT, least(of) / factor);
                    apply(&ops::OR, Ty::bool(), vec![(above, Ty::bool()), (below, Ty::bool())], span)
                }
            });
        }
        if of.bits() > 32 {
            return None;
        }
        let (wide, wide_of) = if of.is_signed() { (Ty::i64(), IntTy::I64) } else { (Ty::u64(), IntTy::U64) };
        let widened = |expr: &Expr| apply(&ops::CAST, wide, vec![(expr.clone(), ty)], span);
        let product = apply(&ops::MUL_WRAPPING, wide, vec![(widened(a), wide), (widened(b), wide)], span);
        let test = |op: &'static OpDef, n: i128| {
            apply(op, Ty::bool(), vec![(product.clone(), wide), (int(wide_of, n), wide)], span)
        };
        let above = test(&ops::GT, most);
        Some(match of.is_signed() {
            false => above,
            true => {
                let below = test(&ops::LT, least(of));
                apply(&ops::OR, Ty::bool(), vec![(above, Ty::bool()), (below, Ty::bool())], span)
            }
        })
    }
}

/// The least number of a signed type.
fn least(of: IntTy) -> i128 {
    -(1 << (of.bits() - 1))
}

/// The operation without a test whether its result fits.
fn exact(mut expr: Expr) -> Expr {
    if let Expr::Apply(apply) = &mut expr {
        apply.is_exact = true;
    }
    expr
}

/// The operation whose result wraps.
pub(super) fn wrapping(op: &OpDef) -> Option<&'static OpDef> {
    const ROWS: &[(&OpDef, &OpDef)] = &[
        (&ops::ADD, &ops::ADD_WRAPPING),
        (&ops::SUB, &ops::SUB_WRAPPING),
        (&ops::MUL, &ops::MUL_WRAPPING),
        (&ops::NEG, &ops::NEG_WRAPPING),
        (&ops::POW, &ops::POW_WRAPPING),
        (&ops::SHL, &ops::SHL_WRAPPING),
        (&ops::SHR, &ops::SHR_WRAPPING),
    ];
    ROWS.iter().find(|(row, _)| *row == op).map(|(_, wrapping)| *wrapping)
}
