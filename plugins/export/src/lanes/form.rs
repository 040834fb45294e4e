//! Whether lanes work on elements from the start to the end together, or get others in the middle (LANEFN5).

use super::build::Builder;
use super::exits::{declared, early_returns, mentioned};
use super::{Form, Lane, Refilled};
use crate::ast::{Expr, LoopKind, StmtKind};
use crate::error::ExportError;

impl Builder<'_> {
    pub(super) fn form(&mut self) -> Result<Form, ExportError> {
        let body = &self.function.body;
        let returns = early_returns(body);
        let at = body.iter().position(|stmt| match &stmt.kind {
            StmtKind::Loop { kind: LoopKind::For { from, to, .. }, .. } => !self.has_uniform_range(from, to),
            StmtKind::Loop { label, kind, body } => !self.is_uniform_while(*label, kind, body),
            _ => false,
        });
        if at.is_some() {
            // Lanes that get elements run what others ran before.
            self.find_uniform(false);
        }
        let at = at.filter(|at| match &body[*at].kind {
            StmtKind::Loop { kind: LoopKind::For { from, to, .. }, .. } => !self.has_uniform_range(from, to),
            _ => true,
        });
        let Some(at) = at else {
            let mask = returns.then(|| self.new_mask("lives"));
            if let Some(mask) = mask {
                self.put(Lane::Copy { mask, from: None });
            }
            self.enter(None, mask);
            self.begin();
            self.list(body)?;
            return Ok(Form::Chunks(self.taken()));
        };
        let (before, looped, after) = (&body[..at], &body[at], &body[at + 1..]);
        let lives = returns.then(|| self.new_mask("lives"));
        let [starts, runs, ends] = ["starts", "runs", "ends"].map(|name| self.new_mask(name));
        self.enter(None, lives);
        self.enter(None, Some(starts));
        // Those that the loop needs must stay as they are in lanes that are in it already.
        for local in declared(before).intersection(&mentioned(&body[at..])) {
            self.declared.insert(*local, 1);
        }
        self.begin();
        self.list(before)?;
        let StmtKind::Loop { label, kind, body } = &looped.kind else { unreachable!("it is a loop") };
        self.span = looped.span;
        let range = self.range(kind)?;
        self.leave_scope();
        let before = self.taken();
        let looped = self.looped((*label, kind, body), range, Some(runs))?;
        self.enter(None, Some(ends));
        self.list(after)?;
        let after = self.taken();
        Ok(Form::Refilled(Box::new(Refilled { before, looped, after, starts, runs, ends, lives })))
    }

    /// The first values of parameters that change.
    fn begin(&mut self) {
        for (param, first) in std::mem::take(&mut self.changed) {
            self.declared.insert(param, 0);
            self.set(param, Expr::Local(first), self.function.span);
        }
    }
}
