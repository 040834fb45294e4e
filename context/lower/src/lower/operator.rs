//! Operators, assignments and casts.

use overdub_context::Span;
use overdub_context::ir::{Operand, Ty, TyKind as IrKind};
use overdub_context::ops::{self, OpDef};

use super::cx::{Binding, FnCx, unit};
use super::discriminant;
use super::drop_scopes::Extent;
use super::error::{LowerError, Lowered};
use super::place::{Place, Root};
use crate::hir::*;
use crate::infer::{self, Callee, TyKind};

impl FnCx<'_> {
    pub(super) fn unary(&mut self, id: ExprId, op: UnOp, inner: ExprId, ty: infer::Ty) -> Lowered<Operand> {
        let span = self.span(id);
        if let Some(Callee::Fn(instance)) = self.typed.callees.get(&id).cloned() {
            return self.call_instance(instance, &[inner], span);
        }
        let body = self.body.clone();
        if let (UnOp::Neg, ExprKind::Lit(lit @ (Lit::Int(..) | Lit::Float(..)))) =
            (op, &body.exprs[inner.index()].kind)
        {
            return self.literal(lit, ty, true);
        }
        let value = self.value(inner)?;
        self.build.set_span(span);
        match op {
            UnOp::Neg => self.op(&ops::NEG, vec![value]),
            UnOp::Not => self.op(&ops::NOT, vec![value]),
            UnOp::Deref => {
                let place = Place::value(value, self.adjusted(inner));
                let place = self.deref(place, ty)?;
                self.read(&place)
            }
        }
    }

    pub(super) fn binary(&mut self, id: ExprId, op: BinOp, lhs: ExprId, rhs: ExprId) -> Lowered<Operand> {
        let span = self.span(id);
        if let Some(Callee::Fn(instance)) = self.typed.callees.get(&id).cloned() {
            let body = self.body.clone();
            let is = |name| self.lowering.program.lang(name) == Some(instance.def());
            let (lhs, rhs) = match (&body.exprs[lhs.index()].kind, &body.exprs[rhs.index()].kind) {
                (&ExprKind::Cast(to, _), &ExprKind::Cast(from, _)) if is("bytes_apart") => (to, from),
                (&ExprKind::Cast(to, _), _) if is("address_remainder") || is("address_bits") => (to, rhs),
                _ => (lhs, rhs),
            };
            return self.call_instance_by_value(instance, lhs, rhs, span);
        }
        let lhs = self.operand(lhs)?;
        let rhs = self.operand(rhs)?;
        self.build.set_span(span);
        self.op(op_of(op), vec![lhs, rhs])
    }

    /// Calls an operator's method on two operands; comparisons take them by reference, which is the value in
    /// the IR, and behind a `&mut` is read from its place.
    fn call_instance_by_value(
        &mut self,
        instance: infer::Instance,
        lhs: ExprId,
        rhs: ExprId,
        span: Span,
    ) -> Lowered<Operand> {
        let referent = |ty: &infer::Ty| match ty.kind() {
            TyKind::Ref(inner) => Some(*inner),
            _ => None,
        };
        let compared = match &self.lowering.types.signature(instance)?.0[..] {
            [lhs, rhs] => referent(lhs).zip(referent(rhs)),
            _ => None,
        };
        let (lhs, rhs) = if let Some((of_lhs, of_rhs)) = compared {
            (self.operand_by_ref(lhs, of_lhs)?, self.operand_by_ref(rhs, of_rhs)?)
        } else {
            let ids = [lhs, rhs];
            let mut values = self.values(&ids)?.into_iter();
            let mut next = |id| Place::value(values.next().unwrap_or_else(unit), self.adjusted(id));
            (next(lhs), next(rhs))
        };
        self.build.set_span(span);
        self.call_instance_on(instance, &[lhs, rhs])
    }

    /// The value of type `compared`, itself or behind references, of an operand that is not moved.
    fn operand_by_ref(&mut self, id: ExprId, compared: infer::Ty) -> Lowered<Place> {
        let mut place = self.place(id)?;
        while place.ty != compared
            && let Some((_, inner)) = place.ty.referent()
        {
            place = self.deref(place, inner)?;
        }
        self.at(id);
        while place.ty != compared
            && let Some((_, inner)) = place.ty.referent()
        {
            place = self.deref(place, inner)?;
        }
        Ok(Place::value(self.read(&place)?, place.ty))
    }

    /// The value of an operand of a built-in operator: the referent, if it is a reference.
    fn operand(&mut self, id: ExprId) -> Lowered<Operand> {
        match self.adjusted(id).kind() {
            TyKind::Ref(_) | TyKind::RefMut(_) => {
                let place = self.place(id)?;
                let place = self.deref_all(place)?;
                self.read(&place)
            }
            _ => self.value(id),
        }
    }

    /// `a && b`, `a || b`
    pub(super) fn lazy(&mut self, lhs: ExprId, rhs: ExprId, is_or: bool) -> Lowered<Operand> {
        let lhs = self.scoped(Extent::Temporaries, |cx| cx.value(lhs))?;
        let result = self.build.declare_variable(Ty::bool(), None);
        self.build.write_variable(result, lhs.clone())?;
        let (more, done) = (self.build.new_block(), self.build.new_block());
        if is_or {
            self.branch(lhs, done, more)?;
        } else {
            self.branch(lhs, more, done)?;
        }
        if !self.build.preds(more).is_empty() {
            self.enter(more)?;
            let rhs = self.scoped(Extent::Temporaries, |cx| cx.value(rhs));
            if let Some(rhs) = Self::unless_diverges(rhs)? {
                self.build.write_variable(result, rhs)?;
                self.jump(done)?;
            }
        }
        self.enter_joined(done)?;
        Ok(self.build.read_variable(result)?)
    }

    pub(super) fn assign(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> Lowered<Operand> {
        let body = self.body.clone();
        if let ExprKind::Path(ValuePath::Local(local)) = &body.exprs[lhs.index()].kind
            && matches!(&self.bindings.get(local), Some(Binding::Place(place)) if matches!(place.root, Root::Addr(_)))
        {
            let rhs = self.value(rhs);
            if self.plan.ref_vars.contains(local) {
                return Err(self.error(span, "a reference that a closure captured cannot be assigned here"));
            }
            self.missing_plan.ref_vars.insert(*local);
            return rhs.map(|_| unit());
        }
        let value = self.value(rhs)?;
        let place = self.place(lhs)?;
        self.build.set_span(span);
        self.drop_old(&place)?;
        self.write(&place, value)?;
        self.mark_initialized(&place)?;
        Ok(unit())
    }

    pub(super) fn assign_op(&mut self, id: ExprId, op: BinOp, lhs: ExprId, rhs: ExprId) -> Lowered<Operand> {
        let span = self.span(id);
        if let Some(Callee::Fn(instance)) = self.typed.callees.get(&id).cloned() {
            let place = self.place(lhs)?;
            let place = self.materialise(place, lhs)?;
            let rhs = Place::value(self.value(rhs)?, self.adjusted(rhs));
            let (params, _) = self.lowering.types.signature(instance)?;
            let self_ty = params.first().copied().unwrap_or(place.ty);
            self.build.set_span(span);
            self.call_instance_on(instance, &[place.addr(self_ty), rhs])?;
            return Ok(unit());
        }
        let rhs = self.operand(rhs)?;
        let place = self.place(lhs)?;
        let place = self.deref_all(place)?;
        self.build.set_span(span);
        let old = self.read(&place)?;
        let new = self.op(op_of(op), vec![old, rhs])?;
        self.write(&place, new)?;
        Ok(unit())
    }

    pub(super) fn cast(&mut self, id: ExprId, inner: ExprId, ty: infer::Ty) -> Lowered<Operand> {
        let span = self.span(id);
        let from = self.adjusted(inner);
        if matches!(ty.kind(), TyKind::Ref(_) | TyKind::RefMut(_)) {
            let place = self.place(id)?;
            return self.read(&place);
        }
        let value = self.value(inner)?;
        self.build.set_span(span);
        let to = self.lowering.ty(ty)?;
        let got = self.operand_ty(&value)?;
        if got == to {
            return Ok(value);
        }
        match (from.kind(), to.kind()) {
            (TyKind::FnDef(_) | TyKind::Closure(_), IrKind::Fn(_)) => {
                self.op_as(&ops::ERASE, vec![value], to)
            }
            (TyKind::FnPtr(..), IrKind::Ref(pointee)) => {
                let pointer = self.op(&ops::REF_SHARED, vec![value])?;
                self.view(pointer, got, *pointee, false)
            }
            (TyKind::FnDef(_) | TyKind::FnPtr(..), _) => Err(LowerError::new(
                span,
                "the address of a function is asked for",
            )
            .with_help(
                "functions have no addresses here: compare what identifies them, such as a name or a number",
            )
            .into()),
            (TyKind::Adt(def, _), IrKind::Int(int)) => {
                discriminant::of_value(self.lowering, &mut self.build, *def, &value, *int)
            }
            (TyKind::Prim(_), IrKind::Ref(_)) => self.pointer_at(value, ty, to),
            _ => self.op_as(&ops::CAST, vec![value], to),
        }
    }

    /// An integer as a pointer, which points to nothing.
    fn pointer_at(&mut self, address: Operand, ty: infer::Ty, to: Ty) -> Lowered<Operand> {
        let (Some(def), Some(pointee)) = (self.lowering.program.lang("pointer_at"), self.pointee(ty)) else {
            return Err(self.error(self.build.span(), "internal: an integer is cast to what is no pointer"));
        };
        let address = match self.operand_ty(&address)? == Ty::usize() {
            true => address,
            false => self.op_as(&ops::CAST, vec![address], Ty::usize())?,
        };
        let instance = infer::Instance::new(def, [infer::Arg::Ty(pointee)]);
        Ok(self.build.call(self.lowering.symbol(instance), [address], to)?.into())
    }
}

fn op_of(op: BinOp) -> &'static OpDef {
    match op {
        BinOp::Add => &ops::ADD,
        BinOp::Sub => &ops::SUB,
        BinOp::Mul => &ops::MUL,
        BinOp::Div => &ops::DIV,
        BinOp::Rem => &ops::REM,
        BinOp::BitAnd => &ops::AND,
        BinOp::BitOr => &ops::OR,
        BinOp::BitXor => &ops::XOR,
        BinOp::Shl => &ops::SHL,
        BinOp::Shr => &ops::SHR,
        BinOp::Eq => &ops::EQ,
        BinOp::Ne => &ops::NE,
        BinOp::Lt => &ops::LT,
        BinOp::Le => &ops::LE,
        BinOp::Gt => &ops::GT,
        BinOp::Ge => &ops::GE,
    }
}
