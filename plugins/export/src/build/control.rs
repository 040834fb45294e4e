//! Structured control flow (BUILD1).

use hashbrown::HashSet;
use overdub_context::Span;
use overdub_context::ir::{Block, Case, Operand, Target, TerminatorKind, Var};

use super::{Builder, Frame, Next, Pending, assign};
use crate::ast::{Arg, Arm, Expr, Label, Local, LoopKind, Stmt, StmtKind, Use};
use crate::coalesce::last_uses;
use crate::counted::Counted;

impl Builder<'_> {
    pub(super) fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    /// The statements of a block and of those that it dominates.
    pub(super) fn tree(&mut self, block: Block, next: Next, out: &mut Vec<Stmt>) {
        let is_header =
            self.shape.loops.innermost(block).is_some_and(|id| self.shape.loops.get(id).header == block);
        if is_header { self.whole_loop(block, next, out) } else { self.straight(block, next, out) }
    }

    /// Statements followed by blocks, each of which the ones before may skip.
    pub(super) fn followed(
        &mut self,
        follow: &[Block],
        next: Next,
        out: &mut Vec<Stmt>,
        first: impl FnOnce(&mut Self, Next, &mut Vec<Stmt>),
    ) {
        let Some((last, before)) = follow.split_last() else { return first(self, next, out) };
        let label = self.label();
        self.frames.push(Frame { label, header: None, follows: Some(*last) });
        let mut body = Vec::new();
        self.followed(before, Next::Block(*last), &mut body, first);
        self.frames.pop();
        let span = self.shape.body.block(*last).terminator.span;
        out.push(Stmt { kind: StmtKind::Block { label, body }, span });
        self.tree(*last, next, out);
    }

    pub(super) fn whole_loop(&mut self, header: Block, next: Next, out: &mut Vec<Stmt>) {
        let follow = self.placed.remove(&(header, true)).unwrap_or_default();
        let (first, rest) = match follow.split_first() {
            Some((first, rest)) => (Some(*first), rest.to_vec()),
            None => (None, Vec::new()),
        };
        self.followed(&rest, next, out, |this, next, out| {
            let label = this.label();
            let span = this.shape.body.block(header).terminator.span;
            this.frames.push(Frame { label, header: Some(header), follows: first });
            let mut body = Vec::new();
            let kind = match this.counted.get(&header).cloned() {
                Some(counted) if first.is_some() => this.counted_body(header, &counted, &mut body),
                _ => {
                    this.straight(header, Next::Round(header), &mut body);
                    LoopKind::Forever
                }
            };
            this.frames.pop();
            out.push(Stmt { kind: StmtKind::Loop { label, kind, body }, span });
            if let Some(first) = first {
                this.tree(first, next, out);
            }
        });
    }

    pub(super) fn counted_body(&mut self, header: Block, counted: &Counted, out: &mut Vec<Stmt>) -> LoopKind {
        let follow = self.placed.remove(&(header, false)).unwrap_or_default();
        self.followed(&follow, Next::Round(header), out, |this, next, out| {
            let terminator = &this.shape.body.block(header).terminator;
            let TerminatorKind::BrIf { then, otherwise, .. } = &terminator.kind else { return };
            let inside = if counted.enters_first { then } else { otherwise };
            this.last = vec![Vec::new()];
            this.branch(header, inside, next, terminator.span, out);
        });
        let local = self.locals.of[counted.counter.index()];
        let operand = |operand: &Operand| match operand {
            Operand::Var(var) => Expr::Local(self.locals.of[var.index()]),
            Operand::Const(constant) => Expr::Const(constant.clone(), self.shape.body.ty(operand)),
        };
        let (from, to) = (operand(&counted.from), operand(&counted.to));
        LoopKind::For { counter: local, from, to, is_reversed: counted.is_reversed }
    }

    /// The statements of a block, its branches, and the blocks that follow.
    pub(super) fn straight(&mut self, block: Block, next: Next, out: &mut Vec<Stmt>) {
        let body = self.shape.body;
        let code = body.block(block);
        self.last = last_uses(body, block, (self.live, self.borrows));
        for (at, node) in code.nodes.iter().enumerate() {
            self.node(at, node, block, out);
        }
        let used: HashSet<Var> = code.terminator.kind.operands().filter_map(Operand::var).collect();
        self.flush(out, |pending| !used.contains(&pending.var));
        let follow = self.placed.remove(&(block, false)).unwrap_or_default();
        let span = code.terminator.span;
        // What the branches use of the block is written where they are.
        self.followed(&follow, next, out, |this, next, out| this.terminator(block, next, span, out));
    }

    pub(super) fn terminator(&mut self, block: Block, next: Next, span: Span, out: &mut Vec<Stmt>) {
        let code = self.shape.body.block(block);
        match &code.terminator.kind {
            TerminatorKind::Br(target) => self.branch(block, target, next, span, out),
            TerminatorKind::BrIf { cond, then, otherwise } => {
                let cond = self.operand(cond, false, &[]).expr;
                let waiting = std::mem::take(&mut self.pending);
                let arms = [then, otherwise].map(|target| self.arm(block, target, next, span, &waiting));
                let [then, otherwise] = arms;
                out.push(Stmt { kind: StmtKind::If { cond, then, otherwise }, span });
            }
            TerminatorKind::Switch { on, cases, otherwise } => {
                let ty = self.shape.body.ty(on);
                let on = self.operand(on, false, &[]).expr;
                let waiting = std::mem::take(&mut self.pending);
                let mut arms: Vec<(Vec<i128>, &Target)> = Vec::new();
                for Case { value, target } in cases {
                    match arms.iter_mut().find(|(_, known)| *known == target) {
                        Some((values, _)) if self.shape.forward_preds(target.block) > 1 => {
                            values.push(*value)
                        }
                        _ => arms.push((vec![*value], target)),
                    }
                }
                let arms = arms
                    .into_iter()
                    .map(|(values, target)| {
                        let body = self.arm(block, target, next, span, &waiting);
                        Arm { values, bound: Vec::new(), body }
                    })
                    .collect();
                let otherwise =
                    otherwise.as_ref().map(|target| self.arm(block, target, next, span, &waiting));
                out.push(Stmt { kind: StmtKind::Switch { on, ty, arms, otherwise }, span });
            }
            TerminatorKind::Ret(value) => {
                let last = self.last.last().cloned().unwrap_or_default();
                let value = self.operand(value, true, &last);
                self.flush(out, |_| true);
                out.push(Stmt { kind: StmtKind::Return(value), span });
            }
            TerminatorKind::Fail(message) => {
                let message = self.operand(message, false, &[]).expr;
                out.push(Stmt { kind: StmtKind::Fail(message), span });
            }
        }
    }

    /// The statements of one of several branches, for which expressions wait.
    pub(super) fn arm(
        &mut self,
        block: Block,
        target: &Target,
        next: Next,
        span: Span,
        waiting: &[Pending],
    ) -> Vec<Stmt> {
        let used: HashSet<Var> = target.args.iter().filter_map(Operand::var).collect();
        self.pending = waiting
            .iter()
            .filter(|pending| used.contains(&pending.var))
            .map(|pending| Pending { arg: pending.arg.clone(), ..*pending })
            .collect();
        let mut list = Vec::new();
        self.branch(block, target, next, span, &mut list);
        self.pending.clear();
        list
    }

    /// A branch: the arguments are assigned to the parameters, then control passes to the target.
    pub(super) fn branch(
        &mut self,
        from: Block,
        target: &Target,
        next: Next,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        self.pass_args(target, span, out);
        let to = target.block;
        if next == Next::Block(to) || next == Next::Round(to) {
            return;
        }
        let is_back = self.shape.dominators.dominates(to, from);
        for frame in self.frames.iter().rev() {
            if is_back && frame.header == Some(to) {
                out.push(Stmt { kind: StmtKind::Continue(frame.label), span });
                return;
            }
            if !is_back && frame.follows == Some(to) {
                out.push(Stmt { kind: StmtKind::Break(frame.label), span });
                return;
            }
        }
        self.tree(to, next, out);
    }

    pub(super) fn pass_args(&mut self, target: &Target, span: Span, out: &mut Vec<Stmt>) {
        let params = &self.shape.body.block(target.block).params;
        let counted = self.counted.get(&target.block).map(|counted| counted.param);
        let mut copies: Vec<(Local, Arg)> = Vec::new();
        let mut seen = HashSet::new();
        let mut last: Vec<Var> = Vec::new();
        // The last of several uses may move.
        for arg in target.args.iter().rev().filter_map(Operand::var) {
            if !self.live.is_live_in(target.block, arg) && seen.insert(arg) {
                last.push(arg);
            }
        }
        for (&param, arg) in params.iter().zip(&target.args) {
            if counted == Some(param) {
                self.flush(out, |pending| Some(pending.var) == arg.var());
                continue;
            }
            if self.sites.use_count(param) == 0 {
                self.pending.retain(|pending| Some(pending.var) != arg.var());
                continue;
            }
            let local = self.locals.of[param.index()];
            let is_waiting = arg.var().is_some_and(|var| self.pending.iter().any(|known| known.var == var));
            if !is_waiting && arg.var().is_some_and(|var| self.locals.of[var.index()] == local) {
                continue;
            }
            let occurs = target.args.iter().filter(|other| *other == arg).count();
            let may_move: &[Var] = if occurs == 1 { &last } else { &[] };
            let value = self.operand(arg, true, may_move);
            copies.push((local, value));
        }
        self.flush(out, |_| true);
        self.parallel_copy(copies, span, out);
    }

    /// Assigns all values as they were before.
    pub(super) fn parallel_copy(&mut self, mut copies: Vec<(Local, Arg)>, span: Span, out: &mut Vec<Stmt>) {
        let reads = |arg: &Arg, local: Local| {
            let mut found = false;
            arg.for_each_local(&mut |read, _| found |= read == local);
            found
        };
        while !copies.is_empty() {
            let free = (0..copies.len()).find(|&at| {
                (0..copies.len()).all(|other| other == at || !reads(&copies[other].1, copies[at].0))
            });
            let at = free.unwrap_or(0);
            if free.is_none() {
                // A cycle: the value that the first assignment overwrites is kept.
                let kept = copies[0].0;
                let info = self.locals.infos[kept.0 as usize].clone();
                self.locals.infos.push(crate::ast::LocalInfo { name: None, ..info });
                let fresh = Local(self.locals.infos.len() as u32 - 1);
                let value = Arg { expr: Expr::Local(kept), how: Use::Move };
                out.push(assign(vec![Some(fresh)], value, span));
                for (_, arg) in &mut copies {
                    rename(&mut arg.expr, kept, fresh);
                }
                continue;
            }
            let (local, value) = copies.remove(at);
            out.push(assign(vec![Some(local)], value, span));
        }
    }
}

fn rename(expr: &mut Expr, from: Local, to: Local) {
    match expr {
        Expr::Const(..) => {}
        Expr::Local(local) => {
            if *local == from {
                *local = to;
            }
        }
        Expr::Apply(apply) => apply.args.iter_mut().for_each(|arg| rename(&mut arg.expr, from, to)),
    }
}
