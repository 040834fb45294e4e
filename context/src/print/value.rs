//! Prints values as the literals that the parser reads, floats with the fewest digits that determine them.

use std::fmt;

use super::comma_separated;
use crate::ir::{Field, IntTy, Nominal, TyKind};
use crate::names::{BareName, SigilName};
use crate::value::{Array, Code, Composite, Value};

/// Whether fields are those of a tuple struct: numbered in order.
pub(super) fn are_positional(fields: &[Field]) -> bool {
    fields.iter().enumerate().all(|(i, field)| *field.name == i.to_string())
}

/// Prints the literal; values without one (closures with captures, cells, host values) are described in
/// words.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Unit => f.write_str("()"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Char(c) => write!(f, "{c:?}"),
            Value::Int(int) if int.ty() == IntTy::I64 => write!(f, "{}", int.value()),
            Value::Int(int) => write!(f, "{}_{}", int.value(), int.ty().name()),
            Value::I128(n) => write!(f, "{n}_i128"),
            Value::U128(n) => write!(f, "{n}_u128"),
            Value::F32(x) if x.is_nan() && x.to_bits() != f32::NAN.to_bits() => {
                write!(f, "nan:{:#x}_f32", x.to_bits())
            }
            Value::F32(x) if x.is_nan() => f.write_str("nan_f32"),
            Value::F32(x) => write!(f, "{x:?}_f32"),
            Value::F64(x) if x.is_nan() && x.to_bits() != f64::NAN.to_bits() => {
                write!(f, "nan:{:#x}", x.to_bits())
            }
            Value::F64(x) if x.is_nan() => f.write_str("nan"),
            Value::F64(x) => write!(f, "{x:?}"),
            Value::Str(text) => write!(f, "{:?}", text.as_str()),
            Value::Composite(composite) => print_composite(f, composite),
            Value::Array(array) => print_array(f, array),
            Value::Closure(closure) => {
                match &closure.code {
                    Code::Func(name) => write!(f, "@{}", SigilName(name))?,
                    Code::Host(host) => write!(f, "host {}", BareName(&host.name()))?,
                }
                if closure.captures.is_empty() {
                    return Ok(());
                }
                f.write_str(" with (")?;
                comma_separated(f, &closure.captures, |f, part| write!(f, "{part}"))?;
                f.write_str(")")
            }
            Value::Stack(elems) => {
                f.write_str("stack [")?;
                comma_separated(f, elems.iter(), |f, elem| write!(f, "{elem}"))?;
                f.write_str("]")
            }
            // The content is not printed, because a cell may contain a reference to itself.
            Value::Ref(_) => f.write_str("a reference"),
            Value::Opaque(opaque) => write!(f, "opaque {} {:?}", BareName(&opaque.name), opaque.value),
        }
    }
}

fn print_composite(f: &mut fmt::Formatter<'_>, composite: &Composite<'_>) -> fmt::Result {
    let parts = &composite.parts;
    let Some((kind, nominal)) = composite.ty.and_then(|ty| Some((ty.kind(), ty.as_nominal()?))) else {
        f.write_str("(")?;
        comma_separated(f, parts, |f, part| write!(f, "{part}"))?;
        return f.write_str(if parts.len() == 1 { ",)" } else { ")" });
    };
    let variant = nominal.variants().and_then(|variants| variants.get(composite.tag as usize));
    let fields = match (kind, variant) {
        (TyKind::Enum(_), Some(variant)) => {
            write!(f, "{}", BareName(&variant.name))?;
            Some(variant.fields.as_slice())
        }
        _ => {
            write!(f, "{}", BareName(&nominal.name()))?;
            Nominal::fields(nominal)
        }
    };
    match fields {
        _ if parts.is_empty() => Ok(()),
        Some(fields) if fields.len() == parts.len() && !are_positional(fields) => {
            f.write_str(" { ")?;
            comma_separated(f, fields.iter().zip(parts), |f, (field, part)| {
                write!(f, "{}: {part}", BareName(&field.name))
            })?;
            f.write_str(" }")
        }
        _ => {
            f.write_str("(")?;
            comma_separated(f, parts, |f, part| write!(f, "{part}"))?;
            f.write_str(")")
        }
    }
}

fn print_array(f: &mut fmt::Formatter<'_>, array: &Array<'_>) -> fmt::Result {
    f.write_str("[")?;
    comma_separated(f, array.iter(), |f, elem| write!(f, "{elem}"))?;
    if array.rank() != 1 {
        write!(f, "; shape {:?}", array.shape())?;
    }
    f.write_str("]")
}
