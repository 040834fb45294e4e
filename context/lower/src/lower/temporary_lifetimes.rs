//! Lifetime extension: the temporaries of `let x = &f();` live as long as the variable that refers to them.

use super::cx::FnCx;
use crate::hir::{ExprId, ExprKind, PatId, PatKind};
use crate::infer;

impl FnCx<'_> {
    /// Extends the lifetimes of the temporaries that a `let` refers to to those of its variables.
    pub(super) fn extend_temporaries(&mut self, pat: PatId, init: ExprId) {
        if self.refers(pat) {
            self.extend_place(init);
        }
        self.extend_value(init);
    }

    fn refers(&self, pat: PatId) -> bool {
        match &self.body.pats[pat.index()].kind {
            PatKind::Bind { by_ref, sub, .. } => by_ref.is_some() || sub.is_some_and(|sub| self.refers(sub)),
            PatKind::TupleStruct(_, subs, _) | PatKind::Tuple(subs, _) | PatKind::Or(subs) => {
                subs.iter().any(|&sub| self.refers(sub))
            }
            PatKind::Struct(_, fields) => fields.iter().any(|&(_, sub)| self.refers(sub)),
            PatKind::Slice { before, rest, after } => {
                before.iter().chain(rest).chain(after).any(|&sub| self.refers(sub))
            }
            _ => false,
        }
    }

    fn extend_place(&mut self, id: ExprId) {
        self.extend_temporary(id);
        match self.expr(id).kind {
            ExprKind::Field(base, _) | ExprKind::Index(base, _) => self.extend_place(base),
            _ => {}
        }
    }

    fn extend_value(&mut self, id: ExprId) {
        let body = self.body.clone();
        match &body.exprs[id.index()].kind {
            ExprKind::AddrOf { place, .. } => {
                self.extend_place(*place);
                self.extend_value(*place);
            }
            ExprKind::Tuple(elems) | ExprKind::Array(elems) => {
                elems.iter().for_each(|&elem| self.extend_value(elem));
            }
            ExprKind::Call(callee, args)
                if matches!(self.typed.callees.get(callee), Some(infer::Callee::Ctor(_))) =>
            {
                args.iter().for_each(|&arg| self.extend_value(arg));
            }
            ExprKind::Struct { fields, .. } => fields.iter().for_each(|&(_, value)| self.extend_value(value)),
            ExprKind::Cast(inner, _) => self.extend_value(*inner),
            ExprKind::Block(block) => block.tail.iter().for_each(|&tail| self.extend_value(tail)),
            _ => {}
        }
    }
}
