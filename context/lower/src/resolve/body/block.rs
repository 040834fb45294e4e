//! Blocks and statements.

use std::sync::Arc;

use overdub_context::Span;
use syn::spanned::Spanned;

use super::BodyCx;
use crate::hir::*;
use crate::resolve::collect::{CollectScope, Collector, Files};
use crate::resolve::types::Resolved;
use crate::source::cfg::are_on;

impl BodyCx<'_> {
    /// A block, in a scope of its own.
    pub(super) fn block(&mut self, block: &syn::Block) -> Resolved<Block> {
        self.scoped(|body| {
            let mut out = Block::default();
            body.statements(&block.stmts, &mut out, true)?;
            Ok(out)
        })
    }

    /// Runs in a nested scope.
    pub(super) fn scoped<T>(&mut self, run: impl FnOnce(&mut Self) -> Resolved<T>) -> Resolved<T> {
        let (names, scope, macros) = (self.names.len(), self.cx.scope, self.cx.macros.clone());
        let result = run(self);
        self.names.truncate(names);
        self.cx.scope = scope;
        self.cx.macros = macros;
        result
    }

    /// Statements; if `tail`, a last expression without `;` becomes the value.
    pub(super) fn statements(&mut self, stmts: &[syn::Stmt], out: &mut Block, tail: bool) -> Resolved<()> {
        self.declare_items(stmts)?;
        let cfg = self.program().cfg(self.program().node(self.cx.scope).krate);
        let on = |attrs: &[syn::Attribute]| are_on(attrs, &cfg);
        for stmt in stmts {
            // An expression without `;` is the value unless a statement follows: macros and `cfg` may produce
            // none.
            let (before, value) = (out.stmts.len(), out.tail.take());
            match stmt {
                // A semicolon alone.
                syn::Stmt::Expr(syn::Expr::Verbatim(tokens), Some(_)) if tokens.is_empty() => {
                    out.stmts.extend(value.map(Stmt::Expr));
                    continue;
                }
                syn::Stmt::Item(_) => {}
                syn::Stmt::Local(local) if on(&local.attrs) => self.local(local, out)?,
                syn::Stmt::Local(_) => {}
                syn::Stmt::Macro(mac) if on(&mac.attrs) => {
                    self.statement_macro(&mac.mac, mac.semi_token.is_some(), tail, out)?;
                }
                syn::Stmt::Macro(_) => {}
                syn::Stmt::Expr(expr, _) if !on(super::expr::attributes(expr)) => {}
                syn::Stmt::Expr(syn::Expr::Macro(mac), semi) => {
                    self.statement_macro(&mac.mac, semi.is_some(), tail, out)?;
                }
                syn::Stmt::Expr(expr, semi) => {
                    let value = self.expr(expr)?;
                    if tail && semi.is_none() {
                        out.tail = Some(value);
                    } else {
                        out.stmts.push(Stmt::Expr(value));
                    }
                }
            }
            match value {
                Some(value) if out.stmts.len() > before || out.tail.is_some() => {
                    out.stmts.insert(before, Stmt::Expr(value));
                }
                Some(value) => out.tail = Some(value),
                None => {}
            }
        }
        Ok(())
    }

    fn local(&mut self, local: &syn::Local, out: &mut Block) -> Resolved<()> {
        let (pat, ty) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        let ty = match ty {
            Some(ty) => self.cx.ty(ty)?,
            None => Type { kind: TypeKind::Infer, span: self.span(local.let_token.span) },
        };
        let (mut init, mut otherwise) = (None, None);
        if let Some(local_init) = &local.init {
            init = Some(self.expr(&local_init.expr)?);
            if let Some((_, diverge)) = &local_init.diverge {
                otherwise = Some(self.expr(diverge)?);
            }
        }
        let pat = self.pattern(pat)?;
        out.stmts.push(Stmt::Let { pat, ty, init, otherwise });
        Ok(())
    }

    /// Enters the items declared in a block; they are visible in all of it.
    fn declare_items(&mut self, stmts: &[syn::Stmt]) -> Resolved<()> {
        let items: Vec<_> = stmts
            .iter()
            .filter_map(|stmt| match stmt {
                syn::Stmt::Item(item) => Some(item),
                _ => None,
            })
            .collect();
        if items.is_empty() {
            return Ok(());
        }
        let program = self.program();
        let outer = program.node(self.cx.scope);
        let module = program.add_block(self.cx.scope, self.cx.owner);
        let scope = CollectScope {
            source: self.cx.origin.source,
            module,
            folder: Default::default(),
            children: Default::default(),
            depth: self.depth,
            has_statements: false,
        };
        let mut collector = Collector {
            program,
            krate: outer.krate,
            root: module,
            files: Files::None,
            cfg: program.cfg(outer.krate),
            macros: self.cx.macros.clone(),
            faults: Vec::new(),
            pending_macros: Vec::new(),
        };
        for item in items {
            let place = self.cx.origin.place(item.span());
            collector.text(&scope, place.lo as usize, place.hi as usize);
        }
        collector.expand_pending_macros();
        if let Some(fault) = collector.faults.into_iter().next() {
            return Err(fault);
        }
        self.cx.macros = collector.macros;
        self.cx.scope = module;
        Ok(())
    }

    /// A block expression filled by `run`.
    pub(super) fn block_expr(
        &mut self,
        span: Span,
        run: impl FnOnce(&mut Self, &mut Block) -> Resolved<()>,
    ) -> Resolved<ExprId> {
        let block = self.scoped(|body| {
            let mut out = Block::default();
            run(body, &mut out)?;
            Ok(out)
        })?;
        Ok(self.alloc(ExprKind::Block(block), span))
    }

    /// A `let` of a variable that no name refers to.
    pub(super) fn let_fresh(
        &mut self,
        name: &str,
        mutable: bool,
        init: ExprId,
        span: Span,
        out: &mut Block,
    ) -> LocalId {
        let local = self.fresh_local(name, mutable, span);
        let pat = self.alloc_pat(PatKind::Bind { local, by_ref: None, sub: None }, span);
        let ty = Type { kind: TypeKind::Infer, span };
        out.stmts.push(Stmt::Let { pat, ty, init: Some(init), otherwise: None });
        local
    }

    /// No traits: used if a path names its trait.
    pub(super) fn no_traits() -> Arc<[DefId]> {
        Arc::new([])
    }
}
