//! The parts of composites and closures: up to three inline, so that a pair is one allocation.
//!
//! Stable small-vector crates are invariant in the item type, so a constant could not be used where a
//! borrowed value is expected.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::Value;

const IN_PLACE: usize = 3;

/// A short list of values.
#[derive(Clone, Debug)]
pub struct Parts<'a>(Store<'a>);

#[derive(Clone, Debug)]
enum Store<'a> {
    Few(u8, [Value<'a>; IN_PLACE]),
    Many(Vec<Value<'a>>),
}

impl<'a> Parts<'a> {
    /// No parts.
    pub const fn new() -> Parts<'a> {
        Parts(Store::Few(0, [Value::Unit, Value::Unit, Value::Unit]))
    }

    fn into_values(mut self) -> impl Iterator<Item = Value<'a>> {
        let store = std::mem::replace(&mut self.0, Store::Few(0, [Value::Unit, Value::Unit, Value::Unit]));
        let (few, many) = match store {
            Store::Few(len, parts) => (Some(parts.into_iter().take(len.into())), None),
            Store::Many(parts) => (None, Some(parts)),
        };
        few.into_iter().flatten().chain(many.into_iter().flatten())
    }
}

impl Default for Parts<'_> {
    fn default() -> Self {
        Parts::new()
    }
}

impl<'a> Deref for Parts<'a> {
    type Target = [Value<'a>];

    fn deref(&self) -> &[Value<'a>] {
        match &self.0 {
            Store::Few(len, parts) => &parts[..usize::from(*len)],
            Store::Many(parts) => parts,
        }
    }
}

impl<'a> DerefMut for Parts<'a> {
    fn deref_mut(&mut self) -> &mut [Value<'a>] {
        match &mut self.0 {
            Store::Few(len, parts) => &mut parts[..usize::from(*len)],
            Store::Many(parts) => parts,
        }
    }
}

impl<'a> FromIterator<Value<'a>> for Parts<'a> {
    fn from_iter<I: IntoIterator<Item = Value<'a>>>(values: I) -> Self {
        let mut values = values.into_iter();
        let mut few = [Value::Unit, Value::Unit, Value::Unit];
        let mut len = 0;
        while let Some(value) = values.next() {
            if len == IN_PLACE {
                let rest = std::iter::once(value).chain(values);
                return Parts(Store::Many(few.into_iter().chain(rest).collect()));
            }
            few[len] = value;
            len += 1;
        }
        Parts(Store::Few(len as u8, few))
    }
}

impl<'a> From<Vec<Value<'a>>> for Parts<'a> {
    fn from(values: Vec<Value<'a>>) -> Self {
        if values.len() > IN_PLACE { Parts(Store::Many(values)) } else { values.into_iter().collect() }
    }
}

impl<'a> IntoIterator for Parts<'a> {
    type Item = Value<'a>;
    type IntoIter = Box<dyn Iterator<Item = Value<'a>> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.into_values())
    }
}

impl<'p, 'a> IntoIterator for &'p Parts<'a> {
    type Item = &'p Value<'a>;
    type IntoIter = std::slice::Iter<'p, Value<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

thread_local! {
    static DROPPING: Cell<u32> = const { Cell::new(0) };
}

/// The maximum nesting of recursive drops; deeper parts are dropped iteratively.
const MAX_NESTED_DROPS: u32 = 256;

impl Drop for Parts<'_> {
    /// A list of a million cells nests a million parts: dropping them must not overflow the machine stack.
    fn drop(&mut self) {
        if !self.iter().any(holds_values) {
            return;
        }
        let depth = DROPPING.get();
        if depth < MAX_NESTED_DROPS {
            DROPPING.set(depth + 1);
            drop(std::mem::replace(&mut self.0, Store::Many(Vec::new())));
            DROPPING.set(depth);
            return;
        }
        let mut pending: Vec<Value<'_>> = self.iter_mut().map(Value::take).collect();
        while let Some(value) = pending.pop() {
            match value {
                Value::Composite(composite) => {
                    if let Some(mut composite) = Arc::into_inner(composite) {
                        pending.extend(composite.parts.iter_mut().map(Value::take));
                    }
                }
                Value::Closure(closure) => {
                    if let Some(mut closure) = Arc::into_inner(closure) {
                        pending.extend(closure.captures.iter_mut().map(Value::take));
                    }
                }
                Value::Stack(elems) => pending.extend(Arc::into_inner(elems).into_iter().flatten()),
                Value::Array(array) if array.as_values().is_some() => {
                    pending.extend(Arc::into_inner(array).into_iter().flat_map(|array| array.into_values()));
                }
                _ => {}
            }
        }
    }
}

fn holds_values(value: &Value<'_>) -> bool {
    matches!(
        value,
        Value::Composite(_) | Value::Closure(_) | Value::Stack(_) | Value::Array(_) | Value::Ref(_)
    )
}
