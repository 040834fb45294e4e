//! Expressions: values and places, with the adjustments that inference found.

use overdub_context::ir::Operand;
use overdub_context::ops;

use super::call::Target;
use super::cx::{Binding, FnCx, unit};
use super::error::{LowerError, Lowered};
use super::literal;
use super::place::{Place, Projection, Root};
use super::tys::Lang;
use crate::hir::*;
use crate::infer::{self, Adjust, Adjustment, Callee, Mutability, TyKind};

/// The end of a range.
enum RangeEnd {
    Before(Operand),
    At(Operand),
    Open,
}

impl FnCx<'_> {
    /// The value of an expression, after its adjustments. The recursion is as deep as the source nests.
    pub(super) fn value(&mut self, id: ExprId) -> Lowered<Operand> {
        stacker::maybe_grow(128 << 10, 2 << 20, || self.value_shallow(id))
    }

    fn value_shallow(&mut self, id: ExprId) -> Lowered<Operand> {
        if self.typed.adjustments.contains_key(&id) || is_place(&self.expr(id).kind) {
            let place = self.place(id)?;
            self.at(id);
            return self.moved_or_copied(&place);
        }
        self.rvalue(id)
    }

    /// The place of an expression, after its adjustments; a value that is not stored has [`Root::Value`].
    pub(super) fn place(&mut self, id: ExprId) -> Lowered<Place> {
        let mut place = self.unadjusted_place(id)?;
        if let Some(list) = self.typed.adjustments.get(&id).cloned() {
            self.at(id);
            for adjustment in &list {
                place = self.adjust(place, adjustment, id)?;
            }
        }
        Ok(place)
    }

    fn unadjusted_place(&mut self, id: ExprId) -> Lowered<Place> {
        let ty = self.typed.exprs[id.index()];
        let body = self.body.clone();
        let kind = &body.exprs[id.index()].kind;
        match kind {
            ExprKind::Path(ValuePath::Local(local)) => Ok(self.local_place(*local)),
            ExprKind::Path(_) if let Some(Callee::Static(def)) = self.typed.callees.get(&id) => {
                self.static_place(*def, ty)
            }
            ExprKind::Field(base, _) => {
                let base = self.place(*base)?;
                let field = self.typed.fields.get(&id).copied().unwrap_or_default();
                self.project(base, Projection::Field(field), ty)
            }
            ExprKind::Index(base, at) => self.index_place(id, *base, *at, ty),
            ExprKind::Unary(UnOp::Deref, inner) => {
                let callee = self.typed.callees.get(&id).cloned();
                let place = self.place(*inner)?;
                self.at(id);
                match callee {
                    Some(Callee::Fn(instance)) => self.overloaded_deref(place, instance, ty, *inner),
                    _ => self.deref(place, ty),
                }
            }
            ExprKind::AddrOf { mutable, raw, place } => {
                let inner = self.place(*place)?;
                if *raw {
                    let inner = self.materialise(inner, *place)?;
                    let pointer = self.raw_borrow(inner)?;
                    return Ok(Place::value(pointer, ty));
                }
                if !mutable {
                    return Ok(Place { is_borrow: true, ..inner.with_ty(ty) });
                }
                self.note_borrowed_reference(&inner, *place);
                let inner = self.materialise_reference(inner, *place)?;
                Ok(inner.addr(ty))
            }
            // Casts between references and pointers are casts of places.
            ExprKind::Cast(inner, _) if matches!(ty.kind(), TyKind::Ref(_) | TyKind::RefMut(_)) => {
                let place = self.place(*inner)?;
                match (place.ty.kind(), ty.kind()) {
                    (TyKind::RefMut(referent), TyKind::Ref(_)) => {
                        Ok(self.deref(place, *referent)?.with_ty(ty))
                    }
                    _ => Ok(place.with_ty(ty)),
                }
            }
            _ => {
                if let Some(place) = self.same_place(id, ty)? {
                    return Ok(place);
                }
                let value = self.rvalue(id)?;
                self.temporary(id, value, ty)
            }
        }
    }

    /// The place of a variable; in a closure it may be captured in parts, or not at all (PLACE5).
    pub(super) fn local_place(&self, local: LocalId) -> Place {
        let ty = self.typed.locals[local.index()];
        match self.bindings.get(&local) {
            Some(Binding::Slot(slot)) => Place::new(Root::Slot(*slot), ty),
            Some(Binding::Place(place)) => place.clone(),
            None => Place::new(Root::Captured(local), ty),
        }
    }

    fn adjust(&mut self, place: Place, adjustment: &Adjustment, id: ExprId) -> Lowered<Place> {
        let ty = adjustment.ty;
        match &adjustment.kind {
            // The operand was lowered without diverging, so its type is uninhabited.
            Adjust::NeverToAny => self.fail("entered unreachable code"),
            Adjust::Deref => self.deref(place, ty),
            Adjust::OverloadedDeref(instance) => self.overloaded_deref(place, *instance, ty, id),
            Adjust::Borrow(Mutability::Shared) => Ok(Place { is_borrow: true, ..place.with_ty(ty) }),
            Adjust::RefToPointer => {
                let is_temporary =
                    matches!(place.root, Root::Value(_)) && place.steps.is_empty() && !place.is_shared;
                let pointer = self.pointer_of(place)?;
                if is_temporary {
                    self.note_temporary(id, &pointer);
                }
                Ok(Place::value(pointer, ty))
            }
            Adjust::PointerToPointer => {
                let pointer = self.cast_pointer(&place, ty)?;
                Ok(Place::value(pointer, ty))
            }
            Adjust::Borrow(Mutability::Mut) => {
                self.note_borrowed_reference(&place, id);
                let place = self.materialise_reference(place, id)?;
                Ok(place.addr(ty))
            }
            Adjust::MutToShared => {
                let TyKind::RefMut(referent) = place.ty.kind() else { return Ok(place.with_ty(ty)) };
                Ok(self.deref(place, *referent)?.with_ty(ty))
            }
            Adjust::UnsizeArray => Ok(match place.root {
                Root::Addr(inner) => {
                    let referent = ty.referent().map_or(ty, |(_, referent)| referent);
                    inner.with_ty(referent).addr(ty)
                }
                _ => place.with_ty(ty),
            }),
            Adjust::UnsizeDyn(vtable) => {
                let object = self.unsize(&place, vtable, ty)?;
                self.moved(&place)?;
                Ok(Place::value(object, ty))
            }
            Adjust::FnToPointer(_) | Adjust::ClosureToPointer(_) => {
                let value = self.read(&place)?;
                let erased = self.lowering.ty(ty)?;
                let value = self.op_as(&ops::ERASE, vec![value], erased)?;
                Ok(Place::value(value, ty))
            }
        }
    }

    /// Whether the type is an `Rc` with an owner count: its value is then a field.
    pub(super) fn is_counted(&self, ty: infer::Ty) -> bool {
        let TyKind::Adt(def, _) = ty.kind() else { return false };
        self.lowering.langs.get(*def) == Some(Lang::Rc) && self.lowering.counts_owners()
    }

    /// The place that `Deref` or `DerefMut` of a place returns.
    fn overloaded_deref(
        &mut self,
        place: Place,
        instance: infer::Instance,
        ty: infer::Ty,
        id: ExprId,
    ) -> Lowered<Place> {
        if self.is_counted(place.ty.peel_refs()) {
            let place = self.deref_all(place)?;
            let place = self.project(place, Projection::Field(1), ty)?;
            return Ok(Place { is_shared: true, ..place });
        }
        if let TyKind::Adt(def, _) = place.ty.peel_refs().kind()
            && self.lowering.langs.get(*def) == Some(Lang::ManuallyDrop)
        {
            return Ok(self.deref_all(place)?.with_ty(ty));
        }
        let from = self.lowering.peel(place.ty);
        if let TyKind::Adt(def, _) = from.kind()
            && matches!(self.lowering.langs.get(*def), Some(Lang::Array | Lang::String))
        {
            return Ok(place.with_ty(ty));
        }
        if self.lowering.ty(place.ty)? == self.lowering.ty(ty)? && from != place.ty.peel_refs() {
            return Ok(Place { is_shared: true, ..place.with_ty(ty) });
        }
        let (params, ret) = self.lowering.types.signature(instance)?;
        if matches!(ret.kind(), TyKind::RefMut(_)) {
            let place = self.materialise(place, id)?;
            let self_ty = params.first().copied().unwrap_or(place.ty);
            let result = self.call_instance_on(instance, &[place.addr(self_ty)])?;
            return self.deref(Place::value(result, ret), ty);
        }
        let result = self.call_instance_on(instance, &[place])?;
        Ok(Place { is_shared: true, ..Place::value(result, ty) })
    }

    fn index_place(&mut self, id: ExprId, base: ExprId, at: ExprId, ty: infer::Ty) -> Lowered<Place> {
        let callee = self.typed.callees.get(&id).cloned();
        let place = self.place(base)?;
        if let Some(Callee::Fn(instance)) = callee {
            let (params, ret) = self.lowering.types.signature(instance)?;
            let is_mut = matches!(ret.kind(), TyKind::RefMut(_));
            let place = if is_mut { self.materialise(place, base)? } else { place };
            let at = self.value(at)?;
            self.at(id);
            let at_ty = params.get(1).copied().unwrap_or(ty);
            let at = Place::value(at, at_ty);
            if is_mut {
                let self_ty = params.first().copied().unwrap_or(ty);
                let result = self.call_instance_on(instance, &[place.addr(self_ty), at])?;
                return self.deref(Place::value(result, ret), ty);
            }
            let result = self.call_instance_on(instance, &[place, at])?;
            return Ok(Place { is_shared: true, ..Place::value(result, ty) });
        }
        let place = self.deref_all(place)?;
        let step = match self.range_bounds(at)? {
            Some((low, high)) => {
                self.at(id);
                let low = low.unwrap_or_else(|| Operand::from(0usize));
                let high = match high {
                    RangeEnd::Before(high) => high,
                    RangeEnd::At(last) => self.past(&place, low.clone(), last)?,
                    RangeEnd::Open => self.len_of(&place)?,
                };
                Projection::Slice(low, high)
            }
            None => Projection::Elem(self.value(at)?),
        };
        self.at(id);
        self.project(place, step, ty)
    }

    /// The place reached through all references.
    pub(super) fn deref_all(&mut self, place: Place) -> Lowered<Place> {
        let mut place = place;
        while let Some((_, inner)) = place.ty.referent() {
            place = self.deref(place, inner)?;
        }
        Ok(place)
    }

    /// The number of elements or bytes in a place, without copying it.
    pub(super) fn len_of(&mut self, place: &Place) -> Lowered<Operand> {
        let is_str = self.ir_ty_of(place)? == overdub_context::ir::Ty::str();
        let in_cell = match &place.root {
            Root::Ref(_) => true,
            Root::Slot(slot) => self.slots[slot.0 as usize].celled,
            Root::Value(_) | Root::Static(_) | Root::Addr(_) | Root::Captured(_) => false,
        };
        if in_cell && !is_str {
            let reference = self.borrow(place)?;
            return self.op(&ops::REF_LEN, vec![reference]);
        }
        let value = self.read(place)?;
        self.op(if is_str { &ops::STR_LEN } else { &ops::LEN }, vec![value])
    }

    /// The index after the last one of a range `low..=last`, which must be within the place.
    fn past(&mut self, place: &Place, low: Operand, last: Operand) -> Lowered<Operand> {
        let is_str = self.ir_ty_of(place)? == overdub_context::ir::Ty::str();
        let past = self.lowering.program.lang("range_past").filter(|_| !is_str);
        let Some(past) = past else { return self.op(&ops::ADD, vec![last, Operand::from(1usize)]) };
        let len = self.len_of(place)?;
        let name = self.lowering.symbol(infer::Instance::new(past, []));
        Ok(self.build.call(name, [low, last, len], overdub_context::ir::Ty::usize())?.into())
    }

    /// The bounds of an index that is a range.
    fn range_bounds(&mut self, at: ExprId) -> Lowered<Option<(Option<Operand>, RangeEnd)>> {
        let TyKind::Adt(def, _) = self.adjusted(at).peel_refs().kind() else { return Ok(None) };
        let Some(lang) = self.lowering.langs.get(*def) else { return Ok(None) };
        let (has_low, has_high, inclusive) = match lang {
            Lang::Range => (true, true, false),
            Lang::RangeInclusive => (true, true, true),
            Lang::RangeFrom => (true, false, false),
            Lang::RangeTo => (false, true, false),
            Lang::RangeToInclusive => (false, true, true),
            Lang::RangeFull => (false, false, false),
            _ => return Ok(None),
        };
        let usize_ty = infer::Ty::usize();
        let body = self.body.clone();
        let (mut low, mut high) = (None, None);
        match &body.exprs[at.index()].kind {
            ExprKind::Struct { fields, base: None, .. } if !self.typed.adjustments.contains_key(&at) => {
                for (name, value) in fields {
                    match &**name {
                        "start" => low = Some(self.value(*value)?),
                        "end" => high = Some(self.value(*value)?),
                        _ => drop(self.value(*value)?),
                    }
                }
            }
            _ => {
                let place = self.place(at)?;
                let place = self.deref_all(place)?;
                if has_low {
                    let start = self.project(place.clone(), Projection::Field(0), usize_ty)?;
                    low = Some(self.read(&start)?);
                }
                if has_high {
                    let end = self.project(place, Projection::Field(u32::from(has_low)), usize_ty)?;
                    high = Some(self.read(&end)?);
                }
            }
        }
        let end = match high {
            Some(last) if inclusive => RangeEnd::At(last),
            Some(high) => RangeEnd::Before(high),
            None => RangeEnd::Open,
        };
        Ok(Some((low, end)))
    }

    /// The value of an expression that is not a place, before its adjustments.
    fn rvalue(&mut self, id: ExprId) -> Lowered<Operand> {
        let body = self.body.clone();
        let span = self.span(id);
        self.build.set_span(span);
        let ty = self.typed.exprs[id.index()];
        match &body.exprs[id.index()].kind {
            ExprKind::Lit(lit) => self.literal(lit, ty, false),
            ExprKind::Path(_) => self.path_value(id, ty),
            ExprKind::Unary(op, inner) => self.unary(id, *op, *inner, ty),
            ExprKind::Binary(op, lhs, rhs) => self.binary(id, *op, *lhs, *rhs),
            ExprKind::And(lhs, rhs) => self.lazy(*lhs, *rhs, false),
            ExprKind::Or(lhs, rhs) => self.lazy(*lhs, *rhs, true),
            ExprKind::Assign(lhs, rhs) => self.assign(*lhs, *rhs, span),
            ExprKind::AssignOp(op, lhs, rhs) => self.assign_op(id, *op, *lhs, *rhs),
            ExprKind::Call(callee, args) => self.call(id, *callee, args),
            ExprKind::MethodCall { receiver, name_span, args, .. } => {
                self.method_call(id, *receiver, *name_span, args)
            }
            ExprKind::Cast(inner, _) => self.cast(id, *inner, ty),
            ExprKind::Block(block) if block.is_const => self.const_block(id, block, ty),
            ExprKind::Block(block) => self.block(id, block, ty),
            ExprKind::If(cond, then, otherwise) => self.if_(*cond, *then, *otherwise, ty),
            ExprKind::Let(..) => self.let_value(id),
            ExprKind::Match(scrutinee, arms) => self.match_(*scrutinee, arms, ty, span),
            ExprKind::Loop(inner) => self.loop_(id, *inner, ty),
            ExprKind::Break { target, value } => self.break_(*target, *value, span),
            ExprKind::Continue { target } => self.continue_(*target, span),
            ExprKind::Return(value) => self.return_(*value, span),
            ExprKind::Closure { .. } => self.closure(id, ty),
            ExprKind::Struct { fields, base, .. } => self.struct_(id, fields, *base, ty),
            ExprKind::Tuple(elems) if elems.is_empty() => Ok(unit()),
            ExprKind::Tuple(elems) => {
                let elems = self.values(elems)?;
                self.build.set_span(span);
                self.op(&ops::TUPLE, elems)
            }
            ExprKind::Array(elems) => self.array(elems, ty, span),
            ExprKind::Repeat(elem, _) => {
                let len = self.typed.lengths.get(&id).copied().unwrap_or_default();
                self.build.set_span(span);
                self.repeat(*elem, len as usize, ty)
            }
            ExprKind::Try(inner) => self.try_(id, *inner, span),
            ExprKind::Format(args) => self.format(id, args),
            ExprKind::Unsupported(message) => Err(self.error(span, &**message)),
            ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::AddrOf { .. } => {
                let place = self.place(id)?;
                self.read(&place)
            }
        }
    }

    /// The values of expressions in order; if a later one exits early, the earlier values are dropped.
    pub(super) fn values(&mut self, ids: &[ExprId]) -> Lowered<Vec<Operand>> {
        let mut held_values = Vec::with_capacity(ids.len());
        for (at, &id) in ids.iter().enumerate() {
            let value = self.value(id)?;
            held_values.push(self.hold(id, value, at + 1 < ids.len())?);
        }
        held_values.into_iter().map(|place| self.release(&place)).collect()
    }

    pub(super) fn literal(&mut self, lit: &Lit, ty: infer::Ty, negative: bool) -> Lowered<Operand> {
        let ir_ty = self.lowering.ty(ty)?;
        match literal::value(lit, ir_ty, negative) {
            Some(value) => self.constant(value, ir_ty),
            None => {
                let message = format!("the literal does not fit in `{}`", self.lowering.types.show(ty));
                Err(LowerError::new(self.build.span(), message).into())
            }
        }
    }

    fn path_value(&mut self, id: ExprId, ty: infer::Ty) -> Lowered<Operand> {
        let span = self.span(id);
        match self.typed.callees.get(&id).cloned() {
            Some(Callee::Const(instance)) => self.const_value(instance, ty),
            Some(Callee::Static(def)) => {
                let place = self.static_place(def, ty)?;
                self.read(&place)
            }
            Some(Callee::ConstParam(n)) => self.const_param(n, ty),
            Some(Callee::Ctor(def)) if !matches!(ty.kind(), TyKind::FnDef(_)) => {
                self.construct(ty, def, vec![])
            }
            _ => match ty.kind() {
                TyKind::FnDef(_) | TyKind::Closure(_) => {
                    let ty = self.lowering.ty(ty)?;
                    self.op_as(&ops::CLOSURE, vec![], ty)
                }
                _ => Err(self.error(span, "internal: the path names no value")),
            },
        }
    }

    fn const_param(&mut self, value: i128, ty: infer::Ty) -> Lowered<Operand> {
        let ir_ty = self.lowering.ty(ty)?;
        match literal::of_number(value, ir_ty) {
            Some(value) => self.constant(value, ir_ty),
            None => Err(self.error(self.build.span(), "a const parameter is an integer, a bool or a char")),
        }
    }

    fn struct_(
        &mut self,
        id: ExprId,
        fields: &[(overdub_context::Symbol, ExprId)],
        base: Option<ExprId>,
        ty: infer::Ty,
    ) -> Lowered<Operand> {
        let span = self.span(id);
        let Some(Callee::Ctor(def)) = self.typed.callees.get(&id).cloned() else {
            return Err(self.error(span, "internal: the struct literal names no struct"));
        };
        let declared = self.lowering.types.fields(ty, def)?;
        let mut field_values: Vec<Option<Operand>> = vec![None; declared.len()];
        let ids: Vec<ExprId> = fields.iter().map(|&(_, value)| value).collect();
        for ((name, _), value) in fields.iter().zip(self.values(&ids)?) {
            if let Some(at) = declared.iter().position(|(field, _)| field == name) {
                field_values[at] = Some(value);
            }
        }
        if self.lowering.is_union(ty) {
            self.build.set_span(span);
            let union = self.lowering.ty(ty)?;
            let Some((at, value)) = (0_i64..).zip(field_values).find_map(|(at, value)| Some((at, value?)))
            else {
                return Err(self.error(span, "a union is made of one of its fields"));
            };
            return self.op_as(&ops::VARIANT, vec![Operand::from(at), value], union);
        }
        let base = base.map(|base| self.place(base)).transpose()?;
        self.build.set_span(span);
        let mut parts = Vec::with_capacity(field_values.len());
        for (at, (value, (_, field_ty))) in (0..).zip(field_values.into_iter().zip(declared)) {
            parts.push(match (value, &base) {
                (Some(value), _) => value,
                (None, Some(base)) => {
                    let place = self.project(base.clone(), Projection::Field(at), field_ty)?;
                    self.release(&place)?
                }
                (None, None) => return Err(self.error(span, "a field is missing in the struct literal")),
            });
        }
        self.construct(ty, def, parts)
    }

    /// A struct or variant value with these fields.
    pub(super) fn construct(&mut self, ty: infer::Ty, def: DefId, fields: Vec<Operand>) -> Lowered<Operand> {
        let ir_ty = self.lowering.ty(ty)?;
        if ir_ty == overdub_context::ir::Ty::unit() {
            return Ok(unit());
        }
        let Some((adt, variant)) = self.lowering.program.variant_of(def) else {
            return Err(
                self.error(self.build.span(), "internal: this constructs neither a struct nor a variant")
            );
        };
        if self.lowering.program.adt(adt)?.is_enum {
            let tag = Operand::from(i64::try_from(variant).unwrap_or(i64::MAX));
            return self.op_as(&ops::VARIANT, std::iter::once(tag).chain(fields).collect(), ir_ty);
        }
        self.op_as(&ops::STRUCT, fields, ir_ty)
    }

    fn array(&mut self, elems: &[ExprId], ty: infer::Ty, span: overdub_context::Span) -> Lowered<Operand> {
        let ir_ty = self.lowering.ty(ty)?;
        if let Some(value) = self.fold_array(elems, ir_ty) {
            return self.constant(value, ir_ty);
        }
        let elems = self.values(elems)?;
        self.build.set_span(span);
        self.op_as(&ops::ARRAY, elems, ir_ty)
    }

    /// Calls an instance with places as its arguments, without adjustments (a `&mut` as [`Root::Addr`]).
    pub(super) fn call_instance_on(&mut self, instance: infer::Instance, args: &[Place]) -> Lowered<Operand> {
        let abi = self.lowering.abi(instance)?;
        let mut passed = Vec::with_capacity(args.len());
        for (place, param) in args.iter().zip(&abi.params) {
            passed.push(self.pass_place(place.clone(), *param)?);
        }
        self.finish_call(&Target::Item(instance), &abi, passed)
    }
}

pub(super) fn is_place(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Path(ValuePath::Local(_))
            | ExprKind::Field(..)
            | ExprKind::Index(..)
            | ExprKind::Unary(UnOp::Deref, _)
            | ExprKind::AddrOf { .. }
    )
}
