//! Paths to values and constructors.

use overdub_context::{Span, Symbol};

use super::BodyCx;
use crate::error::ResolveError;
use crate::hir::*;
use crate::resolve::names::Meaning;
use crate::resolve::node::Space;
use crate::resolve::parse::name_of;
use crate::resolve::types::{Head, Resolved, path_span};
use crate::source::hygiene::unmarked_name;

impl BodyCx<'_> {
    /// A path to a value.
    pub(super) fn value_path(&mut self, qself: Option<&syn::QSelf>, path: &syn::Path) -> Resolved<ValuePath> {
        if qself.is_none()
            && let Some(ident) = path.get_ident()
        {
            if let Some(local) = self.find_local(&ident.to_string()) {
                return Ok(ValuePath::Local(local));
            }
            let name = name_of(ident);
            if let Some((_, param, true)) = self.cx.params.iter().rev().find(|p| p.0 == name) {
                return Ok(ValuePath::ConstParam(*param));
            }
            if &*name == "Self"
                && let Some(outer) = self.cx.self_item
            {
                return Ok(ValuePath::SelfCtor(outer));
            }
        }
        let span = self.span(path_span(path));
        let count = path.segments.len();
        let (mut base, mut at, mut of) = match self.cx.head(qself, path, count, Space::Values)? {
            Head::Item(def, at) => return self.item_path(path, def, at),
            Head::Type(ty, at) => (ty, at, None),
            Head::Trait(of, at) => match qself {
                Some(qself) => (self.cx.ty(&qself.ty)?, at, Some(of)),
                None => return self.trait_item(path, of, at, span),
            },
        };
        if at >= count {
            return Err(self.cx.not_found(span, "value", path));
        }
        while at + 1 < count {
            let segment = &path.segments[at];
            let args = self.cx.angle_args(&segment.arguments)?;
            let name = name_of(&segment.ident);
            let kind = TypeKind::Assoc { base: Box::new(base), of: of.take().map(Box::new), name, args };
            base = Type { kind, span };
            at += 1;
        }
        let segment = &path.segments[at];
        let args = self.cx.angle_args(&segment.arguments)?;
        let traits = if of.is_some() { Self::no_traits() } else { self.traits() };
        Ok(ValuePath::Assoc { base, of, name: name_of(&segment.ident), args, traits })
    }

    fn item_path(&mut self, path: &syn::Path, def: DefId, at: usize) -> Resolved<ValuePath> {
        let mut args = self.cx.angle_args(&path.segments[at - 1].arguments)?;
        if args.is_empty() && at >= 2 && self.program().node(def).head.kind == DefKind::Variant {
            args = self.cx.angle_args(&path.segments[at - 2].arguments)?;
        }
        Ok(ValuePath::Def(def, args))
    }

    fn trait_item(&mut self, path: &syn::Path, of: TraitRef, at: usize, span: Span) -> Resolved<ValuePath> {
        let Some(segment) = path.segments.get(at) else {
            return Err(self.cx.not_found(span, "value", path));
        };
        let name = name_of(&segment.ident);
        let args = self.cx.angle_args(&segment.arguments)?;
        match self.program().child(of.def, name) {
            Some(item) => Ok(ValuePath::TraitItem { of, item, args }),
            None => {
                // An item of a supertrait, named through its subtrait.
                let mut supers = Vec::new();
                self.program().add_trait(of.def, &mut supers);
                let found = supers.iter().find_map(|def| Some((*def, self.program().child(*def, name)?)));
                let Some((def, item)) = found else { return Err(self.cx.not_found(span, "value", path)) };
                let of = TraitRef { def, args: Vec::new(), ..of };
                Ok(ValuePath::TraitItem { of, item, args })
            }
        }
    }

    /// The struct or variant that a literal or a pattern refers to.
    pub(super) fn ctor_path(&mut self, qself: Option<&syn::QSelf>, path: &syn::Path) -> Resolved<CtorPath> {
        let span = self.span(path_span(path));
        let count = path.segments.len();
        let values = self.cx.path_prefix(path, count, Space::Types);
        if qself.is_none()
            && let Some((Meaning::Item(def), used)) = values
            && used == count
            && matches!(self.program().node(def).head.kind, DefKind::Struct | DefKind::Variant)
            && &*unmarked_name(&path.segments[0].ident.to_string()) != "Self"
        {
            match self.item_path(path, def, used)? {
                ValuePath::Def(def, args) => return Ok(CtorPath::Def(def, args)),
                _ => return Err(self.cx.not_found(span, "struct", path)),
            }
        }
        // `Self`, an alias, or a variant through one of them.
        match self.cx.head(qself, path, count, Space::Types)? {
            Head::Type(ty, at) if at == count => Ok(CtorPath::Type(ty, None)),
            Head::Type(mut ty, at) => {
                let name = name_of(&path.segments[count - 1].ident);
                if qself.is_some_and(|q| q.position == 0) && at + 1 < count {
                    return Err(self.cx.not_found(span, "struct", path));
                }
                for segment in path.segments.iter().skip(at).take(count - 1 - at) {
                    let assoc = TypeKind::Assoc {
                        base: Box::new(ty),
                        of: None,
                        name: name_of(&segment.ident),
                        args: Vec::new(),
                    };
                    ty = Type { kind: assoc, span };
                }
                Ok(CtorPath::Type(ty, Some(name)))
            }
            _ => Err(self.cx.not_found(span, "struct", path)),
        }
    }

    /// The constructor of a tuple struct or tuple variant in a pattern.
    pub(super) fn tuple_ctor(&mut self, qself: Option<&syn::QSelf>, path: &syn::Path) -> Resolved<CtorPath> {
        if qself.is_none()
            && let Some((Meaning::Item(def), used)) =
                self.cx.path_prefix(path, path.segments.len(), Space::Values)
            && used == path.segments.len()
            && matches!(self.program().node(def).head.kind, DefKind::Struct | DefKind::Variant)
            && let ValuePath::Def(def, args) = self.item_path(path, def, used)?
        {
            return Ok(CtorPath::Def(def, args));
        }
        self.ctor_path(qself, path)
    }

    /// The meaning of a single name in a pattern, unless it is a new variable.
    pub(super) fn constant_named(&self, name: Symbol) -> Option<ValuePath> {
        if let Some((_, param, true)) = self.cx.params.iter().rev().find(|p| p.0 == name) {
            return Some(ValuePath::ConstParam(*param));
        }
        let Meaning::Item(def) = self.cx.lookup(&[name], Space::Values)? else { return None };
        let program = self.program();
        let node = program.node(def);
        let constant = match node.head.kind {
            DefKind::Const | DefKind::Static => true,
            DefKind::Variant | DefKind::Struct => {
                let adt = program.adt(program.variant_of(def)?.0).ok()?;
                adt.variants.iter().any(|v| v.def == def && v.shape == StructKind::Unit)
            }
            _ => false,
        };
        constant.then(|| ValuePath::Def(def, Vec::new()))
    }

    /// A function of a trait of the prelude: `IntoIterator::into_iter`.
    pub(super) fn lang_method(&mut self, lang: &str, name: &str, span: Span) -> Resolved<ExprId> {
        let def = self.program().require_lang(lang, span)?;
        let item = self.program().child(def, Symbol::new(name)).ok_or_else(|| {
            let cause = crate::error::Cause::NotFound { what: "method", path: format!("{lang}::{name}") };
            ResolveError::new(span, cause)
        })?;
        let of = TraitRef { def, args: Vec::new(), bindings: Vec::new(), binding_bounds: Vec::new(), span };
        Ok(self.alloc(ExprKind::Path(ValuePath::TraitItem { of, item, args: Vec::new() }), span))
    }

    /// A variant of an enum of the prelude.
    pub(super) fn lang_variant(&mut self, lang: &str, name: &str, span: Span) -> Resolved<DefId> {
        let def = self.program().require_lang(lang, span)?;
        self.program().child(def, Symbol::new(name)).ok_or_else(|| {
            let cause = crate::error::Cause::NotFound { what: "variant", path: format!("{lang}::{name}") };
            ResolveError::new(span, cause)
        })
    }
}
