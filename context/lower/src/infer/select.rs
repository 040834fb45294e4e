//! Selection: chooses the impl, built-in rule or bound by which a type implements a trait.
//!
//! - SELECT1 selection binds variables only if a single candidate is left.

use overdub_context::Symbol;

use super::cx::{Cx, Goal, TraitPredicate, is_float, is_int};
use super::error::Result;
use super::lower_ty::collect_impl_traits;
use super::parts::{has_marks, unmarked};
use super::solve::Verdict;
use super::ty::*;
use crate::SelfHead;
use crate::hir::{DefId, GenericArg, Prim, Type, TypeKind};

/// The reason why a type implements a trait.
#[derive(Clone, Debug)]
pub(super) enum ImplSource {
    /// This impl, with these arguments.
    Impl { def: DefId, args: Box<[Arg]> },
    /// The type is callable with this signature.
    Callable { params: Box<[Ty]>, ret: Ty },
    /// A bound of a `dyn` or `impl Trait` type, by its index, or what follows from it.
    Bound { at: usize, known: TraitPredicate },
    /// A built-in rule, if these goals hold.
    Builtin(Vec<Goal>),
}

/// The result of selection.
pub(super) enum Choice {
    One(ImplSource),
    /// The choice depends on unbound variables.
    Open,
    None,
}

/// The associated types that bounds are read with.
#[derive(Clone, Copy)]
enum Bindings {
    None,
    Of(Symbol),
    All,
}

impl Bindings {
    fn include(self, name: Symbol) -> bool {
        match self {
            Bindings::None => false,
            Bindings::Of(wanted) => wanted == name,
            Bindings::All => true,
        }
    }
}

/// The guidance of the where clauses for a predicate.
enum Guide {
    /// None, or an ambiguous one.
    NoMatch,
    /// A match, which is not followed yet.
    Postponed,
    /// A match, which was followed.
    Followed,
}

const INTS: [Prim; 12] = [
    Prim::I32,
    Prim::I64,
    Prim::Usize,
    Prim::U8,
    Prim::U16,
    Prim::U32,
    Prim::U64,
    Prim::U128,
    Prim::I8,
    Prim::I16,
    Prim::I128,
    Prim::Isize,
];

impl Cx<'_> {
    /// Selects the reason why a predicate holds.
    pub(super) fn choose(&mut self, predicate: &TraitPredicate) -> Result<Choice> {
        if self.types.lang.is_marker(predicate.trait_) {
            return Ok(Choice::One(ImplSource::Builtin(vec![])));
        }
        let self_ty = self.shallow(predicate.self_ty());
        if let TyKind::Infer(InferVar::Any(_)) = self_ty.kind() {
            return Ok(Choice::Open);
        }
        if self.types.lang.is_fn(predicate.trait_) {
            return self.choose_callable(predicate, self_ty);
        }
        if let TyKind::Dyn(_) | TyKind::Opaque(..) = self_ty.kind()
            && let Some(source) = self.choose_bound(predicate, self_ty)?
        {
            return Ok(Choice::One(source));
        }
        if let TyKind::Opaque(..) = self_ty.kind()
            && let Some(hidden) = self.reveal(self_ty)
        {
            let mut args = predicate.args.clone();
            args[0] = Arg::Ty(hidden);
            return self.choose(&TraitPredicate::new(predicate.trait_, args));
        }
        match self.choose_impl(predicate, self_ty)? {
            Choice::None => Ok(match self.builtin(predicate, self_ty) {
                Some(goals) => Choice::One(ImplSource::Builtin(goals)),
                None => Choice::None,
            }),
            choice => Ok(choice),
        }
    }

    /// The bound of a `dyn` or `impl Trait` type that matches the predicate.
    fn choose_bound(&mut self, predicate: &TraitPredicate, self_ty: Ty) -> Result<Option<ImplSource>> {
        for (at, bound) in self.bare_bounds_of(self_ty)?.into_iter().enumerate() {
            let root = bound.predicate(self_ty);
            let candidates = match root.trait_ == predicate.trait_ {
                true => vec![root.clone()],
                false => self.elaborate(root.clone())?,
            };
            for known in candidates {
                if known.trait_ == predicate.trait_ && self.unify_args(&known.args[1..], &predicate.args[1..])
                {
                    return Ok(Some(ImplSource::Bound { at, known }));
                }
            }
        }
        Ok(None)
    }

    /// What a chosen bound says of an associated type.
    pub(super) fn binding_of_bound(
        &mut self,
        at: usize,
        known: &TraitPredicate,
        name: Symbol,
    ) -> Result<Option<Ty>> {
        let self_ty = self.shallow(known.self_ty());
        let bounds = match self_ty.kind() {
            TyKind::Opaque(..) => self.opaque_bounds(self_ty, Bindings::Of(name))?,
            _ => self.bounds_of(self_ty)?,
        };
        let Some(bound) = bounds.get(at) else { return Ok(None) };
        let of_name =
            |bindings: &[(Symbol, Ty)]| bindings.iter().find(|(known, _)| *known == name).map(|&(_, ty)| ty);
        let root = bound.predicate(self_ty);
        let found = match of_name(&bound.bindings) {
            None if root != *known => of_name(&self.required_bindings(&root, known)?),
            found => found,
        };
        if found.is_some() {
            return Ok(found);
        }
        // `ExactSizeIterator + DoubleEndedIterator<Item = f64>`: another bound may imply the same predicate and say it.
        for (_, bound) in bounds.iter().enumerate().filter(|(other, _)| *other != at) {
            let Some(said) = of_name(&bound.bindings) else { continue };
            let root = bound.predicate(self_ty);
            if root == *known || self.elaborate(root)?.contains(known) {
                return Ok(Some(said));
            }
        }
        Ok(None)
    }

    /// The bounds of a `dyn` or `impl Trait` type.
    pub(super) fn bounds_of(&mut self, ty: Ty) -> Result<Vec<DynBound>> {
        match ty.kind() {
            TyKind::Dyn(bounds) => Ok(bounds.to_vec()),
            TyKind::Opaque(..) => self.opaque_bounds(ty, Bindings::All),
            _ => Ok(vec![]),
        }
    }

    /// The bounds of a `dyn` or `impl Trait` type, of the latter without associated types: each may be a projection of
    /// another such type, and to read all at each level takes time exponential in the depth.
    pub(super) fn bare_bounds_of(&mut self, ty: Ty) -> Result<Vec<DynBound>> {
        match ty.kind() {
            TyKind::Opaque(..) => self.opaque_bounds(ty, Bindings::None),
            _ => self.bounds_of(ty),
        }
    }

    /// The bounds of an `impl Trait` type.
    fn opaque_bounds(&mut self, ty: Ty, wanted: Bindings) -> Result<Vec<DynBound>> {
        let TyKind::Opaque(func, index) = ty.kind() else { return Ok(vec![]) };
        let sig = self.types.program().fn_sig(func.def())?;
        let mut lists = vec![];
        collect_impl_traits(&sig.ret, &mut lists);
        let Some(written) = lists.get(*index as usize) else { return Ok(vec![]) };
        let scope = self.types.scope(func.def(), func.args())?;
        let mut bounds = vec![];
        for bound in *written {
            if self.types.lang.is_marker(bound.def) {
                continue;
            }
            let predicate = self.lower_predicate(ty, bound, &scope)?;
            let mut bindings = vec![];
            for of in bound.bindings.iter().filter(|of| wanted.include(of.name)) {
                bindings.push((of.name, self.read_ret(&of.ty, &scope, &mut 0)?));
            }
            bounds.push(DynBound {
                def: bound.def,
                args: predicate.args[1..].into(),
                bindings: bindings.into(),
            });
        }
        Ok(bounds)
    }

    pub(super) fn choose_impl(&mut self, predicate: &TraitPredicate, self_ty: Ty) -> Result<Choice> {
        match self.guide(predicate, self_ty) {
            Guide::NoMatch | Guide::Followed => {}
            Guide::Postponed => return Ok(Choice::Open),
        }
        let memo_key = if self.stack.is_empty() { self.memo_key(predicate) } else { None };
        let Some(memo_key) = memo_key else { return self.choose_among_impls(predicate, self_ty) };
        if let Some((def, args)) = self.memo.impl_for(&memo_key) {
            return Ok(Choice::One(ImplSource::Impl { def: *def, args: args.clone() }));
        }
        let key = TraitPredicate { trait_: predicate.trait_, args: self.table.resolve_args(&predicate.args) };
        if let Some((def, args)) = self.types.known_impl(&key) {
            let args = if has_marks(&key.args) { self.remarked(def, args, predicate) } else { args };
            self.memo.keep_impl(memo_key, def, args.clone());
            return Ok(Choice::One(ImplSource::Impl { def, args }));
        }
        let choice = self.choose_among_impls(predicate, self_ty)?;
        if let Choice::One(ImplSource::Impl { def, args }) = &choice
            && self.is_settled(args)
        {
            self.types.keep_impl(key, *def, unmarked(&self.table.resolve_args(args)));
        }
        Ok(choice)
    }

    /// The arguments of an impl that are known without marks, with those of the predicate (TY4).
    fn remarked(&mut self, def: DefId, known: Box<[Arg]>, predicate: &TraitPredicate) -> Box<[Arg]> {
        let Some(found) = self.attempt(|cx| cx.match_impl(def, predicate)) else { return known };
        let found = self.table.resolve_args(&found);
        let pairs = found.iter().zip(&known);
        pairs.map(|(found, known)| if found == known { *found } else { *known }).collect()
    }

    fn choose_among_impls(&mut self, predicate: &TraitPredicate, self_ty: Ty) -> Result<Choice> {
        let mut matching: Vec<DefId> = vec![];
        for candidate in self.candidates(predicate.trait_, self_ty) {
            if self.may_match(candidate, predicate)?
                && self.probe(|cx| cx.match_impl(candidate, predicate).is_some())
            {
                matching.push(candidate);
            }
        }
        if matching.len() > 1 {
            matching = self.winnow(matching, predicate)?;
        }
        match *matching {
            [] => Ok(Choice::None),
            [only] => Ok(self.commit_impl(only, predicate)),
            [first, ..] => {
                let is_open = predicate.args.iter().any(|arg| self.is_open_arg(arg));
                // Overlapping impls for a known type: the more specific ones come first.
                Ok(if is_open { Choice::Open } else { self.commit_impl(first, predicate) })
            }
        }
    }

    pub(super) fn is_open_arg(&self, arg: &Arg) -> bool {
        match arg {
            Arg::Ty(ty) => self.resolve(*ty).is_open(),
            Arg::Const(value) => matches!(self.table.shallow_const(*value), Const::Infer(_)),
        }
    }

    fn commit_impl(&mut self, def: DefId, predicate: &TraitPredicate) -> Choice {
        match self.attempt(|cx| cx.match_impl(def, predicate)) {
            Some(args) => Choice::One(ImplSource::Impl { def, args }),
            None => Choice::None,
        }
    }

    /// Consults the where clauses about a predicate with variables: they take precedence over impls, as in
    /// rustc. Since an impl for the type that a parameter is bound to matches too, they are followed only as a
    /// last resort.
    fn guide(&mut self, predicate: &TraitPredicate, self_ty: Ty) -> Guide {
        let is_cacheable = matches!(self_ty.kind(), TyKind::Infer(_))
            || !predicate.args.iter().any(|arg| self.is_open_arg(arg));
        if is_cacheable {
            return Guide::NoMatch;
        }
        let mut fitting: Vec<Box<[Arg]>> = vec![];
        for at in 0..self.env.len() {
            if self.env[at].trait_ != predicate.trait_ || fitting.contains(&self.env[at].args) {
                continue;
            }
            let known = self.env[at].args.clone();
            if self.probe(|cx| cx.unify_args(&known, &predicate.args)) {
                fitting.push(known);
            }
        }
        if fitting.is_empty() && self.env.iter().any(|known| self.declares_of_assoc(known, predicate.trait_))
        {
            for known in self.assoc_env().to_vec() {
                if known.trait_ == predicate.trait_
                    && !fitting.contains(&known.args)
                    && self.probe(|cx| cx.unify_args(&known.args, &predicate.args))
                {
                    fitting.push(known.args);
                }
            }
        }
        match &fitting[..] {
            [] => Guide::NoMatch,
            [known] if self.guided => {
                self.unify_args(known, &predicate.args);
                Guide::Followed
            }
            _ if self.guided => Guide::NoMatch,
            _ => Guide::Postponed,
        }
    }

    /// The impls whose where clauses do not fail; stops at two, which suffice to show ambiguity. Those for every type
    /// come first: most fail at once, and of a last one left nothing needs to be shown.
    fn winnow(&mut self, matching: Vec<DefId>, predicate: &TraitPredicate) -> Result<Vec<DefId>> {
        let mut blanket = vec![];
        for &def in &matching {
            blanket.push(matches!(self.types.program().impl_(def)?.self_ty.kind, TypeKind::Param(_)));
        }
        let mut order: Vec<usize> = (0..matching.len()).collect();
        order.sort_by_key(|&at| !blanket[at]);
        let mut fitting = vec![];
        for (tried, &at) in order.iter().enumerate() {
            let is_only = fitting.is_empty() && tried + 1 == order.len();
            if is_only || self.where_clauses_of(matching[at], predicate) != Verdict::No {
                fitting.push(at);
                // The more specific ones are those that count.
                if fitting.len() >= 2 && !blanket[at] {
                    break;
                }
            }
        }
        fitting.sort_unstable();
        Ok(fitting.into_iter().map(|at| matching[at]).collect())
    }

    /// Whether the where clauses of an impl hold if it is the one for a predicate.
    fn where_clauses_of(&mut self, def: DefId, predicate: &TraitPredicate) -> Verdict {
        self.probe(|cx| {
            let first_pending = cx.pending.len();
            let Some(args) = cx.match_impl(def, predicate) else { return Verdict::No };
            match cx.item_goals(def, &args) {
                Ok(goals) => {
                    cx.require_all(goals);
                    cx.evaluate_from(first_pending)
                }
                Err(_) => Verdict::No,
            }
        })
    }

    fn candidates(&self, trait_: DefId, self_ty: Ty) -> Vec<DefId> {
        let program = self.types.program();
        let of_prims = |prims: &[Prim]| {
            let mut all: Vec<DefId> = vec![];
            for &prim in prims {
                for &found in program.impls_for(trait_, SelfHead::Prim(prim)).iter() {
                    if !all.contains(&found) {
                        all.push(found);
                    }
                }
            }
            all
        };
        match self_ty.kind() {
            TyKind::Infer(InferVar::Int(_)) => of_prims(&INTS),
            TyKind::Infer(InferVar::Float(_)) => of_prims(&[Prim::F64, Prim::F32]),
            _ => program.impls_for(trait_, head(self_ty)).to_vec(),
        }
    }

    /// A cheap test whether an impl may match: no written part of it differs from the predicate.
    fn may_match(&self, def: DefId, predicate: &TraitPredicate) -> Result<bool> {
        let impl_ = self.types.program().impl_(def)?;
        let Some(of) = &impl_.of else { return Ok(false) };
        Ok(self.may_be(&impl_.self_ty, predicate.self_ty())
            && of.args.iter().zip(predicate.args.iter().skip(1)).all(|(written, arg)| match (written, arg) {
                (GenericArg::Type(written), Arg::Ty(ty)) => self.may_be(written, *ty),
                _ => true,
            }))
    }

    /// Whether a written type may be this one, judging by its outer shape.
    pub(super) fn may_be(&self, written: &Type, ty: Ty) -> bool {
        let ty = self.shallow(ty);
        match (&written.kind, ty.kind()) {
            (_, TyKind::Infer(InferVar::Any(_)) | TyKind::Opaque(..)) => true,
            (TypeKind::Prim(prim), TyKind::Infer(InferVar::Int(_))) => is_int(*prim),
            (TypeKind::Prim(prim), TyKind::Infer(InferVar::Float(_))) => is_float(*prim),
            (TypeKind::Prim(prim), kind) => matches!(kind, TyKind::Prim(other) if other == prim),
            (TypeKind::Tuple(elems), kind) => matches!(kind, TyKind::Tuple(others)
                if others.len() == elems.len()
                    && elems.iter().zip(others).all(|(elem, &other)| self.may_be(elem, other))),
            (TypeKind::Ref { mutable, inner, .. }, TyKind::Ref(other)) => {
                !mutable && self.may_be(inner, *other)
            }
            (TypeKind::Ref { mutable, inner, .. }, TyKind::RefMut(other)) => {
                *mutable && self.may_be(inner, *other)
            }
            (TypeKind::Ref { .. }, _) => false,
            (TypeKind::Slice(elem), kind) => {
                matches!(kind, TyKind::Slice(other) if self.may_be(elem, *other))
            }
            (TypeKind::Array(elem, _), kind) => {
                matches!(kind, TyKind::Array(other, _) if self.may_be(elem, *other))
            }
            (TypeKind::Def(def, args), kind) => {
                if self.types.kind(*def) == crate::hir::DefKind::TypeAlias {
                    return true;
                }
                matches!(kind, TyKind::Adt(other, others) if other == def
                && args.iter().zip(others).all(|(arg, other)| match (arg, other) {
                    (GenericArg::Type(arg), Arg::Ty(other)) => self.may_be(arg, *other),
                    _ => true,
                }))
            }
            (TypeKind::Dyn(bounds), kind) => matches!(kind, TyKind::Dyn(others)
                if bounds.first().map(|bound| bound.def) == others.first().map(|bound| bound.def)
                    || bounds.len() != others.len()),
            (TypeKind::Never, kind) => matches!(kind, TyKind::Never),
            (TypeKind::FnPtr(..), kind) => matches!(kind, TyKind::FnPtr(..)),
            (
                TypeKind::Infer
                | TypeKind::Param(_)
                | TypeKind::SelfType(_)
                | TypeKind::Assoc { .. }
                | TypeKind::ImplTrait(_)
                | TypeKind::Unsupported(_),
                _,
            ) => true,
        }
    }

    /// Unifies an impl's header with the predicate; returns the impl's arguments.
    fn match_impl(&mut self, def: DefId, predicate: &TraitPredicate) -> Option<Box<[Arg]>> {
        let program = self.types.program().clone();
        let impl_ = program.impl_(def).ok()?;
        let of = impl_.of.as_ref()?;
        let layout = self.types.layout(def).ok()?;
        let args = self.fill_fresh(def, vec![], layout.len, of.span).ok()?;
        let scope = self.types.scope(def, &args).ok()?;
        let self_ty = self.nested(|cx| cx.read_ty(&impl_.self_ty, &scope)).ok()?;
        if !self.unify(self_ty, predicate.self_ty()) {
            return None;
        }
        let header = self.nested(|cx| cx.lower_predicate(self_ty, of, &scope)).ok()?;
        self.unify_args(&header.args[1..], &predicate.args[1..]).then(|| args.into())
    }

    /// The goals that follow from a choice.
    pub(super) fn nested_goals(
        &mut self,
        predicate: &TraitPredicate,
        source: &ImplSource,
    ) -> Result<Vec<Goal>> {
        match source {
            ImplSource::Impl { def, args } => self.nested(|cx| cx.item_goals(*def, args)),
            ImplSource::Builtin(goals) => Ok(goals.clone()),
            ImplSource::Bound { .. } => Ok(vec![]),
            ImplSource::Callable { params, .. } => {
                let params_tuple = Ty::tuple(params.clone());
                match predicate.args.get(1).and_then(|arg| arg.ty()) {
                    Some(expected) if !self.unify(expected, params_tuple) => self.unsatisfied(predicate),
                    _ => Ok(vec![]),
                }
            }
        }
    }

    /// Built-in implementations of traits, where there is no impl.
    fn builtin(&mut self, predicate: &TraitPredicate, self_ty: Ty) -> Option<Vec<Goal>> {
        if !self.types.lang.is(predicate.trait_, "clone") {
            return None;
        }
        let each = |tys: &[Ty]| {
            let clone = |&ty: &Ty| Goal::Trait(TraitPredicate::new(predicate.trait_, [Arg::Ty(ty)]));
            tys.iter().map(clone).collect()
        };
        match self_ty.kind() {
            TyKind::Tuple(elems) => Some(each(elems)),
            TyKind::Array(elem, _) => Some(each(&[*elem])),
            TyKind::Closure(_)
            | TyKind::FnDef(_)
            | TyKind::FnPtr(..)
            | TyKind::Ref(_)
            | TyKind::Never
            | TyKind::Prim(_)
            | TyKind::Infer(_)
            | TyKind::Opaque(..) => Some(vec![]),
            TyKind::Adt(..) | TyKind::RefMut(_) | TyKind::Slice(_) | TyKind::Dyn(_) => None,
        }
    }
}

/// The outer shape of a type.
pub(super) fn head(ty: Ty) -> SelfHead {
    match ty.kind() {
        TyKind::Prim(prim) => SelfHead::Prim(*prim),
        TyKind::Never => SelfHead::Never,
        TyKind::Tuple(_) => SelfHead::Tuple,
        TyKind::Adt(def, _) => SelfHead::Def(*def),
        TyKind::Ref(_) | TyKind::RefMut(_) => SelfHead::Ref,
        TyKind::Slice(_) => SelfHead::Slice,
        TyKind::Array(..) => SelfHead::Array,
        TyKind::FnPtr(..) => SelfHead::FnPtr,
        TyKind::Dyn(bounds) => bounds.first().map_or(SelfHead::Blanket, |bound| SelfHead::Dyn(bound.def)),
        TyKind::FnDef(_) | TyKind::Closure(_) | TyKind::Opaque(..) | TyKind::Infer(_) => SelfHead::Blanket,
    }
}
