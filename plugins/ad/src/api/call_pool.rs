//! Prepared calls of a transformed function, reused between threads.

use std::sync::{Mutex, PoisonError};

use overdub_context::FailureKind;
use overdub_context::engine::{OutSlot, PreparedCall};
use overdub_context::value::{FromValue, Value};
use overdub_lower::api::{Arguments, Error};

use super::Buffers;
use super::buffers::MOST;
use crate::transform::reverse::Transformed;

/// Idle prepared calls, each with the [`Transformed::epoch`] at which it was made.
#[derive(Default)]
pub(super) struct CallPool(Mutex<Vec<(u64, Box<dyn PreparedCall>)>>);

impl CallPool {
    /// Writes the derivatives to the buffers and returns the function's result, a float. `None` if a prepared
    /// call cannot take arguments or buffers of this form.
    pub(super) fn gradient_into<'a, R: FromValue>(
        &self,
        rewritten: &Transformed,
        args: &impl Arguments<'a>,
        buffers: &mut impl Buffers,
    ) -> Option<Result<R, Error>> {
        let mut y = 0.0;
        {
            let mut outs: [OutSlot<'_>; MOST + 1] = std::array::from_fn(|_| OutSlot::Unwanted);
            outs[0] = OutSlot::F64(&mut y);
            let mut count = 1;
            let mut wrt = rewritten.wrt().iter();
            let mut fits = true;
            let all = buffers.places(&mut |out| match wrt.next() {
                Some(true) => {
                    outs[count] = out;
                    count += 1;
                }
                // A buffer for an inactive argument would have to be zeroed.
                _ => fits &= matches!(out, OutSlot::Unwanted),
            });
            if !all || !fits || wrt.next().is_some() {
                return None;
            }
            let (epoch, mut caller) = self.take(rewritten)?;
            let result = args.lend(|args| caller.call(args, &mut outs[..count]));
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push((epoch, caller));
            match result? {
                Ok(()) => {}
                // Nothing ran: a prepared call cannot take an argument or a buffer of this form.
                Err(failure) if failure.kind() == FailureKind::Type => return None,
                Err(failure) => return Some(Err(failure.into())),
            }
        }
        R::from_value(Value::F64(y)).ok().map(Ok)
    }

    fn take(&self, rewritten: &Transformed) -> Option<(u64, Box<dyn PreparedCall>)> {
        let epoch = rewritten.epoch();
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let current = free.filter(|(of, _)| *of == epoch);
        current.or_else(|| Some((epoch, rewritten.prepared_call()?)))
    }
}
