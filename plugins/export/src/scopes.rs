//! Where locals are declared, and which of them change.
//!
//! - PLACED1 a local is declared in the innermost list that contains all statements that mention it: by its first
//!   assignment, or before the first of these statements.
//! - PLACED2 a local changes if an operation updates it in place, or if it is assigned where it may already have been.

use hashbrown::{HashMap, HashSet};
use overdub_context::ops;

use crate::ast::{Arg, Callee, Expr, Function, Label, Local, LocalInfo, LoopKind, Stmt, StmtKind, Use};
use crate::bits::Bits;
use crate::ownership::is_copied;

/// Declares the locals of a function.
pub(crate) fn declare(function: &mut Function) {
    let mut all: HashSet<Local> = (0..function.locals.len() as u32).map(Local).collect();
    function.params.iter().for_each(|param| {
        all.remove(param);
    });
    counters(&function.body, &mut all);
    place(&mut function.body, &all);
    returned_at_once(&mut function.body, &function.locals);
    let mut changes =
        Changes { locals: &mut function.locals, breaks: HashMap::new(), continues: HashMap::new() };
    let mut assigned = Bits::new(changes.locals.len());
    function.params.iter().for_each(|param| {
        assigned.insert(param.0 as usize);
    });
    changes.list(&function.body, Some(assigned));
    bind_fields(&mut function.body, &function.locals);
}

/// Binds the fields of an enum in the arms of the branch on it, where they are read first.
fn bind_fields(list: &mut [Stmt], locals: &[LocalInfo]) {
    for stmt in list {
        if let StmtKind::Switch { on: Expr::Local(on), arms, .. } = &mut stmt.kind {
            let info = |local: Local| &locals[local.0 as usize];
            for arm in arms.iter_mut() {
                let [tag] = arm.values[..] else { continue };
                while let Some(Stmt { kind: StmtKind::Assign { targets, value, declares: true, .. }, .. }) =
                    arm.body.first()
                    && let ([Some(target)], Expr::Apply(apply)) = (&targets[..], &value.expr)
                    && apply.callee == Callee::Op(&ops::PAYLOAD)
                    && apply.args[0].expr.is_local(*on)
                    && constant_index(&apply.args[1].expr) == usize::try_from(tag).ok()
                    && let Some(number) = constant_index(&apply.args[2].expr)
                    && !info(*target).is_mut
                    && is_copied(info(*target).ty)
                    && arm.bound.iter().all(|(known, _)| *known != number)
                {
                    arm.bound.push((number, *target));
                    arm.body.remove(0);
                }
            }
        }
        stmt.lists_mut().into_iter().for_each(|inner| bind_fields(inner, locals));
    }
}

/// The number that a constant expression is.
pub(crate) fn constant_index(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Const(constant, _) => constant.value().as_index(),
        _ => None,
    }
}

/// Leaves out the counters of loops, which these declare.
fn counters(list: &[Stmt], all: &mut HashSet<Local>) {
    for stmt in list {
        if let StmtKind::Loop { kind: LoopKind::For { counter, .. }, .. } = &stmt.kind {
            all.remove(counter);
        }
        stmt.lists().into_iter().for_each(|inner| counters(inner, all));
    }
}

/// Returns a value directly that is only stored to be returned.
fn returned_at_once(list: &mut Vec<Stmt>, locals: &[LocalInfo]) {
    for stmt in list.iter_mut() {
        stmt.lists_mut().into_iter().for_each(|inner| returned_at_once(inner, locals));
    }
    if let [.., Stmt { kind: StmtKind::Assign { targets, splits: false, value, declares: true }, .. }, last] =
        &mut list[..]
        && let StmtKind::Return(Arg { expr: Expr::Local(returned), .. }) = last.kind
        && targets[..] == [Some(returned)]
        && (value.how != Use::Read || !value.expr.is_part() || is_copied(locals[returned.0 as usize].ty))
        && !locals[returned.0 as usize].is_ref
        && !matches!(&value.expr, Expr::Apply(apply) if apply.callee == Callee::Op(&ops::PAYLOAD))
    {
        last.kind = StmtKind::Return(value.clone());
        list.remove(list.len() - 2);
    }
}

fn mentioned(list: &[Stmt], found: &mut HashSet<Local>) {
    for stmt in list {
        stmt.for_each_local(&mut |local| {
            found.insert(local);
        });
        stmt.lists().into_iter().for_each(|inner| mentioned(inner, found));
    }
}

/// PLACED1, for those of the given locals that the list mentions.
fn place(list: &mut Vec<Stmt>, candidates: &HashSet<Local>) {
    // For each local, the first statement that mentions it, and the only list inside of it that does, if there is
    // no other mention.
    let mut first: HashMap<Local, (usize, Option<usize>)> = HashMap::new();
    for (at, stmt) in list.iter().enumerate() {
        let mut note = |local: Local, inner: Option<usize>| {
            if candidates.contains(&local) {
                let known = first.entry(local).or_insert((at, inner));
                if *known != (at, inner) {
                    known.1 = None;
                }
            }
        };
        stmt.for_each_local(&mut |local| note(local, None));
        for (number, inner) in stmt.lists().into_iter().enumerate() {
            let mut found = HashSet::new();
            mentioned(inner, &mut found);
            found.into_iter().for_each(|local| note(local, Some(number)));
        }
    }
    let mut inner: HashMap<(usize, usize), HashSet<Local>> = HashMap::new();
    let mut here: HashMap<usize, Vec<Local>> = HashMap::new();
    for (local, (at, list)) in first {
        match list {
            Some(number) => {
                inner.entry((at, number)).or_default().insert(local);
            }
            None => here.entry(at).or_default().push(local),
        }
    }
    for ((at, number), locals) in inner {
        if let Some(inner) = list[at].lists_mut().into_iter().nth(number) {
            place(inner, &locals);
        }
    }
    let mut at = list.len();
    while at > 0 {
        at -= 1;
        let Some(mut locals) = here.remove(&at) else { continue };
        locals.sort();
        let by_itself = match &mut list[at].kind {
            StmtKind::Assign { targets, declares, .. } => {
                let all = targets.iter().flatten().all(|target| locals.contains(target));
                *declares = all;
                if all { targets.iter().flatten().copied().collect() } else { Vec::new() }
            }
            StmtKind::Update { local, part, declares, .. } => {
                let is_new = part.is_some_and(|part| part != *local && locals.contains(&part));
                *declares = is_new;
                if is_new { part.iter().copied().collect() } else { Vec::new() }
            }
            _ => Vec::new(),
        };
        let span = list[at].span;
        for local in locals.into_iter().filter(|local| !by_itself.contains(local)).rev() {
            list.insert(at, Stmt { kind: StmtKind::Declare(local), span });
        }
    }
}

/// PLACED2: a data flow analysis over statements. The state is the set of locals that may have been assigned since
/// their declaration; none where control does not get.
struct Changes<'c> {
    locals: &'c mut Vec<LocalInfo>,
    breaks: HashMap<Label, Bits>,
    continues: HashMap<Label, Bits>,
}

fn joined(a: Option<Bits>, b: Option<Bits>) -> Option<Bits> {
    match (a, b) {
        (Some(mut a), Some(b)) => {
            a.union(&b);
            Some(a)
        }
        (a, b) => a.or(b),
    }
}

impl Changes<'_> {
    fn list(&mut self, list: &[Stmt], mut state: Option<Bits>) -> Option<Bits> {
        for stmt in list {
            state = self.stmt(stmt, state?);
        }
        state
    }

    fn assign(&mut self, local: Local, declares: bool, state: &mut Bits) {
        let was_assigned = !state.insert(local.0 as usize);
        if was_assigned && !declares {
            self.locals[local.0 as usize].is_mut = true;
        }
    }

    fn stmt(&mut self, stmt: &Stmt, mut state: Bits) -> Option<Bits> {
        match &stmt.kind {
            StmtKind::Declare(local) | StmtKind::StackArray { local, .. } => state.remove(local.0 as usize),
            StmtKind::Assign { targets, declares, .. } => {
                targets.iter().flatten().for_each(|&target| self.assign(target, *declares, &mut state));
            }
            StmtKind::Update { local, part, declares, .. } => {
                self.locals[local.0 as usize].is_mut = true;
                part.iter().for_each(|&part| self.assign(part, *declares, &mut state));
            }
            StmtKind::Slice { .. }
            | StmtKind::Sliced { .. }
            | StmtKind::Reserve { .. }
            | StmtKind::Zero { .. }
            | StmtKind::Fit { .. }
            | StmtKind::ZeroFrom { .. }
            | StmtKind::Reuse { .. }
            | StmtKind::Copy { .. }
            | StmtKind::Records { .. }
            | StmtKind::DropRecords { .. }
            | StmtKind::Sum { .. }
            | StmtKind::MatrixProducts { .. }
            | StmtKind::Effect(_)
            | StmtKind::Drop(_)
            | StmtKind::Clear(_) => {}
            StmtKind::If { then, otherwise, .. } => {
                let after_then = self.list(then, Some(state.clone()));
                let after_otherwise = self.list(otherwise, Some(state));
                return joined(after_then, after_otherwise);
            }
            StmtKind::Switch { arms, otherwise, .. } => {
                let mut after = None;
                for arm in arms {
                    after = joined(after, self.list(&arm.body, Some(state.clone())));
                }
                if let Some(body) = otherwise {
                    after = joined(after, self.list(body, Some(state)));
                }
                return after;
            }
            StmtKind::Loop { label, kind, body } => {
                loop {
                    let end = self.list(body, Some(state.clone()));
                    let again = joined(end, self.continues.remove(label));
                    if !again.is_some_and(|again| state.union(&again)) {
                        break;
                    }
                }
                let left = self.breaks.remove(label);
                return match kind {
                    LoopKind::Forever => left,
                    LoopKind::While(_) | LoopKind::For { .. } => joined(Some(state), left),
                };
            }
            StmtKind::Block { label, body } => {
                let end = self.list(body, Some(state));
                return joined(end, self.breaks.remove(label));
            }
            StmtKind::Break(label) => {
                let known = self.breaks.remove(label);
                self.breaks.extend(joined(known, Some(state)).map(|state| (*label, state)));
                return None;
            }
            StmtKind::Continue(label) => {
                let known = self.continues.remove(label);
                self.continues.extend(joined(known, Some(state)).map(|state| (*label, state)));
                return None;
            }
            StmtKind::Return(_) | StmtKind::Fail(_) => return None,
        }
        Some(state)
    }
}
