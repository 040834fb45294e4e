//! Gradients by prepared calls of a transformed function.

use overdub_context::FailureKind;
use overdub_context::engine::OutSlot;
use overdub_context::value::{FromValue, Value};
use overdub_lower::api::{Arguments, Error};

use super::Buffers;
use super::buffers::MOST;
use crate::transform::reverse::Transformed;

/// Writes the derivatives to the buffers and returns the function's result, a float. `None` if a prepared
/// call cannot take arguments or buffers of this form.
pub(super) fn gradient_into<'a, R: FromValue>(
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
        let result =
            rewritten.call(&mut outs[..count], |caller, outs| args.lend(|args| caller.call(args, outs)));
        match result? {
            Ok(()) => {}
            // Nothing ran: a prepared call cannot take an argument or a buffer of this form.
            Err(failure) if failure.kind() == FailureKind::Type => return None,
            Err(failure) => return Some(Err(failure.into())),
        }
    }
    R::from_value(Value::F64(y)).ok().map(Ok)
}
