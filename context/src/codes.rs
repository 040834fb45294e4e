//! The codes of the errors of running programs.
#![doc = include_str!("../errors.md")]

crate::codes! {
    "../errors.md";
    /// A broken invariant of overdub itself.
    INTERNAL = 1;
    /// The program panicked.
    PANIC = 101;
    /// An integer overflowed.
    OVERFLOW = 102;
    /// An index or a range is not within the array.
    BOUNDS = 103;
    /// A division by zero.
    DIVISION = 104;
    /// An operand that an operation is not defined for.
    DOMAIN = 105;
    /// The program's `unsafe` code had undefined behaviour.
    UNDEFINED = 106;
    /// Code of the host failed: a hook, a rule, a host method.
    HOST = 107;
    /// There is no function of this name in the module.
    MISSING = 108;
    /// A value does not have the type that is expected of it.
    TYPE = 109;
    /// The limit of open calls.
    STACK_LIMIT = 201;
    /// The limit of steps.
    STEP_LIMIT = 202;
    /// The limit of memory.
    MEMORY_LIMIT = 203;
    /// The limit of time.
    TIME_LIMIT = 204;
    /// The run was cancelled.
    CANCELLED = 205;
    /// A context cannot rewrite a function.
    CONTEXT = 501;
    /// The replacement of a call does not exist or does not fit.
    REPLACEMENT = 502;
    /// A context names a function that does not exist.
    NAMES_NOTHING = 503;
    /// The domain of a context has no meaning for an operation.
    NO_MEANING = 504;
}
