//! Types in C, and their definitions.
//!
//! - CTYPE1 a vector owns its memory: `{ data, len, cap }`. A slice is `{ data, len }`, and looks at the memory of another
//!   value. Text is a vector of `char`.
//! - CTYPE2 a value all of whose bytes are zero may be dropped.

use hashbrown::HashMap;
use overdub_context::ir::{Nominal, NominalBody, Ty, TyKind};

use super::names::{Names, identifier, snake};
use crate::nominal::{fields, type_name, variant_of};

/// A type has no counterpart.
pub(super) struct NoType(pub(super) Ty);

/// The names of types.
#[derive(Default)]
pub(super) struct Types {
    /// In C++, the names of variants are known outside of the struct that contains the tag only if they are declared there.
    pub(super) is_cpp: bool,
    pub(super) names: HashMap<Ty, String>,
    pub(super) slices: HashMap<Ty, String>,
    /// In the order in which they are met.
    pub(super) order: Vec<Ty>,
    pub(super) variants: HashMap<(Ty, usize), String>,
    pub(super) uses_unit: bool,
    pub(super) uses_128: bool,
    pub(super) uses_text: bool,
}

/// Types with one representation as one type: tapes are vectors, closures are tuples of what they capture.
pub(super) fn canonical(ty: Ty) -> Ty {
    match ty.kind() {
        TyKind::Stack(elem) => Ty::array(canonical(*elem), 1),
        TyKind::Array(array) if array.rank == 1 => Ty::array(canonical(array.elem), 1),
        TyKind::Closure(closure) if closure.captures.is_empty() => Ty::unit(),
        TyKind::Closure(closure) => Ty::tuple(closure.captures.iter().map(|&ty| canonical(ty))),
        TyKind::Tuple(parts) => Ty::tuple(parts.iter().map(|&ty| canonical(ty))),
        TyKind::Never => Ty::unit(),
        _ => ty,
    }
}

/// The element of a vector or tape.
pub(super) fn elem(ty: Ty) -> Option<Ty> {
    match canonical(ty).kind() {
        TyKind::Array(array) if array.rank == 1 => Some(array.elem),
        _ => None,
    }
}

/// Whether values of a type are looked at by a slice.
pub(super) fn has_slice(ty: Ty) -> bool {
    elem(ty).is_some() || ty == Ty::str()
}

/// Whether an enum is a number.
pub(super) fn is_plain_enum(ty: Ty) -> bool {
    let variants = ty.as_nominal().and_then(|nominal| nominal.variants());
    variants.is_some_and(|variants| variants.iter().all(|variant| variant.fields.is_empty()))
}

/// The name of a field of a struct, tuple or variant.
pub(super) fn field_name(ty: Ty, tag: usize, number: usize) -> String {
    match fields(ty, tag).get(number) {
        Some(field) if !field.name.starts_with(|c: char| c.is_ascii_digit()) => identifier(&field.name),
        _ => format!("f{number}"),
    }
}

/// The name of a variant in the union of an enum.
pub(super) fn variant_member(ty: Ty, tag: usize) -> String {
    variant_of(ty, tag).map(|(_, variant)| identifier(&snake(&variant.name))).unwrap_or_default()
}

impl Types {
    /// The type of a value.
    pub(super) fn owned(&mut self, ty: Ty, names: &mut Names) -> Result<String, NoType> {
        let ty = canonical(ty);
        Ok(match ty.kind() {
            TyKind::Unit | TyKind::Never => {
                self.uses_unit = true;
                "Unit".to_owned()
            }
            TyKind::Bool => "bool".to_owned(),
            TyKind::Char => "uint32_t".to_owned(),
            TyKind::Str => {
                self.uses_text = true;
                "Text".to_owned()
            }
            TyKind::Int(int) => match int.name() {
                "usize" => "size_t".to_owned(),
                "isize" => "ptrdiff_t".to_owned(),
                "i128" | "u128" => {
                    self.uses_128 = true;
                    if int.is_signed() { "Int128".to_owned() } else { "Uint128".to_owned() }
                }
                name => format!("{}int{}_t", if int.is_signed() { "" } else { "u" }, &name[1..]),
            },
            TyKind::Float(_) => if ty == Ty::f32() { "float" } else { "double" }.to_owned(),
            TyKind::Fn(_) => format!("{} *", self.name(ty, names)?),
            _ => self.name(ty, names)?,
        })
    }

    /// The type by which a parameter looks at a value.
    pub(super) fn borrowed(&mut self, ty: Ty, names: &mut Names) -> Result<String, NoType> {
        let owned = self.owned(ty, names)?;
        Ok(match canonical(ty).kind() {
            TyKind::Str => "TextView".to_owned(),
            TyKind::Array(_) => self.slices[&canonical(ty)].clone(),
            TyKind::Fn(_) => owned,
            _ => format!("const {owned} *"),
        })
    }

    /// The name of a type as part of other names.
    pub(super) fn word(&mut self, ty: Ty, names: &mut Names) -> Result<String, NoType> {
        let ty = canonical(ty);
        Ok(match ty.kind() {
            TyKind::Unit | TyKind::Never => "Unit".to_owned(),
            TyKind::Bool => "Bool".to_owned(),
            TyKind::Char => "Char".to_owned(),
            TyKind::Str => "Text".to_owned(),
            TyKind::Int(int) => capital(int.name()),
            TyKind::Float(_) => if ty == Ty::f32() { "F32" } else { "F64" }.to_owned(),
            _ => self.name(ty, names)?,
        })
    }

    pub(super) fn name(&mut self, ty: Ty, names: &mut Names) -> Result<String, NoType> {
        if let Some(name) = self.names.get(&ty) {
            return Ok(name.clone());
        }
        let wanted = match ty.kind() {
            TyKind::Array(array) if array.rank == 1 => format!("Vec{}", self.word(array.elem, names)?),
            TyKind::Tuple(parts) => self.joined("Tuple", parts, names)?,
            TyKind::Fn(of) => {
                let mut parts = of.params.to_vec();
                parts.push(of.ret);
                self.joined("Fn", &parts, names)?
            }
            TyKind::Struct(nominal) | TyKind::Enum(nominal) => {
                if nominal.in_universe() == Nominal::SHARED && nominal.name().as_str() == "MaybeUninit" {
                    return Err(NoType(ty));
                }
                let name = type_name(&nominal.name());
                self.names.insert(ty, String::new());
                match nominal.in_universe() == Nominal::SHARED {
                    true => self.joined(&name, nominal.args(), names)?,
                    false => name,
                }
            }
            _ => return Err(NoType(ty)),
        };
        // The type may have been met inside of its own parts.
        if let Some(name) = self.names.get(&ty).filter(|name| !name.is_empty()) {
            return Ok(name.clone());
        }
        let name = names.unique(&wanted);
        self.names.insert(ty, name.clone());
        if let TyKind::Array(_) = ty.kind() {
            let slice = names.unique(&format!("Slice{}", &wanted["Vec".len()..]));
            self.slices.insert(ty, slice);
        }
        self.order.push(ty);
        if let TyKind::Struct(nominal) | TyKind::Enum(nominal) = ty.kind() {
            let Some(body) = nominal.body() else { return Err(NoType(ty)) };
            if let NominalBody::Enum(variants) = body {
                for (tag, variant) in variants.iter().enumerate() {
                    let variant = names.unique(&format!("{name}_{}", variant.name));
                    self.variants.insert((ty, tag), variant);
                }
            }
            for part in crate::nominal::fields_of(body).map(|field| field.ty) {
                self.owned(part, names)?;
            }
        }
        Ok(name)
    }

    fn joined(&mut self, first: &str, parts: &[Ty], names: &mut Names) -> Result<String, NoType> {
        let mut text = first.to_owned();
        for &part in parts {
            self.owned(part, names)?;
            text.push_str(&self.word(part, names)?);
        }
        Ok(if text.len() > 60 { first.to_owned() } else { text })
    }

    /// The number of a variant, by name.
    pub(super) fn variant(&mut self, ty: Ty, tag: usize, names: &mut Names) -> Result<String, NoType> {
        self.owned(ty, names)?;
        self.variants.get(&(ty, tag)).cloned().ok_or(NoType(ty))
    }

    /// The type of a result.
    pub(super) fn returned(&mut self, ty: Ty, names: &mut Names) -> Result<String, NoType> {
        match ty.kind() {
            TyKind::Unit | TyKind::Never => Ok("void".to_owned()),
            _ => self.owned(ty, names),
        }
    }
}

/// A declaration of a name with a type.
pub(super) fn declared(ty: &str, name: &str) -> String {
    if ty.ends_with('*') { format!("{ty}{name}") } else { format!("{ty} {name}") }
}

/// How an argument in a variable is passed to a function that was asked for.
pub(super) fn passed(ty: Ty, is_ref: bool, name: String) -> Vec<String> {
    match (is_ref, has_slice(ty)) {
        (true, true) => vec![format!("{name}.data"), format!("{name}.len")],
        (true, false) => vec![format!("&{name}")],
        (false, _) => vec![name],
    }
}

/// A type whose values may not be changed.
pub(super) fn constant(ty: &str) -> String {
    match ty.ends_with('*') {
        true => format!("{ty}const "),
        false => format!("const {ty}"),
    }
}

fn capital(name: &str) -> String {
    name[..1].to_ascii_uppercase() + &name[1..]
}
