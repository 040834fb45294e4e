//! Values that can be called: functions, closures, and objects of traits that require `Fn`.

use overdub_context::Symbol;

use super::cx::{Cx, TraitPredicate};
use super::error::Result;
use super::select::{Choice, ImplSource};
use super::ty::*;
use crate::hir::{DefId, TypeKind};

impl Cx<'_> {
    pub(super) fn choose_callable(&mut self, predicate: &TraitPredicate, self_ty: Ty) -> Result<Choice> {
        if let Some((params, ret)) = self.callable(self_ty)? {
            return Ok(Choice::One(ImplSource::Callable { params: params.into(), ret }));
        }
        let mut inner = self_ty;
        while let Some(next) = self.shallow(inner).referent() {
            inner = next.1;
        }
        match self.shallow(inner).kind() {
            TyKind::Infer(InferVar::Any(_)) => Ok(Choice::Open),
            _ => self.choose_impl(predicate, self_ty),
        }
    }

    /// The parameters and result for calling a value of this type.
    pub(super) fn callable(&mut self, ty: Ty) -> Result<Option<(Vec<Ty>, Ty)>> {
        let ty = self.shallow(ty);
        if let Some(found) = self.callable_of_param(ty) {
            return Ok(Some(found));
        }
        match ty.kind() {
            TyKind::FnDef(func) => self.nested(|cx| cx.signature_of(*func)).map(Some),
            TyKind::FnPtr(params, ret) => Ok(Some((params.to_vec(), *ret))),
            TyKind::Closure(id) => {
                if let Some(open) = self.closures.get(id) {
                    return Ok(Some((open.params.to_vec(), open.ret)));
                }
                let known = match self.types.known_closure(*id) {
                    Some(known) => known,
                    None => self.types.closure(*id)?,
                };
                Ok(Some((known.params.clone(), known.ret)))
            }
            TyKind::Ref(inner) | TyKind::RefMut(inner) => self.nested(|cx| cx.callable(*inner)),
            TyKind::Adt(def, args)
                if ["box", "rc", "arc"].iter().any(|name| self.types.lang.is(*def, name)) =>
            {
                match args.first().and_then(|arg| arg.ty()) {
                    Some(inner) => self.nested(|cx| cx.callable(inner)),
                    None => Ok(None),
                }
            }
            TyKind::Dyn(bounds) => self.callable_of_bounds(ty, bounds),
            TyKind::Opaque(..) => {
                let is_called = |cx: &Self, bound: &DynBound| cx.requires_fn(bound.def, &mut vec![]);
                let bounds = match self.bare_bounds_of(ty)?.iter().any(|bound| is_called(self, bound)) {
                    true => self.bounds_of(ty)?,
                    false => vec![],
                };
                match self.callable_of_bounds(ty, &bounds)? {
                    Some(found) => Ok(Some(found)),
                    None => match self.reveal(ty) {
                        Some(ty) => self.nested(|cx| cx.callable(ty)),
                        None => Ok(None),
                    },
                }
            }
            TyKind::Prim(_)
            | TyKind::Never
            | TyKind::Tuple(_)
            | TyKind::Adt(..)
            | TyKind::Slice(_)
            | TyKind::Array(..)
            | TyKind::Infer(_) => Ok(None),
        }
    }

    /// The signature that a where clause gives a parameter (TY4): `F: Fn(A) -> B`.
    fn callable_of_param(&self, ty: Ty) -> Option<(Vec<Ty>, Ty)> {
        if !ty.is_param() {
            return None;
        }
        let is_it = |(known, ..): &&(TraitPredicate, Symbol, Ty)| {
            known.self_ty() == ty && self.types.lang.is_fn(known.trait_)
        };
        let (known, _, ret) = self.bound_assocs.iter().find(is_it)?;
        match known.args.get(1)?.ty()?.kind() {
            TyKind::Tuple(params) => Some((params.to_vec(), *ret)),
            _ => None,
        }
    }

    /// The parameters and result of a `dyn` or `impl Trait` type: of an `Fn` bound, or of one that a trait
    /// among the bounds requires.
    fn callable_of_bounds(&mut self, ty: Ty, bounds: &[DynBound]) -> Result<Option<(Vec<Ty>, Ty)>> {
        let is_fn = |cx: &Self, bound: &DynBound| cx.types.lang.is_fn(bound.def);
        if let Some(bound) = bounds.iter().find(|bound| is_fn(self, bound)) {
            return Ok(self.callable_of_bound(bound));
        }
        for bound in bounds {
            if !self.requires_fn(bound.def, &mut vec![]) {
                continue;
            }
            if let Some(bound) = self.fn_bounds(ty, bound)?.first() {
                return Ok(self.callable_of_bound(bound));
            }
        }
        Ok(None)
    }

    fn callable_of_bound(&self, bound: &DynBound) -> Option<(Vec<Ty>, Ty)> {
        let params = self.shallow(bound.args.first()?.ty()?);
        let TyKind::Tuple(params) = params.kind() else { return None };
        Some((params.to_vec(), bound.bindings.first().map_or_else(Ty::unit, |(_, ty)| *ty)))
    }

    /// The signature by which an object is called, if its traits are not `Fn` traits but require one.
    pub(super) fn object_call(&mut self, ty: Ty) -> Result<Option<(Vec<Ty>, Ty)>> {
        match ty.kind() {
            TyKind::Dyn(bounds) if !bounds.iter().any(|bound| self.types.lang.is_fn(bound.def)) => {
                self.callable_of_bounds(ty, bounds)
            }
            _ => Ok(None),
        }
    }

    /// Whether a call consumes the object: its traits require `FnOnce`, and neither `FnMut` nor `Fn`.
    pub(super) fn is_called_once(&mut self, ty: Ty) -> Result<bool> {
        let TyKind::Dyn(bounds) = ty.kind() else { return Ok(false) };
        for bound in bounds {
            if let Some(bound) = self.fn_bounds(ty, bound)?.first() {
                return Ok(self.types.lang.is(bound.def, "fn_once"));
            }
        }
        Ok(false)
    }

    /// Whether an `Fn` trait is among the supertraits of a trait.
    fn requires_fn(&self, trait_: DefId, seen: &mut Vec<DefId>) -> bool {
        if self.types.lang.is_fn(trait_) {
            return true;
        }
        if seen.contains(&trait_) {
            return false;
        }
        seen.push(trait_);
        let Ok(generics) = self.types.program().generics(trait_) else { return false };
        let supers = generics
            .bounds
            .iter()
            .filter(|bound| matches!(bound.ty.kind, TypeKind::SelfType(item) if item == trait_));
        supers.flat_map(|bound| &bound.bounds).any(|bound| self.requires_fn(bound.def, seen))
    }

    /// The bounds with an `Fn` trait among a bound and its supertraits.
    fn fn_bounds(&mut self, self_ty: Ty, bound: &DynBound) -> Result<Vec<DynBound>> {
        let root = bound.predicate(self_ty);
        let mut found = vec![];
        for known in self.elaborate(root.clone())? {
            if self.types.lang.is_fn(known.trait_) {
                let bindings = self.required_bindings(&root, &known)?;
                found.push(DynBound { def: known.trait_, args: known.args[1..].into(), bindings });
            }
        }
        Ok(found)
    }

    /// The associated types of a supertrait that a trait, or one of its supertraits, requires:
    /// `trait Sub: Sup<Item = f64>`.
    pub(super) fn required_bindings(
        &mut self,
        root: &TraitPredicate,
        supertrait: &TraitPredicate,
    ) -> Result<Box<[(Symbol, Ty)]>> {
        let mut bindings = vec![];
        for predicate in self.elaborate(root.clone())? {
            let generics = self.types.program().generics(predicate.trait_)?;
            let supers = generics.bounds.iter().filter(
                |bound| matches!(bound.ty.kind, TypeKind::SelfType(item) if item == predicate.trait_),
            );
            for written in supers.flat_map(|bound| &bound.bounds) {
                if written.def != supertrait.trait_ || written.bindings.is_empty() {
                    continue;
                }
                let scope = self.types.scope(predicate.trait_, &predicate.args)?;
                if self.lower_predicate(predicate.self_ty(), written, &scope)?.args != supertrait.args {
                    continue;
                }
                for of in &written.bindings {
                    bindings.push((of.name, self.read_ty(&of.ty, &scope)?));
                }
            }
        }
        Ok(bindings.into())
    }
}
