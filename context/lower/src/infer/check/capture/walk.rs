//! The uses of variables in the body of a closure.

use overdub_context::Symbol;

use super::super::super::ty::*;
use super::super::super::typed::*;
use super::super::operator::is_comparison;
use super::{Usage, Walk, through};
use crate::hir::{ExprId, ExprKind, PatId, Stmt, UnOp, ValuePath};

impl Walk<'_> {
    pub(super) fn kind(&self, expr: ExprId) -> &ExprKind {
        &self.body.exprs[expr.index()].kind
    }

    pub(super) fn is_place(&self, expr: ExprId) -> bool {
        matches!(
            self.kind(expr),
            ExprKind::Path(ValuePath::Local(_))
                | ExprKind::Field(..)
                | ExprKind::Index(..)
                | ExprKind::Unary(UnOp::Deref, _)
        )
    }

    /// Visits an expression whose value is used.
    pub(super) fn value(&mut self, expr: ExprId) {
        if !self.is_place(expr) {
            return super::super::deep(|| self.parts(expr));
        }
        let steps = self.typed.adjustments.get(&expr).map_or(&[][..], |list| &list[..]);
        let borrow = steps.iter().find_map(|step| match step.kind {
            Adjust::Borrow(mutability) => Some(mutability),
            _ => None,
        });
        let usage = match borrow {
            Some(Mutability::Mut) => Usage::Mutate,
            Some(Mutability::Shared) => Usage::Read,
            None if steps.iter().any(|step| step.kind == Adjust::MutToShared) => Usage::Read,
            None => self.taking(self.typed.adjusted(expr)),
        };
        self.place(expr, usage);
    }

    /// Records a use of a place, after its adjustments.
    pub(super) fn place(&mut self, expr: ExprId, usage: Usage) {
        let mut fields = vec![];
        self.walk_place(expr, usage, false, &mut fields, true);
    }

    /// Walks from a place to its root. `fields` are the fields after it, last first.
    pub(super) fn walk_place(
        &mut self,
        expr: ExprId,
        mut usage: Usage,
        mut behind_reference: bool,
        fields: &mut Vec<u32>,
        adjusted: bool,
    ) {
        if adjusted && let Some(steps) = self.typed.adjustments.get(&expr) {
            let mut from = self.typed.exprs[expr.index()];
            for step in steps {
                if let Adjust::Deref | Adjust::OverloadedDeref(_) = step.kind {
                    (usage, behind_reference) = through(from, usage, behind_reference);
                    fields.clear();
                }
                from = step.ty;
            }
        }
        match self.kind(expr) {
            ExprKind::Path(ValuePath::Local(local)) => {
                let local = *local;
                if self.inside.contains(&local) {
                    return;
                }
                fields.reverse();
                self.use_of(local, fields, usage, behind_reference);
            }
            ExprKind::Field(base, _) => {
                let base = *base;
                if let Some(&index) = self.typed.fields.get(&expr) {
                    fields.push(index);
                }
                self.walk_place(base, usage, behind_reference, fields, true);
            }
            ExprKind::Index(base, index) => {
                let (base, index) = (*base, *index);
                self.value(index);
                fields.clear();
                let usage = if usage == Usage::Consume { Usage::Read } else { usage };
                self.walk_place(base, usage, behind_reference, fields, true);
            }
            ExprKind::Unary(UnOp::Deref, base) => {
                let base = *base;
                fields.clear();
                let (usage, behind_reference) = through(self.typed.adjusted(base), usage, behind_reference);
                self.walk_place(base, usage, behind_reference, fields, true);
            }
            _ => self.parts(expr),
        }
    }

    /// Visits the operands of an expression that is not a place.
    fn parts(&mut self, expr: ExprId) {
        let body = self.body;
        match &body.exprs[expr.index()].kind {
            ExprKind::Lit(_) | ExprKind::Path(_) | ExprKind::Continue { .. } | ExprKind::Unsupported(_) => {}
            ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) => {
                self.place(expr, Usage::Read);
            }
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand, _) | ExprKind::Try(operand) => {
                self.value(*operand);
            }
            ExprKind::Binary(op, a, b) => {
                let by_ref = is_comparison(*op);
                for operand in [*a, *b] {
                    if by_ref && self.is_place(operand) {
                        self.place(operand, Usage::Read);
                    } else {
                        self.value(operand);
                    }
                }
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.value(*a);
                self.value(*b);
            }
            ExprKind::Assign(place, value) | ExprKind::AssignOp(_, place, value) => {
                self.value(*value);
                self.place(*place, Usage::Mutate);
            }
            ExprKind::Call(func, args) => {
                if let Some(Callee::Value) = self.typed.callees.get(&expr) {
                    self.called(*func);
                } else {
                    self.value(*func);
                }
                args.iter().for_each(|&arg| self.value(arg));
            }
            ExprKind::MethodCall { receiver, args, .. } => {
                self.value(*receiver);
                args.iter().for_each(|&arg| self.value(arg));
            }
            ExprKind::AddrOf { mutable, place, .. } => {
                self.place(*place, if *mutable { Usage::Mutate } else { Usage::Read });
            }
            ExprKind::Block(block) => {
                for stmt in &block.stmts {
                    self.stmt(stmt);
                }
                block.tail.iter().for_each(|&tail| self.value(tail));
            }
            ExprKind::If(condition, then, otherwise) => {
                self.value(*condition);
                self.value(*then);
                otherwise.iter().for_each(|&otherwise| self.value(otherwise));
            }
            ExprKind::Let(pat, init) => {
                if self.is_place(*init) {
                    self.place(*init, Usage::Read);
                }
                self.matched(*init, &[*pat]);
            }
            ExprKind::Match(scrutinee, arms) => {
                let pats: Vec<PatId> = arms.iter().map(|arm| arm.pat).collect();
                self.matched(*scrutinee, &pats);
                for arm in arms {
                    arm.guard.iter().for_each(|&guard| self.value(guard));
                    self.value(arm.body);
                }
            }
            ExprKind::Loop(inner) => self.value(*inner),
            ExprKind::Break { value, .. } | ExprKind::Return(value) => {
                value.iter().for_each(|&value| self.value(value));
            }
            ExprKind::Closure { .. } => self.inner_closure(expr),
            ExprKind::Struct { fields, base, .. } => {
                fields.iter().for_each(|&(_, value)| self.value(value));
                if let Some(base) = base {
                    let given: Vec<Symbol> = fields.iter().map(|&(name, _)| name).collect();
                    self.base(*base, &given);
                }
            }
            ExprKind::Tuple(elems) | ExprKind::Array(elems) => {
                elems.iter().for_each(|&elem| self.value(elem))
            }
            ExprKind::Repeat(elem, _) => self.value(*elem),
            ExprKind::Format(format) => {
                for &arg in &format.args {
                    if self.is_place(arg) { self.place(arg, Usage::Read) } else { self.value(arg) }
                }
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Expr(expr) => self.value(*expr),
            Stmt::Let { pat, init, otherwise, .. } => {
                match init {
                    Some(init) => self.matched(*init, &[*pat]),
                    None => self.declare(*pat),
                }
                otherwise.iter().for_each(|&otherwise| self.value(otherwise));
            }
        }
    }

    /// `..base`, which gives the fields that are not `given`.
    fn base(&mut self, base: ExprId, given: &[Symbol]) {
        let ty = self.typed.adjusted(base);
        let fields = match ty.kind() {
            TyKind::Adt(def, _) if self.is_place(base) => self.types.fields(ty, *def).ok(),
            _ => None,
        };
        let Some(fields) = fields else { return self.value(base) };
        for (at, (name, ty)) in (0..).zip(fields) {
            if !given.contains(&name) {
                self.walk_place(base, self.taking(ty), false, &mut vec![at], true);
            }
        }
    }

    /// Records a call of a closure, a function pointer or an object, whose usage depends on its type.
    fn called(&mut self, func: ExprId) {
        if !self.is_place(func) {
            return self.value(func);
        }
        let usage = match self.typed.adjusted(func).kind() {
            TyKind::Closure(id) => match self.closure_kind(*id) {
                ClosureKind::Fn => Usage::Read,
                ClosureKind::FnMut => Usage::Mutate,
                ClosureKind::FnOnce => self.taking(self.typed.adjusted(func)),
            },
            TyKind::Dyn(bounds) => match bounds.first().map(|bound| self.types.item_name(bound.def)) {
                Some(name) if &*name == "Fn" => Usage::Read,
                _ => Usage::Mutate,
            },
            _ => Usage::Read,
        };
        self.place(func, usage);
    }

    fn closure_kind(&self, id: ClosureId) -> ClosureKind {
        match self.typed.closures.get(&id.expr).filter(|_| id.owner == self.typed.instance) {
            Some(known) => known.kind,
            None => self.types.known_closure(id).map_or(ClosureKind::Fn, |known| known.kind),
        }
    }

    fn inner_closure(&mut self, expr: ExprId) {
        let Some(inner) = self.typed.closures.get(&expr) else { return };
        for capture in inner.captures.clone() {
            if self.inside.contains(&capture.local) {
                continue;
            }
            let usage = match capture.mode {
                CaptureMode::Ref => Usage::Read,
                CaptureMode::RefMut => Usage::Mutate,
                CaptureMode::Move | CaptureMode::MoveMut => self.taking(capture.ty),
            };
            self.use_of(capture.local, &capture.fields, usage, false);
        }
    }
}
