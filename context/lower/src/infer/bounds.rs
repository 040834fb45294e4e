//! Traits as bounds: the obligations they impose, their consequences, and the bounds that declare an item.
//!
//! - BOUND1 bounds are read only if they may declare the item in question, because they may be written in
//!   terms of it.

use overdub_context::{Span, Symbol};

use super::cx::{Cx, Goal, TraitPredicate};
use super::error::{InferErrorKind, Result};
use super::scope::GenericScope;
use super::ty::*;
use crate::hir::{AssocBounds, DefId, DefKind, TraitRef, Type, TypeKind, WhereBound};

/// The most predicates of associated types that are looked at: types of types may go on without end.
const MAX_ASSOC: usize = 256;

impl Cx<'_> {
    /// The predicate for a written trait bound on a type.
    pub(super) fn lower_predicate(
        &mut self,
        self_ty: Ty,
        written: &TraitRef,
        scope: &GenericScope,
    ) -> Result<TraitPredicate> {
        let mut args = vec![Arg::Ty(self_ty)];
        args.extend(self.read_args(&written.args, scope, written.span)?);
        Ok(TraitPredicate::new(written.def, self.fill_defaults(written.def, args, written.span)?))
    }

    /// The obligations that a bound imposes on a type.
    pub(super) fn bound_goals(
        &mut self,
        ty: Ty,
        bound: &TraitRef,
        scope: &GenericScope,
        goals: &mut Vec<Goal>,
    ) -> Result<()> {
        let predicate = self.lower_predicate(ty, bound, scope)?;
        goals.push(Goal::Trait(predicate.clone()));
        for of in &bound.bindings {
            let out = self.read_ty(&of.ty, scope)?;
            let own_args = self.read_args(&of.args, scope, bound.span)?.into();
            let predicate = self.assoc_owner(&predicate, of.name)?.unwrap_or_else(|| predicate.clone());
            goals.push(Goal::Project { predicate, name: of.name, own_args, out });
        }
        // Bounds by lifetimes say nothing here.
        for of in bound.binding_bounds.iter().filter(|of| !of.bounds.is_empty()) {
            let predicate = self.assoc_owner(&predicate, of.name)?.unwrap_or_else(|| predicate.clone());
            let own_args = self.read_args(&of.args, scope, bound.span)?;
            let out = self.normalize(predicate, of.name, own_args, bound.span)?;
            for bound in &of.bounds {
                self.bound_goals(out, bound, scope, goals)?;
            }
        }
        Ok(())
    }

    fn where_goals(
        &mut self,
        bounds: &[WhereBound],
        scope: &GenericScope,
        goals: &mut Vec<Goal>,
    ) -> Result<()> {
        for bound in bounds {
            let ty = self.read_ty(&bound.ty, scope)?;
            for bound in &bound.bounds {
                self.bound_goals(ty, bound, scope, goals)?;
            }
        }
        Ok(())
    }

    /// The obligations from the where clauses of an item and of the enclosing impl; for a trait's item, also
    /// that `Self` implements the trait.
    pub(super) fn item_goals(&mut self, def: DefId, args: &[Arg]) -> Result<Vec<Goal>> {
        let scope = self.types.scope(def, args)?;
        let mut goals = vec![];
        let layout = scope.layout.clone();
        for segment in &layout.segments {
            if layout.self_trait == Some(segment.owner) && segment.owner != def {
                let end = segment.start + segment.generics.params.len();
                goals.push(Goal::Trait(TraitPredicate::new(segment.owner, &args[..end.min(args.len())])));
            } else {
                self.nested(|cx| cx.where_goals(&segment.generics.bounds, &scope, &mut goals))?;
            }
        }
        Ok(goals)
    }

    /// What the default body of a trait's item may assume of the trait's own parameters: `trait Parser<I: Stream>`.
    pub(super) fn goals_of_default_body(&mut self, def: DefId, args: &[Arg]) -> Result<Vec<Goal>> {
        let scope = self.types.scope(def, args)?;
        let layout = scope.layout.clone();
        let Some(trait_) = layout.self_trait.filter(|&trait_| trait_ != def) else { return Ok(vec![]) };
        let generics = self.types.program().generics(trait_)?;
        let of_param = |bound: &&WhereBound| matches!(bound.ty.kind, TypeKind::Param(_));
        let bounds: Vec<WhereBound> = generics.bounds.iter().filter(of_param).cloned().collect();
        let mut goals = vec![];
        self.nested(|cx| cx.where_goals(&bounds, &scope, &mut goals))?;
        Ok(goals)
    }

    /// The supertraits that a trait requires of its implementors.
    pub(super) fn supertraits(&mut self, predicate: &TraitPredicate) -> Result<Vec<TraitPredicate>> {
        let scope = self.types.scope(predicate.trait_, &predicate.args)?;
        let generics = self.types.program().generics(predicate.trait_)?;
        let mut supers = vec![];
        for bound in &generics.bounds {
            if matches!(bound.ty.kind, TypeKind::SelfType(item) if item == predicate.trait_) {
                for bound in &bound.bounds {
                    // `Any` holds for every type, but objects of a trait that requires it have its methods.
                    if !self.types.lang.is_marker(bound.def) || self.types.lang.is(bound.def, "any") {
                        supers.push(self.lower_predicate(predicate.self_ty(), bound, &scope)?);
                    }
                }
            }
        }
        Ok(supers)
    }

    /// The predicate and all that follow from it by supertraits.
    pub(super) fn elaborate(&mut self, predicate: TraitPredicate) -> Result<Vec<TraitPredicate>> {
        let mut all = vec![predicate];
        let mut next = 0;
        while next < all.len() {
            let predicate = all[next].clone();
            next += 1;
            for found in self.supertraits(&predicate)? {
                if !all.iter().any(|known| known.trait_ == found.trait_ && known.args == found.args) {
                    all.push(found);
                }
            }
        }
        Ok(all)
    }

    /// Merges predicates of the same trait: arguments in which they differ become variables.
    pub(super) fn merge_predicates(&mut self, predicates: Vec<TraitPredicate>) -> Vec<TraitPredicate> {
        let mut merged: Vec<TraitPredicate> = vec![];
        for predicate in predicates {
            match merged.iter_mut().find(|known| known.trait_ == predicate.trait_) {
                Some(known) => {
                    for (known, arg) in known.args.iter_mut().zip(&predicate.args) {
                        match (*known, arg) {
                            (a, b) if a == *b => {}
                            (Arg::Ty(_), _) => *known = Arg::Ty(self.table.fresh()),
                            (Arg::Const(_), _) => *known = Arg::Const(self.table.fresh_const()),
                        }
                    }
                }
                None => merged.push(predicate),
            }
        }
        merged
    }

    /// The trait among a predicate's supertraits (itself first) that declares an item of this name.
    pub(super) fn assoc_owner(
        &mut self,
        predicate: &TraitPredicate,
        name: Symbol,
    ) -> Result<Option<TraitPredicate>> {
        let program = self.types.program().clone();
        if program.child(predicate.trait_, name).is_some() {
            return Ok(Some(predicate.clone()));
        }
        Ok(self
            .elaborate(predicate.clone())?
            .into_iter()
            .find(|predicate| program.child(predicate.trait_, name).is_some()))
    }

    /// The trait that `base::name` refers to: determined by the bounds on `base`, then by the enclosing trait
    /// or impl, and finally by the type of `base`.
    pub(super) fn predicate_of_assoc(
        &mut self,
        base: &Type,
        base_ty: Ty,
        name: Symbol,
        scope: &GenericScope,
        span: Span,
    ) -> Result<TraitPredicate> {
        let mut candidates = self.bounds_on(base, base_ty, name, scope)?;
        if let TypeKind::SelfType(item) = &base.kind {
            match self.types.kind(*item) {
                DefKind::Trait => {
                    candidates.push(TraitPredicate::new(*item, self.trait_prefix(*item, scope)?))
                }
                DefKind::Impl => {
                    if let Some(of) = &self.types.program().impl_(*item)?.of {
                        candidates.push(self.lower_predicate(base_ty, of, scope)?);
                    }
                }
                _ => {}
            }
        }
        for candidate in candidates {
            if let Some(found) = self.assoc_owner(&candidate, name)? {
                return Ok(found);
            }
        }
        for lang in
            ["iterator", "into_iterator", "deref", "index", "add", "sub", "mul", "div", "neg", "fn_once"]
        {
            if let Some(trait_) = self.types.lang.get(lang)
                && self.types.program().child(trait_, name).is_some()
            {
                let args = self.fill_defaults(trait_, vec![Arg::Ty(base_ty)], span)?;
                if self.holds(trait_, args.clone()) {
                    return Ok(TraitPredicate::new(trait_, args));
                }
            }
        }
        self.span = span;
        self.missing(base_ty, InferErrorKind::NoAssoc { name, ty: self.show(base_ty) })
    }

    /// The arguments of the enclosing trait, `Self` first.
    fn trait_prefix(&self, trait_: DefId, scope: &GenericScope) -> Result<Vec<Arg>> {
        let len = self.types.layout(trait_)?.len;
        Ok(scope.args[..len.min(scope.args.len())].to_vec())
    }

    /// The traits with an item of this name by which a written type is bounded, in enclosing where clauses or
    /// in the trait that declares it. (Other bounds are not read, because they may be written in terms of
    /// that item.)
    pub(super) fn bounds_on(
        &mut self,
        written: &Type,
        ty: Ty,
        item: Symbol,
        scope: &GenericScope,
    ) -> Result<Vec<TraitPredicate>> {
        let mut found = vec![];
        let layout = scope.layout.clone();
        for segment in &layout.segments {
            for bound in segment.generics.bounds.iter().filter(|bound| same_type(&bound.ty, written)) {
                for bound in &bound.bounds {
                    if self.has_item(bound.def, item, &mut vec![]) {
                        found.push(self.lower_predicate(ty, bound, scope)?);
                    }
                }
            }
        }
        // `T: Iterator<Item: Display>` and the bounds of `type Item: Display` in the trait.
        if let TypeKind::Assoc { base, of, name, .. } = &written.kind {
            let base_ty = self.read_ty(base, scope)?;
            let predicate = match of {
                Some(of) => self.lower_predicate(base_ty, of, scope)?,
                None => self.predicate_of_assoc(base, base_ty, *name, scope, written.span)?,
            };
            let owner = self.assoc_owner(&predicate, *name)?;
            let sought = item;
            if let Some(owner) = owner
                && let Some(item) = self.types.program().child(owner.trait_, *name)
            {
                let assoc = self.types.program().assoc_type(item)?;
                let item_scope = self.types.scope(item, &owner.args)?;
                for bound in &assoc.bounds {
                    if self.has_item(bound.def, sought, &mut vec![]) {
                        found.push(self.lower_predicate(ty, bound, &item_scope)?);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Whether the trait of a predicate declares that one of its associated types implements `sought` with
    /// arguments.
    pub(super) fn declares_of_assoc(&self, predicate: &TraitPredicate, sought: DefId) -> bool {
        let program = self.types.program();
        let declares = |child: &DefId| {
            self.types.kind(*child) == DefKind::AssocType
                && program.assoc_type(*child).is_ok_and(|assoc| {
                    assoc.bounds.iter().any(|bound| self.implies_with_args(bound, sought, &mut vec![]))
                })
        };
        let requires = |bound: &TraitRef| {
            bound.binding_bounds.iter().any(|of| of.bounds.iter().any(|bound| bound.def == sought))
        };
        program.children(predicate.trait_).iter().any(declares)
            || program
                .generics(predicate.trait_)
                .is_ok_and(|generics| generics.bounds.iter().any(|bound| bound.bounds.iter().any(requires)))
    }

    /// Whether a bound implies one on `sought` with arguments: itself, or by supertraits.
    fn implies_with_args(&self, bound: &TraitRef, sought: DefId, seen: &mut Vec<DefId>) -> bool {
        if bound.def == sought {
            return !bound.args.is_empty();
        }
        if seen.contains(&bound.def) {
            return false;
        }
        seen.push(bound.def);
        self.types.program().generics(bound.def).is_ok_and(|generics| {
            let is_of_self =
                |of: &&WhereBound| matches!(of.ty.kind, TypeKind::SelfType(item) if item == bound.def);
            let supers = generics.bounds.iter().filter(is_of_self);
            supers.flat_map(|of| &of.bounds).any(|of| self.implies_with_args(of, sought, seen))
        })
    }

    /// What the traits of the where clauses declare of their associated types, and the traits of those of theirs:
    /// `type Out: Sum<Self::In>`.
    pub(super) fn assoc_env(&mut self) -> &[TraitPredicate] {
        if self.assoc_env.is_none() {
            // While it is read, it guides nothing.
            self.assoc_env = Some(vec![]);
            let first_pending = self.pending.len();
            let mut all = self.env.clone();
            let (declared, mut next) = (all.len(), 0);
            while next < all.len() && all.len() < declared + MAX_ASSOC {
                let predicate = all[next].clone();
                next += 1;
                for found in self.predicates_of_assocs(&predicate) {
                    let is_same =
                        |known: &TraitPredicate| known.trait_ == found.trait_ && known.args == found.args;
                    if !all.iter().any(is_same) {
                        all.push(found);
                    }
                }
            }
            self.pending.truncate(first_pending);
            self.memo.forget_open(0);
            self.assoc_env = Some(all.split_off(declared));
        }
        self.assoc_env.as_deref().unwrap_or_default()
    }

    /// The bounds of a trait's associated types, and their supertraits.
    fn predicates_of_assocs(&mut self, of: &TraitPredicate) -> Vec<TraitPredicate> {
        let program = self.types.program().clone();
        let assocs = program.children(of.trait_);
        let assocs = assocs.iter().filter(|&&child| self.types.kind(child) == DefKind::AssocType).copied();
        let assocs: Vec<DefId> = assocs.collect();
        let mut found = self.predicates_of_bound_assocs(of).unwrap_or_default();
        found.extend(
            assocs.into_iter().flat_map(|child| self.predicates_of_assoc(of, child).unwrap_or_default()),
        );
        found
    }

    /// What a trait requires of the associated types of its supertraits, `trait Ops: Imply<&'a Self, Is: Neg>`, and the
    /// supertraits.
    fn predicates_of_bound_assocs(&mut self, of: &TraitPredicate) -> Result<Vec<TraitPredicate>> {
        let generics = self.types.program().generics(of.trait_)?;
        let mut found = vec![];
        for bound in &generics.bounds {
            let is_self = matches!(bound.ty.kind, TypeKind::SelfType(item) if item == of.trait_);
            for bound in bound.bounds.iter().filter(|bound| is_self && !bound.binding_bounds.is_empty()) {
                let scope = self.types.scope(of.trait_, &of.args)?;
                let predicate = self.lower_predicate(of.self_ty(), bound, &scope)?;
                for of in &bound.binding_bounds {
                    let owner = self.assoc_owner(&predicate, of.name)?.unwrap_or_else(|| predicate.clone());
                    let own_args = self.read_args(&of.args, &scope, bound.span)?;
                    let ty = self.normalize(owner, of.name, own_args, bound.span)?;
                    found.extend(self.elaborated_bounds(ty, &of.bounds, &scope)?);
                }
            }
        }
        Ok(found)
    }

    /// The bounds on a type whose arguments are known, and their supertraits.
    fn elaborated_bounds(
        &mut self,
        ty: Ty,
        bounds: &[TraitRef],
        scope: &GenericScope,
    ) -> Result<Vec<TraitPredicate>> {
        let mut found = vec![];
        for bound in bounds.iter().filter(|bound| !self.types.lang.is_marker(bound.def)).collect::<Vec<_>>() {
            let predicate = self.lower_predicate(ty, bound, scope)?;
            if self.is_settled(&predicate.args) {
                let args = self.table.resolve_args(&predicate.args);
                found.extend(self.elaborate(TraitPredicate::new(predicate.trait_, args))?);
            }
        }
        Ok(found)
    }

    /// The bounds of an associated type and their supertraits, if its type is known.
    fn predicates_of_assoc(&mut self, owner: &TraitPredicate, child: DefId) -> Result<Vec<TraitPredicate>> {
        let program = self.types.program().clone();
        let assoc = program.assoc_type(child)?;
        let is_marker = |bound: &TraitRef| self.types.lang.is_marker(bound.def);
        // A generic one is a different type for each of its arguments.
        if assoc.bounds.iter().all(is_marker) || !program.generics(child)?.params.is_empty() {
            return Ok(vec![]);
        }
        let ty = self.normalize(owner.clone(), program.head(child).name, vec![], self.span)?;
        let scope = self.types.scope(child, &owner.args)?;
        self.elaborated_bounds(ty, &assoc.bounds, &scope)
    }

    /// Adds the associated types that follow from those which the where clauses determine:
    ///
    /// - by supertraits, as in `trait Rows: Iterator<Item = Row>`;
    /// - by the bounds of associated types, as in `type IntoIter: Iterator<Item = Self::Item>`.
    pub(super) fn assume_implied_assocs(&mut self) -> Result<()> {
        for at in 0..self.env.len() {
            let predicate = self.env[at].clone();
            let generics = self.types.program().clone().generics(predicate.trait_)?;
            let is_self = |ty: &Type| matches!(ty.kind, TypeKind::SelfType(of) if of == predicate.trait_);
            let of_self = generics.bounds.iter().filter(|bound| is_self(&bound.ty));
            for bound in of_self.flat_map(|bound| &bound.bounds) {
                self.assume_bindings(predicate.self_ty(), bound, predicate.trait_, &predicate.args)?;
                self.assume_bindings_of_assocs(&predicate, bound)?;
            }
        }
        let mut next = 0;
        while let Some((owner, ..)) = self.bound_assocs.get(next).filter(|_| next < MAX_ASSOC) {
            let owner = owner.clone();
            next += 1;
            let program = self.types.program().clone();
            for &child in program.children(owner.trait_).iter() {
                if self.types.kind(child) != DefKind::AssocType || !program.generics(child)?.params.is_empty()
                {
                    continue;
                }
                let assoc = program.assoc_type(child)?;
                if assoc.bounds.iter().any(|bound| !bound.bindings.is_empty()) {
                    let ty = self.normalize(owner.clone(), program.head(child).name, vec![], self.span)?;
                    for bound in &assoc.bounds {
                        self.assume_bindings(ty, bound, child, &owner.args)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds what a bound on `Self` says of the associated types of its own: `Imply<&'a Self, Is: Neg<Output = Self>>`.
    fn assume_bindings_of_assocs(&mut self, of: &TraitPredicate, bound: &TraitRef) -> Result<()> {
        let has_bindings = |of: &AssocBounds| of.bounds.iter().any(|bound| !bound.bindings.is_empty());
        if !bound.binding_bounds.iter().any(has_bindings) {
            return Ok(());
        }
        let scope = self.types.scope(of.trait_, &of.args)?;
        let predicate = self.lower_predicate(of.self_ty(), bound, &scope)?;
        for assoc in bound.binding_bounds.iter().filter(|assoc| has_bindings(assoc)) {
            let owner = self.assoc_owner(&predicate, assoc.name)?.unwrap_or_else(|| predicate.clone());
            let own_args = self.read_args(&assoc.args, &scope, bound.span)?;
            let ty = self.normalize(owner, assoc.name, own_args, bound.span)?;
            for bound in &assoc.bounds {
                self.assume_bindings(ty, bound, of.trait_, &of.args)?;
            }
        }
        Ok(())
    }

    /// Adds what a bound that an item declares says of the associated types of `ty`.
    fn assume_bindings(&mut self, ty: Ty, bound: &TraitRef, item: DefId, args: &[Arg]) -> Result<()> {
        if bound.bindings.is_empty() {
            return Ok(());
        }
        let scope = self.types.scope(item, args)?;
        let predicate = self.lower_predicate(ty, bound, &scope)?;
        for of in bound.bindings.iter().filter(|of| of.args.is_empty()) {
            let out = self.read_ty(&of.ty, &scope)?;
            let owner = self.assoc_owner(&predicate, of.name)?.unwrap_or_else(|| predicate.clone());
            let is_known = |(known, name, _): &(TraitPredicate, Symbol, Ty)| {
                known.trait_ == owner.trait_ && known.args == owner.args && *name == of.name
            };
            if !self.bound_assocs.iter().any(is_known) {
                self.bound_assocs.push((owner, of.name, out));
                self.memo.clear();
            }
        }
        Ok(())
    }

    /// Whether a trait or one of its supertraits declares an item of this name.
    fn has_item(&self, trait_: DefId, name: Symbol, seen: &mut Vec<DefId>) -> bool {
        if seen.contains(&trait_) {
            return false;
        }
        seen.push(trait_);
        let program = self.types.program();
        program.child(trait_, name).is_some()
            || program.generics(trait_).is_ok_and(|generics| {
                let supers = generics
                    .bounds
                    .iter()
                    .filter(|bound| matches!(bound.ty.kind, TypeKind::SelfType(item) if item == trait_));
                supers.flat_map(|bound| &bound.bounds).any(|bound| self.has_item(bound.def, name, seen))
            })
    }
}

/// Whether two written types are certainly the same parameter or the same projection of one.
fn same_type(a: &Type, b: &Type) -> bool {
    match (&a.kind, &b.kind) {
        (TypeKind::Param(a), TypeKind::Param(b)) => a == b,
        (TypeKind::SelfType(a), TypeKind::SelfType(b)) => a == b,
        (
            TypeKind::Assoc { base: a, name: n, of: s, .. },
            TypeKind::Assoc { base: b, name: m, of: t, .. },
        ) => {
            n == m
                && same_type(a, b)
                && match (s, t) {
                    (Some(s), Some(t)) => s.def == t.def,
                    _ => true,
                }
        }
        _ => false,
    }
}
