//! The results of the reverse transformation of a function.

use overdub_context::ir::Ty;

use crate::cotangent::cotangent;
use crate::flatten::count_floats_by_type;
use crate::refusal::Cause;

/// What a function returns under [`ReverseTransform`](super::ReverseTransform).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReverseOutput {
    /// Its result, and the reverse sweep as a function value of an erased type: the form of calls inside a
    /// transformed function.
    Sweeps,
    /// Its result, and a closure from a cotangent of the result to those of the arguments.
    Pullback,
    /// Its result and the cotangents of the arguments, for a cotangent of the result that is passed as one
    /// more argument.
    Vjp,
    /// Its result and its gradient: the result is a float, or a tuple that begins with one, whose other
    /// parts, the last values of `&mut` parameters, count as constant.
    Gradient,
    /// Its result and the gradient of each float of it, all in one reverse sweep (vector mode): a tuple of gradients, or as
    /// [`ReverseOutput::Gradient`] if there is one float. The type of the result tells how many floats it has: one of up to 16
    /// floats in tuples and structs.
    Gradients,
    /// Only the cotangents of the arguments, added to those passed as further arguments before the cotangent
    /// of the result.
    Accumulate,
}

impl ReverseOutput {
    /// The label of this output, with respect to these arguments, in the name of the function.
    pub(super) fn label(self, wrt: &[bool]) -> String {
        let label = match self {
            ReverseOutput::Sweeps => "Sweeps",
            ReverseOutput::Pullback => "Pullback",
            ReverseOutput::Vjp => "Vjp",
            ReverseOutput::Gradient => "Gradient",
            ReverseOutput::Gradients => "Gradients",
            ReverseOutput::Accumulate => "Accumulate",
        };
        format!("{label}{}", digits(wrt))
    }

    /// How many cotangents of the result of a function that returns `ret` its reverse sweep pulls back at once.
    pub(super) fn directions(self, ret: Ty) -> Result<usize, Cause> {
        match self {
            ReverseOutput::Gradients => few_floats(ret).ok_or(Cause::FewFloats(ret)),
            _ => Ok(1),
        }
    }
}

/// The most cotangents that one sweep pulls back: each has its own variables.
const MOST_DIRECTIONS: usize = 16;

/// The number of floats of a result, if its type tells that there are up to 16: those for [`ReverseOutput::Gradients`].
///
/// ```
/// use overdub_ad::transform::reverse::few_floats;
/// use overdub_context::ir::Ty;
///
/// assert_eq!(few_floats(Ty::tuple([Ty::f64(), Ty::usize(), Ty::f64()])), Some(2));
/// assert_eq!(few_floats(Ty::array(Ty::f64(), 1)), None);
/// ```
pub fn few_floats(ret: Ty) -> Option<usize> {
    count_floats_by_type(cotangent(ret).ok()?).filter(|count| (1..=MOST_DIRECTIONS).contains(count))
}

/// Which arguments are active, as a digit for each.
pub(super) fn digits(wrt: &[bool]) -> String {
    wrt.iter().map(|is_active| if *is_active { '1' } else { '0' }).collect()
}
