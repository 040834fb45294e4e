//! Operators: built in for numbers and references to them, otherwise methods of traits.

use overdub_context::Symbol;

use super::super::cx::{TraitPredicate, is_float, is_int};
use super::*;
use crate::hir::Prim;
use crate::lang;

/// The class of a type with respect to operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Int,
    Float,
    Bool,
    Char,
    Str,
}

impl Check<'_> {
    /// The class of a type without its references, if it is primitive.
    fn class(&self, ty: Ty) -> Option<(Class, Ty)> {
        let mut ty = self.cx.shallow(ty);
        while let Some((_, inner)) = ty.referent() {
            ty = self.cx.shallow(inner);
        }
        let class = match ty.kind() {
            TyKind::Infer(InferVar::Int(_)) => Class::Int,
            TyKind::Infer(InferVar::Float(_)) => Class::Float,
            TyKind::Prim(Prim::Bool) => Class::Bool,
            TyKind::Prim(Prim::Char) => Class::Char,
            TyKind::Prim(Prim::Str) => Class::Str,
            TyKind::Prim(prim) if is_int(*prim) => Class::Int,
            TyKind::Prim(prim) if is_float(*prim) => Class::Float,
            _ => return None,
        };
        Some((class, ty))
    }

    /// The result of an operator on primitive types, which it unifies.
    fn builtin_binary(&mut self, op: BinOp, lhs: Ty, rhs: Ty) -> Option<Ty> {
        let ((left, a), (right, b)) = (self.class(lhs)?, self.class(rhs)?);
        let number = |class: Class| matches!(class, Class::Int | Class::Float);
        match op {
            BinOp::Shl | BinOp::Shr => (left == Class::Int && right == Class::Int).then_some(a),
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem => {
                (left == right && number(left) && self.cx.unify(a, b)).then_some(a)
            }
            BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor => {
                (left == right && matches!(left, Class::Int | Class::Bool) && self.cx.unify(a, b))
                    .then_some(a)
            }
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
                (left == right && self.cx.unify(a, b)).then(Ty::bool)
            }
        }
    }

    pub(super) fn check_binary(
        &mut self,
        id: ExprId,
        op: BinOp,
        a: ExprId,
        b: ExprId,
        expect: Expect,
    ) -> Result<Ty> {
        let compares = is_comparison(op);
        let lhs = self.check(a, Expect::Nothing)?;
        let lhs = self.known(lhs)?;
        // An operand probably has the type of the other one; the hint only avoids a variable for literals.
        let hint = match self.class(lhs) {
            Some((_, ty)) if !matches!(op, BinOp::Shl | BinOp::Shr) && lhs.as_prim().is_some() => {
                self.literal_hint(b, ty)
            }
            _ => Expect::Nothing,
        };
        let expected = self.cx.fresh();
        let known_rhs = match (self.class(lhs), hint, expect) {
            (None, _, _) if !matches!(lhs.kind(), TyKind::Infer(_)) => self.only_rhs(op, lhs, expected),
            _ => None,
        };
        let known_rhs = known_rhs.or_else(|| self.rhs_of_bound(lang::bin_op(op).0, lhs));
        let rhs = match known_rhs {
            Some(ty) => {
                let found = self.check(b, Expect::Type(ty))?;
                if self.try_coerce(b, found, ty)? { ty } else { found }
            }
            None => self.check(b, hint)?,
        };
        let rhs = self.known(rhs)?;
        let lhs = self.cx.shallow(lhs);
        self.targets.insert(id, Target::Binary { op, lhs, rhs });
        if let Some(ty) = self.builtin_binary(op, lhs, rhs) {
            match op {
                BinOp::Sub => self.bytes_apart(id, a, b)?,
                BinOp::Rem => self.address_modulo(id, a, "address_remainder")?,
                BinOp::BitAnd => self.address_modulo(id, a, "address_bits")?,
                _ => {}
            }
            return Ok(ty);
        }
        // References to numbers are compared with what can be coerced to them.
        if is_ordering(op)
            && lhs.referent().is_some()
            && rhs.referent().is_some()
            && self.class(lhs).is_some()
            && self.try_coerce(b, rhs, lhs)?
        {
            self.targets.insert(id, Target::Binary { op, lhs, rhs: lhs });
            return Ok(Ty::bool());
        }
        let (name, _) = lang::bin_op(op);
        let (lhs, rhs) = match compares {
            true => self.same_depth(lhs, rhs),
            false => (lhs, rhs),
        };
        let predicate = TraitPredicate::new(self.cx.lang(name)?, [Arg::Ty(lhs), Arg::Ty(rhs)]);
        self.overloaded(id, op, predicate, lhs, rhs)
    }

    /// `p as usize - q as usize` of pointers is a function of both: neither address is known.
    fn bytes_apart(&mut self, id: ExprId, a: ExprId, b: ExprId) -> Result<()> {
        let (Some((at_a, of_a)), Some((at_b, of_b))) = (self.address(a), self.address(b)) else {
            return Ok(());
        };
        if self.cx.unify(of_a, of_b) {
            self.casts.remove(at_a.max(at_b));
            self.casts.remove(at_a.min(at_b));
            let target = Instance::new(self.cx.lang("bytes_apart")?, [Arg::Ty(of_a)]);
            self.targets.insert(id, Target::Item(target));
        }
        Ok(())
    }

    /// `p as usize % align` and `p as usize & (align - 1)`, which are known where the address is not.
    fn address_modulo(&mut self, id: ExprId, pointer: ExprId, function: &'static str) -> Result<()> {
        if let Some((at, pointee)) = self.address(pointer) {
            self.casts.remove(at);
            let target = Instance::new(self.cx.lang(function)?, [Arg::Ty(pointee)]);
            self.targets.insert(id, Target::Item(target));
        }
        Ok(())
    }

    /// The place in `casts` of a cast of a pointer to `usize`, and the pointee.
    fn address(&self, expr: ExprId) -> Option<(usize, Ty)> {
        let crate::hir::ExprKind::Cast(pointer, _) = self.expr(expr).kind else { return None };
        let at = self.casts.iter().rposition(|(operand, ..)| *operand == pointer)?;
        let (_, from, to) = self.casts[at];
        let (_, pointee) = self.cx.raw_pointee(from)?;
        (self.cx.shallow(to).as_prim() == Some(Prim::Usize)).then_some((at, pointee))
    }

    /// The result of the operator's method; a variable if the types are not known yet.
    fn overloaded(
        &mut self,
        id: ExprId,
        op: BinOp,
        predicate: TraitPredicate,
        lhs: Ty,
        rhs: Ty,
    ) -> Result<Ty> {
        let span = self.cx.span;
        self.targets.insert(id, Target::Binary { op, lhs, rhs });
        if is_comparison(op) {
            self.cx.require(Goal::Trait(predicate));
            return Ok(Ty::bool());
        }
        match self.cx.normalize(predicate, Symbol::new("Output"), vec![], span) {
            Ok(ty) => Ok(ty),
            Err(_) => self.no_operator(op, lhs, rhs),
        }
    }

    fn no_operator<R>(&self, op: BinOp, lhs: Ty, rhs: Ty) -> Result<R> {
        let op = Symbol::new(symbol(op));
        self.cx.error(InferErrorKind::NoOperator { op, lhs: self.cx.show(lhs), rhs: self.cx.show(rhs) })
    }

    /// Both operands of a comparison, without the references that they have in common.
    fn same_depth(&self, lhs: Ty, rhs: Ty) -> (Ty, Ty) {
        let (mut lhs, mut rhs) = (self.cx.shallow(lhs), self.cx.shallow(rhs));
        while let (Some((_, a)), Some((_, b))) = (lhs.referent(), rhs.referent()) {
            (lhs, rhs) = (self.cx.shallow(a), self.cx.shallow(b));
        }
        (lhs, rhs)
    }

    /// The required type of the right operand, if there is only one impl for the left one.
    fn only_rhs(&mut self, op: BinOp, lhs: Ty, rhs: Ty) -> Option<Ty> {
        if is_comparison(op) && !is_ordering(op) {
            return None;
        }
        let (name, _) = lang::bin_op(op);
        let trait_ = self.cx.types.lang.get(name)?;
        // References are ordered by what is behind them.
        if is_ordering(op) {
            let (mutability, lhs) = lhs.referent()?;
            let lhs = self.cx.shallow(lhs);
            if mutability == Mutability::Mut || matches!(lhs.kind(), TyKind::Infer(_)) {
                return None;
            }
            let inner = match lhs.referent() {
                Some(_) => self.only_rhs(op, lhs, rhs)?,
                None => {
                    self.cx.choose(&TraitPredicate::new(trait_, [Arg::Ty(lhs), Arg::Ty(rhs)])).ok()?;
                    self.cx.shallow(rhs)
                }
            };
            return (!matches!(inner.kind(), TyKind::Infer(_))).then(|| Ty::shared(inner));
        }
        let predicate = TraitPredicate::new(trait_, [Arg::Ty(lhs), Arg::Ty(rhs)]);
        self.cx.choose(&predicate).ok()?;
        let rhs = self.cx.shallow(rhs);
        (!matches!(rhs.kind(), TyKind::Infer(_))).then_some(rhs)
    }

    /// The right operand that the only bound of a parameter on an operator allows (TY4).
    fn rhs_of_bound(&mut self, name: &str, lhs: Ty) -> Option<Ty> {
        if self.cx.env.is_empty() || !lhs.is_param() {
            return None;
        }
        let trait_ = self.cx.types.lang.get(name)?;
        let mut found = None;
        let assumed = self.cx.assoc_env().to_vec();
        for known in self.cx.env.iter().chain(&assumed) {
            let self_ty = self.cx.resolve(known.self_ty());
            if known.trait_ != trait_ || self_ty != lhs || self_ty.mark() != lhs.mark() {
                continue;
            }
            match (found, known.args.get(1)) {
                (None, Some(Arg::Ty(rhs))) => found = Some(*rhs),
                (Some(one), Some(Arg::Ty(rhs))) if one == *rhs => {}
                _ => return None,
            }
        }
        found
    }

    /// A literal, possibly negated, gets the type of the other operand.
    fn literal_hint(&self, expr: ExprId, ty: Ty) -> Expect {
        match &self.expr(expr).kind {
            crate::hir::ExprKind::Lit(_) => Expect::Hint(ty),
            crate::hir::ExprKind::Unary(UnOp::Neg, inner) => self.literal_hint(*inner, ty),
            _ => Expect::Nothing,
        }
    }

    pub(super) fn check_assign_op(
        &mut self,
        id: ExprId,
        op: BinOp,
        place: ExprId,
        value: ExprId,
    ) -> Result<Ty> {
        let lhs = self.check(place, Expect::Nothing)?;
        self.make_mutable(place);
        let lhs = self.known(lhs)?;
        let hint = match self.class(lhs) {
            Some((_, ty)) if lhs.as_prim().is_some() && !matches!(op, BinOp::Shl | BinOp::Shr) => {
                self.literal_hint(value, ty)
            }
            _ => Expect::Nothing,
        };
        let of_bound = lang::assign_op(op).and_then(|(name, _)| self.rhs_of_bound(name, lhs));
        let rhs = self.check(value, of_bound.map_or(hint, Expect::Hint))?;
        if let Some(ty) = of_bound {
            self.try_coerce(value, rhs, ty)?;
        }
        let rhs = self.known(rhs)?;
        let lhs = self.cx.shallow(lhs);
        self.targets.insert(id, Target::Assign { op, lhs, rhs });
        if lhs.referent().is_none() && self.builtin_binary(op, lhs, rhs).is_some() {
            return Ok(Ty::unit());
        }
        if let Some((name, _)) = lang::assign_op(op) {
            let predicate = TraitPredicate::new(self.cx.lang(name)?, [Arg::Ty(lhs), Arg::Ty(rhs)]);
            self.cx.require(Goal::Trait(predicate));
        }
        Ok(Ty::unit())
    }

    pub(super) fn check_unary(
        &mut self,
        id: ExprId,
        op: UnOp,
        operand: ExprId,
        expect: Expect,
    ) -> Result<Ty> {
        let ty = self.check(operand, expect)?;
        let ty = self.known(ty)?;
        self.targets.insert(id, Target::Unary { op, operand: ty });
        let name = match op {
            UnOp::Neg => "neg",
            UnOp::Not | UnOp::Deref => "not",
        };
        match (op, self.class(ty)) {
            (UnOp::Neg, Some((Class::Int | Class::Float, inner))) => return Ok(inner),
            (UnOp::Not, Some((Class::Int | Class::Bool, inner))) => return Ok(inner),
            _ => {}
        }
        if ty.is_never() {
            return Ok(ty);
        }
        let predicate = TraitPredicate::new(self.cx.lang(name)?, [Arg::Ty(ty)]);
        let span = self.cx.span;
        self.cx.normalize(predicate, Symbol::new("Output"), vec![], span)
    }
}

pub(super) fn is_comparison(op: BinOp) -> bool {
    matches!(op, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge)
}

fn is_ordering(op: BinOp) -> bool {
    matches!(op, BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge)
}

fn symbol(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::BitAnd => "&",
        BinOp::BitOr => "|",
        BinOp::BitXor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        BinOp::Ge => ">=",
    }
}
