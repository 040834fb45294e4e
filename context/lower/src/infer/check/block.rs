//! Blocks, branches and loops.

use super::coerce::Join;
use super::*;
use crate::hir::{Arm, Block, Stmt};

impl Check<'_> {
    pub(super) fn check_block(&mut self, id: ExprId, block: &Block, expect: Expect) -> Result<Ty> {
        let join = self.join_for(expect);
        let target = join.target();
        self.exits.insert(id, Exit { join, left: false });
        let outer = self.diverges;
        for stmt in &block.stmts {
            self.check_stmt(stmt)?;
        }
        match block.tail {
            Some(tail) => {
                let ty = self.check(tail, expect)?;
                let span = self.enter(tail);
                self.join_exit(id, Some((tail, ty)))?;
                self.cx.span = span;
            }
            None if self.diverges => {}
            None => self.join_exit(id, None)?,
        }
        let exit = self.exits.remove(&id);
        let left = exit.as_ref().is_some_and(|exit| exit.left);
        if left {
            self.diverges = outer;
        }
        Ok(exit.map_or(target, |exit| exit.join.finish()))
    }

    fn check_stmt(&mut self, stmt: &Stmt) -> Result<()> {
        match stmt {
            Stmt::Expr(expr) => {
                self.check(*expr, Expect::Nothing)?;
            }
            Stmt::Let { pat, ty, init, otherwise } => {
                let scope = self.scope.clone();
                let ty = self.cx.read_ty(ty, &scope)?;
                if let Some(init) = init {
                    self.check_coerce(*init, ty)?;
                }
                self.check_pat(*pat, ty)?;
                if let Some(otherwise) = otherwise {
                    let outer = self.diverges;
                    self.check_coerce(*otherwise, Ty::never())?;
                    self.diverges = outer;
                }
            }
        }
        Ok(())
    }

    /// Adds a value, or `()`, to the values with which a loop or block is left.
    pub(super) fn join_exit(&mut self, target: ExprId, value: Option<(ExprId, Ty)>) -> Result<()> {
        let Some(mut exit) = self.exits.remove(&target) else { return Ok(()) };
        let result = match value {
            Some((expr, ty)) => self.join(&mut exit.join, expr, ty),
            None => self.join_unit(&mut exit.join),
        };
        self.exits.insert(target, exit);
        result
    }

    pub(super) fn check_break(&mut self, target: ExprId, value: Option<ExprId>) -> Result<Ty> {
        let value = match value {
            Some(value) => {
                let expect = self.exits.get(&target).map(|exit| exit.join.target());
                Some((value, self.check(value, expect.map_or(Expect::Nothing, Expect::Type))?))
            }
            None => None,
        };
        self.join_exit(target, value)?;
        if let Some(exit) = self.exits.get_mut(&target) {
            exit.left = true;
        }
        Ok(Ty::never())
    }

    pub(super) fn check_loop(&mut self, id: ExprId, body: ExprId, expect: Expect) -> Result<Ty> {
        let join = self.join_for(expect);
        self.exits.insert(id, Exit { join, left: false });
        self.check_coerce(body, Ty::unit())?;
        let exit = self.exits.remove(&id);
        self.diverges = exit.as_ref().is_some_and(|exit| !exit.left);
        Ok(exit.map_or_else(Ty::never, |exit| exit.join.finish()))
    }

    pub(super) fn check_if(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: Option<ExprId>,
        expect: Expect,
    ) -> Result<Ty> {
        self.check_coerce(condition, Ty::bool())?;
        let after_condition = std::mem::replace(&mut self.diverges, false);
        let Some(otherwise) = otherwise else {
            self.check_coerce(then, Ty::unit())?;
            self.diverges = after_condition;
            return Ok(Ty::unit());
        };
        let expect = self.branches(expect);
        let mut join = self.join_for(expect);
        self.branch(&mut join, then, expect)?;
        let after_then = std::mem::replace(&mut self.diverges, false);
        self.branch(&mut join, otherwise, expect)?;
        self.diverges = after_condition || (after_then && self.diverges);
        Ok(join.finish())
    }

    fn branch(&mut self, join: &mut Join, expr: ExprId, expect: Expect) -> Result<()> {
        let ty = self.check(expr, expect)?;
        let outer = self.enter(expr);
        self.join(join, expr, ty)?;
        self.cx.span = outer;
        Ok(())
    }

    pub(super) fn check_match(&mut self, scrutinee: ExprId, arms: &[Arm], expect: Expect) -> Result<Ty> {
        let ty = self.check(scrutinee, Expect::Nothing)?;
        let after_scrutinee = std::mem::replace(&mut self.diverges, false);
        for arm in arms {
            self.check_pat(arm.pat, ty)?;
        }
        let expect = self.branches(expect);
        let mut join = self.join_for(expect);
        let mut all_diverge = true;
        for arm in arms {
            self.diverges = false;
            if let Some(guard) = arm.guard {
                self.check_coerce(guard, Ty::bool())?;
                self.diverges = false;
            }
            self.branch(&mut join, arm.body, expect)?;
            all_diverge &= self.diverges;
        }
        self.diverges = after_scrutinee || all_diverge;
        if self.mutates(arms) {
            self.make_mutable(scrutinee);
        }
        Ok(join.finish())
    }

    /// Whether a pattern takes a mutable reference into what it matches.
    fn mutates(&self, arms: &[Arm]) -> bool {
        arms.iter().any(|arm| self.pat_mutates(arm.pat))
    }
}
