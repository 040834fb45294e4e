//! Functions that are ready to be called often: with borrowed arguments, into the caller's own places, without allocating.

use std::fmt;
use std::sync::Arc;

use crate::failure::Failure;
use crate::limits::Limits;
use crate::value::Arg;

/// Where a part of the result goes. The result's scalars and vectors, however deep in tuples and structs, go to so many
/// places, in their order.
#[derive(Debug)]
pub enum OutSlot<'o> {
    /// A float.
    F64(&'o mut f64),
    /// An integer of at most 64 bits, extended by its sign if it has one.
    Int(&'o mut i64),
    /// A bool.
    Bool(&'o mut bool),
    /// A vector of floats, of the slice's length.
    F64s(&'o mut [f64]),
    /// Nowhere.
    Unwanted,
}

/// Calls a function, again and again in the same memory. It is for one thread at a time.
pub trait PreparedCall: Send + fmt::Debug {
    /// Calls the function; what it returns is written to `outs`.
    ///
    /// # Errors
    /// Where the function fails, or arguments or places are not of its types; places may have been written by then.
    fn call<'a>(
        &mut self,
        args: &mut dyn Iterator<Item = Arg<'a>>,
        outs: &mut [OutSlot<'_>],
    ) -> Result<(), Failure>;
}

/// Calls within limits of their own, each.
#[derive(Debug)]
pub(super) struct LimitedCall {
    pub(super) caller: Box<dyn PreparedCall>,
    pub(super) limits: Arc<Limits>,
}

impl PreparedCall for LimitedCall {
    fn call<'a>(
        &mut self,
        args: &mut dyn Iterator<Item = Arg<'a>>,
        outs: &mut [OutSlot<'_>],
    ) -> Result<(), Failure> {
        self.limits.during(|| self.caller.call(args, outs))
    }
}
