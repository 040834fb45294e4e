//! Assignments, updates and returns: what they move, and what they end.

use super::drops::Drops;
use super::state::State;
use super::temporaries::assign;
use crate::ast::{Arg, Expr, Local, LocalInfo, Stmt, StmtKind, Use};
use crate::ownership::is_copied;

impl Drops<'_> {
    pub(super) fn assign(&mut self, stmt: &Stmt, state: &mut State, out: &mut Vec<Stmt>) {
        let StmtKind::Assign { targets, splits, value, declares } = &stmt.kind else { return };
        let span = stmt.span;
        let moved = self.moved(|visit| value.for_each_local(&mut |local, is_moved| visit(local, is_moved)));
        let owned: Vec<Local> =
            targets.iter().flatten().copied().filter(|&target| self.is_owned(target)).collect();
        if *declares {
            targets.iter().flatten().for_each(|&target| self.declare(target));
        }
        let replaced: Vec<Local> = owned
            .iter()
            .copied()
            .filter(|target| !declares && state.held.contains(target.0 as usize) && !moved.contains(target))
            .collect();
        // What the value may read is dropped after it is evaluated.
        let mut reads = false;
        value.for_each_local(&mut |local, is_moved| {
            reads |= !is_moved && (replaced.contains(&local) || self.locals[local.0 as usize].is_ref);
        });
        if replaced.is_empty() || !reads {
            for &local in &replaced {
                self.drop_local(local, state, span, out);
            }
            out.push(stmt.clone());
            let moved: Vec<Local> = moved.into_iter().filter(|local| !owned.contains(local)).collect();
            self.after_moves(&moved, state, span, out);
        } else {
            let mut kept = targets.clone();
            for target in kept.iter_mut().flatten().filter(|target| replaced.contains(target)) {
                let ty = self.locals[target.0 as usize].ty;
                let info = LocalInfo { ty, name: None, is_ref: false, is_mut: false };
                *target = self.fresh(stmt, Some(*target), info);
            }
            let is_whole = kept.iter().flatten().all(|local| !targets.contains(&Some(*local)));
            if !is_whole {
                let fresh: Vec<Local> =
                    kept.iter().flatten().copied().filter(|local| !targets.contains(&Some(*local))).collect();
                out.extend(fresh.into_iter().map(|local| Stmt { kind: StmtKind::Declare(local), span }));
            }
            let kind = StmtKind::Assign {
                targets: kept.clone(),
                splits: *splits,
                value: value.clone(),
                declares: is_whole,
            };
            out.push(Stmt { kind, span });
            let moved: Vec<Local> = moved.into_iter().filter(|local| !owned.contains(local)).collect();
            self.after_moves(&moved, state, span, out);
            for (target, fresh) in targets.iter().zip(&kept) {
                if let (Some(target), Some(fresh)) = (target, fresh)
                    && target != fresh
                {
                    self.drop_local(*target, state, span, out);
                    let value = Arg { expr: Expr::Local(*fresh), how: Use::Move };
                    out.push(assign(*target, value, false, span));
                }
            }
        }
        owned.iter().for_each(|&target| state.set(target));
    }

    pub(super) fn update(&mut self, stmt: &Stmt, state: &mut State, out: &mut Vec<Stmt>) {
        let StmtKind::Update { local, apply, part, declares } = &stmt.kind else { return };
        let span = stmt.span;
        let moved = self.moved(|visit| {
            apply
                .args
                .iter()
                .for_each(|arg| arg.for_each_local(&mut |local, is_moved| visit(local, is_moved)));
        });
        if let Some(part) = part {
            if *declares {
                self.declare(*part);
            } else if self.is_owned(*part) && !moved.contains(part) {
                self.drop_local(*part, state, span, out);
            }
        }
        out.push(stmt.clone());
        let moved: Vec<Local> = moved.into_iter().filter(|moved| Some(*moved) != *part).collect();
        self.after_moves(&moved, state, span, out);
        if self.is_owned(*local) {
            state.set(*local);
        }
        if let Some(part) = part
            && self.is_owned(*part)
        {
            state.set(*part);
        }
    }

    /// Returns a value, which is evaluated before the locals are dropped.
    pub(super) fn returned(&mut self, stmt: &Stmt, value: &Arg, state: &mut State, out: &mut Vec<Stmt>) {
        let span = stmt.span;
        let moved = self.moved(|visit| value.for_each_local(&mut |local, is_moved| visit(local, is_moved)));
        moved.iter().for_each(|&local| state.clear(local));
        let mut dropped = Vec::new();
        self.leave(0, state, span, &mut dropped);
        let is_plain = match &value.expr {
            Expr::Const(..) => true,
            Expr::Local(_) => value.how != Use::Clone,
            Expr::Apply(_) => false,
        };
        let value = if dropped.is_empty() || is_plain {
            value.clone()
        } else {
            let ty = match &value.expr {
                Expr::Const(_, ty) => *ty,
                Expr::Local(local) => self.locals[local.0 as usize].ty,
                Expr::Apply(apply) => apply.ty,
            };
            let info = LocalInfo { ty, name: Some("result".to_owned()), is_ref: false, is_mut: false };
            let result = self.fresh(stmt, None, info);
            out.push(assign(result, value.clone(), true, span));
            Arg { expr: Expr::Local(result), how: if is_copied(ty) { Use::Read } else { Use::Move } }
        };
        out.extend(dropped);
        out.push(Stmt { kind: StmtKind::Return(value), span });
    }
}
