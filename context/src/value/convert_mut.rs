//! `&mut` arguments: their values are copied into the program, and the final values are stored back.

use std::fmt;

use super::{FromValue, HasTy, IntoValue, Lend, Mismatch, Value};
use crate::types::Ty;

/// The destination of the final value of a `&mut` argument.
pub struct WriteBack<'a>(Box<dyn Put + 'a>);

trait Put: FnOnce(Value<'_>) -> Result<(), Mismatch> {}

impl<F: FnOnce(Value<'_>) -> Result<(), Mismatch>> Put for F {}

impl WriteBack<'_> {
    /// Stores the final value.
    ///
    /// # Errors
    /// If it is of another type.
    pub fn put(self, value: Value<'_>) -> Result<(), Mismatch> {
        (self.0)(value)
    }
}

impl fmt::Debug for WriteBack<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Home")
    }
}

/// A referent of a `&mut` argument: a place in which a value of the IR can be stored.
pub trait Store: Lend {
    /// Replaces the referent by a value.
    ///
    /// # Errors
    /// If the value is of another type; the referent is then unchanged.
    fn store(&mut self, value: Value<'_>) -> Result<(), Mismatch>;
}

impl<T: FromValue + Lend> Store for T {
    fn store(&mut self, value: Value<'_>) -> Result<(), Mismatch> {
        *self = T::from_value(value)?;
        Ok(())
    }
}

impl<T: FromValue + Lend> Store for [T] {
    fn store(&mut self, value: Value<'_>) -> Result<(), Mismatch> {
        let elems = Vec::<T>::from_value(value)?;
        if elems.len() != self.len() {
            return Err(Mismatch::Length { expected: self.len(), found: elems.len() });
        }
        self.iter_mut().zip(elems).for_each(|(place, elem)| *place = elem);
        Ok(())
    }
}

impl<T: HasTy + ?Sized> HasTy for &mut T {
    fn ty() -> Ty {
        T::ty()
    }
}

impl<'a, T: Store + ?Sized> IntoValue<'a> for &'a mut T {
    fn into_value(self) -> Value<'a> {
        (*self).lend()
    }

    fn transfer(self, write_backs: &mut Vec<WriteBack<'a>>) -> Value<'a> {
        // A copy, so that a call that fails leaves the referent unchanged.
        let value = self.lend().into_owned();
        write_backs.push(WriteBack(Box::new(|value: Value<'_>| self.store(value))));
        value
    }
}
