//! The arguments of each element, in the two forms that calls take: lent, or as values.

use std::marker::PhantomData;
use std::ops::Range;

use overdub_context::value::{Arg, Array, Value};
use overdub_lower::api::{Arguments, Error, Target, TransferredArgs};

use crate::device::{DeviceError, DeviceList};
use crate::error::ElementError;
use crate::inputs::Inputs;
use crate::lists::lent_lists;

/// A call that takes lent arguments.
pub(crate) type TakesArgs<'c> = &'c mut dyn FnMut(&[Arg<'_>]);

/// The arguments of each element, those that a closure captured first.
pub(crate) trait Elements<'a>: Sync {
    type Error: ElementError;

    /// Lends the arguments of an element to a call, if all are scalars or slices of scalars; whether they are.
    fn lend(&self, at: usize, call: TakesArgs<'_>) -> bool;

    /// The arguments of an element.
    fn values(&self, at: usize) -> Result<Vec<Value<'a>>, Self::Error>;

    /// For each argument, whether it is mapped over.
    fn mapped(&self) -> Vec<bool>;

    /// For each argument, the list on a device that has those of all elements.
    fn stored(&self) -> Vec<Option<DeviceList>> {
        self.mapped().iter().map(|_| None).collect()
    }

    /// The same, but for other values in place of the arguments that a device has; none if it has none of them.
    fn with_stand_ins(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Copies what lies on a device alone to the host.
    fn fetch(&self) -> Result<(), DeviceError> {
        Ok(())
    }

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
    /// Whether others stand in for the arguments that a device has.
    has_stand_ins: bool,
    args: PhantomData<fn() -> Args>,
}

impl<'t, I, Args> TypedElements<'t, I, Args> {
    pub(crate) fn new(inputs: &'t I, target: &'t Target) -> TypedElements<'t, I, Args> {
        TypedElements { inputs, target, has_stand_ins: false, args: PhantomData }
    }

    fn at(&self, element: usize) -> Args
    where
        I: Inputs<Args>,
    {
        if self.has_stand_ins { self.inputs.stand_ins(element) } else { self.inputs.at(element) }
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
            return self.at(at).lend(call).is_some();
        }
        if captures.iter().any(|value| Arg::lent(value).is_none()) {
            return false;
        }
        let called = self.at(at).lend(|args| {
            let mut all: Vec<Arg<'_>> = captures.iter().filter_map(Arg::lent).collect();
            all.extend(args);
            call(&all);
        });
        called.is_some()
    }

    fn values(&self, at: usize) -> Result<Vec<Value<'a>>, Error> {
        let TransferredArgs { values, .. } = self.target.transfer(self.at(at))?;
        Ok(self.target.values(values))
    }

    fn mapped(&self) -> Vec<bool> {
        let captured = self.target.captures.iter().map(|_| false);
        captured.chain(self.inputs.lengths().iter().map(Option::is_some)).collect()
    }

    fn stored(&self) -> Vec<Option<DeviceList>> {
        let captured = self.target.captures.iter().map(|_| None);
        captured.chain(self.inputs.stored()).collect()
    }

    fn with_stand_ins(&self) -> Option<Self> {
        let has_stored = self.inputs.stored().iter().any(Option::is_some);
        has_stored.then_some(TypedElements { has_stand_ins: true, ..*self })
    }

    fn fetch(&self) -> Result<(), DeviceError> {
        self.inputs.fetch()
    }

    fn lists(&self, range: Range<usize>, mapped: &[bool]) -> Option<Vec<Array<'a>>> {
        let own = mapped.get(self.target.captures.len()..)?;
        Some(Args::lists(range.map(|at| self.at(at)), own))
    }
}
