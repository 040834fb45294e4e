//! The arguments of each element, in the two forms that calls take: lent, or as values.

use std::marker::PhantomData;
use std::ops::Range;

use overdub_context::value::{Arg, Array, Value};
use overdub_lower::api::{Arguments, Error, Target, TransferredArgs};

use crate::error::ElementError;
use crate::inputs::Inputs;
use crate::lists::lent_lists;

/// A call that takes lent arguments.
pub(crate) type TakesArgs<'c> = &'c mut dyn FnMut(&mut dyn Iterator<Item = Arg<'_>>);

/// The arguments of each element, those that a closure captured first.
pub(crate) trait Elements<'a>: Sync {
    type Error: ElementError;

    /// Lends the arguments of an element to a call, if all are scalars or slices of scalars; whether they are.
    fn lend(&self, at: usize, call: TakesArgs<'_>) -> bool;

    /// The arguments of an element.
    fn values(&self, at: usize) -> Result<Vec<Value<'a>>, Self::Error>;

    /// For each argument, whether it is mapped over.
    fn mapped(&self) -> Vec<bool>;

    /// The arguments of these elements that are `mapped` over, all of them scalars, in a list for each; none if they are not
    /// of one form.
    fn lists(&self, range: Range<usize>, mapped: &[bool]) -> Option<Vec<Array<'a>>>
    where
        Self: Sized,
    {
        lent_lists(self, range, mapped)
    }
}

/// The arguments of each element in the types of Rust.
pub(crate) struct TypedElements<'t, I, Args> {
    pub(crate) inputs: &'t I,
    pub(crate) target: &'t Target,
    args: PhantomData<fn() -> Args>,
}

impl<'t, I, Args> TypedElements<'t, I, Args> {
    pub(crate) fn new(inputs: &'t I, target: &'t Target) -> TypedElements<'t, I, Args> {
        TypedElements { inputs, target, args: PhantomData }
    }
}

impl<'a, I, Args> Elements<'a> for TypedElements<'_, I, Args>
where
    I: Inputs<Args>,
    Args: Arguments<'a>,
{
    type Error = Error;

    fn lend(&self, at: usize, call: TakesArgs<'_>) -> bool {
        let captures = &self.target.captures;
        if captures.is_empty() {
            return self.inputs.at(at).lend(|args| call(args)).is_some();
        }
        if captures.iter().any(|value| Arg::lent(value).is_none()) {
            return false;
        }
        let called = self.inputs.at(at).lend(|args| {
            let mut all: Vec<Arg<'_>> = captures.iter().filter_map(Arg::lent).collect();
            for arg in args {
                all.push(arg);
            }
            call(&mut all.into_iter());
        });
        called.is_some()
    }

    fn values(&self, at: usize) -> Result<Vec<Value<'a>>, Error> {
        let TransferredArgs { values, .. } = self.target.transfer(self.inputs.at(at))?;
        Ok(self.target.values(values))
    }

    fn mapped(&self) -> Vec<bool> {
        let captured = self.target.captures.iter().map(|_| false);
        captured.chain(self.inputs.lengths().iter().map(Option::is_some)).collect()
    }

    fn lists(&self, range: Range<usize>, mapped: &[bool]) -> Option<Vec<Array<'a>>> {
        let own = mapped.get(self.target.captures.len()..)?;
        Some(Args::lists(range.map(|at| self.inputs.at(at)), own))
    }
}
