//! The signature of a reverse sweep: which cotangents it takes and returns.

use overdub_context::ir::Ty;

use crate::cotangent::{cotangent, holds_array};
use crate::refusal::Cause;

/// Which cotangents of its arguments a reverse sweep takes as accumulators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Accumulators {
    /// Those that hold arrays, which are updated in place.
    Arrays,
    /// All: the additions happen in the order they would have if the function were inlined, so sums are equal
    /// to the bit.
    All,
    /// As [`Accumulators::All`], but only for the arguments before the one of this number: the others are defined for the call
    /// alone.
    Before(usize),
}

impl Accumulators {
    /// Whether the cotangent of the argument of this number, of type `dty`, is one of them.
    pub(super) fn over(self, at: usize, dty: Ty) -> bool {
        match self {
            Accumulators::Arrays => holds_array(dty),
            Accumulators::All => dty != Ty::unit(),
            Accumulators::Before(end) => at < end && dty != Ty::unit(),
        }
    }
}

/// The types of the accumulators and the seed that a reverse sweep of one direction takes after its captures, and its return
/// type.
pub(super) fn signature(
    params: &[Ty],
    wrt: &[bool],
    ret: Ty,
    accumulators: Accumulators,
) -> Result<(Vec<Ty>, Ty), Cause> {
    let active = params.iter().zip(wrt).enumerate().filter(|(_, (_, wrt))| **wrt);
    let gradients = active.map(|(at, (ty, _))| Ok((at, cotangent(*ty)?)));
    let gradients = gradients.collect::<Result<Vec<_>, Cause>>()?;
    let accumulated = gradients.iter().filter(|(at, dty)| accumulators.over(*at, *dty));
    let mut takes: Vec<Ty> = accumulated.map(|(_, dty)| *dty).collect();
    takes.push(cotangent(ret)?);
    Ok((takes, Ty::tuple(gradients.into_iter().map(|(_, dty)| dty))))
}

/// The type of what a reverse sweep of several directions returns, by that of one direction: a tuple of them (SWEEP4).
pub(super) fn of_directions(directions: usize, ret: Ty) -> Ty {
    if directions == 1 { ret } else { Ty::tuple(std::iter::repeat_n(ret, directions)) }
}
