//! Method probing: the method that `x.f(…)` calls, and the adjustments of `x`.
//!
//! The order is rustc's: for each type that `x` can be dereferenced to, by value, by `&`, by `&mut`, and
//! finally an array as a slice; at each of them inherent methods precede those of traits.
//!
//! - METHOD1 a value of a type parameter has the methods of the parameter's bounds and of traits, not those of the type that
//!   the parameter is bound to (TY4; see ASSOC1). Only if there is no other method, that of the type is taken.

use hashbrown::HashSet;
use overdub_context::Symbol;

use super::cx::{Cx, Goal, TraitPredicate};
use super::error::{InferErrorKind, Result};
use super::scope::GenericScope;
use super::select::head;
use super::solve::Verdict;
use super::ty::*;
use crate::SelfHead;
use crate::hir::{DefId, DefKind, Prim};

/// A type that a receiver can be dereferenced to.
#[derive(Clone, Copy, Debug)]
pub(super) struct AutoderefStep {
    pub(super) ty: Ty,
    /// How the preceding step leads to this one.
    pub(super) via: Via,
}

/// The kind of an autoderef step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Via {
    /// The first step.
    Start,
    /// By dereferencing a reference or a `Box`.
    Builtin,
    /// By `Deref::deref`.
    Overloaded,
    /// By unsizing an array to a slice.
    Unsize,
}

/// The method found.
#[derive(Clone, Debug)]
pub(super) struct Pick {
    /// The steps to the receiver's type, the first one included.
    pub(super) steps: Vec<AutoderefStep>,
    /// The reference taken at the end.
    pub(super) autoref: Option<Mutability>,
    pub(super) item: DefId,
    /// The arguments of the impl or trait; those of an impl may contain variables that the receiver binds.
    pub(super) prefix: Vec<Arg>,
}

/// A candidate for a method.
#[derive(Clone, Debug)]
enum Candidate {
    Inherent {
        impl_: DefId,
        item: DefId,
    },
    /// A method of a `dyn` or `impl Trait` type, or of a bound: the trait's arguments are known.
    Bound {
        predicate: TraitPredicate,
        item: DefId,
    },
    Trait {
        trait_: DefId,
        item: DefId,
    },
}

/// Which methods type parameters have: those of their bounds, or of all traits in scope that their types implement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OfParams {
    Bounds,
    Traits,
}

impl Cx<'_> {
    /// The types that a type can be dereferenced to, itself first.
    pub(super) fn autoderef(&mut self, ty: Ty) -> Result<Vec<AutoderefStep>> {
        let mut steps = vec![AutoderefStep { ty: self.shallow(ty), via: Via::Start }];
        while let Some(last) = steps.last().filter(|_| steps.len() < 16) {
            let Some((next, via)) = self.deref_once(last.ty)? else { break };
            let mut next = self.shallow(next);
            if matches!(next.kind(), TyKind::Infer(InferVar::Any(_))) && !self.probing {
                self.select_guided()?;
                next = self.shallow(next);
            }
            steps.push(AutoderefStep { ty: next, via });
        }
        Ok(steps)
    }

    /// The type that dereferencing yields.
    pub(super) fn deref_once(&mut self, ty: Ty) -> Result<Option<(Ty, Via)>> {
        let ty = self.shallow(ty);
        let Some(deref) = self.types.lang.get("deref") else { return Ok(None) };
        let predicate = TraitPredicate::new(deref, [Arg::Ty(ty)]);
        let inner = match (ty.referent(), self.as_lang(ty, "box")) {
            (Some((_, inner)), _) => Some(inner),
            (None, Some([Arg::Ty(inner), ..])) => Some(*inner),
            _ => None,
        };
        if let Some(inner) = inner {
            return Ok(Some((self.assoc_of_param(&predicate, Symbol::new("Target"), inner), Via::Builtin)));
        }
        let (TyKind::Adt(..) | TyKind::Opaque(..)) = ty.kind() else { return Ok(None) };
        if self.evaluate(&[Goal::Trait(predicate.clone())]) == Verdict::No {
            return Ok(None);
        }
        let target = self.normalize(predicate, Symbol::new("Target"), vec![], self.span)?;
        Ok(Some((target, Via::Overloaded)))
    }

    /// Finds the method that a call refers to.
    pub(super) fn probe_method(
        &mut self,
        receiver: Ty,
        name: Symbol,
        traits: &[DefId],
        bounds: &[TraitPredicate],
    ) -> Result<Pick> {
        let mut receiver = self.shallow(receiver);
        if receiver.is_open() {
            self.select()?;
            receiver = self.shallow(receiver);
        }
        if self.resolve(receiver).is_open() {
            self.select_guided()?;
            receiver = self.shallow(receiver);
        }
        let mut steps = self.autoderef(receiver)?;
        let last = steps[steps.len() - 1].ty;
        if let TyKind::Infer(InferVar::Any(_)) = last.kind() {
            return self.error(InferErrorKind::Unknown { what: "receiver", ty: self.show(receiver) });
        }
        if let TyKind::Array(elem, _) = last.kind() {
            steps.push(AutoderefStep { ty: Ty::slice(*elem), via: Via::Unsize });
        }
        // The methods of a parameter's bounds are as near as those of a type.
        let mut inherent = self.bound_candidates(name, bounds)?;
        self.step_candidates(steps.iter().filter(|step| !step.ty.is_param()), name, &mut inherent)?;
        let extension = self.trait_candidates(name, traits)?;
        // A reference that a parameter is bound to is not known to be one.
        let known = self.steps_to_param(&steps);
        // Of a parameter only what its bounds say is known, and not which other traits its type implements.
        if !bounds.is_empty()
            && let Some(found) = self.pick_step(&steps[..known], &inherent, &extension, OfParams::Bounds)?
        {
            return Ok(found);
        }
        for steps in [&steps[..known], &steps] {
            if let Some(found) = self.pick_step(steps, &inherent, &extension, OfParams::Traits)? {
                return Ok(found);
            }
        }
        // The traits of bounds are in scope without `use`.
        let env = self.env_traits();
        let extension = self.trait_candidates(name, &env)?;
        // A literal whose type is otherwise undetermined has the methods of its fallback type.
        let mut inherent = vec![];
        for step in &steps {
            let prim = match step.ty.kind() {
                TyKind::Infer(InferVar::Int(_)) => Prim::I32,
                TyKind::Infer(InferVar::Float(_)) => Prim::F64,
                _ => continue,
            };
            self.inherent_candidates(SelfHead::Prim(prim), name, &mut inherent)?;
        }
        if let Some(found) = self.pick_step(&steps, &inherent, &extension, OfParams::Traits)? {
            return Ok(found);
        }
        let implied = self.implied_traits()?;
        let extension = self.trait_candidates(name, &implied)?;
        if let Some(found) = self.pick_step(&steps, &[], &extension, OfParams::Traits)? {
            return Ok(found);
        }
        let mut inherent = vec![];
        self.step_candidates(steps.iter().filter(|step| step.ty.is_param()), name, &mut inherent)?;
        match self.pick_step(&steps, &inherent, &[], OfParams::Traits)? {
            Some(found) => Ok(found),
            None if self.derive_all(&steps) => self.probe_method(receiver, name, traits, bounds),
            None => self.missing(receiver, InferErrorKind::NoMethod { name, ty: self.show(receiver) }),
        }
    }

    /// The number of steps up to the first parameter that no bound allows to dereference.
    fn steps_to_param(&self, steps: &[AutoderefStep]) -> usize {
        let derefs = |ty: Ty| {
            self.env.iter().any(|known| known.self_ty() == ty && self.types.lang.is(known.trait_, "deref"))
        };
        let first = steps.iter().position(|step| step.ty.is_param() && !derefs(step.ty));
        first.map_or(steps.len(), |at| at + 1)
    }

    /// The first step at which a candidate matches, with the match.
    fn pick_step(
        &mut self,
        steps: &[AutoderefStep],
        inherent: &[Candidate],
        extension: &[Candidate],
        of_params: OfParams,
    ) -> Result<Option<Pick>> {
        for at in 0..steps.len() {
            let ty = steps[at].ty;
            let extension = if ty.is_param() && of_params == OfParams::Bounds { &[] } else { extension };
            if let TyKind::Infer(InferVar::Any(_)) = ty.kind() {
                break;
            }
            for autoref in [None, Some(Mutability::Shared), Some(Mutability::Mut)] {
                let by_value = autoref.is_none();
                if by_value
                    && (steps[at].via == Via::Unsize || is_unsized(ty) || self.lends_elements(ty, extension))
                {
                    continue;
                }
                let self_ty = autoref.map_or(ty, |mutability| Ty::reference(mutability, ty));
                for candidates in [inherent, extension] {
                    if let Some((item, prefix)) = self.pick(candidates, self_ty)? {
                        return Ok(Some(Pick { steps: steps[..=at].to_vec(), autoref, item, prefix }));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Whether a call of one of these methods is `into_iter` of an array before edition 2021, which iterates over references.
    fn lends_elements(&self, ty: Ty, methods: &[Candidate]) -> bool {
        let is_into_iter = |candidate: &Candidate| matches!(candidate, Candidate::Trait { trait_, .. } if self.types.lang.is(*trait_, "into_iterator"));
        matches!(ty.kind(), TyKind::Array(..))
            && methods.iter().any(is_into_iter)
            && self.home.is_some_and(|home| self.types.program().edition_of(home) < 2021)
    }

    /// Whether macros that derive for one of these types had not run yet: they have now.
    fn derive_all(&self, steps: &[AutoderefStep]) -> bool {
        let mut is_any = false;
        for step in steps {
            is_any |= self.derive_all_of(step.ty);
        }
        is_any
    }

    pub(super) fn derive_all_of(&self, ty: Ty) -> bool {
        match self.shallow(ty).kind() {
            TyKind::Adt(def, _) => self.types.program().derive_all(*def),
            _ => false,
        }
    }

    fn bound_candidates(&mut self, name: Symbol, bounds: &[TraitPredicate]) -> Result<Vec<Candidate>> {
        let program = self.types.program().clone();
        let mut found = vec![];
        let mut predicates = vec![];
        for bound in bounds {
            predicates.extend(self.elaborate(bound.clone())?);
        }
        predicates.retain(|predicate| program.child(predicate.trait_, name).is_some());
        for predicate in self.merge_predicates(predicates) {
            if let Some(item) = self.method_of(predicate.trait_, name)? {
                found.push(Candidate::Bound { predicate, item });
            }
        }
        Ok(found)
    }

    /// Collects the inherent candidates of the types of these steps.
    fn step_candidates<'s>(
        &mut self,
        steps: impl Iterator<Item = &'s AutoderefStep>,
        name: Symbol,
        found: &mut Vec<Candidate>,
    ) -> Result<()> {
        for step in steps {
            if let TyKind::Dyn(_) | TyKind::Opaque(..) = step.ty.kind() {
                for bound in self.bare_bounds_of(step.ty)? {
                    let mut args = vec![Arg::Ty(step.ty)];
                    args.extend(bound.args.iter().copied());
                    for predicate in self.elaborate(TraitPredicate::new(bound.def, args))? {
                        if let Some(item) = self.method_of(predicate.trait_, name)? {
                            found.push(Candidate::Bound { predicate, item });
                        }
                    }
                }
            }
            if !matches!(step.ty.kind(), TyKind::Infer(_)) {
                self.inherent_candidates(head(step.ty), name, found)?;
            }
        }
        Ok(())
    }

    fn inherent_candidates(
        &mut self,
        head: SelfHead,
        name: Symbol,
        found: &mut Vec<Candidate>,
    ) -> Result<()> {
        let mut items = vec![];
        for &impl_ in self.types.program().clone().inherent_impls(head).iter() {
            if let Some(item) = self.method_of(impl_, name)? {
                items.push((impl_, item));
            }
        }
        if items.len() > 1 {
            items.sort_by_key(|&(_, item)| !self.is_accessible(item));
        }
        found.extend(items.into_iter().map(|(impl_, item)| Candidate::Inherent { impl_, item }));
        Ok(())
    }

    fn trait_candidates(&mut self, name: Symbol, traits: &[DefId]) -> Result<Vec<Candidate>> {
        let mut found = vec![];
        let mut seen: HashSet<DefId> = HashSet::new();
        let env: Vec<DefId> = self.env.iter().map(|predicate| predicate.trait_).collect();
        // If several traits have the method, those named by the function's own bounds take precedence.
        for &trait_ in env.iter().chain(traits) {
            if seen.insert(trait_)
                && let Some(item) = self.method_of(trait_, name)?
            {
                found.push(Candidate::Trait { trait_, item });
            }
        }
        Ok(found)
    }

    /// The method of this name in an impl or trait: a function with a receiver.
    fn method_of(&mut self, container: DefId, name: Symbol) -> Result<Option<DefId>> {
        let program = self.types.program();
        let Some(item) = program.child(container, name) else { return Ok(None) };
        if self.types.kind(item) != DefKind::AssocFn {
            return Ok(None);
        }
        Ok(program.fn_sig(item)?.has_self.then_some(item))
    }

    /// The first candidate whose receiver has this type.
    fn pick(&mut self, candidates: &[Candidate], self_ty: Ty) -> Result<Option<(DefId, Vec<Arg>)>> {
        let mut maybe = None;
        for candidate in candidates {
            match self.probe(|cx| cx.applies(candidate, self_ty)) {
                Verdict::Yes => return self.prefix(candidate, self_ty).map(Some),
                Verdict::Maybe if maybe.is_none() => maybe = Some(candidate),
                Verdict::Maybe | Verdict::No => {}
            }
        }
        match maybe {
            Some(candidate) => self.prefix(candidate, self_ty).map(Some),
            None => Ok(None),
        }
    }

    fn applies(&mut self, candidate: &Candidate, self_ty: Ty) -> Verdict {
        let first_pending = self.pending.len();
        let Some((item, prefix)) = self.candidate_args(candidate).ok().filter(|(item, prefix)| {
            self.receiver_ty(*item, prefix).is_ok_and(|receiver| {
                // What a parameter is bound to is not taken apart.
                let is_taken_apart =
                    self_ty.is_param() && !receiver.is_param() && receiver.referent().is_some();
                !is_taken_apart && self.unify(receiver, self_ty)
            })
        }) else {
            return Verdict::No;
        };
        match candidate {
            Candidate::Bound { .. } => Verdict::Yes,
            Candidate::Inherent { impl_, .. } => match self.item_goals(*impl_, &prefix) {
                Ok(goals) => {
                    self.require_all(goals);
                    self.evaluate_from(first_pending)
                }
                Err(_) => Verdict::No,
            },
            Candidate::Trait { trait_, .. } => {
                debug_assert!(self.types.program().container(item) == Some(*trait_));
                self.require(Goal::Trait(TraitPredicate::new(*trait_, prefix)));
                self.evaluate_from(first_pending)
            }
        }
    }

    fn prefix(&mut self, candidate: &Candidate, self_ty: Ty) -> Result<(DefId, Vec<Arg>)> {
        let (item, prefix) = self.candidate_args(candidate)?;
        let receiver = self.receiver_ty(item, &prefix)?;
        if !self.unify(receiver, self_ty) {
            return self.mismatch(receiver, self_ty);
        }
        Ok((item, prefix))
    }

    fn candidate_args(&mut self, candidate: &Candidate) -> Result<(DefId, Vec<Arg>)> {
        match candidate {
            Candidate::Inherent { impl_, item } => {
                let layout = self.types.layout(*impl_)?;
                Ok((*item, self.fill_fresh(*impl_, vec![], layout.len, self.span)?))
            }
            Candidate::Bound { predicate, item } => Ok((*item, predicate.args.to_vec())),
            Candidate::Trait { trait_, item } => {
                let layout = self.types.layout(*trait_)?;
                Ok((*item, self.fill_fresh(*trait_, vec![], layout.len, self.span)?))
            }
        }
    }

    /// The type of a method's receiver.
    fn receiver_ty(&mut self, item: DefId, prefix: &[Arg]) -> Result<Ty> {
        let sig = self.types.program().fn_sig(item)?;
        let Some(written) = sig.params.first() else { return Ok(Ty::never()) };
        let scope: GenericScope = self.types.scope(item, prefix)?;
        self.nested(|cx| cx.read_ty(written, &scope))
    }
}

/// Whether a type is unsized, so that no method takes it by value.
fn is_unsized(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Slice(_) | TyKind::Prim(Prim::Str))
}
