//! Prepared calls: functions called repeatedly with borrowed arguments and results in the caller's memory, without
//! allocating.

use std::cell::Cell;
use std::fmt;
use std::panic::RefUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};

use thread_local::ThreadLocal;

use super::{FuncGuard, Layers, Prepared};
use crate::failure::Failure;
use crate::limits::Limits;
use crate::value::Arg;

/// The destination of a part of the result. The scalars and vectors of the result, nested ones included, are written to
/// one slot each, in order.
///
/// The representation is that of a `repr(C)` struct for each variant, which begins with the variant's number; machine code
/// reads it.
#[derive(Debug)]
#[repr(u64)]
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
    fn call(&mut self, args: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Result<(), Failure>;

    /// Keeps alive what the function was generated for as long as this call lives. Returns the guard if it does not, which
    /// the engine then does by a call around this one.
    fn hold(&mut self, guard: FuncGuard) -> Option<FuncGuard> {
        Some(guard)
    }
}

/// Calls a function generated for contexts, and keeps those alive.
#[derive(Debug)]
pub(super) struct GuardedCall {
    pub(super) caller: Box<dyn PreparedCall>,
    pub(super) _guard: FuncGuard,
}

impl PreparedCall for GuardedCall {
    fn call(&mut self, args: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Result<(), Failure> {
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
    fn call(&mut self, args: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Result<(), Failure> {
        self.limits.during(|| self.caller.call(args, outs))
    }
}

/// Idle prepared calls of one function, each with the epoch of the program at which it was created. Each thread uses its own.
///
/// ```
/// use overdub_context::engine::{Empty, Engine, OutSlot, PreparedCalls};
/// use overdub_context::value::Arg;
///
/// let module = overdub_context::text::parse("fn @f(%x: f64) -> f64 {\n  ret %x\n}")?.module();
/// let (prepared, calls) = (Engine::new(module).prepare(&Empty, "f"), PreparedCalls::default());
/// // The interpreter has no such calls.
/// let mut y = 0.0;
/// assert!(calls.call(&prepared, &[Arg::F64(1.0)], &mut [OutSlot::F64(&mut y)]).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct PreparedCalls {
    /// The call that each thread uses first. It is taken out for as long as it is used. A lock would cost two atomic
    /// operations, which also wait for the writes of the call before.
    first: ThreadLocal<First>,
    /// Those of calls within calls.
    others: Mutex<Vec<Idle>>,
}

/// The call that a thread uses first, while it is idle, and the epoch at which it was created.
#[derive(Default)]
struct First {
    epoch: Cell<u64>,
    caller: Cell<Option<Box<dyn PreparedCall>>>,
}

/// A prepared call, and the epoch at which it was created.
type Idle = (u64, Box<dyn PreparedCall>);

// A call that panicked is dropped, so nothing is seen that it left half done.
impl RefUnwindSafe for PreparedCalls {}

impl PreparedCalls {
    /// Calls the function as [`PreparedCall::call`] does; none if the executor currently has no prepared call
    /// of it.
    pub fn call<L: Layers>(
        &self,
        prepared: &Prepared<L>,
        args: &[Arg<'_>],
        outs: &mut [OutSlot<'_>],
    ) -> Option<Result<(), Failure>> {
        self.with(prepared.epoch(), || prepared.prepared_call(), |caller| caller.call(args, outs))
    }

    /// Lends a prepared call of this epoch to `act`, one that is idle or one that `make` creates; none if it creates none.
    #[inline]
    pub fn with<R>(
        &self,
        epoch: u64,
        make: impl FnOnce() -> Option<Box<dyn PreparedCall>>,
        act: impl FnOnce(&mut dyn PreparedCall) -> R,
    ) -> Option<R> {
        let first = self.first.get_or_default();
        let mut caller = match first.caller.take() {
            Some(idle) if first.epoch.get() == epoch => idle,
            _ => self.other(epoch).or_else(make)?,
        };
        let result = act(&mut *caller);
        if let Some(other) = first.caller.replace(Some(caller)) {
            self.add_other((first.epoch.get(), other));
        }
        first.epoch.set(epoch);
        Some(result)
    }

    /// A call that is idle after it was used within another one.
    #[cold]
    fn other(&self, epoch: u64) -> Option<Box<dyn PreparedCall>> {
        let idle = self.others.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.filter(|(of, _)| *of == epoch).map(|(_, caller)| caller)
    }

    #[cold]
    fn add_other(&self, idle: Idle) {
        self.others.lock().unwrap_or_else(PoisonError::into_inner).push(idle);
    }
}

impl fmt::Debug for PreparedCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedCalls").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// A call that does nothing, of this number.
    #[derive(Debug)]
    struct Numbered(usize);

    impl PreparedCall for Numbered {
        fn call(&mut self, _: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Result<(), Failure> {
            if let [OutSlot::F64(out)] = outs {
                **out = self.0 as f64;
            }
            Ok(())
        }
    }

    /// The number of the call that is lent, new ones being numbered from `next`.
    fn lent(calls: &PreparedCalls, epoch: u64, next: usize, then: impl FnOnce()) -> f64 {
        let mut number = -1.0;
        let make = || Some(Box::new(Numbered(next)) as Box<dyn PreparedCall>);
        let found = calls.with(epoch, make, |caller| {
            caller.call(&[], &mut [OutSlot::F64(&mut number)]).expect("it does nothing");
            then();
        });
        assert!(found.is_some());
        number
    }

    #[test]
    fn a_call_is_lent_to_one_user_at_a_time() {
        let calls = PreparedCalls::default();
        assert_eq!(lent(&calls, 1, 0, || ()), 0.0);
        // Within a call, and within that, others are lent, which are then kept.
        let outer = lent(&calls, 1, 1, || {
            assert_eq!(lent(&calls, 1, 2, || assert_eq!(lent(&calls, 1, 3, || ()), 3.0)), 2.0);
        });
        assert_eq!(outer, 0.0);
        assert_eq!(lent(&calls, 1, 4, || assert_eq!(lent(&calls, 1, 5, || ()), 2.0)), 0.0);
        // Those of another epoch are not used any more.
        assert_eq!(lent(&calls, 2, 6, || assert_eq!(lent(&calls, 2, 7, || ()), 7.0)), 6.0);
        assert!(calls.with(3, || None, |_| ()).is_none());
    }

    #[test]
    fn a_call_that_panicked_is_not_lent_again() {
        let calls = PreparedCalls::default();
        assert_eq!(lent(&calls, 1, 0, || ()), 0.0);
        let panicked = catch_unwind(AssertUnwindSafe(|| lent(&calls, 1, 1, || panic!("it panics"))));
        assert!(panicked.is_err());
        assert_eq!(lent(&calls, 1, 2, || ()), 2.0);
        assert_eq!(lent(&calls, 1, 3, || ()), 2.0);
    }
}
