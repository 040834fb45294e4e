//! Calls that return what their argument refers to, such as `v.as_slice()`: places, as `&v[..]` is one.
//!
//! A raw pointer made from the result then points into the argument's place, and what is written there later is read
//! through it.

use super::cx::FnCx;
use super::error::Lowered;
use super::place::Place;
use crate::hir::{ExprId, ExprKind, Operation};
use crate::infer::{self, Callee, TyKind};

impl FnCx<'_> {
    /// The place that such a call returns, or `None` if the expression is something else; then nothing was lowered.
    pub(super) fn same_place(&mut self, id: ExprId, ty: infer::Ty) -> Lowered<Option<Place>> {
        let arg = match &self.expr(id).kind {
            ExprKind::MethodCall { receiver, args, .. } if args.is_empty() => *receiver,
            ExprKind::Call(_, args) if args.len() == 1 => args[0],
            _ => return Ok(None),
        };
        let Some(Callee::Fn(instance)) = self.typed.callees.get(&id) else { return Ok(None) };
        let is_identity = self.lowering.program.head(instance.def()).op == Some(Operation::Identity);
        let from = self.adjusted(arg);
        if !is_identity || !matches!((from.kind(), ty.kind()), (TyKind::Ref(_), TyKind::Ref(_))) {
            return Ok(None);
        }
        if self.is_counted(from.peel_refs()) || self.lowering.ty(from)? != self.lowering.ty(ty)? {
            return Ok(None);
        }
        Ok(Some(self.place(arg)?.with_ty(ty)))
    }
}
