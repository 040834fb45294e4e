//! What an error consists of: an error of a type of its own, a message, a box, or a context and an error below it.

use std::any::{Any, TypeId};
use std::error::Error as StdError;
use std::fmt::{self, Debug, Display};

use crate::Error;

pub trait Layer: Send + Sync + 'static {
    fn error(&self) -> &(dyn StdError + Send + Sync + 'static);

    fn error_mut(&mut self) -> &mut (dyn StdError + Send + Sync + 'static);

    /// The part of a type, here or below.
    fn part(&self, of: TypeId) -> Option<&dyn Any>;

    fn part_mut(&mut self, of: TypeId) -> Option<&mut dyn Any>;

    fn into_part(self: Box<Self>, of: TypeId) -> Option<Box<dyn Any>>;

    fn into_boxed(self: Box<Self>) -> Box<dyn StdError + Send + Sync>;
}

/// What the methods of a layer of one part are.
macro_rules! one_part {
    () => {
        fn part(&self, of: TypeId) -> Option<&dyn Any> {
            if of == self.0.type_id() { Some(&self.0) } else { None }
        }

        fn part_mut(&mut self, of: TypeId) -> Option<&mut dyn Any> {
            if of == self.0.type_id() { Some(&mut self.0) } else { None }
        }

        fn into_part(self: Box<Self>, of: TypeId) -> Option<Box<dyn Any>> {
            if of == self.0.type_id() { Some(Box::new(self.0)) } else { None }
        }
    };
}

/// The methods of a layer that is an error itself.
macro_rules! itself_an_error {
    () => {
        fn error(&self) -> &(dyn StdError + Send + Sync + 'static) {
            self
        }

        fn error_mut(&mut self) -> &mut (dyn StdError + Send + Sync + 'static) {
            self
        }

        fn into_boxed(self: Box<Self>) -> Box<dyn StdError + Send + Sync> {
            self
        }
    };
}

pub struct Plain<E>(pub E);

impl<E: StdError + Send + Sync + 'static> Layer for Plain<E> {
    one_part! {}

    fn error(&self) -> &(dyn StdError + Send + Sync + 'static) {
        &self.0
    }

    fn error_mut(&mut self) -> &mut (dyn StdError + Send + Sync + 'static) {
        &mut self.0
    }

    fn into_boxed(self: Box<Self>) -> Box<dyn StdError + Send + Sync> {
        Box::new(self.0)
    }
}

/// A message as an error.
pub struct Adhoc<M>(pub M);

impl<M: Display> Display for Adhoc<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

impl<M: Debug> Debug for Adhoc<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.0, f)
    }
}

impl<M: Display + Debug> StdError for Adhoc<M> {}

impl<M: Display + Debug + Send + Sync + 'static> Layer for Adhoc<M> {
    one_part! {}

    itself_an_error! {}
}

/// A context alone as an error; it need not be shown by `Debug`.
pub struct Shown<M>(pub M);

impl<M: Display> Display for Shown<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

impl<M: Display> Debug for Shown<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

impl<M: Display> StdError for Shown<M> {}

impl<M: Display + Send + Sync + 'static> Layer for Shown<M> {
    one_part! {}

    itself_an_error! {}
}

pub struct Boxed(pub Box<dyn StdError + Send + Sync>);

impl Layer for Boxed {
    one_part! {}

    fn error(&self) -> &(dyn StdError + Send + Sync + 'static) {
        &*self.0
    }

    fn error_mut(&mut self) -> &mut (dyn StdError + Send + Sync + 'static) {
        &mut *self.0
    }

    fn into_boxed(self: Box<Self>) -> Box<dyn StdError + Send + Sync> {
        self.0
    }
}

/// A context of an error.
pub struct Layered<C> {
    pub context: C,
    pub error: Error,
}

/// A text as it is shown in quotation marks.
struct Quoted<'a, C>(&'a C);

impl<C: Display> Debug for Quoted<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&*self.0.to_string(), f)
    }
}

impl<C: Display> Debug for Layered<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error").field("context", &Quoted(&self.context)).field("source", self.error.layer.error()).finish()
    }
}

impl<C: Display> Display for Layered<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.context, f)
    }
}

impl<C: Display> StdError for Layered<C> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(self.error.layer.error())
    }
}

impl<C: Display + Send + Sync + 'static> Layer for Layered<C> {
    fn error(&self) -> &(dyn StdError + Send + Sync + 'static) {
        self
    }

    fn error_mut(&mut self) -> &mut (dyn StdError + Send + Sync + 'static) {
        self
    }

    fn part(&self, of: TypeId) -> Option<&dyn Any> {
        if of == self.context.type_id() { Some(&self.context) } else { self.error.layer.part(of) }
    }

    fn part_mut(&mut self, of: TypeId) -> Option<&mut dyn Any> {
        if of == self.context.type_id() { Some(&mut self.context) } else { self.error.layer.part_mut(of) }
    }

    fn into_part(self: Box<Self>, of: TypeId) -> Option<Box<dyn Any>> {
        if of == self.context.type_id() { Some(Box::new(self.context)) } else { self.error.layer.into_part(of) }
    }

    fn into_boxed(self: Box<Self>) -> Box<dyn StdError + Send + Sync> {
        self
    }
}
