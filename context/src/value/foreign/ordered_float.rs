//! Floats of ordered-float that have a total order.

use ::ordered_float::OrderedFloat;

use super::{struct_ty, structs};
use crate::types::Ty;
use crate::value::{Floats, FromValue, HasTy, IntoValue, Lend, Mismatch, Value, variant, variant_of};

structs! {
    [T] OrderedFloat<T> { 0: T }
}
