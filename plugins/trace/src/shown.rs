//! Values as shown in a trace.

use std::fmt::{self, Write};

use overdub_context::value::Value;

/// A value as shown in a trace: a number, or a text of limited length.
#[derive(Clone, PartialEq, Debug)]
pub enum ShownValue {
    /// A truth value.
    Bool(bool),
    /// An integer of up to 64 bits.
    Int(i128),
    /// A 32-bit float.
    F32(f32),
    /// A 64-bit float.
    F64(f64),
    /// Anything else, as its literal, ending in `…` if it was cut.
    Text(Box<str>),
}

impl ShownValue {
    /// The value, with a text of at most this number of characters.
    pub fn of(value: &Value<'_>, chars: usize) -> ShownValue {
        match value {
            Value::Bool(b) => ShownValue::Bool(*b),
            Value::Int(int) => ShownValue::Int(int.value()),
            Value::F32(x) => ShownValue::F32(*x),
            Value::F64(x) => ShownValue::F64(*x),
            Value::Ref(cell) => {
                let content = cell.read(|content| cut(format_args!("&{content}"), chars));
                ShownValue::Text(content.unwrap_or_else(|_| "&_".into()))
            }
            Value::Unit
            | Value::Char(_)
            | Value::I128(_)
            | Value::U128(_)
            | Value::Str(_)
            | Value::Composite(_)
            | Value::Array(_)
            | Value::Closure(_)
            | Value::Stack(_)
            | Value::Opaque(_) => ShownValue::Text(cut(format_args!("{value}"), chars)),
        }
    }
}

impl fmt::Display for ShownValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShownValue::Bool(b) => write!(f, "{b}"),
            ShownValue::Int(n) => write!(f, "{n}"),
            ShownValue::F32(x) => write!(f, "{x:?}"),
            ShownValue::F64(x) => write!(f, "{x:?}"),
            ShownValue::Text(text) => f.write_str(text),
        }
    }
}

/// The first characters of a text; the rest is not even formatted.
fn cut(text: fmt::Arguments<'_>, chars: usize) -> Box<str> {
    let mut cut = Cut { text: String::new(), left: chars };
    if cut.write_fmt(text).is_err() {
        cut.text.push('…');
    }
    cut.text.into()
}

struct Cut {
    text: String,
    left: usize,
}

impl Write for Cut {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(c);
        }
        Ok(())
    }
}
