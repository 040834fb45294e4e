//! Statements of one element, for all lanes under masks.

use overdub_context::Span;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;

use super::build::Builder;
use super::composites::scalars;
use super::exits::exits;
use super::exprs::{apply, number_of};
use super::kinds::is_simple;
use super::{Lane, Step, is_scalar, refused};
use crate::ast::{Arm, Callee, Expr, Label, Local, LoopKind, Stmt, StmtKind};
use crate::error::ExportError;

type Done = Result<(), ExportError>;

impl Builder<'_> {
    pub(super) fn stmt(&mut self, stmt: &Stmt) -> Done {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Declare(local) => self.declare(*local),
            StmtKind::Assign { targets, splits, value, declares } => {
                if *declares {
                    targets.iter().flatten().try_for_each(|local| self.declare(*local))?;
                }
                match (&targets[..], splits) {
                    ([Some(target)], false) => self.assign(*target, &value.expr, *declares, span),
                    ([None], false) => self.expr(&value.expr).map(|_| ()),
                    _ => self.split(targets, &value.expr, span),
                }
            }
            StmtKind::Effect(expr) => {
                let is_count =
                    matches!(expr, Expr::Apply(apply) if apply.callee == Callee::Op(&ops::STEPS_ADD));
                if is_count { Ok(()) } else { self.expr(expr).map(|_| ()) }
            }
            StmtKind::Update { local, apply, part, .. }
                if matches!(self.locals[local.0 as usize].ty.kind(), TyKind::Stack(_)) =>
            {
                self.update_tape(*local, apply, *part, span)
            }
            StmtKind::Drop(local) | StmtKind::Clear(local)
                if matches!(self.locals[local.0 as usize].ty.kind(), TyKind::Stack(_)) =>
            {
                Ok(())
            }
            StmtKind::If { cond, then, otherwise } => self.branch(cond, then, otherwise, span),
            StmtKind::Switch { on, ty, arms, otherwise } => {
                self.switch(on, *ty, arms, otherwise.as_deref(), span)
            }
            StmtKind::Loop { label, kind, body } => {
                if let LoopKind::For { counter, from, to, is_reversed } = kind
                    && !self.arrays.contains(counter)
                {
                    return self.counted(*label, (*counter, from, to, *is_reversed), body, span);
                }
                if let (LoopKind::While(cond), true) = (kind, self.is_uniform_while(*label, kind, body)) {
                    return self.repeated(*label, cond, body, span);
                }
                let range = self.range(kind)?;
                let steps = self.looped((*label, kind, body), range, None)?;
                self.steps.extend(steps);
                Ok(())
            }
            StmtKind::Block { label, body } => {
                let is_left = exits(body).breaks.contains(label);
                let mask = is_left.then(|| self.copied("on"));
                self.enter(Some(*label), mask);
                self.list(body)?;
                self.leave_scope();
                Ok(())
            }
            StmtKind::Break(label) => {
                let target = self.scope_of(*label);
                self.leave(target);
                Ok(())
            }
            StmtKind::Continue(label) => {
                let target = self.scope_of(*label) + 1;
                self.leave(target);
                Ok(())
            }
            StmtKind::Return(value) => {
                let parts = self.scalars_of(&value.expr)?;
                self.set_all(self.results.clone(), parts, span);
                self.leave(0);
                Ok(())
            }
            StmtKind::Fail(_) => {
                self.fail_if(None);
                Ok(())
            }
            _ => Err(refused(self.function, "it changes a list or text in place", span)),
        }
    }

    fn declare(&mut self, local: Local) -> Done {
        let info = &self.locals[local.0 as usize];
        let is_shared = info.is_ref && !self.arrays.contains(&local);
        let is_tape = matches!(info.ty.kind(), TyKind::Stack(_));
        if scalars(info.ty).is_none() && !is_shared && !is_tape {
            let construct = format!("it has values of type `{}`", info.ty);
            return Err(refused(self.function, construct, self.span));
        }
        let depth = self.scopes.len();
        self.declared.entry(local).or_insert(depth);
        Ok(())
    }

    fn assign(&mut self, target: Local, value: &Expr, declares: bool, span: Span) -> Done {
        let info = self.locals[target.0 as usize].clone();
        if matches!(value, Expr::Apply(apply) if apply.callee == Callee::Op(&ops::STACK_NEW)) {
            return self.new_tape(target, span);
        }
        if !is_scalar(info.ty) {
            let values = self.scalars_of(value)?;
            let Some(parts) = self.parts_of(target) else {
                let construct = format!("it has values of type `{}`", info.ty);
                return Err(refused(self.function, construct, span));
            };
            self.set_all(parts, values, span);
            return Ok(());
        }
        let value = self.expr(value)?;
        if self.arrays.contains(&target) {
            self.set(target, value, span);
        } else if declares {
            self.steps.push(Step::Let(target, value, span));
        } else {
            self.set_uniform(target, value, span);
        }
        Ok(())
    }

    /// Gives a local a value in the lanes that run.
    pub(super) fn set(&mut self, local: Local, value: Expr, span: Span) {
        let depth = self.declared.get(&local).copied().unwrap_or(0);
        let masked = self.scopes.iter().rposition(|scope| scope.mask.is_some());
        match (masked, self.mask()) {
            (Some(at), Some(runs)) if at >= depth => self.put(Lane::Blend { local, value, runs, span }),
            _ => self.put(Lane::Set { local, value, span }),
        }
    }

    /// The parts of a tuple, each to another local.
    fn split(&mut self, targets: &[Option<Local>], value: &Expr, span: Span) -> Done {
        let values = self.scalars_of(value)?;
        let tys = self.ty(value).parts(0).unwrap_or_default();
        let mut at = 0;
        let (mut locals, mut kept) = (Vec::new(), Vec::new());
        for (target, ty) in targets.iter().zip(tys) {
            let count = scalars(ty).map_or(0, |scalars| scalars.len());
            if let Some(target) = target {
                let parts = if is_scalar(ty) { Some(vec![*target]) } else { self.parts_of(*target) };
                locals.extend(parts.unwrap_or_default());
                kept.extend_from_slice(&values[at..at + count]);
            }
            at += count;
        }
        self.set_all(locals, kept, span);
        Ok(())
    }

    /// A mask of the lanes that run.
    pub(super) fn copied(&mut self, name: &str) -> Local {
        let (mask, from) = (self.new_mask(name), self.mask());
        self.put(Lane::Copy { mask, from });
        mask
    }

    fn scope_of(&self, label: Label) -> usize {
        self.scopes.iter().rposition(|scope| scope.label == Some(label)).unwrap_or(0)
    }

    /// The lanes that run leave the scopes from this one on. Nothing of the innermost scope follows, unless it is a loop.
    fn leave(&mut self, target: usize) {
        let Some(own) = self.scopes.iter().rposition(|scope| scope.mask.is_some()) else { return };
        let is_loop = self.scopes[own].label.is_some();
        let target = target.min(self.scopes.len());
        let Some(by) = self.scopes[own].mask else { return };
        let others: Vec<Local> = self.scopes[target..].iter().filter_map(|scope| scope.mask).collect();
        let others = others.into_iter().rev().filter(|mask| *mask != by);
        let all: Vec<Local> = others.chain((is_loop && own >= target).then_some(by)).collect();
        all.into_iter().for_each(|mask| self.put(Lane::Clear { mask, by }));
    }

    /// A branch.
    fn branch(&mut self, cond: &Expr, then: &[Stmt], otherwise: &[Stmt], span: Span) -> Done {
        if self.is_uniform(cond) && is_simple(cond) {
            self.flush();
            let outer = std::mem::take(&mut self.steps);
            self.list(then)?;
            let then = self.taken();
            self.list(otherwise)?;
            let otherwise = self.taken();
            self.steps = outer;
            self.steps.push(Step::If { cond: cond.clone(), then, otherwise, span });
            return Ok(());
        }
        let cond = self.expr(cond)?;
        let cond = if then.is_empty() || otherwise.is_empty() { cond } else { self.bound(cond, span) };
        let arm = |builder: &mut Self, body: &[Stmt], is_not: bool| {
            let mask = builder.new_mask("on");
            let runs = builder.mask();
            builder.put(Lane::Mask { mask, cond: cond.clone(), is_not, runs, span });
            (mask, body.to_vec())
        };
        // Both masks are made before the first arm changes what the condition was computed from.
        let mut arms = Vec::new();
        if !then.is_empty() {
            arms.push(arm(self, then, false));
        }
        if !otherwise.is_empty() {
            arms.push(arm(self, otherwise, true));
        }
        arms.into_iter().try_for_each(|(mask, body)| self.arm(mask, &body))
    }

    /// Statements under a mask; no lane may run them.
    fn arm(&mut self, mask: Local, body: &[Stmt]) -> Done {
        self.enter(None, Some(mask));
        if is_cheap(body) {
            self.list(body)?;
        } else {
            let count = self.new_count();
            self.put(Lane::Count { count, mask });
            self.flush();
            let outer = std::mem::take(&mut self.steps);
            self.list(body)?;
            let body = self.taken();
            self.steps = outer;
            self.steps.push(Step::IfAny { count, body });
        }
        self.leave_scope();
        Ok(())
    }

    /// A multiway branch by number.
    fn switch(&mut self, on: &Expr, ty: Ty, arms: &[Arm], otherwise: Option<&[Stmt]>, span: Span) -> Done {
        if !is_scalar(ty) || arms.iter().any(|arm| !arm.bound.is_empty()) {
            return Err(refused(self.function, format!("it has values of type `{ty}`"), span));
        }
        let on = self.expr(on)?;
        let on = self.bound(on, span);
        let truth = |op, a: Expr, b: Expr, of: Ty| apply(op, Ty::bool(), vec![(a, of), (b, of)], span);
        let mut conds: Vec<(Expr, &[Stmt])> = Vec::new();
        let mut any: Option<Expr> = None;
        for arm in arms {
            let mut cond: Option<Expr> = None;
            for value in &arm.values {
                let Some(value) = number_of(ty, *value) else {
                    return Err(refused(self.function, format!("it has values of type `{ty}`"), span));
                };
                let is_it = truth(&ops::EQ, on.clone(), value, ty);
                cond = Some(match cond {
                    Some(cond) => truth(&ops::OR, cond, is_it, Ty::bool()),
                    None => is_it,
                });
            }
            let Some(cond) = cond else { continue };
            let cond = self.bound(cond, span);
            any = Some(match any {
                Some(any) => truth(&ops::OR, any, cond.clone(), Ty::bool()),
                None => cond.clone(),
            });
            conds.push((cond, &arm.body));
        }
        let mut masks = Vec::new();
        let mask_of = |builder: &mut Self, cond: Expr, is_not: bool| {
            let (mask, runs) = (builder.new_mask("on"), builder.mask());
            builder.put(Lane::Mask { mask, cond, is_not, runs, span });
            mask
        };
        for (cond, body) in conds {
            masks.push((mask_of(self, cond, false), body));
        }
        match (otherwise, any) {
            (Some(body), Some(any)) => masks.push((mask_of(self, any, true), body)),
            (Some(body), None) => return self.list(body),
            (None, _) => {}
        }
        masks.into_iter().try_for_each(|(mask, body)| self.arm(mask, body))
    }
}

/// Whether statements are worth no test of whether a lane runs them.
fn is_cheap(list: &[Stmt]) -> bool {
    list.iter().all(|stmt| match &stmt.kind {
        StmtKind::Loop { .. } => false,
        _ => stmt.exprs().into_iter().all(is_simple) && stmt.lists().into_iter().all(|inner| is_cheap(inner)),
    })
}
