//! Declarations: signatures, types, traits and impls, resolved on first use.

use std::sync::Arc;

use overdub_context::{Span, Symbol};
use syn::parse::Parse;

use super::header::{Header, impl_header, named_header};
use super::node::*;
use super::parse::{Origin, name_of};
use super::types::{Resolved, Synthetic, TypeCx};
use crate::error::{Cause, ResolveError};
use crate::expand::derive;
use crate::hir::*;
use crate::program::Program;
use crate::source::cfg::are_on;
use crate::source::item_tree::{ItemNode, NodeKind};
use crate::source::lexer::{Lexer, Tok};
use crate::source::{SourceId, SourceRange};

impl Program {
    /// The text of an item; that of a derived impl is generated.
    pub(crate) fn text(&self, node: &Node) -> Resolved<(SourceId, ItemNode)> {
        let Some((adt, of)) = node.derived else { return Ok((node.source, node.raw.clone())) };
        if let Some(known) = node.answers().derived_text.get() {
            return known.clone();
        }
        let generated = self.generate_derived(adt, of);
        node.answers().derived_text.get_or_init(|| generated).clone()
    }

    fn generate_derived(&self, adt: DefId, of: Symbol) -> Resolved<(SourceId, ItemNode)> {
        let node = self.node(adt);
        let tree = self.derive_input(node.source, &node.raw)?;
        let cfg = self.cfg(node.krate);
        let text = derive::write(&of, &tree, &cfg)
            .map_err(|cause| ResolveError::new(self.head(adt).span, Cause::Unsupported(cause)))?;
        let at = crate::source::Origin {
            at: 0,
            place: SourceRange {
                source: node.source,
                lo: node.raw.name_lo,
                hi: node.raw.name_lo + node.raw.name.len() as u32,
            },
            copied: false,
        };
        let (items, _) = crate::source::item_tree::scan(&text, 0, text.len());
        let source = self.sources.add_generated(text, vec![at]);
        match items.into_iter().next() {
            Some(raw) => Ok((source, raw)),
            None => Err(ResolveError::new(self.head(adt).span, Cause::Unsupported(format!("derive({of})")))),
        }
    }

    /// A struct or enum with its attributes.
    pub(crate) fn derive_input(&self, source: SourceId, raw: &ItemNode) -> Resolved<syn::DeriveInput> {
        let lo = raw.lo_of_attributes(&self.sources.get(source).text);
        Ok(self.parse(<syn::DeriveInput as Parse>::parse, source, lo, raw.hi)?.0)
    }

    /// The enclosing impl or trait of an item.
    pub(crate) fn outer(&self, node: &Node) -> Option<DefId> {
        let parent = self.node(node.head.parent);
        matches!(parent.head.kind, DefKind::Impl | DefKind::Trait).then_some(node.head.parent)
    }

    /// The context of types in an item, with the parameters of the enclosing item but not its own.
    pub(crate) fn type_cx(&self, node: &Node, origin: Origin) -> Resolved<TypeCx<'_>> {
        let mut cx = TypeCx {
            program: self,
            origin,
            scope: node.scope,
            params: Vec::new(),
            self_type: None,
            self_item: None,
            synthetic: None,
            owner: node.head.id,
            macros: node.macros.clone(),
            levels: 0,
        };
        let outer = match node.head.kind {
            DefKind::Impl | DefKind::Trait => Some(node.head.id),
            _ => self.outer(node),
        };
        if let Some(outer) = outer {
            cx.self_type = Some(TypeKind::SelfType(outer));
            cx.self_item = Some(outer);
            if outer != node.head.id {
                let generics = self.generics(outer)?;
                cx.params = param_names(outer, &generics);
            }
        }
        if node.head.kind == DefKind::Variant {
            let generics = self.generics(node.head.parent)?;
            cx.params = param_names(node.head.parent, &generics);
            cx.self_type = Some(self_of_adt(node.head.parent, &generics));
        }
        Ok(cx)
    }

    fn own_generics(
        &self,
        cx: &mut TypeCx<'_>,
        node: &Node,
        generics: &syn::Generics,
        supertraits: &[syn::TypeParamBound],
    ) -> Resolved<Generics> {
        let owner = node.head.id;
        let cfg = self.cfg(node.krate);
        let declared: Vec<_> =
            generics.params.iter().filter(|param| are_on(attributes_of(param), &cfg)).collect();
        let mut index = 0;
        for param in &declared {
            let (name, constant) = match param {
                syn::GenericParam::Lifetime(_) => continue,
                syn::GenericParam::Type(param) => (name_of(&param.ident), false),
                syn::GenericParam::Const(param) => (name_of(&param.ident), true),
            };
            cx.params.push((name, ParamRef { owner, index }, constant));
            index += 1;
        }
        let is_adt = matches!(node.head.kind, DefKind::Struct | DefKind::Enum);
        if is_adt {
            let self_args = cx.params.iter().map(|(_, param, constant)| arg_of(*param, *constant)).collect();
            cx.self_type = Some(TypeKind::Def(owner, self_args));
        }
        let mut out = Generics { parent: self.outer(node), params: Vec::new(), bounds: Vec::new() };
        if !supertraits.is_empty() {
            let ty = Type { kind: TypeKind::SelfType(owner), span: self.head(owner).span };
            out.bounds.push(WhereBound { ty, bounds: cx.bounds(supertraits)? });
        }
        let mut index = 0;
        for param in declared {
            match param {
                syn::GenericParam::Lifetime(_) => continue,
                syn::GenericParam::Type(param) => {
                    let default = param.default.as_ref().map(|(_, ty)| cx.ty(ty)).transpose()?;
                    let name = name_of(&param.ident);
                    out.params.push(GenericParam { name, kind: ParamKind::Type(default), synthetic: false });
                    let bounds = cx.declared_bounds(&param.bounds)?;
                    if !bounds.is_empty() {
                        let kind = TypeKind::Param(ParamRef { owner, index });
                        let ty = Type { kind, span: cx.span(param.ident.span()) };
                        out.bounds.push(WhereBound { ty, bounds });
                    }
                }
                syn::GenericParam::Const(param) => {
                    let ty = cx.ty(&param.ty)?;
                    let default = param.default.as_ref().map(|(_, expr)| cx.const_arg(expr)).transpose()?;
                    let name = name_of(&param.ident);
                    out.params.push(GenericParam {
                        name,
                        kind: ParamKind::Const(ty, default),
                        synthetic: false,
                    });
                }
            }
            index += 1;
        }
        if let Some(clause) = &generics.where_clause {
            for predicate in &clause.predicates {
                if let syn::WherePredicate::Type(predicate) = predicate {
                    let ty = cx.ty(&predicate.bounded_ty)?;
                    let bounds = cx.declared_bounds(&predicate.bounds)?;
                    if !bounds.is_empty() {
                        out.bounds.push(WhereBound { ty, bounds });
                    }
                }
            }
        }
        Ok(out)
    }

    fn header(&self, node: &Node) -> Resolved<(Header, Origin, SourceId, ItemNode)> {
        let (source, raw) = self.text(node)?;
        let ends = matches!(node.head.kind, DefKind::TypeAlias | DefKind::AssocType) || raw.body.is_none();
        let text = &self.sources.get(source).text;
        let hi = match raw.body {
            Some((lo, _)) if !ends => lo - 1,
            _ => before_semicolon(text, &raw),
        };
        let parsed = if node.head.kind == DefKind::Impl {
            self.parse(impl_header, source, raw.lo, hi)
        } else {
            self.parse(named_header, source, raw.lo, hi)
        };
        let (header, origin) = parsed?;
        Ok((header, origin, source, raw))
    }

    /// Resolves the generic parameters of an item.
    pub(crate) fn resolve_generics(&self, def: DefId) -> Resolved<Generics> {
        let node = self.node(def);
        match node.head.kind {
            DefKind::Fn | DefKind::AssocFn => Ok(self.fn_sig(def)?.generics.clone()),
            DefKind::Variant => Ok((*self.generics(node.head.parent)?).clone()),
            DefKind::Struct
            | DefKind::Enum
            | DefKind::Trait
            | DefKind::Impl
            | DefKind::TypeAlias
            | DefKind::AssocType => {
                let (header, origin, ..) = self.header(&node)?;
                self.generics_of_header(&node, &header, origin)
            }
            DefKind::Const | DefKind::Static | DefKind::AssocConst => {
                Ok(Generics { parent: self.outer(&node), ..Generics::default() })
            }
            DefKind::Mod | DefKind::Macro => Ok(Generics::default()),
        }
    }

    fn generics_of_header(&self, node: &Node, header: &Header, origin: Origin) -> Resolved<Generics> {
        let mut cx = self.type_cx(node, origin)?;
        let supertraits = if node.head.kind == DefKind::Trait { &header.bounds[..] } else { &[] };
        self.own_generics(&mut cx, node, &header.generics, supertraits)
    }

    /// The generic parameters of an item whose header is parsed, which takes longer than to resolve it.
    fn known_generics(&self, node: &Node, header: &Header, origin: Origin) -> Resolved<Arc<Generics>> {
        let cell = &node.answers().generics;
        if let Some(known) = cell.get() {
            return known.clone();
        }
        let generics = self.generics_of_header(node, header, origin).map(Arc::new);
        cell.get_or_init(|| generics).clone()
    }

    /// Resolves what an item declares.
    pub(crate) fn declare(&self, def: DefId) -> Resolved<Declaration> {
        let node = self.node(def);
        match node.head.kind {
            DefKind::Fn | DefKind::AssocFn => self.declare_fn(&node).map(|d| Declaration::Fn(Arc::new(d))),
            DefKind::Struct | DefKind::Enum => self.declare_adt(&node).map(|d| Declaration::Adt(Arc::new(d))),
            DefKind::Variant => self.declaration(node.head.parent),
            DefKind::Trait => {
                let generics = (*self.generics(def)?).clone();
                let items = self.children(def).to_vec();
                Ok(Declaration::Trait(Arc::new(Trait { def, generics, items })))
            }
            DefKind::Impl => {
                let (header, origin, ..) = self.header(&node)?;
                let generics = (*self.known_generics(&node, &header, origin.clone())?).clone();
                let mut cx = self.type_cx(&node, origin)?;
                cx.params = param_names(def, &generics);
                let self_ty = match &header.ty {
                    Some(ty) => cx.ty(ty)?,
                    None => {
                        return cx.fault(self.head(def).span, Cause::Syntax("expected a type".to_owned()));
                    }
                };
                let of = header.of.as_ref().map(|path| cx.trait_ref(path)).transpose()?;
                Ok(Declaration::Impl(Arc::new(Impl { def, generics, of, self_ty })))
            }
            DefKind::TypeAlias | DefKind::AssocType => {
                let (header, origin, ..) = self.header(&node)?;
                let generics = (*self.known_generics(&node, &header, origin.clone())?).clone();
                let mut cx = self.type_cx(&node, origin)?;
                cx.params.extend(param_names(def, &generics));
                let mut bounds = cx.bounds(&header.bounds)?;
                bounds.extend(self.declared_of_assoc(def)?);
                let value = header.ty.as_ref().map(|ty| cx.ty(ty)).transpose()?;
                Ok(Declaration::Alias(Arc::new(AssocType { generics, bounds, value })))
            }
            DefKind::Const | DefKind::Static | DefKind::AssocConst => {
                let (ty, _) = const_parts(&self.sources.get(node.source).text, &node.raw);
                let (tree, origin) = self.parse(<syn::Type as Parse>::parse, node.source, ty.0, ty.1)?;
                let mut cx = self.type_cx(&node, origin)?;
                cx.ty(&tree).map(|ty| Declaration::Const(Arc::new(ty)))
            }
            DefKind::Mod | DefKind::Macro => {
                let cause = Cause::Unsupported("a module declares nothing".to_owned());
                Err(ResolveError::new(self.head(def).span, cause))
            }
        }
    }

    /// The bounds on an associated type in the where clauses of its trait, which declare it as much as its own do:
    /// `trait Curve where Self::Key: Number { type Key; }`.
    fn declared_of_assoc(&self, def: DefId) -> Result<Vec<TraitRef>, ResolveError> {
        let container = self.container(def).filter(|of| self.head(*of).kind == DefKind::Trait);
        let Some(trait_) = container else { return Ok(vec![]) };
        let is_it = |ty: &Type| match &ty.kind {
            TypeKind::Assoc { base, of, name, args } => {
                *name == self.head(def).name
                    && args.is_empty()
                    && matches!(base.kind, TypeKind::SelfType(item) if item == trait_)
                    && of.as_ref().is_none_or(|of| of.def == trait_)
            }
            _ => false,
        };
        let generics = self.generics(trait_)?;
        let of_it = generics.bounds.iter().filter(|bound| is_it(&bound.ty));
        Ok(of_it.flat_map(|bound| bound.bounds.iter().cloned()).collect())
    }

    /// A function's signature as a `syn` tree.
    pub(crate) fn signature(&self, node: &Node) -> Resolved<(syn::Signature, Origin, SourceId, ItemNode)> {
        let (source, raw) = self.text(node)?;
        let source_text = self.sources.get(source);
        let hi = raw.body.map_or_else(|| before_semicolon(&source_text.text, &raw), |(lo, _)| lo - 1);
        let mut lo = raw.lo;
        let mut lexer = Lexer::new(&source_text.text, lo as usize, hi as usize);
        while matches!(lexer.peek_text(), "default" | "safe") {
            lexer.next();
            lo = lexer.at as u32;
        }
        let (mut signature, origin) = self.parse(<syn::Signature as Parse>::parse, source, lo, hi)?;
        let cfg = self.cfg(node.krate);
        let is_on = |input: &syn::FnArg| match input {
            syn::FnArg::Receiver(receiver) => are_on(&receiver.attrs, &cfg),
            syn::FnArg::Typed(typed) => are_on(&typed.attrs, &cfg),
        };
        if !signature.inputs.iter().all(is_on) {
            signature.inputs = signature.inputs.into_iter().filter(is_on).collect();
        }
        Ok((signature, origin, source, raw))
    }

    fn declare_fn(&self, node: &Node) -> Resolved<FnSig> {
        let (signature, origin, _, raw) = self.signature(node)?;
        let mut cx = self.type_cx(node, origin)?;
        let mut generics = self.own_generics(&mut cx, node, &signature.generics, &[])?;
        cx.synthetic = Some(Synthetic { before: generics.params.len() as u32, ..Synthetic::default() });
        let (mut params, mut param_names) = (Vec::new(), Vec::new());
        let mut has_self = false;
        for input in &signature.inputs {
            match input {
                syn::FnArg::Receiver(receiver) => {
                    has_self = true;
                    params.push(self.receiver(&mut cx, receiver)?);
                    param_names.push(Symbol::new("self"));
                }
                syn::FnArg::Typed(param) => {
                    params.push(cx.ty(&param.ty)?);
                    let name = match &*param.pat {
                        syn::Pat::Ident(ident) => name_of(&ident.ident),
                        _ => Symbol::new("_"),
                    };
                    param_names.push(name);
                }
            }
        }
        if let Some(synthetic) = cx.synthetic.take() {
            generics.params.extend(synthetic.params);
            generics.bounds.extend(synthetic.bounds);
        }
        let ret = cx.ret(&signature.output, signature.ident.span())?;
        let has_body = raw.body.is_some();
        Ok(FnSig { generics, params, param_names, ret, has_self, has_body })
    }

    fn receiver(&self, cx: &mut TypeCx<'_>, receiver: &syn::Receiver) -> Resolved<Type> {
        let span = cx.span(receiver.self_token.span);
        let Some(kind) = cx.self_type.clone() else {
            return cx.fault(span, Cause::Syntax("`self` outside an impl or a trait".to_owned()));
        };
        let self_ty = Type { kind, span };
        match &receiver.kind {
            syn::ReceiverKind::Value => Ok(self_ty),
            syn::ReceiverKind::Reference(_, _, mutability) => {
                let kind = TypeKind::Ref { mutable: mutability.is_some(), inner: Box::new(self_ty) };
                Ok(Type { kind, span })
            }
            syn::ReceiverKind::Typed(_, ty) => cx.ty(ty),
            _ => cx.fault(span, Cause::Unsupported("this form of `self`".to_owned())),
        }
    }

    fn declare_adt(&self, node: &Node) -> Resolved<Adt> {
        let def = node.head.id;
        let generics = (*self.generics(def)?).clone();
        let is_enum = node.head.kind == DefKind::Enum;
        let is_union = node.raw.kind == NodeKind::Union;
        let mut variants = Vec::new();
        let mut default_variant = None;
        let prepare = |origin: Origin| -> Resolved<TypeCx<'_>> {
            let mut cx = self.type_cx(node, origin)?;
            cx.params = param_names(def, &generics);
            cx.self_type = Some(self_of_adt(def, &generics));
            Ok(cx)
        };
        if is_enum {
            let mut next = Discriminant { base: ConstArg::Value(0), after: 0 };
            for (index, child) in self.children(def).iter().enumerate() {
                let variant = self.node(*child);
                let (tree, origin) = self.parse(
                    <syn::Variant as Parse>::parse,
                    variant.source,
                    variant.raw.lo,
                    variant.raw.hi,
                )?;
                let text = &origin.text.clone().text;
                if variant
                    .raw
                    .attrs
                    .iter()
                    .any(|(lo, hi)| text[*lo as usize..*hi as usize].trim() == "default")
                {
                    default_variant = Some(index);
                }
                let mut cx = prepare(origin)?;
                let (shape, fields) = self.fields(&mut cx, node.krate, &tree.fields)?;
                if let Some((_, expr)) = &tree.discriminant {
                    next = Discriminant { base: cx.const_arg(expr).unwrap_or(ConstArg::Infer), after: 0 };
                }
                let discriminant = next.clone();
                next.after += 1;
                variants.push(Variant { def: *child, name: variant.head.name, shape, fields, discriminant });
            }
        } else {
            let (lo, hi) = (node.raw.lo, node.raw.hi);
            let (fields, origin) = if is_union {
                let (tree, origin) = self.parse(<syn::ItemUnion as Parse>::parse, node.source, lo, hi)?;
                (syn::Fields::Named(tree.fields), origin)
            } else {
                let (tree, origin) = self.parse(<syn::ItemStruct as Parse>::parse, node.source, lo, hi)?;
                (tree.fields, origin)
            };
            let mut cx = prepare(origin)?;
            let (shape, fields) = self.fields(&mut cx, node.krate, &fields)?;
            let discriminant = Discriminant { base: ConstArg::Value(0), after: 0 };
            variants.push(Variant { def, name: node.head.name, shape, fields, discriminant });
        }
        let derives = node.derives.iter().filter_map(|name| self.derived_trait(name)).collect();
        Ok(Adt { def, generics, variants, is_enum, is_union, derives, default_variant })
    }

    fn derived_trait(&self, name: &str) -> Option<DefId> {
        let path: Vec<Symbol> = derive::path(name)?.split("::").map(Symbol::new).collect();
        self.std_item(&path)
    }

    fn fields(
        &self,
        cx: &mut TypeCx<'_>,
        krate: u32,
        fields: &syn::Fields,
    ) -> Resolved<(StructKind, Vec<(Symbol, Type)>)> {
        let cfg = self.cfg(krate);
        let on = |field: &&syn::Field| are_on(&field.attrs, &cfg);
        Ok(match fields {
            syn::Fields::Named(named) => {
                let mut out = Vec::new();
                for field in named.named.iter().filter(on) {
                    let name = field.ident.as_ref().map_or_else(|| Symbol::new("_"), name_of);
                    out.push((name, cx.ty(&field.ty)?));
                }
                (StructKind::Named, out)
            }
            syn::Fields::Unnamed(unnamed) => {
                let mut out = Vec::new();
                for (index, field) in unnamed.unnamed.iter().filter(on).enumerate() {
                    out.push((Symbol::new(&index.to_string()), cx.ty(&field.ty)?));
                }
                (StructKind::Tuple, out)
            }
            syn::Fields::Unit => (StructKind::Unit, Vec::new()),
        })
    }
}

/// The names of an item's parameters.
pub(crate) fn param_names(owner: DefId, generics: &Generics) -> Vec<(Symbol, ParamRef, bool)> {
    let each = generics.params.iter().zip(0..);
    each.map(|(param, index)| {
        (param.name, ParamRef { owner, index }, matches!(param.kind, ParamKind::Const(..)))
    })
    .collect()
}

fn arg_of(param: ParamRef, constant: bool) -> GenericArg {
    if constant {
        GenericArg::Const(ConstArg::Param(param))
    } else {
        GenericArg::Type(Type { kind: TypeKind::Param(param), span: Span::unknown() })
    }
}

fn attributes_of(param: &syn::GenericParam) -> &[syn::Attribute] {
    match param {
        syn::GenericParam::Lifetime(param) => &param.attrs,
        syn::GenericParam::Type(param) => &param.attrs,
        syn::GenericParam::Const(param) => &param.attrs,
    }
}

fn self_of_adt(def: DefId, generics: &Generics) -> TypeKind {
    let args = param_names(def, generics).into_iter().map(|(_, param, constant)| arg_of(param, constant));
    TypeKind::Def(def, args.collect())
}

/// The end of an item without the semicolon, which is missing where the text ends too early.
fn before_semicolon(text: &str, raw: &ItemNode) -> u32 {
    let item = &text[raw.lo as usize..raw.hi as usize];
    raw.lo + item.strip_suffix(';').unwrap_or(item).len() as u32
}

/// The ranges of the type and the value of a constant.
pub(crate) fn const_parts(text: &str, raw: &ItemNode) -> ((u32, u32), Option<(u32, u32)>) {
    let mut lexer = Lexer::new(text, raw.name_lo as usize, raw.hi as usize);
    lexer.next();
    lexer.eat(":");
    let lo = lexer.at as u32;
    let mut angles = 0i32;
    while let Some(token) = lexer.next() {
        match token.text(text) {
            "<" => angles += 1,
            ">" => angles -= 1,
            ">>" => angles -= 2,
            "=" if angles <= 0 => return ((lo, token.lo), Some((token.hi, before_semicolon(text, raw)))),
            ">=" if angles == 1 => {
                return ((lo, token.lo + 1), Some((token.hi, before_semicolon(text, raw))));
            }
            ";" => return ((lo, token.lo), None),
            _ if token.kind == Tok::Open => {
                lexer.skip_group();
            }
            _ => {}
        }
    }
    ((lo, raw.hi), None)
}
