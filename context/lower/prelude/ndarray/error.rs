//! Errors for incompatible shapes.

use std::fmt;

#[derive(Clone, PartialEq)]
pub struct ShapeError {
    repr: ErrorKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ErrorKind {
    IncompatibleShape = 1,
    IncompatibleLayout,
    RangeLimited,
    OutOfBounds,
    Unsupported,
    Overflow,
}

impl ShapeError {
    pub fn kind(&self) -> ErrorKind {
        self.repr
    }

    pub fn from_kind(error: ErrorKind) -> ShapeError {
        ShapeError { repr: error }
    }
}

pub fn incompatible() -> ShapeError {
    ShapeError { repr: ErrorKind::IncompatibleShape }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = match self.repr {
            ErrorKind::IncompatibleShape => "incompatible shapes",
            ErrorKind::IncompatibleLayout => "incompatible memory layout",
            ErrorKind::RangeLimited => "the shape does not fit in type limits",
            ErrorKind::OutOfBounds => "out of bounds indexing",
            ErrorKind::Unsupported => "unsupported operation",
            ErrorKind::Overflow => "arithmetic overflow",
        };
        write!(f, "ShapeError/{:?}: {}", self.repr, said)
    }
}

impl fmt::Debug for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self)
    }
}

impl std::error::Error for ShapeError {}
