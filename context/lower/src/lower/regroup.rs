//! Structs and arrays of numbers as others that have the same bytes: what `transmute` makes of them, number by number.

use overdub_context::ir::{IntTy, Operand, Ty, TyKind as IrKind};
use overdub_context::ops::{self, OpDef};
use overdub_context::ssa::SsaBuilder;

use super::error::Lowered;
use super::layout::size_of;
use super::place::index;
use super::session::Lowering;
use super::tys::{Lang, prim_ty};
use crate::infer::{self, Const, TyKind};

/// The greatest number of numbers: each takes operations of its own.
const MOST: usize = 128;

/// The maximal nesting depth that is examined.
const DEEPEST: usize = 16;

/// A number in a value: its type, and its distance from the beginning in bytes.
#[derive(Clone, Copy)]
struct Number {
    ty: Ty,
    at: u64,
    bytes: u64,
}

/// The numbers of a type in memory, in the order of its fields; none if it has other parts, too many, or its layout is not
/// known.
fn numbers_of(lowering: &Lowering, ty: infer::Ty) -> Option<Vec<Number>> {
    let mut numbers = Vec::new();
    add_numbers(lowering, ty, 0, 0, &mut numbers)?;
    Some(numbers)
}

/// Adds the numbers of a part that begins at a byte; returns the first byte behind it.
fn add_numbers(
    lowering: &Lowering,
    ty: infer::Ty,
    at: u64,
    depth: usize,
    all: &mut Vec<Number>,
) -> Option<u64> {
    if depth > DEEPEST || all.len() > MOST {
        return None;
    }
    let (size, align) = size_of(lowering, ty)?;
    let ty = held(lowering, ty);
    match ty.kind() {
        _ if is_phantom(lowering, ty) => {}
        TyKind::Prim(prim) => {
            let ty = prim_ty(*prim);
            if !ty.is_number() {
                return None;
            }
            all.push(Number { ty, at, bytes: size });
        }
        // Of elements without size there may be any number.
        TyKind::Array(elem, Const::Value(len)) => {
            let (each, _) = size_of(lowering, *elem)?;
            for number in 0..u64::try_from(*len).ok().filter(|len| *len <= MOST as u64)? {
                add_numbers(lowering, *elem, at + number * each, depth + 1, all)?;
            }
        }
        _ => {
            let (fields, is_ordered) = fields_of(lowering, ty)?;
            let (first, mut next) = (all.len(), at);
            for field in fields {
                let (_, align) = size_of(lowering, field)?;
                next = add_numbers(lowering, field, next.next_multiple_of(align.max(1)), depth + 1, all)?;
            }
            // Fields of one size are never reordered.
            let same = all[first..].windows(2).all(|pair| pair[0].bytes == pair[1].bytes);
            if !is_ordered && !same || next.next_multiple_of(align.max(1)) != at + size {
                return None;
            }
        }
    }
    Some(at + size)
}

/// What a `ManuallyDrop` holds, which is the same value.
fn held(lowering: &Lowering, ty: infer::Ty) -> infer::Ty {
    match ty.kind() {
        TyKind::Adt(def, args) if lowering.langs.get(*def) == Some(Lang::ManuallyDrop) => {
            args.first().and_then(|arg| arg.ty()).map_or(ty, |inner| held(lowering, inner))
        }
        _ => ty,
    }
}

fn is_phantom(lowering: &Lowering, ty: infer::Ty) -> bool {
    matches!(ty.kind(), TyKind::Adt(def, _) if lowering.langs.get(*def) == Some(Lang::Phantom))
}

/// The fields of a struct or tuple, and whether they are in memory in their order.
fn fields_of(lowering: &Lowering, ty: infer::Ty) -> Option<(Vec<infer::Ty>, bool)> {
    match ty.kind() {
        TyKind::Tuple(elems) => Some((elems.to_vec(), false)),
        TyKind::Adt(def, _)
            if lowering.langs.get(*def).is_none()
                && !lowering.program.adt(*def).ok()?.is_enum
                && !lowering.is_union(ty) =>
        {
            let (_, fields) = lowering.types.variants(ty).ok()?.pop()?;
            let is_ordered = lowering.program.head(*def).repr.is_c;
            Some((fields.into_iter().map(|(_, field)| field).collect(), is_ordered))
        }
        _ => None,
    }
}

/// Whether the bytes of one type are those of another, and each number of it is made of numbers.
pub(super) fn is_regrouping(lowering: &Lowering, from: infer::Ty, to: infer::Ty) -> bool {
    let (Some(from), Some(to)) = (numbers_of(lowering, from), numbers_of(lowering, to)) else {
        return false;
    };
    to.iter().all(|number| sources(&from, number).is_some())
}

/// Whether a type consists of numbers, of at least one.
pub(super) fn is_numbers(lowering: &Lowering, ty: infer::Ty) -> bool {
    numbers_of(lowering, ty).is_some_and(|numbers| !numbers.is_empty())
}

/// Whether the numbers of a regrouping are of other types or other widths, unless both are integers with the same bytes.
pub(super) fn changes_numbers(lowering: &Lowering, from: infer::Ty, to: infer::Ty) -> bool {
    let (from, to) =
        (numbers_of(lowering, from).unwrap_or_default(), numbers_of(lowering, to).unwrap_or_default());
    let are_floats = |all: &[Number]| all.iter().any(|number| is_float(number.ty));
    let bytes = |all: &[Number]| all.iter().map(|number| number.bytes).sum::<u64>();
    let same = from.iter().map(|number| number.ty).eq(to.iter().map(|number| number.ty));
    !to.is_empty() && !same && (are_floats(&from) || are_floats(&to) || bytes(&from) != bytes(&to))
}

/// Whether a type consists of numbers, and floats are among them.
pub(super) fn has_floats(lowering: &Lowering, ty: infer::Ty) -> bool {
    numbers_of(lowering, ty).is_some_and(|all| all.iter().any(|number| is_float(number.ty)))
}

/// Whether both types consist of numbers, and one has bytes that the other has not.
pub(super) fn is_larger(lowering: &Lowering, large: infer::Ty, small: infer::Ty) -> bool {
    let end = |ty| numbers_of(lowering, ty).map(|all| all.iter().map(|n| n.at + n.bytes).max().unwrap_or(0));
    matches!((end(large), end(small)), (Some(large), Some(small)) if large > small)
}

fn is_float(ty: Ty) -> bool {
    matches!(ty.kind(), IrKind::Float(_))
}

/// The numbers of which a number is made: one of its size, or those that have its bytes.
fn sources(from: &[Number], to: &Number) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    for byte in to.at..to.at + to.bytes {
        let at = from.iter().position(|number| (number.at..number.at + number.bytes).contains(&byte))?;
        if found.last() != Some(&at) {
            found.push(at);
        }
    }
    Some(found)
}

/// Emits the conversion that [`is_regrouping`] allows.
pub(super) fn emit(
    lowering: &Lowering,
    build: &mut SsaBuilder,
    value: &Operand,
    from: infer::Ty,
    to: infer::Ty,
) -> Lowered<Operand> {
    let (all, wanted) = (numbers_of(lowering, from).unwrap_or_default(), numbers_of(lowering, to));
    let mut values = Vec::with_capacity(all.len());
    take_apart(lowering, build, value.clone(), from, &mut values)?;
    let mut made = Vec::new();
    for number in wanted.unwrap_or_default() {
        let sources = sources(&all, &number).unwrap_or_default();
        let parts: Vec<(Number, Operand)> =
            sources.into_iter().map(|at| (all[at], values[at].clone())).collect();
        made.push(self::number(build, &number, &parts)?);
    }
    put_together(lowering, build, to, &mut made.into_iter())
}

/// A value with its first bytes replaced by those of another one; both consist of numbers.
pub(super) fn overwrite(
    lowering: &Lowering,
    build: &mut SsaBuilder,
    (whole, whole_ty): (&Operand, infer::Ty),
    (part, part_ty): (&Operand, infer::Ty),
) -> Lowered<Operand> {
    let all = numbers_of(lowering, whole_ty).unwrap_or_default();
    let over = numbers_of(lowering, part_ty).unwrap_or_default();
    let (mut olds, mut news) = (Vec::new(), Vec::new());
    take_apart(lowering, build, whole.clone(), whole_ty, &mut olds)?;
    take_apart(lowering, build, part.clone(), part_ty, &mut news)?;
    let mut made = Vec::with_capacity(all.len());
    for (at, wanted) in all.iter().enumerate() {
        let covers = |byte: &u64| over.iter().any(|new| (new.at..new.at + new.bytes).contains(byte));
        let range = wanted.at..wanted.at + wanted.bytes;
        if !range.clone().any(|byte| covers(&byte)) {
            made.push(olds[at].clone());
            continue;
        }
        if let Some(sources) = sources(&over, wanted) {
            let parts: Vec<_> = sources.into_iter().map(|k| (over[k], news[k].clone())).collect();
            made.push(number(build, wanted, &parts)?);
            continue;
        }
        let mut bytes = Vec::new();
        for at_byte in range {
            let byte = Number { ty: Ty::int(IntTy::U8), at: at_byte, bytes: 1 };
            let source = match sources(&over, &byte) {
                Some(sources) => sources.first().map(|&k| (over[k], news[k].clone())),
                None => Some((*wanted, olds[at].clone())),
            };
            if let Some(source) = source {
                bytes.push((byte, number(build, &byte, &[source])?));
            }
        }
        made.push(number(build, wanted, &bytes)?);
    }
    put_together(lowering, build, whole_ty, &mut made.into_iter())
}

fn take_apart(
    lowering: &Lowering,
    build: &mut SsaBuilder,
    value: Operand,
    ty: infer::Ty,
    found: &mut Vec<Operand>,
) -> Lowered<()> {
    let ty = held(lowering, ty);
    match ty.kind() {
        _ if is_phantom(lowering, ty) => {}
        TyKind::Array(elem, Const::Value(len)) => {
            for at in 0..usize::try_from(*len).unwrap_or_default() {
                let part = build.op(&ops::GET, [value.clone(), Operand::from(at)])?.into();
                take_apart(lowering, build, part, *elem, found)?;
            }
        }
        _ => match fields_of(lowering, ty) {
            Some((fields, _)) => {
                for (at, field) in (0..).zip(fields) {
                    let part = build.op(&ops::FIELD, [value.clone(), index(at)])?.into();
                    take_apart(lowering, build, part, field, found)?;
                }
            }
            None => found.push(value),
        },
    }
    Ok(())
}

fn put_together(
    lowering: &Lowering,
    build: &mut SsaBuilder,
    ty: infer::Ty,
    numbers: &mut dyn Iterator<Item = Operand>,
) -> Lowered<Operand> {
    let ty = held(lowering, ty);
    let ir = lowering.ty(ty)?;
    let (op, parts) = match ty.kind() {
        _ if is_phantom(lowering, ty) => return Ok(super::cx::unit()),
        TyKind::Array(elem, Const::Value(len)) => {
            (&ops::ARRAY, vec![*elem; usize::try_from(*len).unwrap_or_default()])
        }
        TyKind::Tuple(elems) if elems.is_empty() => return Ok(super::cx::unit()),
        TyKind::Tuple(elems) => (&ops::TUPLE, elems.to_vec()),
        _ => match fields_of(lowering, ty) {
            Some((fields, _)) => (&ops::STRUCT, fields),
            None => return Ok(numbers.next().unwrap_or_else(super::cx::unit)),
        },
    };
    let parts: Lowered<Vec<Operand>> =
        parts.into_iter().map(|part| put_together(lowering, build, part, numbers)).collect();
    Ok(build.op_as(op, parts?, ir)?.into())
}

/// A number, of the bytes of others.
fn number(build: &mut SsaBuilder, to: &Number, parts: &[(Number, Operand)]) -> Lowered<Operand> {
    if let [(from, value)] = parts
        && (from.ty, from.at) == (to.ty, to.at)
    {
        return Ok(value.clone());
    }
    let wide = unsigned(to.bytes);
    let mut whole: Option<Operand> = None;
    for (from, value) in parts {
        // The bytes before those of the number are shifted out, and those behind them cut off by the cast.
        let op = if is_float(from.ty) { &ops::TO_BITS } else { &ops::CAST };
        let bits = build.op_as(op, [value.clone()], unsigned(from.bytes))?.into();
        let bits = shifted(build, &ops::SHR, bits, to.at.saturating_sub(from.at))?;
        let bits = build.op_as(&ops::CAST, [bits], wide)?.into();
        let bits = shifted(build, &ops::SHL, bits, from.at.saturating_sub(to.at))?;
        whole = Some(match whole {
            Some(known) => build.op(&ops::OR, [known, bits])?.into(),
            None => bits,
        });
    }
    let whole = whole.unwrap_or_else(super::cx::unit);
    let op = if is_float(to.ty) { &ops::FROM_BITS } else { &ops::CAST };
    Ok(build.op_as(op, [whole], to.ty)?.into())
}

/// Bits shifted by a number of bytes.
fn shifted(build: &mut SsaBuilder, op: &'static OpDef, bits: Operand, bytes: u64) -> Lowered<Operand> {
    match bytes {
        0 => Ok(bits),
        _ => Ok(build.op(op, [bits, Operand::from(bytes as u32 * 8)])?.into()),
    }
}

/// The unsigned integer of this many bytes.
fn unsigned(bytes: u64) -> Ty {
    Ty::int(match bytes {
        1 => IntTy::U8,
        2 => IntTy::U16,
        4 => IntTy::U32,
        8 => IntTy::U64,
        _ => IntTy::U128,
    })
}
