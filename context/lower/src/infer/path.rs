//! Items named through a type: `f64::sin`, `T::zero`, `Vec::<f64>::new`, `Self::LAST`, `Shape::Circle`.
//!
//! - ASSOC1 a type parameter has the items of its bounds and of traits, not those of the type that it is bound to (TY4): the
//!   source was written without knowing that. Only if there is no other item, that of the type is taken.

use overdub_context::{Span, Symbol};

use super::cx::{Cx, Goal, TraitPredicate};
use super::error::{InferErrorKind, Result};
use super::scope::GenericScope;
use super::select::head;
use super::solve::Verdict;
use super::ty::*;
use crate::hir::{DefId, DefKind, GenericArg, ParamKind, TraitRef, Type, TypeKind};

/// An item with all its arguments, some of them variables.
#[derive(Clone, Debug)]
pub(super) struct AssocItem {
    pub(super) def: DefId,
    pub(super) args: Box<[Arg]>,
}

impl Cx<'_> {
    /// The item named by `base::name`; the obligations of its where clauses are registered.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn assoc_path(
        &mut self,
        base: &Type,
        of: Option<&TraitRef>,
        name: Symbol,
        written: &[GenericArg],
        traits: &[DefId],
        scope: &GenericScope,
        span: Span,
    ) -> Result<AssocItem> {
        self.span = span;
        let base_ty = self.read_base(base, scope)?;
        let found = match of {
            Some(of) => {
                let predicate = self.lower_predicate(base_ty, of, scope)?;
                self.item_of_predicate(predicate, name)?
            }
            None => self.find_assoc(base, base_ty, name, traits, scope)?,
        };
        self.span = span;
        match found {
            Some((def, prefix)) => self.complete(def, prefix, written, scope, span),
            None if self.derive_all_of(base_ty) => {
                self.assoc_path(base, of, name, written, traits, scope, span)
            }
            None => self.missing(base_ty, InferErrorKind::NoAssoc { name, ty: self.show(base_ty) }),
        }
    }

    /// A type before `::`, whose omitted arguments are inferred.
    pub(super) fn read_base(&mut self, base: &Type, scope: &GenericScope) -> Result<Ty> {
        match &base.kind {
            TypeKind::Def(def, args) if args.is_empty() => {
                let layout = self.types.layout(*def)?;
                let args = self.fill_fresh(*def, vec![], layout.len, base.span)?;
                self.def_with(*def, args, base.span)
            }
            _ => self.read_ty(base, scope),
        }
    }

    /// The item with its own arguments: the written ones, or variables.
    pub(super) fn complete(
        &mut self,
        def: DefId,
        prefix: Vec<Arg>,
        written: &[GenericArg],
        scope: &GenericScope,
        span: Span,
    ) -> Result<AssocItem> {
        let layout = self.types.layout(def)?;
        let mut args = prefix;
        if let Some(segment) = layout.own_segment().filter(|segment| args.len() == segment.start) {
            let mut written = written.iter();
            for param in &segment.generics.params {
                let arg = match written.next().filter(|_| !param.synthetic) {
                    Some(arg) => self.read_arg(arg, scope, span)?,
                    None if matches!(param.kind, ParamKind::Const(..)) => {
                        Arg::Const(self.table.fresh_const())
                    }
                    None => Arg::Ty(self.fresh()),
                };
                args.push(arg);
            }
        }
        self.span = span;
        let goals = self.item_goals(def, &args)?;
        self.require_all(goals);
        Ok(AssocItem { def, args: args.into() })
    }

    pub(super) fn item_of_predicate(
        &mut self,
        predicate: TraitPredicate,
        name: Symbol,
    ) -> Result<Option<(DefId, Vec<Arg>)>> {
        let owner = self.assoc_owner(&predicate, name)?;
        Ok(owner
            .and_then(|owner| Some((self.types.program().child(owner.trait_, name)?, owner.args.to_vec()))))
    }

    pub(super) fn find_assoc(
        &mut self,
        base: &Type,
        base_ty: Ty,
        name: Symbol,
        traits: &[DefId],
        scope: &GenericScope,
    ) -> Result<Option<(DefId, Vec<Arg>)>> {
        let program = self.types.program().clone();
        let ty = self.shallow(base_ty);
        // An alias has the items of what it stands for, which may be bounded; the bounds of a generic associated type are found
        // by its origin (TY5).
        let is_generic = |ty: &Type| matches!(&ty.kind, TypeKind::Assoc { args, .. } if !args.is_empty());
        if let TypeKind::Def(def, args) = &base.kind
            && !args.is_empty()
            && self.types.kind(*def) == DefKind::TypeAlias
            && let Some(value) = &program.assoc_type(*def)?.value
            && !is_generic(value)
        {
            let args = self.read_args(args, scope, base.span)?;
            let args = self.fill_defaults(*def, args, base.span)?;
            let scope = self.types.scope(*def, &args)?;
            return self.nested(|cx| cx.find_assoc(value, base_ty, name, traits, &scope));
        }
        if let TyKind::Adt(def, args) = ty.kind()
            && self.types.kind(*def) == DefKind::Enum
            && let Some(variant) = program.child(*def, name)
        {
            return Ok(Some((variant, args.to_vec())));
        }
        let mut predicates = match &base.kind {
            TypeKind::Param(_) | TypeKind::Assoc { .. } => self.bounds_on(base, ty, name, scope)?,
            _ => vec![],
        };
        if let TypeKind::SelfType(item) = base.kind
            && scope.trait_self(item).is_some()
        {
            let len = self.types.layout(item)?.len;
            predicates.push(TraitPredicate::new(item, &scope.args[..len]));
            predicates.extend(self.bounds_on(base, ty, name, scope)?);
        }
        let mut owners = vec![];
        for predicate in predicates {
            let all = self.elaborate(predicate)?;
            owners
                .extend(all.into_iter().filter(|predicate| program.child(predicate.trait_, name).is_some()));
        }
        // The bounds of a parameter need no `use`; of an associated type, the traits in scope come first.
        if let TypeKind::Assoc { .. } = base.kind
            && owners.iter().any(|owner| traits.contains(&owner.trait_))
        {
            owners.retain(|owner| traits.contains(&owner.trait_));
        }
        if let Some(owner) = self.merge_predicates(owners).into_iter().next() {
            return Ok(program.child(owner.trait_, name).map(|item| (item, owner.args.to_vec())));
        }
        if !ty.is_param()
            && let Some(found) = self.inherent_assoc(ty, name)?
        {
            return Ok(Some(found));
        }
        if let TyKind::Dyn(_) | TyKind::Opaque(..) = ty.kind() {
            for bound in self.bare_bounds_of(ty)? {
                let mut args = vec![Arg::Ty(ty)];
                args.extend(bound.args.iter().copied());
                if let Some(found) = self.item_of_predicate(TraitPredicate::new(bound.def, args), name)? {
                    return Ok(Some(found));
                }
            }
        }
        if let Some(found) = self.trait_assoc(ty, name, traits)? {
            return Ok(Some(found));
        }
        // The traits of bounds are in scope without `use`.
        let env = self.env_traits();
        match self.trait_assoc(ty, name, &env)? {
            None if ty.is_param() => self.inherent_assoc(ty, name),
            found => Ok(found),
        }
    }

    fn inherent_assoc(&mut self, ty: Ty, name: Symbol) -> Result<Option<(DefId, Vec<Arg>)>> {
        let program = self.types.program().clone();
        if let TyKind::Infer(_) = ty.kind() {
            return Ok(None);
        }
        let mut items: Vec<(DefId, DefId)> = program
            .inherent_impls(head(ty))
            .iter()
            .filter_map(|&impl_| Some((impl_, program.child(impl_, name)?)))
            .collect();
        items.sort_by_key(|&(_, item)| !self.is_accessible(item));
        for (impl_, item) in items {
            let Some(args) = self.attempt(|cx| cx.match_inherent(impl_, ty)) else { continue };
            let goals = self.item_goals(impl_, &args)?;
            if self.evaluate(&goals) != Verdict::No {
                return Ok(Some((item, args)));
            }
        }
        Ok(None)
    }

    /// Whether the code being inferred may name an associated item: several types may have private ones of one name.
    pub(super) fn is_accessible(&self, item: DefId) -> bool {
        self.home.is_none_or(|home| self.types.program().sees_item(home, item))
    }

    /// Unifies the type of an inherent impl with this one; returns the impl's arguments.
    pub(super) fn match_inherent(&mut self, impl_: DefId, ty: Ty) -> Option<Vec<Arg>> {
        let header = self.types.program().impl_(impl_).ok()?;
        if !self.may_be(&header.self_ty, ty) {
            return None;
        }
        let layout = self.types.layout(impl_).ok()?;
        let args = self.fill_fresh(impl_, vec![], layout.len, header.self_ty.span).ok()?;
        let scope = self.types.scope(impl_, &args).ok()?;
        let self_ty = self.read_ty(&header.self_ty, &scope).ok()?;
        self.unify(self_ty, ty).then_some(args)
    }

    /// The traits of enclosing bounds, and the trait that is implemented.
    pub(super) fn env_traits(&self) -> Vec<DefId> {
        let mut traits: Vec<DefId> =
            self.env.iter().map(|predicate| predicate.trait_).chain(self.trait_in_scope).collect();
        traits.sort();
        traits.dedup();
        traits
    }

    /// The traits implied by the enclosing bounds: supertraits, and the bounds of associated types.
    pub(super) fn implied_traits(&mut self) -> Result<Vec<DefId>> {
        let program = self.types.program().clone();
        let mut traits = self.env_traits();
        let mut next = 0;
        while next < traits.len() {
            let trait_ = traits[next];
            next += 1;
            let generics = program.generics(trait_)?;
            let mut found: Vec<DefId> =
                generics.bounds.iter().flat_map(|bound| &bound.bounds).map(|bound| bound.def).collect();
            for &child in program.children(trait_).iter() {
                if self.types.kind(child) == DefKind::AssocType {
                    found.extend(program.assoc_type(child)?.bounds.iter().map(|bound| bound.def));
                }
            }
            found.retain(|def| !traits.contains(def));
            traits.extend(found);
        }
        Ok(traits)
    }

    fn trait_assoc(&mut self, ty: Ty, name: Symbol, traits: &[DefId]) -> Result<Option<(DefId, Vec<Arg>)>> {
        let program = self.types.program().clone();
        let mut maybe = None;
        for &trait_ in traits {
            let Some(item) = program.child(trait_, name) else { continue };
            let kind = self.types.kind(item);
            if kind != DefKind::AssocFn && kind != DefKind::AssocConst {
                continue;
            }
            let len = self.types.layout(trait_)?.len;
            let args = self.fill_fresh(trait_, vec![Arg::Ty(ty)], len, self.span)?;
            match self.evaluate(&[Goal::Trait(TraitPredicate::new(trait_, args.clone()))]) {
                Verdict::Yes => return Ok(Some((item, args))),
                Verdict::Maybe => maybe = maybe.or(Some((item, args))),
                Verdict::No => {}
            }
        }
        Ok(maybe)
    }
}
