//! Destructuring assignment: `(a, b) = (b, a)`.

use super::BodyCx;
use crate::hir::*;
use crate::resolve::types::{Resolved, path_span};

impl BodyCx<'_> {
    /// `left = right`
    pub(super) fn assign(&mut self, assign: &syn::ExprAssign) -> Resolved<ExprId> {
        let span = self.span(assign.eq_token.span);
        if !destructures(&assign.left) {
            let place = self.expr(&assign.left)?;
            let value = self.expr(&assign.right)?;
            let span = self.span_of(place);
            return Ok(self.alloc(ExprKind::Assign(place, value), span));
        }
        let init = self.expr(&assign.right)?;
        self.block_expr(span, |body, out| {
            let mut places = Vec::new();
            let pat = body.assigned(&assign.left, &mut places)?;
            let ty = Type { kind: TypeKind::Infer, span };
            out.stmts.push(Stmt::Let { pat, ty, init: Some(init), otherwise: None });
            for (place, local) in places {
                let value = body.local_expr(local, span);
                let place = body.expr(place)?;
                let assign = body.alloc(ExprKind::Assign(place, value), span);
                out.stmts.push(Stmt::Expr(assign));
            }
            Ok(())
        })
    }

    fn assigned<'e>(
        &mut self,
        left: &'e syn::Expr,
        places: &mut Vec<(&'e syn::Expr, LocalId)>,
    ) -> Resolved<PatId> {
        let span = self.span(assign_span(left));
        let kind = match left {
            syn::Expr::Infer(_) => PatKind::Wild,
            syn::Expr::Paren(paren) => return self.assigned(&paren.expr, places),
            syn::Expr::Group(group) => return self.assigned(&group.expr, places),
            syn::Expr::Tuple(tuple) => {
                let (parts, rest) = self.assigned_parts(&tuple.elems, places)?;
                PatKind::Tuple(parts, rest)
            }
            syn::Expr::Array(array) => {
                let (mut parts, rest) = self.assigned_parts(&array.elems, places)?;
                match rest {
                    Some(at) => {
                        let after = parts.split_off(at);
                        let rest = Some(self.alloc_pat(PatKind::Wild, span));
                        PatKind::Slice { before: parts, rest, after }
                    }
                    None => PatKind::Slice { before: parts, rest: None, after: Vec::new() },
                }
            }
            syn::Expr::Call(call) if matches!(&*call.func, syn::Expr::Path(_)) => {
                let syn::Expr::Path(path) = &*call.func else { return self.assigned_place(left, places) };
                let ctor = self.tuple_ctor(path.qself.as_ref(), &path.path)?;
                let (parts, rest) = self.assigned_parts(&call.args, places)?;
                PatKind::TupleStruct(ctor, parts, rest)
            }
            syn::Expr::Struct(of) => {
                let ctor = self.ctor_path(of.qself.as_ref(), &of.path)?;
                let mut fields = Vec::new();
                for field in &of.fields {
                    fields.push((super::pat::member(&field.member), self.assigned(&field.expr, places)?));
                }
                PatKind::Struct(ctor, fields)
            }
            _ => return self.assigned_place(left, places),
        };
        Ok(self.alloc_pat(kind, span))
    }

    fn assigned_place<'e>(
        &mut self,
        left: &'e syn::Expr,
        places: &mut Vec<(&'e syn::Expr, LocalId)>,
    ) -> Resolved<PatId> {
        let span = self.span(assign_span(left));
        let local = self.fresh_local("assigned", false, span);
        places.push((left, local));
        Ok(self.alloc_pat(PatKind::Bind { local, by_ref: None, sub: None }, span))
    }

    fn assigned_parts<'e>(
        &mut self,
        elems: impl IntoIterator<Item = &'e syn::Expr>,
        places: &mut Vec<(&'e syn::Expr, LocalId)>,
    ) -> Resolved<(Vec<PatId>, Option<usize>)> {
        let (mut parts, mut rest) = (Vec::new(), None);
        for elem in elems {
            if is_rest(elem) {
                rest = Some(parts.len());
            } else {
                parts.push(self.assigned(elem, places)?);
            }
        }
        Ok((parts, rest))
    }
}

fn is_rest(expr: &syn::Expr) -> bool {
    matches!(expr, syn::Expr::Range(range) if range.start.is_none() && range.end.is_none())
}

fn destructures(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Tuple(_) | syn::Expr::Array(_) | syn::Expr::Struct(_) | syn::Expr::Infer(_) => true,
        syn::Expr::Call(call) => matches!(&*call.func, syn::Expr::Path(_)),
        syn::Expr::Paren(paren) => destructures(&paren.expr),
        syn::Expr::Group(group) => destructures(&group.expr),
        _ => false,
    }
}

fn assign_span(expr: &syn::Expr) -> proc_macro2::Span {
    match expr {
        syn::Expr::Tuple(tuple) => tuple.paren_token.span.open(),
        syn::Expr::Array(array) => array.bracket_token.span.open(),
        syn::Expr::Path(path) => path_span(&path.path),
        syn::Expr::Index(index) => assign_span(&index.expr),
        syn::Expr::Field(field) => assign_span(&field.base),
        syn::Expr::Unary(unary) => assign_span(&unary.expr),
        syn::Expr::Paren(paren) => paren.paren_token.span.open(),
        syn::Expr::Call(call) => assign_span(&call.func),
        syn::Expr::Struct(of) => path_span(&of.path),
        syn::Expr::Infer(infer) => infer.underscore_token.span,
        _ => proc_macro2::Span::call_site(),
    }
}
