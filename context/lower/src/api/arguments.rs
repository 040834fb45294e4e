//! A tuple of Rust's values as the arguments of a call.

use super::seal::Seal;
use overdub_context::value::{Arg, Array, IntoValue, Value, WriteBack};

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
    fn lend<R>(&self, _call: impl FnOnce(&[Arg<'_>]) -> R) -> Option<R> {
        None
    }

    /// The arguments of several calls in lists, one for each argument that is `wanted`. None of them may be a `&mut`.
    fn lists(calls: impl ExactSizeIterator<Item = Self>, wanted: &[bool]) -> Vec<Array<'a>>
    where
        Self: Sized;

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

            #[inline]
            fn lend<R>(&self, call: impl FnOnce(&[Arg<'_>]) -> R) -> Option<R> {
                const NUMBERS: &[usize] = &[$($number),*];
                let args: [Arg<'_>; NUMBERS.len()] = [$(self.$number.as_arg()?),*];
                Some(call(&args))
            }

            #[allow(unused_mut, unused_variables)]
            fn lists(calls: impl ExactSizeIterator<Item = Self>, wanted: &[bool]) -> Vec<Array<'a>> {
                const NUMBERS: &[usize] = &[$($number),*];
                // On the stack, since it is read for each element.
                let is_wanted: [bool; NUMBERS.len()] = [$(wanted.get($number) == Some(&true)),*];
                let room = |number: usize| if is_wanted[number] { calls.len() } else { 0 };
                if is_wanted.iter().filter(|is_wanted| **is_wanted).count() == 1 {
                    $(if is_wanted[$number] {
                        let list: Vec<$arg> = calls.map(|call| call.$number).collect();
                        return vec![$arg::vec_into_array(list)];
                    })*
                }
                let mut lists = ($(Vec::<$arg>::with_capacity(room($number)),)*);
                for call in calls {
                    $(if is_wanted[$number] {
                        lists.$number.push(call.$number);
                    })*
                }
                let lists: Vec<Option<Array<'a>>> =
                    vec![$(is_wanted[$number].then(|| $arg::vec_into_array(lists.$number))),*];
                lists.into_iter().flatten().collect()
            }

            fn sealed(_: Seal) {}
        }
    )*};
}

arguments! { ; }
overdub_context::for_each_tuple!(arguments);
