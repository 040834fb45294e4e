//! Raw pointers: created from places and references, and cast.

use overdub_context::ir::{self, IntTy, Operand, Ty};
use overdub_context::ssa::SsaBuilder;
use overdub_context::value::{Array, Value};
use overdub_context::{Symbol, ops};

use super::cx::FnCx;
use super::error::Lowered;
use super::layout::size_of;
use super::place::{Place, Projection, Root, SlotKey};
use super::tys::Lang;
use crate::hir::Prim;
use crate::infer::{self, Const, TyKind};

/// The greatest number of elements of an array in a struct that is rather a vector than a buffer.
const LONGEST_VECTOR: i128 = 16;

/// The pointer to a `from` as one to a `to`.
pub(super) fn view(
    build: &mut SsaBuilder,
    pointer: Operand,
    from: Ty,
    to: Ty,
    same_size: bool,
) -> Lowered<Operand> {
    let witness = build.constant(Value::Array(Array::empty(from).into()), Ty::array(from, 1))?;
    let operands = [pointer, witness, Operand::from(same_size)];
    Ok(build.op_as(&ops::REF_VIEW, operands, Ty::reference(to))?.into())
}

/// The element type of a slice; text is a slice of bytes.
fn slice_elem(ty: infer::Ty) -> Option<infer::Ty> {
    match ty.kind() {
        TyKind::Slice(elem) => Some(*elem),
        TyKind::Prim(Prim::Str) => Some(infer::Ty::prim(Prim::U8)),
        _ => None,
    }
}

fn is_slice(ty: infer::Ty) -> bool {
    slice_elem(ty).is_some()
}

/// The lengths of nested arrays of `elem`, the innermost first, if a type is at least two of them.
fn rows_of(ty: infer::Ty, elem: infer::Ty) -> Option<Vec<u128>> {
    let (mut at, mut lengths) = (ty, Vec::new());
    while at != elem {
        let TyKind::Array(inner, Const::Value(len)) = at.kind() else { return None };
        lengths.insert(0, u128::try_from(*len).ok()?);
        at = *inner;
    }
    (lengths.len() > 1).then_some(lengths)
}

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
            return self.pointer_into_shared(place);
        }
        let (pointee, is_variable) = (place.ty, self.is_variable(&place));
        let reference = self.borrow(&Place { is_raw: false, ..place })?;
        if is_variable && !self.lowering.is_object(pointee) {
            return self.op(&ops::REF_VARIABLE, vec![reference]);
        }
        self.raw(reference, pointee)
    }

    /// A pointer into what a shared reference refers to. One to an element can move within its array.
    fn pointer_into_shared(&mut self, mut place: Place) -> Lowered<Operand> {
        let ty = place.ty;
        let elem = match place.steps.pop() {
            Some((Projection::Elem(at), _)) if !self.lowering.is_object(ty) => Some(at),
            last => {
                place.steps.extend(last);
                None
            }
        };
        let value = self.read(&place)?;
        let Some(at) = elem else { return self.shared_pointer(value, ty) };
        let array = self.op(&ops::REF_SHARED, vec![value])?;
        self.op(&ops::REF_ELEM, vec![array, at])
    }

    /// Whether a place is a whole variable, and not what a box in it points to.
    fn is_variable(&self, place: &Place) -> bool {
        let Root::Slot(slot) = place.root else { return false };
        let SlotKey::Local(local) = self.slots[slot.0 as usize].key else { return false };
        place.steps.is_empty() && self.typed.locals[local.index()] == place.ty
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
                let is_variable = matches!(&reference.root, Root::Addr(place) if self.is_variable(place));
                let pointer = self.read(&reference)?;
                if is_variable && !self.lowering.is_object(referent) {
                    return self.op(&ops::REF_VARIABLE, vec![pointer]);
                }
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
        // A pointer to a slice as one to its first element, unless the target is a struct that ends in a slice.
        if let (TyKind::Slice(elem), false) = (from.kind(), is_slice(to) || is_slice(target_elem)) {
            pointer = self.op(&ops::REF_FIRST, vec![pointer])?;
            from = *elem;
        }
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
                _ if target_len == 1 && (self.uniform_fields(from).is_some() || self.is_short_row(from)) => {
                    let array = Ty::array(self.lowering.ty(to)?, 1);
                    pointer = self.view(pointer, self.lowering.ty(from)?, array, true)?;
                    let row = Operand::from(usize::try_from(found_len).unwrap_or(usize::MAX));
                    return self.op(&ops::REF_FLAT, vec![pointer, row]);
                }
                _ if let Some((field, count)) = self.equal_fields(from) => {
                    let array = Ty::array(self.lowering.ty(field)?, 1);
                    pointer = self.view(pointer, self.lowering.ty(from)?, array, true)?;
                    pointer = self.op(&ops::REF_FLAT, vec![pointer, Operand::from(count)])?;
                    from = field;
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
            let rows = rows_of(to, from).unwrap_or_else(|| vec![target_len / found_len]);
            for count in rows {
                let count = Operand::from(usize::try_from(count).unwrap_or(usize::MAX));
                pointer = self.op(&ops::REF_RANGE, vec![pointer, count])?;
                from_ir = Ty::array(from_ir, 1);
            }
            if from_ir == to_ir {
                return Ok(pointer);
            }
        }
        if let Some(cast) = self.cast_between_widths(
            pointer.clone(),
            (found, found_len, from),
            (target_elem, target_len, to),
        )? {
            return Ok(cast);
        }
        // A shared reference is the value behind it, whose bits are not those of an address.
        let is_ref = |ty: infer::Ty| matches!(ty.kind(), TyKind::Ref(_));
        let is_number =
            |ty: infer::Ty| matches!(ty.kind(), TyKind::Prim(prim) if super::tys::prim_ty(*prim).is_number());
        if is_ref(found) && is_number(target_elem) || is_number(found) && is_ref(target_elem) {
            let (found, target) = (self.lowering.types.show(found), self.lowering.types.show(target_elem));
            return self.fail(&format!(
                "a value of type `{found}` is read through a pointer as `{target}`, which has another layout"
            ));
        }
        // Memory from the allocator gets its type by the first cast.
        if from_ir == Ty::int(IntTy::U8)
            && let Some((size, _)) = size_of(self.lowering, to)
        {
            let size = Operand::from(usize::try_from(size).unwrap_or(usize::MAX));
            return self.op_as(&ops::REF_TYPED, vec![pointer, size], Ty::reference(to_ir));
        }
        // Slices are as large as each other if their elements are.
        let (each, each_to) = slice_elem(from).zip(slice_elem(to)).unwrap_or((from, to));
        let same_size = match (size_of(self.lowering, each), size_of(self.lowering, each_to)) {
            (Some(a), Some(b)) => a == b,
            _ => (found, found_len) == (target_elem, target_len),
        };
        let same_size = same_size || is_chunk;
        self.view(pointer, from_ir, to_ir, same_size)
    }

    /// Casts between integers of different widths, alone or in arrays: one of the wider ones is several of the
    /// narrower ones. Bytes get a type as memory of the allocator does, which is known at run time.
    fn cast_between_widths(
        &mut self,
        pointer: Operand,
        (found, found_len, from): (infer::Ty, u128, infer::Ty),
        (target, target_len, to): (infer::Ty, u128, infer::Ty),
    ) -> Lowered<Option<Operand>> {
        let bytes = |ty: infer::Ty, len: u128| match ty.kind() {
            TyKind::Prim(prim) => match super::tys::prim_ty(*prim).kind() {
                ir::TyKind::Int(int) => len.checked_mul(u128::from(int.bits() / 8)),
                _ => None,
            },
            _ => None,
        };
        let (Some(from_bytes), Some(to_bytes)) = (bytes(found, found_len), bytes(target, target_len)) else {
            return Ok(None);
        };
        if bytes(found, 1) == bytes(target, 1) || from_bytes == 0 || to_bytes == 0 {
            return Ok(None);
        }
        let (from_ir, to_ir) = (self.lowering.ty(from)?, self.lowering.ty(to)?);
        let count = |many: u128, few: u128| Operand::from(usize::try_from(many / few).unwrap_or(usize::MAX));
        if from_bytes > to_bytes && from_bytes % to_bytes == 0 {
            let pieces = self.view(pointer, from_ir, Ty::array(to_ir, 1), true)?;
            return self.op(&ops::REF_FLAT, vec![pieces, count(from_bytes, to_bytes)]).map(Some);
        }
        if to_bytes > from_bytes && to_bytes % from_bytes == 0 && from_ir != Ty::int(IntTy::U8) {
            let several = self.op(&ops::REF_RANGE, vec![pointer, count(to_bytes, from_bytes)])?;
            return self.view(several, Ty::array(from_ir, 1), to_ir, true).map(Some);
        }
        Ok(None)
    }

    /// The pointer to a `from` as one to a `to`.
    pub(super) fn view(&mut self, pointer: Operand, from: Ty, to: Ty, same_size: bool) -> Lowered<Operand> {
        view(&mut self.build, pointer, from, to, same_size)
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

    /// The type of several fields of a struct, if it has no others, and their number.
    fn equal_fields(&self, ty: infer::Ty) -> Option<(infer::Ty, usize)> {
        let fields = self.struct_fields(ty)?;
        let (_, first) = *fields.first()?;
        (fields.len() > 1 && fields.iter().all(|&(_, field)| field == first)).then_some((first, fields.len()))
    }

    /// Whether a type is a struct of one short array of numbers: elements of an array, which pointers to numbers leave
    /// for the next one. One of a long array is rather a buffer, whose field is pointed into without a copy.
    fn is_short_row(&self, ty: infer::Ty) -> bool {
        let Some((_, field)) = self.only_field(ty) else { return false };
        let TyKind::Array(elem, Const::Value(len)) = field.kind() else { return false };
        let same_size = size_of(self.lowering, ty) == size_of(self.lowering, field);
        matches!(elem.kind(), TyKind::Prim(_)) && (1..=LONGEST_VECTOR).contains(len) && same_size
    }

    fn struct_fields(&self, ty: infer::Ty) -> Option<Vec<(Symbol, infer::Ty)>> {
        let TyKind::Adt(def, _) = ty.kind() else { return None };
        let is_opaque = self.lowering.langs.get(*def).is_some()
            || self.lowering.program.adt(*def).ok()?.is_enum
            || self.lowering.is_union(ty);
        if is_opaque { None } else { Some(self.lowering.types.variants(ty).ok()?.pop()?.1) }
    }

    /// The field of a struct that is not zero-sized, if there is exactly one.
    fn only_field(&self, ty: infer::Ty) -> Option<(u32, infer::Ty)> {
        let fields = self.struct_fields(ty)?;
        let mut sized = (0_u32..)
            .zip(fields)
            .filter(|(_, (_, ty))| size_of(self.lowering, *ty).is_none_or(|(size, _)| size > 0));
        match (sized.next(), sized.next()) {
            (Some((at, (_, ty))), None) => Some((at, ty)),
            _ => None,
        }
    }
}
