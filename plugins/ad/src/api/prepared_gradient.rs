//! Gradients and Hessian-vector products by prepared calls of a transformed function.

use overdub_context::engine::{OutSlot, PreparedCall};
use overdub_context::value::{Arg, FromValue, Slice};
use overdub_context::{Failure, FailureKind};
use overdub_lower::api::{Arguments, Error};
use smallvec::SmallVec;

use super::Buffers;
use crate::transform::forward::Hvp;
use crate::transform::reverse::Transformed;

/// Writes the derivatives to the buffers and returns the function's result, a float. `None` if a prepared
/// call cannot take arguments or buffers of this form.
#[inline]
pub(super) fn gradient_into<'a, R: FromValue>(
    rewritten: &Transformed,
    all_active: bool,
    args: &impl Arguments<'a>,
    buffers: &mut impl Buffers,
) -> Option<Result<R, Error>> {
    let mut y = 0.0;
    let called = rewritten.call_by(
        (&mut y, buffers),
        |caller, (y, buffers)| {
            let called = args.lend(|args| {
                buffers.with_places(OutSlot::F64(y), |outs| match all_active {
                    true => Some(caller.call(args, outs)),
                    false => call_for_some(rewritten.wrt(), caller, args, outs),
                })
            });
            called??
        },
        |(_, buffers)| buffers.hold_nan(),
    );
    match called? {
        Ok(()) => R::from_arg(Arg::F64(y)).ok().map(Ok),
        // Nothing ran: a prepared call cannot take an argument or a buffer of this form.
        Err(failure) if failure.kind() == FailureKind::Type => None,
        Err(failure) => Some(Err(failure.into())),
    }
}

/// Writes the products with a Hessian to the buffers. `None` if a prepared call cannot take arguments, tangents or buffers of
/// this form.
pub(super) fn hvp_into<'a, 't>(
    hvp: &Hvp,
    args: &impl Arguments<'a>,
    tangents: &impl Arguments<'t>,
    buffers: &mut impl Buffers,
) -> Option<Result<(), Error>> {
    let call = |args: &[Arg<'_>], tangents: &[Arg<'_>], outs: &mut [OutSlot<'_>]| {
        let mut all = SmallVec::<[Arg<'_>; 16]>::from_slice(args);
        for ((arg, tangent), is_active) in args.iter().zip(tangents).zip(hvp.wrt()) {
            match is_active {
                true if have_one_length(arg, tangent) => all.push(*tangent),
                true => return None,
                false => {}
            }
        }
        let (_, outs) = outs.split_first_mut()?;
        let mut active = SmallVec::<[OutSlot<'_>; 8]>::new();
        take_active(hvp.wrt(), outs, &mut active)?;
        hvp.call(&all, &mut active)
    };
    let called = args.lend(|args| {
        tangents.lend(|tangents| buffers.with_places(OutSlot::Unwanted, |outs| call(args, tangents, outs)))
    });
    match called???? {
        Ok(()) => Some(Ok(())),
        // Nothing ran: a prepared call cannot take an argument or a buffer of this form.
        Err(failure) if failure.kind() == FailureKind::Type => None,
        Err(failure) => Some(Err(failure.into())),
    }
}

/// Whether two arguments are scalars, or slices of floats of the same length.
fn have_one_length(arg: &Arg<'_>, other: &Arg<'_>) -> bool {
    match (arg, other) {
        (Arg::Slice(Slice::F64(floats)), Arg::Slice(Slice::F64(others))) => floats.len() == others.len(),
        (Arg::Slice(_), _) | (_, Arg::Slice(_)) => false,
        _ => true,
    }
}

/// Calls a gradient with respect to some of the arguments; none if there is a buffer for another one, which would
/// have to be zeroed.
#[inline(never)]
fn call_for_some(
    wrt: &[bool],
    caller: &mut dyn PreparedCall,
    args: &[Arg<'_>],
    outs: &mut [OutSlot<'_>],
) -> Option<Result<(), Failure>> {
    let mut active = SmallVec::<[OutSlot<'_>; 8]>::new();
    let (first, rest) = outs.split_first_mut()?;
    active.push(std::mem::replace(first, OutSlot::Unwanted));
    take_active(wrt, rest, &mut active)?;
    Some(caller.call(args, &mut active))
}

/// Takes the slots of the active arguments; none if there is a slot for another one, or for no argument.
fn take_active<'o>(
    wrt: &[bool],
    outs: &mut [OutSlot<'o>],
    active: &mut SmallVec<[OutSlot<'o>; 8]>,
) -> Option<()> {
    if outs.len() != wrt.len() {
        return None;
    }
    for (out, wrt) in outs.iter_mut().zip(wrt) {
        match (wrt, &out) {
            (true, _) => active.push(std::mem::replace(out, OutSlot::Unwanted)),
            (false, OutSlot::Unwanted) => {}
            (false, _) => return None,
        }
    }
    Some(())
}
