//! Drop scopes, as in rustc: which values are dropped, where and in what order.
//!
//! - DROP1 a value whose type needs drop is dropped exactly once: by the scope of the variable or temporary
//!   that holds it, in reverse order of creation, or by the owner that it was moved to.
//! - DROP2 each such slot has a drop flag for the whole, and one for each part that is moved out of it
//!   anywhere; a flag whose value is known is not tested.
//! - DROP3 moves are noted once the whole pattern has matched: a pattern that fails moves nothing.

use hashbrown::HashMap;
use overdub_context::ir::{Block, Operand, Ty};
use overdub_context::ops;
use overdub_context::ssa::Variable;

use super::cx::FnCx;
use super::error::{LowerError, Lowered};
use super::place::{OptionTys, Place, Projection, Root, SlotId, SlotKey};
use super::storage::Storage;
use crate::hir::{ExprId, PatId, PatKind};
use crate::infer;

/// Steps from a slot to a part of it.
pub(super) type Path = Vec<PathStep>;

/// A step that is the same in every lowering attempt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum PathStep {
    Field(u32),
    Payload(u32, u32),
    Elem(u64),
}

/// The kind of a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    /// A block: its variables. The temporaries of its value live longer.
    Locals,
    /// A statement or condition: its temporaries.
    Temporaries,
    /// A function or the arm of a `match`.
    Both,
}

/// A slot that must be dropped.
#[derive(Clone, Debug)]
pub(super) struct DropSlot {
    pub(super) ty: infer::Ty,
    /// Whether the slot is full: its drop flag.
    pub(super) full: Variable,
    /// For each part that is moved out on some path, whether it is still there.
    pub(super) parts: Vec<(Path, Variable)>,
    /// Whether it was declared without a value and stores none.
    pub(super) deferred_init: bool,
}

/// A temporary that lives as long as the variables of a block.
#[derive(Clone, Copy, Debug)]
struct ExtendedTemporary {
    /// The scope of the variables.
    scope: usize,
    /// A slot declared before the temporary is created, if that happens on some paths only.
    optional: Option<SlotId>,
}

/// The open scopes and their slots.
#[derive(Default, Debug)]
pub(super) struct DropScopes {
    pub(super) owned: HashMap<SlotId, DropSlot>,
    scopes: Vec<Vec<SlotId>>,
    /// The scope of new variables.
    locals: usize,
    /// The scope of new temporaries.
    temporaries: usize,
    /// Temporaries that live as long as the variables of a block.
    extended: HashMap<ExprId, ExtendedTemporary>,
    /// The moves of the pattern being matched (DROP3).
    pending: Option<Vec<Place>>,
    /// Whether the function handles its moves itself (`#[moves]`).
    pub(super) manual_moves: bool,
    /// The variables whose memory ends with an open scope.
    pub(super) storage: Vec<Storage>,
    /// Whether the function handles raw pointers, if that is known.
    pub(super) handles_pointers: Option<bool>,
}

impl DropScopes {
    /// The scope of new temporaries, by its depth.
    pub(super) fn temporaries_scope(&self) -> usize {
        self.temporaries
    }

    /// The scope of new variables, by its depth.
    pub(super) fn locals_scope(&self) -> usize {
        self.locals
    }
}

impl FnCx<'_> {
    /// Runs in a scope of its own, and drops its slots at the end.
    pub(super) fn scoped<T>(
        &mut self,
        extent: Extent,
        run: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let depth = self.open_scopes();
        let (locals, temporaries) = (self.drop_scopes.locals, self.drop_scopes.temporaries);
        self.drop_scopes.scopes.push(Vec::new());
        let visible = self.debug.visible();
        if extent != Extent::Temporaries {
            self.drop_scopes.locals = depth;
        }
        if extent != Extent::Locals {
            self.drop_scopes.temporaries = depth;
        }
        let result = run(self).and_then(|value| {
            self.exit_scopes(depth)?;
            Ok(value)
        });
        self.drop_scopes.scopes.truncate(depth);
        self.drop_scopes.storage.retain(|storage| storage.scope < depth);
        if extent != Extent::Temporaries {
            self.debug.hide_after(visible);
        }
        (self.drop_scopes.locals, self.drop_scopes.temporaries) = (locals, temporaries);
        result
    }

    pub(super) fn open_scopes(&self) -> usize {
        self.drop_scopes.scopes.len()
    }

    /// Drops the slots of all scopes except the first `depth`.
    pub(super) fn exit_scopes(&mut self, depth: usize) -> Lowered<()> {
        for at in (depth..self.open_scopes()).rev() {
            for slot in self.drop_scopes.scopes[at].clone().into_iter().rev() {
                self.drop_slot(slot)?;
            }
            self.end_storage(at)?;
        }
        Ok(())
    }

    /// The number of variables that the open block has to drop.
    pub(super) fn open_locals(&self) -> usize {
        self.drop_scopes.scopes.get(self.drop_scopes.locals).map_or(0, Vec::len)
    }

    /// Lowers code that runs while only the first `count` variables of the open block are alive.
    pub(super) fn without_locals<T>(
        &mut self,
        count: usize,
        run: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let scope = self.drop_scopes.locals;
        let inner_slots = self.drop_scopes.scopes.get_mut(scope).map(|slots| slots.split_off(count));
        let result = run(self);
        if let (Some(slots), Some(inner_slots)) = (self.drop_scopes.scopes.get_mut(scope), inner_slots) {
            slots.extend(inner_slots);
        }
        result
    }

    /// Lets a temporary live as long as the variables of the open block, wherever it is created. Where other temporaries
    /// of the same `let` are created on some paths only, all get an `Option` now, in the order in which they are dropped.
    pub(super) fn extend_temporary(&mut self, id: ExprId, is_optional: bool) -> Lowered<()> {
        let (scope, ty) = (self.drop_scopes.locals, self.adjusted(id));
        let optional = if is_optional && self.tracks(ty) {
            let slot = self.optional_slot(SlotKey::Temp(id), ty, None)?;
            self.register_slot(slot, ty, scope, false)?;
            Some(slot)
        } else {
            None
        };
        self.drop_scopes.extended.insert(id, ExtendedTemporary { scope, optional });
        Ok(())
    }

    fn optional(&self, ty: infer::Ty) -> Lowered<infer::Ty> {
        let option = self.lowering.program.lang("option");
        let option = option.ok_or_else(|| self.error(self.build.span(), "the prelude has no `Option`"))?;
        Ok(infer::Ty::adt(option, [infer::Arg::Ty(ty)]))
    }

    /// A slot without a value, which stores an `Option` (PLACE4).
    pub(super) fn optional_slot(
        &mut self,
        key: SlotKey,
        ty: infer::Ty,
        name: Option<&str>,
    ) -> Lowered<SlotId> {
        let (option, payload) = (self.lowering.ty(self.optional(ty)?)?, self.lowering.ty(ty)?);
        let none = self.build.op_as(&ops::VARIANT, [Operand::from(0_i64)], option)?;
        let slot = self.new_slot(key, option, name, Some(none.into()))?;
        self.slots[slot.0 as usize].optional = Some(OptionTys { option, payload });
        Ok(slot)
    }

    /// The place of an extended temporary, which gets its value.
    fn fill_optional(&mut self, slot: SlotId, value: Operand, ty: infer::Ty) -> Lowered<Place> {
        let place = Place::new(Root::Slot(slot), ty);
        self.write(&place, value)?;
        self.mark_initialized(&place)?;
        Ok(place)
    }

    /// The number of temporaries that the open statement has to drop.
    pub(super) fn open_temporaries(&self) -> usize {
        self.drop_scopes.scopes.get(self.drop_scopes.temporaries).map_or(0, Vec::len)
    }

    /// Lowers code that runs after all temporaries of the open statement except the first `count` are
    /// dropped.
    pub(super) fn after_temporaries<T>(
        &mut self,
        count: usize,
        run: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let scope = self.drop_scopes.temporaries;
        let dropped =
            self.drop_scopes.scopes.get_mut(scope).map(|slots| slots.split_off(count)).unwrap_or_default();
        for slot in dropped.iter().rev() {
            self.drop_slot(*slot)?;
        }
        let result = run(self);
        if let Some(slots) = self.drop_scopes.scopes.get_mut(scope) {
            slots.extend(dropped);
        }
        result
    }

    /// Drops all variables of the open block except the first `count`, then jumps to a block.
    pub(super) fn undo_locals(&mut self, count: usize, then: Block) -> Lowered<()> {
        let slots = self.drop_scopes.scopes.get(self.drop_scopes.locals).map(|slots| slots[count..].to_vec());
        for slot in slots.unwrap_or_default().into_iter().rev() {
            self.drop_slot(slot)?;
        }
        self.jump(then)
    }

    /// Whether values of a type are tracked for dropping.
    pub(super) fn tracks(&self, ty: infer::Ty) -> bool {
        !self.drop_scopes.manual_moves && self.lowering.needs_drop(ty)
    }

    fn register_slot(&mut self, slot: SlotId, ty: infer::Ty, scope: usize, is_full: bool) -> Lowered<()> {
        if !self.tracks(ty) {
            return Ok(());
        }
        let key = self.slots[slot.0 as usize].key;
        let mut paths: Vec<Path> =
            self.plan.moved.iter().filter(|(of, _)| *of == key).map(|(_, path)| path.clone()).collect();
        paths.sort_by_key(|path| format!("{path:?}"));
        let full = self.flag(is_full)?;
        let mut parts = Vec::with_capacity(paths.len());
        for path in paths {
            parts.push((path, self.flag(is_full)?));
        }
        let deferred_init = !is_full && self.slots[slot.0 as usize].optional.is_none();
        self.drop_scopes.owned.insert(slot, DropSlot { ty, full, parts, deferred_init });
        self.drop_scopes.scopes[scope].push(slot);
        Ok(())
    }

    fn flag(&mut self, value: bool) -> Lowered<Variable> {
        let flag = self.build.declare_variable(Ty::bool(), None);
        self.build.write_variable(flag, value)?;
        Ok(flag)
    }

    /// Registers a variable's slot to be dropped at the end of its block.
    pub(super) fn register_local(&mut self, slot: SlotId, ty: infer::Ty, is_full: bool) -> Lowered<()> {
        self.register_slot(slot, ty, self.drop_scopes.locals, is_full)
    }

    /// The place of a parameter: a slot of its own if the function must drop it and no variable does.
    pub(super) fn owned_param(&mut self, pat: PatId, place: &Place, at: u32) -> Lowered<Place> {
        let is_variable = matches!(self.body.pats[pat.index()].kind, PatKind::Bind { sub: None, .. });
        if is_variable || !place.is_value() || !self.tracks(place.ty) {
            return Ok(place.clone());
        }
        let value = self.read(place)?;
        self.owned_slot(SlotKey::Param(at), place.ty, value)
    }

    /// A slot that is dropped together with the variables.
    pub(super) fn owned_slot(&mut self, key: SlotKey, ty: infer::Ty, value: Operand) -> Lowered<Place> {
        self.owned_in(self.drop_scopes.locals, key, ty, value)
    }

    fn owned_in(&mut self, scope: usize, key: SlotKey, ty: infer::Ty, value: Operand) -> Lowered<Place> {
        let slot = self.new_slot(key, self.lowering.ty(ty)?, None, Some(value))?;
        self.register_slot(slot, ty, scope, true)?;
        Ok(Place::new(Root::Slot(slot), ty))
    }

    /// The place of a value that has no owner yet.
    pub(super) fn temporary(&mut self, id: ExprId, value: Operand, ty: infer::Ty) -> Lowered<Place> {
        if !self.tracks(ty) {
            return Ok(Place::value(value, ty));
        }
        match self.drop_scopes.extended.get(&id).copied() {
            Some(ExtendedTemporary { optional: Some(slot), .. }) => self.fill_optional(slot, value, ty),
            Some(ExtendedTemporary { scope, .. }) => self.owned_in(scope, SlotKey::Temp(id), ty, value),
            None => self.owned_in(self.drop_scopes.temporaries, SlotKey::Temp(id), ty, value),
        }
    }

    /// Keeps a value in a place until the other operands are evaluated.
    pub(super) fn hold(&mut self, id: ExprId, value: Operand, is_more: bool) -> Lowered<Place> {
        let ty = self.adjusted(id);
        if is_more { self.temporary(id, value, ty) } else { Ok(Place::value(value, ty)) }
    }

    /// Moves a value kept by [`FnCx::hold`] out again.
    pub(super) fn release(&mut self, place: &Place) -> Lowered<Operand> {
        let value = self.read(place)?;
        self.moved(place)?;
        Ok(value)
    }

    /// Whether a move out of a place leaves a hole: a raw pointer to the place must no longer find the value
    /// there.
    pub(super) fn leaves_hole(&self, place: &Place) -> bool {
        self.is_in_cell(place) && self.lowering.owns_memory(place.ty)
    }

    /// Notes that the value in a place was moved out.
    pub(super) fn moved(&mut self, place: &Place) -> Lowered<()> {
        self.note_moved_variable(place);
        let leaves_hole = self.leaves_hole(place);
        let tracks = self.tracks(place.ty);
        if !leaves_hole && !tracks {
            return Ok(());
        }
        if let Some(pending) = &mut self.drop_scopes.pending {
            pending.push(place.clone());
            return Ok(());
        }
        if leaves_hole {
            self.leave_hole(place)?;
        }
        if tracks { self.mark_moved(place) } else { Ok(()) }
    }

    /// Notes that the value in a place is never dropped. Pointers keep the cell of a variable with all that it owns; the
    /// variable continues in another one, which is what a later assignment writes to and what its scope ends.
    pub(super) fn forgotten(&mut self, place: &Place) -> Lowered<()> {
        if let Root::Slot(id) = place.root
            && let slot = self.slots[id.0 as usize]
            && place.steps.is_empty()
            && slot.optional.is_none()
            && self.leaves_hole(place)
        {
            let value = self.read(place)?;
            let cell = self.op(&ops::CELL, vec![value])?;
            self.build.write_variable(slot.variable, cell)?;
        }
        self.moved(place)
    }

    /// Matches a pattern, and notes its moves only afterwards (DROP3).
    pub(super) fn matching(&mut self, run: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        self.matching_if(run, |_| Ok(()))
    }

    /// Matches a pattern with a condition on its bindings, and notes the moves only after both hold (DROP3).
    pub(super) fn matching_if(
        &mut self,
        run: impl FnOnce(&mut Self) -> Lowered<()>,
        holds: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let outer = self.drop_scopes.pending.replace(Vec::new());
        let matched = run(self);
        let pending = std::mem::replace(&mut self.drop_scopes.pending, outer).unwrap_or_default();
        matched?;
        holds(self)?;
        pending.iter().try_for_each(|place| self.moved(place))
    }

    fn mark_moved(&mut self, place: &Place) -> Lowered<()> {
        let slot = match &place.root {
            Root::Value(_) => return Ok(()),
            Root::Slot(slot) => *slot,
            _ => return Err(self.moved_from_reference(place)),
        };
        let Some(owned) = self.drop_scopes.owned.get(&slot).cloned() else {
            return Err(self.moved_from_reference(place));
        };
        let Some(path) = path_of(place) else { return Err(self.moved_from_reference(place)) };
        if path.is_empty() {
            return Ok(self.build.write_variable(owned.full, false)?);
        }
        match owned.parts.iter().find(|(part, _)| *part == path) {
            Some(&(_, flag)) => Ok(self.build.write_variable(flag, false)?),
            None => {
                self.missing_plan.moved.insert((self.slots[slot.0 as usize].key, path));
                Ok(())
            }
        }
    }

    fn moved_from_reference(&self, place: &Place) -> super::error::Stop {
        let ty = self.lowering.types.show(place.ty);
        let message = format!("a value of type `{ty}`, which is dropped, is moved out of a reference here");
        LowerError::new(self.build.span(), message)
            .with_help("move it with `std::mem::take` or `std::mem::replace`, or clone it")
            .into()
    }

    /// Notes that a place, and so each of its parts, has a value again.
    pub(super) fn mark_initialized(&mut self, place: &Place) -> Lowered<()> {
        let Root::Slot(slot) = &place.root else { return Ok(()) };
        let Some(owned) = self.drop_scopes.owned.get(slot).cloned() else { return Ok(()) };
        let Some(path) = path_of(place) else { return Ok(()) };
        if path.is_empty() {
            self.build.write_variable(owned.full, true)?;
        }
        for (_, flag) in owned.parts.iter().filter(|(part, _)| part.starts_with(&path)) {
            self.build.write_variable(*flag, true)?;
        }
        Ok(())
    }

    /// Notes that a slot declared without a value has one on every path to the current position.
    pub(super) fn mark_definitely_initialized(&mut self, slot: SlotId) -> Lowered<()> {
        let Some(owned) = self.drop_scopes.owned.get_mut(&slot) else { return Ok(()) };
        owned.deferred_init = false;
        let ty = owned.ty;
        self.mark_initialized(&Place::new(Root::Slot(slot), ty))
    }
}

/// The steps to a place, if they are constant.
pub(super) fn path_of(place: &Place) -> Option<Path> {
    let step = |step: &Projection| match step {
        Projection::Field(field) => Some(PathStep::Field(*field)),
        Projection::Payload(tag, field) => Some(PathStep::Payload(*tag, *field)),
        Projection::Elem(at) => {
            let (_, at) = at.constant()?.value().as_int()?;
            Some(PathStep::Elem(u64::try_from(at).ok()?))
        }
        Projection::UnionField(..) | Projection::Slice(..) => None,
    };
    place.steps.iter().map(|(one, _)| step(one)).collect()
}
