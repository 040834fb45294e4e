//! Contexts of results and options.

use std::convert::Infallible;
use std::error::Error as StdError;
use std::fmt::Display;

use crate::Error;
use crate::layer::Shown;

pub trait Context<T, E> {
    fn context<C: Display + Send + Sync + 'static>(self, context: C) -> Result<T, Error>;

    fn with_context<C: Display + Send + Sync + 'static, F: FnOnce() -> C>(self, f: F) -> Result<T, Error>;
}

/// Errors that get a context: those of `std`, and `Error`.
pub trait WithContext {
    fn with<C: Display + Send + Sync + 'static>(self, context: C) -> Error;
}

impl<E: StdError + Send + Sync + 'static> WithContext for E {
    fn with<C: Display + Send + Sync + 'static>(self, context: C) -> Error {
        Error::new(self).context(context)
    }
}

impl WithContext for Error {
    fn with<C: Display + Send + Sync + 'static>(self, context: C) -> Error {
        self.context(context)
    }
}

impl<T, E: WithContext> Context<T, E> for Result<T, E> {
    fn context<C: Display + Send + Sync + 'static>(self, context: C) -> Result<T, Error> {
        self.map_err(|error| error.with(context))
    }

    fn with_context<C: Display + Send + Sync + 'static, F: FnOnce() -> C>(self, f: F) -> Result<T, Error> {
        self.map_err(|error| error.with(f()))
    }
}

impl<T> Context<T, Infallible> for Option<T> {
    fn context<C: Display + Send + Sync + 'static>(self, context: C) -> Result<T, Error> {
        self.ok_or_else(|| Error { layer: Box::new(Shown(context)) })
    }

    fn with_context<C: Display + Send + Sync + 'static, F: FnOnce() -> C>(self, f: F) -> Result<T, Error> {
        self.ok_or_else(|| Error { layer: Box::new(Shown(f())) })
    }
}
