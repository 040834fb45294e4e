//! The crate `anyhow` as programs see it: errors of any type, with contexts, as the objects that they are behind its pointers.

mod chain;
mod context;
mod kind;
mod layer;
mod macros;

use std::any::TypeId;
use std::error::Error as StdError;
use std::fmt::{self, Debug, Display, Write};
use std::ops::{Deref, DerefMut};

pub use crate::context::Context;
pub use crate::{anyhow, anyhow as format_err, bail, ensure};
pub use chain::Chain;

use crate::layer::{Adhoc, Boxed, Layer, Layered, Plain};

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What the macros refer to.
pub mod __private {
    pub use crate::kind::{AdhocKind, BoxedKind, TraitKind, WithDebug, WithoutDebug};
    pub use std::{format, stringify};
    pub use std::result::Result::Err;
}

pub fn Ok<T>(value: T) -> Result<T> {
    Result::Ok(value)
}

pub struct Error {
    layer: Box<dyn Layer>,
}

impl Error {
    pub fn new<E: StdError + Send + Sync + 'static>(error: E) -> Error {
        Error { layer: Box::new(Plain(error)) }
    }

    pub fn msg<M: Display + Debug + Send + Sync + 'static>(message: M) -> Error {
        Error { layer: Box::new(Adhoc(message)) }
    }

    pub fn from_boxed(error: Box<dyn StdError + Send + Sync>) -> Error {
        Error { layer: Box::new(Boxed(error)) }
    }

    pub fn context<C: Display + Send + Sync + 'static>(self, context: C) -> Error {
        Error { layer: Box::new(Layered { context, error: self }) }
    }

    pub fn chain(&self) -> Chain<'_> {
        Chain::new(self.layer.error())
    }

    pub fn root_cause(&self) -> &(dyn StdError + 'static) {
        self.chain().last().unwrap()
    }

    pub fn is<E: Display + Debug + Send + Sync + 'static>(&self) -> bool {
        self.downcast_ref::<E>().is_some()
    }

    pub fn downcast<E: Display + Debug + Send + Sync + 'static>(self) -> Result<E, Error> {
        if !self.is::<E>() {
            return Result::Err(self);
        }
        match self.layer.into_part(TypeId::of::<E>()).and_then(|part| part.downcast::<E>().ok()) {
            Some(part) => Result::Ok(*part),
            None => unreachable!(),
        }
    }

    pub fn downcast_ref<E: Display + Debug + Send + Sync + 'static>(&self) -> Option<&E> {
        self.layer.part(TypeId::of::<E>())?.downcast_ref()
    }

    pub fn downcast_mut<E: Display + Debug + Send + Sync + 'static>(&mut self) -> Option<&mut E> {
        self.layer.part_mut(TypeId::of::<E>())?.downcast_mut()
    }

    pub fn into_boxed_dyn_error(self) -> Box<dyn StdError + Send + Sync> {
        self.layer.into_boxed()
    }

    pub fn reallocate_into_boxed_dyn_error_without_backtrace(self) -> Box<dyn StdError + Send + Sync> {
        self.layer.into_boxed()
    }
}

impl<E: StdError + Send + Sync + 'static> From<E> for Error {
    fn from(error: E) -> Error {
        Error::new(error)
    }
}

impl Deref for Error {
    type Target = dyn StdError + Send + Sync + 'static;

    fn deref(&self) -> &(dyn StdError + Send + Sync + 'static) {
        self.layer.error()
    }
}

impl DerefMut for Error {
    fn deref_mut(&mut self) -> &mut (dyn StdError + Send + Sync + 'static) {
        self.layer.error_mut()
    }
}

impl AsRef<dyn StdError + Send + Sync> for Error {
    fn as_ref(&self) -> &(dyn StdError + Send + Sync + 'static) {
        self.layer.error()
    }
}

impl AsRef<dyn StdError> for Error {
    fn as_ref(&self) -> &(dyn StdError + 'static) {
        self.layer.error()
    }
}

impl From<Error> for Box<dyn StdError + Send + Sync> {
    fn from(error: Error) -> Box<dyn StdError + Send + Sync> {
        error.layer.into_boxed()
    }
}

impl From<Error> for Box<dyn StdError + Send> {
    fn from(error: Error) -> Box<dyn StdError + Send> {
        error.layer.into_boxed()
    }
}

impl From<Error> for Box<dyn StdError> {
    fn from(error: Error) -> Box<dyn StdError> {
        error.layer.into_boxed()
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.layer.error())?;
        if f.alternate() {
            for cause in self.chain().skip(1) {
                write!(f, ": {cause}")?;
            }
        }
        fmt::Result::Ok(())
    }
}

impl Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self.layer.error();
        if f.alternate() {
            return Debug::fmt(error, f);
        }
        write!(f, "{error}")?;
        let causes: Vec<&(dyn StdError + 'static)> = self.chain().skip(1).collect();
        if !causes.is_empty() {
            f.write_str("\n\nCaused by:")?;
        }
        for (number, cause) in causes.iter().enumerate() {
            f.write_char('\n')?;
            for (at, line) in cause.to_string().split('\n').enumerate() {
                match (at, causes.len() > 1) {
                    (0, true) => write!(f, "{number: >5}: ")?,
                    (0, false) => f.write_str("    ")?,
                    (_, true) => f.write_str("\n       ")?,
                    (_, false) => f.write_str("\n    ")?,
                }
                f.write_str(line)?;
            }
        }
        fmt::Result::Ok(())
    }
}
