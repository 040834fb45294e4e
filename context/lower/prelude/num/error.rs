//! Errors of numeric conversions.

use crate::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TryFromIntError(pub ());

impl fmt::Display for TryFromIntError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("out of range integral type conversion attempted")
    }
}

impl crate::error::Error for TryFromIntError {}

impl From<crate::convert::Infallible> for TryFromIntError {
    fn from(never: crate::convert::Infallible) -> TryFromIntError {
        match never {}
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum IntErrorKind {
    Empty,
    InvalidDigit,
    PosOverflow,
    NegOverflow,
    Zero,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseIntError {
    pub kind: IntErrorKind,
}

impl ParseIntError {
    pub fn kind(&self) -> &IntErrorKind {
        &self.kind
    }
}

impl fmt::Display for ParseIntError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.kind {
            IntErrorKind::Empty => "cannot parse integer from empty string",
            IntErrorKind::InvalidDigit => "invalid digit found in string",
            IntErrorKind::PosOverflow => "number too large to fit in target type",
            IntErrorKind::NegOverflow => "number too small to fit in target type",
            IntErrorKind::Zero => "number would be zero for non-zero type",
        })
    }
}

impl crate::error::Error for ParseIntError {}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FloatErrorKind {
    Empty,
    Invalid,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseFloatError {
    pub kind: FloatErrorKind,
}

impl fmt::Display for ParseFloatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.kind {
            FloatErrorKind::Empty => "cannot parse float from empty string",
            FloatErrorKind::Invalid => "invalid float literal",
        })
    }
}

impl crate::error::Error for ParseFloatError {}
