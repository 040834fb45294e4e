//! Places: where a value is stored, and how it is read, written and borrowed.
//!
//! - PLACE1 a place is a root and projections; nothing is read before [`FnCx::read`], so that two-phase
//!   borrows and assignments read the value at the right time. The operands of its projections are already
//!   evaluated.
//! - PLACE2 a write to a variable rebuilds it: the parts along the path are taken out, changed and put back
//!   one after the other, so that each has a single owner and is changed in place.
//! - PLACE3 borrowing a variable needs a cell; if the plan did not provide one, it is added to the plan and
//!   the body is lowered again. So does writing a part of a field of a union.
//! - PLACE4 a slot that is dropped where only some paths have given it a value stores an `Option`, because a
//!   variable of the IR has a value on every path; the drop flag decides whether it is read.
//! - PLACE5 what a closure does not capture of a variable is never read, written or borrowed in it: rustc
//!   captures every field that is.

use overdub_context::ir::{Operand, Ty, TyKind as IrKind};
use overdub_context::ops::{self, OpDef};
use overdub_context::ssa::Variable;
use smallvec::SmallVec;

use super::cx::FnCx;
use super::error::{LowerError, Lowered, Stop};
use super::union_fields::shares_bits;
use crate::hir::{ExprId, ExprKind, LocalId, UnOp, ValuePath};
use crate::infer::{self, TyKind};

/// A variable of the function being lowered, or a cell that represents it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct SlotId(pub(super) u32);

/// The source construct that a slot belongs to: the same in every lowering attempt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum SlotKey {
    Local(LocalId),
    /// A part of a variable that a closure captures, by the number of the capture.
    Capture(u32),
    /// The value of an in/out parameter.
    Param(u32),
    /// A temporary whose address is taken.
    Temp(ExprId),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) key: SlotKey,
    pub(super) variable: Variable,
    /// Whether `variable` holds a cell of `ty`.
    pub(super) celled: bool,
    /// Whether it was declared without a value: an assignment to the whole of it creates a new cell.
    pub(super) deferred_init: bool,
    /// Whether it stores an `Option` of its value (PLACE4).
    pub(super) optional: Option<OptionTys>,
}

/// The IR types of an `Option` and of its payload.
#[derive(Clone, Copy, Debug)]
pub(super) struct OptionTys {
    pub(super) option: Ty,
    pub(super) payload: Ty,
}

/// The number of the variant `Some`.
const SOME: u32 = 1;

impl Slot {
    /// The steps from what the slot stores to a place in it.
    pub(super) fn steps_to(&self, place: &Place) -> SmallVec<[(Projection, Ty); 2]> {
        let payload = self.optional.map(|tys| (Projection::Payload(SOME, 0), tys.payload));
        payload.into_iter().chain(place.steps.iter().cloned()).collect()
    }
}

#[derive(Clone, Debug)]
pub(super) enum Root {
    Slot(SlotId),
    /// The referent of a `ref` value.
    Ref(Operand),
    /// A value that is not stored in a place.
    Value(Operand),
    /// The value of a static: the IR has no place that all functions share.
    Static(Operand),
    /// A `&mut` to a place that has not been turned into a value.
    Addr(Box<Place>),
    /// A variable that the closure does not capture as a whole: the place of a captured field of it replaces
    /// it (PLACE5).
    Captured(LocalId),
}

#[derive(Clone, Debug)]
pub(super) enum Projection {
    Field(u32),
    Payload(u32, u32),
    /// A field of a union, whichever field was written last; the union, if its fields share bits.
    UnionField(u32, Option<infer::Ty>),
    Elem(Operand),
    Slice(Operand, Operand),
}

#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) root: Root,
    /// The projections, each with the IR type of its result.
    pub(super) steps: SmallVec<[(Projection, Ty); 2]>,
    /// The Rust type of the place.
    pub(super) ty: infer::Ty,
    /// Whether `ty` is the type of a shared reference to the place, while the place holds the referent.
    pub(super) is_borrow: bool,
    /// Whether it was reached through a shared reference from elsewhere: only its value is known, not where
    /// it is stored.
    pub(super) is_shared: bool,
    /// Whether it was reached through a raw pointer.
    pub(super) is_raw: bool,
}

impl Place {
    pub(super) fn new(root: Root, ty: infer::Ty) -> Place {
        Place { root, steps: SmallVec::new(), ty, is_borrow: false, is_shared: false, is_raw: false }
    }

    pub(super) fn value(operand: Operand, ty: infer::Ty) -> Place {
        Place::new(Root::Value(operand), ty)
    }

    pub(super) fn addr(self, ty: infer::Ty) -> Place {
        Place::new(Root::Addr(Box::new(self)), ty)
    }

    pub(super) fn with_ty(mut self, ty: infer::Ty) -> Place {
        self.ty = ty;
        self
    }

    pub(super) fn is_value(&self) -> bool {
        matches!(self.root, Root::Value(_))
    }
}

/// Whether a place is a part of a field of a union. The rest of the field may not be written, so it is no value.
fn is_in_union(steps: &[(Projection, Ty)]) -> bool {
    let field = steps.iter().position(|(step, _)| matches!(step, Projection::UnionField(_, None)));
    field.is_some_and(|at| at + 1 < steps.len())
}

impl FnCx<'_> {
    /// The place with one more projection.
    pub(super) fn project(&mut self, place: Place, step: Projection, ty: infer::Ty) -> Lowered<Place> {
        let mut place = place;
        // `deref` looks through a `&mut` to a place; projections are never applied to it.
        if let Root::Addr(inner) = place.root {
            place = *inner;
        }
        let step = match step {
            Projection::Field(field) if self.lowering.is_union(place.ty) => {
                let shares_bits = shares_bits(self.lowering, place.ty);
                Projection::UnionField(field, shares_bits.then_some(place.ty))
            }
            step => step,
        };
        place.steps.push((step, self.lowering.ty(ty)?));
        place.ty = ty;
        place.is_borrow = false;
        Ok(self.captured_part(&place).unwrap_or(place))
    }

    /// The place of a captured field of a variable.
    fn captured_part(&self, place: &Place) -> Option<Place> {
        let Root::Captured(local) = place.root else { return None };
        let fields = place.steps.iter().map(|(step, _)| match step {
            Projection::Field(at) | Projection::Payload(0, at) => Some(*at),
            _ => None,
        });
        let fields: SmallVec<[u32; 2]> = fields.collect::<Option<_>>()?;
        let part =
            self.captured_parts.iter().find(|part| part.local == local && part.fields[..] == fields[..]);
        part.map(|part| part.place.clone())
    }

    fn not_captured(&self, local: LocalId) -> Stop {
        let name = self.body.locals[local.index()].name;
        self.error(self.build.span(), format!("internal: this part of `{name}` is not captured"))
    }

    /// The place that the reference or box in this place points to; `ty` is the referent's type.
    pub(super) fn deref(&mut self, place: Place, ty: infer::Ty) -> Lowered<Place> {
        if self.pointee(place.ty).is_some() && !self.lowering.is_object(ty) {
            let pointer = self.read(&place)?;
            return Ok(Place { is_raw: true, ..Place::new(Root::Ref(pointer), ty) });
        }
        let TyKind::RefMut(inner) = place.ty.kind() else {
            let is_shared = place.is_shared || !place.is_borrow && matches!(place.ty.kind(), TyKind::Ref(_));
            return Ok(Place { ty, is_borrow: false, is_shared, ..place });
        };
        if let Root::Addr(target) = place.root {
            return Ok(target.with_ty(ty));
        }
        if self.lowering.is_object(*inner) {
            return Ok(place.with_ty(ty));
        }
        let reference = self.read(&place)?;
        Ok(Place::new(Root::Ref(reference), ty))
    }

    /// The value in a place.
    pub(super) fn read(&mut self, place: &Place) -> Lowered<Operand> {
        self.read_by(place, &ops::REF_GET)
    }

    /// The value in a place that is about to be overwritten: it is moved out, leaving a hole.
    pub(super) fn take(&mut self, place: &Place) -> Lowered<Operand> {
        let is_scalar = matches!(
            self.ir_ty_of(place)?.kind(),
            IrKind::Unit | IrKind::Bool | IrKind::Char | IrKind::Int(_) | IrKind::Float(_) | IrKind::Ref(_)
        );
        if is_scalar {
            return self.read(place);
        }
        if let &Root::Slot(id) = &place.root
            && let slot = self.slots[id.0 as usize]
            && !slot.celled
            && !(place.steps.is_empty() && slot.optional.is_none())
        {
            let composite = self.build.read_variable(slot.variable)?;
            let (part, composite) = self.take_out(composite, &slot.steps_to(place))?;
            self.build.write_variable(slot.variable, composite)?;
            return Ok(part);
        }
        self.read_by(place, &ops::REF_TAKE)
    }

    /// Leaves a hole in a place in a cell, even for a scalar.
    pub(super) fn leave_hole(&mut self, place: &Place) -> Lowered<()> {
        self.read_by(place, &ops::REF_TAKE).map(drop)
    }

    /// The part at `steps`, and `composite` with a hole in its place.
    fn take_out(&mut self, composite: Operand, steps: &[(Projection, Ty)]) -> Lowered<(Operand, Operand)> {
        let Some(((step, ty), rest)) = steps.split_first() else { return Ok((composite.clone(), composite)) };
        let (part, composite) = self.take_step(composite, step, *ty)?;
        if rest.is_empty() {
            return Ok((part, composite));
        }
        let (inner, part) = self.take_out(part, rest)?;
        Ok((inner, self.put_step(composite, step, part)?))
    }

    /// A part, and the whole without it. A slice is a view, which is copied when it is written.
    fn take_step(&mut self, composite: Operand, step: &Projection, ty: Ty) -> Lowered<(Operand, Operand)> {
        let (op, mut args) = match step {
            Projection::Field(field) => (&ops::TAKE_FIELD, vec![index(*field)]),
            Projection::Payload(tag, field) => (&ops::TAKE_PAYLOAD, vec![index(*tag), index(*field)]),
            // The union stays as it is: what is written to the part is written into it.
            Projection::UnionField(_, Some(_)) => {
                return Ok((self.get_step(composite.clone(), step, ty)?, composite));
            }
            Projection::UnionField(field, None) => {
                let active = self.active_field(composite, *field)?;
                return self.take_step(active, &Projection::Payload(*field, 0), ty);
            }
            Projection::Elem(at) => (&ops::TAKE_ELEM, vec![at.clone()]),
            Projection::Slice(..) => return Ok((self.get_step(composite.clone(), step, ty)?, composite)),
        };
        args.insert(0, composite);
        let both = self.op(op, args)?;
        let part = self.op(&ops::FIELD, vec![both.clone(), index(0)])?;
        let composite = self.op(&ops::FIELD, vec![both, index(1)])?;
        Ok((part, composite))
    }

    fn read_by(&mut self, place: &Place, from_cell: &'static OpDef) -> Lowered<Operand> {
        match &place.root {
            Root::Addr(inner) => {
                if self.is_mut_ref(place.ty) {
                    self.borrow(inner)
                } else {
                    self.read(inner)
                }
            }
            Root::Value(value) | Root::Static(value) => self.get_steps(value.clone(), &place.steps),
            Root::Ref(reference) => self.read_behind(reference.clone(), &place.steps, from_cell),
            &Root::Captured(local) => Err(self.not_captured(local)),
            &Root::Slot(id) => {
                let slot = self.slots[id.0 as usize];
                let stored = self.build.read_variable(slot.variable)?;
                if slot.celled {
                    return self.read_behind(stored, &slot.steps_to(place), from_cell);
                }
                self.get_steps(stored, &slot.steps_to(place))
            }
        }
    }

    /// Whether a place is a variable kept in a cell, or a field path within one.
    pub(super) fn is_in_cell(&self, place: &Place) -> bool {
        let by_fields = place.steps.iter().all(|(step, _)| matches!(step, Projection::Field(_)));
        matches!(&place.root, Root::Slot(slot) if self.slots[slot.0 as usize].celled)
            && by_fields
            && !place.is_shared
    }

    fn is_mut_ref(&self, ty: infer::Ty) -> bool {
        let mut ty = ty;
        while let TyKind::Ref(inner) = ty.kind() {
            ty = *inner;
        }
        matches!(ty.kind(), TyKind::RefMut(inner) if !self.lowering.is_object(*inner))
    }

    pub(super) fn get_steps(&mut self, value: Operand, steps: &[(Projection, Ty)]) -> Lowered<Operand> {
        let mut value = value;
        for (step, ty) in steps {
            value = self.get_step(value, step, *ty)?;
        }
        Ok(value)
    }

    fn get_step(&mut self, value: Operand, step: &Projection, ty: Ty) -> Lowered<Operand> {
        match step {
            Projection::Field(field) => self.op_as(&ops::FIELD, vec![value, index(*field)], ty),
            Projection::Payload(tag, field) => {
                self.op_as(&ops::PAYLOAD, vec![value, index(*tag), index(*field)], ty)
            }
            Projection::UnionField(field, Some(of)) => self.union_field(&value, *field, *of),
            Projection::UnionField(field, None) => {
                self.op_as(&ops::UNION_GET, vec![value, index(*field)], ty)
            }
            Projection::Elem(at) => self.op(&ops::GET, vec![value, at.clone()]),
            Projection::Slice(low, high) if ty == Ty::str() => {
                self.op(&ops::STR_SLICE, vec![value, low.clone(), high.clone()])
            }
            Projection::Slice(low, high) => self.op(&ops::SLICE, vec![value, low.clone(), high.clone()]),
        }
    }

    /// The reference after some more projections.
    pub(super) fn ref_steps(&mut self, reference: Operand, steps: &[(Projection, Ty)]) -> Lowered<Operand> {
        let mut reference = reference;
        for (step, ty) in steps {
            let ty = Ty::reference(*ty);
            reference = match step {
                Projection::Field(field) => {
                    self.op_as(&ops::REF_FIELD, vec![reference, index(*field)], ty)?
                }
                Projection::Payload(tag, field) => {
                    self.op_as(&ops::REF_PAYLOAD, vec![reference, index(*tag), index(*field)], ty)?
                }
                Projection::UnionField(field, of) => {
                    if let Some(of) = of {
                        self.activate_union_field(&reference, *field, *of)?;
                    }
                    self.op_as(&ops::REF_UNION, vec![reference, index(*field)], ty)?
                }
                Projection::Elem(at) => self.op(&ops::REF_ELEM, vec![reference, at.clone()])?,
                Projection::Slice(..) if ty == Ty::str() => return Err(self.text_part_borrowed()),
                Projection::Slice(low, high) => {
                    self.op(&ops::REF_SLICE, vec![reference, low.clone(), high.clone()])?
                }
            };
        }
        Ok(reference)
    }

    /// Writes a value to a place.
    pub(super) fn write(&mut self, place: &Place, value: Operand) -> Lowered<()> {
        match &place.root {
            Root::Addr(inner) => self.write(&inner.clone(), value),
            // A value that is not stored cannot be observed.
            Root::Value(_) => Ok(()),
            &Root::Captured(local) => Err(self.not_captured(local)),
            Root::Static(_) => Err(self.static_changed()),
            Root::Ref(reference) => self.write_behind(reference.clone(), &place.steps, value),
            &Root::Slot(id) => {
                let slot = self.slots[id.0 as usize];
                self.debug.refilled(id, place);
                if let (Some(tys), true) = (slot.optional, place.steps.is_empty()) {
                    let some = self.op_as(&ops::VARIANT, vec![index(SOME), value], tys.option)?;
                    return self.write_stored(slot, some);
                }
                if slot.celled && slot.deferred_init && place.steps.is_empty() {
                    let cell = self.op(&ops::CELL, vec![value])?;
                    return Ok(self.build.write_variable(slot.variable, cell)?);
                }
                if slot.celled {
                    let cell = self.build.read_variable(slot.variable)?;
                    return self.write_behind(cell, &slot.steps_to(place), value);
                }
                let value = match &place.steps[..] {
                    [] => self.unshared_value(slot.key, value)?,
                    steps => {
                        if is_in_union(steps) {
                            self.missing_plan.cells.insert(slot.key);
                        }
                        let composite = self.build.read_variable(slot.variable)?;
                        self.rebuild(composite, &slot.steps_to(place), value)?
                    }
                };
                Ok(self.build.write_variable(slot.variable, value)?)
            }
        }
    }

    /// Replaces all that a slot stores.
    fn write_stored(&mut self, slot: Slot, value: Operand) -> Lowered<()> {
        if slot.celled {
            let cell = self.build.read_variable(slot.variable)?;
            return self.op(&ops::REF_SET, vec![cell, value]).map(drop);
        }
        let value = self.unshared_value(slot.key, value)?;
        Ok(self.build.write_variable(slot.variable, value)?)
    }

    /// `composite` with the part at `steps` replaced by `value` (PLACE2).
    pub(super) fn rebuild(
        &mut self,
        composite: Operand,
        steps: &[(Projection, Ty)],
        value: Operand,
    ) -> Lowered<Operand> {
        let Some(((step, ty), rest)) = steps.split_first() else { return Ok(value) };
        if rest.is_empty() {
            return self.put_step(composite, step, value);
        }
        let (old, composite) = self.take_step(composite, step, *ty)?;
        let part = self.rebuild(old, rest, value)?;
        self.put_step(composite, step, part)
    }

    fn put_step(&mut self, composite: Operand, step: &Projection, part: Operand) -> Lowered<Operand> {
        match step {
            Projection::Field(field) => self.op(&ops::WITH_FIELD, vec![composite, index(*field), part]),
            Projection::Payload(tag, field) => {
                self.op(&ops::WITH_PAYLOAD, vec![composite, index(*tag), index(*field), part])
            }
            Projection::UnionField(field, Some(of)) => self.with_union_field(&composite, *field, &part, *of),
            Projection::UnionField(field, None) => {
                let union = self.operand_ty(&composite)?;
                self.op_as(&ops::VARIANT, vec![index(*field), part], union)
            }
            Projection::Elem(at) => self.op(&ops::SET, vec![composite, at.clone(), part]),
            Projection::Slice(low, high) if self.operand_ty(&composite)? == Ty::str() => {
                self.with_text_part(composite, (low, high), part)
            }
            Projection::Slice(low, _) => self.op(&ops::SET_SLICE, vec![composite, low.clone(), part]),
        }
    }

    /// The union, with this field as the one written last.
    fn active_field(&mut self, union: Operand, field: u32) -> Lowered<Operand> {
        let ty = self.operand_ty(&union)?;
        self.op_as(&ops::UNION_AS, vec![union, index(field)], ty)
    }

    /// A `ref` value to a place, or the object itself for a `dyn` type.
    pub(super) fn borrow(&mut self, place: &Place) -> Lowered<Operand> {
        if self.lowering.is_object(place.ty) {
            return self.read(place);
        }
        match &place.root {
            Root::Addr(inner) => {
                let reference = self.borrow(&inner.clone())?;
                self.op(&ops::CELL, vec![reference])
            }
            Root::Ref(reference) => {
                let part = self.ref_steps(reference.clone(), &place.steps)?;
                if place.is_raw { self.op(&ops::REF_REBORROW, vec![part]) } else { Ok(part) }
            }
            Root::Value(value) => {
                let cell = self.op(&ops::CELL, vec![value.clone()])?;
                self.ref_steps(cell, &place.steps)
            }
            Root::Static(_) => Err(self.static_changed()),
            &Root::Captured(local) => Err(self.not_captured(local)),
            &Root::Slot(id) => {
                let slot = self.slots[id.0 as usize];
                let stored = self.build.read_variable(slot.variable)?;
                if slot.celled {
                    return self.ref_steps(stored, &slot.steps_to(place));
                }
                self.missing_plan.cells.insert(slot.key);
                let cell = self.op(&ops::CELL, vec![stored])?;
                self.ref_steps(cell, &slot.steps_to(place))
            }
        }
    }

    /// A variable of type `&mut T` that is itself borrowed by `&mut` may be assigned another reference, so it
    /// has to hold a `ref` value.
    pub(super) fn note_borrowed_reference(&mut self, place: &Place, id: ExprId) {
        let is_reference = place.steps.is_empty() && self.is_mut_ref(place.ty);
        if let (true, Root::Addr(_), ExprKind::Path(ValuePath::Local(local))) =
            (is_reference, &place.root, &self.expr(id).kind)
        {
            let local = *local;
            self.missing_plan.ref_vars.insert(local);
        }
    }

    fn static_changed(&self) -> Stop {
        LowerError::new(self.build.span(), "a static is changed here")
            .with_help("statics are constants here: pass the state as a parameter, or keep it in a struct")
            .into()
    }

    /// The IR type of the value in a place.
    pub(super) fn ir_ty_of(&self, place: &Place) -> Lowered<Ty> {
        Ok(self.lowering.ty(place.ty)?)
    }

    /// Stores a value that has no place in one, so that it can be changed.
    pub(super) fn materialise(&mut self, place: Place, expr: ExprId) -> Lowered<Place> {
        self.materialise_as(place, SlotKey::Temp(expr))
    }

    /// As [`FnCx::materialise`], for what is borrowed by `&mut`: a reference that an expression makes, as in `&mut &xs[1..]`,
    /// is in a place of its own, which is not what it refers to.
    pub(super) fn materialise_reference(&mut self, place: Place, expr: ExprId) -> Lowered<Place> {
        let is_reference = place.is_borrow || place.steps.is_empty() && matches!(place.root, Root::Addr(_));
        let is_place = matches!(
            self.expr(expr).kind,
            ExprKind::Path(_) | ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _)
        );
        if !is_reference || is_place {
            return self.materialise(place, expr);
        }
        let value = self.read(&place)?;
        self.materialise(Place::value(value, place.ty), expr)
    }

    pub(super) fn materialise_as(&mut self, place: Place, key: SlotKey) -> Lowered<Place> {
        if !place.is_value() {
            return Ok(place);
        }
        let value = self.read(&place)?;
        let ty = place.ty;
        let slot = self.new_slot(key, self.lowering.ty(ty)?, None, Some(value))?;
        Ok(Place::new(Root::Slot(slot), ty))
    }

    /// A new slot, kept in a cell if the plan requires it.
    pub(super) fn new_slot(
        &mut self,
        key: SlotKey,
        ty: Ty,
        name: Option<&str>,
        value: Option<Operand>,
    ) -> Lowered<SlotId> {
        let celled = self.plan.cells.contains(&key);
        let slot_ty = if celled { Ty::reference(ty) } else { ty };
        let variable = self.build.declare_variable(slot_ty, name);
        let deferred_init = value.is_none();
        if let Some(value) = value {
            let value =
                if celled { self.op(&ops::CELL, vec![value])? } else { self.unshared_value(key, value)? };
            self.build.write_variable(variable, value)?;
        }
        let id = SlotId(u32::try_from(self.slots.len()).expect("fewer than 2^32 slots"));
        self.slots.push(Slot { key, variable, celled, deferred_init, optional: None });
        Ok(id)
    }
}

/// The index of a field or variant as an operand.
pub(super) fn index(number: u32) -> Operand {
    Operand::from(i64::from(number))
}
