//! Limits of runs: time, memory, steps, open calls, and cancellation from another thread.
//!
//! - LIMIT1 a limit that is hit is a [`Failure`](crate::Failure) whose report names it ([`Limit`]), with the source
//!   line and the call stack where the run stopped. Nothing is aborted, and what the run held is freed.
//! - LIMIT2 a run that begins inside another one, on the same thread, gets what is left of the outer run's limits.
//! - LIMIT3 a run that hits no limit gives, to the bit, what it gives without limits.
//!
//! [`Limits`] are given to an executor, to an engine ([`Engine::with_limits`](crate::engine::Engine::with_limits)),
//! or to a piece of Rust code, [`Limits::during`], where they hold for all the runs in it together:
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
//! What a step is depends on the executor: the interpreter counts the instructions and branches that it runs; machine
//! code counts a call, and a round of a loop, as all instructions of the optimised function or round, whichever
//! branches are taken in it. Where a limit of steps or time is hit, the interpreter has run exactly as many steps as
//! allowed, machine code stops at a loop's next round or at the next call.

mod budget;
mod counting;
mod nesting;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use budget::Budget;
pub use counting::{count_steps, counting};
pub use nesting::{Grant, Held, Left};

/// Calls that may be open at once where nobody says otherwise: a little more than rustc's smallest frames allow on
/// the 8 MiB of a main thread.
pub const DEFAULT_DEPTH: usize = 200_000;

/// Calls from operations and host functions back into the program that may be open at once where nobody says otherwise.
pub const DEFAULT_CALLBACKS: usize = 10_000;

/// What a run may use.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How long it may take, from its beginning; compiling counts.
    pub time: Option<Duration>,
    /// Bytes that its values may take at once, roughly: the interpreter adds up what its values take, machine code
    /// what the process takes more than when the run began.
    pub memory: Option<usize>,
    /// Steps that it may take.
    pub steps: Option<u64>,
    /// Calls that may be open at once; [`DEFAULT_DEPTH`] if nobody says.
    pub depth: Option<usize>,
    /// Of these, calls from operations and host functions back into the program, which take the machine's stack;
    /// [`DEFAULT_CALLBACKS`] if nobody says.
    pub callbacks: Option<usize>,
    /// Stops it from another thread.
    pub cancel: Option<Cancel>,
}

impl Limits {
    /// The same with a limit of time.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Limits {
        Limits { time: Some(time), ..self }
    }

    /// The same with a limit of memory, in bytes.
    #[must_use]
    pub fn with_memory(self, bytes: usize) -> Limits {
        Limits { memory: Some(bytes), ..self }
    }

    /// The same with a limit of steps.
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

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        *self == Limits::default()
    }

    /// Runs Rust code; the limits hold for all runs in it together, by every executor.
    pub fn during<R>(&self, f: impl FnOnce() -> R) -> R {
        Budget::new(self).during(f)
    }
}

/// A switch that stops runs. A clone is the same switch.
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

    /// The switch that is on while this flag is set: for those who clear it, and let later runs go on.
    pub fn by(flag: Arc<AtomicBool>) -> Cancel {
        Cancel(flag)
    }

    /// Stops the runs that have it, and those that begin later.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether it is on.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Whether they are the same switch.
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
    /// The run took this long.
    Time(Duration),
    /// Its values would take more than this number of bytes.
    Memory(usize),
    /// It took this number of steps.
    Steps(u64),
    /// More than this number of calls were open.
    Depth(usize),
    /// More than this number of calls from operations and host functions were open.
    Callbacks(usize),
    /// Somebody cancelled it.
    Cancelled,
}

impl Limit {
    /// Whether it is one of open calls, which says something about the program: recursion without end fails by it.
    pub fn is_of_calls(self) -> bool {
        matches!(self, Limit::Depth(_) | Limit::Callbacks(_))
    }

    /// The limit's name: `time`, `memory`, `steps`, `depth`, `callbacks`, `cancel`.
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
