//! Coercions: references, unsizing, functions to pointers, divergence.
//!
//! - COERCE1 the adjustments of a coercion are determined first and recorded only if it succeeds.

use super::super::cx::Goal;
use super::super::method::{AutoderefStep, Via};
use super::super::solve::Verdict;
use super::*;

/// Expressions that are coerced to a common type: branches, elements, values of a loop.
pub(super) struct Join {
    ty: Ty,
    exprs: Vec<ExprId>,
    empty: bool,
}

impl Join {
    /// Expressions expected to become `ty`, which may be a variable.
    pub(super) fn new(ty: Ty) -> Join {
        Join { ty, exprs: vec![], empty: true }
    }

    /// The target type.
    pub(super) fn target(&self) -> Ty {
        self.ty
    }

    /// The common type; `!` if there was no expression.
    pub(super) fn finish(self) -> Ty {
        if self.empty { Ty::never() } else { self.ty }
    }
}

impl Check<'_> {
    /// The expected type of branches: an unknown type is not propagated to them.
    pub(super) fn branches(&mut self, expect: Expect) -> Expect {
        match expect {
            Expect::Type(ty) | Expect::Hint(ty)
                if matches!(self.cx.shallow(ty).kind(), TyKind::Infer(InferVar::Any(_))) =>
            {
                Expect::Nothing
            }
            _ => expect,
        }
    }

    pub(super) fn join_for(&mut self, expect: Expect) -> Join {
        Join::new(match expect.target() {
            Some(ty) => ty,
            None => self.cx.fresh(),
        })
    }

    /// Adds an expression.
    pub(super) fn join(&mut self, join: &mut Join, expr: ExprId, ty: Ty) -> Result<()> {
        if join.empty {
            self.coerce(expr, ty, join.ty)?;
        } else if !self.try_coerce(expr, ty, join.ty)? {
            self.join_differing(join, expr, ty)?;
        }
        join.empty = false;
        join.exprs.push(expr);
        Ok(())
    }

    /// Adds `()`.
    pub(super) fn join_unit(&mut self, join: &mut Join) -> Result<()> {
        join.empty = false;
        if self.cx.unify(join.ty, Ty::unit()) { Ok(()) } else { self.cx.mismatch(join.ty, Ty::unit()) }
    }

    /// Functions and closures of different types become pointers; otherwise the earlier expressions are
    /// coerced to the new type.
    fn join_differing(&mut self, join: &mut Join, expr: ExprId, ty: Ty) -> Result<()> {
        let (before, new) = (self.cx.shallow(join.ty), self.cx.shallow(ty));
        let is_func = |ty: Ty| matches!(ty.kind(), TyKind::FnDef(_) | TyKind::Closure(_));
        if is_func(before) && is_func(new) {
            let Some((params, ret)) = self.cx.callable(before)? else { return self.cx.mismatch(before, new) };
            let pointer = Ty::new(TyKind::FnPtr(params.into(), ret));
            for &earlier in &join.exprs {
                self.coerce(earlier, before, pointer)?;
            }
            join.ty = pointer;
            return self.coerce(expr, new, pointer);
        }
        for &earlier in &join.exprs {
            let found = self.exprs[earlier.index()].unwrap_or(before);
            if self.adjustments.contains_key(&earlier) {
                return self.cx.mismatch(before, new);
            }
            self.coerce(earlier, found, new)?;
        }
        join.ty = new;
        Ok(())
    }

    /// Coerces an expression of type `from` to `to`.
    pub(super) fn coerce(&mut self, expr: ExprId, from: Ty, to: Ty) -> Result<()> {
        if self.try_coerce(expr, from, to)? { Ok(()) } else { self.cx.mismatch(to, from) }
    }

    pub(super) fn try_coerce(&mut self, expr: ExprId, from: Ty, to: Ty) -> Result<bool> {
        let from = self.known_without_bounds(from)?;
        // `&s` is coerced to `&str` through the type of `s`, which may follow from pending obligations.
        let mut pointee = from;
        while let Some((_, inner)) = pointee.referent() {
            pointee = self.cx.shallow(inner);
        }
        self.known_without_bounds(pointee)?;
        let to = self.cx.shallow(to);
        match self.coercion(from, to)? {
            Some(steps) => {
                self.adjust(expr, steps);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    pub(super) fn adjust(&mut self, expr: ExprId, steps: Vec<OpenAdjustment>) {
        if !steps.is_empty() {
            self.adjustments.entry(expr).or_default().extend(steps);
        }
    }

    fn coercion(&mut self, from: Ty, to: Ty) -> Result<Option<Vec<OpenAdjustment>>> {
        if from == to {
            return Ok(Some(vec![]));
        }
        if from.is_never() {
            if let TyKind::Infer(InferVar::Any(_)) = to.kind() {
                let diverging = self.cx.table.fresh_diverging();
                self.cx.unify(to, diverging);
            }
            return Ok(Some(vec![OpenAdjustment { kind: OpenAdjust::NeverToAny, ty: to }]));
        }
        if let TyKind::Infer(InferVar::Any(_)) = from.kind() {
            return Ok(self.cx.unify(from, to).then(Vec::new));
        }
        if let Some((mutability, pointee)) = self.cx.raw_pointee(to) {
            return Ok(self.pointer_coercion(from, to, mutability, pointee));
        }
        if let Some(steps) = self.unsize(from, to)? {
            return Ok(Some(steps));
        }
        match (from.kind(), to.kind()) {
            (TyKind::Ref(_) | TyKind::RefMut(_), TyKind::Ref(inner)) => {
                self.reborrow(from, to, *inner, Mutability::Shared)
            }
            (TyKind::RefMut(_), TyKind::RefMut(inner)) => self.reborrow(from, to, *inner, Mutability::Mut),
            (TyKind::FnDef(_) | TyKind::Closure(_), TyKind::FnPtr(..)) => self.as_pointer(from, to),
            _ => Ok(self.cx.unify(from, to).then(Vec::new)),
        }
    }

    /// The coercion of a reference or `*mut T` to a raw pointer.
    fn pointer_coercion(
        &mut self,
        from: Ty,
        to: Ty,
        mutability: Mutability,
        pointee: Ty,
    ) -> Option<Vec<OpenAdjustment>> {
        if let Some((found, inner)) = self.cx.raw_pointee(from) {
            let fits = found == mutability || mutability == Mutability::Shared;
            let step = OpenAdjustment { kind: OpenAdjust::PointerToPointer, ty: to };
            return (fits && self.cx.unify(inner, pointee)).then(|| vec![step]);
        }
        let (found, inner) = from.referent()?;
        if found == Mutability::Shared && mutability == Mutability::Mut {
            return None;
        }
        let step = OpenAdjustment { kind: OpenAdjust::RefToPointer, ty: to };
        if self.cx.unify(inner, pointee) {
            return Some(vec![step]);
        }
        match (self.cx.shallow(inner).kind(), self.cx.shallow(pointee).kind()) {
            (TyKind::Array(a, _), TyKind::Slice(b)) if self.cx.unify(*a, *b) => {
                let slice = Ty::reference(found, pointee);
                Some(vec![OpenAdjustment { kind: OpenAdjust::UnsizeArray, ty: slice }, step])
            }
            _ => None,
        }
    }

    /// A cast between pointer types, or from a reference to an array to a pointer to its first element.
    pub(super) fn cast_pointer(&mut self, expr: ExprId, from: Ty, to: Ty) -> Result<()> {
        let from = self.known_without_bounds(from)?;
        if self.try_coerce(expr, from, to)? {
            return Ok(());
        }
        let mut steps = vec![];
        let found = match (self.cx.raw_pointee(from), from.referent()) {
            (Some((_, pointee)), _) => Some(pointee),
            (None, Some((mutability, referent))) => match self.cx.shallow(referent).kind() {
                TyKind::Array(..) => {
                    let ty = self.cx.raw_pointer(mutability, referent)?;
                    steps.push(OpenAdjustment { kind: OpenAdjust::RefToPointer, ty });
                    Some(referent)
                }
                _ => None,
            },
            (None, None) => None,
        };
        let is_int = match from.kind() {
            TyKind::Prim(prim) => crate::infer::cx::is_int(*prim),
            TyKind::Infer(InferVar::Int(_)) => self.cx.unify(from, Ty::prim(crate::hir::Prim::Usize)),
            _ => false,
        };
        if is_int && self.cx.raw_pointee(to).is_some() {
            return Ok(());
        }
        // A function behind a pointer, which only `transmute` makes a function again.
        if matches!(from.kind(), TyKind::FnDef(_) | TyKind::FnPtr(..))
            && self.cx.raw_pointee(to).is_some()
            && let Some((params, ret)) = self.cx.callable(from)?
        {
            let ty = Ty::new(TyKind::FnPtr(params.into(), ret));
            if matches!(from.kind(), TyKind::FnDef(_)) {
                self.adjust(expr, vec![OpenAdjustment { kind: OpenAdjust::FnToPointer, ty }]);
            }
            return Ok(());
        }
        let (Some(found), Some((_, expected))) = (found, self.cx.raw_pointee(to)) else {
            let (from, to) = (self.cx.show(from), self.cx.show(to));
            return self.cx.error(InferErrorKind::Cast { from, to });
        };
        if matches!(self.cx.shallow(expected).kind(), TyKind::Infer(_)) {
            self.cx.unify(found, expected);
        }
        steps.push(OpenAdjustment { kind: OpenAdjust::PointerToPointer, ty: to });
        self.adjust(expr, steps);
        Ok(())
    }

    fn as_pointer(&mut self, from: Ty, to: Ty) -> Result<Option<Vec<OpenAdjustment>>> {
        let Some((params, ret)) = self.cx.callable(from)? else { return Ok(None) };
        let kind = match from.kind() {
            TyKind::FnDef(_) => OpenAdjust::FnToPointer,
            _ => OpenAdjust::ClosureToPointer,
        };
        let pointer = Ty::new(TyKind::FnPtr(params.into(), ret));
        Ok(self.cx.unify(pointer, to).then(|| vec![OpenAdjustment { kind, ty: to }]))
    }

    /// The coercion of `&A` to `&B`, where repeatedly dereferencing `A` yields `B`.
    fn reborrow(
        &mut self,
        from: Ty,
        to: Ty,
        inner: Ty,
        mutability: Mutability,
    ) -> Result<Option<Vec<OpenAdjustment>>> {
        // Most references already have the target type.
        if let Some((found, pointee)) = from.referent()
            && self.cx.unify(pointee, inner)
        {
            return Ok(Some(match (found, mutability) {
                (Mutability::Mut, Mutability::Shared) => {
                    vec![OpenAdjustment { kind: OpenAdjust::MutToShared, ty: to }]
                }
                _ => vec![],
            }));
        }
        let steps = self.cx.autoderef(from)?;
        for at in 2..steps.len() {
            if self.cx.unify(steps[at].ty, inner) {
                let mut list = deref_steps(&steps[1..=at], mutability);
                list.push(OpenAdjustment { kind: OpenAdjust::Borrow(mutability), ty: to });
                return Ok(Some(list));
            }
        }
        Ok(None)
    }

    /// The unsizing behind a pointer of an array to a slice, or of a value to an object.
    fn unsize(&mut self, from: Ty, to: Ty) -> Result<Option<Vec<OpenAdjustment>>> {
        let (source, target, becomes_shared) = match (from.kind(), to.kind()) {
            (TyKind::Ref(a), TyKind::Ref(b)) | (TyKind::RefMut(a), TyKind::RefMut(b)) => (*a, *b, false),
            (TyKind::RefMut(a), TyKind::Ref(b)) => (*a, *b, true),
            (TyKind::Adt(d, a), TyKind::Adt(e, b)) if d == e && self.is_owning_pointer(*d) => {
                match (a.first(), b.first()) {
                    (Some(Arg::Ty(a)), Some(Arg::Ty(b))) => (*a, *b, false),
                    _ => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        let is_copied = !matches!(to.kind(), TyKind::RefMut(_));
        let (source, target) = self.unsized_tails(source, target, is_copied);
        let mut steps = vec![];
        if becomes_shared {
            steps.push(OpenAdjustment { kind: OpenAdjust::MutToShared, ty: Ty::shared(source) });
        }
        match (source.kind(), target.kind()) {
            (TyKind::Array(a, _), TyKind::Slice(b)) if self.cx.unify(*a, *b) => {
                steps.push(OpenAdjustment { kind: OpenAdjust::UnsizeArray, ty: to });
                Ok(Some(steps))
            }
            (TyKind::Infer(InferVar::Any(_)), TyKind::Dyn(_)) => Ok(None),
            (_, TyKind::Dyn(bounds)) => {
                if matches!(source.kind(), TyKind::Dyn(_)) && self.cx.unify(source, target) {
                    return Ok(None);
                }
                let goals = self.object_goals(source, bounds)?;
                if self.cx.evaluate(&goals) == Verdict::No {
                    return Ok(None);
                }
                self.cx.require_all(goals);
                steps.push(OpenAdjustment { kind: OpenAdjust::UnsizeDyn, ty: to });
                Ok(Some(steps))
            }
            _ => Ok(None),
        }
    }

    /// The differing parts of a struct and one that contains an object in its last field: `RefCell<T>` and
    /// `RefCell<dyn Trait>`. Unless the field is in a cell, the object is in a copy of the struct, which a `&mut` would not
    /// write to.
    fn unsized_tails(&mut self, source: Ty, target: Ty, is_copied: bool) -> (Ty, Ty) {
        let (source, target) = (self.cx.shallow(source), self.cx.shallow(target));
        match (source.kind(), target.kind()) {
            (TyKind::Adt(d, a), TyKind::Adt(e, b))
                if d == e
                    && (self.holds_last(*d) || is_copied && self.cx.types.kind(*d) == DefKind::Struct) =>
            {
                match (a.last(), b.last()) {
                    (Some(Arg::Ty(a)), Some(Arg::Ty(b))) => self.unsized_tails(*a, *b, is_copied),
                    _ => (source, target),
                }
            }
            _ => (source, target),
        }
    }

    pub(super) fn holds_last(&self, def: crate::hir::DefId) -> bool {
        ["cell", "ref_cell", "mutex", "rw_lock"].iter().any(|name| self.cx.types.lang.is(def, name))
    }

    /// The obligations on the type that becomes an object. Associated types may be those of supertraits.
    fn object_goals(&mut self, object: Ty, bounds: &[DynBound]) -> Result<Vec<Goal>> {
        let mut goals = vec![];
        for bound in bounds {
            let predicate = bound.predicate(object);
            goals.push(Goal::Trait(predicate.clone()));
            for &(name, out) in &bound.bindings {
                let predicate = self.cx.assoc_owner(&predicate, name)?.unwrap_or_else(|| predicate.clone());
                goals.push(Goal::Project { predicate, name, own_args: Box::default(), out });
            }
        }
        Ok(goals)
    }

    fn is_owning_pointer(&self, def: crate::hir::DefId) -> bool {
        ["box", "rc", "arc"].iter().any(|name| self.cx.types.lang.is(def, name))
    }
}

/// The adjustments of dereferencing along these steps.
pub(super) fn deref_steps(steps: &[AutoderefStep], mutability: Mutability) -> Vec<OpenAdjustment> {
    steps
        .iter()
        .filter_map(|step| {
            let kind = match step.via {
                Via::Builtin => OpenAdjust::Deref,
                Via::Overloaded => OpenAdjust::Overloaded(mutability),
                Via::Start | Via::Unsize => return None,
            };
            Some(OpenAdjustment { kind, ty: step.ty })
        })
        .collect()
}
