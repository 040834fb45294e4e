//! Where values end (OWNED2): a data flow analysis over statements, as the drop elaboration of rustc.

use hashbrown::{HashMap, HashSet};
use overdub_context::Span;

use super::Emptied;
use super::state::{State, assignments, joined};
use crate::ast::{Function, Label, Local, LocalInfo, LoopKind, Stmt, StmtKind};
use crate::bits::Bits;
use crate::ownership::is_copied;

/// Drops the values of locals at the end of their scopes, and before they are assigned again.
pub(super) fn elaborate(function: &mut Function) -> Emptied {
    let body = std::mem::take(&mut function.body);
    // Each assignment and each `return` may get a local.
    let count = function.locals.len() + assignments(&body);
    let mut drops = Drops {
        locals: &mut function.locals,
        fresh: HashMap::new(),
        scopes: Vec::new(),
        breaks: HashMap::new(),
        continues: HashMap::new(),
        emptied: HashSet::new(),
    };
    let mut state = State { held: Bits::new(count), gone: Bits::new(count) };
    let owned: Vec<Local> = function.params.iter().copied().filter(|&param| drops.is_owned(param)).collect();
    for param in &owned {
        state.held.insert(param.0 as usize);
    }
    drops.scopes.push(Scope { label: None, locals: owned });
    let (mut list, end) = drops.list(&body, Some(state), None);
    if let Some(state) = end {
        drops.leave(0, &state, Span::unknown(), &mut list);
    }
    let emptied = drops.emptied;
    keep(&mut list, &emptied);
    function.body = list;
    emptied
}

/// Removes `Clear` where the local is not dropped afterwards.
fn keep(list: &mut Vec<Stmt>, emptied: &Emptied) {
    list.retain(|stmt| !matches!(&stmt.kind, StmtKind::Clear(local) if !emptied.contains(local)));
    for stmt in list {
        stmt.lists_mut().into_iter().for_each(|inner| keep(inner, emptied));
    }
}

/// The locals that own a value and are declared in a list.
struct Scope {
    /// The loop or block whose list it is.
    label: Option<Label>,
    locals: Vec<Local>,
}

pub(super) struct Drops<'d> {
    pub(super) locals: &'d mut Vec<LocalInfo>,
    /// The locals for values that are evaluated before others end, by their statement and what they are for.
    fresh: HashMap<(*const Stmt, Option<Local>), Local>,
    scopes: Vec<Scope>,
    breaks: HashMap<Label, State>,
    continues: HashMap<Label, State>,
    emptied: Emptied,
}

impl Drops<'_> {
    pub(super) fn is_owned(&self, local: Local) -> bool {
        let info = &self.locals[local.0 as usize];
        !info.is_ref && !is_copied(info.ty)
    }

    /// The statements of a list with those that end values, and the state at its end.
    fn list(
        &mut self,
        list: &[Stmt],
        mut state: Option<State>,
        label: Option<Label>,
    ) -> (Vec<Stmt>, Option<State>) {
        self.scopes.push(Scope { label, locals: Vec::new() });
        let mut out = Vec::new();
        let mut span = Span::unknown();
        for stmt in list {
            let Some(now) = state else { break };
            span = stmt.span;
            state = self.stmt(stmt, now, &mut out);
        }
        if let Some(state) = &mut state {
            let depth = self.scopes.len() - 1;
            self.leave(depth, state, span, &mut out);
            let scope = &self.scopes[depth];
            for local in &scope.locals {
                state.held.remove(local.0 as usize);
                state.gone.remove(local.0 as usize);
            }
        }
        self.scopes.pop();
        (out, state)
    }

    /// Drops the locals of the scopes from this depth on, the innermost first.
    pub(super) fn leave(&mut self, depth: usize, state: &State, span: Span, out: &mut Vec<Stmt>) {
        let locals: Vec<Local> =
            self.scopes[depth..].iter().rev().flat_map(|scope| scope.locals.iter().rev()).copied().collect();
        for local in locals {
            self.drop_local(local, state, span, out);
        }
    }

    pub(super) fn drop_local(&mut self, local: Local, state: &State, span: Span, out: &mut Vec<Stmt>) {
        if !state.held.contains(local.0 as usize) {
            return;
        }
        if state.gone.contains(local.0 as usize) {
            self.emptied.insert(local);
        }
        out.push(Stmt { kind: StmtKind::Drop(local), span });
    }

    pub(super) fn declare(&mut self, local: Local) {
        if self.is_owned(local)
            && let Some(scope) = self.scopes.last_mut()
            && !scope.locals.contains(&local)
        {
            scope.locals.push(local);
        }
    }

    /// The locals that a statement moves.
    pub(super) fn moved(&self, visit: impl FnOnce(&mut dyn FnMut(Local, bool))) -> Vec<Local> {
        let mut moved = Vec::new();
        visit(&mut |local, is_moved| {
            if is_moved {
                moved.push(local);
            }
        });
        moved.retain(|&local| self.is_owned(local));
        moved
    }

    pub(super) fn after_moves(&self, moved: &[Local], state: &mut State, span: Span, out: &mut Vec<Stmt>) {
        for &local in moved {
            state.clear(local);
            out.push(Stmt { kind: StmtKind::Clear(local), span });
        }
    }

    /// A local for a value of a statement: the same one whenever the statement is visited.
    pub(super) fn fresh(&mut self, stmt: &Stmt, of: Option<Local>, info: LocalInfo) -> Local {
        let key = (std::ptr::from_ref(stmt), of);
        if let Some(known) = self.fresh.get(&key) {
            return *known;
        }
        self.locals.push(info);
        let fresh = Local(self.locals.len() as u32 - 1);
        self.fresh.insert(key, fresh);
        fresh
    }

    fn stmt(&mut self, stmt: &Stmt, mut state: State, out: &mut Vec<Stmt>) -> Option<State> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Declare(local) => {
                self.declare(*local);
                if self.is_owned(*local) {
                    state.clear(*local);
                }
                out.push(stmt.clone());
            }
            StmtKind::Assign { .. } => self.assign(stmt, &mut state, out),
            StmtKind::Update { .. } => self.update(stmt, &mut state, out),
            // They own nothing.
            StmtKind::Slice { .. }
            | StmtKind::Sliced { .. }
            | StmtKind::Sum { .. }
            | StmtKind::MatrixProducts { .. }
            | StmtKind::Reserve { .. }
            | StmtKind::Zero { .. }
            | StmtKind::Fit { .. }
            | StmtKind::ZeroFrom { .. }
            | StmtKind::StackArray { .. }
            | StmtKind::Reuse { .. }
            | StmtKind::Copy { .. }
            | StmtKind::Records { .. }
            | StmtKind::DropRecords { .. } => out.push(stmt.clone()),
            StmtKind::Effect(expr) => {
                let moved =
                    self.moved(|visit| expr.for_each_local(&mut |local, is_moved| visit(local, is_moved)));
                out.push(stmt.clone());
                self.after_moves(&moved, &mut state, span, out);
            }
            StmtKind::If { cond, then, otherwise } => {
                let (then, after) = self.list(then, Some(state.clone()), None);
                let (otherwise, other) = self.list(otherwise, Some(state), None);
                out.push(Stmt { kind: StmtKind::If { cond: cond.clone(), then, otherwise }, span });
                return joined(after, other);
            }
            StmtKind::Switch { on, ty, arms, otherwise } => {
                let mut after = None;
                let mut arms = arms.clone();
                for arm in &mut arms {
                    let (body, state) = self.list(&arm.body, Some(state.clone()), None);
                    arm.body = body;
                    after = joined(after, state);
                }
                let mut other = None;
                if let Some(list) = otherwise {
                    let (body, state) = self.list(list, Some(state), None);
                    other = Some(body);
                    after = joined(after, state);
                }
                out.push(Stmt {
                    kind: StmtKind::Switch { on: on.clone(), ty: *ty, arms, otherwise: other },
                    span,
                });
                return after;
            }
            StmtKind::Loop { label, kind, body } => {
                let body = loop {
                    let (list, end) = self.list(body, Some(state.clone()), Some(*label));
                    let again = joined(end, self.continues.remove(label));
                    if !again.is_some_and(|again| state.union(&again)) {
                        break list;
                    }
                };
                out.push(Stmt { kind: StmtKind::Loop { label: *label, kind: kind.clone(), body }, span });
                let left = self.breaks.remove(label);
                return match kind {
                    LoopKind::Forever => left,
                    LoopKind::While(_) | LoopKind::For { .. } => joined(Some(state), left),
                };
            }
            StmtKind::Block { label, body } => {
                let (body, end) = self.list(body, Some(state), Some(*label));
                out.push(Stmt { kind: StmtKind::Block { label: *label, body }, span });
                return joined(end, self.breaks.remove(label));
            }
            StmtKind::Break(label) | StmtKind::Continue(label) => {
                let depth = self.scopes.iter().rposition(|scope| scope.label == Some(*label)).unwrap_or(0);
                self.leave(depth, &state, span, out);
                for local in self.scopes[depth..].iter().flat_map(|scope| &scope.locals) {
                    state.held.remove(local.0 as usize);
                    state.gone.remove(local.0 as usize);
                }
                out.push(stmt.clone());
                let states = match stmt.kind {
                    StmtKind::Break(_) => &mut self.breaks,
                    _ => &mut self.continues,
                };
                let known = states.remove(label);
                states.extend(joined(known, Some(state)).map(|state| (*label, state)));
                return None;
            }
            StmtKind::Return(value) => {
                self.returned(stmt, value, &mut state, out);
                return None;
            }
            StmtKind::Fail(_) => {
                out.push(stmt.clone());
                return None;
            }
            StmtKind::Drop(_) | StmtKind::Clear(_) => out.push(stmt.clone()),
        }
        Some(state)
    }
}
