//! Loops of one element, for all lanes under masks.

use overdub_context::Span;
use overdub_context::ir::Ty;
use overdub_context::ops;

use super::build::Builder;
use super::exits::exits;
use super::exprs::{apply, not, number_of};
use super::kinds::is_simple;
use super::{Lane, Step, refused};
use crate::ast::{Expr, Label, Local, LoopKind, Stmt, StmtKind};
use crate::error::ExportError;

type Done = Result<(), ExportError>;

/// The counter of a loop, the number of its next round and the one after its last round.
pub(super) struct Range {
    counter: Local,
    next: Local,
    end: Local,
    is_reversed: bool,
    ty: Ty,
}

impl Builder<'_> {
    /// Which labels a loop's statements leave, beside its own, and whether they return.
    pub(super) fn leaves(&self, label: Label, body: &[Stmt]) -> (bool, bool) {
        let found = exits(body);
        let is_left = found.breaks.contains(&label) || found.returns || found.leaves_beyond(label, body);
        (is_left, found.continues.contains(&label))
    }

    /// A loop with the same numbers for all lanes.
    pub(super) fn counted(
        &mut self,
        label: Label,
        (counter, from, to, is_reversed): (Local, &Expr, &Expr, bool),
        body: &[Stmt],
        span: Span,
    ) -> Done {
        let (from, to) = (self.expr(from)?, self.expr(to)?);
        let (is_left, continues) = self.leaves(label, body);
        let runs = is_left.then(|| self.copied("runs"));
        self.flush();
        let outer = std::mem::take(&mut self.steps);
        self.enter(Some(label), runs);
        if let Some(runs) = runs {
            self.leave_unless_any(runs, false);
        }
        let round = continues.then(|| self.copied("on"));
        self.enter(None, round);
        self.list(body)?;
        self.leave_scope();
        self.leave_scope();
        let body = self.taken();
        self.steps = outer;
        self.steps.push(Step::For { counter, from, to, is_reversed, body, span });
        Ok(())
    }

    /// A loop while a condition holds that is the same for all lanes.
    pub(super) fn repeated(&mut self, label: Label, cond: &Expr, body: &[Stmt], span: Span) -> Done {
        let cond = self.expr(cond)?;
        self.flush();
        let outer = std::mem::take(&mut self.steps);
        self.enter(Some(label), None);
        self.list(body)?;
        self.leave_scope();
        let body = self.taken();
        self.steps = outer;
        self.steps.push(Step::While { cond, body, span });
        Ok(())
    }

    /// Leaves the loop if no lane runs, or few do.
    fn leave_unless_any(&mut self, mask: Local, or_few: bool) {
        let count = self.new_count();
        self.put(Lane::Count { count, mask });
        self.flush();
        self.steps.push(Step::LeaveUnless { count, or_few });
    }

    /// The numbers of a loop, which differ from lane to lane.
    pub(super) fn range(&mut self, kind: &LoopKind) -> Result<Option<Range>, ExportError> {
        let LoopKind::For { counter, from, to, is_reversed } = kind else { return Ok(None) };
        let span = self.span;
        let ty = self.locals[counter.0 as usize].ty;
        let (first, last) = if *is_reversed { (to, from) } else { (from, to) };
        let (first, last) = (self.expr(first)?, self.expr(last)?);
        let [next, end] = ["next", "end"].map(|name| self.new_local(ty, Some(name)));
        for (local, value) in [(next, first), (end, last)] {
            // Other lanes are in the loop already, if it takes lanes while it runs.
            self.declared.insert(local, 1);
            self.set(local, value, span);
        }
        Ok(Some(Range { counter: *counter, next, end, is_reversed: *is_reversed, ty }))
    }

    /// A loop until no lane runs, or few if the mask of those that run is `given`.
    pub(super) fn looped(
        &mut self,
        (label, kind, body): (Label, &LoopKind, &[Stmt]),
        range: Option<Range>,
        given: Option<Local>,
    ) -> Result<Vec<Step>, ExportError> {
        let span = self.span;
        let runs = given.unwrap_or_else(|| self.copied("runs"));
        self.flush();
        let outer = std::mem::take(&mut self.steps);
        self.enter(Some(label), Some(runs));
        let cond = match (kind, &range) {
            (LoopKind::While(cond), _) => Some(self.expr(cond)?),
            (_, Some(Range { next, end, is_reversed, ty, .. })) => {
                let test = if *is_reversed { &ops::GT } else { &ops::LT };
                let of = vec![(Expr::Local(*next), *ty), (Expr::Local(*end), *ty)];
                Some(apply(test, Ty::bool(), of, span))
            }
            _ => None,
        };
        // What follows and leaves the loop is a part of the condition, unless it may read the counter, which has no value yet.
        let guards = if range.is_some() { 0 } else { guards(label, body) };
        let (guarded, body) = body.split_at(guards);
        let mut cond = cond;
        for stmt in guarded {
            self.span = stmt.span;
            match &stmt.kind {
                StmtKind::If { cond: leaves, .. } => {
                    let leaves = self.expr(leaves)?;
                    let stays = not(leaves, stmt.span);
                    cond = Some(match cond {
                        Some(first) => {
                            let both = vec![(first, Ty::bool()), (stays, Ty::bool())];
                            apply(&ops::AND, Ty::bool(), both, stmt.span)
                        }
                        None => stays,
                    });
                }
                _ => self.stmt(stmt)?,
            }
        }
        let mut left_by = None;
        match cond {
            Some(cond) => {
                let mask = self.new_mask("on");
                self.put(Lane::Mask { mask, cond, is_not: false, runs: Some(runs), span });
                self.leave_unless_any(mask, given.is_some());
                self.put(Lane::Copy { mask: runs, from: Some(mask) });
                left_by = Some(mask);
            }
            None => self.leave_unless_any(runs, given.is_some()),
        }
        if let Some(Range { counter, next, is_reversed, ty, .. }) = range {
            let one = number_of(ty, 1).ok_or_else(|| refused(self.function, "it counts no numbers", span))?;
            self.declared.insert(counter, self.scopes.len());
            let step = if is_reversed { &ops::SUB_WRAPPING } else { &ops::ADD_WRAPPING };
            let stepped = apply(step, ty, vec![(Expr::Local(next), ty), (one, ty)], span);
            if is_reversed {
                self.set(next, stepped, span);
                self.set(counter, Expr::Local(next), span);
            } else {
                self.set(counter, Expr::Local(next), span);
                self.set(next, stepped, span);
            }
        }
        let (_, continues) = self.leaves(label, body);
        let round = continues.then(|| self.copied("on"));
        self.enter(None, round);
        self.list(body)?;
        self.leave_scope();
        self.leave_scope();
        let body = self.taken();
        self.steps = outer;
        // Some that left the loop with the others may have stayed in it.
        let stay =
            left_by.filter(|_| given.is_some()).map(|from| Lane::Copy { mask: runs, from: Some(from) });
        Ok([Step::Loop(body)].into_iter().chain(stay.map(|lane| Step::Lanes(vec![lane]))).collect())
    }
}

/// How many statements at the beginning of a loop compute whether it is left, and do nothing else.
fn guards(label: Label, body: &[Stmt]) -> usize {
    let mut count = 0;
    for (at, stmt) in body.iter().enumerate() {
        match &stmt.kind {
            StmtKind::Assign { targets, splits: false, value, declares: true }
                if targets.len() == 1 && is_simple(&value.expr) => {}
            StmtKind::If { cond, then, otherwise } if is_simple(cond) && otherwise.is_empty() => {
                match &then[..] {
                    [Stmt { kind: StmtKind::Break(target), .. }] if *target == label => count = at + 1,
                    _ => break,
                }
            }
            _ => break,
        }
    }
    count
}
