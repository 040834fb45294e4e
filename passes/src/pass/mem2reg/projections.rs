//! Parts of what a cell holds: how they are read and written in the value that it becomes.

use overdub_context::ir::{Inst, InstKind, Operand, Ty, TyKind};
use overdub_context::ops;
use overdub_context::value::Value;

use crate::support::func_editor::FuncEditor;

/// A step on the way from a cell to what a reference points to.
#[derive(Clone, Debug)]
pub(super) enum Projection {
    /// The field of this number.
    Field(Operand),
    /// The field of a variant, by the numbers of both.
    Payload(Operand, Operand),
    /// The element at this index.
    Elem(Operand),
    /// The elements from an index up to and without another.
    Slice(Operand, Operand),
}

impl Projection {
    /// The part that an instruction makes a reference to.
    pub(super) fn of(editor: &FuncEditor<'_>, inst: &Inst) -> Option<Projection> {
        let InstKind::Op { op, args } = &inst.kind else { return None };
        // Indices of slices are added up.
        let is_usize = |at: &Operand| editor.ty(at) == Ty::usize();
        match args.as_slice() {
            [_, k] if **op == ops::REF_FIELD => Some(Projection::Field(k.clone())),
            [_, tag, k] if **op == ops::REF_PAYLOAD => Some(Projection::Payload(tag.clone(), k.clone())),
            [_, at] if **op == ops::REF_ELEM && is_usize(at) => Some(Projection::Elem(at.clone())),
            [_, from, to] if **op == ops::REF_SLICE && is_usize(from) && is_usize(to) => {
                Some(Projection::Slice(from.clone(), to.clone()))
            }
            _ => None,
        }
    }

    /// The type of the part of a value of type `ty`.
    fn ty(&self, ty: Ty) -> Ty {
        let number = |k: &Operand| k.constant().and_then(|k| k.value().as_index()).unwrap_or_default();
        let part = match (self, ty.kind()) {
            (Projection::Field(k), TyKind::Tuple(parts)) => parts.get(number(k)).copied(),
            (Projection::Field(k), TyKind::Struct(nominal)) => {
                nominal.fields().and_then(|fields| fields.get(number(k))).map(|field| field.ty)
            }
            (Projection::Payload(tag, k), TyKind::Enum(nominal)) => {
                let variant = nominal.variants().and_then(|variants| variants.get(number(tag)));
                variant.and_then(|variant| variant.fields.get(number(k))).map(|field| field.ty)
            }
            (Projection::Elem(_), TyKind::Array(array)) => Some(array.elem),
            (Projection::Slice(..), TyKind::Array(_)) => Some(ty),
            _ => None,
        };
        part.expect("V2: a reference to a part is to one that there is")
    }
}

/// Appends what fails where the part at the end of `way` has no such part itself: what making a reference checks.
pub(super) fn check(
    editor: &mut FuncEditor<'_>,
    insts: &mut Vec<Inst>,
    now: Operand,
    way: &[Projection],
    part: &Projection,
    at: &Inst,
) {
    if !matches!(part, Projection::Field(_)) {
        let whole = read(editor, insts, now, way, at);
        step(editor, insts, whole, part, at);
    }
}

/// The part of a value at the end of a way.
pub(super) fn read(
    editor: &mut FuncEditor<'_>,
    insts: &mut Vec<Inst>,
    now: Operand,
    way: &[Projection],
    at: &Inst,
) -> Operand {
    way.iter().fold(now, |now, part| step(editor, insts, now, part, at))
}

/// A part of a value.
fn step(
    editor: &mut FuncEditor<'_>,
    insts: &mut Vec<Inst>,
    whole: Operand,
    part: &Projection,
    at: &Inst,
) -> Operand {
    let ty = part.ty(editor.ty(&whole));
    let (op, args) = match part.clone() {
        Projection::Field(k) => (&ops::FIELD, vec![whole, k]),
        Projection::Payload(tag, k) => (&ops::PAYLOAD, vec![whole, tag, k]),
        Projection::Elem(k) => (&ops::GET, vec![whole, k]),
        Projection::Slice(from, to) => (&ops::SLICE, vec![whole, from, to]),
    };
    editor.op(insts, op, args, ty, at.span).into()
}

/// The value with another part at the end of a way; what is on the way is taken out, so that it has one owner.
pub(super) fn written(
    editor: &mut FuncEditor<'_>,
    insts: &mut Vec<Inst>,
    now: Operand,
    way: &[Projection],
    new: &Operand,
    at: &Inst,
) -> Operand {
    let way = without_slices(editor, insts, way, at);
    let mut wholes = Vec::with_capacity(way.len());
    let mut inner = now;
    for (depth, part) in way.iter().enumerate() {
        if depth + 1 == way.len() {
            wholes.push((inner.clone(), part));
            break;
        }
        let whole_ty = editor.ty(&inner);
        let ty = part.ty(whole_ty);
        let (op, args) = match part.clone() {
            Projection::Field(k) => (&ops::TAKE_FIELD, vec![inner, k]),
            Projection::Payload(tag, k) => (&ops::TAKE_PAYLOAD, vec![inner, tag, k]),
            Projection::Elem(k) | Projection::Slice(k, _) => (&ops::TAKE_ELEM, vec![inner, k]),
        };
        let taken = editor.op(insts, op, args, Ty::tuple([ty, whole_ty]), at.span);
        let rest = editor.op(insts, &ops::FIELD, vec![taken.into(), 1_i64.into()], whole_ty, at.span);
        wholes.push((rest.into(), part));
        inner = editor.op(insts, &ops::FIELD, vec![taken.into(), 0_i64.into()], ty, at.span).into();
    }
    let mut value = new.clone();
    while let Some((whole, part)) = wholes.pop() {
        let ty = editor.ty(&whole);
        let (op, args) = match part.clone() {
            Projection::Field(k) => (&ops::WITH_FIELD, vec![whole, k, value]),
            Projection::Payload(tag, k) => (&ops::WITH_PAYLOAD, vec![whole, tag, k, value]),
            Projection::Elem(k) | Projection::Slice(k, _) => (&ops::SET, vec![whole, k, value]),
        };
        value = editor.op(insts, op, args, ty, at.span).into();
    }
    value
}

/// The same way, on which an element of a slice is one of the array: it was there when the reference was made.
fn without_slices(
    editor: &mut FuncEditor<'_>,
    insts: &mut Vec<Inst>,
    way: &[Projection],
    at: &Inst,
) -> Vec<Projection> {
    let mut direct = Vec::with_capacity(way.len());
    let mut start: Option<Operand> = None;
    for part in way {
        let mut from_start = |editor: &mut FuncEditor<'_>, k: &Operand| match start.take() {
            None => k.clone(),
            Some(start) if is_zero(&start) => k.clone(),
            Some(start) => {
                let args = vec![start, k.clone()];
                editor.op(insts, &ops::ADD_WRAPPING, args, Ty::usize(), at.span).into()
            }
        };
        match part {
            Projection::Slice(from, _) => start = Some(from_start(editor, from)),
            Projection::Elem(k) => direct.push(Projection::Elem(from_start(editor, k))),
            Projection::Field(_) | Projection::Payload(..) => direct.push(part.clone()),
        }
    }
    direct
}

fn is_zero(operand: &Operand) -> bool {
    operand.constant().map(|constant| constant.value()).and_then(Value::as_index) == Some(0)
}
