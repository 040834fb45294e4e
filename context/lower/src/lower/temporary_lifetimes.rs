//! Temporary lifetime extension: temporaries of `let x = &f();` live as long as the variable that refers to them.

use super::cx::FnCx;
use super::error::Lowered;
use crate::hir::{ExprId, ExprKind, PatId, PatKind};
use crate::infer;

/// The temporaries that the initializer of a `let` extends, in the order of evaluation.
#[derive(Default)]
struct Extended {
    temporaries: Vec<ExprId>,
    /// Whether some are created on some paths only: in a branch of `if` or an arm of `match`.
    some_are_conditional: bool,
}

impl FnCx<'_> {
    /// Extends the lifetimes of the temporaries that a `let` refers to, as the reference lists them
    /// (<https://doc.rust-lang.org/reference/destructors.html#temporary-lifetime-extension>).
    pub(super) fn extend_temporaries(&mut self, pat: PatId, init: ExprId) -> Lowered<()> {
        let mut extended = Extended::default();
        if self.refers(pat) {
            self.extend_place(init, &mut extended);
        }
        self.extend_value(init, &mut extended);
        for id in extended.temporaries {
            self.extend_temporary(id, extended.some_are_conditional)?;
        }
        Ok(())
    }

    fn refers(&self, pat: PatId) -> bool {
        let kind = &self.body.pats[pat.index()].kind;
        match kind {
            PatKind::Bind { by_ref: Some(_), .. } => true,
            // What a reference in the pattern points to is not in a temporary of its own.
            PatKind::Ref(_) => false,
            _ => kind.parts().into_iter().any(|part| self.refers(part)),
        }
    }

    fn extend_place(&self, id: ExprId, extended: &mut Extended) {
        match self.expr(id).kind {
            ExprKind::Field(base, _) | ExprKind::Index(base, _) => self.extend_place(base, extended),
            _ => {}
        }
        extended.temporaries.push(id);
    }

    fn extend_value(&self, id: ExprId, extended: &mut Extended) {
        let mut each =
            |ids: &mut dyn Iterator<Item = ExprId>| ids.for_each(|id| self.extend_value(id, extended));
        match &self.body.exprs[id.index()].kind {
            ExprKind::AddrOf { place, .. } => {
                self.extend_value(*place, extended);
                self.extend_place(*place, extended);
            }
            ExprKind::Tuple(elems) | ExprKind::Array(elems) => each(&mut elems.iter().copied()),
            ExprKind::Call(callee, args)
                if matches!(self.typed.callees.get(callee), Some(infer::Callee::Ctor(_))) =>
            {
                each(&mut args.iter().copied());
            }
            ExprKind::Struct { fields, .. } => each(&mut fields.iter().map(|&(_, value)| value)),
            ExprKind::Cast(inner, _) => self.extend_value(*inner, extended),
            ExprKind::Block(block) => each(&mut block.tail.iter().copied()),
            ExprKind::If(_, then, Some(otherwise)) => {
                self.extend_branches(&[*then, *otherwise], extended);
            }
            ExprKind::Match(_, arms) => {
                let arms: Vec<ExprId> = arms.iter().map(|arm| arm.body).collect();
                self.extend_branches(&arms, extended);
            }
            _ => {}
        }
    }

    fn extend_branches(&self, branches: &[ExprId], extended: &mut Extended) {
        let before = extended.temporaries.len();
        branches.iter().for_each(|&branch| self.extend_value(branch, extended));
        let is_dropped = |&id: &ExprId| self.tracks(self.adjusted(id));
        extended.some_are_conditional |= extended.temporaries[before..].iter().any(is_dropped);
    }
}
