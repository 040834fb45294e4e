//! The one walk over what a value consists of.

use super::Value;

impl<'a> Value<'a> {
    /// Whether the value is a number, a truth value, a character, a text or unit: what may be an operand as a constant.
    pub fn is_scalar(&self) -> bool {
        match self {
            Value::Unit
            | Value::Bool(_)
            | Value::Char(_)
            | Value::Int(_)
            | Value::I128(_)
            | Value::U128(_)
            | Value::F32(_)
            | Value::F64(_)
            | Value::Str(_) => true,
            Value::Composite(_)
            | Value::Array(_)
            | Value::Closure(_)
            | Value::Stack(_)
            | Value::Ref(_)
            | Value::Opaque(_) => false,
        }
    }

    /// The direct parts: fields, captures, elements. Arrays of scalars are packed and have none; neither has a cell, whose
    /// content may be changed at any time.
    pub fn parts(&self) -> &[Value<'a>] {
        match self {
            Value::Composite(composite) => &composite.parts,
            Value::Array(array) => array.as_values().unwrap_or_default(),
            Value::Stack(elems) => elems,
            Value::Closure(closure) => &closure.captures,
            _ => &[],
        }
    }

    /// Whether a condition holds for the value or for anything in it. Cells are not searched.
    ///
    /// ```
    /// use overdub_context::value::Value;
    /// let value = Value::tuple([Value::from(1_i64), Value::tuple([Value::F64(f64::NAN)])]);
    /// assert!(value.contains(|part| part.as_f64().is_some_and(f64::is_nan)));
    /// ```
    pub fn contains(&self, mut condition: impl FnMut(&Value<'a>) -> bool) -> bool {
        let mut pending: Vec<&Value<'a>> = Vec::new();
        let mut value = self;
        loop {
            if condition(value) {
                return true;
            }
            pending.extend(value.parts());
            let Some(next) = pending.pop() else { return false };
            value = next;
        }
    }
}
