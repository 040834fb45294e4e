//! Control flow: blocks, conditions, loops and the exits from them.
//!
//! - JOIN1 if no edge reaches a join block, the code after it is not lowered: the IR has no unreachable
//!   blocks.

use overdub_context::Span;
use overdub_context::ir::{Block as IrBlock, Operand, Ty};
use overdub_context::ops;
use overdub_context::ssa::Variable;

use super::abi::Passing;
use super::cx::{BreakableScope, FnCx, unit};
use super::drop_scopes::Extent;
use super::error::{Lowered, Stop};
use super::place::{Place, Root};
use crate::hir::*;
use crate::infer::{self, Instance, TryKind};

impl FnCx<'_> {
    /// Enters a block whose predecessors have all been lowered; diverges if it has none.
    pub(super) fn enter_joined(&mut self, block: IrBlock) -> Lowered<()> {
        if self.build.preds(block).is_empty() {
            return Err(Stop::Diverges);
        }
        self.enter(block)
    }

    /// A variable for the value of a construct with several exits; `None` if the value is `()` or never.
    pub(super) fn join_variable(&mut self, ty: infer::Ty) -> Lowered<Option<Variable>> {
        let ty = self.lowering.ty(ty)?;
        let has_value = ty != Ty::unit() && ty != Ty::never();
        Ok(has_value.then(|| self.build.declare_variable(ty, None)))
    }

    /// Ends one of the paths to `done`.
    pub(super) fn join(
        &mut self,
        value: Lowered<Operand>,
        result: Option<Variable>,
        done: IrBlock,
    ) -> Lowered<()> {
        let Some(value) = Self::unless_diverges(value)? else { return Ok(()) };
        if let Some(result) = result {
            self.build.write_variable(result, value)?;
        }
        self.jump(done)
    }

    /// Continues after the construct.
    pub(super) fn joined(&mut self, result: Option<Variable>, done: IrBlock) -> Lowered<Operand> {
        self.enter_joined(done)?;
        match result {
            Some(result) => Ok(self.build.read_variable(result)?),
            None => Ok(unit()),
        }
    }

    pub(super) fn block(&mut self, id: ExprId, block: &Block, ty: infer::Ty) -> Lowered<Operand> {
        let done = self.build.new_block();
        let result = self.join_variable(ty)?;
        let depth = self.open_scopes();
        self.targets.insert(id, BreakableScope { header: None, exit: done, result, depth });
        let value = self.scoped(Extent::Locals, |cx| cx.block_value(block));
        // A block that no `break` leaves is straight-line code.
        if self.build.preds(done).is_empty() {
            return value;
        }
        self.join(value, result, done)?;
        self.joined(result, done)
    }

    fn block_value(&mut self, block: &Block) -> Lowered<Operand> {
        for stmt in &block.stmts {
            self.statement_point(stmt)?;
            let lower = |cx: &mut Self| match stmt {
                Stmt::Let { pat, init, otherwise, .. } => {
                    cx.let_(*pat, *init, *otherwise)?;
                    cx.note_storage(*pat);
                    Ok(())
                }
                Stmt::Expr(expr) => cx.effect(*expr),
            };
            if block.keeps_temporaries {
                lower(self)?;
            } else {
                self.scoped(Extent::Temporaries, lower)?;
            }
        }
        if let Some(tail) = block.tail {
            self.expr_point(tail)?;
        }
        let value = match block.tail {
            Some(tail) if self.early_drops => self.scoped(Extent::Temporaries, |cx| cx.value(tail)),
            Some(tail) => self.value(tail),
            None => Ok(unit()),
        }?;
        self.scope_end_point()?;
        Ok(value)
    }

    /// Evaluates an expression whose value is unused.
    fn effect(&mut self, id: ExprId) -> Lowered<()> {
        match &self.expr(id).kind {
            // `_ = x` and `x;` of a place read it; a reference that would be dropped at once is not created.
            ExprKind::AddrOf { .. } => self.place(id).map(drop),
            _ if matches!(self.adjusted(id).kind(), infer::TyKind::RefMut(_)) => self.place(id).map(drop),
            _ => {
                let value = self.value(id)?;
                self.drop_value(value, self.adjusted(id))
            }
        }
    }

    pub(super) fn if_(
        &mut self,
        cond: ExprId,
        then: ExprId,
        otherwise: Option<ExprId>,
        ty: infer::Ty,
    ) -> Lowered<Operand> {
        let (on_false, done) = (self.build.new_block(), self.build.new_block());
        let result = self.join_variable(ty)?;
        // The temporaries of `if let` live as long as the statement; in a chain, and in every `if let` from
        // edition 2024 on, they live as long as its bindings.
        let is_chain = matches!(self.expr(cond).kind, ExprKind::And(..)) && holds_let(&self.body, cond);
        let extent = if is_chain || self.early_drops { Extent::Both } else { Extent::Locals };
        let before = self.debug.branch();
        let value = self.scoped(extent, |cx| {
            cx.condition(cond, on_false)?;
            cx.scoped(Extent::Temporaries, |cx| cx.value(then))
        });
        let after = self.debug.other_branch(&before, value.is_ok());
        self.join(value, result, done)?;
        if !self.build.preds(on_false).is_empty() {
            self.enter(on_false)?;
            let value = match otherwise {
                Some(otherwise) => self.scoped(Extent::Temporaries, |cx| cx.value(otherwise)),
                None => Ok(unit()),
            };
            if value.is_err() {
                self.debug.forget_branch(&before);
            }
            self.join(value, result, done)?;
        }
        self.debug.join(after);
        self.joined(result, done)
    }

    /// Continues if the condition holds, with the bindings of its patterns; otherwise jumps to `on_false`.
    pub(super) fn condition(&mut self, cond: ExprId, on_false: IrBlock) -> Lowered<()> {
        let body = self.body.clone();
        if !self.typed.adjustments.contains_key(&cond) {
            match &body.exprs[cond.index()].kind {
                ExprKind::And(lhs, rhs) => {
                    let before = self.open_locals();
                    self.condition(*lhs, on_false)?;
                    if self.open_locals() == before {
                        return self.condition(*rhs, on_false);
                    }
                    // The bindings of the first condition are dropped if the second does not hold.
                    let (bound, undo, then) =
                        (self.open_locals(), self.build.new_block(), self.build.new_block());
                    self.condition(*rhs, undo)?;
                    self.jump(then)?;
                    if !self.build.preds(undo).is_empty() {
                        self.enter(undo)?;
                        self.without_locals(bound, |cx| cx.undo_locals(before, on_false))?;
                    }
                    return self.enter_joined(then);
                }
                ExprKind::Let(pat, scrutinee) => {
                    let before = self.open_locals();
                    let subject = self.scrutinee(*scrutinee, &[*pat])?;
                    let with_temporaries = self.open_locals();
                    if with_temporaries == before {
                        return self.matching(|cx| cx.match_pat(*pat, &subject, on_false));
                    }
                    // In a chain, the temporaries of a scrutinee are dropped together with its bindings.
                    let (undo, then) = (self.build.new_block(), self.build.new_block());
                    self.matching(|cx| cx.match_pat(*pat, &subject, undo))?;
                    self.jump(then)?;
                    if !self.build.preds(undo).is_empty() {
                        self.enter(undo)?;
                        self.without_locals(with_temporaries, |cx| cx.undo_locals(before, on_false))?;
                    }
                    return self.enter_joined(then);
                }
                ExprKind::Or(lhs, rhs) => {
                    let (second, then) = (self.build.new_block(), self.build.new_block());
                    if Self::unless_diverges(self.condition(*lhs, second))?.is_some() {
                        self.jump(then)?;
                    }
                    if !self.build.preds(second).is_empty() {
                        self.enter(second)?;
                        if Self::unless_diverges(self.condition(*rhs, on_false))?.is_some() {
                            self.jump(then)?;
                        }
                    }
                    return self.enter_joined(then);
                }
                ExprKind::Unary(UnOp::Not, inner)
                    if self.typed.exprs[inner.index()] == infer::Ty::bool()
                        && !self.typed.adjustments.contains_key(inner)
                        && !holds_let(&body, *inner) =>
                {
                    let then = self.build.new_block();
                    if Self::unless_diverges(self.condition(*inner, then))?.is_some() {
                        self.jump(on_false)?;
                    }
                    return self.enter_joined(then);
                }
                _ => {}
            }
        }
        let value = self.scoped(Extent::Temporaries, |cx| cx.value(cond))?;
        self.at(cond);
        let then = self.build.new_block();
        self.branch(value, then, on_false)?;
        self.enter_joined(then)
    }

    /// `let p = x` used as a value rather than as a condition.
    pub(super) fn let_value(&mut self, id: ExprId) -> Lowered<Operand> {
        let result = self.build.declare_variable(Ty::bool(), None);
        let (on_false, done) = (self.build.new_block(), self.build.new_block());
        let matched = self.scoped(Extent::Both, |cx| cx.condition(id, on_false));
        if Self::unless_diverges(matched)?.is_some() {
            self.build.write_variable(result, true)?;
            self.jump(done)?;
        }
        if !self.build.preds(on_false).is_empty() {
            self.enter(on_false)?;
            self.build.write_variable(result, false)?;
            self.jump(done)?;
        }
        self.enter_joined(done)?;
        Ok(self.build.read_variable(result)?)
    }

    pub(super) fn loop_(&mut self, id: ExprId, inner: ExprId, ty: infer::Ty) -> Lowered<Operand> {
        let (header, exit) = (self.build.new_block(), self.build.new_block());
        let has_head = self.debug.is_on() && !matches!(self.expr(inner).kind, ExprKind::Block(_));
        // At the end of an iteration the debugger stops at the loop header again.
        let next_iteration = if has_head { self.build.new_block() } else { header };
        let result = self.join_variable(ty)?;
        let depth = self.open_scopes();
        self.targets.insert(id, BreakableScope { header: Some(next_iteration), exit, result, depth });
        self.jump(header)?;
        self.build.switch_to(header)?;
        let before = self.debug.branch();
        let iteration = self.scoped(Extent::Both, |cx| cx.value(inner));
        if Self::unless_diverges(iteration)?.is_some() {
            self.jump(next_iteration)?;
        }
        if has_head && !self.build.preds(next_iteration).is_empty() {
            self.enter(next_iteration)?;
            self.head_point(id, &before)?;
            self.jump(header)?;
        }
        self.build.seal_block(header);
        self.joined(result, exit)
    }

    pub(super) fn break_(&mut self, target: ExprId, value: Option<ExprId>, span: Span) -> Lowered<Operand> {
        let value = value.map(|value| self.value(value)).transpose()?;
        self.build.set_span(span);
        let Some(scope) = self.targets.get(&target).copied() else {
            return Err(self.error(span, "`break` leaves nothing that is open here"));
        };
        if let (Some(result), Some(value)) = (scope.result, value) {
            self.build.write_variable(result, value)?;
        }
        self.exit_scopes(scope.depth)?;
        self.jump(scope.exit)?;
        Err(Stop::Diverges)
    }

    pub(super) fn continue_(&mut self, target: ExprId, span: Span) -> Lowered<Operand> {
        self.build.set_span(span);
        let found = self.targets.get(&target).and_then(|scope| Some((scope.header?, scope.depth)));
        let Some((header, depth)) = found else {
            return Err(self.error(span, "`continue` stands in no loop"));
        };
        self.exit_scopes(depth)?;
        self.jump(header)?;
        Err(Stop::Diverges)
    }

    pub(super) fn return_(&mut self, value: Option<ExprId>, span: Span) -> Lowered<Operand> {
        let value = match value {
            Some(value) => self.value(value)?,
            None => unit(),
        };
        self.build.set_span(span);
        self.scope_end_point()?;
        self.exit_scopes(0)?;
        self.return_with_outs(value)?;
        Err(Stop::Diverges)
    }

    /// Returns from the function with its result and the final values of its in/out parameters.
    pub(super) fn return_with_outs(&mut self, value: Operand) -> Lowered<()> {
        let mut parts = Vec::new();
        if self.abi.ret != Ty::unit() {
            parts.push(value);
        }
        let rust_tys: Vec<infer::Ty> = self.out_tys.clone();
        for (&slot, ty) in self.outs.clone().iter().zip(rust_tys) {
            parts.push(self.take(&Place::new(Root::Slot(slot), ty))?);
        }
        debug_assert_eq!(self.outs.len(), self.abi.outs());
        let all = match parts.len() {
            0 => unit(),
            1 => parts.remove(0),
            _ => self.op(&ops::TUPLE, parts)?,
        };
        Ok(self.build.ret(all)?)
    }

    /// `x?`
    pub(super) fn try_(&mut self, id: ExprId, inner: ExprId, span: Span) -> Lowered<Operand> {
        let Some(how) = self.typed.tries.get(&id).cloned() else {
            return Err(self.error(span, "internal: the `?` has no type"));
        };
        let value = self.value(inner)?;
        let from = self.adjusted(inner);
        self.build.set_span(span);
        let adt = self.adt_of(from, span)?;
        let ret_adt = self.adt_of(how.ret, span)?;
        let (good, bad) = match how.kind {
            TryKind::Option => (1, 0),
            TryKind::Result | TryKind::ControlFlow => (0, 1),
        };
        let (success, failure) = (self.build.new_block(), self.build.new_block());
        self.switch_on(value.clone(), &[(good, success), (bad, failure)], None)?;
        self.enter(failure)?;
        let fields = match how.kind {
            TryKind::Option => vec![],
            TryKind::Result | TryKind::ControlFlow => {
                let error = self.payload(value.clone(), from, adt.variants[1].def, 1, 0)?;
                let error = match how.convert {
                    Some(convert) => self.convert(convert, error)?,
                    None => self.read(&error)?,
                };
                vec![error]
            }
        };
        let failed = self.construct(how.ret, ret_adt.variants[bad as usize].def, fields)?;
        self.exit_scopes(0)?;
        self.return_with_outs(failed)?;
        self.enter(success)?;
        let value = self.payload(value, from, adt.variants[good as usize].def, good as u32, 0)?;
        self.read(&value)
    }

    fn convert(&mut self, convert: Instance, error: Place) -> Lowered<Operand> {
        let is_same = self.lowering.abi(convert)?.params.first().map(|param| param.passing)
            == Some(Passing::Value)
            && error.ty == self.lowering.types.signature(convert)?.1;
        if is_same { self.read(&error) } else { self.call_instance_on(convert, &[error]) }
    }
}

/// Whether a condition binds variables: such a condition cannot be negated.
fn holds_let(body: &HirBody, id: ExprId) -> bool {
    match &body.exprs[id.index()].kind {
        ExprKind::Let(..) => true,
        ExprKind::And(lhs, rhs) => holds_let(body, *lhs) || holds_let(body, *rhs),
        _ => false,
    }
}
