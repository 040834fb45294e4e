//! Unions: enums with a variant for each field; the variant is the field written last.

use super::host_types::ill_typed;
use super::macros::ops;
use super::type_rules::const_index;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::{Failure, FailureKind};
use crate::types::{Ty, TyKind, VariantTy};
use crate::value::{Value, active_field};

ops! {
    structural;
    /// The field of a union with this number: the value written to it, or the bits of the integers in another
    /// field.
    UNION_GET = "union.get", Exactly(2), union_get_ty, FAILS, union_get;
    /// A union with the field of this number active; the content of another field is converted to it.
    UNION_AS = "union.as", Exactly(2), union_ty, FAILS, union_as;
}

/// The name of the one part of each variant of an enum that stands for a union, which no field of an enum has.
pub const UNION_FIELD: &str = "as";

/// Whether a type stands for a union: an enum with a variant for each field.
pub fn is_union(ty: Ty) -> bool {
    let TyKind::Enum(nominal) = ty.kind() else { return false };
    let is_field = |variant: &VariantTy| matches!(&variant.fields[..], [part] if &*part.name == UNION_FIELD);
    nominal.variants().is_some_and(|variants| !variants.is_empty() && variants.iter().all(is_field))
}

/// The type of a field of a union, which is an enum with one variant of one part for each field.
pub(super) fn field_ty(ty: Ty, field: Option<usize>) -> Option<Ty> {
    let TyKind::Enum(nominal) = ty.kind() else { return None };
    let variants = nominal.variants()?;
    let are_fields = variants.iter().all(|variant| variant.fields.len() == 1);
    variants.get(field?)?.fields.first().filter(|_| are_fields).map(|part| part.ty)
}

fn union_get_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let field = tys.args.first().and_then(|&union| field_ty(union, const_index(tys, 1)));
    field.ok_or_else(|| TypeFault::takes("a union, and the constant number of a field"))
}

fn union_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        &[union, _] if field_ty(union, const_index(tys, 1)).is_some() => Ok(union),
        _ => Err(TypeFault::takes("a union, and the constant number of a field")),
    }
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

fn union_get<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [union, field] = args
        && let Some(field) = field.as_index().and_then(|field| u32::try_from(field).ok())
        && let Value::Composite(active) = active_field(union.take().into_owned(), field)?
        && let Some(part) = active.parts.first()
    {
        return match part {
            Value::Unit if *cx.ret.kind() != TyKind::Unit => {
                let message =
                    "a field of a union is read in which another one was written, of another layout";
                Err(Failure::new(FailureKind::Undefined, message))
            }
            part => Ok(part.clone()),
        };
    }
    Err(ill_typed("union.get", args))
}

fn union_as<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [union, field] = args
        && let Some(field) = field.as_index().and_then(|field| u32::try_from(field).ok())
    {
        return active_field(union.take().into_owned(), field);
    }
    Err(ill_typed("union.as", args))
}
