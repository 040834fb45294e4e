//! What has one value for all lanes (LANEFN3): by a divergence analysis of the function.

use hashbrown::HashSet;
use overdub_context::ir::TyKind;
use overdub_context::ops;

use super::build::Builder;
use super::exits::exits;
use super::is_scalar;
use super::kinds::is_simple;
use crate::ast::{Callee, Expr, Label, Local, LoopKind, Stmt, StmtKind};

/// What is uniform as far as is known.
struct Uniform {
    locals: HashSet<Local>,
    /// The tapes that have the same length in all lanes.
    stacks: HashSet<Local>,
    changed: bool,
}

impl Builder<'_> {
    /// Whether an expression has one value for all elements.
    pub(super) fn is_uniform(&self, expr: &Expr) -> bool {
        let mut is_uniform = true;
        expr.for_each_local(&mut |local, _| is_uniform &= !self.arrays.contains(&local));
        is_uniform
    }

    /// Whether a loop has the same numbers for all lanes.
    pub(super) fn has_uniform_range(&self, from: &Expr, to: &Expr) -> bool {
        [from, to].into_iter().all(|expr| is_simple(expr) && self.is_uniform(expr))
    }

    /// Whether a loop runs for all lanes from its start to its end, by a condition that is the same for all.
    pub(super) fn is_uniform_while(&self, label: Label, kind: &LoopKind, body: &[Stmt]) -> bool {
        match kind {
            LoopKind::While(cond) => is_simple(cond) && self.is_uniform(cond) && is_closed(label, body),
            _ => false,
        }
    }

    /// Finds the locals that have one value for all lanes, where all run from the start to the end of the function if they do so
    /// `together`.
    pub(super) fn find_uniform(&mut self, together: bool) {
        let varying: HashSet<Local> = self.given.iter().copied().collect();
        let all = self.function.locals.iter().zip(0..).map(|(info, number)| (Local(number), info.ty));
        let all: Vec<_> = all.filter(|(local, _)| !varying.contains(local)).collect();
        let locals = all.iter().filter(|(_, ty)| is_scalar(*ty)).map(|(local, _)| *local).collect();
        let is_stack = |ty: overdub_context::ir::Ty| matches!(ty.kind(), TyKind::Stack(_));
        let stacks = all.iter().filter(|(_, ty)| is_stack(*ty)).map(|(local, _)| *local).collect();
        let mut found = Uniform { locals, stacks, changed: true };
        while found.changed {
            found.changed = false;
            found.list(&self.function.body, together, &|local| self.locals[local.0 as usize].is_mut);
        }
        for (local, ty) in all {
            if is_scalar(ty) && !found.locals.contains(&local) {
                self.arrays.insert(local);
            } else {
                self.arrays.remove(&local);
            }
        }
        self.uniform_stacks = found.stacks;
    }
}

/// Whether nothing leaves a loop, or a round of it, before its end.
fn is_closed(label: Label, body: &[Stmt]) -> bool {
    let found = exits(body);
    let is_left = found.breaks.contains(&label) || found.continues.contains(&label) || found.returns;
    !is_left && !found.leaves_beyond(label, body)
}

impl Uniform {
    fn is_uniform(&self, expr: &Expr) -> bool {
        let mut is_uniform = is_simple(expr);
        // A list is shared.
        expr.for_each_local(&mut |local, _| is_uniform &= self.locals.contains(&local));
        is_uniform || is_length(expr)
    }

    fn varies(&mut self, local: Local) {
        self.changed |= self.locals.remove(&local);
        self.changed |= self.stacks.remove(&local);
    }

    /// `together`: all lanes that run the function run these statements, too.
    fn list(&mut self, list: &[Stmt], together: bool, is_mut: &dyn Fn(Local) -> bool) {
        for stmt in list {
            match &stmt.kind {
                StmtKind::Assign { targets, splits, value, declares } => {
                    if let ([Some(target)], false) = (&targets[..], splits) {
                        let is_new_stack = matches!(&value.expr, Expr::Apply(apply)
                            if apply.callee == Callee::Op(&ops::STACK_NEW));
                        let is_fixed = *declares && !is_mut(*target);
                        let stays = is_new_stack || self.is_uniform(&value.expr);
                        if !stays || !(together || is_fixed && !is_new_stack) {
                            self.varies(*target);
                        }
                    } else {
                        targets.iter().flatten().for_each(|target| self.varies(*target));
                    }
                }
                // Its arms give it values under masks.
                StmtKind::Declare(local) => self.varies(*local),
                StmtKind::Update { local, part, .. } => {
                    part.iter().for_each(|part| self.varies(*part));
                    if !together {
                        self.varies(*local);
                    }
                }
                StmtKind::If { cond, then, otherwise } => {
                    let together = together && self.is_uniform(cond);
                    self.list(then, together, is_mut);
                    self.list(otherwise, together, is_mut);
                }
                StmtKind::Loop { label, kind, body } => {
                    let is_same = match kind {
                        LoopKind::For { counter, from, to, .. } => {
                            let is_same = self.is_uniform(from) && self.is_uniform(to);
                            if !is_same {
                                self.varies(*counter);
                            }
                            is_same
                        }
                        LoopKind::While(cond) => self.is_uniform(cond),
                        LoopKind::Forever => false,
                    };
                    self.list(body, together && is_same && is_closed(*label, body), is_mut);
                }
                StmtKind::Block { label, body } => {
                    let is_left = exits(body).breaks.contains(label);
                    self.list(body, together && !is_left, is_mut);
                }
                _ => stmt.lists().into_iter().for_each(|inner| self.list(inner, false, is_mut)),
            }
        }
    }
}

/// Whether an expression is the length of a list that all share.
fn is_length(expr: &Expr) -> bool {
    matches!(expr, Expr::Apply(apply)
        if apply.callee == Callee::Op(&ops::LEN) && matches!(apply.args[0].expr, Expr::Local(_)))
}
