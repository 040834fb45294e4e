//! Expressions.

use overdub_context::Span;

use super::BodyCx;
use crate::hir::*;
use crate::resolve::parse::{join, name_of};
use crate::resolve::types::{Resolved, path_span};
use crate::source::cfg::are_on;

impl BodyCx<'_> {
    /// Any expression.
    pub(super) fn expr(&mut self, expr: &syn::Expr) -> Resolved<ExprId> {
        match expr {
            syn::Expr::Array(it) => {
                let span = self.span(it.bracket_token.span.join());
                let parts = self.exprs(&it.elems)?;
                Ok(self.alloc(ExprKind::Array(parts), span))
            }
            syn::Expr::Assign(it) => self.assign(it),
            syn::Expr::Binary(it) => self.binary(it),
            syn::Expr::Block(it) => self.labelled_block(it),
            syn::Expr::Break(it) => self.break_expr(it),
            syn::Expr::Call(it) => {
                let callee = self.expr(&it.func)?;
                let args = self.exprs(&it.args)?;
                let span = join(self.span_of(callee), self.span(it.paren_token.span.close()));
                Ok(self.alloc(ExprKind::Call(callee, args), span))
            }
            syn::Expr::Cast(it) => {
                let value = self.expr(&it.expr)?;
                let ty = self.cx.ty(&it.ty)?;
                let span = join(self.span_of(value), ty.span);
                Ok(self.alloc(ExprKind::Cast(value, ty), span))
            }
            syn::Expr::Closure(it) => self.closure(it),
            syn::Expr::Const(it) => self.const_block(&it.block),
            syn::Expr::Continue(it) => self.continue_expr(it),
            syn::Expr::Field(it) => {
                let base = self.expr(&it.base)?;
                let (name, end) = match &it.member {
                    syn::Member::Named(ident) => (name_of(ident), ident.span()),
                    syn::Member::Unnamed(index) => (super::pat::member(&it.member), index.span),
                };
                let span = join(self.span_of(base), self.span(end));
                Ok(self.alloc(ExprKind::Field(base, name), span))
            }
            syn::Expr::ForLoop(it) => self.for_expr(it),
            syn::Expr::Group(it) => self.expr(&it.expr),
            syn::Expr::If(it) => self.if_expr(it),
            syn::Expr::Index(it) => {
                let base = self.expr(&it.expr)?;
                let index = self.expr(&it.index)?;
                let span = join(self.span_of(base), self.span(it.bracket_token.span.close()));
                Ok(self.alloc(ExprKind::Index(base, index), span))
            }
            syn::Expr::Let(it) => self.let_expr(it),
            syn::Expr::Lit(it) => self.literal(&it.lit),
            syn::Expr::Loop(it) => self.loop_expr(it),
            syn::Expr::Macro(it) => self.macro_expr(&it.mac),
            syn::Expr::Match(it) => self.match_expr(it),
            syn::Expr::MethodCall(it) => self.method_call(it),
            syn::Expr::Paren(it) => self.expr(&it.expr),
            syn::Expr::Path(it) => {
                if let Some(hole) = self.template_hole(&it.path) {
                    return Ok(hole);
                }
                let first = path_span(&it.path);
                let last = it.path.segments.last().map_or(first, |s| s.ident.span());
                let span = join(self.span(first), self.span(last));
                match self.value_path(it.qself.as_ref(), &it.path) {
                    Ok(path) => Ok(self.alloc(ExprKind::Path(path), span)),
                    Err(error) => self.unresolved(error, span),
                }
            }
            syn::Expr::Range(it) => self.range_expr(it),
            syn::Expr::RawAddr(it) => {
                let place = self.expr(&it.expr)?;
                let span = self.span(it.and_token.span);
                let mutable = matches!(it.mutability, syn::PointerMutability::Mut(_));
                Ok(self.alloc(ExprKind::AddrOf { mutable, raw: true, place }, span))
            }
            syn::Expr::Reference(it) => {
                let place = self.expr(&it.expr)?;
                let span = join(self.span(it.and_token.span), self.span_of(place));
                Ok(self.alloc(ExprKind::AddrOf { mutable: it.mutability.is_some(), raw: false, place }, span))
            }
            syn::Expr::Repeat(it) => {
                let value = self.expr(&it.expr)?;
                let len = self.cx.const_arg(&it.len)?;
                let span = self.span(it.bracket_token.span.join());
                Ok(self.alloc(ExprKind::Repeat(value, len), span))
            }
            syn::Expr::Return(it) => {
                let value = it.expr.as_ref().map(|e| self.expr(e)).transpose()?;
                let span = self.span(it.return_token.span);
                Ok(self.alloc(ExprKind::Return(value), span))
            }
            syn::Expr::Struct(it) => self.struct_expr(it),
            syn::Expr::Try(it) => {
                let value = self.expr(&it.expr)?;
                let span = join(self.span_of(value), self.span(it.question_token.span));
                Ok(self.alloc(ExprKind::Try(value), span))
            }
            syn::Expr::Tuple(it) => {
                let span = self.span(it.paren_token.span.join());
                let parts = self.exprs(&it.elems)?;
                Ok(self.alloc(ExprKind::Tuple(parts), span))
            }
            syn::Expr::Unary(it) => {
                let value = self.expr(&it.expr)?;
                let (op, token) = match it.op {
                    syn::UnOp::Deref(token) => (UnOp::Deref, token.span),
                    syn::UnOp::Not(token) => (UnOp::Not, token.span),
                    syn::UnOp::Neg(token) => (UnOp::Neg, token.span),
                    _ => return Ok(self.unsupported("an unknown operator", Span::unknown())),
                };
                let span = join(self.span(token), self.span_of(value));
                Ok(self.alloc(ExprKind::Unary(op, value), span))
            }
            syn::Expr::Unsafe(it) => self.block_value(&it.block),
            syn::Expr::While(it) => self.while_expr(it),
            syn::Expr::Async(it) => {
                let span = self.span(it.async_token.span);
                Ok(self.unsupported("`async` needs an executor, which there is not", span))
            }
            syn::Expr::Await(it) => {
                let span = self.span(it.await_token.span);
                Ok(self.unsupported("`await` needs an executor, which there is not", span))
            }
            syn::Expr::Infer(it) => {
                let span = self.span(it.underscore_token.span);
                Ok(self.unsupported("`_` is no value", span))
            }
            _ => Ok(self.unsupported("this expression is not stable Rust", Span::unknown())),
        }
    }

    /// The elements of a list, without those that `cfg` leaves out.
    pub(super) fn exprs<'a>(
        &mut self,
        exprs: impl IntoIterator<Item = &'a syn::Expr>,
    ) -> Resolved<Vec<ExprId>> {
        let cfg = self.program().cfg(self.program().node(self.cx.scope).krate);
        let is_on = |expr: &&syn::Expr| are_on(attributes(expr), &cfg);
        exprs.into_iter().filter(is_on).map(|expr| self.expr(expr)).collect()
    }

    /// A chain of operators is resolved iteratively: sums of a thousand terms are common in tables.
    fn binary(&mut self, binary: &syn::ExprBinary) -> Resolved<ExprId> {
        let mut chain = vec![binary];
        while let syn::Expr::Binary(left) = &*chain[chain.len() - 1].left {
            chain.push(left);
        }
        let mut value = self.expr(&chain[chain.len() - 1].left)?;
        for link in chain.into_iter().rev() {
            let right = self.expr(&link.right)?;
            let span = join(self.span_of(value), self.span_of(right));
            let kind = match operator(&link.op) {
                Some(Operator::Binary(op)) => ExprKind::Binary(op, value, right),
                Some(Operator::Assign(op)) => ExprKind::AssignOp(op, value, right),
                Some(Operator::And) => ExprKind::And(value, right),
                Some(Operator::Or) => ExprKind::Or(value, right),
                None => return Ok(self.unsupported("an unknown operator", span)),
            };
            value = self.alloc(kind, span);
        }
        Ok(value)
    }

    fn method_call(&mut self, it: &syn::ExprMethodCall) -> Resolved<ExprId> {
        let receiver = self.expr(&it.receiver)?;
        let generic_args = match &it.turbofish {
            Some(angles) => self.cx.angles(angles)?,
            None => Vec::new(),
        };
        let args = self.exprs(&it.args)?;
        let name_span = self.span(it.method.span());
        let span = join(self.span_of(receiver), self.span(it.paren_token.span.close()));
        let (name, traits) = (name_of(&it.method), self.traits());
        Ok(self.alloc(ExprKind::MethodCall { receiver, name, name_span, generic_args, args, traits }, span))
    }

    fn struct_expr(&mut self, it: &syn::ExprStruct) -> Resolved<ExprId> {
        let span = self.span(path_span(&it.path));
        let path = self.ctor_path(it.qself.as_ref(), &it.path)?;
        let cfg = self.program().cfg(self.program().node(self.cx.scope).krate);
        let mut fields = Vec::new();
        for field in it.fields.iter().filter(|field| are_on(&field.attrs, &cfg)) {
            fields.push((super::pat::member(&field.member), self.expr(&field.expr)?));
        }
        let base = it.rest.as_ref().map(|e| self.expr(e)).transpose()?;
        Ok(self.alloc(ExprKind::Struct { path, fields, base }, span))
    }
}

enum Operator {
    Binary(BinOp),
    Assign(BinOp),
    And,
    Or,
}

fn operator(op: &syn::BinOp) -> Option<Operator> {
    use Operator::{Assign, Binary};
    Some(match op {
        syn::BinOp::Add(_) => Binary(BinOp::Add),
        syn::BinOp::Sub(_) => Binary(BinOp::Sub),
        syn::BinOp::Mul(_) => Binary(BinOp::Mul),
        syn::BinOp::Div(_) => Binary(BinOp::Div),
        syn::BinOp::Rem(_) => Binary(BinOp::Rem),
        syn::BinOp::And(_) => Operator::And,
        syn::BinOp::Or(_) => Operator::Or,
        syn::BinOp::BitXor(_) => Binary(BinOp::BitXor),
        syn::BinOp::BitAnd(_) => Binary(BinOp::BitAnd),
        syn::BinOp::BitOr(_) => Binary(BinOp::BitOr),
        syn::BinOp::Shl(_) => Binary(BinOp::Shl),
        syn::BinOp::Shr(_) => Binary(BinOp::Shr),
        syn::BinOp::Eq(_) => Binary(BinOp::Eq),
        syn::BinOp::Lt(_) => Binary(BinOp::Lt),
        syn::BinOp::Le(_) => Binary(BinOp::Le),
        syn::BinOp::Ne(_) => Binary(BinOp::Ne),
        syn::BinOp::Ge(_) => Binary(BinOp::Ge),
        syn::BinOp::Gt(_) => Binary(BinOp::Gt),
        syn::BinOp::AddAssign(_) => Assign(BinOp::Add),
        syn::BinOp::SubAssign(_) => Assign(BinOp::Sub),
        syn::BinOp::MulAssign(_) => Assign(BinOp::Mul),
        syn::BinOp::DivAssign(_) => Assign(BinOp::Div),
        syn::BinOp::RemAssign(_) => Assign(BinOp::Rem),
        syn::BinOp::BitXorAssign(_) => Assign(BinOp::BitXor),
        syn::BinOp::BitAndAssign(_) => Assign(BinOp::BitAnd),
        syn::BinOp::BitOrAssign(_) => Assign(BinOp::BitOr),
        syn::BinOp::ShlAssign(_) => Assign(BinOp::Shl),
        syn::BinOp::ShrAssign(_) => Assign(BinOp::Shr),
        _ => return None,
    })
}

/// The attributes of an expression.
pub(super) fn attributes(expr: &syn::Expr) -> &[syn::Attribute] {
    match expr {
        syn::Expr::Array(it) => &it.attrs,
        syn::Expr::Assign(it) => &it.attrs,
        syn::Expr::Async(it) => &it.attrs,
        syn::Expr::Await(it) => &it.attrs,
        syn::Expr::Binary(it) => &it.attrs,
        syn::Expr::Block(it) => &it.attrs,
        syn::Expr::Break(it) => &it.attrs,
        syn::Expr::Call(it) => &it.attrs,
        syn::Expr::Cast(it) => &it.attrs,
        syn::Expr::Closure(it) => &it.attrs,
        syn::Expr::Const(it) => &it.attrs,
        syn::Expr::Continue(it) => &it.attrs,
        syn::Expr::Field(it) => &it.attrs,
        syn::Expr::ForLoop(it) => &it.attrs,
        syn::Expr::Group(it) => &it.attrs,
        syn::Expr::If(it) => &it.attrs,
        syn::Expr::Index(it) => &it.attrs,
        syn::Expr::Infer(it) => &it.attrs,
        syn::Expr::Let(it) => &it.attrs,
        syn::Expr::Lit(it) => &it.attrs,
        syn::Expr::Loop(it) => &it.attrs,
        syn::Expr::Macro(it) => &it.attrs,
        syn::Expr::Match(it) => &it.attrs,
        syn::Expr::MethodCall(it) => &it.attrs,
        syn::Expr::Paren(it) => &it.attrs,
        syn::Expr::Path(it) => &it.attrs,
        syn::Expr::Range(it) => &it.attrs,
        syn::Expr::RawAddr(it) => &it.attrs,
        syn::Expr::Reference(it) => &it.attrs,
        syn::Expr::Repeat(it) => &it.attrs,
        syn::Expr::Return(it) => &it.attrs,
        syn::Expr::Struct(it) => &it.attrs,
        syn::Expr::Try(it) => &it.attrs,
        syn::Expr::TryBlock(it) => &it.attrs,
        syn::Expr::Tuple(it) => &it.attrs,
        syn::Expr::Unary(it) => &it.attrs,
        syn::Expr::Unsafe(it) => &it.attrs,
        syn::Expr::While(it) => &it.attrs,
        syn::Expr::Yield(it) => &it.attrs,
        _ => &[],
    }
}
