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
    fn call(&mut self, args: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Result<(), Failure>;
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
/// assert!(calls.call(&prepared, &[Arg::F64(1.0)], &mut [OutSlot::F64(&mut y)]).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default, Debug)]
pub struct PreparedCalls {
    /// The call that a thread uses if no other one does. Its lock is held during the call, so that taking it and putting it
    /// back costs one atomic operation each.
    first: Mutex<Option<Idle>>,
    others: Mutex<Vec<Idle>>,
}

/// A prepared call, and the epoch at which it was created.
type Idle = (u64, Box<dyn PreparedCall>);

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
    pub fn with<R>(
        &self,
        epoch: u64,
        make: impl FnOnce() -> Option<Box<dyn PreparedCall>>,
        act: impl FnOnce(&mut dyn PreparedCall) -> R,
    ) -> Option<R> {
        if let Ok(mut first) = self.first.try_lock() {
            if !matches!(&*first, Some((of, _)) if *of == epoch) {
                *first = Some((epoch, make()?));
            }
            return first.as_mut().map(|(_, caller)| act(&mut **caller));
        }
        // It is in use, perhaps by a call around this one; or a panic left it, and with it whatever it was doing.
        let idle = self.others.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let current = idle.filter(|(of, _)| *of == epoch);
        let (_, mut caller) = current.or_else(|| Some((epoch, make()?)))?;
        let result = act(&mut *caller);
        self.others.lock().unwrap_or_else(PoisonError::into_inner).push((epoch, caller));
        Some(result)
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
