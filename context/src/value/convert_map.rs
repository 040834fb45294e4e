//! Conversions of `BTreeMap` and `HashMap`: a map is the keys, in order, and the values of each.
//!
//! - MAP1 both order [`MapKey`]s structurally in programs, which is the order of Rust's `Ord` for them.
//! - MAP2 a key contains no floats, so a derivative by a map is a map with the same keys.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};

use super::{Floats, FromValue, HasTy, IntoValue, Lend, Mismatch, Value, struct_ty, variant, variant_of};
use crate::types::Ty;

/// A type of keys of maps that are arguments or results of calls: integers, bools, characters, texts, and
/// tuples of these.
#[diagnostic::on_unimplemented(
    message = "a map whose keys are `{Self}` is neither an argument nor a result",
    note = "keys are integers, bools, characters, texts, or tuples of two or three of these"
)]
pub trait MapKey: HasTy + Ord + Hash + sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! keys {
    ($($key:ty)*) => {$(
        impl sealed::Sealed for $key {}
        impl MapKey for $key {}
    )*};
}

keys! { bool char i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize String }

impl<A: MapKey, B: MapKey> sealed::Sealed for (A, B) {}
impl<A: MapKey, B: MapKey> MapKey for (A, B) {}
impl<A: MapKey, B: MapKey, C: MapKey> sealed::Sealed for (A, B, C) {}
impl<A: MapKey, B: MapKey, C: MapKey> MapKey for (A, B, C) {}

macro_rules! maps {
    ($($map:ident [$($hasher:ident: $bound:path)?] $($marker:ty)?;)*) => {$(
        impl<K: MapKey, V: HasTy $(, $hasher: $bound)?> HasTy for $map<K, V $(, $hasher)?> {
            fn ty() -> Ty {
                struct_ty::<Self>(&[<Vec<K>>::ty(), <Vec<V>>::ty() $(, <$marker>::ty())?])
            }
        }

        impl<'a, K: MapKey + IntoValue<'a>, V: IntoValue<'a> $(, $hasher: $bound)?> IntoValue<'a>
            for $map<K, V $(, $hasher)?>
        {
            fn into_value(self) -> Value<'a> {
                let mut pairs = Vec::from_iter(self);
                pairs.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
                let (keys, values): (Vec<K>, Vec<V>) = pairs.into_iter().unzip();
                let fields = [keys.into_value(), values.into_value() $(, <$marker>::default().into_value())?];
                variant(Self::ty(), 0, fields.into_iter().collect())
            }
        }

        impl<K: MapKey + Lend, V: Lend $(, $hasher: $bound)?> Lend for $map<K, V $(, $hasher)?> {
            fn lend(&self) -> Value<'_> {
                let mut pairs = Vec::from_iter(self);
                pairs.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
                let (keys, values): (Vec<&K>, Vec<&V>) = pairs.into_iter().unzip();
                let fields = [keys.into_value(), values.into_value() $(, <$marker>::default().into_value())?];
                variant(Self::ty(), 0, fields.into_iter().collect())
            }
        }

        impl<K: MapKey + FromValue, V: FromValue $(, $hasher: $bound + Default)?> FromValue
            for $map<K, V $(, $hasher)?>
        {
            fn from_value(value: Value<'_>) -> Result<Self, Mismatch> {
                let (_, fields) = variant_of::<Self>(value)?;
                let mut fields = fields.into_iter();
                let mut next = || fields.next().unwrap_or(Value::Unit);
                let (keys, values) = (Vec::<K>::from_value(next())?, Vec::<V>::from_value(next())?);
                let expected = keys.len();
                if values.len() != expected {
                    return Err(Mismatch::Length { expected, found: values.len() });
                }
                Ok(keys.into_iter().zip(values).collect())
            }
        }

        /// The values' floats; the keys are kept (MAP2).
        impl<K: MapKey + FromValue + Lend, V: FromValue + Lend $(, $hasher: $bound + Default)?> Floats
            for $map<K, V $(, $hasher)?>
        {
            $crate::value::convert_floats::own_floats!();
        }
    )*};
}

maps! {
    BTreeMap [];
    HashMap [S: BuildHasher] ();
}
