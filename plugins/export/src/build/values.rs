//! Expressions and assignments (BUILD2, BUILD3).

use std::rc::Rc;

use overdub_context::ir::{Block, Operand, Ty, TyKind, Var};
use overdub_context::ops;
use overdub_context::value::Value;

use super::{Builder, Pending, assign};
use crate::ast::{Arg, Callee, Expr, Local, Stmt, StmtKind, Use};
use crate::body::{Node, NodeKind};
use crate::ownership::{is_copied, is_projection};

/// The longest expression, in estimated characters: what is longer is split into several statements.
const WIDTH: usize = 56;

impl Builder<'_> {
    /// The expression of an operand; `last` are the variables that are used here for the last time.
    pub(super) fn operand(&mut self, operand: &Operand, consumed: bool, last: &[Var]) -> Arg {
        let var = match operand {
            Operand::Const(constant) => {
                return Arg::read(Expr::Const(constant.clone(), self.shape.body.ty(operand)));
            }
            Operand::Var(var) => *var,
        };
        if let Some(at) = self.pending.iter().position(|pending| pending.var == var) {
            let Pending { arg, .. } = self.pending.remove(at);
            let is_place = arg.expr.is_part();
            let how = match () {
                () if is_copied(self.shape.body.vars[var.index()].ty) => Use::Read,
                () if !consumed => Use::Read,
                () if is_place => self.taken(&arg.expr),
                () => Use::Move,
            };
            return Arg { expr: arg.expr, how };
        }
        let local = self.locals.of[var.index()];
        let how = match () {
            () if !consumed || is_copied(self.shape.body.vars[var.index()].ty) => Use::Read,
            () if self.locals.infos[local.0 as usize].is_ref || !last.contains(&var) => Use::Clone,
            () => Use::Move,
        };
        Arg { expr: Expr::Local(local), how }
    }

    /// How a part of a value becomes a value of its own: the parts of a tuple that is only taken apart are moved out.
    pub(super) fn taken(&self, part: &Expr) -> Use {
        let Expr::Apply(apply) = part else { return Use::Clone };
        match (apply.callee, &apply.args[0].expr) {
            (Callee::Op(op), Expr::Local(tuple)) if op == &ops::FIELD && self.taken_apart.contains(tuple) => {
                Use::Move
            }
            _ => Use::Clone,
        }
    }

    /// Writes out the waiting expressions that `is_due` selects, in order.
    pub(super) fn flush(&mut self, out: &mut Vec<Stmt>, is_due: impl Fn(&Pending) -> bool) {
        let mut at = 0;
        while at < self.pending.len() {
            if is_due(&self.pending[at]) {
                let Pending { var, arg, span } = self.pending.remove(at);
                let local = self.locals.of[var.index()];
                self.before_change(local, &arg, out);
                let is_ref = self.locals.infos[local.0 as usize].is_ref;
                let how = match () {
                    () if is_ref || is_copied(self.shape.body.vars[var.index()].ty) => Use::Read,
                    () if arg.expr.is_part() => self.taken(&arg.expr),
                    () => Use::Move,
                };
                out.push(assign(vec![Some(local)], Arg { expr: arg.expr, how }, span));
                at = 0;
            } else {
                at += 1;
            }
        }
    }

    /// Writes out what reads a local that is about to change, or that a value is about to move.
    pub(super) fn before_change(&mut self, local: Local, value: &Arg, out: &mut Vec<Stmt>) {
        let mut changed = vec![local];
        value.for_each_local(&mut |moved, is_moved| {
            if is_moved {
                changed.push(moved)
            }
        });
        self.before_changes(&changed, out);
    }

    pub(super) fn before_changes(&mut self, changed: &[Local], out: &mut Vec<Stmt>) {
        let owners = Rc::clone(&self.owners);
        self.flush(out, |pending| {
            let mut reads = false;
            pending.arg.for_each_local(&mut |read, _| {
                let through = owners.get(&read).into_iter().flatten();
                reads |= changed.contains(&read) || through.into_iter().any(|owner| changed.contains(owner));
            });
            reads
        });
    }

    /// Makes operands that disturb each other, or that are too long together, separate statements.
    pub(super) fn settle(&mut self, args: &mut [Arg], node: &Node, in_place: bool, out: &mut Vec<Stmt>) {
        loop {
            let mut moved = Vec::new();
            for arg in args.iter().skip(usize::from(in_place)) {
                arg.for_each_local(&mut |local, is_moved| {
                    if is_moved {
                        moved.push(local)
                    }
                });
            }
            let disturbs = |arg: &Arg| {
                let mut found = false;
                if !matches!(arg.expr, Expr::Local(_)) {
                    arg.for_each_local(&mut |local, is_moved| found |= !is_moved && moved.contains(&local));
                }
                found
            };
            let too_long = args.iter().map(|arg| width(&arg.expr)).sum::<usize>() > WIDTH;
            let longest = args
                .iter()
                .enumerate()
                .filter(|(_, arg)| matches!(arg.expr, Expr::Apply(_)))
                .max_by_key(|(_, arg)| width(&arg.expr))
                .map(|(at, _)| at);
            let at = match args.iter().position(disturbs) {
                Some(at) => at,
                None if too_long => match longest {
                    Some(at) if width(&args[at].expr) > 6 => at,
                    _ => return,
                },
                None => return,
            };
            let Some(var) = node.args[at].var() else { return };
            let local = self.locals.of[var.index()];
            let arg = args[at].clone();
            let is_ref = self.locals.infos[local.0 as usize].is_ref;
            let is_copied = is_copied(self.shape.body.vars[var.index()].ty);
            self.before_change(local, &arg, out);
            let how = match () {
                () if is_ref || is_copied => Use::Read,
                () if arg.expr.is_part() => self.taken(&arg.expr),
                () => Use::Move,
            };
            out.push(assign(vec![Some(local)], Arg { expr: arg.expr, how }, node.span));
            let how = if arg.how == Use::Clone && !is_ref { Use::Move } else { arg.how };
            args[at] = Arg { expr: Expr::Local(local), how };
        }
    }

    /// The definition of a node's results: now, or where its only use is (BUILD2).
    pub(super) fn define(&mut self, node: &Node, value: Arg, block: Block, out: &mut Vec<Stmt>) {
        let fails = match node.kind {
            NodeKind::Const(_) => false,
            NodeKind::Op(op) => {
                let tys: Vec<Ty> = node.args.iter().map(|operand| self.shape.body.ty(operand)).collect();
                let effects = op.effects_on(&tys);
                let is_proved = op == &ops::GET_UNCHECKED || node.is_exact;
                effects.fails && !is_proved || effects.reads || effects.writes || effects.allocates
            }
            NodeKind::Call(_) | NodeKind::CallValue => true,
        };
        // A struct literal or a conditional expression has a statement of its own, or ends the block.
        let needs_statement = matches!(node.kind, NodeKind::Op(op) if op == &ops::STRUCT || op == &ops::SELECT)
            && !self.shape.body.block(block).terminator.kind.operands().any(|arg| arg.var() == node.result());
        if let (Some(var), false) = (node.result(), fails || needs_statement)
            && self.sites.uses(var) == [block]
            && width(&value.expr) <= WIDTH
        {
            self.pending.push(Pending { var, arg: value, span: node.span });
            return;
        }
        let targets: Vec<Option<Local>> =
            node.results.iter().map(|result| result.map(|var| self.locals.of[var.index()])).collect();
        let mut changed: Vec<Local> = targets.iter().flatten().copied().collect();
        value.for_each_local(&mut |moved, is_moved| {
            if is_moved {
                changed.push(moved)
            }
        });
        self.before_changes(&changed, out);
        if targets.iter().all(Option::is_none) {
            out.push(Stmt { kind: StmtKind::Effect(value.expr), span: node.span });
            return;
        }
        let how = match node.result() {
            Some(var) if is_copied(self.shape.body.vars[var.index()].ty) => Use::Read,
            Some(var) if value.expr.is_part() => {
                let is_ref = self.locals.infos[self.locals.of[var.index()].0 as usize].is_ref;
                if is_ref { Use::Read } else { self.taken(&value.expr) }
            }
            _ => Use::Move,
        };
        let value = Arg { expr: value.expr, how };
        let kind = StmtKind::Assign { targets, splits: node.is_split, value, declares: false };
        out.push(Stmt { kind, span: node.span });
    }

    pub(super) fn fresh(&mut self, ty: Ty) -> Local {
        self.locals.infos.push(crate::ast::LocalInfo { ty, name: None, is_ref: false, is_mut: false });
        Local(self.locals.infos.len() as u32 - 1)
    }
}

/// An estimate of the characters of an expression.
pub(crate) fn width(expr: &Expr) -> usize {
    match expr {
        Expr::Const(constant, ty) => match ty.kind() {
            // The name of a table.
            TyKind::Array(_) if is_table(constant.value()) => 8,
            TyKind::Array(_) | TyKind::Tuple(_) | TyKind::Struct(_) | TyKind::Enum(_) => {
                format!("{:?}", constant.value()).len().min(200)
            }
            _ => 5,
        },
        Expr::Local(_) => 4,
        Expr::Apply(apply) => {
            let own = match apply.callee {
                Callee::Op(op) if is_projection(op) => 3,
                Callee::Op(op) if is_operator(op) => 3,
                Callee::Op(op) => op.name.len() + 3,
                Callee::Func(name) => name.len().min(30) + 3,
                Callee::Value => 4,
            };
            own + apply.args.iter().map(|arg| width(&arg.expr) + 2).sum::<usize>()
        }
    }
}

fn is_table(value: &Value<'_>) -> bool {
    matches!(value, Value::Array(array) if array.elem_ty().is_number() && array.len() >= 8)
}

fn is_operator(op: &ops::OpDef) -> bool {
    [&ops::ADD, &ops::SUB, &ops::MUL, &ops::DIV, &ops::REM, &ops::NEG, &ops::LT, &ops::LE, &ops::GT, &ops::GE]
        .contains(&op)
        || [&ops::EQ, &ops::NE, &ops::AND, &ops::OR, &ops::XOR, &ops::NOT].contains(&op)
}
