//! Places: fields, elements, referents of pointers.

use overdub_context::Symbol;

use super::super::cx::TraitPredicate;
use super::super::method::Via;
use super::super::solve::Verdict;
use super::coerce::deref_steps;
use super::*;
use crate::hir::{ExprKind, Prim};

/// The types of ranges; the last one is without bounds.
const RANGES: [&str; 6] =
    ["range", "range_inclusive", "range_from", "range_to", "range_to_inclusive", "range_full"];

impl Check<'_> {
    pub(super) fn check_field(&mut self, id: ExprId, base: ExprId, name: Symbol) -> Result<Ty> {
        let ty = self.check(base, Expect::Nothing)?;
        let ty = self.known(ty)?;
        let span = self.cx.span;
        let steps = self.cx.autoderef(ty)?;
        for (at, step) in steps.iter().enumerate() {
            let found = match step.ty.kind() {
                TyKind::Tuple(elems) => {
                    name.parse::<usize>().ok().and_then(|index| Some((index, *elems.get(index)?)))
                }
                TyKind::Adt(def, _) if self.cx.types.kind(*def) == DefKind::Struct => {
                    let fields = self.cx.fields_of(step.ty, *def, span)?;
                    fields
                        .iter()
                        .enumerate()
                        .find(|(_, (field, _))| *field == name)
                        .map(|(i, (_, ty))| (i, *ty))
                }
                TyKind::Infer(InferVar::Any(_)) => {
                    return self
                        .cx
                        .error(InferErrorKind::Unknown { what: "expression", ty: self.cx.show(ty) });
                }
                _ => None,
            };
            if let Some((index, field)) = found {
                self.adjust(base, deref_steps(&steps[1..=at], Mutability::Shared));
                self.fields.insert(id, index as u32);
                return Ok(field);
            }
        }
        self.cx.error(InferErrorKind::NoField { name, ty: self.cx.show(ty) })
    }

    pub(super) fn check_deref(&mut self, id: ExprId, operand: ExprId) -> Result<Ty> {
        let ty = self.check(operand, Expect::Nothing)?;
        let ty = self.known(ty)?;
        self.targets.insert(id, Target::Deref { operand: ty, mutability: Mutability::Shared });
        if let Some((_, pointee)) = self.cx.raw_pointee(ty) {
            return Ok(pointee);
        }
        match self.cx.deref_once(ty)? {
            Some((inner, _)) => Ok(inner),
            None => self.cx.error(InferErrorKind::NotDeref { ty: self.cx.show(ty) }),
        }
    }

    pub(super) fn check_index(&mut self, id: ExprId, base: ExprId, index: ExprId) -> Result<Ty> {
        let base_ty = self.check(base, Expect::Nothing)?;
        let base_ty = self.known(base_ty)?;
        let index_ty = self.check(index, Expect::Nothing)?;
        let index_ty = self.known(index_ty)?;
        let steps = self.cx.autoderef(base_ty)?;
        for (at, step) in steps.iter().enumerate() {
            let step_ty = self.cx.shallow(step.ty);
            let found = match step_ty.kind() {
                // By a type of the program, with an impl of its own.
                TyKind::Array(..) | TyKind::Slice(_) | TyKind::Prim(Prim::Str) | TyKind::Adt(..)
                    if self.is_own_index(index_ty) =>
                {
                    self.overloaded_index(step_ty, index_ty)?
                }
                TyKind::Array(elem, _) | TyKind::Slice(elem) => {
                    self.builtin_index(index_ty, Some(*elem), Ty::slice(*elem))?
                }
                TyKind::Prim(Prim::Str) => self.builtin_index(index_ty, None, step_ty)?,
                // A `Vec` or `String` is indexed as a slice.
                _ if self.is_slice_owner(step_ty) => None,
                TyKind::Adt(..) | TyKind::Dyn(_) | TyKind::Opaque(..) => {
                    self.overloaded_index(step_ty, index_ty)?
                }
                _ => None,
            };
            if let Some(ty) = found {
                self.adjust(base, deref_steps(&steps[1..=at], Mutability::Shared));
                let target = Target::Index { base: step_ty, index: index_ty, mutability: Mutability::Shared };
                self.targets.insert(id, target);
                return Ok(ty);
            }
        }
        let (ty, index) = (self.cx.show(base_ty), self.cx.show(index_ty));
        self.cx.error(InferErrorKind::NotIndexable { ty, index })
    }

    fn is_slice_owner(&self, ty: Ty) -> bool {
        ["vec", "string"].iter().any(|name| self.cx.as_lang(ty, name).is_some())
    }

    /// Whether an index is no integer and no range, so that only a program's impl gives it a meaning.
    pub(super) fn is_own_index(&self, index: Ty) -> bool {
        let mut ranges = RANGES.iter();
        matches!(index.kind(), TyKind::Adt(..) | TyKind::Tuple(_) | TyKind::Ref(_))
            && !ranges.any(|name| self.cx.as_lang(index, name).is_some())
    }

    /// The result type of indexing an array or a string by an integer or a range.
    fn builtin_index(&mut self, index: Ty, elem: Option<Ty>, part: Ty) -> Result<Option<Ty>> {
        for range in &RANGES[..5] {
            if let Some([Arg::Ty(bound)]) = self.cx.as_lang(index, range) {
                return Ok(self.cx.unify(*bound, Ty::usize()).then_some(part));
            }
        }
        if self.cx.as_lang(index, "range_full").is_some() {
            return Ok(Some(part));
        }
        match elem {
            Some(elem) if self.cx.unify(index, Ty::usize()) => Ok(Some(elem)),
            _ => Ok(None),
        }
    }

    fn overloaded_index(&mut self, base: Ty, index: Ty) -> Result<Option<Ty>> {
        let predicate = TraitPredicate::new(self.cx.lang("index")?, [Arg::Ty(base), Arg::Ty(index)]);
        if self.cx.evaluate(&[Goal::Trait(predicate.clone())]) == Verdict::No {
            // For example `map["key"]`: the index may still be coerced to the type that the impl requires.
            return Ok(None);
        }
        self.cx.require(Goal::Trait(predicate.clone()));
        let span = self.cx.span;
        self.cx.normalize(predicate, Symbol::new("Output"), vec![], span).map(Some)
    }

    /// Changes the adjustments of a place to `deref_mut` and `index_mut`, because it is changed or borrowed
    /// mutably.
    pub(super) fn make_mutable(&mut self, place: ExprId) {
        let body = self.body.clone();
        let mut next = Some(place);
        while let Some(expr) = next {
            if let Some(steps) = self.adjustments.get_mut(&expr) {
                for step in steps {
                    if let OpenAdjust::Overloaded(mutability) = &mut step.kind {
                        *mutability = Mutability::Mut;
                    }
                }
            }
            next = match &body.exprs[expr.index()].kind {
                ExprKind::Field(base, _) => Some(*base),
                ExprKind::Index(base, _) => {
                    if let Some(Target::Index { mutability, .. }) = self.targets.get_mut(&expr) {
                        *mutability = Mutability::Mut;
                    }
                    Some(*base)
                }
                ExprKind::Unary(UnOp::Deref, base) => {
                    if let Some(Target::Deref { mutability, .. }) = self.targets.get_mut(&expr) {
                        *mutability = Mutability::Mut;
                    }
                    Some(*base)
                }
                _ => None,
            };
        }
    }

    /// Whether a pattern takes a mutable reference into what it matches.
    pub(super) fn pat_mutates(&self, pat: PatId) -> bool {
        if self.bindings.get(&pat) == Some(&BindMode::Ref(Mutability::Mut)) {
            return true;
        }
        self.body.pats[pat.index()].kind.parts().into_iter().any(|part| self.pat_mutates(part))
    }

    /// Whether a type is dereferenced by a built-in operation.
    pub(super) fn is_builtin_deref(&mut self, ty: Ty) -> Result<bool> {
        Ok(self.cx.raw_pointee(ty).is_some()
            || self.cx.deref_once(ty)?.is_none_or(|(_, via)| via == Via::Builtin))
    }
}
