//! Values as expressions.

use overdub_context::ir::{FloatTy, Ty, TyKind};
use overdub_context::value::Value;

use super::names::{Names, member};
use super::types::{NoType, Types};
use crate::nominal::{fields, is_boxed, is_positional};
use crate::options::Library;

/// How much the place of a literal tells about its type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// The type follows from the place.
    Type,
    /// It does not.
    Nothing,
}

/// A value as an expression of its type; text is owned.
pub(super) fn literal(
    value: &Value<'_>,
    ty: Ty,
    known: Known,
    types: &mut Types<'_>,
    names: &mut Names,
) -> Result<String, NoType> {
    let mut list = |values: &mut dyn Iterator<Item = (Value<'_>, Ty)>, types: &mut Types<'_>, known| {
        let mut parts = Vec::new();
        for (value, ty) in values {
            parts.push(literal(&value, ty, known, types, names)?);
        }
        Ok(parts)
    };
    Ok(match value {
        Value::Unit => "()".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Char(c) => format!("{c:?}"),
        Value::Int(_) | Value::I128(_) | Value::U128(_) => {
            let digits = match value {
                Value::U128(n) => n.to_string(),
                _ => value.as_int().map(|(_, n)| n.to_string()).unwrap_or_default(),
            };
            let is_default = known == Known::Type || ty == Ty::i32();
            if is_default { digits } else { format!("{digits}_{ty}") }
        }
        Value::F32(x) => float(f64::from(*x), &format!("{x:?}"), FloatTy::F32, known, types.library()),
        Value::F64(x) => float(*x, &format!("{x:?}"), FloatTy::F64, known, types.library()),
        Value::Str(text) if text.is_empty() => "String::new()".to_owned(),
        Value::Str(text) => format!("{:?}.to_owned()", text.as_str()),
        Value::Array(array) => {
            let elem = array.elem_ty();
            let parts = list(&mut array.iter().map(|value| (value, elem)), types, Known::Nothing)?;
            if parts.is_empty() { "Vec::new()".to_owned() } else { format!("vec![{}]", parts.join(", ")) }
        }
        Value::Stack(values) if values.is_empty() => "Vec::new()".to_owned(),
        Value::Composite(composite) => {
            let tag = composite.tag as usize;
            let tys: Vec<Ty> = match ty.kind() {
                TyKind::Tuple(parts) => parts.to_vec(),
                _ => fields(ty, tag).iter().map(|field| field.ty).collect(),
            };
            let values = composite.parts.iter().map(|part| part.clone().into_owned()).zip(tys);
            let parts = list(&mut values.into_iter(), types, Known::Nothing)?;
            composed(ty, tag, parts, types, names)?
        }
        Value::Stack(_) | Value::Closure(_) | Value::Ref(_) | Value::Opaque(_) => return Err(NoType(ty)),
    })
}

/// A tuple, struct or variant of these parts.
pub(super) fn composed(
    ty: Ty,
    tag: usize,
    mut parts: Vec<String>,
    types: &mut Types<'_>,
    names: &mut Names,
) -> Result<String, NoType> {
    for (number, part) in parts.iter_mut().enumerate() {
        if is_boxed(ty, tag, number) {
            *part = format!("Box::new({part})");
        }
    }
    let name = match ty.kind() {
        TyKind::Enum(_) => types.variant(ty, tag, names)?,
        TyKind::Struct(_) => types.owned(ty, names)?,
        _ => {
            return Ok(match &parts[..] {
                [] => "()".to_owned(),
                [one] => format!("({one},)"),
                parts => format!("({})", parts.join(", ")),
            });
        }
    };
    let fields = fields(ty, tag);
    Ok(if fields.is_empty() {
        name
    } else if is_positional(fields) {
        format!("{name}({})", parts.join(", "))
    } else {
        let each = fields.iter().zip(parts).map(|(field, part)| {
            let field = member(&field.name);
            if field == part { part } else { format!("{field}: {part}") }
        });
        format!("{name} {{ {} }}", each.collect::<Vec<_>>().join(", "))
    })
}

fn float(x: f64, shown: &str, ty: FloatTy, known: Known, library: Library) -> String {
    let name = if ty == FloatTy::F32 { "f32" } else { "f64" };
    let suffix = match (ty, known) {
        (FloatTy::F32, Known::Nothing) => "_f32",
        _ => "",
    };
    if x.is_nan() {
        if x.is_sign_negative() { format!("-{name}::NAN") } else { format!("{name}::NAN") }
    } else if x.is_infinite() {
        if x > 0.0 { format!("{name}::INFINITY") } else { format!("{name}::NEG_INFINITY") }
    } else {
        let minus = if x < 0.0 { "-" } else { "" };
        let named = constant(x.abs(), name).map(|path| format!("{minus}{}", library.path(path)));
        named.unwrap_or_else(|| format!("{shown}{suffix}"))
    }
}

/// The name of a well-known constant.
fn constant(x: f64, ty: &str) -> Option<&'static str> {
    use std::f64::consts as c;
    if ty != "f64" {
        return None;
    }
    const KNOWN: &[(f64, &str)] = &[
        (c::PI, "std::f64::consts::PI"),
        (c::TAU, "std::f64::consts::TAU"),
        (c::E, "std::f64::consts::E"),
        (c::SQRT_2, "std::f64::consts::SQRT_2"),
        (c::FRAC_1_SQRT_2, "std::f64::consts::FRAC_1_SQRT_2"),
        (c::LN_2, "std::f64::consts::LN_2"),
        (c::LN_10, "std::f64::consts::LN_10"),
        (c::LOG2_E, "std::f64::consts::LOG2_E"),
        (c::LOG10_E, "std::f64::consts::LOG10_E"),
        (c::FRAC_PI_2, "std::f64::consts::FRAC_PI_2"),
        (c::FRAC_PI_3, "std::f64::consts::FRAC_PI_3"),
        (c::FRAC_PI_4, "std::f64::consts::FRAC_PI_4"),
        (c::FRAC_PI_6, "std::f64::consts::FRAC_PI_6"),
        (c::FRAC_PI_8, "std::f64::consts::FRAC_PI_8"),
        (c::FRAC_1_PI, "std::f64::consts::FRAC_1_PI"),
        (c::FRAC_2_PI, "std::f64::consts::FRAC_2_PI"),
        (c::FRAC_2_SQRT_PI, "std::f64::consts::FRAC_2_SQRT_PI"),
    ];
    KNOWN.iter().find(|(known, _)| known.to_bits() == x.to_bits()).map(|(_, name)| *name)
}
