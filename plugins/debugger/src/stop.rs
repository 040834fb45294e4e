//! Where a run stopped, and why.

use overdub_context::value::Value;
use overdub_context::{Failure, Span, Symbol};

use crate::derivative::Sweep;

/// Where a run stopped.
#[derive(Clone, Debug)]
pub struct Stop {
    /// The reason.
    pub reason: Reason,
    /// The function, with its type arguments; `None` if the run has ended.
    pub function: Option<Symbol>,
    /// The source location.
    pub span: Span,
    /// The number of instructions that have been executed; if a run was completed by
    /// [another executor](crate::Session::delegate_to), those before it, and
    /// [`Session::moment`](crate::Session::moment) counts the rest.
    pub moment: u64,
    /// The sweep, if a derivative is debugged.
    pub sweep: Option<Sweep>,
    /// All breakpoints that stop the run here, in the order in which they were set.
    pub breakpoints: Vec<usize>,
}

/// Why a run stopped.
#[derive(Clone, Debug)]
pub enum Reason {
    /// It is at the start of the function.
    Entry,
    /// The breakpoint with this number.
    Breakpoint(usize),
    /// A step was completed.
    Step,
    /// A watched place changed.
    Changed {
        /// The breakpoint.
        id: usize,
        /// The previous value.
        old: Value<'static>,
        /// The current value.
        new: Value<'static>,
    },
    /// An operation computed a NaN or an infinity from finite numbers.
    NotFinite {
        /// The breakpoint.
        id: usize,
        /// The operation.
        operation: &'static str,
        /// Its operands.
        operands: Vec<Value<'static>>,
        /// Its result.
        result: Value<'static>,
    },
    /// The next instruction fails; it has not been run.
    Failure(Failure),
    /// The condition of a breakpoint could not be evaluated.
    Condition {
        /// The breakpoint.
        id: usize,
        /// The error.
        message: String,
    },
    /// A pause was requested.
    Interrupted,
    /// It is at the requested moment.
    Moment,
    /// The next statement is the last one that wrote a place.
    LastWrite,
    /// There is nothing before: this is the start.
    Start,
    /// It has ended with this value.
    Exited(Value<'static>),
    /// It has ended with this value and derivative.
    Differentiated {
        /// The value that the function returned.
        value: Value<'static>,
        /// The gradient, with an entry for each argument; or only the tangent of the value.
        derivative: Vec<Value<'static>>,
    },
    /// It has failed.
    Failed(Failure),
}
