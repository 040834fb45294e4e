//! Where a run stopped, and why.

use overdub_context::value::Value;
use overdub_context::{Failure, Span, Symbol};

use crate::derivative::Sweep;

/// Where a run stopped.
#[derive(Clone, Debug)]
pub struct Stop {
    /// Why.
    pub reason: Reason,
    /// In which function, with its type arguments; none where the run has ended.
    pub function: Option<Symbol>,
    /// Where.
    pub span: Span,
    /// How many instructions have been executed; where a run has ended in one piece
    /// [elsewhere](crate::Session::run_elsewhere), those before it, and [`Session::moment`](crate::Session::moment) counts the
    /// rest.
    pub moment: u64,
    /// In which sweep, where a derivative is debugged.
    pub sweep: Option<Sweep>,
    /// All breakpoints that stop it here, in the order in which they were made.
    pub breakpoints: Vec<usize>,
}

/// Why a run stopped.
#[derive(Clone, Debug)]
pub enum Reason {
    /// It is where the function begins.
    Entry,
    /// A breakpoint of this number.
    Breakpoint(usize),
    /// A step was made.
    Step,
    /// A watched place changed.
    Changed {
        /// The breakpoint.
        id: usize,
        /// What it was.
        old: Value<'static>,
        /// What it is.
        new: Value<'static>,
    },
    /// An operation made a NaN or an infinity of finite numbers.
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
        /// What is wrong.
        message: String,
    },
    /// It was told to pause.
    Interrupted,
    /// It is at the moment that was asked for.
    Moment,
    /// The statement that comes next wrote a place last.
    LastWrite,
    /// There is nothing before: this is the start.
    Start,
    /// It has ended with this value.
    Exited(Value<'static>),
    /// It has ended with this value and derivative.
    Differentiated {
        /// What the function returned.
        value: Value<'static>,
        /// The gradient, an entry for each argument; or the tangent of the value alone.
        derivative: Vec<Value<'static>>,
    },
    /// It has failed.
    Failed(Failure),
}
