//! The results of the reverse transformation of a function.

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
            ReverseOutput::Accumulate => "Accumulate",
        };
        format!("{label}{}", digits(wrt))
    }
}

/// Which arguments are active, as a digit for each.
pub(super) fn digits(wrt: &[bool]) -> String {
    wrt.iter().map(|is_active| if *is_active { '1' } else { '0' }).collect()
}
