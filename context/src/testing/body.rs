//! The statements of a generated function.

use super::lower::FinishedFuncs;
use super::tree::{Expr, Stmt};
use super::universe::{Focus, any_ty};
use crate::Symbol;
use crate::ir::{Block, BuildError, Case, Func, FuncBuilder, Operand, Target, Ty, TyKind};
use crate::ops::{self, OpDef};
use crate::ssa::{SsaBuilder, Variable};

/// The maximum cost of a function: the number of instructions it runs, as far as known.
const BUDGET: u64 = 100_000;

const NOTHING: [Operand; 0] = [];

/// Whether a function may contain loops, calls and failures, or is only an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Loops {
    Allowed,
    Refused,
}

/// A function under construction.
pub(super) struct BodyBuilder<'m> {
    pub(super) finished: &'m mut FinishedFuncs,
    pub(super) build: SsaBuilder,
    pub(super) scope: Vec<Variable>,
    pub(super) loops: Loops,
    ret: Ty,
    /// The enclosing loops, each with the block where its next iteration begins and the block after it.
    enclosing: Vec<(Block, Block)>,
    /// The maximum number of times that the current block may run.
    iterations: u64,
    cost: u64,
}

type Built<T> = Result<T, BuildError>;

impl<'m> BodyBuilder<'m> {
    pub(super) fn new(
        finished: &'m mut FinishedFuncs,
        name: Symbol,
        params: &[Ty],
        ret: Ty,
        loops: Loops,
    ) -> Built<BodyBuilder<'m>> {
        let build = SsaBuilder::new(FuncBuilder::new(name, ret));
        let mut body = BodyBuilder {
            finished,
            build,
            scope: Vec::new(),
            loops,
            ret,
            enclosing: Vec::new(),
            iterations: 1,
            cost: 0,
        };
        for &ty in params {
            let param = body.build.block_param(Block::ENTRY, ty);
            body.declare(ty, param)?;
        }
        Ok(body)
    }

    pub(super) fn finish(self) -> Built<(Func, u64)> {
        let cost = self.cost;
        self.build.finish().map(|func| (func, cost))
    }

    pub(super) fn focus(&self) -> Focus {
        self.finished.focus
    }

    pub(super) fn is_open(&self) -> bool {
        self.build.current().is_some()
    }

    pub(super) fn ret(&mut self, value: Operand) -> Built<()> {
        self.build.ret(value)
    }

    /// Adds a cost per run of the current block; returns `false` if it exceeds the budget.
    pub(super) fn afford(&mut self, cost: u64) -> bool {
        let cost = self.cost.saturating_add(cost.saturating_mul(self.iterations));
        let affordable = cost <= BUDGET;
        if affordable {
            self.cost = cost;
        }
        affordable
    }

    pub(super) fn op(
        &mut self,
        op: &'static OpDef,
        args: impl IntoIterator<Item = Operand>,
    ) -> Built<Operand> {
        self.build.op(op, args).map(Operand::from)
    }

    pub(super) fn op_as(
        &mut self,
        op: &'static OpDef,
        args: impl IntoIterator<Item = Operand>,
        ty: Ty,
    ) -> Built<Operand> {
        self.build.op_as(op, args, ty).map(Operand::from)
    }

    pub(super) fn read(&mut self, variable: Variable) -> Built<Operand> {
        self.build.read_variable(variable)
    }

    pub(super) fn declare(&mut self, ty: Ty, value: impl Into<Operand>) -> Built<Variable> {
        let variable = self.build.declare_variable(ty, None);
        self.build.write_variable(variable, value)?;
        self.scope.push(variable);
        Ok(variable)
    }

    /// Appends statements up to one that terminates the block.
    pub(super) fn stmts(&mut self, stmts: &[Stmt]) -> Built<()> {
        for stmt in stmts {
            if self.is_open() && self.afford(1) {
                self.stmt(stmt)?;
            }
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Built<()> {
        match stmt {
            Stmt::Let(ty, value) => {
                let ty = self.focus().any_local_ty(*ty);
                let value = self.expr(value, ty)?;
                self.declare(ty, value).map(drop)
            }
            Stmt::Assign(var, value) => self.assign(*var, value),
            Stmt::Update(var, value) => self.update(*var, value),
            Stmt::Print(text) => {
                let text = self.expr(text, Ty::str())?;
                self.op(&ops::PRINT, [text]).map(drop)
            }
            Stmt::If(cond, then, otherwise) => self.branch(cond, then, otherwise),
            Stmt::Loop(iterations, body) => self.repeat(*iterations, body),
            Stmt::Switch(choice, on, arms) if choice % 2 == 0 => self.switch_on_int(on, arms),
            Stmt::Switch(choice, on, arms) => self.switch_on_enum(*choice, on, arms),
            Stmt::LeaveLoop(choice, cond) => self.leave_loop(*choice, cond),
            Stmt::Return(choice, cond, value) => self.return_early(*choice, cond, value),
        }
    }

    fn pick_variable(&self, choice: u8) -> Option<Variable> {
        let count = self.scope.len().max(1);
        self.scope.get(usize::from(choice) % count).copied()
    }

    fn assign(&mut self, choice: u8, value: &Expr) -> Built<()> {
        let Some(variable) = self.pick_variable(choice) else { return Ok(()) };
        let value = self.expr(value, self.build.variable_ty(variable))?;
        self.build.write_variable(variable, value)
    }

    fn update(&mut self, choice: u8, value: &Expr) -> Built<()> {
        let Some(variable) = self.pick_variable(choice) else { return Ok(()) };
        let ty = self.build.variable_ty(variable);
        let old = self.read(variable)?;
        if let TyKind::Ref(target) = ty.kind() {
            return self.update_place(old, *target, value);
        }
        let new = self.updated(old, ty, value)?;
        self.build.write_variable(variable, new)
    }

    fn branch(&mut self, cond: &Expr, then: &[Stmt], otherwise: &[Stmt]) -> Built<()> {
        let cond = self.expr(cond, Ty::bool())?;
        let [yes, no, join] = [(); 3].map(|()| self.build.new_block());
        self.build.br_if(cond, yes.into(), no.into())?;
        for (block, stmts) in [(yes, then), (no, otherwise)] {
            self.arm(block, stmts, join)?;
        }
        self.continue_at(join)
    }

    /// Appends the statements to a separate block, which then branches to `join`.
    fn arm(&mut self, block: Block, stmts: &[Stmt], join: Block) -> Built<()> {
        self.build.switch_to(block)?;
        self.build.seal_block(block);
        let outer = self.scope.len();
        self.stmts(stmts)?;
        self.scope.truncate(outer);
        if self.is_open() {
            self.build.br(join, NOTHING)?;
        }
        Ok(())
    }

    /// Branches on `cond`, and continues with the value of the arm that was taken.
    pub(super) fn choose(
        &mut self,
        cond: Operand,
        ty: Ty,
        yes: impl FnOnce(&mut Self) -> Built<Operand>,
        no: impl FnOnce(&mut Self) -> Built<Operand>,
    ) -> Built<Operand> {
        let [then, otherwise, join] = [(); 3].map(|()| self.build.new_block());
        let param = self.build.block_param(join, ty);
        self.build.br_if(cond, then.into(), otherwise.into())?;
        self.continue_at(then)?;
        let value = yes(self)?;
        self.build.br(join, [value])?;
        self.continue_at(otherwise)?;
        let value = no(self)?;
        self.build.br(join, [value])?;
        self.continue_at(join)?;
        Ok(param.into())
    }

    fn continue_at(&mut self, join: Block) -> Built<()> {
        self.build.switch_to(join)?;
        self.build.seal_block(join);
        Ok(())
    }

    fn repeat(&mut self, iterations: u8, body: &[Stmt]) -> Built<()> {
        let iterations = i64::from(iterations % 5);
        let nested_iterations = self.iterations * (iterations.unsigned_abs() + 1);
        if self.enclosing.len() >= 3 || nested_iterations > 200 {
            return self.stmts(body);
        }
        let outer_iterations = std::mem::replace(&mut self.iterations, nested_iterations);
        let [head, inside, next, done] = [(); 4].map(|()| self.build.new_block());
        let counter = self.build.declare_variable(Ty::i64(), Some("i"));
        self.build.write_variable(counter, 0_i64)?;
        self.build.br(head, NOTHING)?;
        self.build.switch_to(head)?;
        let i = self.read(counter)?;
        let continues = self.op(&ops::LT, [i.clone(), iterations.into()])?;
        self.build.br_if(continues, inside.into(), done.into())?;
        self.enclosing.push((next, done));
        // The iteration number can be read, and changed without effect on the loop.
        let outer = self.scope.len();
        self.build.switch_to(inside)?;
        self.build.seal_block(inside);
        self.declare(Ty::i64(), i)?;
        self.stmts(body)?;
        self.scope.truncate(outer);
        self.enclosing.pop();
        if self.is_open() {
            self.build.br(next, NOTHING)?;
        }
        self.continue_at(next)?;
        let i = self.read(counter)?;
        let i = self.op(&ops::ADD, [i, 1_i64.into()])?;
        self.build.write_variable(counter, i)?;
        self.build.br(head, NOTHING)?;
        self.build.seal_block(head);
        self.iterations = outer_iterations;
        self.continue_at(done)
    }

    fn switch_on_int(&mut self, on: &Expr, arms: &[Vec<Stmt>]) -> Built<()> {
        let on = self.expr(on, Ty::i64())?;
        let blocks: Vec<Block> = arms.iter().map(|_| self.build.new_block()).collect();
        let join = self.build.new_block();
        let cases = (0..).zip(&blocks).map(|(value, &block)| Case { value, target: block.into() });
        self.build.switch(on, cases.collect(), Some(Target::from(join)))?;
        for (block, arm) in blocks.into_iter().zip(arms) {
            self.arm(block, arm, join)?;
        }
        self.continue_at(join)
    }

    fn switch_on_enum(&mut self, choice: u8, on: &Expr, arms: &[Vec<Stmt>]) -> Built<()> {
        let enums = (0..=u8::MAX).map(any_ty).filter(|ty| matches!(ty.kind(), TyKind::Enum(_))).take(3);
        let enums: Vec<Ty> = enums.collect();
        let ty = enums[usize::from(choice / 2) % enums.len()];
        let on = self.expr(on, ty)?;
        let Some(variants) = ty.as_nominal().and_then(|nominal| nominal.variants()) else { return Ok(()) };
        let blocks: Vec<Block> = variants.iter().map(|_| self.build.new_block()).collect();
        let join = self.build.new_block();
        let cases = (0..).zip(&blocks).map(|(value, &block)| Case { value, target: block.into() });
        self.build.switch(on.clone(), cases.collect(), None)?;
        for (tag, (&block, variant)) in (0_i64..).zip(blocks.iter().zip(variants)) {
            self.build.switch_to(block)?;
            self.build.seal_block(block);
            let outer = self.scope.len();
            for (k, field) in (0_i64..).zip(&variant.fields) {
                let part = self.op(&ops::PAYLOAD, [on.clone(), tag.into(), k.into()])?;
                self.declare(field.ty, part)?;
            }
            self.stmts(&arms[tag as usize % arms.len()])?;
            self.scope.truncate(outer);
            if self.is_open() {
                self.build.br(join, NOTHING)?;
            }
        }
        self.continue_at(join)
    }

    fn leave_loop(&mut self, choice: u8, cond: &Expr) -> Built<()> {
        let Some(&(next, done)) = self.enclosing.last() else { return Ok(()) };
        let cond = self.expr(cond, Ty::bool())?;
        let after = self.build.new_block();
        let to = if choice.is_multiple_of(2) { done } else { next };
        self.build.br_if(cond, to.into(), after.into())?;
        self.continue_at(after)
    }

    fn return_early(&mut self, choice: u8, cond: &Expr, value: &Expr) -> Built<()> {
        let cond = self.expr(cond, Ty::bool())?;
        let [out, after] = [(); 2].map(|()| self.build.new_block());
        self.build.br_if(cond, out.into(), after.into())?;
        self.continue_at(out)?;
        if choice % 4 == 3 && self.focus() == Focus::Everything {
            self.build.fail("on purpose")?;
        } else {
            let value = self.expr(value, self.ret)?;
            self.build.ret(value)?;
        }
        self.continue_at(after)
    }

    /// A value of type `ty` that is constructed without reading variables.
    pub(super) fn default_value(&mut self, ty: Ty, choice: u8) -> Built<Operand> {
        match ty.kind() {
            TyKind::Ref(target) => {
                let content = self.default_value(*target, choice)?;
                self.op(&ops::CELL, [content])
            }
            TyKind::Fn(_) => self.closure_value(&Expr { choice, parts: Vec::new() }, ty),
            _ => {
                let value = self.focus().any_value(ty, choice);
                self.build.constant(value, ty)
            }
        }
    }
}
