//! Perfect nests of three loops whose bodies compute indices, sums, and elements of arrays.

use hashbrown::HashMap;
use overdub_context::ir::Ty;
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;

use super::affine::Index;
use crate::ast::{Apply, Arg, Callee, Expr, Local, LocalInfo, LoopKind, Reduction, Stmt, StmtKind, Use};
use crate::scopes::constant_index;
use crate::slices::{get_index, set_index};

/// The number of loops.
const DEPTH: usize = 3;

/// The loops of a nest, from the outermost, and what their bodies compute.
pub(super) struct Nest<'a> {
    pub(super) loops: Vec<Loop<'a>>,
    /// What is computed once in a round of some loop, and where.
    definitions: HashMap<Local, (Place, &'a Expr)>,
    /// Sums of a round of the middle loop, which begin with zero, and what the innermost loop adds.
    sums: HashMap<Local, Option<&'a Expr>>,
    stores: Vec<(Place, Local, &'a Apply)>,
    locals: &'a [LocalInfo],
}

/// A place among the bodies of a nest: the depth of the loop, and whether it is after the loop inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    depth: usize,
    is_after: bool,
}

/// A loop that counts from zero.
pub(super) struct Loop<'a> {
    counter: Local,
    pub(super) to: &'a Expr,
    pub(super) is_reversed: bool,
}

/// An element of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Element {
    pub(super) array: Local,
    pub(super) index: Index,
}

/// A reduction of products of two elements to one.
pub(super) struct Update {
    pub(super) to: Element,
    pub(super) reduction: Reduction,
    pub(super) factors: [Element; 2],
    /// Whether products are zero if a factor is.
    pub(super) is_strong: bool,
}

impl<'a> Nest<'a> {
    pub(super) fn of(stmt: &'a Stmt, locals: &'a [LocalInfo]) -> Option<Nest<'a>> {
        let mut nest = Nest {
            loops: Vec::new(),
            definitions: HashMap::new(),
            sums: HashMap::new(),
            stores: Vec::new(),
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
        self.loops.push(Loop { counter: *counter, to, is_reversed: *is_reversed });
        for stmt in body {
            let place = Place { depth, is_after: self.loops.len() > depth + 1 };
            match &stmt.kind {
                StmtKind::Loop { .. } if !place.is_after => self.add(stmt)?,
                StmtKind::Update { local, apply, part: None, .. } => {
                    self.stores.push((place, *local, apply));
                }
                StmtKind::Assign { targets, splits: false, value, declares } if value.how == Use::Read => {
                    let &[Some(target)] = &targets[..] else { return None };
                    self.assign(target, &value.expr, *declares, place)?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn assign(&mut self, target: Local, value: &'a Expr, declares: bool, place: Place) -> Option<()> {
        let is_mut = self.locals[target.0 as usize].is_mut;
        match (declares, is_mut) {
            (true, false) => {
                self.definitions.insert(target, (place, value));
            }
            (true, true) if place == (Place { depth: 1, is_after: false }) && is_zero(value) => {
                self.sums.insert(target, None);
            }
            (false, _) if place.depth + 1 == DEPTH => {
                let [x, y] = operands(&ops::ADD, value)?;
                let added = if x.is_local(target) { y } else { x };
                let is_sum = x.is_local(target) != y.is_local(target);
                let sum = self.sums.get_mut(&target).filter(|sum| sum.is_none() && is_sum)?;
                *sum = Some(added);
            }
            _ => return None,
        }
        Some(())
    }

    /// What the nest does, if that is nothing but reductions, each to an array of its own.
    pub(super) fn updates(&self) -> Option<Vec<Update>> {
        let updates: Option<Vec<Update>> = self.stores.iter().map(|store| self.reduction(store)).collect();
        let updates = updates?;
        let is_stored = |array: Local| self.stores.iter().filter(|(_, of, _)| *of == array).count();
        let is_alone = |update: &Update| {
            let reads = update.factors.iter().any(|factor| is_stored(factor.array) > 0);
            is_stored(update.to.array) == 1 && !reads
        };
        let summed = updates.iter().filter(|update| update.reduction != Reduction::InPlace).count();
        let fits = summed == self.sums.len() && updates.iter().all(is_alone) && self.serves_all();
        fits.then_some(updates)
    }

    fn reduction(&self, (place, array, store): &(Place, Local, &'a Apply)) -> Option<Update> {
        let to = self.element(*array, set_index(store)?)?;
        let value = &store.args[1].expr;
        // The old value is read where the new one is stored.
        let is_old = |expr: &Expr| {
            let is_here = |local: &Local| self.definitions.get(local).is_some_and(|(of, _)| of == place);
            let is_here =
                matches!(expr, Expr::Apply(_)) || matches!(expr, Expr::Local(local) if is_here(local));
            is_here && self.read(expr).is_some_and(|read| read == to)
        };
        let added = operands(&ops::ADD, self.value(value)).and_then(|[x, y]| match (is_old(x), is_old(y)) {
            (true, false) => Some(y),
            (false, true) => Some(x),
            _ => None,
        });
        let sum = |expr: &Expr| match self.value(expr) {
            Expr::Local(local) => *self.sums.get(local)?,
            _ => None,
        };
        let (reduction, product) = if place.depth + 1 == DEPTH {
            (Reduction::InPlace, added?)
        } else if *place != (Place { depth: 1, is_after: true }) {
            return None;
        } else if let Some(product) = added.and_then(sum) {
            (Reduction::SumAdded, product)
        } else {
            (Reduction::SumStored, sum(value)?)
        };
        let product = self.value(product);
        let strong = operands(&ops::MUL_ZERO, product);
        let is_strong = strong.is_some();
        let [a, b] = strong.or_else(|| operands(&ops::MUL, product))?;
        Some(Update { to, reduction, factors: [self.read(a)?, self.read(b)?], is_strong })
    }

    fn is_invariant(&self, local: Local) -> bool {
        !self.definitions.contains_key(&local) && self.counter(local).is_none()
    }

    fn counter(&self, local: Local) -> Option<usize> {
        self.loops.iter().position(|each| each.counter == local)
    }

    /// The expression that a local is defined by, if it is one.
    fn value<'e>(&self, expr: &'e Expr) -> &'e Expr
    where
        'a: 'e,
    {
        match expr {
            Expr::Local(local) => self.definitions.get(local).map_or(expr, |(_, value)| self.value(value)),
            _ => expr,
        }
    }

    /// The element that an expression reads.
    fn read(&self, expr: &Expr) -> Option<Element> {
        let Expr::Apply(apply) = self.value(expr) else { return None };
        let (array, index) = get_index(apply)?;
        self.element(array, index)
    }

    fn element(&self, array: Local, index: &Expr) -> Option<Element> {
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

    /// Whether all definitions serve a store: what serves none may fail in another way.
    fn serves_all(&self) -> bool {
        let stored = self.stores.iter().flat_map(|(.., store)| store.args.iter().map(|arg| &arg.expr));
        let mut waiting: Vec<&Expr> = stored.chain(self.sums.values().copied().flatten()).collect();
        let mut unseen = self.definitions.clone();
        while let Some(expr) = waiting.pop() {
            expr.for_each_local(&mut |local, _| {
                waiting.extend(unseen.remove(&local).map(|(_, value)| value));
            });
        }
        unseen.is_empty()
    }
}

/// The operands of an operation on floats.
fn operands<'e>(op: &'static OpDef, expr: &'e Expr) -> Option<[&'e Expr; 2]> {
    match expr {
        Expr::Apply(apply) if apply.ty == Ty::f64() && apply.callee == Callee::Op(op) => {
            let [Arg { expr: x, .. }, Arg { expr: y, .. }] = &apply.args[..] else { return None };
            Some([x, y])
        }
        _ => None,
    }
}

fn is_zero(expr: &Expr) -> bool {
    matches!(expr, Expr::Const(constant, _)
        if matches!(constant.value(), Value::F64(x) if x.to_bits() == 0))
}
