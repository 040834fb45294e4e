//! The fields of structs and enums, whatever the language that they are declared in.

use hashbrown::HashSet;
use overdub_context::ir::{Field, Nominal, NominalBody, Ty, TyKind, VariantTy};

/// Whether fields are named by their position.
pub(crate) fn is_positional(fields: &[Field]) -> bool {
    fields.first().is_some_and(|field| field.name.starts_with(|c: char| c.is_ascii_digit()))
}

/// The fields of a struct, or of a variant.
pub(crate) fn fields(ty: Ty, tag: usize) -> &'static [Field] {
    match ty.kind() {
        TyKind::Struct(nominal) => nominal.fields().unwrap_or_default(),
        TyKind::Enum(_) => variant_of(ty, tag).map_or(&[], |(_, variant)| &variant.fields),
        _ => &[],
    }
}

/// The enum and its variant of this number.
pub(crate) fn variant_of(ty: Ty, tag: usize) -> Option<(Nominal, &'static VariantTy)> {
    let nominal = ty.as_nominal()?;
    Some((nominal, nominal.variants()?.get(tag)?))
}

/// Whether the exported text declares this field of the variant `tag` as a box, since the type contains itself by it.
pub fn is_boxed(ty: Ty, tag: usize, field: usize) -> bool {
    if ty.as_nominal().is_none_or(|nominal| nominal.in_universe() == Nominal::SHARED) {
        return false;
    }
    fields(ty, tag).get(field).is_some_and(|field| contains(field.ty, ty, &mut HashSet::new()))
}

/// Whether a value of one type directly contains one of another type.
pub(crate) fn contains(ty: Ty, other: Ty, seen: &mut HashSet<Ty>) -> bool {
    if ty == other {
        return true;
    }
    if !seen.insert(ty) {
        return false;
    }
    match ty.kind() {
        TyKind::Tuple(parts) => parts.iter().any(|&part| contains(part, other, seen)),
        TyKind::Closure(closure) => closure.captures.iter().any(|&part| contains(part, other, seen)),
        TyKind::Struct(nominal) | TyKind::Enum(nominal) => {
            nominal.body().is_some_and(|body| fields_of(body).any(|field| contains(field.ty, other, seen)))
        }
        _ => false,
    }
}

/// All fields of a struct, or of the variants of an enum.
pub(crate) fn fields_of(body: &'static NominalBody) -> impl Iterator<Item = &'static Field> {
    let (of_struct, of_enum): (&[Field], &[VariantTy]) = match body {
        NominalBody::Struct(fields) => (fields, &[]),
        NominalBody::Enum(variants) => (&[], variants),
    };
    of_struct.iter().chain(of_enum.iter().flat_map(|variant| &variant.fields))
}

/// The last segment of a type's path, in the case of types.
pub(crate) fn type_name(path: &str) -> String {
    let last = path.split('<').next().unwrap_or(path).rsplit("::").next().unwrap_or(path);
    let mut name = String::new();
    let mut upper = true;
    for c in last.chars() {
        if c.is_ascii_alphanumeric() {
            name.push(if upper { c.to_ascii_uppercase() } else { c });
            upper = false;
        } else {
            upper = true;
        }
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() { format!("T{name}") } else { name }
}
