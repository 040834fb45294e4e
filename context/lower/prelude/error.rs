//! Errors.

use crate::any::Any;
use crate::fmt::{Debug, Display, Formatter, Result};

#[lang("error")]
pub trait Error: Debug + Display {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        None
    }

    fn description(&self) -> &str {
        "description() is deprecated; use Display"
    }

    fn cause(&self) -> Option<&dyn Error> {
        self.source()
    }

    /// The error as `Any`, with its type known at run time.
    fn as_any__(&self) -> &dyn Any {
        self
    }
}

impl dyn Error {
    pub fn is<T: Error>(&self) -> bool {
        self.as_any__().is::<T>()
    }

    pub fn downcast_ref<T: Error>(&self) -> Option<&T> {
        self.as_any__().downcast_ref::<T>()
    }
}

impl Box<dyn Error> {
    pub fn downcast<T: Error>(self) -> crate::result::Result<Box<T>, Box<dyn Error>> {
        if !self.is::<T>() {
            return Err(self);
        }
        let value = crate::mem::moved(self.downcast_ref::<T>().unwrap());
        crate::mem::forget(self);
        Ok(Box::new(value))
    }
}

/// A text as an error.
#[derive(Clone, PartialEq)]
pub struct Text(pub String);

impl Display for Text {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Display::fmt(&self.0, f)
    }
}

impl Debug for Text {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Debug::fmt(&self.0, f)
    }
}

impl Error for Text {}

impl<E: Error + ?Sized> Error for &E {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        (**self).source()
    }
}

impl<E: Error> Error for Box<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        (**self).source()
    }
}
