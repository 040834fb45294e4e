//! Bodies: expressions, statements and patterns, with macros expanded and all names resolved.
//!
//! - RESOLVEBODY1 a variable is in scope from the end of its pattern to the end of its block; a name is
//!   looked up with all its marks first, then with fewer.
//! - RESOLVEBODY2 an unsupported construct becomes [`ExprKind::Unsupported`]; an unresolved name fails the
//!   body, and the error lists all such names.

mod assign;
mod block;
mod builtin;
mod control;
mod expr;
mod format;
mod literal;
mod macros;
mod pat;
mod path;

pub(crate) use macros::is_builtin_macro;

use std::rc::Rc;
use std::sync::Arc;

use overdub_context::{Span, Symbol};

use super::items::param_names;
use super::node::Node;
use super::parse::Origin;
use super::types::{Resolved, TypeCx};
use crate::error::{Cause, ResolveError};
use crate::hir::*;
use crate::program::Program;
use crate::source::hygiene::{MARK, unmarked_name};

/// A target of `break` and `continue`.
struct Target {
    id: ExprId,
    label: Option<Symbol>,
    is_loop: bool,
}

/// A body being resolved.
pub(crate) struct BodyCx<'p> {
    cx: TypeCx<'p>,
    exprs: Vec<Expr>,
    pats: Vec<Pat>,
    locals: Vec<Local>,
    /// The variables in scope, innermost last, by their marked names.
    names: Vec<(Symbol, LocalId)>,
    /// The variables of the current pattern.
    bound: Vec<(Symbol, LocalId)>,
    targets: Vec<Target>,
    depth: usize,
    /// The errors for unresolved names of values.
    missing: Vec<ResolveError>,
    traits: Option<(DefId, Arc<[DefId]>)>,
    /// The template for float literals, and the literal while its template is being expanded.
    float_template: Option<Rc<(syn::Expr, Origin)>>,
    float_hole: Option<(Lit, Span)>,
}

impl<'p> BodyCx<'p> {
    fn new(cx: TypeCx<'p>) -> BodyCx<'p> {
        BodyCx {
            cx,
            exprs: Vec::new(),
            pats: Vec::new(),
            locals: Vec::new(),
            names: Vec::new(),
            bound: Vec::new(),
            targets: Vec::new(),
            depth: 0,
            missing: Vec::new(),
            traits: None,
            float_template: None,
            float_hole: None,
        }
    }

    fn program(&self) -> &'p Program {
        self.cx.program
    }

    fn span(&self, span: proc_macro2::Span) -> Span {
        self.cx.span(span)
    }

    fn alloc(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.exprs.push(Expr { kind, span });
        ExprId(self.exprs.len() as u32 - 1)
    }

    /// Reserves an expression whose kind is set later.
    fn reserve(&mut self, span: Span) -> ExprId {
        self.alloc(ExprKind::Tuple(Vec::new()), span)
    }

    fn fill(&mut self, id: ExprId, kind: ExprKind) {
        self.exprs[id.index()].kind = kind;
    }

    fn alloc_pat(&mut self, kind: PatKind, span: Span) -> PatId {
        self.pats.push(Pat { kind, span });
        PatId(self.pats.len() as u32 - 1)
    }

    fn span_of(&self, id: ExprId) -> Span {
        self.exprs[id.index()].span
    }

    fn unsupported(&mut self, what: &str, span: Span) -> ExprId {
        self.alloc(ExprKind::Unsupported(Symbol::new(what)), span)
    }

    /// A variable that no name refers to.
    fn fresh_local(&mut self, name: &str, mutable: bool, span: Span) -> LocalId {
        self.locals.push(Local { name: Symbol::new(name), mutable, span, in_source: false });
        LocalId(self.locals.len() as u32 - 1)
    }

    fn local_expr(&mut self, local: LocalId, span: Span) -> ExprId {
        self.alloc(ExprKind::Path(ValuePath::Local(local)), span)
    }

    /// The variable that a name with its marks refers to.
    fn find_local(&self, name: &str) -> Option<LocalId> {
        let mut name = name.strip_prefix("r#").unwrap_or(name);
        loop {
            if let Some((_, local)) = self.names.iter().rev().find(|(known, _)| &**known == name) {
                return Some(*local);
            }
            name = &name[..name.rfind(MARK)?];
        }
    }

    /// The variable that a name in a format string refers to; such a name has lost its marks.
    fn find_local_bare(&self, name: &str) -> Option<LocalId> {
        let exact = self.find_local(name);
        exact.or_else(|| {
            self.names.iter().rev().find(|(known, _)| &*unmarked_name(known) == name).map(|(_, local)| *local)
        })
    }

    /// The traits in scope here.
    fn traits(&mut self) -> Arc<[DefId]> {
        let scope = self.cx.scope;
        if let Some((known, traits)) = &self.traits
            && *known == scope
        {
            return traits.clone();
        }
        let traits = self.program().traits_in_scope(scope);
        self.traits = Some((scope, traits.clone()));
        traits
    }

    fn finish(self, params: Vec<PatId>, value: ExprId) -> Resolved<HirBody> {
        let BodyCx { cx, exprs, pats, locals, missing, .. } = self;
        match all_missing(missing) {
            Some(error) => Err(error),
            None => Ok(HirBody { owner: cx.owner, params, value, exprs, pats, locals }),
        }
    }

    /// A placeholder for a value whose name is unresolved, so that later names are looked up too.
    fn unresolved(&mut self, error: ResolveError, span: Span) -> Resolved<ExprId> {
        match error.cause {
            Cause::NotFound { .. } => {
                self.missing.push(error);
                Ok(self.unsupported("this name leads nowhere", span))
            }
            _ => Err(error),
        }
    }
}

/// The first of these errors, with the names of the others in its advice.
fn all_missing(missing: Vec<ResolveError>) -> Option<ResolveError> {
    let mut missing = missing.into_iter();
    let first = missing.next()?;
    let mut names: Vec<String> = Vec::new();
    for error in missing {
        if let Cause::NotFound { path, .. } = &error.cause
            && error.cause != first.cause
            && !names.iter().any(|name| name.starts_with(&format!("`{path}` ")))
        {
            names.push(format!("`{path}` (line {})", error.span.line));
        }
    }
    if names.is_empty() {
        return Some(first);
    }
    let others = format!("not found either: {}", names.join(", "));
    let help = first.help.as_ref().map_or_else(|| others.clone(), |help| format!("{help}; {others}"));
    Some(first.with_help(help))
}

/// A constant in a type.
pub(crate) fn constant(cx: &TypeCx<'_>, expr: &syn::Expr) -> Resolved<HirBody> {
    let mut body = BodyCx::new(cx.clone());
    let value = body.expr(expr)?;
    body.finish(Vec::new(), value)
}

/// The statements of a function body.
fn inner_statements(input: syn::parse::ParseStream<'_>) -> syn::Result<Vec<syn::Stmt>> {
    syn::Attribute::parse_inner(input)?;
    syn::Block::parse_within(input)
}

impl Program {
    /// Resolves the body of a function, a constant or a static.
    pub(crate) fn resolve_body(&self, def: DefId) -> Resolved<Option<HirBody>> {
        let node = self.node(def);
        match node.head.kind {
            DefKind::Fn | DefKind::AssocFn => self.fn_body(&node),
            DefKind::Const | DefKind::Static | DefKind::AssocConst => self.const_body(&node),
            _ => Ok(None),
        }
    }

    fn fn_body(&self, node: &Node) -> Resolved<Option<HirBody>> {
        let (signature, origin, source, raw) = self.signature(node)?;
        let Some((lo, hi)) = raw.body else { return Ok(None) };
        let mut body = self.body_cx(node, origin)?;
        let mut params = Vec::new();
        for input in &signature.inputs {
            match input {
                syn::FnArg::Receiver(receiver) => {
                    let span = body.span(receiver.self_token.span);
                    let by_value_mut = receiver.mutability.is_some();
                    let local = body.fresh_local("self", by_value_mut, span);
                    body.locals[local.index()].in_source = true;
                    body.names.push((Symbol::new("self"), local));
                    params.push(body.alloc_pat(PatKind::Bind { local, by_ref: None, sub: None }, span));
                }
                syn::FnArg::Typed(param) => params.push(body.pattern(&param.pat)?),
            }
        }
        let (stmts, origin) = self.parse(inner_statements, source, lo, hi)?;
        body.cx.origin = origin;
        let span = self.sources.span(crate::source::SourceRange { source, lo: lo - 1, hi: lo });
        let block = body.scoped(|body| {
            let mut out = Block::default();
            body.statements(&stmts, &mut out, true)?;
            Ok(out)
        })?;
        let value = body.alloc(ExprKind::Block(block), span);
        body.finish(params, value).map(Some)
    }

    fn const_body(&self, node: &Node) -> Resolved<Option<HirBody>> {
        let text = self.sources.get(node.source);
        let (_, value) = super::items::const_parts(&text.text, &node.raw);
        let Some((lo, hi)) = value else { return Ok(None) };
        let (expr, origin) = self.parse(<syn::Expr as syn::parse::Parse>::parse, node.source, lo, hi)?;
        let mut body = self.body_cx(node, origin)?;
        let value = body.expr(&expr)?;
        body.finish(Vec::new(), value).map(Some)
    }

    fn body_cx(&self, node: &Node, origin: Origin) -> Resolved<BodyCx<'_>> {
        let def = node.head.id;
        if let Some((name, span)) = node.rewriter {
            let cause = format!(
                "the attribute macro `#[{name}]` may rewrite `{}`, and is not expanded",
                node.head.name
            );
            let help = "write what it expands to (`cargo expand` shows it), or leave it out";
            return Err(ResolveError::new(span, Cause::Unsupported(cause)).with_help(help));
        }
        let mut cx = self.type_cx(node, origin)?;
        let generics = self.generics(def)?;
        cx.params.extend(param_names(def, &generics));
        let mut body = BodyCx::new(cx);
        if let Some((lo, hi)) = node.float_literals {
            let parsed = self.parse(<syn::Expr as syn::parse::Parse>::parse, node.source, lo, hi)?;
            body.float_template = Some(Rc::new(parsed));
        }
        Ok(body)
    }

    /// Adds a trait and its supertraits.
    fn add_trait(&self, def: DefId, out: &mut Vec<DefId>) {
        if out.contains(&def) {
            return;
        }
        out.push(def);
        if let Ok(generics) = self.generics(def) {
            for bound in generics.bounds.iter().filter(|b| matches!(b.ty.kind, TypeKind::SelfType(_))) {
                for of in &bound.bounds {
                    self.add_trait(of.def, out);
                }
            }
        }
    }

    /// A lang item that bodies need.
    pub(crate) fn require_lang(&self, name: &str, span: Span) -> Resolved<DefId> {
        self.lang(name).ok_or_else(|| {
            let cause = Cause::NotFound { what: "lang item", path: name.to_owned() };
            ResolveError::new(span, cause)
        })
    }
}
