//! Conditions, loops and jumps.

use overdub_context::{Span, Symbol};

use super::{BodyCx, Target};
use crate::error::Cause;
use crate::hir::*;
use crate::resolve::parse::join;
use crate::resolve::types::Resolved;
use crate::source::hygiene::unmarked_name;

fn label_of(label: &Option<syn::Label>) -> Option<Symbol> {
    label.as_ref().map(|label| unmarked_name(&label.name.ident.to_string()))
}

impl BodyCx<'_> {
    /// `if c { a } else { b }`
    pub(super) fn if_expr(&mut self, it: &syn::ExprIf) -> Resolved<ExprId> {
        let span = self.span(it.if_token.span);
        let (cond, then) = self.scoped(|body| {
            let cond = body.expr(&it.cond)?;
            Ok((cond, body.block_value(&it.then_branch)?))
        })?;
        let otherwise = it.else_branch.as_ref().map(|(_, e)| self.expr(e)).transpose()?;
        Ok(self.alloc(ExprKind::If(cond, then, otherwise), span))
    }

    /// `let p = x` as a condition.
    pub(super) fn let_expr(&mut self, it: &syn::ExprLet) -> Resolved<ExprId> {
        let value = self.expr(&it.expr)?;
        let pat = self.pattern(&it.pat)?;
        let span = self.span(it.let_token.span);
        Ok(self.alloc(ExprKind::Let(pat, value), span))
    }

    /// A block as an expression.
    pub(super) fn block_value(&mut self, block: &syn::Block) -> Resolved<ExprId> {
        let span = self.span(block.brace_token.span.open());
        let block = self.block(block)?;
        Ok(self.alloc(ExprKind::Block(block), span))
    }

    /// `const { … }`
    pub(super) fn const_block(&mut self, block: &syn::Block) -> Resolved<ExprId> {
        let span = self.span(block.brace_token.span.open());
        let block = Block { is_const: true, ..self.block(block)? };
        Ok(self.alloc(ExprKind::Block(block), span))
    }

    /// `'a: { … }`
    pub(super) fn labelled_block(&mut self, it: &syn::ExprBlock) -> Resolved<ExprId> {
        let span = self.span(it.block.brace_token.span.open());
        if it.label.is_none() {
            return self.block_value(&it.block);
        }
        let id = self.reserve(span);
        self.targets.push(Target { id, label: label_of(&it.label), is_loop: false });
        let block = self.block(&it.block);
        self.targets.pop();
        self.fill(id, ExprKind::Block(block?));
        Ok(id)
    }

    fn loop_with(
        &mut self,
        label: &Option<syn::Label>,
        span: Span,
        run: impl FnOnce(&mut Self, ExprId) -> Resolved<ExprId>,
    ) -> Resolved<ExprId> {
        let id = self.reserve(span);
        self.targets.push(Target { id, label: label_of(label), is_loop: true });
        let inner = self.scoped(|body| run(body, id));
        self.targets.pop();
        self.fill(id, ExprKind::Loop(inner?));
        Ok(id)
    }

    /// `loop { … }`
    pub(super) fn loop_expr(&mut self, it: &syn::ExprLoop) -> Resolved<ExprId> {
        let span = self.span(it.loop_token.span);
        self.loop_with(&it.label, span, |body, _| body.block_value(&it.body))
    }

    /// `while c { … }` is `loop { if c { … } else { break } }`.
    pub(super) fn while_expr(&mut self, it: &syn::ExprWhile) -> Resolved<ExprId> {
        let span = self.span(it.while_token.span);
        self.loop_with(&it.label, span, |body, id| {
            let cond = body.expr(&it.cond)?;
            let then = body.block_value(&it.body)?;
            let break_expr = body.alloc(ExprKind::Break { target: id, value: None }, span);
            Ok(body.alloc(ExprKind::If(cond, then, Some(break_expr)), span))
        })
    }

    /// `for p in x { … }` is
    /// `{ let mut iter = IntoIterator::into_iter(x); loop { match Iterator::next(&mut iter) { Some(p) => …, None => break } } }`.
    pub(super) fn for_expr(&mut self, it: &syn::ExprForLoop) -> Resolved<ExprId> {
        let for_span = self.span(it.for_token.span);
        let sequence = self.expr(&it.expr)?;
        let span = self.span_of(sequence);
        let some = self.lang_variant("option", "Some", span)?;
        let none = self.lang_variant("option", "None", span)?;
        self.block_expr(for_span, |body, out| {
            let into_iter = body.lang_method("into_iterator", "into_iter", span)?;
            let init = body.alloc(ExprKind::Call(into_iter, vec![sequence]), span);
            let iter = body.let_fresh("iter", true, init, span, out);
            let desugared = body.loop_with(&it.label, for_span, |body, id| {
                let next = body.lang_method("iterator", "next", span)?;
                let place = body.local_expr(iter, span);
                let place = body.alloc(ExprKind::AddrOf { mutable: true, raw: false, place }, span);
                let item = body.alloc(ExprKind::Call(next, vec![place]), span);
                let (pat, then) = body.scoped(|body| {
                    let pat = body.pattern(&it.pat)?;
                    Ok((pat, body.block_value(&it.body)?))
                })?;
                let ctor = CtorPath::Def(some, Vec::new());
                let some_pat = body.alloc_pat(PatKind::TupleStruct(ctor, vec![pat], None), span);
                let none_pat = body.alloc_pat(PatKind::Path(ValuePath::Def(none, Vec::new())), span);
                let break_expr = body.alloc(ExprKind::Break { target: id, value: None }, span);
                let arms = vec![
                    Arm { pat: none_pat, guard: None, body: break_expr },
                    Arm { pat: some_pat, guard: None, body: then },
                ];
                Ok(body.alloc(ExprKind::Match(item, arms), span))
            })?;
            out.tail = Some(desugared);
            out.keeps_temporaries = true;
            Ok(())
        })
    }

    /// `match x { … }`
    pub(super) fn match_expr(&mut self, it: &syn::ExprMatch) -> Resolved<ExprId> {
        let span = self.span(it.match_token.span);
        let value = self.expr(&it.expr)?;
        let cfg = self.program().cfg(self.program().node(self.cx.scope).krate);
        let mut arms = Vec::new();
        for arm in it.arms.iter().filter(|arm| crate::source::cfg::are_on(&arm.attrs, &cfg)) {
            arms.push(self.scoped(|body| {
                let pat = body.pattern(&arm.pat)?;
                let guard = match &arm.pat {
                    syn::Pat::Guard(guard) => Some(body.expr(&guard.guard)?),
                    _ => None,
                };
                Ok(Arm { pat, guard, body: body.expr(&arm.body)? })
            })?);
        }
        Ok(self.alloc(ExprKind::Match(value, arms), span))
    }

    fn target(&self, label: &Option<syn::Lifetime>, needs_loop: bool, span: Span) -> Resolved<ExprId> {
        let name = label.as_ref().map(|label| unmarked_name(&label.ident.to_string()));
        let found = self.targets.iter().rev().find(|target| match name {
            Some(name) => target.label == Some(name),
            None => target.is_loop,
        });
        match found {
            Some(target) if target.is_loop || !needs_loop => Ok(target.id),
            Some(_) => self.cx.fault(span, Cause::Syntax("`continue` of a block that is no loop".to_owned())),
            None => match name {
                Some(name) => {
                    self.cx.fault(span, Cause::NotFound { what: "label", path: format!("'{name}") })
                }
                None => self.cx.fault(span, Cause::Syntax("`break` or `continue` outside a loop".to_owned())),
            },
        }
    }

    /// `break 'a x`
    pub(super) fn break_expr(&mut self, it: &syn::ExprBreak) -> Resolved<ExprId> {
        let span = self.span(it.break_token.span);
        let target = self.target(&it.label, false, span)?;
        let value = it.expr.as_ref().map(|e| self.expr(e)).transpose()?;
        Ok(self.alloc(ExprKind::Break { target, value }, span))
    }

    /// `continue 'a`
    pub(super) fn continue_expr(&mut self, it: &syn::ExprContinue) -> Resolved<ExprId> {
        let span = self.span(it.continue_token.span);
        let target = self.target(&it.label, true, span)?;
        Ok(self.alloc(ExprKind::Continue { target }, span))
    }

    /// `|x| …`
    pub(super) fn closure(&mut self, it: &syn::ExprClosure) -> Resolved<ExprId> {
        let span = self.span(it.inputs_begin.spans[0]);
        let targets = std::mem::take(&mut self.targets);
        let closure = self.scoped(|body| {
            let mut params = Vec::new();
            for input in &it.inputs {
                let ty = match input {
                    syn::Pat::Type(typed) => body.cx.ty(&typed.ty)?,
                    _ => Type { kind: TypeKind::Infer, span },
                };
                params.push((body.pattern(input)?, ty));
            }
            let ret = match &it.output {
                syn::ReturnType::Default => Type { kind: TypeKind::Infer, span },
                syn::ReturnType::Type(_, ty) => body.cx.ty(ty)?,
            };
            let value = body.expr(&it.body)?;
            Ok(ExprKind::Closure { params, ret, body: value, by_move: it.capture.is_some() })
        });
        self.targets = targets;
        let kind = closure?;
        Ok(self.alloc(kind, span))
    }

    /// `a..b` and its kin are struct literals of the prelude's types.
    pub(super) fn range_expr(&mut self, it: &syn::ExprRange) -> Resolved<ExprId> {
        let (inclusive, token) = match &it.limits {
            syn::RangeLimits::HalfOpen(token) => (false, token.spans[0]),
            syn::RangeLimits::Closed(token) => (true, token.spans[0]),
        };
        let mut span = self.span(token);
        let start = it.start.as_ref().map(|e| self.expr(e)).transpose()?;
        let end = it.end.as_ref().map(|e| self.expr(e)).transpose()?;
        if let Some(start) = start {
            span = join(self.span_of(start), end.map_or(span, |end| self.span_of(end)));
        }
        let lang = match (start, end, inclusive) {
            (Some(_), Some(_), false) => "range",
            (Some(_), Some(_), true) => "range_inclusive",
            (Some(_), None, _) => "range_from",
            (None, Some(_), false) => "range_to",
            (None, Some(_), true) => "range_to_inclusive",
            (None, None, _) => "range_full",
        };
        let def = self.program().require_lang(lang, span)?;
        let mut fields: Vec<(Symbol, ExprId)> = Vec::new();
        fields.extend(start.map(|start| (Symbol::new("start"), start)));
        fields.extend(end.map(|end| (Symbol::new("end"), end)));
        // `RangeInclusive` also has a flag that tells whether it is exhausted.
        let adt = self.program().adt(def)?;
        for (name, _) in adt.variants.iter().flat_map(|v| &v.fields) {
            if fields.iter().all(|(known, _)| known != name) {
                let unspent = self.alloc(ExprKind::Lit(Lit::Bool(false)), span);
                fields.push((*name, unspent));
            }
        }
        let path = CtorPath::Def(def, Vec::new());
        Ok(self.alloc(ExprKind::Struct { path, fields, base: None }, span))
    }
}
