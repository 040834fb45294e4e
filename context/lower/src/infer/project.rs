//! Projection: finds the types that associated types stand for.

use overdub_context::{Span, Symbol};

use super::cx::{Cx, Goal, TraitPredicate};
use super::error::Result;
use super::memo::Obligations;
use super::select::{Choice, ImplSource};
use super::ty::*;
use crate::hir::TypeKind;

/// The result of a projection.
pub(super) enum Projected {
    /// The type, if these goals hold.
    Ty(Ty, Vec<Goal>),
    /// The result depends on unbound variables.
    Open,
    /// There is none.
    None,
}

impl Cx<'_> {
    /// An associated type, or a variable for it.
    pub(super) fn normalize(
        &mut self,
        predicate: TraitPredicate,
        name: Symbol,
        own_args: Vec<Arg>,
        span: Span,
    ) -> Result<Ty> {
        if self.awaits_args_of(&predicate, &own_args) {
            let out = self.fresh();
            self.require(Goal::Project { predicate, name, own_args: own_args.into(), out });
            return Ok(out);
        }
        let projected = self.nested(|cx| cx.project(&predicate, name, &own_args))?;
        match projected {
            Projected::Ty(ty, nested) => {
                self.require_all(nested);
                Ok(ty)
            }
            Projected::Open => {
                let out = self.fresh();
                self.require(Goal::Project { predicate, name, own_args: own_args.into(), out });
                Ok(out)
            }
            Projected::None => {
                self.span = span;
                self.unsatisfied(&predicate)
            }
        }
    }

    pub(super) fn project(
        &mut self,
        predicate: &TraitPredicate,
        name: Symbol,
        own_args: &[Arg],
    ) -> Result<Projected> {
        let key = if self.probing { None } else { self.memo_key_of_assoc(predicate, name, own_args) };
        if let Some(known) = key.as_ref().and_then(|key| self.memo.assoc(key)) {
            return Ok(Projected::Ty(known, vec![]));
        }
        let first_pending = self.pending.len();
        let found = self.project_anew(predicate, name, own_args)?;
        if let (Some(key), Projected::Ty(ty, nested)) = (key, &found) {
            let obligations = match self.resolve(*ty).is_open() {
                true => Obligations::Pending,
                false => self.obligations(nested, first_pending),
            };
            self.memo.keep_assoc(key, *ty, obligations);
        }
        Ok(found)
    }

    fn project_anew(
        &mut self,
        predicate: &TraitPredicate,
        name: Symbol,
        own_args: &[Arg],
    ) -> Result<Projected> {
        match self.choose(predicate)? {
            Choice::Open => Ok(Projected::Open),
            Choice::None => Ok(Projected::None),
            Choice::One(source) => match &source {
                ImplSource::Impl { def, args } => {
                    let nested = match self.needs_no_proof(predicate, &source) {
                        true => vec![],
                        false => self.nested_goals(predicate, &source)?,
                    };
                    let found = self.assoc_of_impl(*def, args, predicate, name, own_args)?;
                    // An impl for every type says what it is, whatever the parameter is bound to, unless a where clause
                    // takes precedence.
                    let self_ty = &self.types.program().impl_(*def)?.self_ty;
                    let is_blanket =
                        matches!(self_ty.kind, TypeKind::Param(_)) && !self.is_assumed(predicate);
                    let marked = |ty: Ty| {
                        if is_blanket { ty } else { self.projection_of_param(predicate, name, own_args, ty) }
                    };
                    Ok(found.map_or(Projected::None, |ty| Projected::Ty(marked(ty), nested)))
                }
                ImplSource::Callable { ret, .. } => {
                    Ok(Projected::Ty(*ret, self.nested_goals(predicate, &source)?))
                }
                ImplSource::Bound { at, known } => match self.binding_of_bound(*at, known, name)? {
                    Some(ty) => Ok(Projected::Ty(ty, vec![])),
                    None => match self.reveal(predicate.self_ty()) {
                        Some(ty) => {
                            let mut args = predicate.args.clone();
                            args[0] = Arg::Ty(ty);
                            self.project(&TraitPredicate::new(predicate.trait_, args), name, own_args)
                        }
                        None => Ok(Projected::None),
                    },
                },
                ImplSource::Builtin(_) => Ok(Projected::None),
            },
        }
    }

    /// Whether a where clause says that a predicate holds, or what an associated type of it is.
    fn is_assumed(&self, predicate: &TraitPredicate) -> bool {
        let args = self.table.resolve_args(&predicate.args);
        let is_it = |known: &TraitPredicate| known.trait_ == predicate.trait_ && known.args == args;
        self.env.iter().any(is_it) || self.bound_assocs.iter().any(|(known, ..)| is_it(known))
    }

    /// Takes it that a generic associated type of a parameter is the one that the result is known to be (TY5).
    pub(super) fn unify_projections(
        &mut self,
        predicate: &TraitPredicate,
        name: Symbol,
        own_args: &[Arg],
        out: Ty,
    ) {
        let Some(known) = self.shallow(out).projection() else { return };
        let of = predicate.args.len();
        if self.types.program().child(predicate.trait_, name) == Some(known.def())
            && known.args().len() == of + own_args.len()
            && known.args()[..of] == *self.table.resolve_args(&predicate.args)
        {
            self.unify_args(&known.args()[of..], own_args);
        }
    }

    /// Whether a generic associated type of a parameter waits for its arguments: what it is here says nothing of them
    /// (TY5).
    fn awaits_args_of(&self, predicate: &TraitPredicate, own_args: &[Arg]) -> bool {
        own_args.iter().any(|arg| self.is_open_arg(arg)) && self.shallow(predicate.self_ty()).is_param()
    }

    /// Whether it does until it is guided, or until the result is known.
    pub(super) fn awaits_args(&self, predicate: &TraitPredicate, own_args: &[Arg], out: Ty) -> bool {
        let is_unknown = |ty: Ty| matches!(self.shallow(ty).kind(), TyKind::Infer(InferVar::Any(_)));
        !self.guided && self.awaits_args_of(predicate, own_args) && is_unknown(out)
    }

    /// What an associated type of a parameter is, marked so that its arguments can be told from it (TY5).
    fn projection_of_param(&self, of: &TraitPredicate, name: Symbol, own_args: &[Arg], ty: Ty) -> Ty {
        let marked = self.assoc_of_param(of, name, ty);
        let item = self.types.program().child(of.trait_, name).filter(|_| !own_args.is_empty());
        let (Some(item), true) = (item, marked.is_param()) else { return marked };
        let args: Vec<Arg> = of.args.iter().chain(own_args).copied().collect();
        if !self.is_settled(&args) {
            return marked;
        }
        marked.as_projection(Instance::new(item, self.table.resolve_args(&args)))
    }

    /// An associated type, marked if it is that of a parameter: what it is is not known where it was written (TY4), unless a
    /// where clause says so.
    pub(super) fn assoc_of_param(&self, of: &TraitPredicate, name: Symbol, ty: Ty) -> Ty {
        let is_of_param = self.shallow(of.self_ty()).is_param();
        if !is_of_param && self.bound_assocs.is_empty() {
            return ty;
        }
        // The arguments of the impl are variables that its header has bound.
        let ty = self.resolve(ty);
        if ty.is_open() {
            return ty;
        }
        let args = self.table.resolve_args(&of.args);
        let is_it = |(known, assoc, out): &&(TraitPredicate, Symbol, Ty)| {
            *assoc == name && known.trait_ == of.trait_ && known.args == args && *out == ty
        };
        match self.bound_assocs.iter().find(is_it) {
            Some((.., out)) => *out,
            None if is_of_param => ty.as_of_param(),
            None => ty,
        }
    }

    /// The value of an associated type in an impl, or the trait's default.
    fn assoc_of_impl(
        &mut self,
        def: crate::hir::DefId,
        args: &[Arg],
        predicate: &TraitPredicate,
        name: Symbol,
        own_args: &[Arg],
    ) -> Result<Option<Ty>> {
        let program = self.types.program().clone();
        let (item, prefix) = match program.child(def, name) {
            Some(item) => (item, args),
            None => match program.child(predicate.trait_, name) {
                Some(item) => (item, &*predicate.args),
                None => return Ok(None),
            },
        };
        let assoc = program.assoc_type(item)?;
        let Some(value) = &assoc.value else { return Ok(None) };
        let all: Vec<Arg> = prefix.iter().chain(own_args).copied().collect();
        let scope = self.types.scope(item, &all)?;
        self.nested(|cx| cx.read_ty(value, &scope)).map(Some)
    }
}
