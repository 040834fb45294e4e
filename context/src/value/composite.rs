//! Tuples, structs and variants: values with a fixed number of parts.

use super::Parts;
use crate::types::Ty;

/// A tuple, struct or variant.
#[derive(Clone, Debug)]
pub struct Composite<'a> {
    /// The struct or enum type; none for a tuple.
    pub ty: Option<Ty>,
    /// The variant of an enum; 0 otherwise.
    pub tag: u32,
    /// The fields in order.
    pub parts: Parts<'a>,
}
