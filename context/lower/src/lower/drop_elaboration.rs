//! Drop elaboration, as in rustc: a drop of a slot becomes drops of what it still holds, as its drop flags say
//! (DROP2).

use overdub_context::ir::{Operand, Ty};

use super::cx::FnCx;
use super::drop_scopes::{DropSlot, Path, PathStep, path_of};
use super::error::Lowered;
use super::place::{Place, Projection, Root, SlotId};
use super::session::Code;
use crate::infer::{self, TyKind};

impl FnCx<'_> {
    /// Drops the old value of a place before it is overwritten.
    pub(super) fn drop_old(&mut self, place: &Place) -> Lowered<()> {
        if !self.tracks(place.ty) {
            return Ok(());
        }
        if let Root::Slot(slot) = &place.root
            && let Some(owned) = self.drop_scopes.owned.get(slot).cloned()
            && let Some(path) = path_of(place)
        {
            return self.drop_part(place, &owned, &path);
        }
        let old = self.read(place)?;
        self.drop_value(old, place.ty)
    }

    pub(super) fn drop_slot(&mut self, slot: SlotId) -> Lowered<()> {
        let Some(owned) = self.drop_scopes.owned.get(&slot).cloned() else { return Ok(()) };
        self.drop_part(&Place::new(Root::Slot(slot), owned.ty), &owned, &vec![])
    }

    /// Drops a part of a slot, as far as it has not been moved out.
    fn drop_part(&mut self, place: &Place, owned: &DropSlot, path: &Path) -> Lowered<()> {
        let flag = match &path[..] {
            [] => Some(owned.full),
            _ => owned.parts.iter().find(|(part, _)| part == path).map(|&(_, flag)| flag),
        };
        let Some(flag) = flag else { return self.drop_rest(place, owned, path) };
        let is_full = self.build.read_variable(flag)?;
        match self.known(&is_full) {
            Some(false) => Ok(()),
            Some(true) => self.drop_rest(place, owned, path),
            None => {
                if let (true, &Root::Slot(slot)) = (owned.deferred_init, &place.root) {
                    self.missing_plan.optional.insert(self.slots[slot.0 as usize].key);
                }
                let (full, done) = (self.build.new_block(), self.build.new_block());
                self.branch(is_full, full, done)?;
                self.enter(full)?;
                self.drop_rest(place, owned, path)?;
                self.jump(done)?;
                self.enter(done)
            }
        }
    }

    /// Drops a part that is present, except for the parts of it that have been moved out.
    fn drop_rest(&mut self, place: &Place, owned: &DropSlot, path: &Path) -> Lowered<()> {
        let is_open = owned.parts.iter().any(|(part, _)| part.len() > path.len() && part.starts_with(path));
        if !is_open {
            let value = self.read(place)?;
            return self.drop_value(value, place.ty);
        }
        let ty = self.lowering.peel(place.ty);
        match ty.kind() {
            TyKind::Tuple(elems) => {
                for (&elem, at) in elems.iter().zip(0..) {
                    self.drop_step(place, owned, path, (PathStep::Field(at), elem))?;
                }
                Ok(())
            }
            TyKind::Array(elem, infer::Const::Value(len)) => {
                for at in 0..u64::try_from(*len).unwrap_or_default() {
                    self.drop_step(place, owned, path, (PathStep::Elem(at), *elem))?;
                }
                Ok(())
            }
            TyKind::Adt(def, _) if self.lowering.program.adt(*def)?.is_enum => {
                self.drop_variants(place, owned, path, ty)
            }
            TyKind::Adt(..) => {
                let variants = self.lowering.types.variants(ty)?;
                let fields = variants.into_iter().flat_map(|(_, fields)| fields).map(|(_, ty)| ty);
                for (field, at) in fields.zip(0..) {
                    self.drop_step(place, owned, path, (PathStep::Field(at), field))?;
                }
                Ok(())
            }
            _ => {
                let ty = self.lowering.types.show(place.ty);
                Err(self.error(self.build.span(), format!("a part is moved out of a value of type `{ty}`")))
            }
        }
    }

    fn drop_step(
        &mut self,
        place: &Place,
        owned: &DropSlot,
        path: &Path,
        (step, ty): (PathStep, infer::Ty),
    ) -> Lowered<()> {
        if !self.lowering.needs_drop(ty) {
            return Ok(());
        }
        let mut inner = path.clone();
        inner.push(step);
        let step = match step {
            PathStep::Field(field) => Projection::Field(field),
            PathStep::Payload(tag, field) => Projection::Payload(tag, field),
            PathStep::Elem(at) => Projection::Elem(Operand::from(at as usize)),
        };
        let place = self.project(place.clone(), step, ty)?;
        self.drop_part(&place, owned, &inner)
    }

    fn drop_variants(&mut self, place: &Place, owned: &DropSlot, path: &Path, ty: infer::Ty) -> Lowered<()> {
        let done = self.build.new_block();
        let mut variant_arms = Vec::new();
        for ((_, fields), tag) in self.lowering.types.variants(ty)?.into_iter().zip(0..) {
            let mut left = Vec::new();
            for ((_, ty), at) in fields.into_iter().zip(0..) {
                let step = PathStep::Payload(tag, at);
                if self.lowering.needs_drop(ty) && !self.is_moved_out(owned, path, step)? {
                    left.push((step, ty));
                }
            }
            if !left.is_empty() {
                variant_arms.push((tag, self.build.new_block(), left));
            }
        }
        if variant_arms.is_empty() {
            return Ok(());
        }
        let on = self.tag_of(place)?;
        let cases: Vec<_> = variant_arms.iter().map(|(tag, block, _)| (i128::from(*tag), *block)).collect();
        self.switch_on(on, &cases, Some(done))?;
        for (_, block, left) in variant_arms {
            self.enter(block)?;
            for part in left {
                self.drop_step(place, owned, path, part)?;
            }
            self.jump(done)?;
        }
        self.enter(done)
    }

    /// Whether a part is known to be moved out.
    fn is_moved_out(&mut self, owned: &DropSlot, path: &Path, step: PathStep) -> Lowered<bool> {
        let is_it = |part: &Path| part.split_last() == Some((&step, &path[..]));
        let Some(&(_, flag)) = owned.parts.iter().find(|(part, _)| is_it(part)) else { return Ok(false) };
        let is_full = self.build.read_variable(flag)?;
        Ok(self.known(&is_full) == Some(false))
    }

    /// Whether every path to the current position has given a slot its value.
    pub(super) fn is_known_full(&mut self, slot: SlotId) -> Lowered<bool> {
        let Some(owned) = self.drop_scopes.owned.get(&slot) else { return Ok(false) };
        let is_full = self.build.read_variable(owned.full)?;
        Ok(self.known(&is_full) == Some(true))
    }

    fn known(&self, flag: &Operand) -> Option<bool> {
        self.build.known_constant(flag)?.value().as_bool()
    }

    /// Drops a value that has no owner.
    pub(super) fn drop_value(&mut self, value: Operand, ty: infer::Ty) -> Lowered<()> {
        if self.tracks(ty) {
            let glue = self.lowering.symbol_of(Code::Drop(ty));
            self.build.call(glue, [value], Ty::unit())?;
        }
        Ok(())
    }
}
