//! What the macros make errors of, by the types of their arguments: methods are found by value before they are by reference.

use std::error::Error as StdError;
use std::fmt::{Debug, Display};

use crate::Error;

pub struct Adhoc;

pub trait AdhocKind: Sized {
    fn anyhow_kind(&self) -> Adhoc {
        Adhoc
    }
}

impl<T: ?Sized + Display + Debug + Send + Sync + 'static> AdhocKind for &T {}

impl Adhoc {
    pub fn new<M: Display + Debug + Send + Sync + 'static>(self, message: M) -> Error {
        Error::msg(message)
    }
}

pub struct Trait;

pub trait TraitKind: Sized {
    fn anyhow_kind(&self) -> Trait {
        Trait
    }
}

impl<E: Into<Error>> TraitKind for E {}

impl Trait {
    pub fn new<E: Into<Error>>(self, error: E) -> Error {
        error.into()
    }
}

pub struct Boxed;

pub trait BoxedKind: Sized {
    fn anyhow_kind(&self) -> Boxed {
        Boxed
    }
}

impl BoxedKind for Box<dyn StdError + Send + Sync> {}

impl Boxed {
    pub fn new(self, error: Box<dyn StdError + Send + Sync>) -> Error {
        Error::from_boxed(error)
    }
}

/// The sides of a comparison that `ensure!` shows, if both may be shown.
pub trait WithDebug {
    fn ensured(self, condition: &str) -> Error;
}

impl<A: Debug, B: Debug> WithDebug for (&A, &B) {
    fn ensured(self, condition: &str) -> Error {
        let (left, right) = (format!("{:?}", self.0), format!("{:?}", self.1));
        let is_short = |side: &String| side.len() <= 40 && !side.contains([' ', '\n']);
        if is_short(&left) && is_short(&right) {
            Error::msg(format!("{condition} ({left} vs {right})"))
        } else {
            Error::msg(condition.to_string())
        }
    }
}

pub trait WithoutDebug {
    fn ensured(&self, condition: &str) -> Error;
}

impl<A, B> WithoutDebug for (&A, &B) {
    fn ensured(&self, condition: &str) -> Error {
        Error::msg(condition.to_string())
    }
}
