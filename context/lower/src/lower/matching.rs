//! Matching one pattern against one place: the tests and the bindings.

use overdub_context::Span;
use overdub_context::ir::{Block as IrBlock, Case, Operand, Target, TyKind as IrKind};
use overdub_context::ops::{self, OpDef};
use std::sync::Arc;

use super::cx::{Binding, FnCx};
use super::error::Lowered;
use super::place::{Place, Projection, Root, SlotKey};
use crate::hir::*;
use crate::infer::{self, BindMode, Const, Mutability, PatPath, TyKind};

impl FnCx<'_> {
    /// Tests and binds; without `on_fail` the pattern is known to match.
    pub(super) fn match_opt(&mut self, pat: PatId, place: &Place, on_fail: Option<IrBlock>) -> Lowered<()> {
        let place = self.peel_pat(pat, place.clone())?;
        let body = self.body.clone();
        let Pat { kind, span } = &body.pats[pat.index()];
        match kind {
            PatKind::Wild => Ok(()),
            PatKind::Bind { local, sub, .. } => {
                if let Some(sub) = sub {
                    self.match_opt(*sub, &place, on_fail)?;
                }
                self.bind(pat, *local, place)
            }
            PatKind::Lit(lit) => {
                let Some(on_fail) = on_fail else { return Ok(()) };
                let expected = self.place(*lit)?;
                let expected = self.deref_all(expected)?;
                let expected = self.read(&expected)?;
                self.test_equal(place, expected, on_fail, *span)
            }
            PatKind::Range { low, high, inclusive } => {
                let Some(on_fail) = on_fail else { return Ok(()) };
                let place = self.deref_all(place)?;
                let value = self.read(&place)?;
                if let Some(low) = low {
                    let low = self.value(*low)?;
                    self.test(&ops::GE, value.clone(), low, on_fail)?;
                }
                if let Some(high) = high {
                    let high = self.value(*high)?;
                    self.test(if *inclusive { &ops::LE } else { &ops::LT }, value, high, on_fail)?;
                }
                Ok(())
            }
            PatKind::Path(_) => match self.typed.pat_paths.get(&pat).copied() {
                Some(PatPath::Ctor(def)) => self.test_variant(&place, def, on_fail),
                Some(PatPath::Const(instance)) => {
                    let Some(on_fail) = on_fail else { return Ok(()) };
                    let ty = self.lowering.types.const_type(instance)?;
                    let expected = self.const_value(instance, ty)?;
                    self.test_equal(place, expected, on_fail, *span)
                }
                None => Err(self.error(*span, "internal: the pattern names nothing")),
            },
            PatKind::TupleStruct(_, subs, rest) => {
                let def = self.ctor_of(pat, *span)?;
                self.test_variant(&place, def, on_fail)?;
                let fields = self.lowering.types.fields(self.lowering.peel(place.ty), def)?;
                let tys: Vec<infer::Ty> = fields.into_iter().map(|(_, ty)| ty).collect();
                for (sub, at) in positions(subs, *rest, tys.len()) {
                    let part = self.field_place(&place, def, at, tys[at])?;
                    self.match_opt(sub, &part, on_fail)?;
                }
                Ok(())
            }
            PatKind::Struct(_, subs) => {
                let def = self.ctor_of(pat, *span)?;
                self.test_variant(&place, def, on_fail)?;
                let fields = self.lowering.types.fields(self.lowering.peel(place.ty), def)?;
                for (name, sub) in subs {
                    let Some(at) = fields.iter().position(|(field, _)| field == name) else {
                        return Err(self.error(*span, format!("there is no field `{name}`")));
                    };
                    let part = self.field_place(&place, def, at, fields[at].1)?;
                    self.match_opt(*sub, &part, on_fail)?;
                }
                Ok(())
            }
            PatKind::Tuple(subs, rest) => {
                let TyKind::Tuple(tys) = place.ty.kind() else {
                    return Err(self.error(*span, "internal: a tuple pattern matches no tuple"));
                };
                for (sub, at) in positions(subs, *rest, tys.len()) {
                    let part = self.project(place.clone(), Projection::Field(at as u32), tys[at])?;
                    self.match_opt(sub, &part, on_fail)?;
                }
                Ok(())
            }
            PatKind::Slice { before, rest, after } => {
                self.match_slice(place, before, *rest, after, on_fail, *span)
            }
            PatKind::Ref(sub) => match place.ty.referent() {
                Some((_, inner)) => {
                    let place = self.deref(place, inner)?;
                    self.match_opt(*sub, &place, on_fail)
                }
                None => self.match_opt(*sub, &place, on_fail),
            },
            PatKind::Or(subs) => self.match_any(pat, subs, &place, on_fail),
        }
    }

    fn ctor_of(&self, pat: PatId, span: Span) -> Lowered<DefId> {
        match self.typed.pat_paths.get(&pat) {
            Some(PatPath::Ctor(def)) => Ok(*def),
            _ => Err(self.error(span, "internal: the pattern names no struct or variant")),
        }
    }

    fn match_slice(
        &mut self,
        place: Place,
        before: &[PatId],
        rest: Option<PatId>,
        after: &[PatId],
        on_fail: Option<IrBlock>,
        span: Span,
    ) -> Lowered<()> {
        let place = self.deref_all(place)?;
        self.build.set_span(span);
        let fixed = before.len() + after.len();
        let (elem, known) = match place.ty.kind() {
            TyKind::Array(elem, Const::Value(len)) => (*elem, usize::try_from(*len).ok()),
            TyKind::Array(elem, _) | TyKind::Slice(elem) => (*elem, None),
            _ => return Err(self.error(span, "internal: a slice pattern matches no slice")),
        };
        let len = match known {
            Some(len) => Operand::from(len),
            None => self.len_of(&place)?,
        };
        if let (None, Some(on_fail)) = (known, on_fail) {
            let test = if rest.is_some() { &ops::GE } else { &ops::EQ };
            self.test(test, len.clone(), Operand::from(fixed), on_fail)?;
        }
        for (at, &sub) in before.iter().enumerate() {
            let part = self.project(place.clone(), Projection::Elem(Operand::from(at)), elem)?;
            self.match_opt(sub, &part, on_fail)?;
        }
        if let Some(rest) = rest {
            let high = self.before_end(known, &len, after.len())?;
            let ty = match (place.ty.kind(), known) {
                (TyKind::Array(elem, _), Some(len)) => {
                    infer::Ty::new(TyKind::Array(*elem, Const::Value((len - fixed) as i128)))
                }
                _ => place.ty,
            };
            let part =
                self.project(place.clone(), Projection::Slice(Operand::from(before.len()), high), ty)?;
            self.match_opt(rest, &part, on_fail)?;
        }
        for (at, &sub) in after.iter().enumerate() {
            let at = self.before_end(known, &len, after.len() - at)?;
            let part = self.project(place.clone(), Projection::Elem(at), elem)?;
            self.match_opt(sub, &part, on_fail)?;
        }
        Ok(())
    }

    /// The index at a distance from the end.
    fn before_end(&mut self, known: Option<usize>, len: &Operand, from_end: usize) -> Lowered<Operand> {
        match known {
            Some(len) => Ok(Operand::from(len.saturating_sub(from_end))),
            None if from_end == 0 => Ok(len.clone()),
            None => self.op(&ops::SUB, vec![len.clone(), Operand::from(from_end)]),
        }
    }

    fn test(&mut self, op: &'static OpDef, lhs: Operand, rhs: Operand, on_fail: IrBlock) -> Lowered<()> {
        let holds = self.op(op, vec![lhs, rhs])?;
        let then = self.build.new_block();
        self.branch(holds, then, on_fail)?;
        self.enter_joined(then)
    }

    fn test_equal(&mut self, place: Place, expected: Operand, on_fail: IrBlock, span: Span) -> Lowered<()> {
        let place = self.deref_all(place)?;
        let value = self.read(&place)?;
        self.build.set_span(span);
        let is_scalar = !matches!(
            self.operand_ty(&value)?.kind(),
            IrKind::Tuple(_) | IrKind::Array(_) | IrKind::Struct(_) | IrKind::Enum(_)
        );
        self.test(if is_scalar { &ops::EQ } else { &ops::SAME }, value, expected, on_fail)
    }

    /// Continues if the place holds this variant.
    fn test_variant(&mut self, place: &Place, def: DefId, on_fail: Option<IrBlock>) -> Lowered<()> {
        let Some((adt, variant)) = self.lowering.program.variant_of(def) else { return Ok(()) };
        let adt = self.lowering.program.adt(adt)?;
        let Some(on_fail) = on_fail else { return Ok(()) };
        if !adt.is_enum || adt.variants.len() == 1 {
            return Ok(());
        }
        let tag = self.tag_of(place)?;
        let then = self.build.new_block();
        self.switch_on(tag, &[(variant as i128, then)], Some(on_fail))?;
        self.enter_joined(then)
    }

    /// The scrutinee of a `switch`: the enum, or the tag of an enum in a cell.
    pub(super) fn tag_of(&mut self, place: &Place) -> Lowered<Operand> {
        let in_cell = match &place.root {
            Root::Ref(_) => true,
            Root::Slot(slot) => self.slots[slot.0 as usize].celled,
            Root::Value(_) | Root::Static(_) | Root::Addr(_) | Root::Captured(_) => false,
        };
        if in_cell {
            let reference = self.borrow(place)?;
            return self.op(&ops::REF_TAG, vec![reference]);
        }
        self.read(place)
    }

    pub(super) fn switch_on(
        &mut self,
        on: Operand,
        cases: &[(i128, IrBlock)],
        otherwise: Option<IrBlock>,
    ) -> Lowered<()> {
        let is_enum = matches!(self.operand_ty(&on)?.kind(), IrKind::Enum(_));
        let mut cases: Vec<Case> =
            cases.iter().map(|&(value, block)| Case { value, target: Target::from(block) }).collect();
        // The tag of an enum in a cell is a number: the last case becomes the default.
        let otherwise = match otherwise {
            Some(block) => Some(Target::from(block)),
            None if is_enum => None,
            None => cases.pop().map(|case| case.target),
        };
        Ok(self.build.switch(on, cases, otherwise)?)
    }

    /// The place of a field of a struct or of a variant's payload.
    fn field_place(&mut self, place: &Place, def: DefId, at: usize, ty: infer::Ty) -> Lowered<Place> {
        let step = match self.lowering.program.variant_of(def) {
            Some((adt, variant)) if self.lowering.program.adt(adt)?.is_enum => {
                Projection::Payload(variant as u32, at as u32)
            }
            _ => Projection::Field(at as u32),
        };
        self.project(place.clone(), step, ty)
    }

    /// A field of a variant's payload in a value.
    pub(super) fn payload(
        &mut self,
        value: Operand,
        ty: infer::Ty,
        def: DefId,
        tag: u32,
        at: usize,
    ) -> Lowered<Place> {
        let fields = self.lowering.types.fields(ty, def)?;
        self.project(Place::value(value, ty), Projection::Payload(tag, at as u32), fields[at].1)
    }

    pub(super) fn adt_of(&self, ty: infer::Ty, span: Span) -> Lowered<Arc<Adt>> {
        match ty.kind() {
            TyKind::Adt(def, _) => Ok(self.lowering.program.adt(*def)?),
            _ => Err(self.error(span, format!("`{}` is no enum", self.lowering.types.show(ty)))),
        }
    }

    /// A slot for a variable; it is empty if no value is given.
    pub(super) fn declare(
        &mut self,
        local: LocalId,
        value: Option<Operand>,
    ) -> Lowered<super::place::SlotId> {
        let rust_ty = self.typed.locals[local.index()];
        let ty = self.lowering.ty(rust_ty)?;
        let name = self.body.locals[local.index()].name;
        let is_full = value.is_some();
        let key = SlotKey::Local(local);
        let slot = if value.is_none() && self.plan.optional.contains(&key) {
            self.optional_slot(key, rust_ty, Some(&name))?
        } else {
            self.new_slot(key, ty, Some(&name), value)?
        };
        self.register_local(slot, rust_ty, is_full)?;
        self.bind_local(local, Binding::Slot(slot));
        Ok(slot)
    }

    /// Binds a variable to the place its pattern matched.
    pub(super) fn bind(&mut self, pat: PatId, local: LocalId, place: Place) -> Lowered<()> {
        let ty = self.typed.locals[local.index()];
        let shared = self.shared.get(&local).copied();
        let as_value = shared.is_some() || self.plan.ref_vars.contains(&local);
        let mode = self.typed.bindings.get(&pat).copied().unwrap_or(BindMode::Value);
        let value = match mode {
            BindMode::Value if matches!(place.root, Root::Addr(_)) && !as_value && is_mut(ty) => {
                self.bind_local(local, Binding::Place(place.with_ty(ty)));
                return Ok(());
            }
            BindMode::Value => self.moved_or_copied(&place)?,
            BindMode::Ref(Mutability::Shared) => self.read(&place)?,
            BindMode::Ref(Mutability::Mut) if as_value => self.borrow(&place)?,
            BindMode::Ref(Mutability::Mut) => {
                let place = self.materialise_as(place, SlotKey::Local(local))?;
                self.bind_local(local, Binding::Place(place.addr(ty)));
                return Ok(());
            }
        };
        match shared {
            Some(slot) => {
                let slot = Place::new(Root::Slot(slot), ty);
                self.write(&slot, value)
            }
            None => self.declare(local, Some(value)).map(drop),
        }
    }
}

fn is_mut(ty: infer::Ty) -> bool {
    matches!(ty.kind(), TyKind::RefMut(_))
}
