//! The inference context: variables, pending obligations and the closures of the body.
//!
//! - PROBE1 between [`Cx::probe`] and its end, obligations that were already pending are not processed, so
//!   that everything can be rolled back.

use hashbrown::HashMap;
use overdub_context::{Span, Symbol};

use super::error::{InferError, InferErrorKind, Result};
use super::fold::{self, Folder};
use super::memo::Memo;
use super::session::Types;
use super::table::Table;
use super::ty::*;
use crate::hir::{DefId, Prim};

/// A trait that a type has to implement: the first argument is the type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct TraitPredicate {
    pub(super) trait_: DefId,
    pub(super) args: Box<[Arg]>,
}

impl TraitPredicate {
    pub(super) fn new(trait_: DefId, args: impl Into<Box<[Arg]>>) -> TraitPredicate {
        TraitPredicate { trait_, args: args.into() }
    }

    pub(super) fn self_ty(&self) -> Ty {
        self.args.first().and_then(|arg| arg.ty()).unwrap_or_else(Ty::unit)
    }
}

impl DynBound {
    /// That a type implements the trait of the bound.
    pub(super) fn predicate(&self, self_ty: Ty) -> TraitPredicate {
        let args = std::iter::once(Arg::Ty(self_ty)).chain(self.args.iter().copied());
        TraitPredicate::new(self.def, args.collect::<Vec<_>>())
    }
}

/// An obligation.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    /// A type implements a trait.
    Trait(TraitPredicate),
    /// An associated type of a trait, with its own arguments, is this type.
    Project { predicate: TraitPredicate, name: Symbol, own_args: Box<[Arg]>, out: Ty },
    /// `?` may return this error from a function or closure that returns `ret`.
    Try { error: Ty, ret: Ty },
}

/// A goal that waits for variables to be bound.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) goal: Goal,
    pub(super) span: Span,
    pub(super) depth: u32,
    /// The variables of which one must be bound before a retry can succeed; if empty, always retry.
    pub(super) stalled: Vec<Ty>,
}

/// The signature of a closure while its body is inferred.
#[derive(Clone, Debug)]
pub(super) struct OpenClosure {
    pub(super) params: Box<[Ty]>,
    pub(super) ret: Ty,
}

/// The inference context of a body.
pub(super) struct Cx<'t> {
    pub(super) types: &'t Types,
    pub(super) table: Table,
    pub(super) pending: Vec<Pending>,
    pub(super) closures: HashMap<ClosureId, OpenClosure>,
    /// The predicates of the item's where clauses, with their supertraits: they guide the choice where
    /// several impls match.
    pub(super) env: Vec<TraitPredicate>,
    /// The associated types that the where clauses determine: of this trait, for this type, of this name.
    pub(super) bound_assocs: Vec<(TraitPredicate, Symbol, Ty)>,
    /// The predicates that the traits of `env` declare of their associated types, once they are needed: they guide
    /// where none of `env` does.
    pub(super) assoc_env: Option<Vec<TraitPredicate>>,
    /// The item whose body is inferred: what is private to a module is accessible to its items.
    pub(super) home: Option<DefId>,
    /// The trait whose impl or body is inferred, which is in scope there.
    pub(super) trait_in_scope: Option<DefId>,
    /// The predicates under evaluation, to detect those that depend on themselves.
    pub(super) stack: Vec<TraitPredicate>,
    /// The lowest of them that the evaluation of one above it came back to; their number if none.
    pub(super) lowest_cycle: usize,
    /// The location of the code being inferred.
    pub(super) span: Span,
    /// The nesting depth of projections.
    pub(super) depth: u32,
    /// Whether everything will be rolled back (PROBE1).
    pub(super) probing: bool,
    /// Whether where clauses are followed now.
    pub(super) guided: bool,
    /// What was found of types without variables.
    pub(super) memo: Memo,
}

/// The maximum nesting depth of goals.
pub(super) const MAX_DEPTH: u32 = 128;

impl<'t> Cx<'t> {
    pub(super) fn new(types: &'t Types) -> Cx<'t> {
        Cx {
            types,
            table: Table::default(),
            pending: vec![],
            closures: HashMap::new(),
            env: vec![],
            bound_assocs: vec![],
            assoc_env: None,
            home: None,
            trait_in_scope: None,
            stack: vec![],
            lowest_cycle: usize::MAX,
            span: Span::unknown(),
            depth: 0,
            probing: false,
            guided: false,
            memo: Memo::default(),
        }
    }

    /// Tries something and rolls it back.
    pub(super) fn probe<R>(&mut self, attempt: impl FnOnce(&mut Self) -> R) -> R {
        let snapshot = self.table.snapshot();
        let (first_pending, first_open) = (self.pending.len(), self.memo.len_of_open());
        let outer = std::mem::replace(&mut self.probing, true);
        let result = attempt(self);
        self.probing = outer;
        self.pending.truncate(first_pending);
        self.memo.forget_open(first_open);
        self.table.rollback(snapshot);
        result
    }

    /// Tries something and keeps it if it succeeds.
    pub(super) fn attempt<R>(&mut self, attempt: impl FnOnce(&mut Self) -> Option<R>) -> Option<R> {
        let snapshot = self.table.snapshot();
        let (first_pending, first_open) = (self.pending.len(), self.memo.len_of_open());
        let result = attempt(self);
        if result.is_none() {
            self.pending.truncate(first_pending);
            self.memo.forget_open(first_open);
            self.table.rollback(snapshot);
        }
        result
    }

    pub(super) fn fresh(&mut self) -> Ty {
        self.table.fresh()
    }

    pub(super) fn shallow(&self, ty: Ty) -> Ty {
        self.table.shallow(ty)
    }

    pub(super) fn resolve(&self, ty: Ty) -> Ty {
        self.table.resolve(ty)
    }

    pub(super) fn show(&self, ty: Ty) -> String {
        self.types.show(self.resolve(ty))
    }

    pub(super) fn error<R>(&self, kind: InferErrorKind) -> Result<R> {
        Err(InferError::new(self.span, kind))
    }

    pub(super) fn mismatch<R>(&self, expected: Ty, found: Ty) -> Result<R> {
        self.error(InferErrorKind::Mismatch { expected: self.show(expected), found: self.show(found) })
    }

    pub(super) fn lang(&self, name: &'static str) -> Result<DefId> {
        match self.types.lang.get(name) {
            Some(def) => Ok(def),
            None => self.error(InferErrorKind::NoLang(name)),
        }
    }

    pub(super) fn lang_adt(&self, name: &'static str, args: &[Ty]) -> Result<Ty> {
        Ok(Ty::adt(self.lang(name)?, args.iter().map(|&ty| Arg::Ty(ty)).collect::<Vec<_>>()))
    }

    /// The pointee of a raw pointer type, and whether it is `*mut`; none for other types.
    pub(super) fn raw_pointee(&self, ty: Ty) -> Option<(Mutability, Ty)> {
        let ty = self.shallow(ty);
        [(Mutability::Shared, "const_ptr"), (Mutability::Mut, "mut_ptr")].into_iter().find_map(
            |(mutability, name)| {
                let pointee = self.as_lang(ty, name)?.first()?.ty()?;
                Some((mutability, pointee))
            },
        )
    }

    /// The type `*const T` or `*mut T`.
    pub(super) fn raw_pointer(&self, mutability: Mutability, pointee: Ty) -> Result<Ty> {
        let name = match mutability {
            Mutability::Shared => "const_ptr",
            Mutability::Mut => "mut_ptr",
        };
        Ok(Ty::adt(self.lang(name)?, [Arg::Ty(pointee)]))
    }

    /// The arguments of a struct or enum type, if it is the lang item of this name.
    pub(super) fn as_lang(&self, ty: Ty, name: &str) -> Option<&'static [Arg]> {
        match ty.kind() {
            TyKind::Adt(def, args) if self.types.lang.is(*def, name) => Some(args),
            _ => None,
        }
    }

    /// Unifies two types, or changes nothing.
    pub(super) fn unify(&mut self, a: Ty, b: Ty) -> bool {
        if a == b {
            return true;
        }
        self.attempt(|cx| cx.relate(a, b).then_some(())).is_some()
    }

    pub(super) fn unify_args(&mut self, a: &[Arg], b: &[Arg]) -> bool {
        self.attempt(|cx| cx.relate_args(a, b).then_some(())).is_some()
    }

    /// Unifies two types; a failure leaves partial bindings.
    fn relate(&mut self, a: Ty, b: Ty) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        if a == b {
            return true;
        }
        match (a.kind(), b.kind()) {
            (TyKind::Infer(var), _) => self.relate_var(*var, b) || self.relate_var_flipped(a, b),
            (_, TyKind::Infer(var)) => self.relate_var(*var, a),
            (TyKind::Tuple(a), TyKind::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.relate(a, b))
            }
            (TyKind::Adt(d, a), TyKind::Adt(e, b)) => d == e && self.relate_args(a, b),
            (TyKind::Ref(a), TyKind::Ref(b))
            | (TyKind::RefMut(a), TyKind::RefMut(b))
            | (TyKind::Slice(a), TyKind::Slice(b)) => self.relate(*a, *b),
            (TyKind::Array(a, n), TyKind::Array(b, m)) => self.relate_const(*n, *m) && self.relate(*a, *b),
            (TyKind::FnDef(f), TyKind::FnDef(g)) => {
                f.def() == g.def() && self.relate_args(f.args(), g.args())
            }
            (TyKind::FnPtr(ps, r), TyKind::FnPtr(qs, s)) => {
                ps.len() == qs.len()
                    && ps.iter().zip(qs).all(|(&p, &q)| self.relate(p, q))
                    && self.relate(*r, *s)
            }
            (TyKind::Dyn(a), TyKind::Dyn(b)) => self.relate_dyn(a, b),
            (TyKind::Opaque(f, i), TyKind::Opaque(g, j))
                if f.def() == g.def() && i == j && self.unify_args(f.args(), g.args()) =>
            {
                true
            }
            (TyKind::Opaque(..), _) => match self.reveal(a) {
                Some(a) => self.relate(a, b),
                None => false,
            },
            (_, TyKind::Opaque(..)) => match self.reveal(b) {
                Some(b) => self.relate(a, b),
                None => false,
            },
            _ => false,
        }
    }

    fn relate_var_flipped(&mut self, a: Ty, b: Ty) -> bool {
        match b.kind() {
            TyKind::Infer(var) => self.relate_var(*var, a),
            _ => false,
        }
    }

    fn relate_var(&mut self, var: InferVar, ty: Ty) -> bool {
        let fits = match (var, ty.kind()) {
            (InferVar::Any(_), _) => !self.table.occurs(var, ty),
            (InferVar::Int(_), TyKind::Infer(InferVar::Int(_))) => true,
            (InferVar::Float(_), TyKind::Infer(InferVar::Float(_))) => true,
            (InferVar::Int(_), TyKind::Prim(prim)) => is_int(*prim),
            (InferVar::Float(_), TyKind::Prim(prim)) => is_float(*prim),
            (InferVar::Int(_) | InferVar::Float(_), TyKind::Opaque(..)) => {
                return match self.reveal(ty) {
                    Some(ty) => self.relate_var(var, ty),
                    None => false,
                };
            }
            _ => false,
        };
        if fits {
            self.table.bind(var, ty);
        }
        fits
    }

    fn relate_const(&mut self, a: Const, b: Const) -> bool {
        match (self.table.shallow_const(a), self.table.shallow_const(b)) {
            (a, b) if a == b => true,
            (Const::Infer(var), value) | (value, Const::Infer(var)) => {
                self.table.bind_const(var, value);
                true
            }
            _ => false,
        }
    }

    fn relate_args(&mut self, a: &[Arg], b: &[Arg]) -> bool {
        a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| match (a, b) {
                (Arg::Ty(a), Arg::Ty(b)) => self.relate(*a, *b),
                (Arg::Const(a), Arg::Const(b)) => self.relate_const(*a, *b),
                _ => false,
            })
    }

    fn relate_dyn(&mut self, a: &[DynBound], b: &[DynBound]) -> bool {
        a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| {
                a.def == b.def
                    && self.relate_args(&a.args, &b.args)
                    && a.bindings.iter().all(|&(name, ty)| {
                        let other = b.bindings.iter().find(|(other, _)| *other == name);
                        other.is_none_or(|&(_, other)| self.relate(ty, other))
                    })
            })
    }

    /// The final form of a type: no variables, no `impl Trait`.
    pub(super) fn finish(&mut self, ty: Ty, span: Span) -> Result<Ty> {
        self.span = span;
        if ty.is_open() {
            self.select()?;
        }
        let ty = self.resolve(ty);
        let ty = self.reveal_all(ty)?;
        if ty.is_open() {
            return self.error(InferErrorKind::Unknown { what: "expression", ty: self.types.show(ty) });
        }
        Ok(ty)
    }

    /// The type with every `impl Trait` in it replaced by its hidden type, without marks (TY4).
    pub(super) fn reveal_all(&mut self, ty: Ty) -> Result<Ty> {
        let ty = ty.unmarked();
        if !ty.has_opaque() {
            return Ok(ty);
        }
        let mut revealer = Revealer { cx: self, error: None };
        let ty = revealer.ty(ty);
        match revealer.error {
            Some(error) => Err(error),
            None => Ok(ty.unmarked()),
        }
    }

    pub(super) fn reveal_args(&mut self, args: &[Arg]) -> Result<Box<[Arg]>> {
        args.iter()
            .map(|arg| match arg {
                Arg::Ty(ty) => Ok(Arg::Ty(self.reveal_all(*ty)?)),
                Arg::Const(value) => Ok(Arg::Const(*value)),
            })
            .collect()
    }
}

struct Revealer<'c, 't> {
    cx: &'c mut Cx<'t>,
    error: Option<InferError>,
}

impl Folder for Revealer<'_, '_> {
    fn touches(&self, ty: Ty) -> bool {
        ty.has_opaque() && self.error.is_none()
    }

    fn ty(&mut self, ty: Ty) -> Ty {
        let ty = fold::walk(ty, self);
        let TyKind::Opaque(..) = ty.kind() else { return ty };
        match self.cx.hidden_type(ty) {
            Ok(hidden) => hidden,
            Err(error) => {
                self.error.get_or_insert(error);
                ty
            }
        }
    }

    fn constant(&mut self, value: Const) -> Const {
        value
    }
}

pub(super) fn is_int(prim: Prim) -> bool {
    !matches!(prim, Prim::Bool | Prim::Char | Prim::Str | Prim::F32 | Prim::F64)
}

pub(super) fn is_float(prim: Prim) -> bool {
    matches!(prim, Prim::F32 | Prim::F64)
}
