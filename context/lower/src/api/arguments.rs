//! A tuple of Rust's values as the arguments of a call.

use super::seal::Seal;
use overdub_context::value::{Arg, IntoValue, Value, WriteBack};

/// The arguments of a call as values, and the destinations of the final values of `&mut` arguments.
#[derive(Debug)]
pub struct TransferredArgs<'a> {
    /// One for each parameter.
    pub values: Vec<Value<'a>>,
    /// One for each `&mut` argument, in order.
    pub write_backs: Vec<WriteBack<'a>>,
}

/// The arguments of a call: a tuple of values of Rust.
pub trait Arguments<'a> {
    /// Converts the arguments to values; borrowed data is not copied.
    fn transfer(self) -> TransferredArgs<'a>;

    /// Passes the arguments to a call by reference, if all are scalars or slices of scalars; returns the
    /// result of the call.
    fn lend<R>(&self, _call: impl FnOnce(&mut dyn Iterator<Item = Arg<'_>>) -> R) -> Option<R> {
        None
    }

    #[doc(hidden)]
    fn sealed(_: Seal);
}

macro_rules! arguments {
    ($($($arg:ident $number:tt)*;)*) => {$(
        impl<'a, $($arg: IntoValue<'a>),*> Arguments<'a> for ($($arg,)*) {
            fn transfer(self) -> TransferredArgs<'a> {
                #[allow(unused_mut)]
                let mut write_backs = Vec::new();
                let values = vec![$(self.$number.transfer(&mut write_backs)),*];
                TransferredArgs { values, write_backs }
            }

            fn lend<R>(&self, call: impl FnOnce(&mut dyn Iterator<Item = Arg<'_>>) -> R) -> Option<R> {
                const NUMBERS: &[usize] = &[$($number),*];
                let args: [Arg<'_>; NUMBERS.len()] = [$(self.$number.as_arg()?),*];
                Some(call(&mut args.into_iter()))
            }

            fn sealed(_: Seal) {}
        }
    )*};
}

arguments! { ; }
overdub_context::for_each_tuple!(arguments);
