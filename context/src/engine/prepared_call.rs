//! Prepared calls: functions called repeatedly with borrowed arguments and results in the caller's memory, without
//! allocating.

use std::fmt;
use std::sync::Arc;

use super::Held;
use crate::failure::Failure;
use crate::limits::Limits;
use crate::value::Arg;

/// The destination of a part of the result. The scalars and vectors of the result, nested ones included, are written to
/// one slot each, in order.
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

/// Calls a function repeatedly in the same memory, by one thread at a time.
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

/// Calls a function that is made for contexts, and keeps those.
#[derive(Debug)]
pub(super) struct HeldCall {
    pub(super) caller: Box<dyn PreparedCall>,
    pub(super) _held: Held,
}

impl PreparedCall for HeldCall {
    fn call<'a>(
        &mut self,
        args: &mut dyn Iterator<Item = Arg<'a>>,
        outs: &mut [OutSlot<'_>],
    ) -> Result<(), Failure> {
        self.caller.call(args, outs)
    }
}

/// A prepared call that runs each call within limits.
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
