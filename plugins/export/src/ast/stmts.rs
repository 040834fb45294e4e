//! The parts of statements: lists, expressions and locals.

use super::{Expr, Local, LoopKind, MatrixProduct, Stmt, StmtKind};

impl Stmt {
    /// The statement lists inside the statement.
    pub(crate) fn lists(&self) -> Vec<&Vec<Stmt>> {
        match &self.kind {
            StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
            StmtKind::Switch { arms, otherwise, .. } => {
                arms.iter().map(|arm| &arm.body).chain(otherwise).collect()
            }
            StmtKind::Loop { body, .. } | StmtKind::Block { body, .. } | StmtKind::Sum { body, .. } => {
                vec![body]
            }
            StmtKind::MatrixProducts { resets, otherwise, .. } => vec![resets, otherwise],
            StmtKind::Sliced { slices, over, otherwise } => vec![slices, over, otherwise],
            _ => Vec::new(),
        }
    }

    /// The statement lists inside the statement.
    pub(crate) fn lists_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match &mut self.kind {
            StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
            StmtKind::Switch { arms, otherwise, .. } => {
                arms.iter_mut().map(|arm| &mut arm.body).chain(otherwise).collect()
            }
            StmtKind::Loop { body, .. } | StmtKind::Block { body, .. } | StmtKind::Sum { body, .. } => {
                vec![body]
            }
            StmtKind::MatrixProducts { resets, otherwise, .. } => vec![resets, otherwise],
            StmtKind::Sliced { slices, over, otherwise } => vec![slices, over, otherwise],
            _ => Vec::new(),
        }
    }

    /// The expressions of the statement itself, not those in its lists.
    pub(crate) fn exprs(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Assign { value, .. } | StmtKind::Return(value) => vec![&value.expr],
            StmtKind::Update { apply, .. } => apply.args.iter().map(|arg| &arg.expr).collect(),
            StmtKind::Effect(expr)
            | StmtKind::If { cond: expr, .. }
            | StmtKind::Switch { on: expr, .. }
            | StmtKind::Fail(expr)
            | StmtKind::Loop { kind: LoopKind::While(expr), .. } => vec![expr],
            StmtKind::Loop { kind: LoopKind::For { from, to, .. }, .. } => vec![from, to],
            StmtKind::Slice { start, len, .. } => vec![start, len],
            StmtKind::StackArray { element, len, .. } => vec![element, len],
            StmtKind::Reserve { room: expr, .. }
            | StmtKind::Zero { len: expr, .. }
            | StmtKind::Fit { len: expr, .. }
            | StmtKind::ZeroFrom { from: expr, .. }
            | StmtKind::Copy { from: expr, .. }
            | StmtKind::Reuse { fill: Some((_, expr)), .. } => vec![expr],
            StmtKind::Records { count, .. } | StmtKind::DropRecords { count, .. } => vec![count],
            StmtKind::Sum { count, value, .. } => vec![count, value],
            StmtKind::MatrixProducts { products, .. } => {
                products.iter().flat_map(MatrixProduct::exprs).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The expressions of the statement itself, not those in its lists.
    pub(crate) fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            StmtKind::Assign { value, .. } | StmtKind::Return(value) => vec![&mut value.expr],
            StmtKind::Update { apply, .. } => apply.args.iter_mut().map(|arg| &mut arg.expr).collect(),
            StmtKind::Effect(expr)
            | StmtKind::If { cond: expr, .. }
            | StmtKind::Switch { on: expr, .. }
            | StmtKind::Fail(expr)
            | StmtKind::Loop { kind: LoopKind::While(expr), .. } => vec![expr],
            StmtKind::Loop { kind: LoopKind::For { from, to, .. }, .. } => vec![from, to],
            StmtKind::Slice { start, len, .. } => vec![start, len],
            StmtKind::StackArray { element, len, .. } => vec![element, len],
            StmtKind::Reserve { room: expr, .. }
            | StmtKind::Zero { len: expr, .. }
            | StmtKind::Fit { len: expr, .. }
            | StmtKind::ZeroFrom { from: expr, .. }
            | StmtKind::Copy { from: expr, .. }
            | StmtKind::Reuse { fill: Some((_, expr)), .. } => vec![expr],
            StmtKind::Records { count, .. } | StmtKind::DropRecords { count, .. } => vec![count],
            StmtKind::Sum { count, value, .. } => vec![count, value],
            StmtKind::MatrixProducts { products, .. } => {
                products.iter_mut().flat_map(MatrixProduct::exprs_mut).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Calls `visit` with each local that the statement itself mentions, not those in its lists.
    pub(crate) fn for_each_local(&self, visit: &mut impl FnMut(Local)) {
        let mut any = |local, _| visit(local);
        match &self.kind {
            StmtKind::Declare(local)
            | StmtKind::Drop(local)
            | StmtKind::Clear(local)
            | StmtKind::Reuse { local, fill: None } => any(*local, false),
            StmtKind::Assign { targets, value, .. } => {
                value.for_each_local(&mut any);
                targets.iter().flatten().for_each(|&local| any(local, false));
            }
            StmtKind::Update { local, apply, part, .. } => {
                apply.args.iter().for_each(|arg| arg.for_each_local(&mut any));
                any(*local, false);
                part.iter().for_each(|&local| any(local, false));
            }
            StmtKind::Effect(expr) | StmtKind::If { cond: expr, .. } | StmtKind::Switch { on: expr, .. } => {
                expr.for_each_local(&mut any);
            }
            StmtKind::StackArray { local, element, len } => {
                any(*local, false);
                element.for_each_local(&mut any);
                len.for_each_local(&mut any);
            }
            StmtKind::Slice { local, array, start, len, .. } => {
                [*local, *array].into_iter().for_each(|local| any(local, false));
                start.for_each_local(&mut any);
                len.for_each_local(&mut any);
            }
            StmtKind::Reserve { list: local, room: expr }
            | StmtKind::Zero { slice: local, len: expr }
            | StmtKind::Fit { slice: local, len: expr }
            | StmtKind::ZeroFrom { slice: local, from: expr }
            | StmtKind::Copy { slice: local, from: expr }
            | StmtKind::Reuse { local, fill: Some((_, expr)) } => {
                any(*local, false);
                expr.for_each_local(&mut any);
            }
            StmtKind::Records { local, tape, count, .. } => {
                [*local, *tape].into_iter().for_each(|local| any(local, false));
                count.for_each_local(&mut any);
            }
            StmtKind::DropRecords { tape, count } => {
                any(*tape, false);
                count.for_each_local(&mut any);
            }
            StmtKind::Sum { total, counter, count, value, .. } => {
                [*total, *counter].into_iter().for_each(|local| any(local, false));
                count.for_each_local(&mut any);
                value.for_each_local(&mut any);
            }
            StmtKind::MatrixProducts { products, .. } => {
                for product in products {
                    let MatrixProduct { fits, to, a, b, .. } = *product;
                    [fits, to, a, b].into_iter().for_each(|local| any(local, false));
                    product.exprs().into_iter().for_each(|expr| expr.for_each_local(&mut any));
                }
            }
            StmtKind::Fail(expr) => expr.for_each_local(&mut any),
            StmtKind::Return(arg) => arg.for_each_local(&mut any),
            StmtKind::Loop { kind: LoopKind::While(cond), .. } => cond.for_each_local(&mut any),
            StmtKind::Loop { kind: LoopKind::For { from, to, .. }, .. } => {
                from.for_each_local(&mut any);
                to.for_each_local(&mut any);
            }
            StmtKind::Loop { kind: LoopKind::Forever, .. }
            | StmtKind::Sliced { .. }
            | StmtKind::Block { .. }
            | StmtKind::Break(_)
            | StmtKind::Continue(_) => {}
        }
    }

    /// Whether control never passes to the next statement.
    pub(crate) fn diverges(&self) -> bool {
        match &self.kind {
            StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(_) | StmtKind::Fail(_) => true,
            StmtKind::If { then, otherwise, .. } => diverge(then) && diverge(otherwise),
            StmtKind::Switch { arms, otherwise, .. } => {
                arms.iter().all(|arm| diverge(&arm.body))
                    && otherwise.as_ref().is_none_or(|body| diverge(body))
            }
            _ => false,
        }
    }
}

/// Whether control never reaches the end of a list.
pub(crate) fn diverge(list: &[Stmt]) -> bool {
    list.last().is_some_and(Stmt::diverges)
}

/// Calls `visit` with each mention of a local in statements.
pub(crate) fn each_local(list: &[Stmt], visit: &mut impl FnMut(Local)) {
    for stmt in list {
        stmt.for_each_local(visit);
        stmt.lists().into_iter().for_each(|inner| each_local(inner, visit));
    }
}

/// How often statements mention a local.
pub(crate) fn mentions(list: &[Stmt], local: Local) -> usize {
    let mut count = 0;
    each_local(list, &mut |other| count += usize::from(other == local));
    count
}
