//! Debug information: where statements begin, and where the values of the variables in scope are.
//!
//! - POINT1 a point lists the variables that a Rust statement there could name: those in scope that are
//!   initialised and not entirely moved out.
//! - POINT2 each assignment to a variable produces a value of its own: two variables never share an IR value.

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Location, LocationStep, Operand, PointKind, SourceVariable};
use overdub_context::{Span, Symbol, ops};
use smallvec::SmallVec;

use super::cx::{Binding, CapturedPart, FnCx};
use super::error::Lowered;
use super::place::{Place, Projection, Root, SlotId, SlotKey};
use crate::hir::{ExprId, ExprKind, Local, LocalId, PatKind, Stmt};
use crate::infer;
use crate::source::PRELUDE;

/// The variables in scope while a body is lowered.
#[derive(Default, Debug)]
pub(super) struct DebugScopes {
    is_on: bool,
    visible: Vec<LocalId>,
    /// The parts moved out on some path to the current position.
    moved: MovedFields,
    numbers: HashMap<LocalId, usize>,
    /// The statement being lowered: its macro expansions have the same location.
    statement: Option<Span>,
    /// Whether variables bound from now on are not parameters.
    in_body: bool,
}

/// The variables, and parts of them, that are moved out at the end of a branch.
pub(super) type MovedFields = HashSet<(SlotId, Fields)>;

/// The numbers of the fields that lead from a variable to a part of it.
type Fields = SmallVec<[u32; 2]>;

/// The fields that a place goes through, or `None` if it goes through elements.
fn fields(place: &Place) -> Option<Fields> {
    let steps = place.steps.iter().map(|(step, _)| match step {
        Projection::Field(k) | Projection::Payload(_, k) => Some(*k),
        // What a union field contains depends on the field that was written last.
        Projection::UnionField(..) | Projection::Elem(_) | Projection::Slice(..) => None,
    });
    steps.collect()
}

impl DebugScopes {
    /// The number of variables in scope.
    pub(super) fn visible(&self) -> usize {
        self.visible.len()
    }

    /// Ends the scopes of all variables except the first `count`.
    pub(super) fn hide_after(&mut self, count: usize) {
        self.visible.truncate(count);
    }

    pub(super) fn params_are_bound(&mut self) {
        self.in_body = true;
    }

    /// Whether debug information is generated.
    pub(super) fn is_on(&self) -> bool {
        self.is_on
    }

    /// Notes that a part of a slot has a value again.
    pub(super) fn refilled(&mut self, slot: SlotId, place: &Place) {
        if let Some(fields) = fields(place) {
            self.moved.retain(|(of, moved)| *of != slot || !moved.starts_with(&fields));
        }
    }

    /// The parts of a place in a slot that were moved out, or `None` if the place itself was.
    fn moved_parts(&self, slot: SlotId, place: &Place) -> Option<Vec<Fields>> {
        let Some(fields) = fields(place) else { return Some(Vec::new()) };
        let mut parts: Vec<Fields> = Vec::new();
        for (_, moved) in self.moved.iter().filter(|(of, _)| *of == slot) {
            if fields.starts_with(moved) {
                return None;
            }
            parts.extend(moved.strip_prefix(&fields[..]).map(Fields::from));
        }
        parts.sort_unstable();
        Some(parts)
    }

    /// The moved parts at the point where branches diverge.
    pub(super) fn branch(&self) -> MovedFields {
        self.moved.clone()
    }

    /// Ends the first of two branches; if control continues after it, its moves count where the branches
    /// join.
    pub(super) fn other_branch(&mut self, before: &MovedFields, falls_through: bool) -> Vec<MovedFields> {
        let after = std::mem::replace(&mut self.moved, before.clone());
        if falls_through { vec![after] } else { Vec::new() }
    }

    /// The moved parts at the end of a branch, if control continues after it.
    pub(super) fn branch_if(&self, falls_through: bool) -> Option<MovedFields> {
        falls_through.then(|| self.moved.clone())
    }

    /// Restores the state at the point where branches diverge.
    pub(super) fn restore(&mut self, before: &MovedFields) {
        self.moved.clone_from(before);
    }

    /// Discards the moves of a branch that diverges.
    pub(super) fn forget_branch(&mut self, before: &MovedFields) {
        self.restore(before);
    }

    /// A part moved out on any branch counts as moved out where the branches join.
    pub(super) fn join(&mut self, branches: Vec<MovedFields>) {
        self.moved.extend(branches.into_iter().flatten());
    }
}

impl FnCx<'_> {
    /// Enables debug information, except for bodies of the prelude.
    pub(super) fn begin_debug_info(&mut self) {
        let span = self.lowering.program.head(self.typed.body.owner).span;
        if !span.file.starts_with(PRELUDE) {
            self.debug.is_on = true;
            self.build.with_debug_info();
        }
    }

    /// Binds a variable, which is in scope from then on.
    pub(super) fn bind_local(&mut self, local: LocalId, binding: Binding) {
        self.bindings.insert(local, binding);
        let &Local { name, in_source: is_written, .. } = &self.body.locals[local.index()];
        if !self.debug.is_on || !is_written || self.debug.visible.contains(&local) {
            return;
        }
        self.debug.visible.push(local);
        if !self.debug.numbers.contains_key(&local) {
            let ty = Symbol::new(&self.lowering.types.show(self.typed.locals[local.index()]));
            let is_param = !self.debug.in_body;
            if let Some(number) = self.build.source_variable(SourceVariable { name, ty, is_param }) {
                self.debug.numbers.insert(local, number);
            }
        }
    }

    /// The number of a captured part of a variable, which is in scope in the whole closure.
    pub(super) fn number_captured(&mut self, name: Symbol, of: LocalId, ty: infer::Ty) -> Option<usize> {
        if !self.debug.is_on || !self.body.locals[of.index()].in_source {
            return None;
        }
        let ty = Symbol::new(&self.lowering.types.show(ty));
        self.build.source_variable(SourceVariable { name, ty, is_param: true })
    }

    /// A copy of a value that no other source variable shares (POINT2).
    pub(super) fn unshared_value(&mut self, key: SlotKey, value: Operand) -> Lowered<Operand> {
        match key {
            SlotKey::Local(_) if self.debug.is_on => self.op(&ops::BLACK_BOX, vec![value]),
            _ => Ok(value),
        }
    }

    /// Notes that a variable was moved out, unless the value in the place is copied; of a variable moved out
    /// in part, the rest can still be inspected.
    pub(super) fn note_moved_variable(&mut self, place: &Place) {
        if let (true, &Root::Slot(slot)) = (self.debug.is_on, &place.root)
            && !self.lowering.types.is_copy(place.ty)
            && let Some(fields) = fields(place)
        {
            self.debug.moved.insert((slot, fields));
        }
    }

    /// The point where a statement begins.
    pub(super) fn statement_point(&mut self, stmt: &Stmt) -> Lowered<()> {
        let span = match stmt {
            Stmt::Let { init: None, .. } => return Ok(()),
            // It belongs to the construct it was desugared from, which has a point of its own.
            stmt if self.is_desugared(stmt) => return Ok(()),
            Stmt::Let { pat, init: Some(_), .. } => self.body.pats[pat.index()].span,
            Stmt::Expr(expr) => self.span(*expr),
        };
        self.begin_statement(span)
    }

    /// Whether a statement binds a variable that is not in the source, such as the iterator of a `for`.
    fn is_desugared(&self, stmt: &Stmt) -> bool {
        let Stmt::Let { pat, .. } = stmt else { return false };
        match self.body.pats[pat.index()].kind {
            PatKind::Bind { local, .. } => !self.body.locals[local.index()].in_source,
            _ => false,
        }
    }

    /// The point where an expression in statement position begins.
    pub(super) fn expr_point(&mut self, expr: ExprId) -> Lowered<()> {
        match &self.expr(expr).kind {
            // Its own statements have points.
            ExprKind::Block(block) if !block.stmts.first().is_some_and(|stmt| self.is_desugared(stmt)) => {
                Ok(())
            }
            _ => self.begin_statement(self.span(expr)),
        }
    }

    /// The point where a body begins that is not a block.
    pub(super) fn body_point(&mut self, value: ExprId) -> Lowered<()> {
        self.expr_point(value)
    }

    /// The point where the condition of a loop is evaluated again, or its next item is requested; variables
    /// declared before the loop that an iteration moved out have been assigned again.
    pub(super) fn head_point(&mut self, loop_: ExprId, before: &MovedFields) -> Lowered<()> {
        let after = self.debug.branch();
        self.debug.restore(before);
        self.debug.statement = None;
        let result = self.begin_statement(self.span(loop_));
        self.debug.restore(&after);
        result
    }

    fn begin_statement(&mut self, span: Span) -> Lowered<()> {
        if !self.debug.is_on || !span.is_known() || self.debug.statement == Some(span) {
            return Ok(());
        }
        self.debug.statement = Some(span);
        self.add_point(span, PointKind::Statement)
    }

    /// The point at the end of a scope: keeps its variables alive until there.
    pub(super) fn scope_end_point(&mut self) -> Lowered<()> {
        self.add_point(self.build.span(), PointKind::ScopeEnd)
    }

    fn add_point(&mut self, span: Span, kind: PointKind) -> Lowered<()> {
        if !self.debug.is_on || self.build.current().is_none() {
            return Ok(());
        }
        let mut live_vars = Vec::with_capacity(self.captured_parts.len() + self.debug.visible.len());
        for at in 0..self.captured_parts.len() {
            let CapturedPart { place, number, .. } = &self.captured_parts[at];
            let (place, number) = (place.clone(), *number);
            if let (Some(number), Some(location)) = (number, self.location(&place)?) {
                live_vars.push((number, location));
            }
        }
        for local in self.debug.visible.clone() {
            let Some(&number) = self.debug.numbers.get(&local) else { continue };
            let place = match self.bindings.get(&local) {
                Some(Binding::Slot(slot)) => Place::new(Root::Slot(*slot), self.typed.locals[local.index()]),
                Some(Binding::Place(place)) => place.clone(),
                None => continue,
            };
            if let Some(location) = self.location(&place)? {
                live_vars.push((number, location));
            }
        }
        self.build.point(span, kind, live_vars);
        Ok(())
    }

    /// The location of the value in a place, or `None` if it has none.
    fn location(&mut self, place: &Place) -> Lowered<Option<Location>> {
        let mut moved = Vec::new();
        let mut steps = place.steps.clone();
        let (root, in_cell) = match &place.root {
            Root::Addr(inner) => return self.location(inner),
            Root::Captured(_) => return Ok(None),
            Root::Ref(reference) => (reference.clone(), true),
            Root::Value(value) | Root::Static(value) => (value.clone(), false),
            Root::Slot(id) => {
                let slot = self.slots[id.0 as usize];
                let is_empty = slot.deferred_init && !self.build.is_assigned(slot.variable)
                    || slot.optional.is_some() && !self.is_known_full(*id)?;
                let parts = self.debug.moved_parts(*id, place).filter(|_| !is_empty);
                let Some(parts) = parts else { return Ok(None) };
                moved = parts;
                steps = slot.steps_to(place);
                (self.build.read_variable(slot.variable)?, slot.celled)
            }
        };
        let steps = steps.iter().map(|(step, _)| match step {
            Projection::Field(k) | Projection::Payload(_, k) => Some(LocationStep::Field(*k)),
            // What a union field contains depends on the field that was written last.
            Projection::UnionField(..) => None,
            Projection::Elem(at) => Some(LocationStep::Elem(at.clone())),
            Projection::Slice(from, to) => Some(LocationStep::Slice(from.clone(), to.clone())),
        });
        let Some(path) = steps.collect::<Option<SmallVec<_>>>() else { return Ok(None) };
        Ok(Some(Location { root, in_cell, ty: self.ir_ty_of(place)?, path, moved }))
    }
}
