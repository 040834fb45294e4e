//! Limits of runs: time, memory, steps, open calls, and cancellation from another thread.
//!
//! - LIMIT1 hitting a limit is a [`Failure`](crate::Failure) whose report names it ([`Limit`]), with the
//!   source line and the call stack where the run stopped. Nothing is aborted, and everything that the run
//!   held is freed.
//! - LIMIT2 a run that begins inside another one, on the same thread, gets the remainder of the outer run's
//!   limits.
//! - LIMIT3 a run that hits no limit returns, to the bit, what it returns without limits.
//!
//! [`Limits`] are given to an executor, to an engine
//! ([`Engine::with_limits`](crate::engine::Engine::with_limits)), or to a piece of Rust code,
//! [`Limits::during`], where they apply to all the runs in it together:
//!
//! ```
//! use std::time::Duration;
//! use overdub_context::engine::Engine;
//! use overdub_context::limits::{Limit, Limits};
//! use overdub_context::text;
//!
//! let forever = "fn @forever() -> i64 {\n  br ^again\n^again:\n  br ^again\n}";
//! let engine = Engine::new(text::parse(forever)?.module());
//! let time = Duration::from_millis(10);
//! let limits = Limits::default().with_time(time);
//! let stopped = limits.during(|| engine.run("forever", Vec::new())).unwrap_err();
//! assert_eq!(stopped.limit(), Some(Limit::Time(time)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The meaning of a step depends on the executor: the interpreter counts the instructions and branches that
//! it runs; machine code counts a call, and an iteration of a loop, as all instructions of the optimised
//! function or iteration, whichever branches are taken in it. Where a limit of steps or time is hit, the
//! interpreter has run exactly the allowed number of steps; machine code stops at the next iteration of a
//! loop or at the next call.

mod budget;
mod counting;
mod nesting;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use budget::Budget;
pub use counting::{count_steps, counting};
pub use nesting::{ExtraBytes, Grant, Left};

/// The default number of calls that may be open at once: slightly more than rustc's smallest frames allow on
/// the 8 MiB of a main thread.
pub const DEFAULT_DEPTH: usize = 200_000;

/// The default number of calls from operations and host functions back into the program that may be open at
/// once.
pub const DEFAULT_CALLBACKS: usize = 10_000;

/// The resources that a run may use.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The maximum duration of the run, from its start; compiling counts.
    pub time: Option<Duration>,
    /// The approximate number of bytes that its values may occupy at once: the interpreter adds up the sizes
    /// of its values; machine code measures the growth of the process since the run began.
    pub memory: Option<usize>,
    /// The maximum number of steps.
    pub steps: Option<u64>,
    /// The maximum number of open calls; [`DEFAULT_DEPTH`] if unspecified.
    pub depth: Option<usize>,
    /// Of these, the maximum number of calls from operations and host functions back into the program, which
    /// use the machine stack; [`DEFAULT_CALLBACKS`] if unspecified.
    pub callbacks: Option<usize>,
    /// A switch that stops the run from another thread.
    pub cancel: Option<Cancel>,
}

impl Limits {
    /// Adds a limit of time.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Limits {
        Limits { time: Some(time), ..self }
    }

    /// Adds a limit of memory, in bytes.
    #[must_use]
    pub fn with_memory(self, bytes: usize) -> Limits {
        Limits { memory: Some(bytes), ..self }
    }

    /// Adds a limit of steps.
    #[must_use]
    pub fn with_steps(self, steps: u64) -> Limits {
        Limits { steps: Some(steps), ..self }
    }

    /// Allows this number of open calls, by programs and by host code together.
    #[must_use]
    pub fn with_depth(self, calls: usize) -> Limits {
        Limits { depth: Some(calls), callbacks: Some(calls), ..self }
    }

    /// Lets this switch cancel the run.
    #[must_use]
    pub fn with_cancel(self, cancel: Cancel) -> Limits {
        Limits { cancel: Some(cancel), ..self }
    }

    /// Whether there are no limits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        let Limits { time, memory, steps, depth, callbacks, cancel } = self;
        time.is_none()
            && memory.is_none()
            && steps.is_none()
            && depth.is_none()
            && callbacks.is_none()
            && cancel.is_none()
    }

    /// Runs Rust code; the limits apply to all runs in it together, on every executor.
    pub fn during<R>(&self, f: impl FnOnce() -> R) -> R {
        // Runs that nothing limits need not look.
        if self.is_empty() { f() } else { Budget::new(self).during(f) }
    }
}

/// A switch that stops runs. Clones are the same switch.
///
/// ```
/// use overdub_context::engine::Engine;
/// use overdub_context::limits::{Cancel, Limit, Limits};
/// use overdub_context::text;
///
/// let forever = "fn @forever() -> i64 {\n  br ^again\n^again:\n  br ^again\n}";
/// let cancel = Cancel::new();
/// let engine = Engine::new(text::parse(forever)?.module());
/// let engine = engine.with_limits(Limits::default().with_cancel(cancel.clone()));
/// let run = std::thread::spawn(move || engine.run("forever", Vec::new()));
/// cancel.cancel();
/// assert_eq!(run.join().unwrap().unwrap_err().limit(), Some(Limit::Cancelled));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A switch that is off.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// The switch that is on while this flag is set; clearing the flag lets later runs continue.
    pub fn by(flag: Arc<AtomicBool>) -> Cancel {
        Cancel(flag)
    }

    /// Stops the runs that have this switch, including those that begin later.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether the switch is on.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Two switches are equal if they are the same switch.
impl PartialEq for Cancel {
    fn eq(&self, other: &Cancel) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Cancel {}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cancel").field(&self.is_cancelled()).finish()
    }
}

/// A limit that was hit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// The run exceeded this duration.
    Time(Duration),
    /// The values would have occupied more than this number of bytes.
    Memory(usize),
    /// The run exceeded this number of steps.
    Steps(u64),
    /// More than this number of calls were open.
    Depth(usize),
    /// More than this number of calls from operations and host functions were open.
    Callbacks(usize),
    /// The run was cancelled.
    Cancelled,
}

impl Limit {
    /// Whether it is a limit of open calls, which depends only on the program: unbounded recursion hits it.
    pub fn is_of_calls(self) -> bool {
        matches!(self, Limit::Depth(_) | Limit::Callbacks(_))
    }

    /// The name of the limit: `time`, `memory`, `steps`, `depth`, `callbacks`, `cancel`.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Time(_) => "time",
            Limit::Memory(_) => "memory",
            Limit::Steps(_) => "steps",
            Limit::Depth(_) => "depth",
            Limit::Callbacks(_) => "callbacks",
            Limit::Cancelled => "cancel",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Time(time) => write!(f, "the time limit of {time:?} is reached"),
            Limit::Memory(bytes) => write!(f, "out of memory: the limit is {bytes} bytes"),
            Limit::Steps(steps) => write!(f, "the limit of {steps} steps is reached"),
            Limit::Depth(calls) => write!(f, "stack overflow: more than {calls} calls are open"),
            Limit::Callbacks(calls) => {
                write!(f, "stack overflow: operations call back more than {calls} deep")
            }
            Limit::Cancelled => f.write_str("the run was cancelled"),
        }
    }
}
