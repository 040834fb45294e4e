//! Values as expressions.

use overdub_context::ir::{ClosureTy, IntTy, Ty, TyKind};
use overdub_context::value::{Code, Value};

use super::exprs::{Printed, Text, binds};
use super::support::bound;
use super::types::{canonical, elem, field_name, is_plain_enum, variant_member};
use super::{Dialect, Printer};
use crate::error::ExportError;
use crate::nominal::{fields, is_boxed};
use crate::tables::PublicTable;

impl Printer<'_> {
    /// A value as an expression of its type, which owns its memory.
    pub(super) fn literal(&mut self, value: &Value<'_>, ty: Ty) -> Printed {
        Ok(match value {
            Value::Unit => Text::atom("0"),
            Value::Bool(b) => Text::atom(b.to_string()),
            Value::Char(c) => Text::atom(character(*c)),
            Value::Int(_) | Value::I128(_) | Value::U128(_) => self.integer(value, ty),
            Value::F32(x) => float(f64::from(*x), &format!("{x:?}f"), "(float)"),
            Value::F64(x) => float(*x, &format!("{x:?}"), ""),
            Value::Str(_) => {
                let (data, len) = self.table(value, ty)?.unwrap_or_default();
                Text::call(self.plain("text_of")?, &[data, len.to_string()])
            }
            Value::Array(array) => {
                let elem = array.elem_ty();
                if let Some((name, len)) = self.table(value, ty)? {
                    let from = self.of_vec(elem, "from")?;
                    return Ok(Text::call(from, &[name, len.to_string()]));
                }
                let mut parts = Vec::new();
                for part in array.iter() {
                    parts.push(self.literal(&part, elem)?.text);
                }
                self.vector(elem, parts)?
            }
            Value::Stack(values) => {
                let elem = elem(ty).unwrap_or(Ty::unit());
                let mut parts = Vec::new();
                for part in values.iter() {
                    parts.push(self.literal(part, elem)?.text);
                }
                self.vector(elem, parts)?
            }
            Value::Closure(closure)
                if closure.captures.is_empty() && matches!(closure.code, Code::Func(_)) =>
            {
                let Code::Func(code) = closure.code else { return Ok(Text::atom("0")) };
                let of = Ty::new(TyKind::Closure(ClosureTy { code, captures: Box::default() }));
                self.function_value(of, ty, Text::atom("0"), self.span)?
            }
            Value::Composite(composite) => {
                let tag = composite.tag as usize;
                let tys: Vec<Ty> = match ty.kind() {
                    TyKind::Tuple(parts) => parts.to_vec(),
                    _ => fields(ty, tag).iter().map(|field| field.ty).collect(),
                };
                let mut parts = Vec::new();
                for (part, ty) in composite.parts.iter().zip(tys) {
                    parts.push(self.literal(&part.clone().into_owned(), ty)?.text);
                }
                Text::atom(self.composed(ty, tag, parts)?)
            }
            Value::Closure(_) | Value::Ref(_) | Value::Opaque(_) => {
                return Err(self.unsupported(format!("a constant of type `{ty}`"), self.span));
            }
        })
    }

    /// A vector of new elements.
    pub(super) fn vector(&mut self, elem: Ty, parts: Vec<String>) -> Printed {
        if parts.is_empty() {
            return self.empty(Ty::array(elem, 1));
        }
        let from = self.of_vec(elem, "from")?;
        let ty = self.owned(elem, self.span)?;
        let count = parts.len();
        if self.dialect == Dialect::Kernel {
            let list = self.fresh_name("elements");
            self.line(&format!("{ty} {list}[] = {{{}}};", parts.join(", ")));
            return Ok(Text::call(from, &[list, count.to_string()]));
        }
        Ok(Text::call(from, &[format!("({ty}[]){{{}}}", parts.join(", ")), count.to_string()]))
    }

    /// An empty vector or tape.
    pub(super) fn empty(&mut self, ty: Ty) -> Printed {
        Ok(Text::atom(format!("({}){{0}}", self.owned(ty, self.span)?)))
    }

    /// A tuple, struct or variant of these parts.
    pub(super) fn composed(&mut self, ty: Ty, tag: usize, parts: Vec<String>) -> Result<String, ExportError> {
        let ty = canonical(ty);
        let owned = self.owned(ty, self.span)?;
        if matches!(ty.kind(), TyKind::Enum(_)) && is_plain_enum(ty) {
            return self.variant(ty, tag);
        }
        if ty == Ty::unit() {
            return Ok("0".to_owned());
        }
        let mut members = Vec::new();
        for (number, part) in parts.into_iter().enumerate() {
            let part = match is_boxed(ty, tag, number) {
                true => self.boxed(fields(ty, tag)[number].ty, &part)?,
                false => part,
            };
            members.push(format!(".{} = {part}", field_name(ty, tag, number)));
        }
        let members = members.join(", ");
        Ok(match ty.kind() {
            TyKind::Enum(_) => {
                let variant = self.variant(ty, tag)?;
                match members.is_empty() {
                    true => format!("({owned}){{.tag = {variant}}}"),
                    false => {
                        let member = variant_member(ty, tag);
                        format!("({owned}){{.tag = {variant}, .as = {{.{member} = {{{members}}}}}}}")
                    }
                }
            }
            _ if members.is_empty() => format!("({owned}){{0}}"),
            _ => format!("({owned}){{{members}}}"),
        })
    }

    /// `Some` of a value, or `None`.
    pub(super) fn option(&mut self, ty: Ty, value: Option<String>) -> Result<String, ExportError> {
        let wanted = if value.is_some() { "Some" } else { "None" };
        let variants = ty.as_nominal().and_then(|nominal| nominal.variants()).unwrap_or_default();
        let tag = variants.iter().position(|variant| variant.name.as_str() == wanted);
        let Some(tag) = tag else {
            return Err(self.unsupported(format!("the type `{ty}` as an option"), self.span));
        };
        self.composed(ty, tag, value.into_iter().collect())
    }

    fn integer(&mut self, value: &Value<'_>, ty: Ty) -> Text {
        let TyKind::Int(int) = ty.kind() else { return Text::atom("0") };
        let magnitude = match value {
            Value::U128(n) => **n,
            _ => value.as_int().map_or(0, |(_, n)| n.unsigned_abs()),
        };
        let is_negative = value.as_int().is_some_and(|(_, n)| n < 0);
        if int.bits() > 64 && magnitude > u128::from(u64::MAX >> 1) {
            self.types.uses_128 = true;
            let (high, low) = ((magnitude >> 64) as u64, magnitude as u64);
            let text = format!("(Uint128){high}u << 64 | {low}u");
            return match (int.is_signed(), is_negative) {
                (true, true) if magnitude == 1 << 127 => Text::atom(bound(*int, "MIN")),
                (true, true) => Text::atom(format!("(-(Int128)({text}))")),
                (true, false) => Text::atom(format!("((Int128)({text}))")),
                _ => Text::atom(format!("({text})")),
            };
        }
        if is_negative {
            if int.is_signed() && magnitude == 1 << (int.bits() - 1) {
                return Text::atom(bound(*int, "MIN"));
            }
            return Text::with(format!("-{magnitude}"), binds::UNARY);
        }
        let is_wide =
            matches!(int, IntTy::U32) && magnitude > i32::MAX as u128 || magnitude > i64::MAX as u128;
        Text::atom(if is_wide { format!("{magnitude}u") } else { magnitude.to_string() })
    }

    /// The name and the length of a constant array of scalars, or of a text, which is declared once.
    pub(super) fn table(
        &mut self,
        value: &Value<'_>,
        ty: Ty,
    ) -> Result<Option<(String, usize)>, ExportError> {
        if let Value::Str(text) = value {
            if text.len() <= LONGEST {
                return Ok(Some((quoted(text), text.len())));
            }
            let bytes = text.bytes().map(|byte| format!("{}", byte.cast_signed()));
            return Ok(Some(self.static_table("char", bytes.collect())));
        }
        if !crate::owned::is_view(value, ty) {
            return Ok(None);
        }
        let Value::Array(elems) = value else { return Ok(None) };
        let elem = elems.elem_ty();
        let mut parts = Vec::new();
        for part in elems.iter() {
            parts.push(self.literal(&part, elem)?.text);
        }
        if parts.is_empty() {
            return Ok(Some(("NULL".to_owned(), 0)));
        }
        let of = self.owned(elem, self.span)?;
        Ok(Some(self.static_table(&of, parts)))
    }

    /// The name and the length of a table of these elements, which is declared once.
    fn static_table(&mut self, of: &str, parts: Vec<String>) -> (String, usize) {
        let len = parts.len();
        let body = table_body(parts);
        let declared = |name: &str| format!("const {of} {name}{body}");
        let known = self.tables.iter().find(|(name, text)| text.ends_with(&declared(name)));
        if let Some((name, _)) = known {
            return (name.clone(), len);
        }
        let number = self.tables.iter().filter(|(_, text)| text.starts_with("static ")).count() + 1;
        let name = self.names.unique(&format!("TABLE{number}"));
        self.scope.unique(&name);
        self.tables.push((name.clone(), format!("static {}", declared(&name))));
        (name, len)
    }

    /// Declares a table beside the function of a name, for its callers.
    pub(super) fn public_table(&mut self, function: &str, table: &PublicTable) -> Result<(), ExportError> {
        let name = format!("{function}_{}", table.suffix);
        if self.names.unique(&name) != name {
            return Err(ExportError::Name(name));
        }
        self.scope.unique(&name);
        // An array has an element.
        let padded = if table.numbers.is_empty() { &[0][..] } else { &table.numbers };
        let body = table_body(padded.iter().map(usize::to_string).collect());
        self.tables.push((name.clone(), format!("/* {} */\nconst size_t {name}{body}", table.doc)));
        Ok(())
    }
}

/// The elements of a table, in lines.
fn table_body(parts: Vec<String>) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for part in parts {
        if line.len() + part.len() > 100 {
            lines.push_str(&format!("    {}\n", line.trim_end()));
            line.clear();
        }
        line.push_str(&format!("{part}, "));
    }
    lines.push_str(&format!("    {}\n", line.trim_end()));
    format!("[] = {{\n{lines}}};\n")
}

/// The longest text that C99 compilers must accept as a literal, less than 4095.
const LONGEST: usize = 4000;

fn float(x: f64, shown: &str, cast: &str) -> Text {
    if x.is_nan() {
        Text::with(format!("{}{cast}NAN", if x.is_sign_negative() { "-" } else { "" }), binds::UNARY)
    } else if x.is_infinite() {
        Text::with(format!("{}{cast}INFINITY", if x < 0.0 { "-" } else { "" }), binds::UNARY)
    } else if shown.starts_with('-') {
        Text::with(shown, binds::UNARY)
    } else {
        Text::atom(shown)
    }
}

/// A character as a number, with how it looks if it is plain.
pub(super) fn character(c: char) -> String {
    match c {
        '\'' => "'\\''".to_owned(),
        '\\' => "'\\\\'".to_owned(),
        c if c.is_ascii_graphic() || c == ' ' => format!("'{c}'"),
        c => u32::from(c).to_string(),
    }
}

/// A text as a string literal of its bytes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'?' => out.push_str("\\?"),
            b' '..=b'~' => out.push(char::from(byte)),
            // Octal digits end after three.
            byte => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out.push('"');
    out
}
