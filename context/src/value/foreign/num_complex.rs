//! Complex numbers of num-complex. The derivative of a real function by a complex number has the derivatives
//! by its real and its imaginary part.

use ::num_complex::Complex;

use super::{struct_ty, structs};
use crate::types::Ty;
use crate::value::{Floats, FromValue, HasTy, IntoValue, Lend, Mismatch, Value, variant, variant_of};

structs! {
    [T] Complex<T> { re: T, im: T }
}
