//! The statements of a node.

use overdub_context::ir::{Block, Ty, Var};
use overdub_context::ops;

use super::{Builder, assign};
use crate::ast::{Apply, Arg, Callee, Expr, Stmt, StmtKind, Use};
use crate::body::{Node, NodeKind};
use crate::ownership::{Update, consumes, is_copied, is_projection, update_of};

impl Builder<'_> {
    pub(super) fn node(&mut self, at: usize, node: &Node, block: Block, out: &mut Vec<Stmt>) {
        if node.result().is_some_and(|var| self.skipped.contains(&var)) {
            return;
        }
        let last = self.last[at].clone();
        let update = match node.kind {
            NodeKind::Op(op) => update_of(op),
            _ => None,
        };
        if let NodeKind::Const(constant) = &node.kind {
            let ty = node.result().map_or(Ty::unit(), |var| self.shape.body.vars[var.index()].ty);
            let value = Arg { expr: Expr::Const(constant.clone(), ty), how: Use::Move };
            return self.define(node, value, block, out);
        }
        let mut args: Vec<Arg> = Vec::new();
        for (number, operand) in node.args.iter().enumerate() {
            let is_consumed = match node.kind {
                NodeKind::Op(op) => consumes(op, number),
                NodeKind::Call(name) => (self.calls.owns)(name, number),
                // A function value takes its arguments as values.
                NodeKind::CallValue => number > 0,
                NodeKind::Const(_) => false,
            };
            let is_again = node.args[number + 1..].contains(operand);
            let may_move: &[Var] = if is_again { &[] } else { &last };
            args.push(self.operand(operand, is_consumed, may_move));
        }
        let in_place = update.is_some() && self.is_updated_directly(node);
        self.settle(&mut args, node, in_place, out);
        let tys: Vec<Ty> = node.args.iter().map(|operand| self.shape.body.ty(operand)).collect();
        let callee = match node.kind {
            NodeKind::Op(op) => Callee::Op(op),
            NodeKind::Call(name) => Callee::Func(name),
            NodeKind::CallValue | NodeKind::Const(_) => Callee::Value,
        };
        if let Some(update) = update {
            let apply = applied(callee, args, tys, Ty::unit(), node);
            return self.update(node, update, apply, out);
        }
        let ty = node.ty;
        let mut how = Use::Move;
        if let NodeKind::Op(op) = node.kind
            && is_projection(op)
        {
            how = Use::Read;
        }
        let expr = Expr::Apply(Box::new(applied(callee, args, tys, ty, node)));
        self.define(node, Arg { expr, how }, block, out);
    }

    /// Whether an update changes its operand where it is, by an assignment or a method, which evaluates its other
    /// operands first.
    pub(super) fn is_updated_directly(&self, node: &Node) -> bool {
        const BORROWED_FIRST: &[&ops::OpDef] = &[&ops::INSERT, &ops::REMOVE, &ops::TAKE_ELEM];
        let NodeKind::Op(op) = node.kind else { return false };
        let local = |var: Option<Var>| var.map(|var| self.locals.of[var.index()]);
        let after = node.results.last().copied().flatten();
        !BORROWED_FIRST.contains(&op) && after.is_some() && local(node.args[0].var()) == local(after)
    }

    /// An operation that updates its first operand in place.
    pub(super) fn update(&mut self, node: &Node, update: Update, mut apply: Apply, out: &mut Vec<Stmt>) {
        let (part, whole) = match update {
            Update::Whole => (None, node.results[0]),
            Update::PartAndWhole => (node.results[0], node.results[1]),
        };
        let first = apply.args.remove(0);
        let part = part.map(|var| self.locals.of[var.index()]);
        let local = match whole {
            Some(var) => self.locals.of[var.index()],
            None => match &first {
                Arg { expr: Expr::Local(local), how: Use::Move } => *local,
                _ => self.fresh(apply.tys[0]),
            },
        };
        let mut changed = vec![local];
        changed.extend(part);
        first.for_each_local(&mut |moved, is_moved| {
            if is_moved {
                changed.push(moved)
            }
        });
        for arg in &apply.args {
            arg.for_each_local(&mut |moved, is_moved| {
                if is_moved {
                    changed.push(moved)
                }
            });
        }
        self.before_changes(&changed, out);
        if !matches!(&first, Arg { expr: Expr::Local(known), .. } if *known == local) {
            // The operands may read what the copy overwrites.
            let mut overwrites = false;
            apply.args.iter().for_each(|arg| arg.for_each_local(&mut |read, _| overwrites |= read == local));
            if overwrites {
                let numbers: Vec<usize> = (0..apply.args.len()).collect();
                for number in numbers {
                    let fresh = self.fresh(apply.tys[number + 1]);
                    let arg = std::mem::replace(&mut apply.args[number], Arg::read(Expr::Local(fresh)));
                    if matches!(arg.expr, Expr::Const(..)) {
                        apply.args[number] = arg;
                        continue;
                    }
                    let how = if is_copied(apply.tys[number + 1]) { Use::Read } else { Use::Move };
                    apply.args[number].how = how;
                    let how = if arg.how == Use::Read && how == Use::Move { Use::Clone } else { arg.how };
                    out.push(assign(vec![Some(fresh)], Arg { expr: arg.expr, how }, node.span));
                }
            }
            out.push(assign(vec![Some(local)], first, node.span));
        }
        out.push(Stmt { kind: StmtKind::Update { local, apply, part, declares: false }, span: node.span });
    }
}

fn applied(callee: Callee, args: Vec<Arg>, tys: Vec<Ty>, ty: Ty, node: &Node) -> Apply {
    Apply { callee, args, tys, ty, span: node.span, is_exact: node.is_exact }
}
