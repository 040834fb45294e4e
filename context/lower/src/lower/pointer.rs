//! Raw pointers: created from places and references, and cast.

use overdub_context::ir::{IntTy, Operand, Ty};
use overdub_context::ops;
use overdub_context::value::{Array, Value};

use super::cx::FnCx;
use super::error::Lowered;
use super::layout::size_of;
use super::place::{Place, Root};
use super::tys::Lang;
use crate::infer::{self, Const, TyKind};

impl FnCx<'_> {
    /// The pointee of a raw pointer, or `None` for other types.
    pub(super) fn pointee(&self, ty: infer::Ty) -> Option<infer::Ty> {
        let TyKind::Adt(def, args) = ty.kind() else { return None };
        match self.lowering.langs.get(*def) {
            Some(Lang::Pointer) => args.first()?.ty(),
            _ => None,
        }
    }

    /// `&raw const place`, `&raw mut place`.
    pub(super) fn raw_borrow(&mut self, place: Place) -> Lowered<Operand> {
        if place.is_shared || matches!(place.root, Root::Static(_)) {
            let value = self.read(&place)?;
            return self.shared_pointer(value, place.ty);
        }
        let pointee = place.ty;
        let reference = self.borrow(&Place { is_raw: false, ..place })?;
        self.raw(reference, pointee)
    }

    /// A reference as a raw pointer; an object stays an object.
    fn raw(&mut self, reference: Operand, pointee: infer::Ty) -> Lowered<Operand> {
        if self.lowering.is_object(pointee) {
            return Ok(reference);
        }
        self.op(&ops::REF_RAW, vec![reference])
    }

    /// A reference as a raw pointer.
    pub(super) fn pointer_of(&mut self, reference: Place) -> Lowered<Operand> {
        let Some((_, referent)) = reference.ty.referent() else { return self.read(&reference) };
        match reference.ty.kind() {
            TyKind::Ref(_) if reference.is_borrow => self.raw_borrow(reference.with_ty(referent)),
            TyKind::Ref(_) => {
                let value = self.read(&reference)?;
                self.shared_pointer(value, referent)
            }
            _ => {
                let pointer = self.read(&reference)?;
                self.raw(pointer, referent)
            }
        }
    }

    /// A pointer to a value whose place is unknown: nothing can be written through it.
    fn shared_pointer(&mut self, value: Operand, ty: infer::Ty) -> Lowered<Operand> {
        if self.lowering.is_object(ty) {
            return Ok(value);
        }
        self.op(&ops::REF_SHARED, vec![value])
    }

    /// A raw pointer cast to another type.
    pub(super) fn cast_pointer(&mut self, place: &Place, to: infer::Ty) -> Lowered<Operand> {
        let pointer = self.read(place)?;
        let (Some(from), Some(to)) = (self.pointee(place.ty), self.pointee(to)) else { return Ok(pointer) };
        self.cast_to_pointee(pointer, from, to)
    }

    /// Casts a pointer to another pointee. Arrays and structs are entered as long as they contain more
    /// elements of the target's element type than the target does.
    pub(super) fn cast_to_pointee(
        &mut self,
        pointer: Operand,
        from: infer::Ty,
        to: infer::Ty,
    ) -> Lowered<Operand> {
        let (mut pointer, mut from) = (pointer, from);
        let (target_elem, target_len) = self.elements(to);
        loop {
            let (found, found_len) = self.elements(from);
            if from == to {
                return Ok(pointer);
            }
            if found != target_elem || found_len <= target_len {
                break;
            }
            match from.kind() {
                TyKind::Array(elem, Const::Value(len)) => {
                    let row = Operand::from(usize::try_from(*len).unwrap_or(usize::MAX));
                    pointer = self.op(&ops::REF_FLAT, vec![pointer, row])?;
                    from = *elem;
                }
                _ if target_len == 1 && self.uniform_fields(from).is_some() => {
                    let array = Ty::array(self.lowering.ty(to)?, 1);
                    pointer = self.view(pointer, self.lowering.ty(from)?, array, true)?;
                    let row = Operand::from(usize::try_from(found_len).unwrap_or(usize::MAX));
                    return self.op(&ops::REF_FLAT, vec![pointer, row]);
                }
                _ => match self.only_field(from) {
                    Some((field, inner)) => {
                        let ty = Ty::reference(self.lowering.ty(inner)?);
                        let field = super::place::index(field);
                        pointer = self.op_as(&ops::REF_FIELD, vec![pointer, field], ty)?;
                        from = inner;
                    }
                    None => break,
                },
            }
        }
        let (mut from_ir, to_ir) = (self.lowering.ty(from)?, self.lowering.ty(to)?);
        if from_ir == to_ir {
            return Ok(pointer);
        }
        let (found, found_len) = self.elements(from);
        // Several elements as one array or struct.
        let as_many = found == target_elem && found_len > 0 && target_len % found_len == 0;
        let is_chunk = as_many && target_len > found_len;
        if is_chunk {
            let count = usize::try_from(target_len / found_len).unwrap_or(usize::MAX);
            pointer = self.op(&ops::REF_RANGE, vec![pointer, Operand::from(count)])?;
            from_ir = Ty::array(from_ir, 1);
            if from_ir == to_ir {
                return Ok(pointer);
            }
        }
        // Memory from the allocator gets its type by the first cast.
        if from_ir == Ty::int(IntTy::U8)
            && let Some((size, _)) = size_of(self.lowering, to)
        {
            let size = Operand::from(usize::try_from(size).unwrap_or(usize::MAX));
            return self.op_as(&ops::REF_TYPED, vec![pointer, size], Ty::reference(to_ir));
        }
        let same_size = match (size_of(self.lowering, from), size_of(self.lowering, to)) {
            (Some(a), Some(b)) => a == b,
            _ => (found, found_len) == (target_elem, target_len),
        };
        let same_size = same_size || is_chunk;
        self.view(pointer, from_ir, to_ir, same_size)
    }

    fn view(&mut self, pointer: Operand, from: Ty, to: Ty, same_size: bool) -> Lowered<Operand> {
        let witness = self.constant(Value::Array(Array::empty(from).into()), Ty::array(from, 1))?;
        let to = Ty::reference(to);
        self.op_as(&ops::REF_VIEW, vec![pointer, witness, Operand::from(same_size)], to)
    }

    /// The innermost elements of arrays and structs, if they all have the same type, and their number.
    fn elements(&self, ty: infer::Ty) -> (infer::Ty, u128) {
        let (mut ty, mut count) = (ty, 1_u128);
        loop {
            if let Some((elem, len)) = self.uniform_fields(ty) {
                return (elem, count.saturating_mul(len));
            }
            ty = match ty.kind() {
                TyKind::Array(elem, Const::Value(len)) => {
                    count = count.saturating_mul(u128::try_from(*len).unwrap_or(0));
                    *elem
                }
                TyKind::Adt(def, args)
                    if matches!(
                        self.lowering.langs.get(*def),
                        Some(Lang::MaybeUninit | Lang::ManuallyDrop)
                    ) =>
                {
                    match args.first().and_then(|arg| arg.ty()) {
                        Some(inner) => inner,
                        None => return (ty, count),
                    }
                }
                _ => match self.only_field(ty) {
                    Some((_, inner)) => inner,
                    None => return (ty, count),
                },
            };
        }
    }

    /// The common innermost element type of several fields of a struct or tuple, and the number of elements.
    fn uniform_fields(&self, ty: infer::Ty) -> Option<(infer::Ty, u128)> {
        let fields: Vec<infer::Ty> = match ty.kind() {
            TyKind::Tuple(elems) => elems.to_vec(),
            TyKind::Adt(def, _)
                if self.lowering.langs.get(*def).is_none()
                    && !self.lowering.program.adt(*def).ok()?.is_enum
                    && !self.lowering.is_union(ty) =>
            {
                self.lowering.types.variants(ty).ok()?.pop()?.1.into_iter().map(|(_, ty)| ty).collect()
            }
            _ => return None,
        };
        let mut field_elems = fields
            .iter()
            .filter(|&&field| size_of(self.lowering, field).is_none_or(|(size, _)| size > 0))
            .map(|&field| self.elements(field));
        let first = field_elems.next()?;
        let second = field_elems.next()?;
        [second].into_iter().chain(field_elems).try_fold(first, |(elem, count), (other, more)| {
            (elem == other && matches!(elem.kind(), TyKind::Prim(_)))
                .then(|| (elem, count.saturating_add(more)))
        })
    }

    /// The field of a struct that is not zero-sized, if there is exactly one.
    fn only_field(&self, ty: infer::Ty) -> Option<(u32, infer::Ty)> {
        let TyKind::Adt(def, _) = ty.kind() else { return None };
        if self.lowering.langs.get(*def).is_some()
            || self.lowering.program.adt(*def).ok()?.is_enum
            || self.lowering.is_union(ty)
        {
            return None;
        }
        let (_, fields) = self.lowering.types.variants(ty).ok()?.pop()?;
        let mut sized = (0_u32..)
            .zip(fields)
            .filter(|(_, (_, ty))| size_of(self.lowering, *ty).is_none_or(|(size, _)| size > 0));
        match (sized.next(), sized.next()) {
            (Some((at, (_, ty))), None) => Some((at, ty)),
            _ => None,
        }
    }
}
