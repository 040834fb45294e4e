//! Types, bounds and generic arguments, with their names resolved.

use std::sync::Arc;

use overdub_context::{Span, Symbol};
use syn::spanned::Spanned;

use super::names::Meaning;
use super::node::Space;
use super::parse::{Origin, name_of};
use super::registered::ADVICE_TO_ANNOTATE;
use crate::error::{Cause, ResolveError};
use crate::hir::*;
use crate::program::Program;
use crate::source::hygiene::unmarked_name;

/// The context of a type: the names and parameters in scope.
#[derive(Clone)]
pub(crate) struct TypeCx<'p> {
    pub(crate) program: &'p Program,
    pub(crate) origin: Origin,
    /// The module or block that names are resolved in.
    pub(crate) scope: DefId,
    /// Generic parameters in scope, outermost first.
    pub(crate) params: Vec<(Symbol, ParamRef, bool)>,
    /// The meaning of `Self`.
    pub(crate) self_type: Option<TypeKind>,
    /// The enclosing trait or impl.
    pub(crate) self_item: Option<DefId>,
    /// Collects `impl Trait` arguments, if they are allowed.
    pub(crate) synthetic: Option<Synthetic>,
    /// The item that constants in types belong to.
    pub(crate) owner: DefId,
    pub(crate) macros: super::node::MacroScope,
    /// The nesting depth of the type being resolved.
    pub(super) levels: u32,
}

/// Types nested more deeply are rejected: comparing and building types is recursive.
const MOST_TYPE_LEVELS: u32 = 128;

/// The parameters introduced by `impl Trait` arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Synthetic {
    pub(crate) before: u32,
    pub(crate) params: Vec<GenericParam>,
    pub(crate) bounds: Vec<WhereBound>,
}

pub(crate) type Resolved<T> = Result<T, ResolveError>;

/// The resolved beginning of a path; the remaining segments depend on its type.
pub(crate) enum Head {
    /// A type, and the index of the next segment.
    Type(Type, usize),
    /// A trait with its arguments, and the index of the next segment.
    Trait(TraitRef, usize),
    /// Any other item, which all requested segments name, and the index of the next segment.
    Item(DefId, usize),
}

impl<'p> TypeCx<'p> {
    pub(crate) fn span(&self, span: proc_macro2::Span) -> Span {
        self.program.sources.span(self.origin.place(span))
    }

    pub(crate) fn fault<T>(&self, span: Span, cause: Cause) -> Resolved<T> {
        Err(ResolveError::new(span, cause))
    }

    pub(crate) fn not_found(&self, span: Span, what: &'static str, path: &syn::Path) -> ResolveError {
        let names: Vec<String> = path.segments.iter().map(|s| name_of(&s.ident).to_string()).collect();
        let error = ResolveError::new(span, Cause::NotFound { what, path: names.join("::") });
        if let Some(reason) = self.program.derive_failure_named(&names) {
            return error.with_help(reason);
        }
        // Names of `overdub` itself that set up contexts.
        let sets_up_contexts =
            |name: &&String| ["overdub", "under", "ctx", "ctx_from", "ctx_with"].contains(&name.as_str());
        if let Some(name) = names.last().filter(sets_up_contexts) {
            return error.with_help(format!(
                "`{name}` sets a context up, which programs that run under contexts do not do: call the function itself \
                 here, and give the context to the `overdub(cx, f, args)` outside that runs this"
            ));
        }
        // In a program of annotated items, a missing item is most likely not annotated.
        let krate = self.program.node(self.scope).krate;
        match self.program.items() {
            Some(items) if krate != items.names && items.source(krate).is_none_or(|of| !of.is_complete()) => {
                error.with_help(ADVICE_TO_ANNOTATE)
            }
            _ => error,
        }
    }

    /// A type.
    pub(crate) fn ty(&mut self, ty: &syn::Type) -> Resolved<Type> {
        if self.levels >= MOST_TYPE_LEVELS {
            let why = format!("this type nests too deeply: more than {MOST_TYPE_LEVELS} levels");
            return self.fault(self.span(ty.span()), Cause::Unsupported(why));
        }
        self.levels += 1;
        let read = self.ty_shallow(ty);
        self.levels -= 1;
        read
    }

    fn ty_shallow(&mut self, ty: &syn::Type) -> Resolved<Type> {
        let at = |cx: &Self, span, kind| Ok(Type { kind, span: cx.span(span) });
        match ty {
            syn::Type::Array(array) => {
                let inner = self.ty(&array.elem)?;
                let len = self.const_arg(&array.len)?;
                at(self, array.bracket_token.span.open(), TypeKind::Array(Box::new(inner), Box::new(len)))
            }
            syn::Type::FnPtr(pointer) => {
                let params = pointer.inputs.iter().map(|arg| self.ty(&arg.ty)).collect::<Resolved<_>>()?;
                let ret = self.ret(&pointer.output, pointer.fn_token.span)?;
                at(self, pointer.fn_token.span, TypeKind::FnPtr(params, Box::new(ret)))
            }
            syn::Type::Group(group) => self.ty(&group.elem),
            syn::Type::Paren(paren) => self.ty(&paren.elem),
            syn::Type::ImplTrait(it) => {
                let span = self.span(it.impl_token.span);
                let bounds = self.bounds(&it.bounds)?;
                let Some(mut synthetic) = self.synthetic.take() else {
                    return Ok(Type { kind: TypeKind::ImplTrait(bounds), span });
                };
                let index = synthetic.before + synthetic.params.len() as u32;
                let kind = TypeKind::Param(ParamRef { owner: self.owner, index });
                let ty = Type { kind, span };
                let name = Symbol::new(&format!("impl#{index}"));
                synthetic.params.push(GenericParam { name, kind: ParamKind::Type(None), synthetic: true });
                synthetic.bounds.push(WhereBound { ty: ty.clone(), bounds });
                self.synthetic = Some(synthetic);
                Ok(ty)
            }
            syn::Type::Infer(infer) => at(self, infer.underscore_token.span, TypeKind::Infer),
            syn::Type::Macro(mac) => {
                let expansion =
                    self.program.expand_in_body(&mac.mac, &self.origin, self.scope, &self.macros, 0)?;
                let len = self.program.sources.get(expansion).text.len() as u32;
                let (tree, origin) =
                    self.program.parse(<syn::Type as syn::parse::Parse>::parse, expansion, 0, len)?;
                let outer = std::mem::replace(&mut self.origin, origin);
                let ty = self.ty(&tree);
                self.origin = outer;
                ty
            }
            syn::Type::Never(never) => at(self, never.bang_token.span, TypeKind::Never),
            syn::Type::Path(path) => self.path_type(path.qself.as_ref(), &path.path),
            syn::Type::Ptr(pointer) => {
                let inner = Box::new(self.ty(&pointer.elem)?);
                let mutable = matches!(pointer.mutability, syn::PointerMutability::Mut(_));
                let lang = if mutable { "mut_ptr" } else { "const_ptr" };
                match self.program.lang(lang) {
                    // A prelude may omit pointers.
                    None => at(self, pointer.star_token.span, TypeKind::Ref { mutable, inner }),
                    Some(def) => {
                        let pointee = vec![GenericArg::Type(*inner)];
                        at(self, pointer.star_token.span, TypeKind::Def(def, pointee))
                    }
                }
            }
            syn::Type::Reference(reference) => {
                let inner = Box::new(self.ty(&reference.elem)?);
                let mutable = reference.mutability.is_some();
                at(self, reference.and_token.span, TypeKind::Ref { mutable, inner })
            }
            syn::Type::Slice(slice) => {
                let inner = Box::new(self.ty(&slice.elem)?);
                at(self, slice.bracket_token.span.open(), TypeKind::Slice(inner))
            }
            syn::Type::TraitObject(object) => {
                let bounds = self.bounds(&object.bounds)?;
                let span = object.dyn_token.map_or_else(proc_macro2::Span::call_site, |t| t.span);
                at(self, span, TypeKind::Dyn(bounds))
            }
            syn::Type::Tuple(tuple) => {
                let parts = tuple.elems.iter().map(|t| self.ty(t)).collect::<Resolved<_>>()?;
                at(self, tuple.paren_token.span.open(), TypeKind::Tuple(parts))
            }
            _ => {
                let kind = TypeKind::Unsupported(Symbol::new("this kind of type has no meaning here"));
                Ok(Type { kind, span: Span::unknown() })
            }
        }
    }

    /// A return type; `()` if it is omitted.
    pub(crate) fn ret(&mut self, ret: &syn::ReturnType, near: proc_macro2::Span) -> Resolved<Type> {
        match ret {
            syn::ReturnType::Default => Ok(Type { kind: TypeKind::Tuple(Vec::new()), span: self.span(near) }),
            syn::ReturnType::Type(_, ty) => self.ty(ty),
        }
    }

    /// Bounds without lifetimes and `?Sized`.
    pub(crate) fn bounds<'a>(
        &mut self,
        bounds: impl IntoIterator<Item = &'a syn::TypeParamBound>,
    ) -> Resolved<Vec<TraitRef>> {
        let mut found = Vec::new();
        for bound in bounds {
            match bound {
                syn::TypeParamBound::Trait(bound) if bound.maybe.is_none() => {
                    found.push(self.trait_ref(&bound.path)?);
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// A path that must name a trait.
    pub(crate) fn trait_ref(&mut self, path: &syn::Path) -> Resolved<TraitRef> {
        let span = self.span(path_span(path));
        match self.path_prefix(path, path.segments.len(), Space::Types) {
            Some((Meaning::Item(def), used)) if used == path.segments.len() => {
                if self.program.node(def).head.kind != DefKind::Trait {
                    return Err(self.not_found(span, "trait", path));
                }
                match path.segments.last() {
                    Some(last) => self.trait_with(def, &last.arguments, span),
                    None => Err(self.not_found(span, "trait", path)),
                }
            }
            _ => Err(self.not_found(span, "trait", path)),
        }
    }

    /// The bounds of a declared parameter or of a `where` clause, where `Item = impl Trait` means `Item: Trait`.
    pub(crate) fn declared_bounds(
        &mut self,
        bounds: &syn::punctuated::Punctuated<syn::TypeParamBound, syn::Token![+]>,
    ) -> Resolved<Vec<TraitRef>> {
        let mut bounds = self.bounds(bounds)?;
        for bound in &mut bounds {
            for binding in std::mem::take(&mut bound.bindings) {
                match binding.ty.kind {
                    TypeKind::ImplTrait(bounds) => {
                        let AssocBinding { name, args, .. } = binding;
                        bound.binding_bounds.push(AssocBounds { name, args, bounds });
                    }
                    _ => bound.bindings.push(binding),
                }
            }
        }
        Ok(bounds)
    }

    fn trait_with(&mut self, def: DefId, args: &syn::PathArguments, span: Span) -> Resolved<TraitRef> {
        let mut of =
            TraitRef { def, args: Vec::new(), bindings: Vec::new(), binding_bounds: Vec::new(), span };
        match args {
            syn::PathArguments::None => {}
            syn::PathArguments::AngleBracketed(angles) => {
                for arg in &angles.args {
                    match arg {
                        syn::GenericArgument::AssocType(assoc) => {
                            let ty = self.ty(&assoc.ty)?;
                            let args =
                                assoc.generics.as_ref().map_or(Ok(Vec::new()), |args| self.angles(args))?;
                            of.bindings.push(AssocBinding { name: name_of(&assoc.ident), args, ty });
                        }
                        syn::GenericArgument::Constraint(constraint) => {
                            let bounds = self.bounds(&constraint.bounds)?;
                            let args = constraint.generics.as_ref();
                            let args = args.map_or(Ok(Vec::new()), |args| self.angles(args))?;
                            of.binding_bounds.push(AssocBounds {
                                name: name_of(&constraint.ident),
                                args,
                                bounds,
                            });
                        }
                        _ => of.args.extend(self.generic_arg(arg)?),
                    }
                }
            }
            syn::PathArguments::Parenthesized(call) => {
                let params = call.inputs.iter().map(|arg| self.ty(&arg.ty)).collect::<Resolved<_>>()?;
                of.args.push(GenericArg::Type(Type { kind: TypeKind::Tuple(params), span }));
                let ret = match &call.output {
                    syn::ReturnType::Default => Type { kind: TypeKind::Tuple(Vec::new()), span },
                    syn::ReturnType::Type(_, ty) => self.ty(ty)?,
                };
                of.bindings.push(AssocBinding { name: Symbol::new("Output"), args: Vec::new(), ty: ret });
            }
        }
        Ok(of)
    }

    fn generic_arg(&mut self, arg: &syn::GenericArgument) -> Resolved<Option<GenericArg>> {
        Ok(match arg {
            syn::GenericArgument::Type(ty) => {
                if let syn::Type::Path(path) = ty
                    && path.qself.is_none()
                    && let Some(constant) = self.const_path(&path.path)?
                {
                    return Ok(Some(GenericArg::Const(constant)));
                }
                Some(GenericArg::Type(self.ty(ty)?))
            }
            syn::GenericArgument::Const(expr) => Some(GenericArg::Const(self.const_arg(expr)?)),
            _ => None,
        })
    }

    /// Arguments in angle brackets; associated type bindings are not included.
    pub(crate) fn angle_args(&mut self, args: &syn::PathArguments) -> Resolved<Vec<GenericArg>> {
        match args {
            syn::PathArguments::AngleBracketed(angles) => self.angles(angles),
            _ => Ok(Vec::new()),
        }
    }

    pub(crate) fn angles(
        &mut self,
        angles: &syn::AngleBracketedGenericArguments,
    ) -> Resolved<Vec<GenericArg>> {
        let mut args = Vec::new();
        for arg in &angles.args {
            args.extend(self.generic_arg(arg)?);
        }
        Ok(args)
    }

    /// A plain path in argument position that names a constant rather than a type.
    fn const_path(&mut self, path: &syn::Path) -> Resolved<Option<ConstArg>> {
        if let Some(ident) = path.get_ident() {
            let name = name_of(ident);
            if let Some((_, param, constant)) = self.params.iter().rev().find(|p| p.0 == name) {
                return Ok(constant.then_some(ConstArg::Param(*param)));
            }
        }
        if path.segments.iter().any(|s| !s.arguments.is_none()) {
            return Ok(None);
        }
        let names: Vec<Symbol> = path.segments.iter().map(|s| name_of(&s.ident)).collect();
        if self.lookup(&names, Space::Types).is_some() {
            return Ok(None);
        }
        match self.lookup(&names, Space::Values) {
            Some(Meaning::Item(def)) if self.program.node(def).head.kind == DefKind::Const => {
                let expr =
                    syn::Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path: path.clone() });
                self.const_arg(&expr).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// A constant in a type.
    pub(crate) fn const_arg(&mut self, expr: &syn::Expr) -> Resolved<ConstArg> {
        match expr {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) => {
                if let Ok(value) = int.base10_parse::<i128>() {
                    return Ok(ConstArg::Value(value));
                }
            }
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(truth), .. }) => {
                return Ok(ConstArg::Value(i128::from(truth.value)));
            }
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Char(c), .. }) => {
                return Ok(ConstArg::Value(i128::from(u32::from(c.value()))));
            }
            syn::Expr::Infer(_) => return Ok(ConstArg::Infer),
            syn::Expr::Paren(paren) => return self.const_arg(&paren.expr),
            syn::Expr::Group(group) => return self.const_arg(&group.expr),
            syn::Expr::Block(block) => {
                if let [syn::Stmt::Expr(inner, None)] = &block.block.stmts[..] {
                    return self.const_arg(inner);
                }
            }
            syn::Expr::Path(path) if path.qself.is_none() => {
                if let Some(ident) = path.path.get_ident() {
                    let name = name_of(ident);
                    if let Some((_, param, true)) = self.params.iter().rev().find(|p| p.0 == name) {
                        return Ok(ConstArg::Param(*param));
                    }
                }
            }
            _ => {}
        }
        let body = super::body::constant(self, expr)?;
        let value = body.value;
        Ok(ConstArg::Body(Arc::new(body), value))
    }

    pub(crate) fn lookup(&self, names: &[Symbol], space: Space) -> Option<Meaning> {
        self.program.resolve_path(self.scope, names, space, &mut Vec::new())
    }

    /// Resolves as many leading segments as names alone can, and returns their meaning and their number. In a
    /// path to a value, the last of `count` segments is a value.
    pub(crate) fn path_prefix(
        &self,
        path: &syn::Path,
        count: usize,
        space: Space,
    ) -> Option<(Meaning, usize)> {
        let names: Vec<Symbol> = path.segments.iter().take(count).map(|s| name_of(&s.ident)).collect();
        let find = || self.names_prefix(&names, path.leading_colon.is_some(), space);
        find().or_else(|| if self.program.derive_all_named(&names) { find() } else { None })
    }

    fn names_prefix(&self, names: &[Symbol], external: bool, space: Space) -> Option<(Meaning, usize)> {
        let program = self.program;
        let krate = program.node(self.scope).krate;
        let step = |used: usize| if used == names.len() { space } else { Space::Types };
        let mut used =
            names.iter().take_while(|n| matches!(&***n, "self" | "super" | "crate")).count().max(1);
        let mut at = if external {
            match program.extern_crate(krate, *names.first()?) {
                Some(root) => Meaning::Item(root),
                None if program.edition(krate) < 2018 => {
                    used = 0;
                    Meaning::Item(program.crate_root(krate))
                }
                None => return None,
            }
        } else {
            program.resolve_path(self.scope, &names[..used.min(names.len())], step(used), &mut Vec::new())?
        };
        while used < names.len() {
            let Meaning::Item(def) = at else { break };
            let kind = program.node(def).head.kind;
            if !matches!(kind, DefKind::Mod | DefKind::Enum) {
                break;
            }
            match program.lookup_in(def, names[used], step(used + 1), self.scope, &mut Vec::new()) {
                Some(next) => at = next,
                None => {
                    // `use std::f64; f64::MAX_EXP`: the primitive type with the name of the module.
                    let last = used.checked_sub(1).and_then(|last| Prim::named(&names[last]));
                    if let Some(prim) = last.filter(|_| kind == DefKind::Mod) {
                        at = Meaning::Prim(prim);
                    } else if kind == DefKind::Mod {
                        return None;
                    }
                    break;
                }
            }
            used += 1;
        }
        // `f64` alone is the type, even if `use std::f64` imports the module.
        if let Meaning::Item(def) = at
            && space == Space::Types
            && used == names.len()
            && program.node(def).head.kind == DefKind::Mod
            && let Some(prim) = used.checked_sub(1).and_then(|last| Prim::named(&names[last]))
        {
            at = Meaning::Prim(prim);
        }
        Some((at, used))
    }

    /// A path in type position.
    pub(crate) fn path_type(&mut self, qself: Option<&syn::QSelf>, path: &syn::Path) -> Resolved<Type> {
        let span = self.span(path_span(path));
        let segments = path.segments.len();
        let (mut ty, mut at, of) = match self.head(qself, path, segments, Space::Types)? {
            Head::Type(ty, at) => (ty, at, None),
            Head::Trait(of, at) if at == segments => {
                return Ok(Type { kind: TypeKind::Dyn(vec![of]), span });
            }
            Head::Trait(of, at) => match qself {
                Some(qself) => (self.ty(&qself.ty)?, at, Some(of)),
                None => return Err(self.not_found(span, "type", path)),
            },
            Head::Item(..) => return Err(self.not_found(span, "type", path)),
        };
        let mut of = of;
        while at < segments {
            let segment = &path.segments[at];
            let args = self.angle_args(&segment.arguments)?;
            let kind = TypeKind::Assoc {
                base: Box::new(ty),
                of: of.take().map(Box::new),
                name: name_of(&segment.ident),
                args,
            };
            ty = Type { kind, span };
            at += 1;
        }
        Ok(ty)
    }

    /// Resolves the beginning of a path, at most `count` segments; the last one is looked up in `space`.
    pub(crate) fn head(
        &mut self,
        qself: Option<&syn::QSelf>,
        path: &syn::Path,
        count: usize,
        space: Space,
    ) -> Resolved<Head> {
        let span = self.span(path_span(path));
        if let Some(qself) = qself {
            if qself.position == 0 {
                return Ok(Head::Type(self.ty(&qself.ty)?, 0));
            }
            let trait_path = syn::Path {
                leading_colon: path.leading_colon,
                segments: path.segments.iter().take(qself.position).cloned().collect(),
            };
            return Ok(Head::Trait(self.trait_ref(&trait_path)?, qself.position));
        }
        if path.leading_colon.is_none()
            && let Some(first) = path.segments.first()
        {
            let name = unmarked_name(&first.ident.to_string());
            if &*name == "Self"
                && let Some(kind) = self.self_type.clone()
            {
                return Ok(Head::Type(Type { kind, span }, 1));
            }
            if let Some((_, param, false)) = self.params.iter().rev().find(|p| p.0 == name) {
                return Ok(Head::Type(Type { kind: TypeKind::Param(*param), span }, 1));
            }
        }
        let what = if space == Space::Types { "type" } else { "value" };
        let Some((meaning, used)) = self.path_prefix(path, count, space) else {
            return Err(self.not_found(span, what, path));
        };
        let def = match meaning {
            Meaning::Prim(prim) => return Ok(Head::Type(Type { kind: TypeKind::Prim(prim), span }, used)),
            Meaning::Item(def) => def,
        };
        match self.program.node(def).head.kind {
            DefKind::Struct | DefKind::Enum | DefKind::TypeAlias if used < count || space == Space::Types => {
                let args = self.angle_args(&path.segments[used - 1].arguments)?;
                Ok(Head::Type(Type { kind: TypeKind::Def(def, args), span }, used))
            }
            DefKind::Trait => {
                let of = self.trait_with(def, &path.segments[used - 1].arguments, span)?;
                Ok(Head::Trait(of, used))
            }
            _ if used == count => Ok(Head::Item(def, used)),
            _ => Err(self.not_found(span, what, path)),
        }
    }
}

/// The span reported for a path: that of its first segment.
pub(crate) fn path_span(path: &syn::Path) -> proc_macro2::Span {
    path.segments.first().map_or_else(proc_macro2::Span::call_site, |s| s.ident.span())
}
