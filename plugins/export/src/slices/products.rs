//! Products by invariant factors: a loop over slices gets a version in which a factor that is finite and not zero multiplies
//! without being tested in each round.
//!
//! - PRODUCTS1 `mul.zero` by a factor that is finite and not zero is `mul`, to the bit: such a product is only NaN if the other
//!   factor is.

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Operand, Ty};
use overdub_context::ops;

use super::{Slice, apply};
use crate::ast::{Apply, Arg, Callee, Expr, Local, LocalInfo, LoopKind, Stmt, StmtKind};
use crate::scopes::constant_index;

/// The greatest number of statements of a loop that gets this version, too.
const MOST_STATEMENTS: usize = 16;

/// The greatest number of factors that are tested.
const MOST_FACTORS: usize = 2;

/// The loop, or both versions of it.
pub(super) fn versions(fast: Stmt, slices: &[Slice], locals: &[LocalInfo]) -> Stmt {
    let StmtKind::Loop { kind: LoopKind::For { counter, .. }, body, .. } = &fast.kind else { return fast };
    if body.len() > MOST_STATEMENTS {
        return fast;
    }
    let mut factors = Factors {
        assigned: HashSet::from([*counter]),
        elements: HashMap::new(),
        slices,
        locals,
        found: Vec::new(),
    };
    factors.assignments(body);
    let mut plain = fast.clone();
    if let StmtKind::Loop { body, .. } = &mut plain.kind {
        factors.list(body);
    }
    if factors.found.is_empty() || factors.found.len() > MOST_FACTORS {
        return fast;
    }
    let span = fast.span;
    let tests = factors.found.iter().flat_map(|(factor, ty)| {
        let zero = match Operand::from(0.0) {
            _ if *ty == Ty::f32() => Operand::from(0.0_f32),
            zero => zero,
        };
        let mut tests = vec![apply(&ops::IS_FINITE, *ty, [factor.clone()], span)];
        if let Operand::Const(zero) = zero {
            tests.push(apply(&ops::NE, *ty, [factor.clone(), Expr::Const(zero, *ty)], span));
        }
        tests
    });
    let cond = tests.reduce(|all, test| apply(&ops::AND, Ty::bool(), [all, test], span));
    let Some(cond) = cond else { return fast };
    Stmt { kind: StmtKind::If { cond, then: vec![plain], otherwise: vec![fast] }, span }
}

struct Factors<'a> {
    assigned: HashSet<Local>,
    /// The locals that are an invariant element, with that element.
    elements: HashMap<Local, Expr>,
    slices: &'a [Slice],
    locals: &'a [LocalInfo],
    /// The invariant factors, with their types.
    found: Vec<(Expr, Ty)>,
}

impl Factors<'_> {
    fn assignments(&mut self, list: &[Stmt]) {
        for stmt in list {
            match &stmt.kind {
                StmtKind::Assign { targets, value, declares, splits } => {
                    if let ([Some(target)], true, false) = (&targets[..], declares, splits)
                        && self.is_invariant_element(&value.expr)
                    {
                        self.elements.insert(*target, value.expr.clone());
                    }
                    self.assigned.extend(targets.iter().flatten());
                }
                StmtKind::Update { local, part, .. } => {
                    self.assigned.extend([*local].into_iter().chain(*part));
                }
                _ => {}
            }
            stmt.lists().into_iter().for_each(|inner| self.assignments(inner));
        }
    }

    /// Whether it is an element of a slice that the loop reads and whose index does not depend on the counter.
    fn is_invariant_element(&self, expr: &Expr) -> bool {
        let Expr::Apply(apply) = expr else { return false };
        let [Arg { expr: Expr::Local(of), .. }, index, ..] = &apply.args[..] else { return false };
        let is_read = |slice: &Slice| slice.local == *of && !slice.counts && !slice.is_mut;
        apply.callee == Callee::Op(&ops::GET_UNCHECKED)
            && constant_index(&index.expr).is_some()
            && self.slices.iter().any(is_read)
    }

    /// The invariant value of an expression.
    fn invariant(&self, expr: &Expr) -> Option<Expr> {
        match expr {
            Expr::Local(local) if !self.assigned.contains(local) => {
                (!self.locals[local.0 as usize].is_ref).then(|| expr.clone())
            }
            Expr::Local(local) => self.elements.get(local).cloned(),
            expr => self.is_invariant_element(expr).then(|| expr.clone()),
        }
    }

    /// Makes products by invariant factors plain.
    fn list(&mut self, list: &mut [Stmt]) {
        for stmt in list {
            match &mut stmt.kind {
                StmtKind::Assign { value, .. } => self.expr(&mut value.expr),
                StmtKind::Update { apply, .. } => self.args(apply),
                StmtKind::Effect(expr) | StmtKind::If { cond: expr, .. } => self.expr(expr),
                _ => {}
            }
            stmt.lists_mut().into_iter().for_each(|inner| self.list(inner));
        }
    }

    fn args(&mut self, apply: &mut Apply) {
        apply.args.iter_mut().for_each(|arg| self.expr(&mut arg.expr));
    }

    fn expr(&mut self, expr: &mut Expr) {
        let Expr::Apply(apply) = expr else { return };
        self.args(apply);
        let is_scalar = apply.ty == Ty::f64() || apply.ty == Ty::f32();
        if apply.callee != Callee::Op(&ops::MUL_ZERO) || !is_scalar {
            return;
        }
        let factors = [&apply.args[1].expr, &apply.args[0].expr];
        let Some(factor) = factors.into_iter().find_map(|factor| self.invariant(factor)) else { return };
        if !self.found.iter().any(|(known, _)| known.is_same(&factor)) {
            self.found.push((factor, apply.ty));
        }
        apply.callee = Callee::Op(&ops::MUL);
    }
}
