//! Prepared calls: functions called repeatedly with borrowed arguments and results in the caller's memory, without
//! allocating.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::{FuncGuard, Layers, Prepared};
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
    /// Discards the part.
    Unwanted,
}

/// Calls a function repeatedly with the same memory, from one thread at a time.
pub trait PreparedCall: Send + fmt::Debug {
    /// Calls the function; its result is written to `outs`.
    ///
    /// # Errors
    /// If the function fails, in which case slots may have been written; before it runs, with
    /// [`FailureKind::Type`](crate::FailureKind::Type), if arguments or slots have other types than the function;
    /// afterwards, if a vector does not fit into its slot.
    fn call<'a>(
        &mut self,
        args: &mut dyn Iterator<Item = Arg<'a>>,
        outs: &mut [OutSlot<'_>],
    ) -> Result<(), Failure>;
}

/// Calls a function generated for contexts, and keeps those alive.
#[derive(Debug)]
pub(super) struct GuardedCall {
    pub(super) caller: Box<dyn PreparedCall>,
    pub(super) _guard: FuncGuard,
}

impl PreparedCall for GuardedCall {
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

/// Idle prepared calls of one function, each with the epoch of the program at which it was created. Threads
/// that call at the same time use one each.
///
/// ```
/// use overdub_context::engine::{Empty, Engine, OutSlot, PreparedCalls};
/// use overdub_context::value::Arg;
///
/// let module = overdub_context::text::parse("fn @f(%x: f64) -> f64 {\n  ret %x\n}")?.module();
/// let (prepared, calls) = (Engine::new(module).prepare(&Empty, "f"), PreparedCalls::default());
/// // The interpreter has no such calls.
/// let mut y = 0.0;
/// assert!(calls.call(&prepared, &mut [Arg::scalar(1.0)].into_iter(), &mut [OutSlot::F64(&mut y)]).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default, Debug)]
pub struct PreparedCalls(Mutex<Vec<(u64, Box<dyn PreparedCall>)>>);

impl PreparedCalls {
    /// Calls the function as [`PreparedCall::call`] does; none if the executor currently has no prepared call
    /// of it.
    pub fn call<'a, L: Layers>(
        &self,
        prepared: &Prepared<L>,
        args: &mut dyn Iterator<Item = Arg<'a>>,
        outs: &mut [OutSlot<'_>],
    ) -> Option<Result<(), Failure>> {
        let epoch = prepared.epoch();
        let idle = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let current = idle.filter(|(of, _)| *of == epoch);
        let (_, mut caller) = current.or_else(|| Some((epoch, prepared.prepared_call()?)))?;
        let result = caller.call(args, outs);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((epoch, caller));
        Some(result)
    }
}
