//! Lowers types as written in the source to semantic types.
//!
//! - PROJ1 projections are normalised while a type is read: immediately on known types, otherwise by a
//!   variable and a goal.

use overdub_context::{Span, Symbol};

use super::cx::{Cx, MAX_DEPTH};
use super::error::{InferErrorKind, Result};
use super::scope::{GenericScope, Hidden, Layout};
use super::ty::*;
use crate::hir::{
    ConstArg, DefId, DefKind, GenericArg, GenericParam, ParamKind, Prim, TraitRef, Type, TypeKind,
};

impl Cx<'_> {
    /// The written type, in a scope.
    pub(super) fn read_ty(&mut self, written: &Type, scope: &GenericScope) -> Result<Ty> {
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
                Ok(Ty::new(TyKind::Array(
                    elem,
                    self.read_const(len, scope, written.span, Some(Prim::Usize))?,
                )))
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
                let predicate = match of {
                    Some(of) => self.lower_predicate(base_ty, of, scope)?,
                    None => {
                        self.nested(|cx| cx.predicate_of_assoc(base, base_ty, *name, scope, written.span))?
                    }
                };
                let predicate = self.assoc_owner(&predicate, *name)?.unwrap_or(predicate);
                let own_args = self.read_args(args, scope, written.span)?;
                self.normalize(predicate, *name, own_args, written.span)
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

    fn read_tys(&mut self, list: &[Type], scope: &GenericScope) -> Result<Vec<Ty>> {
        list.iter().map(|ty| self.read_ty(ty, scope)).collect()
    }

    /// The result type of a function, whose `impl Trait` parts are numbered from `next`.
    pub(super) fn read_ret(&mut self, written: &Type, scope: &GenericScope, next: &mut u32) -> Result<Ty> {
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
                Ok(Ty::new(TyKind::Array(
                    elem,
                    self.read_const(len, scope, written.span, Some(Prim::Usize))?,
                )))
            }
            TypeKind::Def(def, args)
                if self.types.kind(*def) != DefKind::TypeAlias && has_impl_trait(args) =>
            {
                let mut read = vec![];
                for arg in args {
                    read.push(match arg {
                        GenericArg::Type(ty) => Arg::Ty(self.read_ret(ty, scope, next)?),
                        GenericArg::Const(value) => {
                            Arg::Const(self.read_const(value, scope, written.span, None)?)
                        }
                    });
                }
                let read = self.fill_defaults(*def, read, written.span)?;
                Ok(Ty::adt(*def, read))
            }
            _ => self.read_ty(written, scope),
        }
    }

    /// A constant, of this type if it is known.
    pub(super) fn read_const(
        &mut self,
        written: &ConstArg,
        scope: &GenericScope,
        span: Span,
        ty: Option<Prim>,
    ) -> Result<Const> {
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
                Ok(Const::Value(self.const_expr(body, *expr, scope, ty)?))
            }
        }
    }

    pub(super) fn read_arg(&mut self, written: &GenericArg, scope: &GenericScope, span: Span) -> Result<Arg> {
        match written {
            GenericArg::Type(ty) => Ok(Arg::Ty(self.read_ty(ty, scope)?)),
            GenericArg::Const(value) => Ok(Arg::Const(self.read_const(value, scope, span, None)?)),
        }
    }

    pub(super) fn read_args(
        &mut self,
        written: &[GenericArg],
        scope: &GenericScope,
        span: Span,
    ) -> Result<Vec<Arg>> {
        written.iter().map(|arg| self.read_arg(arg, scope, span)).collect()
    }

    /// A struct, an enum or an alias with its arguments.
    fn read_def(&mut self, def: DefId, args: &[GenericArg], scope: &GenericScope, span: Span) -> Result<Ty> {
        let args = self.read_args(args, scope, span)?;
        self.def_with(def, args, span)
    }

    /// A struct, an enum or an alias with these arguments; missing arguments get their defaults.
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

    /// The arguments, completed with defaults or variables.
    pub(super) fn fill_defaults(&mut self, def: DefId, args: Vec<Arg>, span: Span) -> Result<Vec<Arg>> {
        let layout = self.types.layout(def)?;
        self.fill(&layout, def, args, layout.len, span, MissingArgs::Default)
    }

    /// The first `len` arguments of an item, completed with variables.
    pub(super) fn fill_fresh(
        &mut self,
        def: DefId,
        args: Vec<Arg>,
        len: usize,
        span: Span,
    ) -> Result<Vec<Arg>> {
        let layout = self.types.layout(def)?;
        self.fill(&layout, def, args, len, span, MissingArgs::Variable)
    }

    fn fill(
        &mut self,
        layout: &Layout,
        def: DefId,
        mut args: Vec<Arg>,
        len: usize,
        span: Span,
        missing: MissingArgs,
    ) -> Result<Vec<Arg>> {
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
                (Some(ParamKind::Type(Some(default))), MissingArgs::Default) => {
                    let scope = self.types.scope(def, &args)?;
                    Arg::Ty(self.read_ty(default, &scope)?)
                }
                (Some(ParamKind::Const(_, Some(default))), MissingArgs::Default) => {
                    let scope = self.types.scope(def, &args)?;
                    Arg::Const(self.read_const(default, &scope, span, None)?)
                }
                (Some(ParamKind::Const(..)), _) => Arg::Const(self.table.fresh_const()),
                (Some(ParamKind::Type(_)) | None, _) => Arg::Ty(self.fresh()),
            };
            args.push(arg);
        }
        Ok(args)
    }

    fn read_self(&mut self, item: DefId, scope: &GenericScope, span: Span) -> Result<Ty> {
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

    fn read_dyn(&mut self, bounds: &[TraitRef], scope: &GenericScope) -> Result<Ty> {
        let principal: Vec<&TraitRef> =
            bounds.iter().filter(|bound| !self.types.lang.is_marker(bound.def)).collect();
        let principal = if principal.is_empty() { bounds.iter().collect() } else { principal };
        let mut list = vec![];
        for bound in principal {
            let args = self.read_args(&bound.args, scope, bound.span)?;
            let mut with_self = vec![Arg::Ty(Ty::unit())];
            with_self.extend(args);
            let filled = self.fill_defaults(bound.def, with_self, bound.span)?;
            let mut bindings = vec![];
            for of in &bound.bindings {
                bindings.push((of.name, self.read_ty(&of.ty, scope)?));
            }
            bindings.sort_by_key(|(name, _)| *name);
            list.push(DynBound { def: bound.def, args: filled[1..].into(), bindings: bindings.into() });
        }
        Ok(Ty::new(TyKind::Dyn(list.into())))
    }

    /// The parameter and result types of a function; for a constructor, the field types and the constructed
    /// type.
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

    /// Calls `read` one nesting level deeper; infinitely nested types are an error.
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

/// The replacement of an omitted argument.
#[derive(Clone, Copy)]
enum MissingArgs {
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

/// The number of `impl Trait`s in a result type.
pub(super) fn impl_traits(written: &Type) -> usize {
    let mut bounds = vec![];
    collect_impl_traits(written, &mut bounds);
    bounds.len()
}

/// The bounds of each `impl Trait` in a result type, in order.
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
