//! Enums without fields as their discriminants, and back.

use overdub_context::ir::{IntTy, Operand, Ty};
use overdub_context::ops;
use overdub_context::ssa::SsaBuilder;
use overdub_context::value::{Array, Composite, Parts, Value};

use super::error::{LowerError, Lowered, Stop};
use super::session::Lowering;
use crate::hir::DefId;
use crate::infer::{self, TyKind};

/// The discriminant of an enum's value, as an integer of a type.
pub(super) fn of_value(
    lowering: &Lowering,
    build: &mut SsaBuilder,
    def: DefId,
    value: &Operand,
    int: IntTy,
) -> Lowered<Operand> {
    let tag = build.op_as(&ops::TAG, [value.clone()], Ty::i64())?;
    let numbers = lowering.types.discriminants(def)?;
    let to = Ty::int(int);
    if counts_from_zero(&numbers) {
        return Ok(build.op_as(&ops::CAST, [Operand::from(tag)], to)?.into());
    }
    let numbers = numbers.into_iter().map(|number| Value::int(int, number));
    let table = table(build, Array::from_values(to, numbers), to)?;
    let at = build.op_as(&ops::CAST, [Operand::from(tag)], Ty::usize())?;
    Ok(build.op_as(&ops::GET, [table, at.into()], to)?.into())
}

/// The variant with a discriminant. A number that no variant has is undefined in Rust, and fails here.
pub(super) fn to_value(
    lowering: &Lowering,
    build: &mut SsaBuilder,
    def: DefId,
    (number, int): (&Operand, IntTy),
    ty: Ty,
) -> Lowered<Operand> {
    let numbers = lowering.types.discriminants(def)?;
    let variants = (0..numbers.len()).map(|tag| {
        let parts = Parts::from_iter([]);
        Value::Composite(Composite { ty: Some(ty), tag: tag as u32, parts }.into())
    });
    let variants = table(build, Array::from_values(ty, variants), ty)?;
    let at: Operand = if counts_from_zero(&numbers) {
        build.op_as(&ops::CAST, [number.clone()], Ty::usize())?.into()
    } else {
        let mut at = Operand::from(numbers.len());
        for (tag, discriminant) in numbers.into_iter().enumerate() {
            let discriminant = build.constant(Value::int(int, discriminant), Ty::int(int))?;
            let is_here = build.op_as(&ops::EQ, [number.clone(), discriminant], Ty::bool())?;
            at = build.op_as(&ops::SELECT, [is_here.into(), Operand::from(tag), at], Ty::usize())?.into();
        }
        at
    };
    Ok(build.op_as(&ops::GET, [variants, at], ty)?.into())
}

/// Whether a type is an enum of the program without fields; its item.
pub(super) fn enum_without_fields(lowering: &Lowering, ty: infer::Ty) -> Option<DefId> {
    let TyKind::Adt(def, _) = ty.kind() else { return None };
    if lowering.langs.get(*def).is_some() || !lowering.program.adt(*def).ok()?.is_enum {
        return None;
    }
    let variants = lowering.types.variants(ty).ok()?;
    let is_plain = variants.iter().all(|(_, fields)| fields.is_empty());
    (is_plain && lowering.types.discriminants(*def).is_ok()).then_some(*def)
}

fn counts_from_zero(numbers: &[i128]) -> bool {
    numbers.iter().zip(0..).all(|(&number, at)| number == at)
}

fn table(build: &mut SsaBuilder, elems: Option<Array<'static>>, elem: Ty) -> Lowered<Operand> {
    match elems {
        Some(elems) => Ok(build.constant(Value::Array(elems.into()), Ty::array(elem, 1))?),
        None => Err(Stop::from(LowerError::new(build.span(), "internal: these are no elements of a table"))),
    }
}
