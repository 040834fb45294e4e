//! Tuples, structs and enums: construction from parts, reads and updates by field number.
//!
//! An operand without another owner is taken apart or updated in place, so reading the last field of a dead
//! struct moves it out.

use std::sync::Arc;

use super::host_types::{domain, ill_typed};
use super::macros::ops;
use super::type_rules::const_index;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::{Field, Ty, TyKind, VariantTy};
use crate::value::{Composite, Parts, Value};

ops! {
    structural;
    /// A tuple of its operands.
    TUPLE = "tuple", AtLeast(0), |tys| Ok(Ty::tuple(tys.args.iter().copied())), PURE, tuple;
    /// A field of a tuple or struct, by its number.
    FIELD = "field", Exactly(2), |tys| field_ty(tys, tys.args.first()), PURE, field;
    /// A tuple or struct with one field replaced.
    WITH_FIELD = "with_field", Exactly(3), with_field_ty, PURE, with_field;
    /// A struct of the declared type with these fields.
    STRUCT = "struct", AtLeast(0), struct_ty, PURE, make_struct;
    /// An enum of the declared type, from the variant's number followed by its fields.
    VARIANT = "variant", AtLeast(1), variant_ty, PURE, make_variant;
    /// The number of an enum's variant.
    TAG = "tag", Exactly(1), tag_ty, PURE, tag;
    /// A field of an enum that must have this variant.
    PAYLOAD = "payload", Exactly(3), |tys| payload_ty(tys, tys.args.first()), FAILS, payload;
    /// An enum with one field replaced, which must have this variant.
    WITH_PAYLOAD = "with_payload", Exactly(4), with_payload_ty, FAILS, with_payload;
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

/// The type of the field of `of` whose index is the second operand.
pub(super) fn field_ty(tys: &OperandTys<'_>, of: Option<&Ty>) -> Result<Ty, TypeFault> {
    let number = const_index(tys, 1);
    let ty = match (of.map(|ty| ty.kind()), number) {
        (Some(TyKind::Tuple(parts)), Some(k)) => parts.get(k).copied(),
        (Some(TyKind::Struct(nominal)), Some(k)) => {
            nominal.fields().and_then(|fields| fields.get(k)).map(|field| field.ty)
        }
        _ => None,
    };
    ty.ok_or_else(|| TypeFault::takes("a tuple or struct, and the constant number of one of its fields"))
}

/// The type of the field of the enum `of` whose variant and index are the second and third operands.
pub(super) fn payload_ty(tys: &OperandTys<'_>, of: Option<&Ty>) -> Result<Ty, TypeFault> {
    let fields = of.and_then(|ty| variant_fields(*ty, const_index(tys, 1)));
    let field = fields.zip(const_index(tys, 2)).and_then(|(fields, k)| fields.get(k));
    field.map(|field| field.ty).ok_or_else(|| {
        TypeFault::takes("an enum, and the constant numbers of one of its variants and of a field of that")
    })
}

fn variant_fields(ty: Ty, tag: Option<usize>) -> Option<&'static [Field]> {
    let TyKind::Enum(nominal) = ty.kind() else { return None };
    nominal.variants()?.get(tag?).map(|variant: &VariantTy| &*variant.fields)
}

fn with_field_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let field = field_ty(tys, tys.args.first())?;
    match tys.args {
        [composite, _, part] if *part == field => Ok(*composite),
        _ => Err(TypeFault::takes(format!("a new {field} for this field"))),
    }
}

fn with_payload_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let field = payload_ty(tys, tys.args.first())?;
    match tys.args {
        [composite, _, _, part] if *part == field => Ok(*composite),
        _ => Err(TypeFault::takes(format!("a new {field} for this field"))),
    }
}

fn struct_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let fault = || TypeFault::takes("the fields of the struct that its result is declared to be");
    let ty = tys.declared.ok_or_else(fault)?;
    let TyKind::Struct(nominal) = ty.kind() else { return Err(fault()) };
    fields_fit(nominal.fields().ok_or_else(fault)?, tys.args).map(|()| ty)
}

fn variant_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let fault = || {
        TypeFault::takes(
            "the constant number of a variant of the enum that its result is declared to be, and its fields",
        )
    };
    let ty = tys.declared.ok_or_else(fault)?;
    let fields = variant_fields(ty, const_index(tys, 0)).ok_or_else(fault)?;
    fields_fit(fields, tys.args.get(1..).unwrap_or_default()).map(|()| ty)
}

fn fields_fit(fields: &[Field], args: &[Ty]) -> Result<(), TypeFault> {
    if fields.len() == args.len() && fields.iter().zip(args).all(|(field, ty)| field.ty == *ty) {
        return Ok(());
    }
    let takes: Vec<String> = fields.iter().map(|field| format!("{}: {}", field.name, field.ty)).collect();
    Err(TypeFault::takes(format!("fields ({})", takes.join(", "))))
}

fn tag_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [ty] if matches!(ty.kind(), TyKind::Enum(_)) => Ok(Ty::i64()),
        _ => Err(TypeFault::takes("an enum")),
    }
}

fn tuple<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    Ok(Value::tuple(args.iter_mut().map(Value::take)))
}

/// A part of a composite: moved if the composite has no other owner.
fn part<'a>(composite: &mut Arc<Composite<'a>>, k: usize) -> Option<Value<'a>> {
    match Arc::get_mut(composite) {
        Some(owned) => owned.parts.get_mut(k).map(Value::take),
        None => composite.parts.get(k).cloned(),
    }
}

fn field<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Composite(composite), k] = args
        && let Some(part) = k.as_index().and_then(|k| part(composite, k))
    {
        return Ok(part);
    }
    Err(ill_typed("field", args))
}

fn with_field<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [arg @ Value::Composite(_), k, new] = args
        && let Value::Composite(composite) = arg
        && let Some(k) = k.as_index().filter(|&k| k < composite.parts.len())
    {
        Arc::make_mut(composite).parts[k] = new.take();
        return Ok(arg.take());
    }
    Err(ill_typed("with_field", args))
}

fn composite_value<'a>(ty: Ty, tag: u32, parts: &mut [Value<'a>]) -> Value<'a> {
    let parts: Parts<'a> = parts.iter_mut().map(Value::take).collect();
    Value::Composite(Arc::new(Composite { ty: Some(ty), tag, parts }))
}

fn make_struct<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    Ok(composite_value(cx.ret, 0, args))
}

fn make_variant<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [tag, parts @ ..] = args
        && let Some(tag) = tag_of(tag)
    {
        return Ok(composite_value(cx.ret, tag, parts));
    }
    Err(ill_typed("variant", args))
}

pub(super) fn tag_of(value: &Value<'_>) -> Option<u32> {
    value.as_index().and_then(|tag| u32::try_from(tag).ok())
}

fn tag<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match args {
        [Value::Composite(composite)] => Ok(Value::from(i64::from(composite.tag))),
        _ => Err(ill_typed("tag", args)),
    }
}

fn payload<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Composite(composite), tag, k] = args
        && let Some(tag) = tag_of(tag)
    {
        if composite.tag != tag {
            return Err(other_variant(composite.ty, tag, composite.tag));
        }
        if let Some(part) = k.as_index().and_then(|k| part(composite, k)) {
            return Ok(part);
        }
    }
    Err(ill_typed("payload", args))
}

fn with_payload<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [arg @ Value::Composite(_), tag, k, new] = args
        && let Value::Composite(composite) = arg
        && let Some(tag) = tag_of(tag)
    {
        if composite.tag != tag {
            return Err(other_variant(composite.ty, tag, composite.tag));
        }
        if let Some(k) = k.as_index().filter(|&k| k < composite.parts.len()) {
            Arc::make_mut(composite).parts[k] = new.take();
            return Ok(arg.take());
        }
    }
    Err(ill_typed("with_payload", args))
}

/// The failure for accessing the fields of a variant that an enum does not have.
#[cold]
pub(super) fn other_variant(ty: Option<Ty>, expected: u32, actual: u32) -> Failure {
    let name = |tag: u32| {
        let variant = ty.and_then(Ty::as_nominal).and_then(|nominal| nominal.variants()?.get(tag as usize));
        variant.map_or_else(|| tag.to_string(), |variant| variant.name.to_string())
    };
    domain(format!("this is not `{}` but `{}`", name(expected), name(actual)))
}
