//! Projections: reads and writes of parts of a promoted cell's value.

use overdub_context::ir::{FloatTy, Inst, InstKind, IntTy, Operand, Ty, TyKind};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;

use overdub_context::edit::FuncEditor;

/// A step of the access path from a cell to the referent of a reference.
#[derive(Clone, Debug)]
pub(super) enum Projection {
    /// The whole: a raw pointer to the referent (`ref.raw`).
    WholeValue,
    /// The field of this index.
    Field(Operand),
    /// The field of a variant, by the tag and the index of the field.
    Payload(Operand, Operand),
    /// The element at this index.
    Elem(Operand),
    /// The elements from an index up to, but not including, another.
    Slice(Operand, Operand),
    /// The bits of a number as another number of the same width (`ref.view`).
    Bits(Ty),
}

/// The operation that reads the bits of a number as another number.
pub(super) fn bits_op(from: Ty, to: Ty) -> Option<&'static OpDef> {
    let float_of = |int: IntTy| match int {
        IntTy::U64 => Some(FloatTy::F64),
        IntTy::U32 => Some(FloatTy::F32),
        _ => None,
    };
    match (from.kind(), to.kind()) {
        (TyKind::Int(a), TyKind::Int(b)) if a.bits() == b.bits() => Some(&ops::CAST),
        (TyKind::Float(float), TyKind::Int(int)) if float_of(*int) == Some(*float) => Some(&ops::TO_BITS),
        (TyKind::Int(int), TyKind::Float(float)) if float_of(*int) == Some(*float) => Some(&ops::FROM_BITS),
        _ => None,
    }
}

impl Projection {
    /// The projection of an instruction that creates a reference to a part.
    pub(super) fn of(editor: &FuncEditor<'_>, inst: &Inst) -> Option<Projection> {
        let InstKind::Op { op, args } = &inst.kind else { return None };
        // Indices are added to the starts of slices, which needs one type.
        let is_usize = |at: &Operand| editor.ty(at) == Ty::usize();
        match args.as_slice() {
            [_] if **op == ops::REF_RAW
                || **op == ops::REF_VARIABLE
                || **op == ops::REF_REBORROW
                || **op == ops::REF_UNALIGNED =>
            {
                Some(Projection::WholeValue)
            }
            [_, k] if **op == ops::REF_FIELD => Some(Projection::Field(k.clone())),
            [_, tag, k] if **op == ops::REF_PAYLOAD => Some(Projection::Payload(tag.clone(), k.clone())),
            [_, at] if **op == ops::REF_ELEM && is_usize(at) => Some(Projection::Elem(at.clone())),
            [_, from, to] if **op == ops::REF_SLICE && is_usize(from) && is_usize(to) => {
                Some(Projection::Slice(from.clone(), to.clone()))
            }
            [pointer, ..] if **op == ops::REF_VIEW => {
                let (TyKind::Ref(from), TyKind::Ref(to)) =
                    (editor.ty(pointer).kind(), editor.func.ty(inst.result).kind())
                else {
                    return None;
                };
                (bits_op(*from, *to).is_some() && bits_op(*to, *from).is_some())
                    .then_some(Projection::Bits(*to))
            }
            _ => None,
        }
    }

    /// The type of the part of a value of type `ty`.
    fn ty(&self, ty: Ty) -> Ty {
        let index = |k: &Operand| k.constant().and_then(|k| k.value().as_index()).unwrap_or_default();
        let part = match (self, ty.kind()) {
            (Projection::WholeValue, _) => Some(ty),
            (Projection::Bits(to), _) => Some(*to),
            (Projection::Field(k), TyKind::Tuple(parts)) => parts.get(index(k)).copied(),
            (Projection::Field(k), TyKind::Struct(nominal)) => {
                nominal.fields().and_then(|fields| fields.get(index(k))).map(|field| field.ty)
            }
            (Projection::Payload(tag, k), TyKind::Enum(nominal)) => {
                let variant = nominal.variants().and_then(|variants| variants.get(index(tag)));
                variant.and_then(|variant| variant.fields.get(index(k))).map(|field| field.ty)
            }
            (Projection::Elem(_), TyKind::Array(array)) => Some(array.elem),
            (Projection::Slice(..), TyKind::Array(_)) => Some(ty),
            _ => None,
        };
        part.expect("V2: a verified reference to a part has a type with that part")
    }
}

/// Appends the check of an instruction that creates a reference: it fails where the value at `path` has no such part (M2R2).
pub(super) fn check(
    editor: &mut FuncEditor<'_>,
    insts: &mut Vec<Inst>,
    value: Operand,
    path: &[Projection],
    part: &Projection,
    at: &Inst,
) {
    if !matches!(part, Projection::WholeValue | Projection::Field(_) | Projection::Bits(_)) {
        let composite = read(editor, insts, value, path, at);
        project(editor, insts, composite, part, at);
    }
}

/// Reads the part of a value at an access path.
pub(super) fn read(
    editor: &mut FuncEditor<'_>,
    insts: &mut Vec<Inst>,
    value: Operand,
    path: &[Projection],
    at: &Inst,
) -> Operand {
    path.iter().fold(value, |value, part| project(editor, insts, value, part, at))
}

/// Reads one part of a value.
fn project(
    editor: &mut FuncEditor<'_>,
    insts: &mut Vec<Inst>,
    composite: Operand,
    part: &Projection,
    at: &Inst,
) -> Operand {
    let ty = part.ty(editor.ty(&composite));
    let (op, args) = match part.clone() {
        Projection::WholeValue => return composite,
        Projection::Field(k) => (&ops::FIELD, vec![composite, k]),
        Projection::Payload(tag, k) => (&ops::PAYLOAD, vec![composite, tag, k]),
        Projection::Elem(k) => (&ops::GET, vec![composite, k]),
        Projection::Slice(from, to) => (&ops::SLICE, vec![composite, from, to]),
        Projection::Bits(to) => return as_bits(editor, insts, composite, to, at),
    };
    editor.func.push_op(insts, op, args, ty, at.span).into()
}

/// A number with the bits of another one.
pub(super) fn as_bits(
    editor: &mut FuncEditor<'_>,
    insts: &mut Vec<Inst>,
    number: Operand,
    to: Ty,
    at: &Inst,
) -> Operand {
    let op =
        bits_op(editor.ty(&number), to).expect("a projection of bits has an operation in both directions");
    editor.func.push_op(insts, op, vec![number], to, at.span).into()
}

/// The value with the part at an access path replaced. The parts along the path are moved out first, so that
/// each has one owner and is updated in place.
pub(super) fn written(
    editor: &mut FuncEditor<'_>,
    insts: &mut Vec<Inst>,
    now: Operand,
    path: &[Projection],
    new: &Operand,
    at: &Inst,
) -> Operand {
    // From here on, the path contains no slices.
    let path = without_slices(editor, insts, path, at);
    let mut wholes = Vec::with_capacity(path.len());
    let mut inner = now;
    for (depth, part) in path.iter().enumerate() {
        if depth + 1 == path.len() {
            wholes.push((inner.clone(), part));
            break;
        }
        let composite_ty = editor.ty(&inner);
        let ty = part.ty(composite_ty);
        let (op, args) = match part.clone() {
            Projection::WholeValue => continue,
            Projection::Bits(to) => {
                wholes.push((inner.clone(), part));
                inner = as_bits(editor, insts, inner, to, at);
                continue;
            }
            Projection::Field(k) => (&ops::TAKE_FIELD, vec![inner, k]),
            Projection::Payload(tag, k) => (&ops::TAKE_PAYLOAD, vec![inner, tag, k]),
            Projection::Elem(k) | Projection::Slice(k, _) => (&ops::TAKE_ELEM, vec![inner, k]),
        };
        let moved_out = editor.func.push_op(insts, op, args, Ty::tuple([ty, composite_ty]), at.span);
        let rest = editor.func.push_op(
            insts,
            &ops::FIELD,
            vec![moved_out.into(), 1_i64.into()],
            composite_ty,
            at.span,
        );
        wholes.push((rest.into(), part));
        inner =
            editor.func.push_op(insts, &ops::FIELD, vec![moved_out.into(), 0_i64.into()], ty, at.span).into();
    }
    let mut value = new.clone();
    while let Some((composite, part)) = wholes.pop() {
        let ty = editor.ty(&composite);
        let (op, args) = match part.clone() {
            Projection::WholeValue => continue,
            Projection::Bits(_) => {
                value = as_bits(editor, insts, value, ty, at);
                continue;
            }
            Projection::Field(k) => (&ops::WITH_FIELD, vec![composite, k, value]),
            Projection::Payload(tag, k) => (&ops::WITH_PAYLOAD, vec![composite, tag, k, value]),
            Projection::Elem(k) | Projection::Slice(k, _) => (&ops::SET, vec![composite, k, value]),
        };
        value = editor.func.push_op(insts, op, args, ty, at.span).into();
    }
    value
}

/// The access path without slices: an element of a slice becomes an element of the array. It is in bounds, because the
/// creation of the reference checked it.
fn without_slices(
    editor: &mut FuncEditor<'_>,
    insts: &mut Vec<Inst>,
    path: &[Projection],
    at: &Inst,
) -> Vec<Projection> {
    let mut direct = Vec::with_capacity(path.len());
    let mut start: Option<Operand> = None;
    for part in path {
        let mut from_start = |editor: &mut FuncEditor<'_>, k: &Operand| match start.take() {
            None => k.clone(),
            Some(start) if is_zero(&start) => k.clone(),
            Some(start) => {
                let args = vec![start, k.clone()];
                editor.func.push_op(insts, &ops::ADD_WRAPPING, args, Ty::usize(), at.span).into()
            }
        };
        match part {
            Projection::WholeValue => {}
            Projection::Slice(from, _) => start = Some(from_start(editor, from)),
            Projection::Elem(k) => direct.push(Projection::Elem(from_start(editor, k))),
            Projection::Field(_) | Projection::Payload(..) | Projection::Bits(_) => direct.push(part.clone()),
        }
    }
    direct
}

fn is_zero(operand: &Operand) -> bool {
    operand.constant().map(|constant| constant.value()).and_then(Value::as_index) == Some(0)
}
