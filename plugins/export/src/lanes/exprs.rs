//! Expressions of one element, for all lanes.

use overdub_context::Span;
use overdub_context::ir::{Const, IntTy, Ty, TyKind};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;
use overdub_passes::fast_math::OPS;
use overdub_passes::fast_math::functions::FAR;

use super::build::Builder;
use super::composites::scalars;
use super::kinds::{Kind, is_pair, is_simple, kind};
use super::{Lane, Step, is_scalar, refused};
use crate::ast::{Apply, Arg, Callee, Expr};
use crate::error::ExportError;

pub(super) type Made = Result<Expr, ExportError>;

/// An operation on operands.
pub(super) fn apply(op: &'static OpDef, ty: Ty, args: Vec<(Expr, Ty)>, span: Span) -> Expr {
    let (args, tys) = args.into_iter().map(|(expr, ty)| (Arg::read(expr), ty)).unzip();
    Expr::Apply(Box::new(Apply { callee: Callee::Op(op), args, tys, ty, span, is_exact: false }))
}

/// A number of a type of integers.
pub(super) fn int(of: IntTy, n: i128) -> Expr {
    Expr::Const(Const::new(Value::int(of, n)).expect("a number is a constant"), Ty::int(of))
}

/// A number of a type of integers, a character or a truth value.
pub(super) fn number_of(ty: Ty, n: i128) -> Option<Expr> {
    let value = match ty.kind() {
        TyKind::Int(of) => return Some(int(*of, n)),
        TyKind::Bool => Value::Bool(n != 0),
        TyKind::Char => Value::Char(char::from_u32(u32::try_from(n).ok()?)?),
        _ => return None,
    };
    Some(Expr::Const(Const::new(value)?, ty))
}

/// The opposite of a truth value.
pub(super) fn not(cond: Expr, span: Span) -> Expr {
    match cond {
        Expr::Apply(mut of) if of.callee == Callee::Op(&ops::NOT) => of.args.swap_remove(0).expr,
        cond => apply(&ops::NOT, Ty::bool(), vec![(cond, Ty::bool())], span),
    }
}

/// The same, where others replace the results for large angles.
fn for_small_angles(mut expr: Expr) -> Expr {
    if let Expr::Apply(apply) = &mut expr {
        apply.is_exact = true;
    }
    expr
}

impl Builder<'_> {
    /// The type of an expression.
    pub(super) fn ty(&self, expr: &Expr) -> Ty {
        match expr {
            Expr::Const(_, ty) => *ty,
            Expr::Local(local) => self.locals[local.0 as usize].ty,
            Expr::Apply(apply) => apply.ty,
        }
    }

    /// An expression whose value lanes have, after what computes its parts that call or may fail.
    pub(super) fn expr(&mut self, expr: &Expr) -> Made {
        let Expr::Apply(of) = expr else { return self.operand(expr) };
        let Callee::Op(op) = of.callee else {
            return Err(refused(self.function, "it calls a function that is not inlined", of.span));
        };
        if (op == &ops::AND || op == &ops::OR) && of.ty == Ty::bool() && !is_simple(&of.args[1].expr) {
            return self.short_circuit(op == &ops::AND, of);
        }
        if op == &ops::GET || op == &ops::GET_UNCHECKED {
            return self.element(op == &ops::GET, of);
        }
        if op == &ops::LEN && self.is_uniform(expr) {
            return Ok(expr.clone());
        }
        if op == &ops::STACK_PEEK || op == &ops::STACK_LEN {
            let (Expr::Local(tape), 1) = (&of.args[0].expr, of.args.len()) else {
                return Err(refused(self.function, format!("it has `{}`", op.name), of.span));
            };
            let mut found = self.read_tape(*tape, op == &ops::STACK_LEN, of.span)?;
            return match (found.pop(), found.is_empty()) {
                (Some(value), true) => Ok(value),
                _ => Err(refused(self.function, format!("it has `{}`", op.name), of.span)),
            };
        }
        if op == &ops::FIELD {
            let mut is_shared = self.is_uniform(expr);
            expr.for_each_local(&mut |local, _| is_shared &= self.function.params.contains(&local));
            if is_shared {
                return Ok(expr.clone());
            }
            if scalars(of.tys[0]).is_some() && !matches!(&of.args[0].expr, Expr::Apply(pair) if is_pair(pair))
            {
                let mut found = self.field(&of.args[0].expr, &of.args[1].expr)?;
                if let (Some(value), true) = (found.pop(), found.is_empty()) {
                    return Ok(value);
                }
            }
        }
        let kind = kind(op, of);
        if kind == Kind::None {
            return Err(refused(self.function, format!("it has `{}`", op.name), of.span));
        }
        let mut args = Vec::new();
        for (arg, ty) in of.args.iter().zip(&of.tys) {
            args.push((self.expr(&arg.expr)?, *ty));
        }
        let span = of.span;
        match kind {
            Kind::Checked if of.is_exact => Ok(self.in_bounds(op, of.ty, args, span)),
            Kind::Checked => self.checked(op, of, args),
            Kind::Clamp => Ok(self.clamped(of.ty, args, span)),
            Kind::Call if args.iter().all(|(arg, _)| is_simple(arg) && self.is_uniform(arg)) => {
                let local = self.new_local(of.ty, None);
                self.make_uniform(local);
                self.steps.push(Step::Let(local, apply(op, of.ty, args, span), span));
                Ok(Expr::Local(local))
            }
            Kind::Call => match self.fast_of(op, of.ty) {
                Some((fast, slow)) => Ok(self.fast(fast, slow, args, span)),
                None => Ok(self.called(apply(op, of.ty, args, span), of.ty, span)),
            },
            _ => Ok(apply(op, of.ty, args, span)),
        }
    }

    fn operand(&self, expr: &Expr) -> Made {
        let ty = self.ty(expr);
        match expr {
            _ if is_scalar(ty) => Ok(expr.clone()),
            _ => Err(refused(self.function, format!("it has values of type `{ty}`"), self.span)),
        }
    }

    /// The value of a call, for the lanes that run.
    pub(super) fn called(&mut self, value: Expr, ty: Ty, span: Span) -> Expr {
        let local = self.new_local(ty, None);
        self.begin_calls();
        self.put(Lane::SetIf { local, value, runs: self.mask(), span });
        Expr::Local(local)
    }

    /// The function without branches for an operation, which is that or the one of the library, and the latter.
    fn fast_of(&self, op: &OpDef, ty: Ty) -> Option<(&'static OpDef, &'static OpDef)> {
        let is_wanted = |fast: &OpDef, slow: &OpDef| *fast == *op || self.is_fast && *slow == *op;
        OPS.iter().copied().find(|(fast, slow)| ty == Ty::f64() && is_wanted(fast, slow))
    }

    /// A function without branches; where an angle is too large for it, the one of the library.
    fn fast(
        &mut self,
        fast: &'static OpDef,
        slow: &'static OpDef,
        args: Vec<(Expr, Ty)>,
        span: Span,
    ) -> Expr {
        let args: Vec<(Expr, Ty)> = args.into_iter().map(|(arg, ty)| (self.bound(arg, span), ty)).collect();
        let value = |op| apply(op, Ty::f64(), args.clone(), span);
        let local = self.new_local(Ty::f64(), None);
        self.put(Lane::Set { local, value: for_small_angles(value(fast)), span });
        if slow == &ops::SIN || slow == &ops::COS {
            let far = Expr::Const(Const::new(Value::F64(FAR)).expect("a number is a constant"), Ty::f64());
            let near = vec![(value(&ops::ABS), Ty::f64()), (far, Ty::f64())];
            let cond = apply(&ops::LE, Ty::bool(), near, span);
            let (mask, runs, count) = (self.new_mask("far"), self.mask(), self.new_count());
            self.put(Lane::Mask { mask, cond, is_not: true, runs, span });
            self.put(Lane::Count { count, mask });
            self.flush();
            let lane = Lane::SetIf { local, value: value(slow), runs: Some(mask), span };
            self.steps.push(Step::IfAny { count, body: vec![Step::Lanes(vec![lane])] });
        }
        Expr::Local(local)
    }

    /// A value that is computed once.
    pub(super) fn bound(&mut self, value: Expr, span: Span) -> Expr {
        if !matches!(value, Expr::Apply(_)) {
            return value;
        }
        let local = self.new_local(self.ty(&value), None);
        self.put(Lane::Set { local, value, span });
        Expr::Local(local)
    }

    /// The second truth value is computed where the first does not decide.
    fn short_circuit(&mut self, is_and: bool, of: &Apply) -> Made {
        let first = self.expr(&of.args[0].expr)?;
        let result = self.new_local(Ty::bool(), None);
        let span = of.span;
        self.put(Lane::Set { local: result, value: first, span });
        let mask = self.new_mask("on");
        let runs = self.mask();
        self.put(Lane::Mask { mask, cond: Expr::Local(result), is_not: !is_and, runs, span });
        self.enter(None, Some(mask));
        let second = self.expr(&of.args[1].expr)?;
        self.put(Lane::Blend { local: result, value: second, runs: mask, span });
        self.leave_scope();
        Ok(Expr::Local(result))
    }

    /// An element of a list that all share.
    fn element(&mut self, is_checked: bool, of: &Apply) -> Made {
        let (list, span) = (&of.args[0].expr, of.span);
        let is_list = matches!(list, Expr::Local(_) | Expr::Const(..));
        if !is_list || !self.is_uniform(list) || !is_scalar(of.ty) {
            return Err(refused(self.function, "it reads a list that elements do not share", span));
        }
        let local = self.new_local(of.ty, None);
        if self.is_uniform(&of.args[1].expr) && is_simple(&of.args[1].expr) {
            self.make_uniform(local);
            self.may_fail |= is_checked;
            let at = of.args[1].expr.clone();
            self.steps.push(Step::Read { local, list: list.clone(), at, is_checked, span });
            return Ok(Expr::Local(local));
        }
        let at = self.expr(&of.args[1].expr)?;
        let at = self.bound(at, span);
        if is_checked {
            let len = apply(&ops::LEN, Ty::usize(), vec![(list.clone(), of.tys[0])], span);
            let index = match self.ty(&at) == Ty::usize() {
                true => at.clone(),
                false => apply(&ops::CAST, Ty::usize(), vec![(at.clone(), of.tys[1])], span),
            };
            let cond = apply(&ops::GE, Ty::bool(), vec![(index, Ty::usize()), (len, Ty::usize())], span);
            self.fail_if(Some(cond));
        }
        self.put(Lane::Read { local, list: list.clone(), at, span });
        Ok(Expr::Local(local))
    }

    /// Fails in the lanes that run if a condition holds, or in any case.
    pub(super) fn fail_if(&mut self, cond: Option<Expr>) {
        self.may_fail = true;
        let runs = self.mask();
        self.put(Lane::Fail { cond, runs });
    }
}
