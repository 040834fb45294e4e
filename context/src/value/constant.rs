//! Constants: values that occur in instructions.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::Value;

/// A constant: plain data (no closure with captures, no cell, no host value).
///
/// Constants compare and hash by their bits: `NaN` equals itself, `0.0` does not equal `-0.0`.
#[derive(Clone)]
pub struct Const(Arc<Value<'static>>);

impl Const {
    /// The constant of this value; `None` if it is not plain data.
    pub fn new(value: Value<'static>) -> Option<Const> {
        value.is_data().then(|| Const(Arc::new(value)))
    }

    /// The constant of a scalar.
    pub(crate) fn of_data(value: Value<'static>) -> Const {
        Const(Arc::new(value))
    }

    /// The value of the constant.
    pub fn value(&self) -> &Value<'static> {
        &self.0
    }
}

impl PartialEq for Const {
    fn eq(&self, other: &Const) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.same(&other.0)
    }
}

impl Eq for Const {}

impl Hash for Const {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_bits(state);
    }
}

impl fmt::Debug for Const {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}
