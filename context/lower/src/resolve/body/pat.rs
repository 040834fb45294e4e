//! Patterns.

use overdub_context::Symbol;

use super::BodyCx;
use crate::error::Cause;
use crate::hir::*;
use crate::resolve::parse::name_of;
use crate::resolve::types::Resolved;
use crate::source::cfg::are_on;
use crate::source::hygiene::{MARK, unmarked_name};

impl BodyCx<'_> {
    /// A whole pattern; its variables are in scope after it.
    pub(super) fn pattern(&mut self, pat: &syn::Pat) -> Resolved<PatId> {
        let outer = std::mem::take(&mut self.bound);
        let id = self.pat(pat)?;
        let bound = std::mem::replace(&mut self.bound, outer);
        self.names.extend(bound);
        Ok(id)
    }

    fn bind(&mut self, ident: &syn::Ident, mutable: bool) -> LocalId {
        let text = ident.to_string();
        let marked = Symbol::new(text.strip_prefix("r#").unwrap_or(&text));
        if let Some((_, local)) = self.bound.iter().find(|(name, _)| *name == marked) {
            return *local;
        }
        let span = self.span(ident.span());
        let local = self.fresh_local(&unmarked_name(&text), mutable, span);
        self.locals[local.index()].in_source = !text.contains(MARK);
        self.bound.push((marked, local));
        local
    }

    fn pat(&mut self, pat: &syn::Pat) -> Resolved<PatId> {
        match pat {
            syn::Pat::Ident(ident) => self.ident_pat(ident),
            syn::Pat::Lit(lit) => {
                let expr = self.literal(&lit.lit)?;
                let span = self.span_of(expr);
                Ok(self.alloc_pat(PatKind::Lit(expr), span))
            }
            syn::Pat::Const(block) => {
                let span = self.span(block.const_token.span);
                self.cx.fault(span, Cause::Unsupported("a `const` block in a pattern".to_owned()))
            }
            syn::Pat::Guard(guard) => self.pat(&guard.pat),
            syn::Pat::Macro(mac) => {
                let expansion = self.expand(&mac.mac)?;
                let len = self.program().sources.get(expansion).text.len() as u32;
                let (tree, origin) =
                    self.program().parse(syn::Pat::parse_multi_with_leading_vert, expansion, 0, len)?;
                let outer = std::mem::replace(&mut self.cx.origin, origin);
                let id = self.pat(&tree);
                self.cx.origin = outer;
                id
            }
            syn::Pat::Or(or) => {
                let cases = or.cases.iter().map(|case| self.pat(case)).collect::<Resolved<Vec<_>>>()?;
                let span = self.pats[cases[0].index()].span;
                Ok(self.alloc_pat(PatKind::Or(cases), span))
            }
            syn::Pat::Paren(paren) => self.pat(&paren.pat),
            syn::Pat::Path(path) => {
                let span = self.span(crate::resolve::types::path_span(&path.path));
                let value = self.value_path(path.qself.as_ref(), &path.path)?;
                Ok(self.alloc_pat(PatKind::Path(value), span))
            }
            syn::Pat::Range(range) => {
                let low = range.start.as_ref().map(|e| self.expr(e)).transpose()?;
                let high = range.end.as_ref().map(|e| self.expr(e)).transpose()?;
                let (inclusive, token) = match &range.limits {
                    syn::RangeLimits::HalfOpen(token) => (false, token.spans[0]),
                    syn::RangeLimits::Closed(token) => (true, token.spans[0]),
                };
                let span = low.map_or_else(|| self.span(token), |low| self.span_of(low));
                Ok(self.alloc_pat(PatKind::Range { low, high, inclusive }, span))
            }
            syn::Pat::Reference(reference) => {
                let inner = self.pat(&reference.pat)?;
                let span = self.span(reference.and_token.span);
                Ok(self.alloc_pat(PatKind::Ref(inner), span))
            }
            syn::Pat::Rest(rest) => {
                let span = self.span(rest.dot2_token.spans[0]);
                self.cx.fault(span, Cause::Syntax("`..` outside a tuple or a slice pattern".to_owned()))
            }
            syn::Pat::Slice(slice) => self.slice_pat(slice),
            syn::Pat::Struct(of) => self.struct_pat(of),
            syn::Pat::Tuple(tuple) => {
                let span = self.span(tuple.paren_token.span.open());
                let (parts, rest) = self.parts(&tuple.elems)?;
                Ok(self.alloc_pat(PatKind::Tuple(parts, rest), span))
            }
            syn::Pat::TupleStruct(of) => {
                let span = self.span(crate::resolve::types::path_span(&of.path));
                let path = self.tuple_ctor(of.qself.as_ref(), &of.path)?;
                let (parts, rest) = self.parts(&of.elems)?;
                Ok(self.alloc_pat(PatKind::TupleStruct(path, parts, rest), span))
            }
            syn::Pat::Type(typed) => self.pat(&typed.pat),
            syn::Pat::Wild(wild) => {
                let span = self.span(wild.underscore_token.span);
                Ok(self.alloc_pat(PatKind::Wild, span))
            }
            _ => {
                let span = overdub_context::Span::unknown();
                self.cx.fault(span, Cause::Unsupported("this kind of pattern".to_owned()))
            }
        }
    }

    fn ident_pat(&mut self, ident: &syn::PatIdent) -> Resolved<PatId> {
        let span = self.span(ident.ident.span());
        if ident.by_ref.is_none() && ident.mutability.is_none() && ident.subpat.is_none() {
            let name = name_of(&ident.ident);
            if let Some(value) = self.constant_named(name) {
                return Ok(self.alloc_pat(PatKind::Path(value), span));
            }
        }
        let by_ref = ident.by_ref.map(|_| ident.mutability.is_some());
        let mutable = ident.mutability.is_some() && by_ref.is_none();
        let local = self.bind(&ident.ident, mutable);
        let sub = ident.subpat.as_ref().map(|(_, sub)| self.pat(sub)).transpose()?;
        Ok(self.alloc_pat(PatKind::Bind { local, by_ref, sub }, span))
    }

    fn parts<'a>(
        &mut self,
        elems: impl IntoIterator<Item = &'a syn::Pat>,
    ) -> Resolved<(Vec<PatId>, Option<usize>)> {
        let (mut parts, mut rest) = (Vec::new(), None);
        for elem in elems {
            if matches!(elem, syn::Pat::Rest(_)) {
                rest = Some(parts.len());
            } else {
                parts.push(self.pat(elem)?);
            }
        }
        Ok((parts, rest))
    }

    fn slice_pat(&mut self, slice: &syn::PatSlice) -> Resolved<PatId> {
        let span = self.span(slice.bracket_token.span.open());
        let (mut before, mut rest, mut after) = (Vec::new(), None, Vec::new());
        for elem in &slice.elems {
            let is_rest = match elem {
                syn::Pat::Rest(_) => Some(self.alloc_pat(PatKind::Wild, span)),
                syn::Pat::Ident(ident) if matches!(&ident.subpat, Some((_, sub)) if matches!(**sub, syn::Pat::Rest(_))) =>
                {
                    let by_ref = ident.by_ref.map(|_| ident.mutability.is_some());
                    let local = self.bind(&ident.ident, ident.mutability.is_some() && by_ref.is_none());
                    let span = self.span(ident.ident.span());
                    Some(self.alloc_pat(PatKind::Bind { local, by_ref, sub: None }, span))
                }
                _ => None,
            };
            match is_rest {
                Some(id) => rest = Some(id),
                None => {
                    let id = self.pat(elem)?;
                    if rest.is_some() { after.push(id) } else { before.push(id) }
                }
            }
        }
        Ok(self.alloc_pat(PatKind::Slice { before, rest, after }, span))
    }

    fn struct_pat(&mut self, of: &syn::PatStruct) -> Resolved<PatId> {
        let span = self.span(crate::resolve::types::path_span(&of.path));
        let path = self.ctor_path(of.qself.as_ref(), &of.path)?;
        let cfg = self.program().cfg(self.program().node(self.cx.scope).krate);
        let mut fields = Vec::new();
        for field in of.fields.iter().filter(|field| are_on(&field.attrs, &cfg)) {
            let name = member(&field.member);
            // `S { x }` is a binding even if a constant is called `x`.
            let pat = match (&field.colon_token, &*field.pat) {
                (None, syn::Pat::Ident(ident)) => {
                    let by_ref = ident.by_ref.map(|_| ident.mutability.is_some());
                    let local = self.bind(&ident.ident, ident.mutability.is_some() && by_ref.is_none());
                    let span = self.span(ident.ident.span());
                    self.alloc_pat(PatKind::Bind { local, by_ref, sub: None }, span)
                }
                _ => self.pat(&field.pat)?,
            };
            fields.push((name, pat));
        }
        Ok(self.alloc_pat(PatKind::Struct(path, fields), span))
    }
}

/// The name of a field.
pub(super) fn member(member: &syn::Member) -> Symbol {
    match member {
        syn::Member::Named(ident) => name_of(ident),
        syn::Member::Unnamed(index) => Symbol::new(&index.index.to_string()),
    }
}
