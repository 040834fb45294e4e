//! Errors.

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
