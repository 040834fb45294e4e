//! Literals.

use overdub_context::{Span, Symbol};

use super::BodyCx;
use crate::error::Cause;
use crate::hir::*;
use crate::resolve::types::Resolved;
use crate::source::hygiene::unmarked;

impl BodyCx<'_> {
    /// A literal; a float is expanded through the function's template, if it has one.
    pub(super) fn literal(&mut self, lit: &syn::Lit) -> Resolved<ExprId> {
        let span = self.span(lit.span());
        let (value, negative) = self.lit(lit, span)?;
        let id = match (&value, self.float_template.clone()) {
            (Lit::Float(..), Some(template)) if self.float_hole.is_none() => {
                self.float_hole = Some((value, span));
                let outer = std::mem::replace(&mut self.cx.origin, template.1.clone());
                let expanded = self.expr(&template.0);
                self.cx.origin = outer;
                self.float_hole = None;
                let expanded = expanded?;
                self.exprs[expanded.index()].span = span;
                expanded
            }
            _ => self.alloc(ExprKind::Lit(value), span),
        };
        Ok(if negative { self.alloc(ExprKind::Unary(UnOp::Neg, id), span) } else { id })
    }

    /// The value of a literal, and whether it is negated.
    fn lit(&self, lit: &syn::Lit, span: Span) -> Resolved<(Lit, bool)> {
        let not_negated = |lit| Ok((lit, false));
        match lit {
            syn::Lit::Int(int) => {
                let suffix = self.suffix(int.suffix(), span)?;
                let digits = int.base10_digits();
                let (digits, negative) = digits.strip_prefix('-').map_or((digits, false), |d| (d, true));
                match digits.parse::<u128>() {
                    Ok(value) => Ok((Lit::Int(value, suffix), negative)),
                    Err(_) => {
                        self.cx.fault(span, Cause::Syntax(format!("`{digits}` is too large for any integer")))
                    }
                }
            }
            syn::Lit::Float(float) => {
                let suffix = self.suffix(float.suffix(), span)?;
                let digits = float.base10_digits();
                let (digits, negative) = digits.strip_prefix('-').map_or((digits, false), |d| (d, true));
                Ok((Lit::Float(Symbol::new(digits), suffix), negative))
            }
            syn::Lit::Bool(truth) => not_negated(Lit::Bool(truth.value)),
            syn::Lit::Char(c) => not_negated(Lit::Char(c.value())),
            syn::Lit::Str(text) => not_negated(Lit::Str(Symbol::new(&text.value()))),
            syn::Lit::Byte(byte) => not_negated(Lit::Byte(byte.value())),
            syn::Lit::ByteStr(bytes) => not_negated(Lit::ByteStr(bytes.value().into())),
            _ => {
                self.cx.fault(span, Cause::Unsupported("this kind of literal has no meaning here".to_owned()))
            }
        }
    }

    fn suffix(&self, suffix: &str, span: Span) -> Resolved<Option<Prim>> {
        let suffix = unmarked(suffix);
        if suffix.is_empty() {
            return Ok(None);
        }
        match Prim::named(&suffix) {
            Some(prim) => Ok(Some(prim)),
            None => self.cx.fault(span, Cause::Syntax(format!("unknown suffix `{suffix}`"))),
        }
    }

    /// The literal being expanded, if the path is the placeholder `literal` of the template.
    pub(super) fn template_hole(&mut self, path: &syn::Path) -> Option<ExprId> {
        if self.float_hole.is_none() || path.get_ident().is_none_or(|i| i != "literal") {
            return None;
        }
        let (lit, span) = self.float_hole.clone()?;
        Some(self.alloc(ExprKind::Lit(lit), span))
    }
}
