//! The captures of closures and their modes, as of edition 2021: variables, or single fields of them.
//!
//! - CAPTURE1 a path of fields ends at the first reference, box or index on it.

use hashbrown::HashSet;

use super::super::cx::Cx;
use super::super::session::Types;
use super::super::ty::*;
use super::super::typed::*;
use super::operator::is_comparison;
use crate::hir::{ExprId, ExprKind, HirBody, LocalId, PatId, PatKind, Prim, Stmt, UnOp, ValuePath};

/// The effect on a captured place, from the weakest to the strongest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Usage {
    Read,
    Mutate,
    Consume,
}

/// A use of a variable of the enclosing function.
struct Use {
    local: LocalId,
    fields: Vec<u32>,
    usage: Usage,
    /// Whether the place is behind a reference that the variable holds.
    behind_reference: bool,
    ty: Ty,
}

struct Walk<'a> {
    types: &'a Types,
    typed: &'a Typed,
    body: &'a HirBody,
    inside: HashSet<LocalId>,
    uses: Vec<Use>,
}

/// The kind and the captures of a closure; those of nested closures are already known.
pub(super) fn captures(types: &Types, typed: &Typed, closure: ExprId) -> (ClosureKind, Vec<Capture>) {
    let body = &typed.body;
    let ExprKind::Closure { params, body: value, by_move, .. } = &body.exprs[closure.index()].kind else {
        return (ClosureKind::Fn, vec![]);
    };
    let mut walk = Walk { types, typed, body, inside: HashSet::new(), uses: vec![] };
    for (pat, _) in params {
        walk.declare(*pat);
    }
    walk.value(*value);
    let kind = walk.uses.iter().map(|found| found.usage).max();
    let kind = match kind {
        None | Some(Usage::Read) => ClosureKind::Fn,
        Some(Usage::Mutate) => ClosureKind::FnMut,
        Some(Usage::Consume) => ClosureKind::FnOnce,
    };
    (kind, merge(walk.uses, *by_move))
}

/// Merges the uses of a place and of its parts into one capture.
fn merge(uses: Vec<Use>, by_move: bool) -> Vec<Capture> {
    let mut found: Vec<(Use, Usage)> = vec![];
    for one in uses {
        let mut usage = one.usage;
        let mut merged = one;
        found.retain(|(other, other_usage)| {
            let overlap =
                other.local == merged.local && other.fields.iter().zip(&merged.fields).all(|(a, b)| a == b);
            if overlap {
                usage = usage.max(*other_usage);
                merged.behind_reference &= other.behind_reference;
                if other.fields.len() < merged.fields.len() {
                    merged.fields = other.fields.clone();
                    merged.ty = other.ty;
                }
            }
            !overlap
        });
        found.push((merged, usage));
    }
    found
        .into_iter()
        .map(|(one, usage)| {
            let mode = match (by_move, usage) {
                (true, Usage::Mutate) if !one.behind_reference => CaptureMode::MoveMut,
                (true, _) | (false, Usage::Consume) => CaptureMode::Move,
                (false, Usage::Read) => CaptureMode::Ref,
                (false, Usage::Mutate) => CaptureMode::RefMut,
            };
            Capture { local: one.local, fields: one.fields, mode, ty: one.ty }
        })
        .collect()
}

impl Walk<'_> {
    fn kind(&self, expr: ExprId) -> &ExprKind {
        &self.body.exprs[expr.index()].kind
    }

    fn is_place(&self, expr: ExprId) -> bool {
        matches!(
            self.kind(expr),
            ExprKind::Path(ValuePath::Local(_))
                | ExprKind::Field(..)
                | ExprKind::Index(..)
                | ExprKind::Unary(UnOp::Deref, _)
        )
    }

    /// Declares the variables of a pattern as local to the closure.
    fn declare(&mut self, pat: PatId) {
        match &self.body.pats[pat.index()].kind {
            PatKind::Bind { local, sub, .. } => {
                self.inside.insert(*local);
                if let Some(sub) = sub {
                    self.declare(*sub);
                }
            }
            PatKind::TupleStruct(_, pats, _) | PatKind::Tuple(pats, _) | PatKind::Or(pats) => {
                pats.iter().for_each(|&pat| self.declare(pat));
            }
            PatKind::Struct(_, fields) => fields.iter().for_each(|&(_, pat)| self.declare(pat)),
            PatKind::Slice { before, rest, after } => {
                before.iter().chain(rest).chain(after).for_each(|&pat| self.declare(pat));
            }
            PatKind::Ref(pat) => self.declare(*pat),
            PatKind::Wild | PatKind::Lit(_) | PatKind::Range { .. } | PatKind::Path(_) => {}
        }
    }

    /// The effect of a pattern on the place that it matches.
    fn usage_of_pat(&self, pat: PatId) -> Usage {
        let each = |pats: &mut dyn Iterator<Item = PatId>| {
            pats.map(|pat| self.usage_of_pat(pat)).max().unwrap_or(Usage::Read)
        };
        match &self.body.pats[pat.index()].kind {
            PatKind::Bind { sub, .. } => {
                let binding_usage = match self.typed.bindings.get(&pat) {
                    Some(BindMode::Ref(Mutability::Mut)) => Usage::Mutate,
                    Some(BindMode::Ref(Mutability::Shared)) => Usage::Read,
                    Some(BindMode::Value) | None => self.taking(self.typed.pats[pat.index()]),
                };
                binding_usage.max(each(&mut sub.iter().copied()))
            }
            PatKind::TupleStruct(_, pats, _) | PatKind::Tuple(pats, _) | PatKind::Or(pats) => {
                each(&mut pats.iter().copied())
            }
            PatKind::Struct(_, fields) => each(&mut fields.iter().map(|&(_, pat)| pat)),
            PatKind::Slice { before, rest, after } => {
                each(&mut before.iter().chain(rest).chain(after).copied())
            }
            PatKind::Ref(pat) => self.usage_of_pat(*pat),
            PatKind::Wild | PatKind::Lit(_) | PatKind::Range { .. } | PatKind::Path(_) => Usage::Read,
        }
    }

    /// The effect of moving a value out of a place.
    fn taking(&self, ty: Ty) -> Usage {
        match ty.kind() {
            // A mutable reference is reborrowed and not moved.
            TyKind::RefMut(_) => Usage::Mutate,
            _ if self.types.is_copy(ty) => Usage::Read,
            _ => Usage::Consume,
        }
    }

    /// Visits an expression whose value is used.
    fn value(&mut self, expr: ExprId) {
        if !self.is_place(expr) {
            return super::deep(|| self.parts(expr));
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
    fn place(&mut self, expr: ExprId, usage: Usage) {
        let mut fields = vec![];
        self.walk_place(expr, usage, false, &mut fields, true);
    }

    /// Walks from a place to its root. `fields` are the fields after it, last first.
    fn walk_place(
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
        let ty = self.typed.exprs[expr.index()];
        match self.kind(expr) {
            ExprKind::Path(ValuePath::Local(local)) => {
                let local = *local;
                if self.inside.contains(&local) {
                    return;
                }
                fields.reverse();
                let ty = self.place_ty(ty, fields);
                self.uses.push(Use { local, fields: fields.clone(), usage, behind_reference, ty });
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

    /// The type of a nested field of a type.
    fn place_ty(&self, ty: Ty, fields: &[u32]) -> Ty {
        let mut ty = ty;
        for &field in fields {
            let next = match ty.kind() {
                TyKind::Tuple(elems) => elems.get(field as usize).copied(),
                TyKind::Adt(def, _) => self
                    .types
                    .fields(ty, *def)
                    .ok()
                    .and_then(|all| all.get(field as usize).map(|&(_, ty)| ty)),
                _ => None,
            };
            ty = next.unwrap_or(ty);
        }
        ty
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
            ExprKind::Let(pat, init) => self.matched(*init, &[*pat]),
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
                base.iter().for_each(|&base| self.value(base));
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

    fn matched(&mut self, scrutinee: ExprId, pats: &[PatId]) {
        if self.is_place(scrutinee) && !self.typed.adjustments.contains_key(&scrutinee) {
            let usage = pats.iter().map(|&pat| self.usage_of_pat(pat)).max().unwrap_or(Usage::Read);
            self.place(scrutinee, usage);
        } else {
            self.value(scrutinee);
        }
        pats.iter().for_each(|&pat| self.declare(pat));
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
            let Capture { local, fields, ty, .. } = capture;
            self.uses.push(Use { local, fields, usage, behind_reference: false, ty });
        }
    }
}

/// The usage of a place that holds a pointer, given the usage of the place behind it.
fn through(pointer: Ty, usage: Usage, behind_reference: bool) -> (Usage, bool) {
    match pointer.kind() {
        TyKind::Ref(_) => (Usage::Read, true),
        TyKind::RefMut(_) => (if usage == Usage::Read { Usage::Read } else { Usage::Mutate }, true),
        _ => (usage, behind_reference),
    }
}

impl Cx<'_> {
    /// Whether no type that this may become is `Copy`.
    pub(in crate::infer) fn is_never_copy(&self, ty: Ty) -> bool {
        match self.shallow(ty).kind() {
            TyKind::RefMut(_) | TyKind::Slice(_) | TyKind::Dyn(_) | TyKind::Prim(Prim::Str) => true,
            TyKind::Tuple(elems) => elems.iter().any(|&elem| self.is_never_copy(elem)),
            TyKind::Array(elem, _) => self.is_never_copy(*elem),
            TyKind::Adt(def, _) => self.types.lang.get("copy").is_some_and(|copy| {
                self.types.program().impls_for(copy, crate::SelfHead::Def(*def)).is_empty()
            }),
            TyKind::Prim(_)
            | TyKind::Never
            | TyKind::Ref(_)
            | TyKind::FnDef(_)
            | TyKind::FnPtr(..)
            | TyKind::Closure(_)
            | TyKind::Opaque(..)
            | TyKind::Infer(_) => false,
        }
    }
}

impl Types {
    /// Whether values of the type are copied instead of moved.
    pub fn is_copy(&self, ty: Ty) -> bool {
        match ty.kind() {
            TyKind::Prim(_) | TyKind::Never | TyKind::Ref(_) | TyKind::FnDef(_) | TyKind::FnPtr(..) => true,
            TyKind::Tuple(elems) => elems.iter().all(|&elem| self.is_copy(elem)),
            TyKind::Array(elem, _) => self.is_copy(*elem),
            TyKind::Closure(id) => self.known_closure(*id).is_some_and(|closure| {
                closure.captures.iter().all(|capture| match capture.mode {
                    CaptureMode::Ref => true,
                    CaptureMode::RefMut => false,
                    CaptureMode::Move | CaptureMode::MoveMut => self.is_copy(capture.ty),
                })
            }),
            TyKind::Adt(def, args) => {
                let implements = self.lang.get("copy").is_some_and(|copy| {
                    !self.program().impls_for(copy, crate::SelfHead::Def(*def)).is_empty()
                });
                implements && args.iter().all(|arg| arg.ty().is_none_or(|ty| self.is_copy(ty)))
            }
            TyKind::RefMut(_) | TyKind::Slice(_) | TyKind::Dyn(_) | TyKind::Opaque(..) | TyKind::Infer(_) => {
                false
            }
        }
    }
}
