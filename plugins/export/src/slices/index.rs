//! The array accesses of a loop whose indices are affine in the induction variable: the counter, plus loop-invariant terms, plus a
//! constant.

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;

use super::index_of;
use crate::ast::{Apply, Arg, Callee, Expr, Local, LocalInfo, Stmt, StmtKind, Use};
use crate::ownership::is_copied;
use crate::scopes::constant_index;

/// The counter of a loop, and its range.
pub(super) struct Counter {
    pub(super) local: Local,
    pub(super) from: Expr,
    pub(super) to: Expr,
}

/// A loop-invariant term of an index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Term {
    One(Local),
    Scaled(Local, usize),
    Product(Local, Local),
}

/// An index that is affine in the counter, with the factor 0 or 1.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Access {
    /// Whether the counter has the factor 1.
    pub(super) counts: bool,
    /// The loop-invariant terms, in order.
    pub(super) terms: Vec<Term>,
    pub(super) offset: i128,
}

/// The accesses of a loop.
pub(super) struct Accesses {
    /// The arrays and indices, in the order of the text.
    pub(super) all: Vec<(Local, Access)>,
    /// The arrays of which elements are written.
    pub(super) written: HashSet<Local>,
    /// The locals that are records of a tape: as many as there are rounds, so that no slice of them is needed.
    records: HashSet<Local>,
    sums: Sums,
}

/// The definitions from which affine indices are computed.
struct Sums {
    counter: Local,
    from: Option<i128>,
    /// The number of assignments in the loop.
    assigned: HashMap<Local, usize>,
    definitions: HashMap<Local, Expr>,
    /// The locals that the body declares.
    declared: HashSet<Local>,
    is_number: Vec<bool>,
}

impl Accesses {
    /// The accesses of a body without inner loops and jumps, if all of them are sums.
    pub(super) fn of(body: &[Stmt], counter: &Counter, locals: &[LocalInfo]) -> Option<Accesses> {
        let sums = Sums {
            counter: counter.local,
            from: constant_index(&counter.from).and_then(|from| i128::try_from(from).ok()),
            assigned: HashMap::new(),
            definitions: HashMap::new(),
            declared: HashSet::new(),
            is_number: locals.iter().map(|info| info.ty == Ty::usize() && !info.is_ref).collect(),
        };
        let is_records = |local: &Local| matches!(locals[local.0 as usize].ty.kind(), TyKind::Stack(_));
        let records = (0..locals.len() as u32).map(Local).filter(is_records).collect();
        let mut found = Accesses { all: Vec::new(), written: HashSet::new(), records, sums };
        found.assignments(body)?;
        // The local of the first number may have another value once the loop has begun.
        if let Expr::Local(from) = &counter.from
            && !found.sums.is_invariant(*from)
        {
            return None;
        }
        let mut mentioned = HashSet::new();
        for end in [&counter.from, &counter.to] {
            end.for_each_local(&mut |local, _| {
                mentioned.insert(local);
            });
        }
        found.list(body, &mut mentioned)?;
        let is_sliceable = |array: Local| {
            let elem = locals[array.0 as usize].ty.as_array().filter(|array| array.rank == 1);
            let is_changed = found.sums.assigned.contains_key(&array);
            elem.is_some_and(|array| is_copied(array.elem))
                && !is_changed
                && !(found.written.contains(&array) && mentioned.contains(&array))
        };
        found.all.iter().all(|(array, _)| is_sliceable(*array)).then_some(found)
    }

    /// The locals that the body declares.
    pub(super) fn declared(&self) -> &HashSet<Local> {
        &self.sums.declared
    }

    /// The locals besides elements by which rounds form a chain: floats are added in order, so such a loop is not vectorised, and the
    /// checks of its indices take less time than the chain of its values.
    pub(super) fn chained(&self) -> Vec<Local> {
        let carried = || self.carried();
        carried().filter(|local| self.depends_on(*local, &carried().collect())).collect()
    }

    /// The locals besides elements that a round passes on to the next.
    fn carried(&self) -> impl Iterator<Item = Local> {
        let assigned = self.sums.assigned.keys().copied();
        assigned.filter(|local| !self.sums.declared.contains(local))
    }

    /// Whether what a round assigns to a local is computed from one of `carried`, as far as is known: a value that is not is a
    /// recurrence of first order, with which a loop is vectorised.
    fn depends_on(&self, local: Local, carried: &HashSet<Local>) -> bool {
        let (mut waiting, mut seen) = (vec![local], HashSet::new());
        while let Some(local) = waiting.pop() {
            let is_single = self.sums.assigned.get(&local) == Some(&1);
            let Some(value) = self.sums.definitions.get(&local).filter(|_| is_single) else { return true };
            let mut depends = false;
            value.for_each_local(&mut |part, _| {
                depends |= carried.contains(&part);
                let is_of_round = self.sums.assigned.contains_key(&part);
                waiting.extend((is_of_round && seen.insert(part)).then_some(part));
            });
            if depends {
                return true;
            }
        }
        false
    }

    /// The sum that an index is, and the locals through which it is computed.
    pub(super) fn sum(&self, index: &Expr, through: &mut HashSet<Local>) -> Option<Access> {
        self.sums.of(index, through)
    }

    /// Finds what the statements assign; none if they leave the loop or contain others.
    fn assignments(&mut self, list: &[Stmt]) -> Option<()> {
        for stmt in list {
            match &stmt.kind {
                StmtKind::Declare(local) => {
                    self.sums.declared.insert(*local);
                }
                StmtKind::Assign { targets, splits, value, declares } => {
                    for target in targets.iter().flatten() {
                        *self.sums.assigned.entry(*target).or_default() += 1;
                        self.sums.declared.extend(declares.then_some(*target));
                    }
                    if let ([Some(target)], false) = (&targets[..], splits) {
                        self.sums.definitions.insert(*target, value.expr.clone());
                    }
                }
                StmtKind::Update { local, apply, part, declares } => {
                    if set_index(apply).is_some() {
                        self.written.insert(*local);
                    } else {
                        *self.sums.assigned.entry(*local).or_default() += 1;
                    }
                    if let Some(part) = part {
                        *self.sums.assigned.entry(*part).or_default() += 1;
                        self.sums.declared.extend(declares.then_some(*part));
                    }
                }
                StmtKind::Effect(_) => {}
                StmtKind::If { then, otherwise, .. } => {
                    self.assignments(then)?;
                    self.assignments(otherwise)?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// Finds the accesses of statements, and the locals that they mention otherwise.
    fn list(&mut self, list: &[Stmt], mentioned: &mut HashSet<Local>) -> Option<()> {
        for stmt in list {
            match &stmt.kind {
                StmtKind::Update { local, apply, .. } => {
                    match set_index(apply) {
                        Some(index) => self.access(*local, index)?,
                        None => {
                            mentioned.insert(*local);
                        }
                    }
                    apply.args.iter().try_for_each(|arg| self.arg(arg, mentioned))?;
                }
                StmtKind::Assign { value, .. } => self.arg(value, mentioned)?,
                _ => stmt.exprs().into_iter().try_for_each(|expr| self.expr(expr, mentioned))?,
            }
            stmt.lists().into_iter().try_for_each(|inner| self.list(inner, mentioned))?;
        }
        Some(())
    }

    fn arg(&mut self, arg: &Arg, mentioned: &mut HashSet<Local>) -> Option<()> {
        self.expr(&arg.expr, mentioned)
    }

    fn expr(&mut self, expr: &Expr, mentioned: &mut HashSet<Local>) -> Option<()> {
        match expr {
            Expr::Const(..) => {}
            Expr::Local(local) => {
                mentioned.insert(*local);
            }
            Expr::Apply(apply) => {
                let rest = match get_index(apply) {
                    Some((array, index)) => {
                        self.access(array, index)?;
                        &apply.args[1..]
                    }
                    None => &apply.args[..],
                };
                rest.iter().try_for_each(|arg| self.arg(arg, mentioned))?;
            }
        }
        Some(())
    }

    /// Whether a local is records of a tape.
    pub(super) fn is_records(&self, local: Local) -> bool {
        self.records.contains(&local)
    }

    fn access(&mut self, array: Local, index: &Expr) -> Option<()> {
        if self.is_records(array) {
            return Some(());
        }
        let access = self.sums.of(index, &mut HashSet::new())?;
        self.all.push((array, access));
        Some(())
    }
}

/// The index of an update that sets an element.
pub(crate) fn set_index(apply: &Apply) -> Option<&Expr> {
    let is_set = [Callee::Op(&ops::SET), Callee::Op(&ops::SET_UNCHECKED)].contains(&apply.callee);
    is_set.then(|| &apply.args[0].expr)
}

/// The local array and the index of an operation that reads an element.
pub(crate) fn get_index(apply: &Apply) -> Option<(Local, &Expr)> {
    let is_get = [Callee::Op(&ops::GET), Callee::Op(&ops::GET_UNCHECKED)].contains(&apply.callee);
    match &apply.args[..] {
        [Arg { expr: Expr::Local(array), how: Use::Read }, index, ..] if is_get => {
            Some((*array, &index.expr))
        }
        _ => None,
    }
}

impl Sums {
    fn of(&self, expr: &Expr, through: &mut HashSet<Local>) -> Option<Access> {
        match expr {
            Expr::Const(constant, _) => Some(Access { offset: index_of(constant)?, ..Access::default() }),
            Expr::Local(local) if *local == self.counter => {
                Some(Access { counts: true, ..Access::default() })
            }
            Expr::Local(local) if self.is_invariant(*local) => {
                Some(Access { terms: vec![Term::One(*local)], ..Access::default() })
            }
            Expr::Local(local) => {
                let is_defined = self.declared.contains(local)
                    && self.assigned.get(local) == Some(&1)
                    && self.is_number[local.0 as usize];
                let definition = self.definitions.get(local).filter(|_| is_defined)?;
                through.insert(*local);
                self.of(definition, through)
            }
            Expr::Apply(apply) => {
                let Callee::Op(op) = apply.callee else { return None };
                let [a, b] = &apply.args[..] else { return None };
                if apply.ty != Ty::usize() {
                    return None;
                }
                let (a, b) = (&a.expr, &b.expr);
                match () {
                    () if op == &ops::ADD || op == &ops::ADD_WRAPPING => {
                        sum(self.of(a, through)?, self.of(b, through)?)
                    }
                    () if op == &ops::SUB || op == &ops::SUB_WRAPPING => {
                        let Expr::Const(by, _) = b else { return None };
                        let of = self.of(a, through)?;
                        let offset = of.offset.checked_sub(index_of(by)?)?;
                        // The difference is not negative in any round.
                        let is_small = of.terms.is_empty() && of.counts;
                        (is_small && self.from?.checked_add(offset)? >= 0).then_some(Access { offset, ..of })
                    }
                    () if op == &ops::MUL || op == &ops::MUL_WRAPPING => self.product(a, b),
                    () => None,
                }
            }
        }
    }

    /// The product of two invariant variables, or of one and a constant.
    fn product(&self, a: &Expr, b: &Expr) -> Option<Access> {
        let term = match (a, b) {
            (Expr::Local(a), Expr::Local(b)) if self.is_invariant(*a) && self.is_invariant(*b) => {
                Term::Product(*a.min(b), *a.max(b))
            }
            (Expr::Local(of), by @ Expr::Const(..)) | (by @ Expr::Const(..), Expr::Local(of))
                if self.is_invariant(*of) =>
            {
                Term::Scaled(*of, constant_index(by)?)
            }
            _ => return None,
        };
        Some(Access { terms: vec![term], ..Access::default() })
    }

    /// Whether a variable is a number that the loop does not change.
    fn is_invariant(&self, local: Local) -> bool {
        local != self.counter && !self.assigned.contains_key(&local) && self.is_number[local.0 as usize]
    }
}

fn sum(a: Access, b: Access) -> Option<Access> {
    if a.counts && b.counts {
        return None;
    }
    let mut terms = a.terms;
    terms.extend(b.terms);
    terms.sort_unstable();
    Some(Access { counts: a.counts || b.counts, terms, offset: a.offset.checked_add(b.offset)? })
}
