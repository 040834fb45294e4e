//! Values that stand for those of a path that was not taken.

use overdub_context::ir::{Field, FuncBuilder, NominalBody, Operand, Ty, TyKind};
use overdub_context::ops;
use overdub_context::value::Value;

use crate::expr::float_constant;
use crate::float_pair::is_float;
use crate::refusal::Cause;

/// Whether a type has a default value, which stands for a value that was never computed.
pub(super) fn has_default(ty: Ty) -> bool {
    match ty.kind() {
        TyKind::Unit
        | TyKind::Bool
        | TyKind::Char
        | TyKind::Str
        | TyKind::Int(_)
        | TyKind::Float(_)
        | TyKind::Stack(_) => true,
        TyKind::Array(array) => array.rank == 1,
        TyKind::Tuple(parts) => parts.iter().all(|part| has_default(*part)),
        TyKind::Struct(nominal) => match nominal.body() {
            Some(NominalBody::Struct(fields)) => fields.iter().all(|field| has_default(field.ty)),
            _ => false,
        },
        TyKind::Closure(closure) => closure.captures.iter().all(|part| has_default(*part)),
        TyKind::Never | TyKind::Enum(_) | TyKind::Fn(_) | TyKind::Ref(_) | TyKind::Opaque(_) => false,
    }
}

/// The default value of a type that has one.
pub(super) fn default(build: &mut FuncBuilder, ty: Ty) -> Result<Operand, Cause> {
    let parts = |build: &mut FuncBuilder, tys: &[Ty]| {
        tys.iter().map(|ty| default(build, *ty)).collect::<Result<Vec<_>, Cause>>()
    };
    Ok(match ty.kind() {
        TyKind::Bool => false.into(),
        TyKind::Char => build.constant(Value::Char('\0'), ty)?,
        TyKind::Str => "".into(),
        TyKind::Int(int) => build.constant(Value::int(*int, 0), ty)?,
        TyKind::Float(_) => float_constant(0.0, ty),
        TyKind::Array(_) => build.op_as(&ops::ARRAY, [] as [Operand; 0], ty)?.into(),
        TyKind::Stack(_) => build.op_as(&ops::STACK_NEW, [] as [Operand; 0], ty)?.into(),
        TyKind::Tuple(tys) => {
            let parts = parts(build, tys)?;
            build.op(&ops::TUPLE, parts)?.into()
        }
        TyKind::Closure(closure) => {
            let parts = parts(build, &closure.captures)?;
            build.op_as(&ops::CLOSURE, parts, ty)?.into()
        }
        TyKind::Struct(nominal) => {
            let Some(NominalBody::Struct(fields)) = nominal.body() else { return Err(Cause::Type(ty)) };
            let tys: Vec<Ty> = fields.iter().map(|field| field.ty).collect();
            let parts = parts(build, &tys)?;
            build.op_as(&ops::STRUCT, parts, ty)?.into()
        }
        _ => Operand::unit(),
    })
}

/// Whether a type has a placeholder: a value of it that nothing reads. More types have one than have a default.
pub(super) fn has_placeholder(ty: Ty) -> bool {
    match ty.kind() {
        TyKind::Array(array) => array.rank == 1 || is_float(array.elem),
        TyKind::Enum(nominal) => match nominal.body() {
            Some(NominalBody::Enum(_)) => plain_variant(ty).is_some(),
            _ => false,
        },
        _ => parts(ty).map_or_else(|| has_default(ty), |tys| tys.into_iter().all(has_placeholder)),
    }
}

/// A placeholder of a type that has one.
pub(super) fn placeholder(build: &mut FuncBuilder, ty: Ty) -> Result<Operand, Cause> {
    match ty.kind() {
        TyKind::Array(array) if array.rank > 1 => {
            let shape = build.op(&ops::ARRAY, vec![0_usize; array.rank as usize])?;
            Ok(build.op_as(&ops::ND_FULL, [shape.into(), float_constant(0.0, array.elem)], ty)?.into())
        }
        TyKind::Enum(_) => {
            let (number, fields) = plain_variant(ty).ok_or(Cause::Type(ty))?;
            let mut operands = vec![Operand::from(number)];
            for field in fields {
                operands.push(placeholder(build, field.ty)?);
            }
            Ok(build.op_as(&ops::VARIANT, operands, ty)?.into())
        }
        kind => {
            let Some(tys) = parts(ty) else { return default(build, ty) };
            let values = tys.into_iter().map(|ty| placeholder(build, ty)).collect::<Result<Vec<_>, _>>()?;
            let op = match kind {
                TyKind::Tuple(_) => &ops::TUPLE,
                TyKind::Closure(_) => &ops::CLOSURE,
                _ => &ops::STRUCT,
            };
            Ok(build.op_as(op, values, ty)?.into())
        }
    }
}

/// The types of the parts of a tuple, a closure or a struct.
fn parts(ty: Ty) -> Option<Vec<Ty>> {
    match ty.kind() {
        TyKind::Tuple(tys) => Some(tys.to_vec()),
        TyKind::Closure(closure) => Some(closure.captures.to_vec()),
        TyKind::Struct(nominal) => match nominal.body() {
            Some(NominalBody::Struct(fields)) => Some(fields.iter().map(|field| field.ty).collect()),
            _ => None,
        },
        _ => None,
    }
}

/// The first variant of an enum whose fields are scalars, and its number.
fn plain_variant(ty: Ty) -> Option<(i64, Vec<Field>)> {
    let TyKind::Enum(nominal) = ty.kind() else { return None };
    let Some(NominalBody::Enum(variants)) = nominal.body() else { return None };
    let scalar = |field: &Field| {
        matches!(
            field.ty.kind(),
            TyKind::Unit | TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_)
        )
    };
    let found = (0_i64..).zip(variants).find(|(_, variant)| variant.fields.iter().all(scalar));
    found.map(|(number, variant)| (number, variant.fields.clone()))
}
