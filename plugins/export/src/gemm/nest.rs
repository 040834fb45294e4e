//! Perfect nests of three loops whose bodies compute indices, sums, and elements of arrays.

use hashbrown::HashMap;
use overdub_context::ir::Ty;
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;

use super::affine::Index;
use crate::ast::{Apply, Arg, Callee, Expr, Local, LocalInfo, LoopKind, Stmt, StmtKind, Use};
use crate::scopes::constant_index;
use crate::slices::get_index;

/// The number of loops.
pub(super) const DEPTH: usize = 3;

/// The loops of a nest, from the outermost, and what their bodies compute.
pub(super) struct Nest<'a> {
    pub(super) loops: Vec<Loop<'a>>,
    /// What is computed once in a round of some loop.
    pub(super) definitions: HashMap<Local, Definition<'a>>,
    /// Sums of a round of the middle loop, which begin with zero, and what the innermost loop adds.
    pub(super) sums: HashMap<Local, Sum<'a>>,
    pub(super) stores: Vec<Store<'a>>,
    /// Elements of the middle loop that become constants once they have been read, as adjoints of stores do.
    pub(super) resets: Vec<Store<'a>>,
    locals: &'a [LocalInfo],
}

/// A place among the bodies of a nest: the depth of the loop, and whether it is after the loop inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) depth: usize,
    pub(super) is_after: bool,
}

#[derive(Clone, Copy)]
pub(super) struct Definition<'a> {
    pub(super) place: Place,
    /// How many are before it.
    pub(super) number: usize,
    pub(super) stmt: &'a Stmt,
    pub(super) value: &'a Expr,
}

#[derive(Clone, Copy)]
pub(super) struct Sum<'a> {
    pub(super) first: &'a Expr,
    pub(super) added: Option<&'a Expr>,
}

pub(super) struct Store<'a> {
    pub(super) place: Place,
    pub(super) stmt: &'a Stmt,
    pub(super) array: Local,
    pub(super) apply: &'a Apply,
    /// What has been computed before in the same round of its loop.
    pub(super) before: Vec<Local>,
}

/// A loop that counts from zero.
pub(super) struct Loop<'a> {
    pub(super) stmt: &'a Stmt,
    pub(super) counter: Local,
    pub(super) to: &'a Expr,
    pub(super) is_reversed: bool,
}

impl Loop<'_> {
    /// The loop with another body.
    pub(super) fn with(&self, body: Vec<Stmt>) -> Stmt {
        let mut stmt = self.stmt.clone();
        if let StmtKind::Loop { body: old, .. } = &mut stmt.kind {
            *old = body;
        }
        stmt
    }
}

/// An element of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Element {
    pub(super) array: Local,
    pub(super) index: Index,
}

/// Before the innermost loop.
pub(super) const MIDDLE: Place = Place { depth: 1, is_after: false };

impl<'a> Nest<'a> {
    pub(super) fn of(stmt: &'a Stmt, locals: &'a [LocalInfo]) -> Option<Nest<'a>> {
        let mut nest = Nest {
            loops: Vec::new(),
            definitions: HashMap::new(),
            sums: HashMap::new(),
            stores: Vec::new(),
            resets: Vec::new(),
            locals,
        };
        nest.add(stmt)?;
        let is_invariant = |each: &Loop| match each.to {
            Expr::Const(..) => true,
            Expr::Local(local) => nest.is_invariant(*local),
            Expr::Apply(_) => false,
        };
        let fits = nest.loops.len() == DEPTH && nest.loops.iter().all(is_invariant);
        fits.then_some(nest)
    }

    /// Adds a loop, and those inside.
    fn add(&mut self, stmt: &'a Stmt) -> Option<()> {
        let StmtKind::Loop { kind: LoopKind::For { counter, from, to, is_reversed }, body, .. } = &stmt.kind
        else {
            return None;
        };
        let depth = self.loops.len();
        if depth == DEPTH || constant_index(from) != Some(0) {
            return None;
        }
        self.loops.push(Loop { stmt, counter: *counter, to, is_reversed: *is_reversed });
        let mut before = Vec::new();
        for stmt in &**body {
            let place = Place { depth, is_after: self.loops.len() > depth + 1 };
            match &stmt.kind {
                StmtKind::Loop { .. } if !place.is_after => self.add(stmt)?,
                StmtKind::Update { local, apply, part: None, .. } => {
                    let is_reset = place == MIDDLE && matches!(apply.args.last()?.expr, Expr::Const(..));
                    let stores = if is_reset { &mut self.resets } else { &mut self.stores };
                    stores.push(Store { place, stmt, array: *local, apply, before: before.clone() });
                }
                StmtKind::Assign { targets, splits: false, value, declares } if value.how == Use::Read => {
                    let &[Some(target)] = &targets[..] else { return None };
                    let number = self.definitions.len();
                    let definition = Definition { place, number, stmt, value: &value.expr };
                    self.assign(target, definition, *declares)?;
                    before.push(target);
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn assign(&mut self, target: Local, definition: Definition<'a>, declares: bool) -> Option<()> {
        let Definition { place, value, .. } = definition;
        let is_mut = self.locals[target.0 as usize].is_mut;
        match (declares, is_mut) {
            (true, false) => {
                self.definitions.insert(target, definition);
            }
            (true, true) if place == MIDDLE && is_zero(value) => {
                self.sums.insert(target, Sum { first: value, added: None });
            }
            (false, _) if place.depth + 1 == DEPTH => {
                let [x, y] = operands(&ops::ADD, value)?;
                let added = if x.is_local(target) { y } else { x };
                let is_sum = x.is_local(target) != y.is_local(target);
                let sum = self.sums.get_mut(&target).filter(|sum| sum.added.is_none() && is_sum)?;
                sum.added = Some(added);
            }
            _ => return None,
        }
        Some(())
    }

    fn is_invariant(&self, local: Local) -> bool {
        !self.definitions.contains_key(&local) && self.counter(local).is_none()
    }

    fn counter(&self, local: Local) -> Option<usize> {
        self.loops.iter().position(|each| each.counter == local)
    }

    /// The expression that a local is defined by, if it is one.
    pub(super) fn value<'e>(&self, expr: &'e Expr) -> &'e Expr
    where
        'a: 'e,
    {
        match expr {
            Expr::Local(local) => self.definitions.get(local).map_or(expr, |of| self.value(of.value)),
            _ => expr,
        }
    }

    /// The element that an expression reads.
    pub(super) fn read(&self, expr: &Expr) -> Option<Element> {
        let Expr::Apply(apply) = self.value(expr) else { return None };
        let (array, index) = get_index(apply)?;
        self.element(array, index)
    }

    pub(super) fn element(&self, array: Local, index: &Expr) -> Option<Element> {
        let of = self.locals[array.0 as usize].ty.as_array()?;
        if of.rank != 1 || of.elem != Ty::f64() || !self.is_invariant(array) {
            return None;
        }
        Some(Element { array, index: self.index(index)? })
    }

    fn index(&self, expr: &Expr) -> Option<Index> {
        match self.value(expr) {
            expr @ Expr::Const(..) => Some(Index::constant(constant_index(expr)?)),
            Expr::Local(local) => match self.counter(*local) {
                Some(counter) => Some(Index::counter(counter)),
                None => {
                    let info = &self.locals[local.0 as usize];
                    (info.ty == Ty::usize() && !info.is_ref).then(|| Index::invariant(*local))
                }
            },
            Expr::Apply(apply) => {
                let (Callee::Op(op), [a, b]) = (apply.callee, &apply.args[..]) else { return None };
                let (a, b) = (self.index(&a.expr)?, self.index(&b.expr)?);
                match () {
                    () if apply.ty != Ty::usize() => None,
                    () if op == &ops::ADD || op == &ops::ADD_WRAPPING => Some(a.plus(b)),
                    () if op == &ops::MUL || op == &ops::MUL_WRAPPING => a.times(&b),
                    () => None,
                }
            }
        }
    }
}

/// The operands of an operation on floats.
pub(super) fn operands<'e>(op: &'static OpDef, expr: &'e Expr) -> Option<[&'e Expr; 2]> {
    match expr {
        Expr::Apply(apply) if apply.ty == Ty::f64() && apply.callee == Callee::Op(op) => {
            let [Arg { expr: x, .. }, Arg { expr: y, .. }] = &apply.args[..] else { return None };
            Some([x, y])
        }
        _ => None,
    }
}

/// Whether it is zero, of any sign.
fn is_zero(expr: &Expr) -> bool {
    matches!(expr, Expr::Const(constant, _) if matches!(constant.value(), Value::F64(0.0)))
}
