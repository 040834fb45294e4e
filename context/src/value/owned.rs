//! Conversion of values that may borrow into values that own their contents.
//!
//! Nested values are traversed with an explicit stack and not by recursion, since a linked list may have any
//! length.

use std::sync::Arc;

use super::{Closure, Code, Composite, Parts, Value};
use crate::types::Ty;

impl<'a> Value<'a> {
    /// The value with owned contents: arrays borrowed from a caller are copied, other arrays are not
    /// traversed.
    pub fn into_owned(self) -> Value<'static> {
        let mut open: Vec<Frame<'a>> = Vec::new();
        let mut value = self;
        loop {
            let mut owned = match shell(value) {
                Ok(frame) => {
                    open.push(frame);
                    None
                }
                Err(owned) => Some(owned),
            };
            value = loop {
                let Some(frame) = open.last_mut() else { return owned.unwrap_or(Value::Unit) };
                frame.done.extend(owned.take());
                match frame.rest.next() {
                    Some(next) => break next,
                    None => owned = open.pop().map(Frame::close),
                }
            };
        }
    }
}

/// The constructor of a composite value.
enum Shell {
    Composite(Option<Ty>, u32),
    Closure(Code),
    Stack,
}

/// A composite value that is being converted.
struct Frame<'a> {
    shell: Shell,
    rest: std::vec::IntoIter<Value<'a>>,
    done: Vec<Value<'static>>,
}

impl Frame<'_> {
    fn close(self) -> Value<'static> {
        match self.shell {
            Shell::Composite(ty, tag) => {
                Value::Composite(Arc::new(Composite { ty, tag, parts: Parts::from(self.done) }))
            }
            Shell::Closure(code) => {
                Value::Closure(Arc::new(Closure { code, captures: Parts::from(self.done) }))
            }
            Shell::Stack => Value::Stack(Arc::new(self.done)),
        }
    }
}

/// A composite value as a frame; any other value as `Err`, owned.
fn shell(value: Value<'_>) -> Result<Frame<'_>, Value<'static>> {
    let (shell, parts) = match value {
        Value::Composite(composite) => {
            let Composite { ty, tag, mut parts } = Arc::unwrap_or_clone(composite);
            if !parts.iter().any(holds_values) {
                let parts = parts.iter_mut().map(|part| part.take().into_owned()).collect();
                return Err(Value::Composite(Arc::new(Composite { ty, tag, parts })));
            }
            (Shell::Composite(ty, tag), parts.iter_mut().map(Value::take).collect())
        }
        Value::Closure(closure) => {
            let Closure { code, mut captures } = Arc::unwrap_or_clone(closure);
            (Shell::Closure(code), captures.iter_mut().map(Value::take).collect())
        }
        Value::Stack(elems) => (Shell::Stack, Arc::unwrap_or_clone(elems)),
        Value::Array(array) => {
            return Err(Value::Array(Arc::new(Arc::unwrap_or_clone(array).into_owned())));
        }
        Value::Unit => return Err(Value::Unit),
        Value::Bool(b) => return Err(Value::Bool(b)),
        Value::Char(c) => return Err(Value::Char(c)),
        Value::Int(int) => return Err(Value::Int(int)),
        Value::I128(n) => return Err(Value::I128(n)),
        Value::U128(n) => return Err(Value::U128(n)),
        Value::F32(x) => return Err(Value::F32(x)),
        Value::F64(x) => return Err(Value::F64(x)),
        Value::Str(text) => return Err(Value::Str(text)),
        Value::Ref(reference) => return Err(Value::Ref(reference)),
        Value::Opaque(opaque) => return Err(Value::Opaque(opaque)),
    };
    let parts: Vec<_> = parts;
    Ok(Frame { shell, done: Vec::with_capacity(parts.len()), rest: parts.into_iter() })
}

fn holds_values(value: &Value<'_>) -> bool {
    matches!(value, Value::Composite(_) | Value::Closure(_) | Value::Stack(_))
}
