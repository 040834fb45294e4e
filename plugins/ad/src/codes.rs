//! The codes of the errors of derivatives.
#![doc = include_str!("../errors.md")]

overdub_context::codes! {
    "../errors.md";
    /// The function does not return what derivatives are taken of.
    NO_FLOAT = 601;
    /// A part of the function has no derivative.
    NO_DERIVATIVE = 602;
    /// A checkpoint is to keep what has no name in it.
    CHECKPOINT_NAMES = 604;
    /// There is no function for a rule.
    RULE_UNKNOWN = 611;
    /// A path of a rule fits several functions.
    RULE_AMBIGUOUS = 612;
    /// A rule has no derivative.
    RULE_EMPTY = 613;
    /// A rule does not fit its function.
    RULE_MISFIT = 614;
    /// A gradient needs more memory than it may use.
    TOO_LITTLE_MEMORY = 603;
    /// A derivative is wrong.
    WRONG_DERIVATIVE = 621;
    /// A check compared nothing.
    NOTHING_COMPARED = 622;
    /// The compiled function returns something else.
    COMPILED_DIFFERS = 623;
}
