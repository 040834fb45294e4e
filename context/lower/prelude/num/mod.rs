//! Numbers: the methods of the primitive types.

pub mod consts;
mod convert;
mod error;
mod float;
mod int;
mod mixed;
mod nonzero;
mod parse;
mod wrapping;

pub use error::{FloatErrorKind, IntErrorKind, ParseFloatError, ParseIntError, TryFromIntError};
pub(crate) use convert::FromFloat;
pub use nonzero::{
    NonZero, NonZeroI128, NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroIsize, NonZeroU8, NonZeroU16, NonZeroU32, NonZeroU64,
    NonZeroU128, NonZeroUsize,
};
pub use wrapping::{Saturating, Wrapping};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FpCategory {
    Nan,
    Infinite,
    Zero,
    Subnormal,
    Normal,
}
