//! What has one value for all lanes (LANEFN3).

use super::build::Builder;
use super::kinds::is_simple;
use crate::ast::{Expr, LoopKind, Stmt, StmtKind};

impl Builder<'_> {
    /// Whether an expression has one value for all elements.
    pub(super) fn is_uniform(&self, expr: &Expr) -> bool {
        let mut is_uniform = true;
        expr.for_each_local(&mut |local, _| is_uniform &= !self.arrays.contains(&local));
        is_uniform
    }

    /// Finds the locals that have one value for all lanes .
    pub(super) fn find_uniform(&mut self, list: &[Stmt]) {
        for stmt in list {
            match &stmt.kind {
                StmtKind::Assign { targets, splits: false, value, declares: true } => {
                    if let [Some(target)] = targets[..]
                        && !self.locals[target.0 as usize].is_mut
                        && is_simple(&value.expr)
                        && self.is_uniform(&value.expr)
                    {
                        self.make_uniform(target);
                    }
                }
                StmtKind::Loop { kind: LoopKind::For { counter, from, to, .. }, .. }
                    if self.has_uniform_range(from, to) =>
                {
                    self.make_uniform(*counter);
                }
                _ => {}
            }
            stmt.lists().into_iter().for_each(|inner| self.find_uniform(inner));
        }
    }

    /// Whether a loop has the same numbers for all lanes.
    pub(super) fn has_uniform_range(&self, from: &Expr, to: &Expr) -> bool {
        [from, to].into_iter().all(|expr| is_simple(expr) && self.is_uniform(expr))
    }
}
