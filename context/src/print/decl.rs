//! Declarations of types as text.

use std::fmt;

use hashbrown::HashSet;

use super::comma_separated;
use super::value::are_positional;
use crate::ir::{Field, Func, Nominal, NominalBody, Ty, TyKind};
use crate::names::BareName;

/// The declaration of a struct or an enum.
pub(crate) fn declaration(f: &mut fmt::Formatter<'_>, ty: Ty) -> fmt::Result {
    let word = if matches!(ty.kind(), TyKind::Struct(_)) { "struct" } else { "enum" };
    write!(f, "{word} {ty}")?;
    match ty.as_nominal().and_then(Nominal::body) {
        None => Ok(()),
        Some(NominalBody::Struct(fields)) => print_fields(f, fields),
        Some(NominalBody::Enum(variants)) => {
            f.write_str(" { ")?;
            comma_separated(f, variants, |f, variant| {
                write!(f, "{}", BareName(&variant.name))?;
                print_fields(f, &variant.fields)
            })?;
            f.write_str(if variants.is_empty() { "}" } else { " }" })
        }
    }
}

fn print_fields(f: &mut fmt::Formatter<'_>, fields: &[Field]) -> fmt::Result {
    if fields.is_empty() {
        return Ok(());
    }
    if are_positional(fields) {
        f.write_str("(")?;
        comma_separated(f, fields, |f, field| write!(f, "{}", field.ty))?;
        return f.write_str(")");
    }
    f.write_str(" { ")?;
    comma_separated(f, fields, |f, field| write!(f, "{}: {}", BareName(&field.name), field.ty))?;
    f.write_str(" }")
}

/// The nominal types that functions mention, except the built-in ones, in the order of first occurrence.
pub(crate) fn declared_types<'f>(funcs: impl IntoIterator<Item = &'f Func>) -> Vec<Ty> {
    let mut work = Vec::new();
    for func in funcs {
        work.push(func.ret);
        work.extend(func.vars.iter().map(|var| var.ty));
    }
    work.reverse();
    let mut seen = HashSet::new();
    let mut declared = Vec::new();
    while let Some(ty) = work.pop() {
        if !seen.insert(ty) {
            continue;
        }
        if let Some(nominal) = ty.as_nominal()
            && ty != Ty::ordering()
            && !nominal.args().first().is_some_and(|&arg| ty == Ty::option(arg))
        {
            declared.push(ty);
        }
        work.extend(parts(ty));
    }
    declared
}

/// The component types of a type, the last one first.
fn parts(ty: Ty) -> Vec<Ty> {
    let args = ty.as_nominal().map_or(&[][..], Nominal::args);
    let mut parts: Vec<Ty> = match ty.kind() {
        TyKind::Fn(func) => func.params.iter().copied().chain([func.ret]).collect(),
        _ => args.iter().copied().chain(ty.parts_of_values()).collect(),
    };
    parts.reverse();
    parts
}
