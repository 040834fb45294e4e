//! Run-time values.
//!
//! - A value has value semantics: a clone is equal and independent. Large values are counted; one with a
//!   single owner is changed in place, otherwise in a copy ([`std::sync::Arc::make_mut`]).
//! - `Value<'a>` may contain arrays borrowed from the caller for `'a`; `Value<'static>` owns its contents.
//! - Only [`Value::Ref`] has an identity: it points to a mutable cell, whose content is always owned.
//! - A value is 16 bytes.

mod address;
mod alignment;
mod arg;
mod array;
mod array_edit;
mod array_view;
mod bits;
mod buffer;
mod cell;
mod closure;
mod composite;
pub(crate) mod constant;
mod convert;
mod convert_array;
#[cfg(feature = "faer")]
mod convert_faer;
mod convert_floats;
mod convert_map;
mod convert_mut;
mod convert_ndarray;
mod convert_to;
mod elements;
mod foreign;
mod holes;
mod int;
pub(crate) mod machine;
mod memory;
mod niche;
mod owned;
mod packed;
mod parts;
mod pointer;
mod pointer_access;
mod reinterpret;
mod same;
mod spare;
mod text;
mod ty;
mod visit;

use std::sync::Arc;

pub use arg::{Arg, Slice};
pub use array::{Array, Shape, elems_of};
pub use array_view::{Places, Strided};
pub use buffer::Buffer;
pub use cell::{CellRef, PathElem};
pub(crate) use cell::{Layout, changed_variant};
pub use closure::{Closure, Code, HostFn, HostValue, Opaque};
pub use composite::Composite;
pub use convert::{FromValue, HasTy, IntoValue, Lend, Mismatch, variant, variant_of};
pub use convert_floats::Floats;
pub use convert_map::MapKey;
pub use convert_mut::{Store, WriteBack};
pub use convert_ndarray::FixedRank;
#[cfg(feature = "ndarray-016")]
pub use convert_ndarray::FixedRank16;
pub use convert_to::{ConvertPart, convert_to};
pub use elements::{Elements, Scalar};
pub use foreign::{StructFault, TyOfName, faulty_struct, provide_struct_tys, struct_fault, struct_ty};
pub(crate) use holes::{has_hole, is_uninitialised_read};
pub use int::Int;
pub use memory::Fill;
pub use packed::{Pack, Packed, Values};
pub use parts::Parts;
pub(crate) use reinterpret::{active_field, nothing_in};
pub(crate) use spare::new_spare_bytes;
pub use text::Text;

/// A value of a running program.
#[derive(Clone, Debug)]
pub enum Value<'a> {
    /// `()`
    Unit,
    /// A bool.
    Bool(bool),
    /// A character.
    Char(char),
    /// An integer of up to 64 bits.
    Int(Int),
    /// An `i128`.
    I128(Box<i128>),
    /// A `u128`.
    U128(Box<u128>),
    /// A 32-bit float.
    F32(f32),
    /// A 64-bit float.
    F64(f64),
    /// A text.
    Str(Arc<Text>),
    /// A tuple, struct or variant.
    Composite(Arc<Composite<'a>>),
    /// An array of any rank.
    Array(Arc<Array<'a>>),
    /// A closure or function value.
    Closure(Arc<Closure<'a>>),
    /// A tape.
    Stack(Arc<Vec<Value<'a>>>),
    /// A reference to a mutable cell or a part of it.
    Ref(Box<CellRef>),
    /// A host value.
    Opaque(Box<Opaque>),
}

const _: () = assert!(size_of::<Value<'static>>() == 16);

impl<'a> Value<'a> {
    /// A text.
    pub fn str(text: impl Into<String>) -> Value<'a> {
        Value::Str(Arc::new(Text::from(text.into())))
    }

    /// A tuple of these parts; `()` if there are none.
    pub fn tuple(parts: impl IntoIterator<Item = Value<'a>>) -> Value<'a> {
        let parts: Parts<'a> = parts.into_iter().collect();
        if parts.is_empty() {
            Value::Unit
        } else {
            Value::Composite(Arc::new(Composite { ty: None, tag: 0, parts }))
        }
    }

    /// An array of floats.
    pub fn floats(elems: impl Into<std::borrow::Cow<'a, [f64]>>) -> Value<'a> {
        Value::Array(Arc::new(Array::from_floats(elems.into())))
    }

    /// Takes the value and leaves `()`.
    pub fn take(&mut self) -> Value<'a> {
        std::mem::replace(self, Value::Unit)
    }

    /// The bool, if the value is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The 64-bit float, if the value is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::F64(x) => Some(*x),
            _ => None,
        }
    }

    /// The text, if the value is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The tuple, struct or variant, if the value is one.
    pub fn as_composite(&self) -> Option<&Composite<'a>> {
        match self {
            Value::Composite(composite) => Some(composite),
            _ => None,
        }
    }

    /// The array, if the value is one.
    pub fn as_array(&self) -> Option<&Array<'a>> {
        match self {
            Value::Array(array) => Some(array),
            _ => None,
        }
    }

    /// Whether the value is plain data: no cell, no host value, no closure with captures.
    pub fn is_data(&self) -> bool {
        !self.contains(|part| match part {
            Value::Ref(_) | Value::Opaque(_) => true,
            Value::Closure(closure) => !closure.captures.is_empty() || matches!(closure.code, Code::Host(_)),
            _ => false,
        })
    }
}

impl From<&str> for Value<'_> {
    fn from(text: &str) -> Self {
        Value::str(text)
    }
}

impl<'a> From<Array<'a>> for Value<'a> {
    fn from(array: Array<'a>) -> Self {
        Value::Array(Arc::new(array))
    }
}

impl From<f64> for Value<'_> {
    fn from(x: f64) -> Self {
        Value::F64(x)
    }
}

impl From<f32> for Value<'_> {
    fn from(x: f32) -> Self {
        Value::F32(x)
    }
}

impl From<char> for Value<'_> {
    fn from(c: char) -> Self {
        Value::Char(c)
    }
}

impl From<bool> for Value<'_> {
    fn from(b: bool) -> Self {
        Value::Bool(b)
    }
}
