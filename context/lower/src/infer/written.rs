//! From types as written to semantic types.
//!
//! - W1 projections are normalised while a type is read: on known types at once, else by a variable and a goal.

use overdub_context::{Span, Symbol};

use super::cx::{Claim, Cx, Goal, MAX_DEPTH};
use super::error::{InferErrorKind, Result};
use super::scope::{Hidden, Scope};
use super::ty::*;
use crate::hir::{
    ConstArg, DefId, DefKind, GenericArg, GenericParam, ParamKind, TraitRef, Type, TypeKind, WhereBound,
};

impl Cx<'_> {
    /// The type that is written, in a scope.
    pub(super) fn read_ty(&mut self, written: &Type, scope: &Scope) -> Result<Ty> {
        match &written.kind {
            TypeKind::Infer => Ok(self.fresh()),
            TypeKind::Never => Ok(Ty::never()),
            TypeKind::Prim(prim) => Ok(Ty::prim(*prim)),
            TypeKind::Tuple(elems) => Ok(Ty::tuple(self.read_tys(elems, scope)?)),
            TypeKind::Ref { mutable, inner } => {
                let inner = self.read_ty(inner, scope)?;
                Ok(Ty::reference(mutability(*mutable), inner))
            }
            TypeKind::Slice(elem) => Ok(Ty::slice(self.read_ty(elem, scope)?)),
            TypeKind::Array(elem, len) => {
                let elem = self.read_ty(elem, scope)?;
                Ok(Ty::new(TyKind::Array(elem, self.read_const(len, scope, written.span)?)))
            }
            TypeKind::Def(def, args) => self.read_def(*def, args, scope, written.span),
            TypeKind::Param(param) => match scope.param(*param) {
                Some(Arg::Ty(ty)) => Ok(ty),
                Some(Arg::Const(_)) | None => {
                    self.span = written.span;
                    let ty =
                        format!("parameter {} of {}", param.index, self.types.program().path(param.owner));
                    self.error(InferErrorKind::Unknown { what: "type parameter", ty })
                }
            },
            TypeKind::SelfType(item) => self.read_self(*item, scope, written.span),
            TypeKind::Assoc { base, of, name, args } => {
                let base_ty = self.read_ty(base, scope)?;
                let claim = match of {
                    Some(of) => self.read_claim(base_ty, of, scope)?,
                    None => self.nested(|cx| cx.claim_of_assoc(base, base_ty, *name, scope, written.span))?,
                };
                let claim = self.assoc_owner(&claim, *name)?.unwrap_or(claim);
                let own = self.read_args(args, scope, written.span)?;
                self.normalize(claim, *name, own, written.span)
            }
            TypeKind::FnPtr(params, ret) => {
                let params = self.read_tys(params, scope)?;
                Ok(Ty::new(TyKind::FnPtr(params.into(), self.read_ty(ret, scope)?)))
            }
            TypeKind::ImplTrait(_) => {
                self.span = written.span;
                self.error(InferErrorKind::Unsupported(Symbol::new("`impl Trait` inside of a type here")))
            }
            TypeKind::Dyn(bounds) => self.read_dyn(bounds, scope),
            TypeKind::Unsupported(message) => {
                self.span = written.span;
                self.error(InferErrorKind::Unsupported(*message))
            }
        }
    }

    fn read_tys(&mut self, list: &[Type], scope: &Scope) -> Result<Vec<Ty>> {
        list.iter().map(|ty| self.read_ty(ty, scope)).collect()
    }

    /// A function's result, whose `impl Trait` parts are counted from `next`.
    pub(super) fn read_ret(&mut self, written: &Type, scope: &Scope, next: &mut u32) -> Result<Ty> {
        let mut list = |cx: &mut Self, list: &[Type]| -> Result<Vec<Ty>> {
            list.iter().map(|ty| cx.read_ret(ty, scope, next)).collect()
        };
        match &written.kind {
            TypeKind::ImplTrait(_) => {
                let index = *next;
                *next += 1;
                match &scope.hidden {
                    Hidden::Opaque(func) => Ok(Ty::new(TyKind::Opaque(*func, index))),
                    Hidden::Types(types) if (index as usize) < types.len() => Ok(types[index as usize]),
                    Hidden::Types(_) | Hidden::None => self.read_ty(written, scope),
                }
            }
            TypeKind::Tuple(elems) => Ok(Ty::tuple(list(self, elems)?)),
            TypeKind::Ref { mutable, inner } => {
                Ok(Ty::reference(mutability(*mutable), self.read_ret(inner, scope, next)?))
            }
            TypeKind::Slice(elem) => Ok(Ty::slice(self.read_ret(elem, scope, next)?)),
            TypeKind::Array(elem, len) => {
                let elem = self.read_ret(elem, scope, next)?;
                Ok(Ty::new(TyKind::Array(elem, self.read_const(len, scope, written.span)?)))
            }
            TypeKind::Def(def, args)
                if self.types.kind(*def) != DefKind::TypeAlias && has_impl_trait(args) =>
            {
                let mut read = vec![];
                for arg in args {
                    read.push(match arg {
                        GenericArg::Type(ty) => Arg::Ty(self.read_ret(ty, scope, next)?),
                        GenericArg::Const(value) => {
                            Arg::Const(self.read_const(value, scope, written.span)?)
                        }
                    });
                }
                let read = self.fill_defaults(*def, read, written.span)?;
                Ok(Ty::adt(*def, read))
            }
            _ => self.read_ty(written, scope),
        }
    }

    pub(super) fn read_const(&mut self, written: &ConstArg, scope: &Scope, span: Span) -> Result<Const> {
        match written {
            ConstArg::Infer => Ok(self.table.fresh_const()),
            ConstArg::Value(value) => Ok(Const::Value(*value)),
            ConstArg::Param(param) => match scope.param(*param) {
                Some(Arg::Const(value)) => Ok(self.table.shallow_const(value)),
                Some(Arg::Ty(_)) | None => {
                    self.span = span;
                    self.error(InferErrorKind::Const("a parameter that is not bound".into()))
                }
            },
            ConstArg::Body(body, expr) => {
                self.span = span;
                Ok(Const::Value(self.const_expr(body, *expr, scope)?))
            }
        }
    }

    pub(super) fn read_arg(&mut self, written: &GenericArg, scope: &Scope, span: Span) -> Result<Arg> {
        match written {
            GenericArg::Type(ty) => Ok(Arg::Ty(self.read_ty(ty, scope)?)),
            GenericArg::Const(value) => Ok(Arg::Const(self.read_const(value, scope, span)?)),
        }
    }

    pub(super) fn read_args(
        &mut self,
        written: &[GenericArg],
        scope: &Scope,
        span: Span,
    ) -> Result<Vec<Arg>> {
        written.iter().map(|arg| self.read_arg(arg, scope, span)).collect()
    }

    /// A struct, an enum or an alias with its arguments.
    fn read_def(&mut self, def: DefId, args: &[GenericArg], scope: &Scope, span: Span) -> Result<Ty> {
        let args = self.read_args(args, scope, span)?;
        self.def_with(def, args, span)
    }

    /// A struct, an enum or an alias with these arguments; missing ones have their defaults.
    pub(super) fn def_with(&mut self, def: DefId, args: Vec<Arg>, span: Span) -> Result<Ty> {
        let args = self.fill_defaults(def, args, span)?;
        if self.types.kind(def) != DefKind::TypeAlias {
            return Ok(Ty::adt(def, args));
        }
        let alias = self.types.program().assoc_type(def)?;
        let scope = self.types.scope(def, &args)?;
        match &alias.value {
            Some(value) => self.nested(|cx| cx.read_ty(value, &scope)),
            None => self.error(InferErrorKind::NoBody(self.types.program().path(def))),
        }
    }

    /// The arguments, with defaults or variables for those missing.
    pub(super) fn fill_defaults(&mut self, def: DefId, args: Vec<Arg>, span: Span) -> Result<Vec<Arg>> {
        let layout = self.types.layout(def)?;
        self.fill(def, args, layout.len, span, Missing::Default)
    }

    /// The first `len` arguments of an item, with variables for those missing.
    pub(super) fn fill_fresh(
        &mut self,
        def: DefId,
        args: Vec<Arg>,
        len: usize,
        span: Span,
    ) -> Result<Vec<Arg>> {
        self.fill(def, args, len, span, Missing::Variable)
    }

    fn fill(
        &mut self,
        def: DefId,
        mut args: Vec<Arg>,
        len: usize,
        span: Span,
        missing: Missing,
    ) -> Result<Vec<Arg>> {
        let layout = self.types.layout(def)?;
        args.truncate(len);
        if args.is_empty() && layout.self_trait.is_some() && len > 0 {
            args.push(Arg::Ty(self.fresh()));
        }
        while args.len() < len {
            let at = args.len();
            let segment = layout.segments.iter().rev().find(|segment| segment.start <= at);
            let param: Option<&GenericParam> =
                segment.and_then(|segment| segment.generics.params.get(at - segment.start));
            let arg = match (param.map(|param| &param.kind), missing) {
                (Some(ParamKind::Type(Some(default))), Missing::Default) => {
                    let scope = self.types.scope(def, &args)?;
                    Arg::Ty(self.read_ty(default, &scope)?)
                }
                (Some(ParamKind::Const(_, Some(default))), Missing::Default) => {
                    let scope = self.types.scope(def, &args)?;
                    Arg::Const(self.read_const(default, &scope, span)?)
                }
                (Some(ParamKind::Const(..)), _) => Arg::Const(self.table.fresh_const()),
                (Some(ParamKind::Type(_)) | None, _) => Arg::Ty(self.fresh()),
            };
            args.push(arg);
        }
        Ok(args)
    }

    fn read_self(&mut self, item: DefId, scope: &Scope, span: Span) -> Result<Ty> {
        if let Some(ty) = scope.trait_self(item) {
            return Ok(ty);
        }
        match self.types.kind(item) {
            DefKind::Impl => {
                let self_ty = self.types.program().impl_(item)?;
                self.nested(|cx| cx.read_ty(&self_ty.self_ty, scope))
            }
            DefKind::Struct | DefKind::Enum => Ok(Ty::adt(item, scope.args.to_vec())),
            _ => {
                self.span = span;
                self.error(InferErrorKind::Unknown { what: "`Self`", ty: "Self".into() })
            }
        }
    }

    fn read_dyn(&mut self, bounds: &[TraitRef], scope: &Scope) -> Result<Ty> {
        let kept: Vec<&TraitRef> =
            bounds.iter().filter(|bound| !self.types.lang.is_marker(bound.def)).collect();
        let kept = if kept.is_empty() { bounds.iter().collect() } else { kept };
        let mut list = vec![];
        for bound in kept {
            let args = self.read_args(&bound.args, scope, bound.span)?;
            let mut with_self = vec![Arg::Ty(Ty::unit())];
            with_self.extend(args);
            let filled = self.fill_defaults(bound.def, with_self, bound.span)?;
            let mut bindings = vec![];
            for (name, ty) in &bound.bindings {
                bindings.push((*name, self.read_ty(ty, scope)?));
            }
            bindings.sort_by_key(|(name, _)| *name);
            list.push(DynBound { def: bound.def, args: filled[1..].into(), bindings: bindings.into() });
        }
        Ok(Ty::new(TyKind::Dyn(list.into())))
    }

    /// A trait as written, claimed of a type.
    pub(super) fn read_claim(&mut self, self_ty: Ty, written: &TraitRef, scope: &Scope) -> Result<Claim> {
        let mut args = vec![Arg::Ty(self_ty)];
        args.extend(self.read_args(&written.args, scope, written.span)?);
        Ok(Claim::new(written.def, self.fill_defaults(written.def, args, written.span)?))
    }

    /// What a bound asks of a type.
    pub(super) fn bound_goals(
        &mut self,
        ty: Ty,
        bound: &TraitRef,
        scope: &Scope,
        goals: &mut Vec<Goal>,
    ) -> Result<()> {
        let claim = self.read_claim(ty, bound, scope)?;
        goals.push(Goal::Claim(claim.clone()));
        for (name, value) in &bound.bindings {
            let out = self.read_ty(value, scope)?;
            let claim = self.assoc_owner(&claim, *name)?.unwrap_or_else(|| claim.clone());
            goals.push(Goal::Project { claim, name: *name, own: Box::default(), out });
        }
        for (name, bounds) in &bound.binding_bounds {
            let claim = self.assoc_owner(&claim, *name)?.unwrap_or_else(|| claim.clone());
            let out = self.normalize(claim, *name, vec![], bound.span)?;
            for bound in bounds {
                self.bound_goals(out, bound, scope, goals)?;
            }
        }
        Ok(())
    }

    fn where_goals(&mut self, bounds: &[WhereBound], scope: &Scope, goals: &mut Vec<Goal>) -> Result<()> {
        for bound in bounds {
            let ty = self.read_ty(&bound.ty, scope)?;
            for bound in &bound.bounds {
                self.bound_goals(ty, bound, scope, goals)?;
            }
        }
        Ok(())
    }

    /// What the where clauses of an item and of the impl around it ask; for a trait's item, that `Self` implements it.
    pub(super) fn item_goals(&mut self, def: DefId, args: &[Arg]) -> Result<Vec<Goal>> {
        let scope = self.types.scope(def, args)?;
        let mut goals = vec![];
        let layout = scope.layout.clone();
        for segment in &layout.segments {
            if layout.self_trait == Some(segment.owner) && segment.owner != def {
                let end = segment.start + segment.generics.params.len();
                goals.push(Goal::Claim(Claim::new(segment.owner, &args[..end.min(args.len())])));
            } else {
                self.nested(|cx| cx.where_goals(&segment.generics.bounds, &scope, &mut goals))?;
            }
        }
        Ok(goals)
    }

    /// What a trait asks of its implementors: its supertraits.
    pub(super) fn supertraits(&mut self, claim: &Claim) -> Result<Vec<Claim>> {
        let scope = self.types.scope(claim.trait_, &claim.args)?;
        let generics = self.types.program().generics(claim.trait_)?;
        let mut supers = vec![];
        for bound in &generics.bounds {
            if matches!(bound.ty.kind, TypeKind::SelfType(item) if item == claim.trait_) {
                for bound in &bound.bounds {
                    if !self.types.lang.is_marker(bound.def) {
                        supers.push(self.read_claim(claim.self_ty(), bound, &scope)?);
                    }
                }
            }
        }
        Ok(supers)
    }

    /// The claim and all that follow from it by supertraits.
    pub(super) fn elaborate(&mut self, claim: Claim) -> Result<Vec<Claim>> {
        let mut all = vec![claim];
        let mut next = 0;
        while next < all.len() {
            let claim = all[next].clone();
            next += 1;
            for found in self.supertraits(&claim)? {
                if !all.iter().any(|known| known.trait_ == found.trait_ && known.args == found.args) {
                    all.push(found);
                }
            }
        }
        Ok(all)
    }

    /// The claims, where those of one trait with different arguments become one with variables for what differs.
    pub(super) fn merge_claims(&mut self, claims: Vec<Claim>) -> Vec<Claim> {
        let mut merged: Vec<Claim> = vec![];
        for claim in claims {
            match merged.iter_mut().find(|known| known.trait_ == claim.trait_) {
                Some(known) => {
                    for (known, arg) in known.args.iter_mut().zip(&claim.args) {
                        match (*known, arg) {
                            (a, b) if a == *b => {}
                            (Arg::Ty(_), _) => *known = Arg::Ty(self.table.fresh()),
                            (Arg::Const(_), _) => *known = Arg::Const(self.table.fresh_const()),
                        }
                    }
                }
                None => merged.push(claim),
            }
        }
        merged
    }

    /// The trait among a claim's supertraits (itself first) that declares an item of this name.
    pub(super) fn assoc_owner(&mut self, claim: &Claim, name: Symbol) -> Result<Option<Claim>> {
        let program = self.types.program().clone();
        if program.child(claim.trait_, name).is_some() {
            return Ok(Some(claim.clone()));
        }
        Ok(self
            .elaborate(claim.clone())?
            .into_iter()
            .find(|claim| program.child(claim.trait_, name).is_some()))
    }

    /// Which trait `base::name` means: by the bounds on `base`, by the trait or impl around, last by what `base` is.
    fn claim_of_assoc(
        &mut self,
        base: &Type,
        base_ty: Ty,
        name: Symbol,
        scope: &Scope,
        span: Span,
    ) -> Result<Claim> {
        let mut candidates = self.bounds_on(base, base_ty, name, scope)?;
        if let TypeKind::SelfType(item) = &base.kind {
            match self.types.kind(*item) {
                DefKind::Trait => candidates.push(Claim::new(*item, self.trait_prefix(*item, scope)?)),
                DefKind::Impl => {
                    if let Some(of) = &self.types.program().impl_(*item)?.of {
                        candidates.push(self.read_claim(base_ty, of, scope)?);
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
                    return Ok(Claim::new(trait_, args));
                }
            }
        }
        self.span = span;
        self.error(InferErrorKind::NoAssoc { name, ty: self.show(base_ty) })
    }

    /// The arguments of the trait around, `Self` first.
    fn trait_prefix(&self, trait_: DefId, scope: &Scope) -> Result<Vec<Arg>> {
        let len = self.types.layout(trait_)?.len;
        Ok(scope.args[..len.min(scope.args.len())].to_vec())
    }

    /// The traits with an item of this name that the where clauses around, or the trait that declares it, ask of a
    /// written type. (Others are not even read: they may be written in terms of that item.)
    pub(super) fn bounds_on(
        &mut self,
        written: &Type,
        ty: Ty,
        item: Symbol,
        scope: &Scope,
    ) -> Result<Vec<Claim>> {
        let mut found = vec![];
        let layout = scope.layout.clone();
        for segment in &layout.segments {
            for bound in segment.generics.bounds.iter().filter(|bound| same_type(&bound.ty, written)) {
                for bound in &bound.bounds {
                    if self.has_item(bound.def, item, &mut vec![]) {
                        found.push(self.read_claim(ty, bound, scope)?);
                    }
                }
            }
        }
        // `T: Iterator<Item: Display>` and the bounds of `type Item: Display` in the trait.
        if let TypeKind::Assoc { base, of, name, .. } = &written.kind {
            let base_ty = self.read_ty(base, scope)?;
            let claim = match of {
                Some(of) => self.read_claim(base_ty, of, scope)?,
                None => self.claim_of_assoc(base, base_ty, *name, scope, written.span)?,
            };
            let owner = self.assoc_owner(&claim, *name)?;
            let wanted = item;
            if let Some(owner) = owner
                && let Some(item) = self.types.program().child(owner.trait_, *name)
            {
                let assoc = self.types.program().assoc_type(item)?;
                let item_scope = self.types.scope(item, &owner.args)?;
                for bound in &assoc.bounds {
                    if self.has_item(bound.def, wanted, &mut vec![]) {
                        found.push(self.read_claim(ty, bound, &item_scope)?);
                    }
                }
            }
        }
        Ok(found)
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

    /// The types of a function's parameters and its result; for a constructor, of its fields and what it makes.
    pub(super) fn signature_of(&mut self, func: Instance) -> Result<(Vec<Ty>, Ty)> {
        let program = self.types.program().clone();
        match self.types.kind(func.def()) {
            DefKind::Struct | DefKind::Variant => {
                let adt = program.variant_of(func.def()).map_or(func.def(), |(adt, _)| adt);
                let ty = Ty::adt(adt, func.args());
                let fields = self.fields_of(ty, func.def(), self.span)?;
                Ok((fields.into_iter().map(|(_, ty)| ty).collect(), ty))
            }
            _ => {
                let sig = program.fn_sig(func.def())?;
                let mut scope = self.types.scope(func.def(), func.args())?;
                scope.hidden = Hidden::Opaque(func);
                let params = self.nested(|cx| cx.read_tys(&sig.params, &scope))?;
                let ret = self.nested(|cx| cx.read_ret(&sig.ret, &scope, &mut 0))?;
                Ok((params, ret))
            }
        }
    }

    /// The fields of a struct or variant of this type.
    pub(super) fn fields_of(&mut self, ty: Ty, variant: DefId, span: Span) -> Result<Vec<(Symbol, Ty)>> {
        let TyKind::Adt(def, args) = ty.kind() else { return Ok(vec![]) };
        let adt = self.types.program().adt(*def)?;
        let Some(variant) = adt.variants.iter().find(|candidate| candidate.def == variant) else {
            self.span = span;
            let name = self.types.item_name(variant).to_string();
            return self.error(InferErrorKind::NotCtor { name });
        };
        let scope = self.types.scope(*def, args)?;
        variant
            .fields
            .iter()
            .map(|(name, ty)| Ok((*name, self.nested(|cx| cx.read_ty(ty, &scope))?)))
            .collect()
    }

    /// Goes one level deeper; types that nest without end are an error.
    pub(super) fn nested<R>(&mut self, read: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        if self.depth > MAX_DEPTH {
            return self.error(InferErrorKind::TooDeep("a type that depends on itself".into()));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}

/// What stands for an argument that is not written.
#[derive(Clone, Copy)]
enum Missing {
    Default,
    Variable,
}

pub(super) fn mutability(mutable: bool) -> Mutability {
    if mutable { Mutability::Mut } else { Mutability::Shared }
}

fn has_impl_trait(args: &[GenericArg]) -> bool {
    args.iter().any(|arg| match arg {
        GenericArg::Type(ty) => impl_traits(ty) > 0,
        GenericArg::Const(_) => false,
    })
}

/// How many `impl Trait` a result holds.
pub(super) fn impl_traits(written: &Type) -> usize {
    let mut bounds = vec![];
    collect_impl_traits(written, &mut bounds);
    bounds.len()
}

/// The bounds of each `impl Trait` in a result, in order.
pub(super) fn collect_impl_traits<'t>(written: &'t Type, into: &mut Vec<&'t [TraitRef]>) {
    match &written.kind {
        TypeKind::ImplTrait(bounds) => into.push(bounds),
        TypeKind::Tuple(elems) => elems.iter().for_each(|elem| collect_impl_traits(elem, into)),
        TypeKind::Ref { inner, .. } => collect_impl_traits(inner, into),
        TypeKind::Slice(elem) | TypeKind::Array(elem, _) => collect_impl_traits(elem, into),
        TypeKind::Def(_, args) => {
            for arg in args {
                if let GenericArg::Type(ty) = arg {
                    collect_impl_traits(ty, into);
                }
            }
        }
        TypeKind::Infer
        | TypeKind::Never
        | TypeKind::Prim(_)
        | TypeKind::Param(_)
        | TypeKind::SelfType(_)
        | TypeKind::Assoc { .. }
        | TypeKind::FnPtr(..)
        | TypeKind::Dyn(_)
        | TypeKind::Unsupported(_) => {}
    }
}

/// Whether two written types are surely the same parameter or projection of one.
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
