//! Cotangents: their types, and their values from floats.
//!
//! - COT1 a cotangent has the shape of its value: that of a float is a float, that of a tuple or struct the tuple of
//!   its parts' cotangents, that of an array the array of its elements'. A value without floats has the cotangent
//!   `unit`.
//! - COT2 the cotangent of an array has the array's length and one owner, so it is updated in place.
//! - COT3 that of an enum has the cotangents of each variant's fields, and a variant for zero: adding to a part of a
//!   tree costs as much as the part, not as the tree.

use overdub_context::ir::{ClosureTy, Field, Nominal, NominalBody, Ty, TyKind, VariantTy, Visit};
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

use crate::flatten;
use crate::refusal::Cause;

/// The type of the cotangents of values of a type.
pub(crate) fn cotangent(ty: Ty) -> Result<Ty, Cause> {
    cotangent_within(ty, None)
}

/// An enum or struct whose cotangents are being declared, and those around it, so that a recursive type is recognised.
struct Declaring<'d> {
    ty: Ty,
    outer: Option<&'d Declaring<'d>>,
}

/// The type of the cotangents of values of a type, within the declaration of others.
fn cotangent_within(ty: Ty, declaring: Option<&Declaring<'_>>) -> Result<Ty, Cause> {
    match ty.kind() {
        TyKind::Float(_) => Ok(ty),
        TyKind::Unit
        | TyKind::Never
        | TyKind::Bool
        | TyKind::Char
        | TyKind::Str
        | TyKind::Int(_)
        | TyKind::Opaque(_)
        | TyKind::Fn(_) => Ok(Ty::unit()),
        TyKind::Tuple(parts) => of_parts(parts.iter().copied(), declaring),
        TyKind::Closure(ClosureTy { captures, .. }) => of_parts(captures.iter().copied(), declaring),
        TyKind::Struct(nominal) => match nominal.body() {
            // A struct that contains vectors of itself: the type of its cotangents would be infinite.
            Some(NominalBody::Struct(_)) if is_in_itself(ty, declaring) => Err(Cause::Type(ty)),
            Some(NominalBody::Struct(fields)) => {
                of_parts(fields.iter().map(|field| field.ty), Some(&Declaring { ty, outer: declaring }))
            }
            _ => Ok(Ty::unit()),
        },
        TyKind::Array(array) => match cotangent_within(array.elem, declaring)? {
            none if none == Ty::unit() => Ok(none),
            elem if array.rank == 1 || elem == array.elem => Ok(Ty::array(elem, array.rank)),
            _ => Err(Cause::Type(ty)),
        },
        TyKind::Stack(elem) => Ok(match cotangent_within(*elem, declaring)? {
            none if none == Ty::unit() => none,
            elem => Ty::stack(elem),
        }),
        TyKind::Enum(_) | TyKind::Ref(_) if !holds_float(ty) => Ok(Ty::unit()),
        TyKind::Enum(nominal) => cotangent_of_enum(ty, *nominal, declaring),
        TyKind::Ref(_) => Err(Cause::Type(ty)),
    }
}

/// Whether a struct is a part of itself, without an enum in between, whose cotangents have a name.
fn is_in_itself(ty: Ty, declaring: Option<&Declaring<'_>>) -> bool {
    std::iter::successors(declaring, |inner| inner.outer)
        .take_while(|outer| !matches!(outer.ty.kind(), TyKind::Enum(_)))
        .any(|outer| outer.ty == ty)
}

/// The type of the elements of an array's cotangents; unit if the type is not an array.
pub(crate) fn elem_of(ty: Ty) -> Result<Ty, Cause> {
    Ok(cotangent(ty)?.as_array().map_or(Ty::unit(), |array| array.elem))
}

fn of_parts(parts: impl Iterator<Item = Ty>, declaring: Option<&Declaring<'_>>) -> Result<Ty, Cause> {
    let parts = parts.map(|part| cotangent_within(part, declaring)).collect::<Result<Vec<_>, _>>()?;
    Ok(if parts.iter().all(|part| *part == Ty::unit()) { Ty::unit() } else { Ty::tuple(parts) })
}

/// Whether values of a type hold visible floats.
pub(crate) fn holds_float(ty: Ty) -> bool {
    ty.contains(|part| matches!(part.kind(), TyKind::Float(_)))
}

/// Whether values of a type may hide floats: in cells, functions, host values.
pub(crate) fn hides(ty: Ty) -> bool {
    ty.contains(|part| matches!(part.kind(), TyKind::Ref(_) | TyKind::Fn(_) | TyKind::Opaque(_)))
}

/// Whether cotangents of this type hold arrays, which are updated in place.
pub(crate) fn holds_array(cotangent: Ty) -> bool {
    match cotangent.kind() {
        TyKind::Array(_) | TyKind::Stack(_) => true,
        TyKind::Tuple(parts) => parts.iter().any(|part| holds_array(*part)),
        _ => false,
    }
}

/// The types of the parts of a tuple, struct or closure.
pub(crate) fn parts_of(ty: Ty) -> Vec<Ty> {
    match ty.kind() {
        TyKind::Tuple(parts) => parts.to_vec(),
        TyKind::Closure(closure) => closure.captures.to_vec(),
        TyKind::Struct(nominal) => match nominal.body() {
            Some(NominalBody::Struct(fields)) => fields.iter().map(|field| field.ty).collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The type of the cotangents of an enum that holds floats.
fn cotangent_of_enum(ty: Ty, nominal: Nominal, declaring: Option<&Declaring<'_>>) -> Result<Ty, Cause> {
    let universe =
        Nominal::universe(Symbol::new(&format!("cotangents of universe {}", nominal.in_universe())));
    let enum_nominal = Nominal::new(universe, Symbol::new("Cotangent"), [ty]);
    let dty = Ty::new(TyKind::Enum(enum_nominal));
    let is_declared_around =
        std::iter::successors(declaring, |inner| inner.outer).any(|outer| outer.ty == ty);
    if enum_nominal.body().is_some() || is_declared_around {
        return Ok(dty);
    }
    if !is_supported_enum(ty) {
        return Err(Cause::Type(ty));
    }
    let variants = declared(nominal, &Declaring { ty, outer: declaring })?;
    enum_nominal.define(NominalBody::Enum(variants));
    Ok(dty)
}

fn declared(nominal: Nominal, declaring: &Declaring<'_>) -> Result<Vec<VariantTy>, Cause> {
    let mut variants = vec![VariantTy { name: Symbol::new("Zero"), fields: Vec::new() }];
    let Some(NominalBody::Enum(of)) = nominal.body() else { return Ok(variants) };
    for variant in of {
        let cotangent = |ty: Ty| cotangent_within(ty, Some(declaring));
        let fields =
            variant.fields.iter().map(|field| Ok(Field { name: field.name, ty: cotangent(field.ty)? }));
        variants.push(VariantTy { name: variant.name, fields: fields.collect::<Result<_, Cause>>()? });
    }
    Ok(variants)
}

/// Whether all floats of a type are in tuples, structs and enums.
///
/// Enums that hold arrays are left to the tape. A payload is a value of its own here, not a place within the
/// whole, as a field is: a loop that reads one element in each iteration would allocate and add an array of
/// zeros each time, which makes a linear loop quadratic. The tape adds to the one element.
fn is_supported_enum(ty: Ty) -> bool {
    !ty.search(|part| match part.kind() {
        TyKind::Array(_) | TyKind::Ref(_) | TyKind::Stack(_) if holds_float(part) => Visit::Found,
        TyKind::Array(_) | TyKind::Ref(_) | TyKind::Stack(_) => Visit::Skip,
        _ if part.as_nominal().is_some_and(|nominal| nominal.body().is_none()) => Visit::Found,
        _ => Visit::Parts,
    })
}

/// The cotangent of a value, built from those of its floats in order.
pub(crate) fn seed(
    value: &Value<'static>,
    dty: Ty,
    floats: &mut dyn Iterator<Item = f64>,
) -> Result<Value<'static>, Failure> {
    match (value, dty.kind()) {
        (_, TyKind::Unit) => Ok(Value::Unit),
        (Value::Composite(composite), TyKind::Tuple(tys)) if composite.parts.len() == tys.len() => {
            let parts = composite.parts.iter().zip(tys).map(|(part, dty)| seed(part, *dty, floats));
            Ok(Value::tuple(parts.collect::<Result<Vec<_>, _>>()?))
        }
        _ => flatten::with_floats(value, floats),
    }
}
